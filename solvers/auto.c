/* SPDX-License-Identifier: MIT */
#include "solvers/auto.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/engine_names.h"

static const kb_tuned measured[] = {
#define TUNED(nsp, dt, n, error, solver, engine, schedule, rtol, atol, threads, us)                \
    {nsp, dt, n, error, solver, engine, schedule, rtol, atol, threads, us},
#include "solvers/tuned.def"
#undef TUNED
};

const kb_tuned_table kb_tuned_here = {measured, sizeof measured / sizeof *measured};

static double square(double x) { return x * x; }

static double distance(const kb_tuned *t, const kb_request *r)
{
    return square(AUTO_SIZE * log10((double)t->nsp / r->nsp)) + square(log10(t->dt / r->dt)) +
           square(log10((double)t->n / (double)r->n));
}

static bool same_cell(const kb_tuned *a, const kb_tuned *b)
{
    return a->nsp == b->nsp && a->dt == b->dt && a->n == b->n;
}

static double time_of(const kb_tuned *t, const kb_request *r)
{
    return t->threads ? t->us * t->threads / r->threads : t->us;
}

/* within one cell */
static bool is_better(const kb_tuned *a, const kb_tuned *than, const kb_request *r)
{
    bool a_does = a->error <= r->error, than_does = than->error <= r->error;
    if (a_does != than_does)
        return a_does;
    return a_does ? time_of(a, r) < time_of(than, r) : a->error < than->error;
}

const kb_tuned *kb_auto_choose(const kb_tuned_table *table, const kb_request *r)
{
    const kb_tuned *best = NULL;
    for (int i = 0; i < table->count; i++) {
        const kb_tuned *t = &table->row[i];
        if (!r->there(r->context, t))
            continue;
        if (!best ||
            (same_cell(t, best) ? is_better(t, best, r) : distance(t, r) < distance(best, r)))
            best = t;
    }
    return best;
}

bool kb_is_auto(const char *text)
{
    size_t n = strlen(AUTO_NAME);
    return !strncmp(text, AUTO_NAME, n) && (!text[n] || text[n] == ':');
}

/* one ODE of a gas at rest in its first species */
bool kb_gpu_there(const kb_solvers *s)
{
    size_t nsp = (size_t)s->nsp;
    double *state = calloc(2 * nsp + 3, sizeof *state);
    if (!state)
        return false;
    kb_count count;
    kb_error err = {0};
    state[0] = 1000;
    state[1] = 1e5;
    state[2] = 1;
    kb_job job = {.n = 1, .states = state, .dt = 1e-9, .rtol = 1e-3, .atol = 1e-9};
    kb_result result = {.y = state + nsp + 2, .count = &count};
    bool there = false; /* from the last: teams need less memory than gpu-thread, the first */
    for (int i = s->nsolvers - 1; i >= 0 && !there; i--)
        there = kb_on_gpu(s->solvers[i]->info.engine) &&
                s->solvers[i]->run(s->solvers[i], &job, &result, &err) == KB_OK;
    free(state);
    return there;
}
