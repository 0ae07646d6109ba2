/* SPDX-License-Identifier: MIT */
#include "flow/chemistry.h"

#include <string.h>

#include "base/interrupt.h"
#include "flow/flow.h"
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
    free(c->options);
    free(c->states);
    free(c->y);
    free(c->cell);
    free(c->count);
    *c = (kb_flow_chemistry){0};
}

static void make_room(kb_flow_chemistry *c, long n, int nsp)
{
    if (c->room >= n)
        return;
    c->room = n;
    c->states = kb_realloc(c->states, (size_t)n * ((size_t)nsp + 2), sizeof *c->states);
    c->y = kb_realloc(c->y, (size_t)n * ((size_t)nsp + 1), sizeof *c->y);
    c->cell = kb_realloc(c->cell, (size_t)n, sizeof *c->cell);
    c->count = kb_realloc(c->count, (size_t)n, sizeof *c->count);
}

/* T, p, Y of a cell */
static void gather_cell(const kb_flow *f, long at, double *state)
{
    const kb_flow_grid *g = &f->stage.grid;
    double rho = 0;
    for (int s = 0; s < g->nsp; s++)
        rho += f->q[0][s * g->plane + at];
    state[0] = f->w[(g->nsp + 4) * g->plane + at];
    state[1] = f->w[(g->nsp + 2) * g->plane + at];
    for (int s = 0; s < g->nsp; s++)
        state[2 + s] = f->q[0][s * g->plane + at] / rho;
}

void kb_flow_gather(const kb_flow *f, int i, int j, double *state)
{
    gather_cell(f, kb_flow_at(&f->stage.grid, i, j), state);
}

static long gather(const kb_flow *f, kb_flow_chemistry *c)
{
    const kb_flow_grid *g = &f->stage.grid;
    const double *T = f->w + (g->nsp + 4) * g->plane;
    long n = 0;
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            long at = kb_flow_at(g, i, j);
            if (kb_flow_is_solid(f, i, j))
                continue;
            if (T[at] < c->T_react) {
                c->skipped++;
                continue;
            }
            gather_cell(f, at, c->states + n * (g->nsp + 2));
            c->cell[n++] = at;
        }
    return n;
}

static int solve(const kb_flow_chemistry *c, const kb_solver *solver, const double *options,
                 const double *states, long n, double dt, double *y, kb_count *count, kb_error *err)
{
    kb_job job = {.n = n, .states = states, .dt = dt, .reactor = KB_CONST_V, .rtol = c->rtol,
                  .atol = c->atol, .options = options, .schedule = c->schedule,
                  .threads = c->threads, .stop = c->stop};
    kb_result result = {.y = y, .count = count};
    return solver->run(solver, &job, &result, err);
}

/* a cell that the solver left without success */
static int redo(kb_flow *f, kb_flow_chemistry *c, long k, double dt, kb_error *err)
{
    const kb_flow_grid *g = &f->stage.grid;
    const double *state = c->states + k * (g->nsp + 2);
    int first = c->count[k].status;
    double *y = c->y + k * (g->nsp + 1);
    int code = solve(c, c->fallback, NULL, state, 1, dt, y, &c->count[k], err);
    c->redone++;
    if (code || c->count[k].status == KB_ODE_OK)
        return code;
    int j = (int)(c->cell[k] / g->pitch) - KB_GHOST, i = (int)(c->cell[k] % g->pitch) - KB_LEFT;
    return kb_fail(err, KB_INVALID, "chemistry of cell (%d, %d) in step %ld (T = %g K, p = %g Pa, "
                   "dt = %g s): %s by %s, %s by cvode", i, j, f->step + 1, state[0], state[1], dt,
                   kb_ode_status_name(first), c->solver->info.name,
                   kb_ode_status_name(c->count[k].status));
}

static void scatter(kb_flow *f, const kb_flow_chemistry *c, long n)
{
    const kb_flow_grid *g = &f->stage.grid;
    for (long k = 0; k < n; k++) {
        const double *y = c->y + k * (g->nsp + 1);
        double rho = 0, sum = 0;
        for (int s = 0; s < g->nsp; s++) {
            rho += f->q[0][s * g->plane + c->cell[k]];
            sum += y[1 + s];
        }
        for (int s = 0; s < g->nsp; s++)
            f->q[0][s * g->plane + c->cell[k]] = rho * y[1 + s] / sum;
        f->w[(g->nsp + 4) * g->plane + c->cell[k]] = y[0]; /* where Newton begins */
    }
}

int kb_flow_react(kb_flow *f, double dt, kb_error *err)
{
    kb_flow_chemistry *c = f->chemistry;
    double start = kb_clock();
    make_room(c, (long)f->stage.grid.nx * f->stage.grid.ny, f->stage.grid.nsp);
    long n = gather(f, c);
    int code = n ? solve(c, c->solver, c->options, c->states, n, dt, c->y, c->count, err) : KB_OK;
    for (long k = 0; k < n && !code; k++)
        if (c->count[k].status != KB_ODE_OK)
            code = redo(f, c, k, dt, err);
    if (code)
        return code;
    scatter(f, c, n);
    for (long k = 0; k < n; k++)
        c->attempts += c->count[k].attempted;
    c->odes += n;
    f->health = f->engine->primitive(&f->stage, f->q[0], f->w, 0);
    c->seconds += kb_clock() - start;
    return KB_OK;
}
