/* SPDX-License-Identifier: MIT
 *
 * Fields over time: what stands in the HDF5 file and in its description, also after a run that was
 * interrupted and goes on. ParaView and VTK read both (docs/flow.md). All but the values is held
 * against tests/data/flow-frames.kept, which KEEP=1 writes anew.
 */
#include "tests/test.h"
#include "tests/unit/flow_run.h"

#include "base/file.h"
#include "drivers/flow/frames.h"
#include "tests/unit/kept.h"

#ifdef KB_HDF5
#include <hdf5.h>

enum { FRAMES = 5, NX = 30, NY = 10, SETS = 5 };

static char folder[] = "/tmp/flow-frames-XXXXXX";

static int make_folder(void **state) { return flow_one_thread(state) || !mkdtemp(folder); }

FIXTURE(remove_folder)
{
    return delete_tree(folder);
}

static void open_step(kb_flow *f)
{
    kb_flow_options o;
    kb_flow_case c = *flow_case("step", &o);
    c.foil = true;
    o.nx = NX;
    o.ny = NY;
    o.end = 0.2;
    flow_open(f, &c, &o, "mp5", "cpu-simd");
}

static double time_of(int k) { return 0.2 * k / (FRAMES - 1); }

static void go_to(kb_flow *f, double t)
{
    assert_works(kb_flow_run(f, t, NULL, NULL, &err));
}

/* size: its last two dimensions, a vector's without the components */
static void read_set(hid_t file, const char *path, int *size, float *to)
{
    hsize_t n[5];
    hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    if (set < 0)
        fail_msg("no data set %s", path);
    hid_t space = H5Dget_space(set);
    int rank = H5Sget_simple_extent_dims(space, n, NULL) - (strstr(path, "velocity") != NULL);
    size[0] = (int)n[rank - 2];
    size[1] = (int)n[rank - 1];
    assert_true(H5Sget_simple_extent_npoints(space) <= 3 * FRAMES * NX * NY);
    assert_true(H5Dread(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) >= 0);
    H5Sclose(space);
    H5Dclose(set);
}

static void check_cells(const kb_flow *f, const float *density, const float *foil,
                        const float *velocity)
{
    kb_flow_point p;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++, velocity += 3) {
            if (kb_flow_is_solid(f, i, j)) {
                assert_true(isnan(density[j * NX + i]) && isnan(velocity[0]));
                continue;
            }
            kb_flow_cell(f, i, j, &p);
            assert_true(density[j * NX + i] == (float)kb_flow_density(f, i, j));
            assert_true(foil[j * NX + i] == (float)kb_flow_foil(f, i, j));
            assert_true(velocity[0] == (float)p.u && velocity[1] == (float)p.v && !velocity[2]);
        }
}

/* all frames, by either of their names, are the states of a run that writes none */
static void check_file(void)
{
    static float all[3][3 * FRAMES * NX * NY], one[3][3 * FRAMES * NX * NY];
    int size[2];
    kb_flow f;
    kb_owned char *path = kb_format("%s/a.vtkhdf", folder);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    read_set(file, "/VTKHDF/CellData/density", size, all[0]);
    read_set(file, "/VTKHDF/CellData/foil", size, all[1]);
    read_set(file, "/VTKHDF/CellData/velocity", size, all[2]);
    open_step(&f);
    for (int k = 0; k < FRAMES; k++) {
        kb_owned char *density = kb_format("/Frames/%d/density", k),
                      *foil = kb_format("/Frames/%d/foil", k);
        kb_owned char *velocity = kb_format("/Frames/%d/velocity", k);
        go_to(&f, time_of(k));
        read_set(file, density, size, one[0]);
        read_set(file, foil, size, one[1]);
        read_set(file, velocity, size, one[2]);
        assert_true(size[0] == NY && size[1] == NX);
        check_cells(&f, one[0], one[1], one[2]);
        check_cells(&f, all[0] + k * NX * NY, all[1] + k * NX * NY, all[2] + 3 * k * NX * NY);
    }
    kb_flow_close(&f);
    H5Fclose(file);
}

/* each data set that the description names is there, in the size that it says */
static void check_description(void)
{
    static float values[3 * FRAMES * NX * NY];
    kb_owned char *path = kb_format("%s/a.xdmf", folder), *data = kb_format("%s/a.vtkhdf", folder);
    char line[512];
    hid_t file = H5Fopen(data, H5F_ACC_RDONLY, H5P_DEFAULT);
    FILE *in = fopen(path, "r");
    int sets = 0, times = 0;
    assert_non_null(in);
    while (fgets(line, sizeof line, in)) {
        int ny, nx, size[2], k = -1;
        double t;
        char *at = strstr(line, "a.vtkhdf:"), *end;
        times += sscanf(line, "<Time Value=\"%lf\"", &t) == 1 &&
                 fabs(t - time_of(times)) < 1e-14;
        if (!at)
            continue;
        at += strlen("a.vtkhdf:");
        end = strchr(at, '<');
        assert_int_equal(sscanf(line, "<DataItem Dimensions=\"1 %d %d\"", &ny, &nx), 2);
        assert_int_equal(sscanf(at, "/Frames/%d/", &k), 1);
        assert_int_equal(k, sets / SETS);
        assert_non_null(end);
        *end = '\0';
        read_set(file, at, size, values);
        assert_true(size[0] == ny && size[1] == nx);
        sets++;
    }
    assert_int_equal(times, FRAMES);
    assert_int_equal(sets, SETS * FRAMES);
    fclose(in);
    H5Fclose(file);
}

static int stop_after(void *data, const kb_flow *f, kb_error *err)
{
    return f->t > *(double *)data ? kb_fail(err, KB_INTERRUPTED, "stopped") : KB_OK;
}

TEST(frames_are_the_states)
{
    kb_flow f;
    open_step(&f);
    assert_works(kb_flow_run_frames(&f, folder, "a", FRAMES, NULL, NULL, &err));
    kb_flow_close(&f);
    check_file();
    check_description();
}

/* killed after its fourth frame; it goes on from a checkpoint after the second */
TEST(frames_of_an_interrupted_run)
{
    kb_flow f;
    kb_error err = {0};
    double stop = time_of(3) + 0.01;
    open_step(&f);
    assert_int_equal(kb_flow_run_frames(&f, folder, "a", FRAMES, stop_after, &stop, &err),
                     KB_INTERRUPTED);
    kb_flow_close(&f);
    open_step(&f);
    go_to(&f, time_of(1));
    assert_works(kb_flow_run_frames(&f, folder, "a", FRAMES, NULL, NULL, &err));
    kb_flow_close(&f);
    check_file();
    check_description();
}

/* ---- all that stands beside the values ---- */

static void write_numbers(FILE *to, hid_t a, hid_t type)
{
    double x[16] = {0};
    hsize_t n = H5Aget_storage_size(a) / H5Tget_size(type);
    assert_true(n <= 16 && H5Aread(a, H5T_NATIVE_DOUBLE, x) >= 0);
    for (hsize_t k = 0; k < n; k++)
        fprintf(to, " %.9g", x[k]);
}

static herr_t write_attribute(hid_t of, const char *name, const H5A_info_t *info, void *to)
{
    (void)info;
    hid_t a = H5Aopen(of, name, H5P_DEFAULT), type = H5Aget_type(a);
    fprintf(to, "  %s", name);
    if (H5Tget_class(type) == H5T_STRING) {
        char text[64] = {0};
        assert_true(H5Tget_size(type) < sizeof text && H5Aread(a, type, text) >= 0);
        fprintf(to, " %s", text);
    } else
        write_numbers(to, a, type);
    fputs("\n", to);
    H5Tclose(type);
    H5Aclose(a);
    return 0;
}

/* how large a data set is now, may become and is stored in one piece */
static void write_size(FILE *to, hid_t set)
{
    hsize_t now[5], most[5], chunk[5];
    hid_t space = H5Dget_space(set), list = H5Dget_create_plist(set);
    int rank = H5Sget_simple_extent_dims(space, now, most);
    bool chunked = H5Pget_layout(list) == H5D_CHUNKED && H5Pget_chunk(list, 5, chunk) == rank;
    for (int k = 0; k < rank; k++) {
        fprintf(to, " %d", (int)now[k]);
        if (chunked)
            fprintf(to, "/%d/%d", most[k] == H5S_UNLIMITED ? -1 : (int)most[k], (int)chunk[k]);
    }
    H5Pclose(list);
    H5Sclose(space);
}

/* its path and all that it has; what a group holds follows */
static herr_t write_object(hid_t of, const char *name, const H5L_info_t *info, void *to)
{
    (void)info;
    hid_t object = H5Oopen(of, name, H5P_DEFAULT);
    char path[64];
    H5Iget_name(object, path, sizeof path);
    fputs(path, to);
    if (H5Iget_type(object) == H5I_DATASET)
        write_size(to, object);
    fputs("\n", to);
    H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, NULL, write_attribute, to);
    if (H5Iget_type(object) == H5I_GROUP)
        H5Literate(object, H5_INDEX_NAME, H5_ITER_INC, NULL, write_object, to);
    H5Oclose(object);
    return 0;
}

/* a grid of other places, extents and sides in each direction, in two frames and in one */
static void write_small(FILE *to, const char *name, int frames)
{
    kb_flow f;
    kb_error err = {0};
    kb_flow_options o;
    kb_flow_case c = *flow_case("vortex", &o);
    size_t length;
    c.x1 = 3;
    c.y0 = -2;
    o.nx = 5;
    o.ny = 4;
    o.end = 0.5;
    flow_open(&f, &c, &o, "mp5", "cpu-scalar");
    assert_works(kb_flow_run_frames(&f, folder, name, frames, NULL, NULL, &err));
    kb_flow_close(&f);
    kb_owned char *path = kb_format("%s/%s.xdmf", folder, name);
    kb_owned char *data = kb_format("%s/%s.vtkhdf", folder, name),
                  *text = kb_file_read(path, &length, &err);
    if (!text)
        fail_msg("%s", err.text);
    fputs(text, to);
    hid_t file = H5Fopen(data, H5F_ACC_RDONLY, H5P_DEFAULT);
    H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, write_object, to);
    H5Fclose(file);
}

TEST(beside_the_values)
{
    kb_owned char *now = NULL;
    size_t length;
    FILE *to = open_memstream(&now, &length);
    assert_non_null(to);
    write_small(to, "two", 2);
    write_small(to, "one", 1);
    fclose(to);
    check_kept("tests/data/flow-frames.kept", now);
}

TESTS(make_folder, remove_folder)
#else
int main(void)
{
    print_message("skip - frames: this build has no HDF5\n");
    return 0;
}
#endif
