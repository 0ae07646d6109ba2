/* SPDX-License-Identifier: MIT */
#include "drivers/flow/bench.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/stats.h"
#include "base/table.h"
#include "drivers/env/environment.h"
#include "drivers/flow/gas.h"

enum { WARM = 3, STEPS = 5 }; /* steps before and in a measurement, at least */
#define LEAST 0.2              /* seconds of one */
#define SCHEMA "4"             /* of the columns */
enum { PARTS = 16 }; /* of the grid, whose loads the column imbalance compares */

static const char header[] = "schema,machine,git,case,mech,nx,ny,ns,scheme,riemann,variables,cfl,"
    "engine,threads,ranks,chemistry,splitting,begin_s,dt_s,steps,repeats,ns_per_cell_step,ns_lo,"
    "ns_hi,ns_least,ns_chemistry,attempts,imbalance,redone,cell_steps_per_s,scaled,blended,faces";
static const char *const heads[] = {"scheme", "chemistry", "cells", "engine", "ns/cell-step",
                                    "95 % interval", "least", "of it chemistry", "attempts",
                                    "imbalance", "cpu-scalar/this"};
enum { COLUMNS = sizeof heads / sizeof *heads };

typedef struct {
    kb_flow f;
    kb_flow_chemistry chemistry; /* solver NULL: none */
    char *solver;                /* as it is written down; NULL: none */
    double *ns, *ns_chemistry;
    double each; /* seconds of a step, of the first */
    long steps;  /* of a measurement */
} cell;

typedef struct {
    const kb_flow_settings *set;
    const kb_flow_gas_run *gas; /* NULL: one ideal gas */
    int solvers;
    kb_csv rows;
    kb_table table;
    kb_environment machine;
} session;

/* a step, of the flow or, with dt, from one reaction to the next */
static int step(kb_flow *f, double dt, kb_error *err)
{
    if (dt <= 0)
        return kb_flow_step(f, f->options.end - f->t, err);
    int code = kb_flow_transport(f, dt, err);
    return code ? code : kb_flow_finish(f, err);
}

static int steps(const session *s, kb_flow *f, long count, kb_error *err)
{
    int code = KB_OK;
    for (long k = 0; k < count && !code; k++) {
        code = kb_interrupted() ? kb_fail(err, KB_INTERRUPTED, "interrupted") : KB_OK;
        code = kb_flow_agree(f->options.world, code, err);
        code = code ? code : step(f, s->set->dt, err);
    }
    return code;
}

static int open_cell(const session *s, cell *c, const char *scheme, const char *engine,
                     const char *solver, int nx, kb_error *err)
{
    const kb_flow_settings *set = s->set;
    if (s->gas) {
        int code = kb_flow_gas_start(s->gas, &c->f, &c->chemistry, scheme, engine, solver, nx, err);
        c->solver = code ? NULL : kb_flow_gas_chemistry(&c->chemistry, solver);
        return code;
    }
    kb_flow_options o = set->options;
    o.nx = nx;
    o.ny = set->ratio > 0 ? (int)lround(nx * set->ratio) : o.ny;
    o.end = 1e30;
    return kb_flow_open(&c->f, set->problem, &o,
                        kb_flow_find_engine(scheme, engine, set->problem->nsp, err), err);
}

/* from: where the run begins; NULL: at the start of the case */
static int start(const session *s, cell *c, const char *scheme, const char *engine,
                 const char *solver, int nx, const kb_flow *from, kb_error *err)
{
    c->ns = kb_alloc((size_t)s->set->repeats, sizeof *c->ns);
    c->ns_chemistry = kb_alloc((size_t)s->set->repeats, sizeof *c->ns);
    int code = open_cell(s, c, scheme, engine, solver, nx, err);
    c->f.options.end = 1e30;
    if (!code && from)
        kb_flow_take(&c->f, from);
    double begin = kb_clock();
    code = code ? code : steps(s, &c->f, WARM, err);
    c->each = (kb_clock() - begin) / WARM;
    kb_flow_most(s->set->options.world, &c->each, 1);
    c->chemistry.attempts = c->chemistry.odes = c->chemistry.redone = 0;
    return code;
}

/* As many steps for all solvers on one engine, in time for the fastest and the slowest of them */
static void choose_steps(cell *c, int n)
{
    for (int k = 0; k < n; k++) {
        double least = INFINITY, most = 0;
        for (int i = 0; i < n; i++)
            if (c[i].f.engine == c[k].f.engine) {
                least = fmin(least, c[i].each);
                most = fmax(most, c[i].each);
            }
        c[k].steps = (long)fmax(STEPS, LEAST / sqrt(least * most));
    }
}

/* the time of the slowest rank; the one before it ended on all of them together */
static int measure(const session *s, cell *c, int repeat, const kb_flow *from, kb_error *err)
{
    if (from)
        kb_flow_take(&c->f, from);
    double begin = kb_clock(), before = c->chemistry.seconds;
    int code = steps(s, &c->f, c->steps, err);
    double each = 1e9 / ((double)c->steps * c->f.stage.grid.nx * c->f.stage.grid.ny);
    double spent[2] = {kb_clock() - begin, c->chemistry.seconds - before};
    if (!code)
        kb_flow_most(c->f.options.world, spent, 2);
    c->ns[repeat] = spent[0] * each;
    c->ns_chemistry[repeat] = spent[1] * each;
    return code;
}

static void free_cell(cell *c)
{
    kb_flow_close(&c->f);
    kb_flow_chemistry_close(&c->chemistry);
    free(c->solver);
    free(c->ns);
    free(c->ns_chemistry);
}

/* The attempts in the last step of the most loaded of equal parts of the grid, cells in order, over
 * their mean: how much longer the chemistry takes a code that shares out the domain so. NAN where
 * there are none. Counts, whatever the machine. */
static double imbalance(const cell *c)
{
    const kb_flow_grid *g = &c->f.stage.grid;
    double load[PARTS] = {0}, most = 0, sum = 0;
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++)
            load[(((long)j * g->nx + i) * PARTS) / ((long)g->nx * g->ny)] +=
                kb_flow_cost(&c->f, i, j);
    for (int k = 0; k < PARTS; k++) {
        most = fmax(most, load[k]);
        sum += load[k];
    }
    return sum > 0 ? most * PARTS / sum : NAN;
}

static int ranks_of(const session *s)
{
    const kb_flow_world *world = s->set->options.world;
    return world ? world->ranks : 1;
}

static void write_row(session *s, const cell *c)
{
    const kb_flow *f = &c->f;
    int repeats = s->set->repeats;
    double lo, hi, median = kb_median(c->ns, repeats);
    kb_csv *t = &s->rows;
    kb_bootstrap(c->ns, repeats, &lo, &hi);
    long row = kb_csv_add(t);
    const struct { const char *name, *text; } words[] = {
        {"schema", SCHEMA}, {"machine", s->machine.machine}, {"git", s->machine.git},
        {"case", f->problem.name},
        {"scheme", f->engine->scheme}, {"engine", f->engine->engine},
        {"riemann", kb_flow_riemann_names[f->options.riemann]},
        {"variables", kb_flow_variables_names[f->options.variables]}};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        kb_csv_set(t, row, words[k].name, words[k].text);
    const struct { const char *name; double value; } numbers[] = {
        {"nx", f->stage.grid.nx}, {"ny", f->stage.grid.ny},
        {"ns", f->stage.grid.nsp}, {"cfl", f->options.cfl}, {"threads", omp_get_max_threads()},
        {"ranks", ranks_of(s)}, {"steps", (double)c->steps}, {"repeats", repeats},
        {"ns_per_cell_step", median},
        {"ns_lo", lo}, {"ns_hi", hi}, {"ns_least", kb_quantile(c->ns, repeats, 0)},
        {"cell_steps_per_s", 1e9 / median}, {"scaled", (double)f->nets.scaled},
        {"blended", (double)f->nets.blended}, {"faces", (double)f->faces}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        kb_csv_number(t, row, numbers[k].name, numbers[k].value, 6);
    if (s->set->begin > 0)
        kb_csv_number(t, row, "begin_s", s->set->begin, 6);
    if (!c->solver)
        return;
    kb_csv_set(t, row, "mech", s->gas->solvers->mech);
    kb_csv_set(t, row, "chemistry", c->solver);
    kb_csv_set(t, row, "splitting", kb_flow_splitting_names[c->chemistry.splitting]);
    kb_csv_number(t, row, "ns_chemistry", kb_median(c->ns_chemistry, repeats), 6);
    kb_csv_number(t, row, "attempts", kb_flow_gas_attempts(&c->chemistry), 6);
    kb_csv_number(t, row, "imbalance", imbalance(c), 4);
    if (s->set->dt > 0)
        kb_csv_number(t, row, "dt_s", s->set->dt, 6);
    kb_csv_number(t, row, "redone", (double)c->chemistry.redone, 6);
}

/* scalar: median of cpu-scalar on the same grid, NAN: none */
static void print_row(session *s, const cell *c, double scalar)
{
    int repeats = s->set->repeats;
    double lo, hi, median = kb_median(c->ns, repeats), uneven = c->solver ? imbalance(c) : NAN;
    kb_bootstrap(c->ns, repeats, &lo, &hi);
    char *field[COLUMNS] = {
        kb_strdup(c->f.engine->scheme), kb_strdup(c->solver ? c->solver : ""),
        kb_format("%d x %d", c->f.stage.grid.nx, c->f.stage.grid.ny),
        kb_strdup(c->f.engine->engine), kb_format("%.1f", median),
        kb_format("%.1f to %.1f", lo, hi), kb_format("%.1f", kb_quantile(c->ns, repeats, 0)),
        c->solver ? kb_format("%.1f", kb_median(c->ns_chemistry, repeats)) : kb_strdup(""),
        c->solver ? kb_format("%.2f", kb_flow_gas_attempts(&c->chemistry)) : kb_strdup(""),
        isnan(uneven) ? kb_strdup("") : kb_format("%.3g", uneven),
        isnan(scalar) ? kb_strdup("") : kb_format("%.2f", scalar / median)};
    kb_table_add(&s->table, field);
}

/* the run up to the time from which is measured, by --reference or the first solver */
static int develop(const session *s, const char *scheme, int nx, cell *to, kb_error *err)
{
    const kb_flow_settings *set = s->set;
    const char *solver = set->reference ? set->reference : set->chemistry.word[0];
    int code = open_cell(s, to, scheme, set->engines.word[0], solver, nx, err);
    to->f.options.end = 1e30;
    while (!code && to->f.t < set->begin)
        code = steps(s, &to->f, 1, err);
    return code ? code : kb_flow_finish(&to->f, err);
}

/* the time of cpu-scalar with the same solver; NAN: not measured */
static double scalar_of(const session *s, const cell *c, int n, const cell *of)
{
    for (int k = 0; k < n; k++)
        if (!strcmp(c[k].f.engine->engine, "cpu-scalar") && (k - (of - c)) % s->solvers == 0)
            return kb_median(c[k].ns, s->set->repeats);
    return NAN;
}

/* one scheme on one grid, engines and solvers in turn, each from the same state */
static int compare(session *s, const char *scheme, int nx, kb_error *err)
{
    const kb_flow_settings *set = s->set;
    int n = set->engines.count * s->solvers, code = KB_OK;
    cell *c = kb_alloc((size_t)n + 1, sizeof *c), *developed = &c[n];
    const kb_flow *from = set->begin > 0 ? &developed->f : NULL;
    if (from)
        code = develop(s, scheme, nx, developed, err);
    for (int k = 0; k < n && !code; k++)
        code = start(s, &c[k], scheme, set->engines.word[k / s->solvers],
                     set->chemistry.word[k % s->solvers], nx, from, err);
    if (!code)
        choose_steps(c, n);
    for (int r = 0; r < set->repeats && !code; r++)
        for (int k = 0; k < n && !code; k++)
            code = measure(s, &c[k], r, from, err);
    for (int k = 0; k < n && !code; k++) {
        kb_flow_collect_cost(&c[k].f);
        write_row(s, &c[k]);
        print_row(s, &c[k], scalar_of(s, c, n, &c[k]));
    }
    for (int k = 0; k <= n; k++)
        free_cell(&c[k]);
    free(c);
    return code;
}

static int compare_all(session *s, kb_error *err)
{
    const kb_flow_settings *set = s->set;
    int code = KB_OK;
    s->solvers = s->gas ? set->chemistry.count : 1;
    for (int i = 0; i < set->schemes.count && !code; i++)
        for (int k = 0; k < set->grids && !code; k++)
            code = compare(s, set->schemes.word[i], (int)set->nx[k], err);
    return code;
}

/* ---- the file ---- */

static bool same_cell(const kb_csv *a, long i, const kb_csv *b, long k)
{
    static const char *const key[] = {
        "machine", "case", "mech", "nx", "ny", "scheme", "riemann", "variables", "cfl", "engine",
        "threads", "ranks", "chemistry", "splitting", "begin_s", "dt_s"};
    for (size_t c = 0; c < sizeof key / sizeof *key; c++)
        if (strcmp(kb_csv_get(a, i, key[c]), kb_csv_get(b, k, key[c])))
            return false;
    return true;
}

static char *path_of(const session *s)
{
    const kb_flow_settings *set = s->set;
    const char *name = set->problem ? set->problem->name : s->gas->problem.name;
    return set->out ? kb_format("%s/flow.csv", set->out)
                    : kb_format("results/%s/flow-%s/flow.csv", s->machine.machine, name);
}

static bool same_columns(const kb_csv *a, const kb_csv *b)
{
    int c = 0;
    while (c < a->ncolumns && c < b->ncolumns && !strcmp(a->names[c], b->names[c]))
        c++;
    return c == a->ncolumns && c == b->ncolumns;
}

/* the rows of the file, in the columns of rows; none where there is no file */
static int read_old(const char *path, const kb_csv *rows, kb_csv *old, kb_error *err)
{
    if (access(path, F_OK))
        return KB_OK;
    int code = kb_csv_read(old, path, err);
    if (!code && !same_columns(old, rows))
        code = kb_fail(err, KB_INVALID, "%s has other columns: it is of another version of flow "
                       "(move it away, or give --out)", path);
    return code;
}

/* before anything is measured: can the rows join the file? */
static int check_file(const session *s, kb_error *err)
{
    kb_csv old = {0};
    kb_owned char *path = path_of(s);
    int code = kb_make_folders(path, err);
    code = code ? code : read_old(path, &s->rows, &old, err);
    kb_csv_free(&old);
    return code;
}

/* rows of a file that is there already stay, but for cells that were measured again */
static int join(const char *path, kb_csv *rows, kb_error *err)
{
    kb_csv old = {0};
    int code = read_old(path, rows, &old, err);
    long measured = rows->nrows;
    for (long i = 0; !code && i < old.nrows; i++) {
        bool again = false;
        for (long k = 0; k < measured; k++)
            again |= same_cell(&old, i, rows, k);
        long row = again ? -1 : kb_csv_add(rows);
        for (int c = 0; row >= 0 && c < old.ncolumns; c++)
            kb_csv_set(rows, row, old.names[c], kb_csv_get(&old, i, old.names[c]));
    }
    kb_csv_free(&old);
    return code;
}

static int save(session *s, kb_error *err)
{
    kb_owned char *path = path_of(s);
    int code = join(path, &s->rows, err);
    code = code ? code : kb_csv_write(&s->rows, path, err);
    if (!code)
        printf("%s\n", path);
    return code;
}

int kb_flow_bench(const kb_flow_settings *set, kb_error *err)
{
    session s = {.set = set, .table = {.ncolumns = COLUMNS, .heads = heads, .left = 2}};
    kb_flow_gas_run gas = {0};
    int code = set->problem ? KB_OK : kb_flow_gas_open(&gas, set, err);
    bool writes = kb_flow_writes(set->options.world);
    s.gas = set->problem ? NULL : &gas;
    kb_environment_read(&s.machine);
    kb_csv_start(&s.rows, header);
    code = code || !writes ? code : check_file(&s, err);
    code = kb_flow_agree(set->options.world, code, err);
    code = code ? code : compare_all(&s, err);
    if (s.table.nrows)
        kb_table_print(&s.table);
    code = code || !writes ? code : save(&s, err);
    kb_table_free(&s.table);
    kb_csv_free(&s.rows);
    kb_environment_free(&s.machine);
    kb_flow_gas_close(&gas);
    return code;
}
