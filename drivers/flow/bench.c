/* SPDX-License-Identifier: MIT */
#include "drivers/flow/bench.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>

#include "base/csv.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/stats.h"
#include "base/table.h"
#include "drivers/env/environment.h"

enum { WARM = 5, STEPS = 20 }; /* steps before and in a measurement, at least */
#define LEAST 0.2              /* seconds of one */

static const char header[] = "schema,machine,git,case,nx,ny,ns,scheme,riemann,variables,cfl,engine,"
    "threads,steps,repeats,ns_per_cell_step,ns_lo,ns_hi,ns_least,cell_steps_per_s,scaled,blended,"
    "faces";
static const char *const heads[] = {"scheme", "cells", "engine", "ns/cell-step", "95 % interval",
                                    "least", "cpu-scalar/this"};

typedef struct {
    kb_flow f;
    double *ns;
    long steps; /* of a measurement */
} cell;

static int steps(kb_flow *f, long count, kb_error *err)
{
    int code = KB_OK;
    for (long k = 0; k < count && !code; k++)
        code = kb_interrupted() ? kb_fail(err, KB_INTERRUPTED, "interrupted")
                                : kb_flow_step(f, f->options.end - f->t, err);
    return code;
}

static int start(cell *c, const kb_flow_settings *set, const char *scheme, const char *engine,
                 int nx, kb_error *err)
{
    kb_flow_options o = set->options;
    o.nx = nx;
    o.ny = set->ratio > 0 ? (int)lround(nx * set->ratio) : o.ny;
    o.end = 1e30;
    c->ns = kb_alloc((size_t)set->repeats, sizeof *c->ns);
    int code = kb_flow_open(&c->f, set->problem, &o,
                            kb_flow_find_engine(scheme, engine, set->problem->nsp, err), err);
    double begin = kb_clock();
    code = code ? code : steps(&c->f, WARM, err);
    double each = (kb_clock() - begin) / WARM;
    c->steps = fmax(STEPS, LEAST / each);
    return code;
}

static int measure(cell *c, int repeat, kb_error *err)
{
    double begin = kb_clock();
    int code = steps(&c->f, c->steps, err);
    c->ns[repeat] = (kb_clock() - begin) * 1e9 /
                    ((double)c->steps * c->f.stage.grid.nx * c->f.stage.grid.ny);
    return code;
}

static void write_row(kb_csv *t, const cell *c, const kb_flow_settings *set,
                      const kb_environment *e)
{
    const kb_flow *f = &c->f;
    double lo, hi, median = kb_median(c->ns, set->repeats);
    kb_bootstrap(c->ns, set->repeats, &lo, &hi);
    long row = kb_csv_add(t);
    kb_csv_set(t, row, "machine", e->machine);
    kb_csv_set(t, row, "git", e->git);
    kb_csv_set(t, row, "case", f->problem.name);
    kb_csv_set(t, row, "scheme", f->engine->scheme);
    kb_csv_set(t, row, "engine", f->engine->engine);
    kb_csv_set(t, row, "riemann", kb_flow_riemann_names[f->options.riemann]);
    kb_csv_set(t, row, "variables", kb_flow_variables_names[f->options.variables]);
    const struct { const char *name; double value; } numbers[] = {
        {"schema", 1}, {"nx", f->stage.grid.nx}, {"ny", f->stage.grid.ny},
        {"ns", f->stage.grid.nsp}, {"cfl", f->options.cfl}, {"threads", omp_get_max_threads()},
        {"steps", (double)c->steps}, {"repeats", set->repeats}, {"ns_per_cell_step", median},
        {"ns_lo", lo}, {"ns_hi", hi}, {"ns_least", kb_quantile(c->ns, set->repeats, 0)},
        {"cell_steps_per_s", 1e9 / median}, {"scaled", (double)f->nets.scaled},
        {"blended", (double)f->nets.blended}, {"faces", (double)f->faces}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        kb_csv_number(t, row, numbers[k].name, numbers[k].value, 6);
}

/* scalar: median of cpu-scalar on the same grid, NAN: none */
static void print_row(kb_table *t, const cell *c, int repeats, double scalar)
{
    double lo, hi, median = kb_median(c->ns, repeats);
    char *field[7];
    kb_bootstrap(c->ns, repeats, &lo, &hi);
    field[0] = kb_strdup(c->f.engine->scheme);
    field[1] = kb_format("%d x %d", c->f.stage.grid.nx, c->f.stage.grid.ny);
    field[2] = kb_strdup(c->f.engine->engine);
    field[3] = kb_format("%.1f", median);
    field[4] = kb_format("%.1f to %.1f", lo, hi);
    field[5] = kb_format("%.1f", kb_quantile(c->ns, repeats, 0));
    field[6] = isnan(scalar) ? kb_strdup("") : kb_format("%.2f", scalar / median);
    kb_table_add(t, field);
}

/* one scheme on one grid, engines in turn */
static int compare(const kb_flow_settings *set, const char *scheme, int nx, kb_csv *rows,
                   kb_table *table, const kb_environment *e, kb_error *err)
{
    int n = set->engines.count, code = KB_OK;
    cell *c = kb_alloc((size_t)n, sizeof *c);
    double scalar = NAN;
    for (int k = 0; k < n && !code; k++)
        code = start(&c[k], set, scheme, set->engines.word[k], nx, err);
    for (int r = 0; r < set->repeats && !code; r++)
        for (int k = 0; k < n && !code; k++)
            code = measure(&c[k], r, err);
    for (int k = 0; k < n && !code; k++) {
        if (c[k].f.engine->engine[4] == 's' && c[k].f.engine->engine[5] == 'c')
            scalar = kb_median(c[k].ns, set->repeats);
        write_row(rows, &c[k], set, e);
        print_row(table, &c[k], set->repeats, scalar);
    }
    for (int k = 0; k < n; k++) {
        kb_flow_close(&c[k].f);
        free(c[k].ns);
    }
    free(c);
    return code;
}

static int save(const kb_flow_settings *set, const kb_csv *rows, const kb_environment *e,
                kb_error *err)
{
    char *path = set->out ? kb_format("%s/flow.csv", set->out)
                          : kb_format("results/%s/flow-%s/flow.csv", e->machine,
                                      set->problem->name);
    int code = kb_make_folders(path, err);
    code = code ? code : kb_csv_write(rows, path, err);
    if (!code)
        printf("%s\n", path);
    free(path);
    return code;
}

int kb_flow_bench(const kb_flow_settings *set, kb_error *err)
{
    kb_csv rows;
    kb_table table = {.ncolumns = 7, .heads = heads, .left = 1};
    kb_environment e;
    int code = KB_OK;
    kb_environment_read(&e);
    kb_csv_start(&rows, header);
    for (int i = 0; i < set->schemes.count && !code; i++)
        for (int k = 0; k < set->grids && !code; k++)
            code = compare(set, set->schemes.word[i], (int)set->nx[k], &rows, &table, &e, err);
    if (table.nrows)
        kb_table_print(&table);
    code = code ? code : save(set, &rows, &e, err);
    kb_table_free(&table);
    kb_csv_free(&rows);
    kb_environment_free(&e);
    return code;
}
