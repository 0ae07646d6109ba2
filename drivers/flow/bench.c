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
#include "base/progress.h"
#include "base/stats.h"
#include "base/table.h"
#include "drivers/env/environment.h"
#include "drivers/flow/gas.h"

enum { WARM = 3, STEPS = 5 }; /* steps before and in a measurement, at least */
#define LEAST 0.2              /* seconds of one */
#define SCHEMA "3"             /* of the columns */

static const char header[] = "schema,machine,git,case,mech,nx,ny,ns,scheme,riemann,variables,cfl,"
    "engine,threads,ranks,chemistry,splitting,steps,repeats,ns_per_cell_step,ns_lo,ns_hi,ns_least,"
    "ns_chemistry,attempts,redone,cell_steps_per_s,scaled,blended,faces";
static const char *const heads[] = {"scheme", "chemistry", "cells", "engine", "ns/cell-step",
                                    "95 % interval", "least", "of it chemistry", "cpu-scalar/this"};
enum { COLUMNS = sizeof heads / sizeof *heads };

typedef struct {
    kb_flow f;
    kb_flow_chemistry chemistry; /* solver NULL: none */
    char *solver;                /* as it is written down; NULL: none */
    double *ns, *ns_chemistry;
    long steps; /* of a measurement */
} cell;

typedef struct {
    const kb_flow_settings *set;
    const kb_flow_gas_run *gas; /* NULL: one ideal gas */
    kb_csv rows;
    kb_table table;
    kb_environment machine;
} session;

static int steps(kb_flow *f, long count, kb_error *err)
{
    int code = KB_OK;
    for (long k = 0; k < count && !code; k++) {
        code = kb_interrupted() ? kb_fail(err, KB_INTERRUPTED, "interrupted") : KB_OK;
        code = kb_flow_agree(f->options.world, code, err);
        code = code ? code : kb_flow_step(f, f->options.end - f->t, err);
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

static int start(const session *s, cell *c, const char *scheme, const char *engine,
                 const char *solver, int nx, kb_error *err)
{
    c->ns = kb_alloc((size_t)s->set->repeats, sizeof *c->ns);
    c->ns_chemistry = kb_alloc((size_t)s->set->repeats, sizeof *c->ns);
    int code = open_cell(s, c, scheme, engine, solver, nx, err);
    c->f.options.end = 1e30;
    double begin = kb_clock();
    code = code ? code : steps(&c->f, WARM, err);
    double each = (kb_clock() - begin) / WARM;
    kb_flow_most(s->set->options.world, &each, 1);
    c->steps = fmax(STEPS, LEAST / each);
    return code;
}

/* the time of the slowest rank; the one before it ended on all of them together */
static int measure(cell *c, int repeat, kb_error *err)
{
    double begin = kb_clock(), before = c->chemistry.seconds;
    int code = steps(&c->f, c->steps, err);
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

static double attempts(const cell *c)
{
    return (double)c->chemistry.attempts / (double)c->chemistry.odes;
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
    if (!c->solver)
        return;
    kb_csv_set(t, row, "mech", s->gas->solvers->mech);
    kb_csv_set(t, row, "chemistry", c->solver);
    kb_csv_set(t, row, "splitting", kb_flow_splitting_names[c->chemistry.splitting]);
    kb_csv_number(t, row, "ns_chemistry", kb_median(c->ns_chemistry, repeats), 6);
    kb_csv_number(t, row, "attempts", attempts(c), 6);
    kb_csv_number(t, row, "redone", (double)c->chemistry.redone, 6);
}

/* scalar: median of cpu-scalar on the same grid, NAN: none */
static void print_row(session *s, const cell *c, double scalar)
{
    int repeats = s->set->repeats;
    double lo, hi, median = kb_median(c->ns, repeats);
    char *field[COLUMNS];
    kb_bootstrap(c->ns, repeats, &lo, &hi);
    field[0] = kb_strdup(c->f.engine->scheme);
    field[1] = kb_strdup(c->solver ? c->solver : "");
    field[2] = kb_format("%d x %d", c->f.stage.grid.nx, c->f.stage.grid.ny);
    field[3] = kb_strdup(c->f.engine->engine);
    field[4] = kb_format("%.1f", median);
    field[5] = kb_format("%.1f to %.1f", lo, hi);
    field[6] = kb_format("%.1f", kb_quantile(c->ns, repeats, 0));
    field[7] = c->solver ? kb_format("%.1f", kb_median(c->ns_chemistry, repeats)) : kb_strdup("");
    field[8] = isnan(scalar) ? kb_strdup("") : kb_format("%.2f", scalar / median);
    kb_table_add(&s->table, field);
}

/* one scheme and one solver on one grid, engines in turn */
static int compare(session *s, const char *scheme, const char *solver, int nx, kb_error *err)
{
    const kb_flow_settings *set = s->set;
    int n = set->engines.count, code = KB_OK;
    cell *c = kb_alloc((size_t)n, sizeof *c);
    double scalar = NAN;
    for (int k = 0; k < n && !code; k++)
        code = start(s, &c[k], scheme, set->engines.word[k], solver, nx, err);
    for (int r = 0; r < set->repeats && !code; r++)
        for (int k = 0; k < n && !code; k++)
            code = measure(&c[k], r, err);
    for (int k = 0; k < n && !code; k++) {
        if (!strcmp(c[k].f.engine->engine, "cpu-scalar"))
            scalar = kb_median(c[k].ns, set->repeats);
        write_row(s, &c[k]);
        print_row(s, &c[k], scalar);
    }
    for (int k = 0; k < n; k++)
        free_cell(&c[k]);
    free(c);
    return code;
}

static int compare_all(session *s, kb_error *err)
{
    const kb_flow_settings *set = s->set;
    int solvers = s->gas ? set->chemistry.count : 1, code = KB_OK;
    for (int i = 0; i < set->schemes.count && !code; i++)
        for (int c = 0; c < solvers && !code; c++)
            for (int k = 0; k < set->grids && !code; k++)
                code = compare(s, set->schemes.word[i], set->chemistry.word[c], (int)set->nx[k],
                               err);
    return code;
}

/* ---- the file ---- */

static bool same_cell(const kb_csv *a, long i, const kb_csv *b, long k)
{
    static const char *const key[] = {
        "machine", "case", "mech", "nx", "ny", "scheme", "riemann", "variables", "cfl", "engine",
        "threads", "ranks", "chemistry", "splitting"};
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

/* those of rows; schema 2 had no ranks */
static bool same_columns(const kb_csv *file, const kb_csv *rows)
{
    int at = 0;
    for (int c = 0; c < rows->ncolumns; c++)
        if (at < file->ncolumns && !strcmp(file->names[at], rows->names[c]))
            at++;
        else if (strcmp(rows->names[c], "ranks"))
            return false;
    return at == file->ncolumns;
}

/* the rows of the file in these columns; none where there is no file */
static int read_old(const char *path, const kb_csv *rows, kb_csv *old, kb_error *err)
{
    kb_csv file = {0};
    kb_csv_start(old, header);
    if (access(path, F_OK))
        return KB_OK;
    int code = kb_csv_read(&file, path, err);
    if (!code && !same_columns(&file, rows))
        code = kb_fail(err, KB_INVALID, "%s has other columns: it is of another version of flow "
                       "(move it away, or give --out)", path);
    for (long i = 0; !code && i < file.nrows; i++) {
        long row = kb_csv_add(old);
        kb_csv_set(old, row, "ranks", "1");
        for (int c = 0; c < file.ncolumns; c++)
            kb_csv_set(old, row, file.names[c], kb_csv_get(&file, i, file.names[c]));
        kb_csv_set(old, row, "schema", SCHEMA);
    }
    kb_csv_free(&file);
    return code;
}

/* before anything is measured: can the rows join the file? */
static int check_file(const session *s, kb_error *err)
{
    kb_csv old = {0};
    char *path = path_of(s);
    int code = kb_make_folders(path, err);
    code = code ? code : read_old(path, &s->rows, &old, err);
    kb_csv_free(&old);
    free(path);
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
    char *path = path_of(s);
    int code = join(path, &s->rows, err);
    code = code ? code : kb_csv_write(&s->rows, path, err);
    if (!code)
        printf("%s\n", path);
    free(path);
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
