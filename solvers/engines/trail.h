/* SPDX-License-Identifier: MIT
 *
 * The attempts of the threads of a CPU engine, where the caller of a run wants them (kb_trail).
 */
#pragma once

#include "solvers/engines/engine.h"

/* evaluations of lane l until now, as retire_lane counts them */
static double evaluations(const kb_ode *o, int l)
{
    return lane_get(o->rhs, l) + KB_JACOBIAN_RHS * lane_get(o->jac, l);
}

static void trail_add(kb_trail *t, const kb_attempt *attempt, long n)
{
    if (t->n + n > t->most) {
        t->full = 1;
        return;
    }
    while (t->n + n > t->room) {
        t->room = t->room ? 2 * t->room : 1024;
        t->attempt = kb_realloc(t->attempt, (size_t)t->room, sizeof *t->attempt);
    }
    memcpy(t->attempt + t->n, attempt, (size_t)n * sizeof *attempt);
    t->n += n;
}

/* the attempt just made of the active lanes, with the ODEs id; before: their counters */
static void trail_note(kb_trail *t, const long *id, const kb_ode *o, const kb_ode *before)
{
    for (int l = 0; l < KB_LANES; l++)
        if (mask_get(o->active, l)) {
            double rhs = evaluations(o, l) - evaluations(before, l);
            trail_add(t, &(kb_attempt){(int32_t)id[l], (int32_t)rhs}, 1);
        }
}

/* one for each thread of a run, or NULL where the caller wants none */
static kb_trail *trails_of(const kb_trail *wanted, int threads)
{
    kb_trail *t = wanted ? kb_alloc((size_t)threads, sizeof *t) : NULL;
    for (int i = 0; t && i < threads; i++)
        t[i].most = wanted->most;
    return t;
}

/* what the threads noted to the caller; an ODE has all its attempts on one thread */
static void trails_end(kb_trail *all, kb_trail *t, int threads)
{
    for (int i = 0; t && i < threads; i++) {
        all->full |= t[i].full;
        if (t[i].n)
            trail_add(all, t[i].attempt, t[i].n);
        free(t[i].attempt);
    }
    free(t);
}
