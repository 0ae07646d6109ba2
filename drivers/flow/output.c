/* SPDX-License-Identifier: MIT */
#include "drivers/flow/output.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "pasr/database/database.h"

int kb_flow_make_folder(const char *folder, kb_error *err)
{
    char *inside = kb_format("%s/", folder);
    int code = kb_make_folders(inside, err);
    free(inside);
    return code;
}

int kb_flow_write_table(const kb_csv *rows, const char *folder, const char *name, kb_error *err)
{
    char *path = kb_format("%s/%s.csv", folder, name);
    int code = kb_csv_write(rows, path, err);
    free(path);
    return code;
}

/* ---- one dimension ---- */

static double exact_density(const kb_flow *f, int i, int j)
{
    double q[KB_FLOW_SPECIES + 3], rho = 0;
    kb_flow_cell_mean(f, i, j, f->t, f->problem.smooth, q);
    for (int s = 0; s < f->stage.grid.nsp; s++)
        rho += q[s];
    return rho;
}

static void add_cell(kb_csv *t, const kb_flow *f, int i, int j, bool exact)
{
    bool along_y = f->stage.grid.nx == 1;
    kb_flow_point p;
    kb_flow_cell(f, i, j, &p);
    long row = kb_csv_add(t);
    kb_csv_number(t, row, "x", along_y ? kb_flow_y(f, j) : kb_flow_x(f, i), 8);
    kb_csv_number(t, row, "density", kb_flow_density(f, i, j), 8);
    kb_csv_number(t, row, "velocity", along_y ? p.v : p.u, 8);
    kb_csv_number(t, row, "pressure", p.p, 8);
    if (exact)
        kb_csv_number(t, row, "exact", exact_density(f, i, j), 8);
}

static void add_all(kb_csv *t, const kb_flow *f, bool exact)
{
    for (int j = 0; j < f->stage.grid.ny; j++)
        for (int i = 0; i < f->stage.grid.nx; i++)
            add_cell(t, f, i, j, exact);
}

static int write_profile(const kb_csv *t, const char *folder, const char *name, kb_error *err)
{
    char *file = kb_format("profile-%s", name);
    int code = kb_flow_write_table(t, folder, file, err);
    free(file);
    return code;
}

int kb_flow_write_profile(const kb_flow *f, const kb_flow *reference, const char *folder,
                          const char *name, kb_error *err)
{
    kb_csv t;
    kb_csv_start(&t, "x,density,velocity,pressure,exact");
    add_all(&t, f, f->problem.exact);
    int code = write_profile(&t, folder, name, err);
    kb_csv_free(&t);
    if (!code && reference) {
        kb_csv_start(&t, "x,density,velocity,pressure,exact");
        add_all(&t, reference, false);
        code = write_profile(&t, folder, "reference", err);
        kb_csv_free(&t);
    }
    return code;
}

/* ---- two dimensions ---- */

static double value(const kb_flow *f, int field, int i, int j)
{
    const kb_flow_grid *g = &f->stage.grid;
    kb_flow_point p;
    if (kb_flow_is_solid(f, i, j))
        return NAN;
    kb_flow_cell(f, i, j, &p);
    if (field == 5)
        return kb_flow_foil(f, i, j);
    if (field == 4)
        return f->w[(g->nsp + 4) * g->plane + kb_flow_at(g, i, j)];
    return field == 0 ? kb_flow_density(f, i, j) : field == 1 ? p.p : field == 2 ? p.u : p.v;
}

int kb_flow_write_fields(const kb_flow *f, const char *folder, const char *name, kb_error *err)
{
    static const char *const fields[] = {"density", "pressure", "u", "v", "temperature",
                                         "foil"};
    const kb_flow_grid *g = &f->stage.grid;
    double *data = kb_alloc((size_t)g->nx * (size_t)g->ny, sizeof *data);
    int code = KB_OK;
    for (int k = 0; k < (f->foil ? 6 : 5) && !code; k++) {
        char *path = kb_format("%s/%s-%s.npy", folder, name, fields[k]);
        for (int j = 0; j < g->ny; j++)
            for (int i = 0; i < g->nx; i++)
                data[(size_t)j * (size_t)g->nx + (size_t)i] = value(f, k, i, j);
        code = kb_npy_write(path, g->ny, g->nx, data, err);
        free(path);
    }
    free(data);
    char *path = kb_format("%s/%s.txt", folder, name);
    char *text = kb_format("%d %d %.17g %.17g %.17g %.17g %.17g\n", g->nx, g->ny, g->x0, g->y0,
                           g->dx, g->dy, f->t);
    code = code ? code : kb_file_write_text(path, text, err);
    free(path);
    free(text);
    return code;
}
