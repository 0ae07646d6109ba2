/* SPDX-License-Identifier: MIT */
#include "drivers/bench/chain.h"

#include <string.h>

#include "solvers/forced_job.h"
#include "solvers/hand_on.h"

/* Writes the results y [n x (nsp + 1)] into the states, whose rows have so many columns */
static void hand_on(const kb_solvers *s, const kb_job *job, const double *y, double *states,
                    int columns)
{
    for (long i = 0; i < job->n; i++) {
        double *state = states + i * columns;
        const double *end = y + i * (s->nsp + 1);
        if (kb_unforced(job->reactor) == KB_CONST_V)
            state[1] = hand_on_pressure(s->nsp, s->W, state, end);
        state[0] = end[0];
        memcpy(state + 2, end + 1, (size_t)s->nsp * sizeof *state);
    }
}

/* attempts of a step, and of its lanes whether active or not */
typedef struct {
    double active, all;
} attempts;

static attempts attempts_of(const kb_result *r, long n)
{
    attempts a = {0};
    for (long i = 0; i < n; i++)
        a.active += r->count[i].attempted;
    a.all = r->lane_use > 0 ? a.active / r->lane_use : a.active;
    return a;
}

/* Adds what the step says to the sum, and leaves the step's y where the sum's is */
static void add_step(kb_result *sum, const kb_result *step, attempts *total, long n)
{
    attempts a = attempts_of(step, n);
    total->active += a.active;
    total->all += a.all;
    sum->total += step->total;
    sum->copy_in += step->copy_in;
    sum->kernel += step->kernel;
    sum->copy_out += step->copy_out;
    sum->lanes = step->lanes;
    sum->threads = step->threads;
    sum->slices = step->slices;
    sum->resident = step->resident;
    sum->ranks = step->ranks;
    sum->hosts = step->hosts;
    sum->imbalance = step->imbalance;
    sum->bytes += step->bytes;
    sum->lane_use = total->all > 0 ? total->active / total->all : 1;
    for (long i = 0; i < n; i++)
        hand_on_count(&sum->count[i], &step->count[i]);
}

static int run_steps(const kb_solvers *s, const kb_solver *solver, const kb_job *job,
                     const kb_chain_how *how, kb_result *result, kb_error *err)
{
    int columns = how->forced ? 2 * s->nsp + 3 : s->nsp + 2;
    size_t size = (size_t)job->n * (size_t)columns;
    double *states = kb_solvers_alloc(s, size, sizeof *states);
    kb_result step = {.y = result->y, .timeline = result->timeline,
                      .most_slices = result->most_slices,
                      .count = kb_solvers_alloc(s, (size_t)job->n, sizeof *step.count)};
    kb_job next = *job;
    attempts total = {0};
    int code = KB_OK;
    next.states = states;
    memcpy(states, job->states, size * sizeof *states);
    memset(result->count, 0, (size_t)job->n * sizeof *result->count);
    for (int k = 0; k < how->steps && !code; k++) {
        if (k > 0)
            hand_on(s, job, result->y, states, columns);
        if (k > 0 && how->mix)
            kb_mix_step(how->mix, job->states, k, job->dt, job->n, states);
        code = solver->run(solver, &next, &step, err);
        if (!code)
            add_step(result, &step, &total, job->n);
    }
    s->memory_free(states);
    s->memory_free(step.count);
    return code;
}

const char *const kb_chain_names[] = {[KB_CHAIN_HOST] = "host", [KB_CHAIN_DEVICE] = "device",
                                      NULL};

static int run_on_device(const kb_solvers *s, const kb_solver *solver, const kb_job *job, int steps,
                         kb_result *result, kb_error *err)
{
    *result = (kb_result){.y = result->y, .count = result->count, .timeline = result->timeline,
                          .most_slices = result->most_slices};
    if (solver->open && s->chain_on_device)
        return s->chain_on_device(solver, job, steps, s->nsp, s->W, result, err);
    return kb_fail(err, KB_NOTHING, "%s on %s copies its states in each step: they cannot stay on "
                   "the device (take --chain host)", solver->info.name, solver->info.engine);
}

int kb_chain_run(const kb_solvers *s, const kb_solver *solver, const kb_job *job,
                 const kb_chain_how *how, kb_result *result, kb_error *err)
{
    kb_job forced = *job;
    if (how->forced) {
        forced.reactor = kb_with_forcing(job->reactor);
        job = &forced;
    }
    if (how->chain == KB_CHAIN_DEVICE)
        return run_on_device(s, solver, job, how->steps, result, err);
    return how->steps > 1 ? run_steps(s, solver, job, how, result, err)
                          : solver->run(solver, job, result, err);
}
