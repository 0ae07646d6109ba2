/* SPDX-License-Identifier: MIT */
#include "drivers/flow/output.h"

#include "base/file.h"
#include "base/owned.h"
#include "pasr/database/database.h"

int kb_flow_make_folder(const char *folder, kb_error *err)
{
    kb_owned char *inside = kb_format("%s/", folder);
    return kb_make_folders(inside, err);
}

int kb_flow_write_table(const kb_csv *rows, const char *folder, const char *name, kb_error *err)
{
    kb_owned char *path = kb_format("%s/%s.csv", folder, name);
    return kb_csv_write(rows, path, err);
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

enum { TEMPERATURE = 2 }; /* of the fields */

/* an empty table; in a mechanism's gas with temperature and the case's mass fractions */
static void start_profile(kb_csv *t, const kb_flow *f)
{
    kb_csv_start(t, "x,density,velocity,pressure,exact");
    for (int k = 0; k < f->problem.nshown; k++)
        kb_csv_add_column(t, f->problem.shown_names[k], "");
    if (f->chemistry)
        kb_csv_add_column(t, "temperature", "");
}

void kb_flow_beside_free(kb_flow_beside *b)
{
    for (int k = 0; k < b->count; k++) {
        free(b->name[k]);
        free(b->value[k]);
    }
    free(b->name);
    free(b->value);
    *b = (kb_flow_beside){0};
}

/* to a table that has a row for each cell */
static void add_beside(kb_csv *t, const kb_flow_beside *b)
{
    for (int k = 0; b && k < b->count; k++) {
        kb_csv_add_column(t, b->name[k], "");
        for (long i = 0; i < t->nrows; i++)
            kb_csv_number(t, i, b->name[k], b->value[k][i], 8);
    }
}

static void add_cell(kb_csv *t, const kb_flow *f, int i, int j, bool exact)
{
    bool along_y = f->stage.grid.nx == 1;
    int n = kb_flow_fields(f);
    kb_flow_point p;
    kb_flow_cell(f, i, j, &p);
    long row = kb_csv_add(t);
    kb_csv_number(t, row, "x", along_y ? kb_flow_y(f, j) : kb_flow_x(f, i), 8);
    kb_csv_number(t, row, "density", kb_flow_density(f, i, j), 8);
    kb_csv_number(t, row, "velocity", along_y ? p.v : p.u, 8);
    kb_csv_number(t, row, "pressure", p.p, 8);
    if (exact)
        kb_csv_number(t, row, "exact", exact_density(f, i, j), 8);
    for (int k = f->chemistry ? TEMPERATURE : n; k < n; k++)
        if (k == TEMPERATURE || k >= n - f->problem.nshown)
            kb_csv_number(t, row, kb_flow_field_name(f, k), kb_flow_field(f, k, i, j), 8);
}

static void add_all(kb_csv *t, const kb_flow *f, bool exact)
{
    for (int j = 0; j < f->stage.grid.ny; j++)
        for (int i = 0; i < f->stage.grid.nx; i++)
            add_cell(t, f, i, j, exact);
}

static int write_profile(const kb_csv *t, const char *folder, const char *name, kb_error *err)
{
    kb_owned char *file = kb_format("profile-%s", name);
    return kb_flow_write_table(t, folder, file, err);
}

int kb_flow_write_profile(const kb_flow *f, const kb_flow *reference, const kb_flow_beside *beside,
                          const char *folder, const char *name, kb_error *err)
{
    kb_csv t;
    start_profile(&t, f);
    add_all(&t, f, f->problem.exact);
    add_beside(&t, beside);
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

int kb_flow_write_fields(const kb_flow *f, const char *folder, const char *name, kb_error *err)
{
    const kb_flow_grid *g = &f->stage.grid;
    kb_owned double *data = kb_alloc((size_t)g->nx * (size_t)g->ny, sizeof *data);
    int code = KB_OK;
    for (int k = 0; k < kb_flow_fields(f) && !code; k++) {
        kb_owned char *path = kb_format("%s/%s-%s.npy", folder, name, kb_flow_field_name(f, k));
        for (int j = 0; j < g->ny; j++)
            for (int i = 0; i < g->nx; i++)
                data[(size_t)j * (size_t)g->nx + (size_t)i] = kb_flow_field(f, k, i, j);
        code = kb_npy_write(path, g->ny, g->nx, data, err);
    }
    kb_owned char *path = kb_format("%s/%s.txt", folder, name);
    kb_owned char *text = kb_format("%d %d %.17g %.17g %.17g %.17g %.17g\n", g->nx, g->ny, g->x0,
                                    g->y0, g->dx, g->dy, f->t);
    return code ? code : kb_file_write_text(path, text, err);
}
