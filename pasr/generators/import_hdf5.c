/* SPDX-License-Identifier: MIT
 *
 * Cells in HDF5: a SolutionArray of Cantera 3 (SolutionArray.save, or a flame's save: the group
 * with "components" that has the most states), and all frames of our flow solver (VTKHDF).
 */
#include <math.h>
#include <string.h>

#include "base/owned.h"
#include "pasr/generators/import.h"

#ifdef KB_HDF5
#include <hdf5.h>

/* A data set of at least one number as doubles; its first dimension is *n, the others *width.
 * false: there is none of that name, or it cannot be read. Caller frees *values. */
static bool read_set(hid_t in, const char *name, long *n, long *width, double **values)
{
    hsize_t size[8] = {1};
    hid_t set = H5Lexists(in, name, H5P_DEFAULT) > 0 ? H5Dopen2(in, name, H5P_DEFAULT) : -1;
    if (set < 0)
        return false;
    hid_t space = H5Dget_space(set);
    int rank = H5Sget_simple_extent_ndims(space);
    bool good = rank >= 0 && rank <= 8 && H5Sget_simple_extent_dims(space, size, NULL) >= 0;
    *n = (long)size[0];
    *width = 1;
    for (int d = 1; d < rank && good; d++)
        *width *= (long)size[d];
    good = good && *n > 0 && *width > 0;
    *values = good ? kb_alloc((size_t)*n * (size_t)*width, sizeof **values) : NULL;
    good = good && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, *values) >= 0;
    if (!good) {
        free(*values);
        *values = NULL;
    }
    H5Sclose(space);
    H5Dclose(set);
    return good;
}

static int no_set(const kb_import_table *t, const char *group, const char *name, const char *hint,
                  kb_error *err)
{
    return kb_fail_at(err, t->path, 0, name, hint, "%s: no data set of numbers that can be read",
                      group);
}

/* column j of t from values [rows] that are `apart` from one another */
static void fill_column(kb_import_table *t, int j, const double *values, long apart)
{
    for (long i = 0; i < t->rows; i++)
        t->data[i * t->columns + j] = values[i * apart];
}

/* ---- Cantera ---- */

typedef struct {
    char path[256];
    long rows;
} best_group;

static herr_t look_at(hid_t file, const char *name, const H5O_info_t *info, void *data)
{
    best_group *best = data;
    hid_t o = info->type == H5O_TYPE_GROUP ? H5Oopen(file, name, H5P_DEFAULT) : -1;
    kb_owned double *T = NULL;
    long n, width;
    if (o >= 0 && strlen(name) < sizeof best->path && H5Aexists(o, "components") > 0 &&
        read_set(o, "T", &n, &width, &T) && n > best->rows) {
        strcpy(best->path, name);
        best->rows = n;
    }
    if (o >= 0)
        H5Oclose(o);
    return 0;
}

/* columns of the components without a data set of their own: species */
static bool name_species(kb_import_table *t, hid_t group)
{
    hid_t a = H5Aopen(group, "components", H5P_DEFAULT), space = H5Aget_space(a);
    hid_t type = H5Aget_type(a);
    hssize_t n = H5Sget_simple_extent_npoints(space);
    kb_owned char **name = kb_alloc((size_t)(n > 0 ? n : 0) + 1, sizeof *name);
    bool good = H5Tis_variable_str(type) > 0 && H5Aread(a, type, name) >= 0;
    for (hssize_t i = 0; i < n && good; i++)
        if (H5Lexists(group, name[i], H5P_DEFAULT) <= 0)
            kb_import_column(t, name[i], strlen(name[i]));
    if (good)
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, name);
    H5Tclose(type);
    H5Sclose(space);
    H5Aclose(a);
    return good;
}

static int read_cantera(kb_import_table *t, hid_t group, const char *path, kb_error *err)
{
    kb_owned double *T = NULL, *other = NULL, *Y = NULL;
    long n, width;
    bool pressure = H5Lexists(group, "P", H5P_DEFAULT) > 0;
    bool mole = H5Lexists(group, "X", H5P_DEFAULT) > 0;
    const char *second = pressure ? "P" : "D", *fractions = mole ? "X" : "Y";
    int code = KB_OK;
    kb_import_column(t, "T", 1);
    kb_import_column(t, pressure ? "p" : "density", pressure ? 1 : 7);
    t->fractions = mole ? "mole" : "mass";
    if (!read_set(group, "T", &t->rows, &width, &T) || width != 1)
        code = no_set(t, path, "T", NULL, err);
    else if (!read_set(group, second, &n, &width, &other) || n != t->rows || width != 1)
        code = no_set(t, path, second, "as many as T", err);
    else if (!read_set(group, fractions, &n, &width, &Y) || n != t->rows)
        code = no_set(t, path, fractions, "as many as T", err);
    else if (!name_species(t, group) || t->columns != width + 2)
        code = no_set(t, path, fractions, "a column for each species in \"components\"", err);
    if (!code) {
        t->data = kb_alloc((size_t)t->rows * (size_t)t->columns, sizeof *t->data);
        fill_column(t, 0, T, 1);
        fill_column(t, 1, other, 1);
        for (int j = 2; j < t->columns; j++)
            fill_column(t, j, Y + j - 2, width);
    }
    return code;
}

/* ---- our flow solver ---- */

/* cells of all frames, without solid ones (NaN) */
static int read_frames(kb_import_table *t, hid_t data, const kb_mech *m, kb_error *err)
{
    kb_owned double **values = kb_alloc((size_t)m->nspecies + 2, sizeof *values);
    long frames, width, n, w;
    int code = KB_OK;
    if (!read_set(data, "temperature", &frames, &width, &values[0]) ||
        !read_set(data, "pressure", &n, &w, &values[1]) || n != frames || w != width)
        code = no_set(t, "/VTKHDF/CellData", values[0] ? "pressure" : "temperature", "a file of "
                      "make flow with a gas of a mechanism and FRAMES=", err);
    kb_import_column(t, "T", 1);
    kb_import_column(t, "p", 1);
    for (int i = 0; i < m->nspecies && !code; i++) {
        kb_owned char *name = kb_format("Y_%s", m->species[i].name);
        if (read_set(data, name, &n, &w, &values[t->columns])) {
            if (n != frames || w != width)
                code = no_set(t, "/VTKHDF/CellData", name, "as many as cells", err);
            kb_import_column(t, name + 2, strlen(name) - 2);
        }
    }
    if (!code && t->columns == 2)
        code = no_set(t, "/VTKHDF/CellData", "Y_...", "--fields of make flow: all species", err);
    int columns = t->columns;
    t->data = code ? NULL : kb_alloc((size_t)(frames * width) * (size_t)columns, sizeof *t->data);
    for (long i = 0; !code && i < frames * width; i++) {
        for (int j = 0; j < columns; j++)
            t->data[t->rows * columns + j] = values[j][i];
        t->rows += !isnan(values[0][i]);
    }
    for (int j = 0; j < columns; j++)
        free(values[j]);
    t->kind = "flow";
    return code;
}

static int read_file(kb_import_table *t, hid_t file, const kb_mech *m, kb_error *err)
{
    best_group best = {"", 0};
    hid_t frames = H5Lexists(file, "VTKHDF", H5P_DEFAULT) > 0
                       ? H5Oopen(file, "VTKHDF/CellData", H5P_DEFAULT) : -1;
    if (frames >= 0) {
        int code = read_frames(t, frames, m, err);
        H5Oclose(frames);
        return code;
    }
    H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, look_at, &best);
    if (!best.rows)
        return kb_fail_at(err, t->path, 0, NULL, "a SolutionArray of Cantera 3 or frames of make "
                          "flow", "no group with \"components\" and T, and no VTKHDF/CellData");
    hid_t group = H5Oopen(file, best.path, H5P_DEFAULT);
    int code = read_cantera(t, group, best.path, err);
    H5Oclose(group);
    return code;
}

int kb_import_hdf5(kb_import_table *t, const char *path, const kb_mech *m, kb_error *err)
{
    *t = (kb_import_table){.path = path};
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0)
        return kb_fail_at(err, path, 0, NULL, "missing, cut off, or of another format?",
                          "cannot be read as HDF5");
    int code = read_file(t, file, m, err);
    H5Fclose(file);
    return code;
}
#else
int kb_import_hdf5(kb_import_table *t, const char *path, const kb_mech *m, kb_error *err)
{
    (void)m;
    *t = (kb_import_table){.path = path};
    return kb_fail_at(err, path, 0, NULL, "apt-get install libhdf5-dev, then build again; Cantera "
                      "saves .csv, too", "this build has no HDF5");
}
#endif
