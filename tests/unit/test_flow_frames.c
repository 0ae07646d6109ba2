/* SPDX-License-Identifier: MIT
 *
 * Fields over time: what stands in the HDF5 file and in its description, also after a run that was
 * interrupted and goes on. ParaView and VTK read both (docs/flow.md).
 */
#include "tests/test.h"
#include "tests/unit/flow_run.h"

#include "drivers/flow/frames.h"

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
    kb_error err = {0};
    if (kb_flow_run(f, t, NULL, NULL, &err))
        fail_msg("%s", err.text);
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

/* case step has no units, since its gas has none */
static void check_unit(hid_t file)
{
    char unit[8] = {0};
    hid_t a = H5Aopen_by_name(file, "/VTKHDF/CellData/velocity", "units", H5P_DEFAULT, H5P_DEFAULT);
    hid_t type = H5Aget_type(a);
    assert_true(H5Tget_size(type) == 1 && H5Aread(a, type, unit) >= 0);
    assert_string_equal(unit, "1");
    H5Tclose(type);
    H5Aclose(a);
}

/* numbers of the grid: its axes have the directions of space */
static void check_grid(hid_t file)
{
    const double direction[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double numbers[9];
    hid_t a = H5Aopen_by_name(file, "/VTKHDF", "Direction", H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Aget_storage_size(a) == sizeof numbers);
    assert_true(H5Aread(a, H5T_NATIVE_DOUBLE, numbers) >= 0);
    assert_memory_equal(numbers, direction, sizeof numbers);
    H5Aclose(a);
}

/* all frames, by either of their names, are the states of a run that writes none */
static void check_file(void)
{
    static float all[3][3 * FRAMES * NX * NY], one[3][3 * FRAMES * NX * NY];
    int size[2];
    kb_flow f;
    char *path = kb_format("%s/a.vtkhdf", folder);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    read_set(file, "/VTKHDF/CellData/density", size, all[0]);
    read_set(file, "/VTKHDF/CellData/foil", size, all[1]);
    read_set(file, "/VTKHDF/CellData/velocity", size, all[2]);
    check_unit(file);
    check_grid(file);
    open_step(&f);
    for (int k = 0; k < FRAMES; k++) {
        char *density = kb_format("/Frames/%d/density", k), *foil = kb_format("/Frames/%d/foil", k);
        char *velocity = kb_format("/Frames/%d/velocity", k);
        go_to(&f, time_of(k));
        read_set(file, density, size, one[0]);
        read_set(file, foil, size, one[1]);
        read_set(file, velocity, size, one[2]);
        assert_true(size[0] == NY && size[1] == NX);
        check_cells(&f, one[0], one[1], one[2]);
        check_cells(&f, all[0] + k * NX * NY, all[1] + k * NX * NY, all[2] + 3 * k * NX * NY);
        free(density);
        free(foil);
        free(velocity);
    }
    kb_flow_close(&f);
    H5Fclose(file);
    free(path);
}

/* each data set that the description names is there, in the size that it says */
static void check_description(void)
{
    static float values[3 * FRAMES * NX * NY];
    char *path = kb_format("%s/a.xdmf", folder), *data = kb_format("%s/a.vtkhdf", folder);
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
    free(path);
    free(data);
}

static int stop_after(void *data, const kb_flow *f, kb_error *err)
{
    return f->t > *(double *)data ? kb_fail(err, KB_INTERRUPTED, "stopped") : KB_OK;
}

TEST(frames_are_the_states)
{
    kb_flow f;
    kb_error err = {0};
    open_step(&f);
    if (kb_flow_run_frames(&f, folder, "a", FRAMES, NULL, NULL, &err))
        fail_msg("%s", err.text);
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
    if (kb_flow_run_frames(&f, folder, "a", FRAMES, NULL, NULL, &err))
        fail_msg("%s", err.text);
    kb_flow_close(&f);
    check_file();
    check_description();
}

TESTS(make_folder, remove_folder)
#else
int main(void)
{
    print_message("skip - frames: this build has no HDF5\n");
    return 0;
}
#endif
