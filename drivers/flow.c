/* SPDX-License-Identifier: MIT
 *
 * flow: solves a case on one or more grids, prints and writes a table of errors and costs, and
 * writes fields for plots/flow.
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "base/csv.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/table.h"
#include "drivers/flow/bench.h"
#include "drivers/flow/database.h"
#include "drivers/flow/frames.h"
#include "drivers/flow/gas_case.h"
#include "drivers/flow/output.h"
#include "drivers/flow/resume.h"
#include "drivers/flow/settings.h"
#include "drivers/ranks/ranks.h"

/* The run that stands for an unknown answer, in one dimension: so many times the cells of the
 * largest grid, as long as these are no more. With four times as many the errors come out a sixth
 * too small (results/trials/flow.md). */
enum { FINER = 16, FINEST = 6400, LEAST_FINER = 4 };

static const char header[] = "case,scheme,riemann,variables,engine,cfl,nx,ny,steps,l1,order,"
    "largest,scaled,blended,faces,retried,mass_change,energy_change,ns_per_cell_step";
static const char *const heads[] = {"scheme", "engine", "cells", "steps", "L1 error", "order",
                                    "largest", "scaled", "blended", "mass", "energy", "ns"};

typedef struct {
    const kb_flow_settings *set;
    char *folder;
    kb_progress progress;
    double start;
    const char *scheme;
    kb_flow_resume resume;
    kb_csv rows;
    kb_table table;
    kb_flow fine; /* grid nx 0: none */
} session;

/* ---- one run ---- */

static int watch(void *data, const kb_flow *f, kb_error *err)
{
    session *s = data;
    double end = s->set->options.end, done = f->t / end, spent = kb_clock() - s->start;
    kb_owned char *what = kb_format("%s %s, %d x %d cells: t = %.4g of %.4g, %.3g cell-steps/s",
                                    f->problem.name, s->scheme, f->stage.grid.nx, f->stage.grid.ny,
                                    f->t, end,
                                    (double)f->step * f->stage.grid.nx * f->stage.grid.ny / spent);
    long steps = (long)fmin((double)f->step / done, 1e15);
    kb_progress_show(&s->progress, f->step, steps, spent / done - spent, what);
    int code = kb_interrupted() ? kb_fail(err, KB_INTERRUPTED, "interrupted at t = %g", f->t)
                                : KB_OK;
    return kb_flow_resume_step(&s->resume, f, code, err);
}

static int solve(session *s, kb_flow *f, const char *scheme, const char *engine, int nx,
                 kb_error *err)
{
    kb_flow_options o = s->set->options;
    o.nx = nx;
    o.ny = s->set->ratio > 0 ? (int)lround(nx * s->set->ratio) : o.ny;
    s->scheme = scheme;
    s->resume = (kb_flow_resume){0};
    int code = kb_flow_open(f, s->set->problem, &o,
                            kb_flow_find_engine(scheme, engine, s->set->problem->nsp, err), err);
    code = code ? code : kb_flow_resume_open(&s->resume, s->set, s->folder, f,
                                             s->set->file->text, "", NULL, 0, err);
    s->start = s->resume.begin - s->resume.spent;
    code = code ? code : kb_flow_run_frames(f, s->folder, scheme, s->set->frames, watch, s, err);
    return kb_flow_resume_close(&s->resume, f, code, err);
}

/* ---- its row ---- */

static kb_flow_error error_of(const session *s, const kb_flow *f)
{
    const kb_flow_grid *g = &f->stage.grid, *fine = &s->fine.stage.grid;
    if (f->problem.exact)
        return kb_flow_exact_error(f);
    if (fine->nx && fine->nx % g->nx == 0 && fine->ny % g->ny == 0)
        return kb_flow_fine_error(f, &s->fine);
    return (kb_flow_error){NAN, NAN};
}

static char *shown(double x, const char *format)
{
    char text[32];
    snprintf(text, sizeof text, format, x);
    return kb_strdup(isnan(x) ? "" : text);
}

static void print_row(session *s, const kb_flow *f, kb_flow_error e, double order,
                      const double change[2], double ns)
{
    const kb_flow_grid *g = &f->stage.grid;
    char *field[] = {
        kb_strdup(f->engine->scheme), kb_strdup(f->engine->engine),
        g->ny > 1 && g->nx > 1 ? kb_format("%d x %d", g->nx, g->ny)
                               : kb_format("%d", g->nx * g->ny),
        kb_format("%ld", f->step), shown(e.l1, "%.3e"), shown(order, "%.2f"),
        shown(e.largest, "%.2e"), kb_format("%ld", f->nets.scaled),
        kb_format("%ld", f->nets.blended), shown(change[0], "%+.1e"), shown(change[1], "%+.1e"),
        shown(ns, "%.0f")};
    kb_table_add(&s->table, field);
}

static void write_row(session *s, const kb_flow *f, kb_flow_error e, double order,
                      const double change[2], double ns)
{
    kb_csv *t = &s->rows;
    const kb_flow_options *o = &f->options;
    long row = kb_csv_add(t);
    kb_csv_set(t, row, "case", f->problem.name);
    kb_csv_set(t, row, "scheme", f->engine->scheme);
    kb_csv_set(t, row, "engine", f->engine->engine);
    kb_csv_set(t, row, "riemann", kb_flow_riemann_names[o->riemann]);
    kb_csv_set(t, row, "variables", kb_flow_variables_names[o->variables]);
    const struct { const char *name; double value; } numbers[] = {
        {"cfl", o->cfl}, {"nx", f->stage.grid.nx}, {"ny", f->stage.grid.ny},
        {"steps", (double)f->step}, {"l1", e.l1}, {"order", order}, {"largest", e.largest},
        {"scaled", (double)f->nets.scaled}, {"blended", (double)f->nets.blended},
        {"faces", (double)f->faces}, {"retried", (double)f->retried}, {"mass_change", change[0]},
        {"energy_change", change[1]}, {"ns_per_cell_step", ns}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        kb_csv_number(t, row, numbers[k].name, numbers[k].value, 6);
}

/* relative change of mass and of energy */
static void changes(const kb_flow *f, const double *before, double change[2])
{
    double after[KB_FLOW_SPECIES + 3], mass[2] = {0, 0};
    int nsp = f->stage.grid.nsp;
    kb_flow_totals(f, after);
    for (int k = 0; k < nsp; k++) {
        mass[0] += before[k];
        mass[1] += after[k];
    }
    change[0] = mass[1] / mass[0] - 1;
    change[1] = after[nsp + 2] / before[nsp + 2] - 1;
}

static int write_fields(const session *s, const kb_flow *f, kb_error *err)
{
    const kb_flow_grid *g = &f->stage.grid;
    const char *scheme = f->engine->scheme;
    if (g->nx > 1 && g->ny > 1)
        return kb_flow_write_fields(f, s->folder, scheme, err);
    const kb_flow *fine = s->fine.stage.grid.nx ? &s->fine : NULL;
    return kb_flow_write_profile(f, fine, NULL, s->folder, scheme, err);
}

/* runs a scheme on all grids */
static int converge(session *s, const char *scheme, const char *engine, kb_error *err)
{
    double last = NAN, change[2], before[KB_FLOW_SPECIES + 3];
    int code = KB_OK;
    for (int k = 0; k < s->set->grids && !code; k++) {
        kb_flow start, f;
        kb_flow_options o = s->set->options;
        o.nx = (int)s->set->nx[k];
        code = solve(s, &f, scheme, engine, o.nx, err);
        double ns = (kb_clock() - s->start) * 1e9 /
                    ((double)f.step * f.stage.grid.nx * f.stage.grid.ny);
        const kb_flow_world *world = s->set->options.world;
        if (!code)
            kb_flow_collect(&f);
        if (!code && kb_flow_writes(world)) {
            kb_flow_error e = error_of(s, &f);
            double order = k ? log(last / e.l1) / log(s->set->nx[k] / s->set->nx[k - 1]) : NAN;
            o.world = NULL;
            o.ny = f.options.turn ? f.options.nx : f.options.ny;
            code = kb_flow_open(&start, s->set->problem, &o, f.engine, err);
            if (!code) {
                kb_flow_totals(&start, before);
                changes(&f, before, change);
                print_row(s, &f, e, order, change, ns);
                write_row(s, &f, e, order, change, ns);
            }
            kb_flow_close(&start);
            last = e.l1;
            if (!code && k == s->set->grids - 1)
                code = write_fields(s, &f, err);
        }
        code = kb_flow_agree(world, code, err);
        kb_flow_close(&f);
    }
    return code;
}

/* ---- all ---- */

static int finer(const kb_flow_settings *set)
{
    int most = 0;
    for (int k = 0; k < set->grids; k++)
        most = (int)fmax(most, set->nx[k]);
    return most * (int)fmax(LEAST_FINER, fmin(FINER, FINEST / most));
}

static int find_reference(session *s, kb_error *err)
{
    const kb_flow_case *c = s->set->problem;
    if (c->exact || c->y1 > c->y0)
        return KB_OK;
    kb_flow_settings fine = *s->set;
    const kb_flow_settings *set = s->set;
    fine.options.riemann = KB_FLOW_HLLC;
    s->set = &fine;
    int code = solve(s, &s->fine, "mp5", "cpu-simd", finer(set), err);
    s->set = set;
    return code;
}

static int run_flow(session *s, kb_error *err)
{
    int code = kb_flow_agree(s->set->options.world, kb_flow_make_folder(s->folder, err), err);
    code = code ? code : find_reference(s, err);
    for (int i = 0; i < s->set->schemes.count && !code; i++)
        for (int k = 0; k < s->set->engines.count && !code; k++)
            code = converge(s, s->set->schemes.word[i], s->set->engines.word[k], err);
    if (!kb_flow_writes(s->set->options.world))
        return code;
    code = code ? code : kb_flow_write_table(&s->rows, s->folder, "errors", err);
    if (!code)
        kb_flow_resume_drop(s->folder);
    kb_progress_end(&s->progress);
    if (s->table.nrows)
        kb_table_print(&s->table);
    return code;
}

/* a recipe makes a database of states */
static bool has_recipe(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!strncmp(argv[i], "--recipe", 8))
            return true;
    return false;
}

/* the ranks of a launcher; rank 0 alone prints */
static int share(kb_flow_settings *set, kb_ranks **ranks, int code, kb_error *err)
{
    int opened = kb_ranks_open(ranks, code ? NULL : err);
    code = code ? code : opened;
    if (opened || !*ranks)
        return code;
    (*ranks)->alike = 1;
    set->options.world = &(*ranks)->world;
    if ((*ranks)->rank > 0) {
        set->quiet = true;
        if (!freopen("/dev/null", "w", stdout))
            return kb_fail(err, KB_INVALID, "/dev/null cannot be opened");
    }
    return code;
}

int main(int argc, char **argv)
{
    kb_error err = {0};
    if (has_recipe(argc, argv))
        return kb_flow_database(argc, argv);
    kb_flow_settings set;
    kb_ranks *ranks;
    kb_interrupt_install();
    int code = kb_flow_settings_read(&set, argc, argv, &err);
    code = share(&set, &ranks, code, &err);
    if (!code && set.threads)
        omp_set_num_threads(set.threads);
    if (!code && set.bench) {
        code = kb_flow_bench(&set, &err);
    } else if (!code && !set.problem) {
        code = kb_flow_gas_case(&set, &err);
    } else if (!code) {
        session s = {.set = &set, .table = {.ncolumns = 12, .heads = heads, .left = 2}};
        s.folder = set.out ? kb_strdup(set.out) : kb_format("plots/out/flow-%s", set.problem->name);
        kb_csv_start(&s.rows, header);
        kb_progress_start(&s.progress, set.quiet);
        code = run_flow(&s, &err);
        kb_flow_close(&s.fine);
        kb_csv_free(&s.rows);
        kb_table_free(&s.table);
        free(s.folder);
    }
    if (code && kb_flow_writes(set.options.world))
        kb_report("flow", &err);
    kb_flow_settings_free(&set);
    if (set.options.world)
        ranks->end();
    return code;
}
