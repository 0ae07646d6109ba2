/* SPDX-License-Identifier: MIT */
#include "drivers/flow/gas_case.h"

#include <math.h>
#include <stdio.h>

#include "base/csv.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/table.h"
#include "drivers/flow/frames.h"
#include "drivers/flow/gas.h"
#include "drivers/flow/output.h"
#include "drivers/flow/probes.h"
#include "drivers/flow/resume.h"

static const char header[] = "case,mech,scheme,engine,riemann,chemistry,splitting,cfl,nx,ny,end_s,"
    "steps,T_most_K,p_most_Pa,ns_flow,ns_chemistry,attempts,redone,scaled,blended,retried";
static const char *const heads[] = {"scheme", "chemistry", "cells", "steps", "largest T [K]",
    "largest p [Pa]", "flow ns", "chemistry ns", "attempts", "redone"};

typedef struct {
    const kb_flow_settings *set;
    kb_flow_gas_run gas;
    char *folder, *what; /* what: all that decides a run's bits: the mechanism, the file */
    kb_progress progress;
    kb_csv rows;
    kb_table table;
} session;

typedef struct {
    session *s;
    const char *text;
    kb_flow_resume resume;
    kb_flow_probes probes;
} one_run;

static int watch(void *data, const kb_flow *f, kb_error *err)
{
    one_run *r = data;
    double done = f->t / f->options.end, spent = kb_flow_resume_seconds(&r->resume);
    char *what = kb_format("%s %s, %d x %d cells: t = %.4g of %.4g s", f->problem.name, r->text,
                           f->stage.grid.nx, f->stage.grid.ny, f->t, f->options.end);
    kb_progress_show(&r->s->progress, f->step, (long)((double)f->step / done), spent / done - spent,
                     what);
    free(what);
    kb_flow_probes_add(&r->probes, f);
    int code = kb_interrupted() ? kb_fail(err, KB_INTERRUPTED, "interrupted at t = %g s", f->t)
                                : KB_OK;
    return kb_flow_resume_step(&r->resume, f, code, err);
}

/* the largest value of a field, of the cells that are not solid */
static double most(const kb_flow *f, int field)
{
    double most = 0;
    for (int j = 0; j < f->stage.grid.ny; j++)
        for (int i = 0; i < f->stage.grid.nx; i++)
            most = fmax(most, kb_flow_field(f, field, i, j));
    return most;
}

static void add_row(session *s, const kb_flow *f, const char *text, double seconds)
{
    const kb_flow_chemistry *c = f->chemistry;
    const kb_flow_grid *g = &f->stage.grid;
    char *solver = kb_flow_gas_chemistry(c, text);
    double each = 1e9 / ((double)f->step * g->nx * g->ny), T = most(f, 2), p = most(f, 1);
    double flow = (seconds - c->seconds) * each, chemistry = c->seconds * each;
    double attempts = c->odes ? (double)c->attempts / (double)c->odes : 0;
    char *field[] = {kb_strdup(f->engine->scheme), kb_strdup(solver),
                     g->ny > 1 ? kb_format("%d x %d", g->nx, g->ny) : kb_format("%d", g->nx),
                     kb_format("%ld", f->step), kb_format("%.2f", T), kb_format("%.5g", p),
                     kb_format("%.0f", flow), kb_format("%.0f", chemistry),
                     kb_format("%.2f", attempts), kb_format("%ld", (long)c->redone)};
    kb_table_add(&s->table, field);
    long row = kb_csv_add(&s->rows);
    const struct { const char *name, *text; } words[] = {
        {"case", f->problem.name}, {"mech", s->gas.solvers->mech}, {"scheme", f->engine->scheme},
        {"engine", f->engine->engine}, {"chemistry", solver},
        {"riemann", kb_flow_riemann_names[f->options.riemann]},
        {"splitting", kb_flow_splitting_names[c->splitting]}};
    const struct { const char *name; double value; } numbers[] = {
        {"cfl", f->options.cfl}, {"nx", g->nx}, {"ny", g->ny}, {"end_s", f->t},
        {"steps", (double)f->step}, {"T_most_K", T}, {"p_most_Pa", p}, {"ns_flow", flow},
        {"ns_chemistry", chemistry}, {"attempts", attempts}, {"redone", (double)c->redone},
        {"scaled", (double)f->nets.scaled}, {"blended", (double)f->nets.blended},
        {"retried", (double)f->retried}};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        kb_csv_set(&s->rows, row, words[k].name, words[k].text);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        kb_csv_number(&s->rows, row, numbers[k].name, numbers[k].value, 7);
    free(solver);
}

static int march(session *s, kb_flow *f, const char *text, kb_error *err)
{
    one_run r = {.s = s, .text = text};
    const char *scheme = f->engine->scheme;
    int code = kb_flow_resume_open(&r.resume, s->set, s->folder, f, s->what, text, NULL, 0, err);
    code = code ? code : kb_flow_probes_open(&r.probes, s->set->file, f, s->folder, scheme, err);
    code = code ? code : kb_flow_run_frames(f, s->folder, scheme, s->set->frames, watch, &r, err);
    double seconds = kb_flow_resume_seconds(&r.resume);
    code = kb_flow_resume_close(&r.resume, f, code, err);
    int written = kb_flow_probes_close(&r.probes, code ? NULL : err);
    code = code ? code : written;
    if (!code)
        kb_flow_collect(f);
    if (!code && kb_flow_writes(f->options.world)) {
        add_row(s, f, text, seconds);
        code = f->stage.grid.nx > 1 && f->stage.grid.ny > 1
                   ? kb_flow_write_fields(f, s->folder, scheme, err)
                   : kb_flow_write_profile(f, NULL, s->folder, scheme, err);
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

static int run(session *s, kb_error *err)
{
    const kb_flow_settings *set = s->set;
    int code = kb_flow_make_folder(s->folder, err);
    code = code ? code : kb_flow_gas_open(&s->gas, set, err);
    code = kb_flow_agree(set->options.world, code, err);
    s->what = kb_format("%s %s", s->gas.m.sha256, set->file->text);
    for (int i = 0; i < set->schemes.count && !code; i++)
        for (int e = 0; e < set->engines.count && !code; e++)
            for (int c = 0; c < set->chemistry.count && !code; c++)
                for (int k = 0; k < set->grids && !code; k++)
                    code = solve(s, set->schemes.word[i], set->engines.word[e],
                                 set->chemistry.word[c], (int)set->nx[k], err);
    kb_progress_end(&s->progress);
    if (s->table.nrows)
        kb_table_print(&s->table);
    if (code || !kb_flow_writes(set->options.world))
        return code;
    code = kb_flow_write_table(&s->rows, s->folder, "runs", err);
    if (!code) {
        printf("%s/runs.csv\n", s->folder);
        kb_flow_resume_drop(s->folder);
    }
    return code;
}

int kb_flow_gas_case(const kb_flow_settings *set, kb_error *err)
{
    session s = {.set = set, .table = {.ncolumns = 10, .heads = heads, .left = 2}};
    s.folder = set->out ? kb_strdup(set->out)
                        : kb_format("plots/out/flow-%s", set->file->problem.name);
    kb_csv_start(&s.rows, header);
    kb_progress_start(&s.progress, set->quiet);
    int code = run(&s, err);
    kb_progress_end(&s.progress);
    kb_csv_free(&s.rows);
    kb_table_free(&s.table);
    kb_flow_gas_close(&s.gas);
    free(s.folder);
    free(s.what);
    return code;
}
