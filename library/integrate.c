/* SPDX-License-Identifier: MIT
 *
 * The caller's arrays to rows of states, the solver, and back.
 */
#include <stddef.h>
#include <string.h>

#include "library/inside.h"
#include "solvers/forced_job.h"
#include "solvers/results.h"

_Static_assert(sizeof(kb_work) == sizeof(kb_count) &&
                   offsetof(kb_work, rhs) == offsetof(kb_count, rhs) &&
                   offsetof(kb_work, status) == offsetof(kb_count, status),
               "kb_work is what the solvers count");

#define BLOCK 16          /* states that are turned at a time: two lines of the cache */
#define WORTH_THREADS 1e5 /* numbers; below, starting threads takes longer than copying */

/* ---- packing ---- */

typedef struct {
    kb_integrator *it;
    long n;
    int nsp;
    double *T, *p, *Y, dt;
    const kb_flow_step *step;
    kb_scratch_memory *s;
    kb_count *count;
    bool failed; /* a part, for want of memory */
} batch;

static bool by_species(const batch *b)
{
    return b->step->Y_arrays || b->it->layout == KB_SPECIES_MAJOR;
}

/* species k of the first ODE; the next ODE's follows */
static double *column(double *all, double *const *arrays, long n, int k)
{
    return arrays ? arrays[k] : all + k * n;
}

static bool found_by_energy(const batch *b) { return b->step->enthalpy || b->step->energy; }

static void ready(const batch *b, long from, long to)
{
    for (long i = from; i < to; i++)
        kb_state_ready(b->s->states + i * (b->nsp + 2), b->nsp, &b->it->limits, b->it->repair);
}

static void pack_rows(batch *b, long from, long to)
{
    int nsp = b->nsp;
    for (long i = from; i < to; i++) {
        double *s = b->s->states + i * (nsp + 2);
        s[0] = b->T[i];
        s[1] = b->p[i];
        if (!by_species(b))
            memcpy(s + 2, b->Y + i * nsp, (size_t)nsp * sizeof *s);
    }
    for (int k = 0; by_species(b) && k < nsp; k++) {
        const double *Y = column(b->Y, b->step->Y_arrays, b->n, k);
        for (long i = from; i < to; i++)
            b->s->states[i * (nsp + 2) + 2 + k] = Y[i];
    }
    if (!found_by_energy(b))
        ready(b, from, to);
}

/* of rows that are packed */
static void find_states(batch *b, long from, long to)
{
    double *rows = b->s->states + from * (b->nsp + 2), *y = b->s->y + from * (b->nsp + 1);
    for (long i = 0; b->it->repair && i < to - from; i++)
        kb_fractions_repair(rows + i * (b->nsp + 2) + 2, b->nsp);
    if (kb_states_found(b->it, to - from, rows, y, b->step, from))
        __atomic_store_n(&b->failed, true, __ATOMIC_RELAXED);
    ready(b, from, to);
}

/* judges the results, and unpacks what is a state */
static void take_results(batch *b, long from, long to)
{
    const kb_integrator *it = b->it;
    int nsp = b->nsp;
    for (long i = from; i < to; i++) {
        const double *y = b->s->y + i * (nsp + 1);
        if (b->count[i].status)
            continue;
        double p = kb_result_pressure(it->reactor, nsp, it->solvers->W,
                                      b->s->states + i * (nsp + 2), y);
        if (!kb_result_possible(p, y, nsp, &it->limits, it->repair)) {
            b->count[i].status = KB_ODE_BOUNDS;
            if (b->step->next_substep)
                b->step->next_substep[i] = 0;
            continue;
        }
        if (b->step->keep)
            continue;
        if (it->reactor == KB_CONST_V || b->step->density)
            b->p[i] = p;
        b->T[i] = y[0];
        if (!by_species(b))
            memcpy(b->Y + i * nsp, y + 1, (size_t)nsp * sizeof *y);
    }
    for (int k = 0; !b->step->keep && by_species(b) && k < nsp; k++) {
        double *Y = column(b->Y, b->step->Y_arrays, b->n, k);
        for (long i = from; i < to; i++)
            if (!b->count[i].status)
                Y[i] = b->s->y[i * (nsp + 1) + 1 + k];
    }
}

/* mean source terms */
static void tell_sources(batch *b, long from, long to)
{
    int nsp = b->nsp;
    double factor[BLOCK];
    for (long i = from; i < to; i++) {
        double dt = b->step->dt ? b->step->dt[i] : b->dt;
        const double *row = b->s->states + i * (nsp + 2);
        factor[i - from] = b->count[i].status ? 0 : kb_row_density(b->it, row) / dt;
    }
    for (int k = 0; k < nsp; k++) {
        bool apart = b->step->RR_arrays || b->it->layout == KB_SPECIES_MAJOR;
        double *RR = apart ? column(b->step->RR, b->step->RR_arrays, b->n, k) : b->step->RR + k;
        for (long i = from; i < to; i++) {
            double old = b->s->states[i * (nsp + 2) + 2 + k], new = b->s->y[i * (nsp + 1) + 1 + k];
            double f = factor[i - from];
            RR[apart ? i : i * nsp] = f > 0 ? f * (new - old) : 0;
        }
    }
}

static void in_blocks(batch *b, void (*part)(batch *b, long from, long to), long size)
{
    bool alone = (double)b->n * b->nsp < WORTH_THREADS;
    int threads = alone ? 1 : kb_threads_there(kb_threads_of(b->it));
    if (threads == 1) {
        for (long i = 0; i < b->n; i += size)
            part(b, i, i + size < b->n ? i + size : b->n);
        return;
    }
#pragma omp parallel num_threads(threads)
    {
        KB_HOLD_ENVIRONMENT();
#pragma omp for schedule(static)
        for (long i = 0; i < b->n; i += size)
            part(b, i, i + size < b->n ? i + size : b->n);
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

static int solve(const batch *b)
{
    kb_integrator *it = b->it;
    kb_error err = {0};
    kb_job job = kb_job_of(it, b->n, b->dt);
    job.states = b->s->states;
    job.dts = b->step->dt;
    job.begin = b->step->substep;
    kb_result result = {.y = b->s->y, .count = b->count, .next_h = b->step->next_substep};
    double *forced = NULL;
    if (b->step->forcing_T) {
        job.states = forced = kb_forced_rows(it, b->n, b->s->states, b->step);
        job.reactor = kb_with_forcing(job.reactor);
        if (!forced)
            return kb_fail_with(KB_ERROR_MEMORY, "no memory for the forcing of %ld ODEs", b->n);
    }
    int code = it->solver->run(it->solver, &job, &result, &err);
    if (forced)
        it->solvers->memory_free(forced);
    if (code)
        return kb_fail_as(&err);
    double cost = result.total * result.threads / (double)b->n;
    __atomic_store(&it->cost, &cost, __ATOMIC_RELAXED);
    return KB_SUCCESS;
}

static int told(const batch *b)
{
    long failed = 0, first = 0;
    for (long i = b->n - 1; i >= 0; i--) {
        const kb_count *c = &b->count[i];
        if (b->step->status)
            b->step->status[i] = c->status;
        if (b->step->cost)
            b->step->cost[i] = KB_COST(c->rhs, c->jac, c->lu, c->solve);
        if (c->status) {
            failed++;
            first = i;
        }
    }
    if (b->step->work)
        memcpy(b->step->work, b->count, (size_t)b->n * sizeof *b->step->work);
    if (!failed)
        return KB_SUCCESS;
    return kb_fail_with(KB_ERROR_ODES, "%ld of %ld ODEs failed, the first is %ld: %s", failed, b->n,
                        first, kb_status_text(b->count[first].status));
}

static int react(batch *b)
{
    in_blocks(b, pack_rows, BLOCK);
    if (found_by_energy(b))
        in_blocks(b, find_states, KB_FOUND_AT_ONCE);
    if (b->failed)
        return kb_fail_with(KB_ERROR_MEMORY, "no memory to find T of %ld states", b->n);
    int code = solve(b);
    if (code)
        return code;
    in_blocks(b, take_results, BLOCK);
    if (b->step->RR || b->step->RR_arrays)
        in_blocks(b, tell_sources, BLOCK);
    return told(b);
}

/* Y is checked as well: Y_arrays stand for it */
static int integrate(kb_integrator *it, long n, double *T, double *p, double *Y, double dt,
                     const kb_flow_step *step)
{
    int code = kb_check_arrays(it, n, T, p, step->Y_arrays ? (const void *)step->Y_arrays : Y);
    if (!code && step->Y_arrays && Y)
        code = kb_fail_with(KB_ERROR_ARGUMENT, "Y and Y_arrays: expected one of them");
    if (!code && !step->dt)
        code = kb_check_dt(dt);
    if (code || n == 0)
        return code;
    dt = step->dt ? kb_longest(n, step->dt) : dt;
    code = kb_choose_integrator(&it, n, dt, false);
    code = code ? code : kb_check_step(it, n, step);
    if (code)
        return code;
    kb_scratch_memory *s = kb_scratch_take(it, n);
    if (!s)
        return KB_ERROR_MEMORY;
    batch b = {it, n, it->solvers->nsp, T, p, Y, dt, step, s, s->count, 0};
    code = react(&b);
    kb_scratch_return(it, s);
    return code;
}

int kb_integrate(kb_integrator *it, long n, double *T, double *p, double *Y, double dt, int *status,
                 kb_work *work)
{
    KB_HOLD_CALLER();
    const kb_flow_step step = {.status = status, .work = work};
    return integrate(it, n, T, p, Y, dt, &step);
}

/* what this library knows of a step, of which the caller knows step->size; a later library's
 * members must be 0 */
static int take_step(const kb_flow_step *given, kb_flow_step *step)
{
    size_t known = sizeof *step;
    if (given->size < sizeof given->size)
        return kb_fail_with(KB_ERROR_ARGUMENT, "kb_flow_step: size = %zu, expected "
                            "sizeof(kb_flow_step)", given->size);
    for (size_t i = known; i < given->size; i++)
        if (((const char *)given)[i])
            return kb_fail_with(KB_ERROR_ARGUMENT,
                                "kb_flow_step: size = %zu with members that "
                                "libkinbench %s has not",
                                given->size, KINBENCH_VERSION);
    memcpy(step, given, given->size < known ? given->size : known);
    return KB_SUCCESS;
}

int kb_integrate_step(kb_integrator *it, long n, double *T, double *p, double *Y, double dt,
                      const kb_flow_step *step)
{
    KB_HOLD_CALLER();
    kb_flow_step taken = {0};
    int code = step ? take_step(step, &taken) : KB_SUCCESS;
    return code ? code : integrate(it, n, T, p, Y, dt, &taken);
}
