/* SPDX-License-Identifier: MIT
 *
 * The caller's arrays to rows of states, the solver, and back.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "library/inside.h"

_Static_assert(sizeof(kb_work) == sizeof(kb_count) &&
                   offsetof(kb_work, rhs) == offsetof(kb_count, rhs) &&
                   offsetof(kb_work, status) == offsetof(kb_count, status),
               "kb_work is what the solvers count");

#define BLOCK 16           /* states that are turned at a time: two lines of the cache */
#define WORTH_THREADS 1e5  /* numbers; below, starting threads takes longer than copying */

/* ---- packing ---- */

typedef struct {
    kb_integrator *it;
    long n;
    int nsp;
    double *T, *p, *Y;
    kb_scratch_memory *s;
    kb_count *count;
} batch;

static void pack_rows(const batch *b, long from, long to)
{
    int nsp = b->nsp;
    for (long i = from; i < to; i++) {
        double *s = b->s->states + i * (nsp + 2);
        s[0] = b->T[i];
        s[1] = b->p[i];
        if (b->it->layout == KB_ODE_MAJOR)
            memcpy(s + 2, b->Y + i * nsp, (size_t)nsp * sizeof *s);
    }
    if (b->it->layout == KB_SPECIES_MAJOR)
        for (int k = 0; k < nsp; k++)
            for (long i = from; i < to; i++)
                b->s->states[i * (nsp + 2) + 2 + k] = b->Y[k * b->n + i];
    for (long i = from; i < to; i++)
        kb_state_ready(b->s->states + i * (nsp + 2), nsp, &b->it->limits, b->it->repair);
}

/* p of the same density: p ~ T sum Y/W */
static double new_pressure(const batch *b, long i)
{
    const double *old = b->s->states + i * (b->nsp + 2), *y = b->s->y + i * (b->nsp + 1);
    const double *W = b->it->solvers->W;
    double moles = 0, old_moles = 0;
    for (int k = 0; k < b->nsp; k++) {
        moles += y[k + 1] / W[k];
        old_moles += old[k + 2] / W[k];
    }
    return old[1] * (y[0] * moles) / (old[0] * old_moles);
}

static void unpack_rows(const batch *b, long from, long to)
{
    int nsp = b->nsp;
    for (long i = from; i < to; i++) {
        const double *y = b->s->y + i * (nsp + 1);
        if (b->count[i].status)
            continue;
        if (b->it->reactor == KB_CONST_V)
            b->p[i] = new_pressure(b, i);
        b->T[i] = y[0];
        if (b->it->layout == KB_ODE_MAJOR)
            memcpy(b->Y + i * nsp, y + 1, (size_t)nsp * sizeof *y);
    }
    if (b->it->layout == KB_SPECIES_MAJOR)
        for (int k = 0; k < nsp; k++)
            for (long i = from; i < to; i++)
                if (!b->count[i].status)
                    b->Y[k * b->n + i] = b->s->y[i * (nsp + 1) + 1 + k];
}

static void in_blocks(const batch *b, void (*part)(const batch *b, long from, long to))
{
    int threads = (double)b->n * b->nsp < WORTH_THREADS ? 1 : kb_threads_of(b->it);
    if (threads == 1) {
        for (long i = 0; i < b->n; i += BLOCK)
            part(b, i, i + BLOCK < b->n ? i + BLOCK : b->n);
        return;
    }
#pragma omp parallel num_threads(threads)
    {
        KB_HOLD_ENVIRONMENT();
#pragma omp for schedule(static)
        for (long i = 0; i < b->n; i += BLOCK)
            part(b, i, i + BLOCK < b->n ? i + BLOCK : b->n);
    }
}

/* ---- one call ---- */

kb_job kb_job_of(const kb_integrator *it, long n, double dt)
{
    return (kb_job){.n = n, .dt = dt, .reactor = it->reactor, .rtol = it->choice.rtol,
                    .atol = it->choice.atol, .options = it->choice.options,
                    .schedule = it->refill ? KB_REFILL : KB_STATIC,
                    .threads = it->on_gpu ? it->block : kb_threads_for(it, n),
                    .max_substeps = it->max_substeps};
}

static int solve(const batch *b, double dt)
{
    kb_integrator *it = b->it;
    kb_error err = {0};
    kb_job job = kb_job_of(it, b->n, dt);
    job.states = b->s->states;
    kb_result result = {.y = b->s->y, .count = b->count};
    if (it->solver->run(it->solver, &job, &result, &err))
        return kb_fail_as(&err);
    double cost = result.total * result.threads / (double)b->n;
    __atomic_store(&it->cost, &cost, __ATOMIC_RELAXED);
    return KB_SUCCESS;
}

static int told(const batch *b, int *status)
{
    long failed = 0, first = 0;
    for (long i = b->n - 1; i >= 0; i--) {
        if (status)
            status[i] = b->count[i].status;
        if (b->count[i].status) {
            failed++;
            first = i;
        }
    }
    if (!failed)
        return KB_SUCCESS;
    return kb_fail_with(KB_ERROR_ODES, "%ld of %ld ODEs failed, the first is %ld: %s", failed, b->n,
                        first, kb_status_text(b->count[first].status));
}

int kb_integrate(kb_integrator *it, long n, double *T, double *p, double *Y, double dt,
                 int *status, kb_work *work)
{
    KB_HOLD_ENVIRONMENT();
    int code = kb_check_arrays(it, n, T, p, Y);
    code = code ? code : kb_check_dt(dt);
    if (code || n == 0)
        return code;
    it = kb_integrator_for(it, n, dt, false);
    if (!it)
        return KB_ERROR_DEVICE;
    kb_scratch_memory *s = kb_scratch_take(it, n);
    if (!s)
        return KB_ERROR_MEMORY;
    batch b = {it, n, it->solvers->nsp, T, p, Y, s, s->count};
    in_blocks(&b, pack_rows);
    code = solve(&b, dt);
    if (!code) {
        in_blocks(&b, unpack_rows);
        if (work)
            memcpy(work, s->count, (size_t)n * sizeof *work);
        code = told(&b, status);
    }
    kb_scratch_return(it, s);
    return code;
}
