/* SPDX-License-Identifier: MIT */
#include "drivers/flow/frames.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/owned.h"

typedef struct {
    char *path; /* without ending */
    int count;
    double end;
} all_frames;

static double time_of(const all_frames *r, int k)
{
    return r->count > 1 ? r->end * k / (r->count - 1) : r->end;
}

/* when the next frame is due; INFINITY: no more */
static double next_time(const all_frames *r, double t)
{
    for (int k = 0; k < r->count; k++)
        if (time_of(r, k) > t * (1 + 1e-12))
            return time_of(r, k);
    return INFINITY;
}

/* ---- data sets: the fields, but u and v are one vector ---- */

typedef struct {
    const char *name, *unit;
    int field, size; /* the first of so many that lie one after another; 3: and a zero */
} data_set;

enum { VECTOR = 3 };

/* set i; false: there are no more */
static bool find_set(const kb_flow *f, int i, data_set *s)
{
    int u = kb_flow_find_field(f, "u"), n = kb_flow_fields(f);
    s->field = i > u ? i + 1 : i;
    s->size = i == u ? VECTOR : 1;
    if (s->field >= n)
        return false;
    s->name = i == u ? "velocity" : kb_flow_field_name(f, s->field);
    s->unit = kb_flow_field_unit(f, s->field);
    return true;
}

/* ---- the description ---- */

static int write_xdmf(const all_frames *r, const kb_flow *f, int frames, kb_error *err)
{
    const kb_flow_grid *g = &f->stage.grid;
    const char *base = strrchr(r->path, '/');
    base = base ? base + 1 : r->path;
    kb_owned char *path = kb_format("%s.xdmf", r->path), *text = NULL;
    size_t size;
    FILE *out = kb_open_text(&text, &size);
    fprintf(out, "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n"
            "<Grid Name=\"%s\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
            f->problem.name);
    for (int k = 0; k < frames; k++) {
        fprintf(out, "<Grid Name=\"frame %d\">\n<Time Value=\"%.17g\"/>\n"
                "<Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"2 %d %d\"/>\n"
                "<Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n"
                "<DataItem Dimensions=\"3\" NumberType=\"Float\" Precision=\"8\" Format=\"XML\">"
                "0 %.17g %.17g</DataItem>\n"
                "<DataItem Dimensions=\"3\" NumberType=\"Float\" Precision=\"8\" Format=\"XML\">"
                "%.17g %.17g %.17g</DataItem>\n"
                "</Geometry>\n", k, time_of(r, k), g->ny + 1, g->nx + 1, g->y0, g->x0,
                fmin(g->dx, g->dy), g->dy, g->dx);
        data_set s;
        for (int i = 0; find_set(f, i, &s); i++)
            fprintf(out, "<Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"Cell\">\n"
                    "<Information Name=\"units\" Value=\"%s\"/>\n"
                    "<DataItem Dimensions=\"1 %d %d%s\" NumberType=\"Float\" Precision=\"4\" "
                    "Format=\"HDF\">%s.vtkhdf:/Frames/%d/%s</DataItem>\n"
                    "</Attribute>\n", s.name, s.size > 1 ? "Vector" : "Scalar", s.unit, g->ny,
                    g->nx, s.size > 1 ? " 3" : "", base, k, s.name);
        fprintf(out, "</Grid>\n");
    }
    fprintf(out, "</Grid>\n</Domain>\n</Xdmf>\n");
    kb_close_text(out);
    return kb_file_write_text(path, text, err);
}

/* ---- the data ---- */

#ifdef KB_HDF5
#include <hdf5.h>

enum { RANK = 5 }; /* of a vector's data set: frame, z, y, x, component */

static void add_numbers(hid_t to, const char *name, hid_t type, hsize_t n, const void *values)
{
    hid_t space = H5Screate_simple(1, &n, NULL);
    hid_t a = H5Acreate2(to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(a, type, values);
    H5Aclose(a);
    H5Sclose(space);
}

static void add_number(hid_t to, const char *name, int value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t a = H5Acreate2(to, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(a, H5T_NATIVE_INT, &value);
    H5Aclose(a);
    H5Sclose(space);
}

static void add_word(hid_t to, const char *name, const char *word)
{
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(word));
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    hid_t a = H5Acreate2(to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(a, type, word);
    H5Aclose(a);
    H5Sclose(space);
    H5Tclose(type);
}

/* a data set that grows along its first dimension; size [rank - 1] of one frame */
static void add_growing(hid_t to, const char *name, const char *unit, hid_t type, int rank,
                        const hsize_t *size)
{
    hsize_t now[RANK] = {0}, most[RANK] = {H5S_UNLIMITED}, chunk[RANK] = {1};
    for (int i = 1; i < rank; i++)
        now[i] = most[i] = chunk[i] = size[i - 1];
    hid_t space = H5Screate_simple(rank, now, most), list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, rank, chunk);
    if (rank > 1 && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0)
        H5Pset_deflate(list, 4);
    hid_t set = H5Dcreate2(to, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    add_word(set, "units", unit);
    H5Dclose(set);
    H5Pclose(list);
    H5Sclose(space);
}

static hid_t create(const char *path, const kb_flow *f)
{
    const kb_flow_grid *g = &f->stage.grid;
    const int version[2] = {2, 0}, extent[6] = {0, g->nx, 0, g->ny, 0, 1};
    const double origin[3] = {g->x0, g->y0, 0}, spacing[3] = {g->dx, g->dy, fmin(g->dx, g->dy)};
    const double direction[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const hsize_t size[] = {1, (hsize_t)g->ny, (hsize_t)g->nx, VECTOR};
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (file < 0)
        return file;
    hid_t root = H5Gcreate2(file, "VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    add_numbers(root, "Version", H5T_NATIVE_INT, 2, version);
    add_word(root, "Type", "ImageData");
    add_numbers(root, "WholeExtent", H5T_NATIVE_INT, 6, extent);
    add_numbers(root, "Origin", H5T_NATIVE_DOUBLE, 3, origin);
    add_numbers(root, "Spacing", H5T_NATIVE_DOUBLE, 3, spacing);
    add_numbers(root, "Direction", H5T_NATIVE_DOUBLE, 9, direction);
    hid_t data = H5Gcreate2(root, "CellData", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    data_set s;
    for (int i = 0; find_set(f, i, &s); i++)
        add_growing(data, s.name, s.unit, H5T_IEEE_F32LE, s.size > 1 ? RANK : RANK - 1, size);
    hid_t steps = H5Gcreate2(root, "Steps", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    add_number(steps, "NSteps", 0);
    add_growing(steps, "Values", f->chemistry ? "s" : "1", H5T_IEEE_F64LE, 1, NULL);
    H5Gclose(steps);
    H5Gclose(data);
    H5Gclose(root);
    return file;
}

/* values as frame k, behind which nothing is left */
static int put_frame(hid_t file, const char *name, hid_t type, int k, const void *values)
{
    hsize_t size[RANK], first[RANK] = {(hsize_t)k}, one[RANK];
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set);
    int rank = H5Sget_simple_extent_dims(space, size, NULL);
    H5Sclose(space);
    memcpy(one, size, sizeof one);
    one[0] = 1;
    size[0] = (hsize_t)k + 1;
    int good = H5Dset_extent(set, size) >= 0;
    space = H5Dget_space(set);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, one, NULL);
    hid_t memory = H5Screate_simple(rank, one, NULL);
    good = good && H5Dwrite(set, type, memory, space, H5P_DEFAULT, values) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return (H5Dclose(set) >= 0) && good;
}

/* /Frames/k/name: that part of the data set of all frames, without a copy. Readers of XDMF know how
 * to read a whole data set, and few of them a part of one. */
static int name_frame(hid_t file, const data_set *s, int k, const kb_flow *f)
{
    const hsize_t ny = (hsize_t)f->stage.grid.ny, nx = (hsize_t)f->stage.grid.nx;
    const hsize_t all[RANK] = {(hsize_t)k + 1, 1, ny, nx, VECTOR}, first[RANK] = {(hsize_t)k};
    const hsize_t one[RANK] = {1, 1, ny, nx, VECTOR};
    const int rank = s->size > 1 ? RANK : RANK - 1;
    kb_owned char *to = kb_format("/Frames/%d/%s", k, s->name);
    kb_owned char *of = kb_format("/VTKHDF/CellData/%s", s->name);
    hid_t from = H5Screate_simple(rank, all, NULL);
    hid_t space = H5Screate_simple(rank - 1, one + 1, NULL);
    hid_t list = H5Pcreate(H5P_DATASET_CREATE), links = H5Pcreate(H5P_LINK_CREATE);
    H5Sselect_hyperslab(from, H5S_SELECT_SET, first, NULL, one, NULL);
    H5Pset_virtual(list, space, ".", of, from);
    H5Pset_create_intermediate_group(links, 1);
    hid_t set = H5Dopen2(file, to, H5P_DEFAULT); /* of an interrupted run */
    if (set < 0)
        set = H5Dcreate2(file, to, H5T_IEEE_F32LE, space, links, list, H5P_DEFAULT);
    int good = set >= 0 && H5Dclose(set) >= 0;
    H5Pclose(links);
    H5Pclose(list);
    H5Sclose(space);
    H5Sclose(from);
    return good;
}

static void fill_set(const kb_flow *f, const data_set *s, float *to)
{
    const kb_flow_grid *g = &f->stage.grid;
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++)
            for (int c = 0; c < s->size; c++)
                *to++ = c < 2 ? (float)kb_flow_field(f, s->field + c, i, j) : 0;
}

static int put_all(hid_t file, const kb_flow *f, int k)
{
    size_t cells = (size_t)f->stage.grid.nx * (size_t)f->stage.grid.ny;
    kb_owned float *values = kb_alloc(VECTOR * cells, sizeof *values);
    int good = put_frame(file, "/VTKHDF/Steps/Values", H5T_NATIVE_DOUBLE, k, &f->t);
    data_set s;
    for (int i = 0; good && find_set(f, i, &s); i++) {
        kb_owned char *name = kb_format("/VTKHDF/CellData/%s", s.name);
        fill_set(f, &s, values);
        good = put_frame(file, name, H5T_NATIVE_FLOAT, k, values) && name_frame(file, &s, k, f);
    }
    int count = k + 1;
    hid_t steps = H5Gopen2(file, "/VTKHDF/Steps", H5P_DEFAULT);
    hid_t a = H5Aopen(steps, "NSteps", H5P_DEFAULT);
    good = good && H5Awrite(a, H5T_NATIVE_INT, &count) >= 0;
    H5Aclose(a);
    H5Gclose(steps);
    return good;
}

/* the frame of f's time where one is due */
static int write_frame(const all_frames *r, const kb_flow *f, kb_error *err)
{
    int k = 0;
    while (k < r->count && fabs(time_of(r, k) - f->t) > 1e-12 * r->end)
        k++;
    if (k == r->count)
        return KB_OK;
    kb_owned char *path = kb_format("%s.vtkhdf", r->path);
    H5dont_atexit(); /* which would write the rest of a file that could not be written, and crash */
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t file = k && access(path, F_OK) == 0 ? H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT)
                                             : create(path, f);
    int good = file >= 0 && put_all(file, f, k);
    good = (file < 0 || H5Fclose(file) >= 0) && good;
    return good ? write_xdmf(r, f, k + 1, err)
                : kb_fail(err, KB_INVALID, "%s: cannot write frame %d (disk full? not a file of "
                          "this program?)", path, k);
}
#else
static int write_frame(const all_frames *r, const kb_flow *f, kb_error *err)
{
    (void)write_xdmf;
    (void)r, (void)f;
    return kb_fail(err, KB_INVALID, "--frames: this build has no HDF5 (apt-get install "
                   "libhdf5-dev, then build again)");
}
#endif

static int share_frame(const all_frames *r, const kb_flow *f, kb_error *err)
{
    const kb_flow_world *world = f->options.world;
    kb_flow_collect(f);
    return kb_flow_agree(world, kb_flow_writes(world) ? write_frame(r, f, err) : KB_OK, err);
}

int kb_flow_run_frames(kb_flow *f, const char *folder, const char *name, int count,
                       int (*watch)(void *data, const kb_flow *f, kb_error *err), void *data,
                       kb_error *err)
{
    all_frames r = {kb_format("%s/%s", folder, name), count, f->options.end};
    int code = count && f->step == 0 ? share_frame(&r, f, err) : KB_OK;
    while (!code && f->t < r.end * (1 - 1e-14)) {
        code = kb_flow_run(f, fmin(r.end, next_time(&r, f->t)), watch, data, err);
        code = code || !count ? code : share_frame(&r, f, err);
    }
    free(r.path);
    return code;
}
