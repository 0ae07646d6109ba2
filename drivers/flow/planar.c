/* SPDX-License-Identifier: MIT */
#include "drivers/flow/planar.h"

#include <math.h>
#include <stdio.h>

#include "base/csv.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/table.h"
#include "drivers/flow/frames.h"
#include "drivers/flow/gas.h"
#include "drivers/flow/output.h"
#include "drivers/flow/resume.h"

#define LAST 0.4 /* share of the run over which speed and pressure are taken */
enum { EVERY = 10 }; /* steps between looks at a front on a GPU: a field has to travel for it */

static const char header[] = "mech,p_Pa,T_K,scheme,engine,chemistry,splitting,cfl,nx,ny,"
    "cells_per_induction,D_CJ,speed,peak,peak_low,peak_high,vn,steps,ns_flow,ns_chemistry,attempts,"
    "redone,scaled,blended,retried,mixture";
static const char *const heads[] = {"scheme", "chemistry", "cells", "per induction", "D/D_CJ - 1",
    "peak/p1", "its range", "steps", "flow ns", "chemistry ns", "attempts", "redone"};

typedef struct {
    const kb_flow_settings *set;
    kb_flow_gas_run gas;
    char *folder;
    kb_progress progress;
    kb_csv rows;
    kb_table table;
} session;

/* ---- speed and pressure of the front ---- */

typedef struct {
    session *s;
    const char *what;
    double begin, end;
    kb_flow_track in; /* over the last share of the run */
    kb_flow_resume resume;
} front;

static int asked_to_stop(const kb_flow *f, kb_error *err)
{
    return kb_interrupted() ? kb_fail(err, KB_INTERRUPTED, "interrupted at t = %g s", f->t) : KB_OK;
}

static int watch(void *data, const kb_flow *f, kb_error *err)
{
    front *r = data;
    if (f->engine->gather && f->step % EVERY)
        return kb_flow_resume_step(&r->resume, f, asked_to_stop(f, err), err);
    double peak, x = kb_flow_front(f, 3 * r->s->set->p, &peak), spent = kb_clock() - r->begin;
    if (isnan(x))
        return kb_fail(err, KB_INVALID, "step %ld: the shock has left the domain or died out",
                       f->step);
    if (f->t > (1 - LAST) * r->end)
        kb_flow_track_add(&r->in, f->t - r->end, x, peak); /* small numbers */
    char *what = kb_format("%s, %d cells: front at %.4g m, peak %.2f p1", r->what,
                           f->stage.grid.nx, x, peak / r->s->set->p);
    double done = f->t / r->end;
    kb_progress_show(&r->s->progress, f->step, (long)((double)f->step / done), spent / done - spent,
                     what);
    free(what);
    return kb_flow_resume_step(&r->resume, f, asked_to_stop(f, err), err);
}

/* ---- one run ---- */

static void add_rows(session *s, const kb_flow *f, const char *text, const kb_flow_track *r,
                     double seconds)
{
    const kb_flow_chemistry *c = f->chemistry;
    const kb_detonation *d = &s->gas.start.d;
    char *solver = kb_flow_gas_chemistry(c, text);
    double p1 = s->set->p;
    double each = 1e9 / ((double)f->step * f->stage.grid.nx * f->stage.grid.ny);
    double speed = kb_flow_track_speed(r);
    double per = s->gas.start.zone.induction / f->stage.grid.dx, peak = r->peak / (double)r->n;
    double attempts = (double)c->attempts / (double)c->odes;
    double flow = (seconds - c->seconds) * each, chemistry = c->seconds * each;
    char *field[12];
    field[0] = kb_strdup(f->engine->scheme);
    field[1] = kb_strdup(solver);
    field[2] = f->stage.grid.ny > 1 ? kb_format("%d x %d", f->stage.grid.nx, f->stage.grid.ny)
                                    : kb_format("%d", f->stage.grid.nx);
    field[3] = kb_format("%.3g", per);
    field[4] = kb_format("%+.2f %%", 100 * (speed / d->D - 1));
    field[5] = kb_format("%.2f", peak / p1);
    field[6] = kb_format("%.2f to %.2f", r->low / p1, r->high / p1);
    field[7] = kb_format("%ld", f->step);
    field[8] = kb_format("%.0f", flow);
    field[9] = kb_format("%.0f", chemistry);
    field[10] = kb_format("%.2f", attempts);
    field[11] = kb_format("%ld", (long)c->redone);
    kb_table_add(&s->table, field);
    kb_csv *t = &s->rows;
    long row = kb_csv_add(t);
    const struct { const char *name, *text; } words[] = {
        {"mech", s->gas.solvers->mech}, {"mixture", s->set->mixture}, {"scheme", f->engine->scheme},
        {"engine", f->engine->engine}, {"chemistry", solver},
        {"splitting", kb_flow_splitting_names[c->splitting]}};
    const struct { const char *name; double value; } numbers[] = {
        {"p_Pa", p1}, {"T_K", s->set->T}, {"cfl", f->options.cfl}, {"nx", f->stage.grid.nx},
        {"ny", f->stage.grid.ny},
        {"cells_per_induction", per}, {"D_CJ", d->D}, {"speed", speed}, {"peak", peak / p1},
        {"peak_low", r->low / p1}, {"peak_high", r->high / p1}, {"vn", d->vn.p / p1},
        {"steps", (double)f->step}, {"ns_flow", flow}, {"ns_chemistry", chemistry},
        {"attempts", attempts}, {"redone", (double)c->redone}, {"scaled", (double)f->nets.scaled},
        {"blended", (double)f->nets.blended}, {"retried", (double)f->retried}};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        kb_csv_set(t, row, words[k].name, words[k].text);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        kb_csv_number(t, row, numbers[k].name, numbers[k].value, 7);
    free(solver);
}

static int march(session *s, kb_flow *f, const char *text, kb_error *err)
{
    front r = {.s = s, .what = text, .end = f->options.end};
    int code = kb_flow_resume_open(&r.resume, s->set, s->folder, f, s->gas.m.sha256, text, &r.in,
                                   sizeof r.in, err);
    r.begin = kb_clock() - r.resume.spent;
    code = code ? code : kb_flow_run_frames(f, s->folder, f->engine->scheme, s->set->frames, watch,
                                            &r, err);
    double seconds = kb_flow_resume_seconds(&r.resume);
    code = kb_flow_resume_close(&r.resume, f, code, err);
    if (!code && r.in.n < 3)
        code = kb_fail(err, KB_INVALID, "%ld steps are too few for a speed", f->step);
    if (!code) {
        add_rows(s, f, text, &r.in, seconds);
        kb_flow_collect(f);
        if (kb_flow_writes(f->options.world))
            code = f->stage.grid.ny > 1
                       ? kb_flow_write_fields(f, s->folder, f->engine->scheme, err)
                       : kb_flow_write_profile(f, NULL, s->folder, f->engine->scheme, err);
    }
    return kb_flow_agree(f->options.world, code, err);
}

static int solve(session *s, const char *scheme, const char *engine, const char *text, int nx,
                 kb_error *err)
{
    kb_flow f;
    kb_flow_chemistry c;
    int code = kb_flow_gas_start(&s->gas, &f, &c, scheme, engine, text, nx, err);
    code = code ? code : march(s, &f, text, err);
    kb_flow_close(&f);
    kb_flow_chemistry_close(&c);
    return code;
}

/* ---- all ---- */

static int run_all(session *s, kb_error *err)
{
    const kb_flow_settings *set = s->set;
    int code = KB_OK;
    for (int i = 0; i < set->schemes.count && !code; i++)
        for (int e = 0; e < set->engines.count && !code; e++)
            for (int c = 0; c < set->chemistry.count && !code; c++)
                for (int k = 0; k < set->grids && !code; k++)
                    code = solve(s, set->schemes.word[i], set->engines.word[e],
                                 set->chemistry.word[c], (int)set->nx[k], err);
    return code;
}

static int save(const session *s, kb_error *err)
{
    int code = kb_flow_write_table(&s->rows, s->folder, "detonation", err);
    if (!code)
        printf("%s/detonation.csv\n", s->folder);
    return code;
}

static int run(session *s, kb_error *err)
{
    int code = kb_flow_make_folder(s->folder, err);
    code = code ? code : kb_flow_gas_open(&s->gas, s->set, err);
    code = kb_flow_agree(s->set->options.world, code, err);
    if (code)
        return code;
    const kb_detonation *d = &s->gas.start.d;
    printf("%s, %s, %g Pa, %g K: D_CJ = %.2f m/s, behind the shock %.3f p1, "
           "induction length %.4g mm\ndomain %.4g m, shock from %.4g m, %.4g s\n", s->gas.m.name,
           s->set->mixture, s->set->p, s->set->T, d->D, d->vn.p / s->set->p,
           1e3 * s->gas.start.zone.induction, s->gas.problem.x1,
           s->gas.start.shock, s->gas.problem.end);
    fflush(stdout);
    code = run_all(s, err);
    kb_progress_end(&s->progress);
    if (s->table.nrows)
        kb_table_print(&s->table);
    if (!kb_flow_writes(s->set->options.world))
        return code;
    code = code ? code : save(s, err);
    if (!code)
        kb_flow_resume_drop(s->folder);
    return code;
}

int kb_flow_planar(const kb_flow_settings *set, kb_error *err)
{
    session s = {.set = set, .table = {.ncolumns = 12, .heads = heads, .left = 2}};
    s.folder = kb_strdup(set->out ? set->out : "plots/out/flow-detonation");
    kb_csv_start(&s.rows, header);
    kb_progress_start(&s.progress, set->quiet);
    int code = run(&s, err);
    kb_progress_end(&s.progress);
    kb_csv_free(&s.rows);
    kb_table_free(&s.table);
    kb_flow_gas_close(&s.gas);
    free(s.folder);
    return code;
}
