/* SPDX-License-Identifier: MIT */
#include "drivers/flow/gas_case.h"

#include <math.h>
#include <stdio.h>

#include "base/csv.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/table.h"
#include "drivers/flow/accuracy.h"
#include "drivers/flow/frames.h"
#include "drivers/flow/output.h"
#include "drivers/flow/probes.h"
#include "drivers/flow/resume.h"

#define LAST 0.4 /* share of the run over which speed and pressure of a front are taken */
enum { EVERY = 10 }; /* steps between looks at a front on a GPU: a field has to travel for it */

static const char header[] = "case,mech,p_Pa,T_K,scheme,engine,riemann,chemistry,splitting,cfl,nx,"
    "ny,end_s,cells_per_induction,D_CJ,speed,peak,peak_low,peak_high,vn,steps,T_most_K,p_most_Pa,"
    "ns_flow,ns_chemistry,attempts,redone,scaled,blended,retried,l1_T,l1_OH,l1_heat,flow_T,flow_OH,"
    "flow_heat,znd_T,znd_OH,znd_heat,mixture";
enum { COLUMNS = 12 }; /* of the table, of a detonation; two fewer of another case */
static const char *const of_detonation[COLUMNS] = {
    "scheme", "chemistry", "cells", "per induction", "D/D_CJ - 1", "peak/p1", "its range", "steps",
    "flow ns", "chemistry ns", "attempts", "redone"};
static const char *const of_case[] = {
    "scheme", "chemistry", "cells", "largest T [K]", "largest p [Pa]", "steps", "flow ns",
    "chemistry ns", "attempts", "redone"};
static const char *const of_errors[] = {
    "scheme", "nx", "chemistry", "attempts", "chemistry ns", "T", "OH", "heat", "flow's own",
    "ZND: T", "OH", "heat"};

/* L1 norms: of the chemistry, of the flow itself, against ZND (NAN: not known) */
typedef struct {
    double l1[KB_FLOW_QUANTITIES], flow[KB_FLOW_QUANTITIES], znd[KB_FLOW_QUANTITIES];
} norms;

typedef struct {
    const kb_flow_settings *set;
    kb_flow_gas_run gas;
    char *folder, *what; /* what: all that decides a run's bits: the mechanism, the file */
    kb_progress progress;
    kb_csv rows;
    kb_table table, errors;
    kb_flow_profile accurate; /* by the accurate chemistry on the grid of the runs */
    norms norms;              /* flow: of this grid */
} session;

typedef struct {
    session *s;
    const char *text;
    bool front; /* a detonation's */
    kb_flow_track track; /* over the last share of the run */
    kb_flow_resume resume;
    kb_flow_probes probes;
} one_run;

static int asked_to_stop(const kb_flow *f, kb_error *err)
{
    return kb_interrupted() ? kb_fail(err, KB_INTERRUPTED, "interrupted at t = %g s", f->t) : KB_OK;
}

/* what else the progress says; NULL with a message: the front is gone */
static char *look_at_front(one_run *r, const kb_flow *f, kb_error *err)
{
    double peak, p1 = r->s->set->p, x = kb_flow_front(f, 3 * p1, &peak);
    if (isnan(x)) {
        kb_fail(err, KB_INVALID, "step %ld: the shock has left the domain or died out", f->step);
        return NULL;
    }
    if (f->t > (1 - LAST) * f->options.end)
        kb_flow_track_add(&r->track, f->t - f->options.end, x, peak); /* small numbers */
    return kb_format(", front at %.4g m, peak %.2f p1", x, peak / p1);
}

static int watch(void *data, const kb_flow *f, kb_error *err)
{
    one_run *r = data;
    if (r->front && f->engine->gather && f->step % EVERY)
        return kb_flow_resume_step(&r->resume, f, asked_to_stop(f, err), err);
    kb_owned char *more = r->front ? look_at_front(r, f, err) : kb_strdup("");
    if (!more)
        return KB_INVALID;
    double done = f->t / f->options.end, spent = kb_flow_resume_seconds(&r->resume);
    kb_owned char *what = kb_format("%s %s, %d x %d cells: t = %.4g of %.4g s%s", f->problem.name,
                                    r->text, f->stage.grid.nx, f->stage.grid.ny, f->t,
                                    f->options.end, more);
    long steps = (long)fmin((double)f->step / done, 1e15);
    kb_progress_show(&r->s->progress, f->step, steps, spent / done - spent, what);
    kb_flow_probes_add(&r->probes, f);
    return kb_flow_resume_step(&r->resume, f, asked_to_stop(f, err), err);
}

/* ---- its row ---- */

/* the largest value of a field, of the cells that are not solid */
static double most(const kb_flow *f, const char *field)
{
    double most = 0;
    int k = kb_flow_find_field(f, field);
    for (int j = 0; j < f->stage.grid.ny; j++)
        for (int i = 0; i < f->stage.grid.nx; i++)
            most = fmax(most, kb_flow_field(f, k, i, j));
    return most;
}

/* what a run has cost, and what came of it */
typedef struct {
    char *solver, *cells;
    double flow, chemistry, attempts; /* [ns] a cell and step; of an ODE */
    double T, p;                      /* the largest [K], [Pa] */
    double per, speed, peak;          /* of a detonation, else NAN: cells in an induction length */
} outcome;

static outcome outcome_of(const session *s, const kb_flow *f, const one_run *r, double seconds)
{
    const kb_flow_chemistry *c = f->chemistry;
    const kb_flow_grid *g = &f->stage.grid;
    double each = 1e9 / ((double)f->step * g->nx * g->ny);
    outcome o = {.solver = kb_flow_gas_chemistry(c, r->text),
                 .cells = g->ny > 1 ? kb_format("%d x %d", g->nx, g->ny) : kb_format("%d", g->nx),
                 .flow = (seconds - c->seconds) * each, .chemistry = c->seconds * each,
                 .attempts = kb_flow_gas_attempts(c),
                 .T = most(f, "temperature"), .p = most(f, "pressure"),
                 .per = NAN, .speed = NAN, .peak = NAN};
    if (r->front) {
        o.per = s->gas.start.zone.induction / g->dx;
        o.speed = kb_flow_track_speed(&r->track);
        o.peak = r->track.peak / (double)r->track.n;
    }
    return o;
}

static void print_row(session *s, const kb_flow *f, const one_run *r, const outcome *o)
{
    char *field[COLUMNS];
    int n = 0;
    double p1 = s->set->p;
    field[n++] = kb_strdup(f->engine->scheme);
    field[n++] = kb_strdup(o->solver);
    field[n++] = kb_strdup(o->cells);
    if (r->front) {
        field[n++] = kb_format("%.3g", o->per);
        field[n++] = kb_format("%+.2f %%", 100 * (o->speed / s->gas.start.d.D - 1));
        field[n++] = kb_format("%.2f", o->peak / p1);
        field[n++] = kb_format("%.2f to %.2f", r->track.low / p1, r->track.high / p1);
    } else {
        field[n++] = kb_format("%.2f", o->T);
        field[n++] = kb_format("%.5g", o->p);
    }
    field[n++] = kb_format("%ld", f->step);
    field[n++] = kb_format("%.0f", o->flow);
    field[n++] = kb_format("%.0f", o->chemistry);
    field[n++] = kb_format("%.2f", o->attempts);
    field[n++] = kb_format("%ld", (long)f->chemistry->redone);
    kb_table_add(&s->table, field);
}

static void write_row(session *s, const kb_flow *f, const one_run *r, const outcome *o)
{
    const kb_flow_chemistry *c = f->chemistry;
    const kb_flow_settings *set = s->set;
    const kb_detonation *d = &s->gas.start.d;
    const norms *e = &s->norms;
    double p1 = r->front ? set->p : NAN;
    const struct { const char *name, *text; } words[] = {
        {"case", f->problem.name}, {"mech", s->gas.solvers->mech}, {"scheme", f->engine->scheme},
        {"engine", f->engine->engine}, {"chemistry", o->solver},
        {"riemann", kb_flow_riemann_names[f->options.riemann]},
        {"splitting", kb_flow_splitting_names[c->splitting]},
        {"mixture", r->front ? set->mixture : ""}};
    const struct { const char *name; double value; } numbers[] = {
        {"p_Pa", p1}, {"T_K", r->front ? set->T : NAN}, {"cfl", f->options.cfl},
        {"nx", f->stage.grid.nx}, {"ny", f->stage.grid.ny}, {"end_s", f->t},
        {"cells_per_induction", o->per}, {"D_CJ", r->front ? d->D : NAN}, {"speed", o->speed},
        {"peak", o->peak / p1}, {"peak_low", r->track.low / p1}, {"peak_high", r->track.high / p1},
        {"vn", d->vn.p / p1}, {"steps", (double)f->step}, {"T_most_K", o->T}, {"p_most_Pa", o->p},
        {"ns_flow", o->flow}, {"ns_chemistry", o->chemistry}, {"attempts", o->attempts},
        {"redone", (double)c->redone}, {"scaled", (double)f->nets.scaled},
        {"blended", (double)f->nets.blended}, {"retried", (double)f->retried},
        {"l1_T", e->l1[0]}, {"l1_OH", e->l1[1]}, {"l1_heat", e->l1[2]}, {"flow_T", e->flow[0]},
        {"flow_OH", e->flow[1]}, {"flow_heat", e->flow[2]}, {"znd_T", e->znd[0]},
        {"znd_OH", e->znd[1]}, {"znd_heat", e->znd[2]}};
    long row = kb_csv_add(&s->rows);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        kb_csv_set(&s->rows, row, words[k].name, words[k].text);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        kb_csv_number(&s->rows, row, numbers[k].name, numbers[k].value, 7);
}

/* ---- what the chemistry does to T, OH and heat ---- */

static char *norm_text(double x) { return isnan(x) ? kb_strdup("") : kb_format("%.1e", x); }

/* o NULL: of the flow itself */
static void print_errors(session *s, const char *scheme, const outcome *o, int nx)
{
    const norms *e = &s->norms;
    const double *l1 = o ? e->l1 : e->flow;
    char *field[sizeof of_errors / sizeof *of_errors];
    int n = 0;
    double least = INFINITY;
    field[n++] = kb_strdup(scheme);
    field[n++] = kb_format("%d", nx);
    field[n++] = kb_strdup(o ? o->solver : "(the flow itself)");
    field[n++] = o ? kb_format("%.2f", o->attempts) : kb_strdup("");
    field[n++] = o ? kb_format("%.0f", o->chemistry) : kb_strdup("");
    for (int k = 0; k < KB_FLOW_QUANTITIES; k++) {
        field[n++] = norm_text(l1[k]);
        least = fmin(least, e->flow[k] / l1[k]);
    }
    field[n++] = o ? kb_format("%.3g x", least) : kb_strdup("");
    for (int k = 0; k < KB_FLOW_QUANTITIES; k++)
        field[n++] = o ? norm_text(e->znd[k]) : kb_strdup("");
    kb_table_add(&s->errors, field);
}

static void measure_errors(session *s, const kb_flow *f)
{
    int nx = kb_flow_asked_nx(f);
    kb_flow_profile own = kb_flow_profile_of(&s->gas, f, nx);
    kb_flow_profile_error(&own, &s->accurate, s->norms.l1);
    if (s->set->file->detonation) {
        kb_flow_profile zone = kb_flow_profile_of_zone(&s->gas, nx);
        kb_flow_profile_error(&own, &zone, s->norms.znd);
        free(zone.value);
    }
    free(own.value);
}

/* ---- a run ---- */

/* says how many cells of all ranks lie beyond the thermo data, as generators and bench do */
static void note_beyond(session *s, const kb_flow *f, const char *when)
{
    const kb_solvers *all = s->gas.solvers;
    const kb_flow_grid *g = &f->stage.grid;
    double n = 0, from = all->data_from * (1 - 1e-6), to = all->data_to * (1 + 1e-6);
    int T = kb_flow_find_field(f, "temperature");
    for (int j = f->rows[0]; j < f->rows[1]; j++)
        for (int i = 0; i < g->nx; i++)
            n += kb_flow_field(f, T, i, j) < from || kb_flow_field(f, T, i, j) > to;
    kb_flow_sum(f->options.world, &n, 1);
    if (n > 0 && kb_flow_writes(f->options.world))
        kb_progress_note(&s->progress, "note: %s %.0f of %d cells lie beyond the thermo data of a "
                         "species (%g to %g K): its cp goes on as a straight line", when, n,
                         g->nx * g->ny, all->data_from, all->data_to);
}

static int write_fields(const session *s, const kb_flow *f, kb_error *err)
{
    const char *scheme = f->engine->scheme;
    if (f->stage.grid.nx > 1 && f->stage.grid.ny > 1)
        return kb_flow_write_fields(f, s->folder, scheme, err);
    kb_flow_beside beside;
    kb_flow_beside_of(&beside, &s->gas, f);
    int code = kb_flow_write_profile(f, NULL, &beside, s->folder, scheme, err);
    kb_flow_beside_free(&beside);
    return code;
}

static int write_results(session *s, const kb_flow *f, const one_run *r, double seconds,
                         kb_error *err)
{
    outcome o = outcome_of(s, f, r, seconds);
    if (s->set->reference)
        measure_errors(s, f);
    print_row(s, f, r, &o);
    write_row(s, f, r, &o);
    if (s->set->reference)
        print_errors(s, f->engine->scheme, &o, kb_flow_asked_nx(f));
    free(o.solver);
    free(o.cells);
    return write_fields(s, f, err);
}

/* to its end, on all ranks; accurate: no row and no files, but what the others are compared with,
 * whose cells are these of `nx` along x */
static int march(session *s, kb_flow *f, const char *text, kb_flow_profile *accurate, int nx,
                 kb_error *err)
{
    const kb_flow_world *world = f->options.world;
    one_run r = {.s = s, .text = text, .front = s->set->file->detonation};
    const char *scheme = f->engine->scheme;
    if (!accurate)
        note_beyond(s, f, "at the start");
    int code = kb_flow_resume_open(&r.resume, s->set, s->folder, f, s->what, text, &r.track,
                                   sizeof r.track, err);
    code = code ? code : kb_flow_probes_open(&r.probes, accurate ? NULL : s->set->file, f,
                                             s->folder, scheme, err);
    code = code ? code : kb_flow_run_frames(f, s->folder, scheme, accurate ? 0 : s->set->frames,
                                            watch, &r, err);
    double seconds = kb_flow_resume_seconds(&r.resume);
    code = kb_flow_resume_close(&r.resume, f, code, err);
    int written = kb_flow_probes_close(&r.probes, code ? NULL : err);
    code = code ? code : written;
    if (!code && r.front && r.track.n < 3)
        code = kb_fail(err, KB_INVALID, "%ld steps are too few for a speed", f->step);
    if (!code && !accurate)
        note_beyond(s, f, "at the end");
    if (!code)
        kb_flow_collect(f);
    if (!code && kb_flow_writes(world) && accurate)
        *accurate = kb_flow_profile_of(&s->gas, f, nx);
    else if (!code && kb_flow_writes(world))
        code = write_results(s, f, &r, seconds, err);
    return kb_flow_agree(world, code, err);
}

static int solve(session *s, const char *scheme, const char *engine, const char *text, int nx,
                 kb_flow_profile *accurate, int for_nx, kb_error *err)
{
    kb_flow f;
    kb_flow_chemistry c;
    int code = kb_flow_gas_start(&s->gas, &f, &c, scheme, engine, text, nx, err);
    code = code ? code : march(s, &f, text, accurate, for_nx, err);
    kb_flow_close(&f);
    kb_flow_chemistry_close(&c);
    return code;
}

/* the accurate chemistry on this grid and on twice the cells each way: the flow's own error */
static int find_accurate(session *s, const char *scheme, const char *engine, int nx, kb_error *err)
{
    const char *text = s->set->reference;
    kb_flow_profile fine = {0};
    free(s->accurate.value);
    s->accurate = (kb_flow_profile){0};
    int code = solve(s, scheme, engine, text, nx, &s->accurate, nx, err);
    code = code ? code : solve(s, scheme, engine, text, 2 * nx, &fine, nx, err);
    if (!code && kb_flow_writes(s->set->options.world)) {
        kb_flow_profile_error(&s->accurate, &fine, s->norms.flow);
        print_errors(s, scheme, NULL, nx);
    }
    free(fine.value);
    return code;
}

static int run_all(session *s, kb_error *err)
{
    const kb_flow_settings *set = s->set;
    int code = KB_OK;
    for (int i = 0; i < set->schemes.count && !code; i++)
        for (int e = 0; e < set->engines.count && !code; e++)
            for (int k = 0; k < set->grids && !code; k++) {
                const char *scheme = set->schemes.word[i], *engine = set->engines.word[e];
                code = set->reference ? find_accurate(s, scheme, engine, (int)set->nx[k], err)
                                      : KB_OK;
                for (int c = 0; c < set->chemistry.count && !code; c++)
                    code = solve(s, scheme, engine, set->chemistry.word[c], (int)set->nx[k], NULL,
                                 0, err);
            }
    return code;
}

static void describe(const session *s)
{
    const kb_detonation *d = &s->gas.start.d;
    printf("%s, %s, %g Pa, %g K: D_CJ = %.2f m/s, behind the shock %.3f p1, "
           "induction length %.4g mm\ndomain %.4g m, shock from %.4g m, %.4g s\n", s->gas.m.name,
           s->set->mixture, s->set->p, s->set->T, d->D, d->vn.p / s->set->p,
           1e3 * s->gas.start.zone.induction, s->gas.problem.x1,
           s->gas.start.shock, s->gas.problem.end);
    fflush(stdout);
}

static void print_tables(session *s)
{
    if (s->table.nrows)
        kb_table_print(&s->table);
    if (!s->errors.nrows)
        return;
    printf("\nL1 of T, OH and heat release against %s on the same grid, how many times as "
           "large\nthe flow's own is (against twice the cells each way; of the three the least), "
           "of a detonation against ZND, too\n", s->set->reference);
    kb_table_print(&s->errors);
}

static int run_gas_case(session *s, kb_error *err)
{
    const kb_flow_settings *set = s->set;
    int code = kb_flow_make_folder(s->folder, err);
    code = code ? code : kb_flow_gas_open(&s->gas, set, err);
    code = kb_flow_agree(set->options.world, code, err);
    s->what = kb_format("%s %s", s->gas.m.sha256, set->file->text);
    if (!code && set->file->detonation)
        describe(s);
    code = code ? code : run_all(s, err);
    kb_progress_end(&s->progress);
    print_tables(s);
    if (code || !kb_flow_writes(set->options.world))
        return code;
    const char *table = set->file->detonation ? "detonation" : "runs";
    code = kb_flow_write_table(&s->rows, s->folder, table, err);
    if (!code) {
        printf("%s/%s.csv\n", s->folder, table);
        kb_flow_resume_drop(s->folder);
    }
    return code;
}

int kb_flow_gas_case(const kb_flow_settings *set, kb_error *err)
{
    session s = {.set = set,
                 .table = {.ncolumns = set->file->detonation ? COLUMNS : COLUMNS - 2,
                           .heads = set->file->detonation ? of_detonation : of_case, .left = 2},
                 .errors = {.ncolumns = sizeof of_errors / sizeof *of_errors, .heads = of_errors,
                            .left = 3}};
    for (int k = 0; k < KB_FLOW_QUANTITIES; k++)
        s.norms.l1[k] = s.norms.flow[k] = s.norms.znd[k] = NAN;
    s.folder = set->out ? kb_strdup(set->out)
                        : kb_format("plots/out/flow-%s", set->file->problem.name);
    kb_csv_start(&s.rows, header);
    kb_progress_start(&s.progress, set->quiet);
    int code = run_gas_case(&s, err);
    kb_csv_free(&s.rows);
    kb_table_free(&s.table);
    kb_table_free(&s.errors);
    kb_flow_gas_close(&s.gas);
    free(s.accurate.value);
    free(s.folder);
    free(s.what);
    return code;
}
