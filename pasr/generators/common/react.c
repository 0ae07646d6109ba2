/* SPDX-License-Identifier: MIT */
#include "pasr/generators/common/react.h"

#include <string.h>

int kb_react_open(kb_react *x, const kb_solvers *s, long n, double rtol, double atol, int threads,
                  const volatile int *stop, kb_error *err)
{
    *x = (kb_react){.solver = kb_solver_find(s, "rodas4", "cpu-simd"),
                    .fallback = kb_solver_find(s, "cvode", "cpu-scalar"), .nsp = s->nsp,
                    .threads = threads, .rtol = rtol, .atol = atol, .stop = stop, .n = n};
    if (!x->solver || !x->fallback)
        return kb_fail(err, KB_INVALID, "the solvers of %s lack rodas4 (cpu-simd) or cvode "
                       "(cpu-scalar); build them again with `make solvers`", s->mech);
    x->y = kb_alloc((size_t)n * ((size_t)s->nsp + 1), sizeof *x->y);
    x->count = kb_alloc((size_t)n, sizeof *x->count);
    return KB_OK;
}

void kb_react_close(kb_react *x)
{
    free(x->y);
    free(x->count);
}

static int run(const kb_react *x, const kb_solver *solver, const double *states, long n, double dt,
               double *y, kb_count *count, kb_error *err)
{
    kb_job job = {.n = n, .states = states, .dt = dt, .reactor = KB_CONST_P, .rtol = x->rtol,
                  .atol = x->atol, .schedule = KB_REFILL, .threads = x->threads, .stop = x->stop};
    kb_result result = {.y = y, .count = count};
    return solver->run(solver, &job, &result, err);
}

/* states that RODAS4 left without success */
static int redo(kb_react *x, const double *states, double dt, kb_reacted *sum, kb_error *err)
{
    for (long i = 0; i < x->n; i++) {
        const double *state = states + i * (x->nsp + 2);
        kb_count *c = &x->count[i];
        if (c->status == KB_ODE_OK)
            continue;
        int code = run(x, x->fallback, state, 1, dt, x->y + i * (x->nsp + 1), c, err);
        if (code)
            return code;
        if (c->status != KB_ODE_OK)
            return kb_fail(err, KB_INVALID, "reaction step of state %ld (T = %g K, p = %g Pa, dt = "
                           "%g s): %s", i, state[0], state[1], dt, kb_ode_status_name(c->status));
        sum->redone++;
    }
    return KB_OK;
}

int kb_react_step(kb_react *x, double *states, double dt, kb_reacted *sum, kb_error *err)
{
    int code = run(x, x->solver, states, x->n, dt, x->y, x->count, err);
    if (!code)
        code = redo(x, states, dt, sum, err);
    if (code)
        return code;
    for (long i = 0; i < x->n; i++) {
        const double *y = x->y + i * (x->nsp + 1);
        double *row = states + i * (x->nsp + 2);
        row[0] = y[0];
        memcpy(row + 2, y + 1, (size_t)x->nsp * sizeof *row);
        sum->attempts += x->count[i].attempted;
    }
    sum->odes += x->n;
    return KB_OK;
}
