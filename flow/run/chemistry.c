/* SPDX-License-Identifier: MIT */
#include "flow/run/chemistry.h"

#include <string.h>

#include "base/interrupt.h"
#include "flow/run/flow.h"
#include "solvers/engine_names.h"
#include "solvers/options.h"

static const kb_solver *find_solver(const kb_solvers *s, const char *name, const char *engine,
                                    kb_error *err)
{
    const kb_solver *found = kb_solver_find(s, name, engine ? engine : "cpu-simd");
    if (!found && !engine)
        found = kb_solver_find(s, name, "cpu-scalar");
    if (found)
        return found;
    char *known = kb_strdup("");
    for (int i = 0; i < s->nsolvers; i++) {
        char *longer = kb_format("%s %s@%s", known, s->solvers[i]->info.name,
                                 s->solvers[i]->info.engine);
        free(known);
        known = longer;
    }
    kb_fail(err, KB_INVALID, "no solver '%s%s%s' for %s: there are%s", name, engine ? "@" : "",
            engine ? engine : "", s->mech, known);
    free(known);
    return NULL;
}

int kb_flow_chemistry_open(kb_flow_chemistry *c, const kb_solvers *s, const char *text,
                           kb_error *err)
{
    char *with_options = kb_strdup(text), *engine = strchr(with_options, '@');
    if (engine)
        *engine++ = '\0';
    char *name = kb_format("%.*s", (int)strcspn(with_options, ":"), with_options);
    *c = (kb_flow_chemistry){.solver = find_solver(s, name, engine, err),
                             .fallback = kb_solver_find(s, "cvode", "cpu-scalar"),
                             .schedule = KB_REFILL};
    int code = c->solver ? KB_OK : KB_INVALID;
    if (!code && !c->fallback)
        code = kb_fail(err, KB_INVALID, "the solvers of %s lack cvode", s->mech);
    if (!code) {
        kb_choice choice = {.rtol = 1e-4, .atol = 1e-10};
        code = kb_solver_options(&c->solver->info, with_options, &choice, err);
        c->options = choice.options;
        c->rtol = choice.rtol;
        c->atol = choice.atol;
        free(choice.text);
    }
    free(with_options);
    free(name);
    return code;
}

void kb_flow_chemistry_close(kb_flow_chemistry *c)
{
    if (c->run)
        c->solver->close(c->run);
    if (c->block)
        c->release(c->block);
    free(c->options);
    *c = (kb_flow_chemistry){0};
}

static kb_job job_of(const kb_flow_chemistry *c, const kb_solver *solver, const double *options)
{
    bool gpu = kb_on_gpu(solver->info.engine);
    return (kb_job){.reactor = KB_CONST_V, .rtol = c->rtol, .atol = c->atol, .options = options,
                    .schedule = c->schedule, .threads = gpu ? 0 : c->threads, .stop = c->stop};
}

/* does the solver work where the fields of a GPU lie? */
static bool is_resident(const kb_flow *f)
{
    return f->engine->gather && f->chemistry->solver->open;
}

/* memory for all cells, and the solver's, before the first step */
static int make_room(kb_flow *f, kb_error *err)
{
    kb_flow_chemistry *c = f->chemistry;
    const kb_flow_grid *g = &f->stage.grid;
    int from = f->rows[0], to = f->rows[1];
    size_t n = (size_t)g->nx * (size_t)(to - from), nsp = (size_t)g->nsp;
    if (c->block)
        return KB_OK;
    size_t size = n * ((2 * nsp + 3) * sizeof(double) + sizeof(kb_count) + sizeof(long)) +
                  (size_t)g->plane;
    char *at = c->block = f->engine->alloc(size);
    c->release = f->engine->release;
    if (!at)
        return kb_fail(err, KB_INVALID, "chemistry: no memory for %zu cells (%.3g GB)", n,
                       1e-9 * (double)size);
    c->cells = (kb_flow_reacting){.room = (long)n, .states = (double *)at};
    c->cells.y = c->cells.states + n * (nsp + 2);
    c->cells.count = (kb_count *)(c->cells.y + n * (nsp + 1));
    c->cells.cell = (long *)(c->cells.count + n);
    c->cells.cost = memset(c->cells.cell + n, 0, (size_t)g->plane);
    for (int j = from; j < to; j++)
        for (int i = 0; i < g->nx; i++)
            c->fluid += !kb_flow_is_solid(f, i, j);
    kb_job shape = job_of(c, c->solver, c->options);
    shape.n = (long)n;
    return is_resident(f) ? c->solver->open(c->solver, &shape, &c->run, err) : KB_OK;
}

void kb_flow_gather(const kb_flow *f, int i, int j, double *state)
{
    const kb_flow_grid *g = &f->stage.grid;
    kb_flow_gather_cell(g, f->q[0], f->w, kb_flow_at(g, i, j), state);
}

int kb_flow_cost(const kb_flow *f, int i, int j)
{
    const unsigned char *cost = f->chemistry->cells.cost; /* counts from this rank's rows */
    return cost ? cost[kb_flow_at(&f->stage.grid, i, j - f->rows[0])] : 0;
}

void kb_flow_collect_cost(const kb_flow *f)
{
    const kb_flow_grid *g = &f->stage.grid;
    const kb_flow_chemistry *c = f->chemistry;
    if (!c || !f->options.world)
        return;
    double *all = kb_alloc((size_t)g->plane, sizeof *all);
    for (int j = f->rows[0]; j < f->rows[1]; j++)
        for (int i = 0; i < g->nx; i++)
            all[kb_flow_at(g, i, j)] = kb_flow_cost(f, i, j);
    kb_flow_sum(f->options.world, all, (int)g->plane);
    for (long at = 0; c->cells.cost && kb_flow_writes(f->options.world) && at < g->plane; at++)
        c->cells.cost[at] = (unsigned char)all[at];
    free(all);
}

/* ---- on the host ---- */

static long gather(const kb_flow_view *v, double T_react, const kb_flow_reacting *to)
{
    const kb_flow_grid *g = &v->stage.grid;
    const double *T = v->w + (g->nsp + 4) * g->plane;
    long n = 0;
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            long at = kb_flow_at(g, i, j);
            if ((v->stage.open && v->stage.open[at] == 0) || T[at] < T_react)
                continue;
            kb_flow_gather_cell(g, v->q, v->w, at, to->states + n * (g->nsp + 2));
            to->cell[n++] = at;
        }
    return n;
}

static kb_flow_tally tally(const kb_flow_reacting *from, long n)
{
    kb_flow_tally t = {0, 0};
    for (long k = 0; k < n; k++) {
        t.attempts += from->count[k].attempted;
        t.failed += from->count[k].status != KB_ODE_OK;
    }
    return t;
}

static void scatter(const kb_flow_view *v, const kb_flow_reacting *from, long n)
{
    const kb_flow_grid *g = &v->stage.grid;
    for (long k = 0; k < n; k++) {
        int cost = from->count[k].attempted;
        kb_flow_scatter_cell(g, from->y + k * (g->nsp + 1), from->cell[k], v->q, v->w);
        from->cost[from->cell[k]] = (unsigned char)(cost < 255 ? cost : 255);
    }
}

/* ---- on either ---- */

static int solve(const kb_flow *f, long n, double dt, kb_error *err)
{
    const kb_flow_chemistry *c = f->chemistry;
    kb_job job = job_of(c, c->solver, c->options);
    kb_result result = {.y = c->cells.y, .count = c->cells.count};
    job.n = n;
    job.states = c->cells.states;
    job.dt = dt;
    return c->run ? c->solver->pass(c->run, &job, &result, err)
                  : c->solver->run(c->solver, &job, &result, err);
}

/* an ODE that the solver left without success */
static int redo(kb_flow *f, long k, double dt, kb_error *err)
{
    kb_flow_chemistry *c = f->chemistry;
    const kb_flow_grid *g = &f->stage.grid;
    kb_job job = job_of(c, c->fallback, NULL);
    job.n = 1;
    job.dt = dt;
    job.states = c->cells.states + k * (g->nsp + 2);
    kb_result result = {.y = c->cells.y + k * (g->nsp + 1), .count = &c->cells.count[k]};
    int first = result.count->status;
    int code = c->fallback->run(c->fallback, &job, &result, err);
    c->redone++;
    if (code || result.count->status == KB_ODE_OK)
        return code;
    long at = c->cells.cell[k];
    int j = (int)(at / g->pitch) - KB_GHOST + f->rows[0], i = (int)(at % g->pitch) - KB_LEFT;
    return kb_fail(err, KB_INVALID, "chemistry of cell (%d, %d) in step %ld (T = %g K, p = %g Pa, "
                   "dt = %g s): %s by %s, %s by cvode", i, j, f->step + 1, job.states[0],
                   job.states[1], dt, kb_ode_status_name(first), c->solver->info.name,
                   kb_ode_status_name(result.count->status));
}

/* the ODEs of this rank, into c->cells */
static int react_rows(kb_flow *f, const kb_flow_view *v, double dt, long *n, kb_flow_tally *t,
                      kb_error *err)
{
    kb_flow_chemistry *c = f->chemistry;
    const kb_flow_engine *e = f->engine;
    int code = make_room(f, err);
    if (code)
        return code;
    *n = e->gather ? e->gather(&v->stage, v->q, v->w, c->T_react, &c->cells)
                   : gather(v, c->T_react, &c->cells);
    code = *n ? solve(f, *n, dt, err) : KB_OK;
    if (code)
        return code;
    *t = e->gather && *n ? e->tally(&c->cells, *n) : tally(&c->cells, *n);
    for (long k = 0; k < *n && t->failed && !code; k++)
        if (c->cells.count[k].status != KB_ODE_OK)
            code = redo(f, k, dt, err);
    return code;
}

/* the first cell that the chemistry left in an impossible state */
static int impossible(const kb_flow *f, double dt, kb_error *err)
{
    int i, j, code = KB_OK;
    if (kb_flow_place(f, f->health.bad, &i, &j))
        code = kb_fail(err, KB_INVALID, "chemistry of step %ld (t = %g, dt = %g s): %s called its "
                       "result good, but density, pressure or temperature of cell (%d, %d) at x = "
                       "%g, y = %g are impossible", f->step + 1, f->t, dt,
                       f->chemistry->solver->info.name, i, j, kb_flow_x(f, i), kb_flow_y(f, j));
    return kb_flow_agree(f->options.world, code, err);
}

int kb_flow_react(kb_flow *f, double dt, kb_error *err)
{
    kb_flow_chemistry *c = f->chemistry;
    const kb_flow_engine *e = f->engine;
    kb_flow_view v = kb_flow_view_of(f, f->q[0]);
    kb_flow_tally t = {0, 0};
    int64_t redone = c->redone;
    double start = kb_clock();
    long n = 0;
    int code = kb_flow_agree(f->options.world, react_rows(f, &v, dt, &n, &t, err), err);
    if (code)
        return code;
    if (e->gather && n)
        e->scatter(&v.stage, &c->cells, n, v.q, v.w);
    else
        scatter(&v, &c->cells, n);
    double sum[4] = {(double)t.attempts, (double)n, (double)(c->fluid - n),
                     (double)(c->redone - redone)};
    kb_flow_sum(f->options.world, sum, 4);
    c->attempts += (int64_t)sum[0];
    c->odes += (int64_t)sum[1];
    c->skipped += (int64_t)sum[2];
    c->redone = redone + (int64_t)sum[3];
    f->health = kb_flow_primitive_rows(f);
    double spent = kb_clock() - start;
    c->seconds += spent;
    c->attempt = t.attempts ? spent / (double)t.attempts : 0;
    return f->health.bad < 0 ? KB_OK : impossible(f, dt, err);
}
