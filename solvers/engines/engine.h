/* SPDX-License-Identifier: MIT
 *
 * What the loops over ODEs of all engines share (cpu.c, gpu_kernel.cuh). Each is one flat loop of
 * attempted substeps: a lane whose ODE has ended is written out and, by the schedule, takes the
 * next one (refill; on a CPU it may wait for that, cpu.c) or waits for its neighbours (static).
 *
 * Compiled once for each method and engine with KB_METHOD, the method's name; KB_METHOD_HEADER its
 * file.
 */
#pragma once

#include <assert.h>
#include <string.h>

#ifdef KB_FORCED
#include "solvers/forced_job.h"
#endif
#include "solvers/methods/first_pass.h"
#include KB_METHOD_HEADER

#define KB_JOIN_(a, b) a##b
#define KB_JOIN(a, b) KB_JOIN_(a, b)
#define METHOD_work KB_JOIN(KB_METHOD, _work)
#define METHOD_persistent KB_JOIN(KB_METHOD, _persistent)
#define METHOD_init KB_JOIN(KB_METHOD, _init)
#define METHOD_step KB_JOIN(KB_METHOD, _step)

#ifndef KB_JACOBIAN_RHS
#define KB_JACOBIAN_RHS 0 /* evaluations of the right-hand side that a Jacobian takes */
#endif

#define KB_TEXT_(x) #x
#define KB_TEXT(x) KB_TEXT_(x)

static_assert(sizeof(pass_work) <= sizeof(METHOD_work), "the first pass has room");

/* the ODEs of one call */
typedef struct {
    long n;
    const double *states; /* n x (N + 1) */
    double *y;            /* n x N */
    kb_count *count;      /* n */
    int refill;
    const double *dts, *begin; /* of a CPU, or NULL: as in kb_job */
    double *next_h;            /* as in kb_result */
#ifdef KB_FORCED
    long columns; /* of states: N + 1, or with the forcing 2 N + 1 */
#endif
} kb_batch;

#ifdef KB_FORCED
static inline long columns_of(const kb_job *job)
{
    return job->reactor == kb_unforced(job->reactor) ? N + 1 : 2 * N + 1;
}
#endif

/* a NaN or an infinity */
kb_fn int not_finite(double x) { return !(x - x == 0); }

/* why an ODE cannot start, 0: it can; lost: a number of its state s is not finite */
kb_fn int impossible(const double *s, int lost)
{
    if (lost)
        return KB_ODE_NOT_FINITE;
    return s[0] > KB_T_LOW && s[0] < KB_T_HIGH && s[1] > 0 ? 0 : KB_ODE_BOUNDS;
}

/* n options of the method, from the job or their defaults */
static inline kb_run run_of(const kb_job *job, const kb_option *options, int n)
{
    double max_substeps = job->max_substeps ? (double)job->max_substeps : 1e6;
    kb_run run = {job->dt, job->rtol, job->atol, max_substeps, 0, {0}, job->reactor, 0, 0, 0};
#ifdef KB_FORCED
    run.reactor = kb_unforced(job->reactor);
#endif
    for (int k = 0; k < n; k++) {
        double value = job->options ? job->options[k] : options[k].value;
        if (!strcmp(options[k].name, "pass"))
            run.pass = value > 0;
        else if (!strcmp(options[k].name, "float"))
            run.floats = value > 0;
        else if (!strcmp(options[k].name, "drop"))
            run.drop = value;
        else if (!strcmp(options[k].name, "atolt"))
            run.atolt = value;
        else
            run.opt[k] = value;
    }
    return run;
}

/* unknown i of (T, Y) in a state (T, p, Y) */
kb_fn double unknown_of_state(const double *s, int i) { return s[i ? i + 1 : 0]; }

/* what is constant of a state s; the threads of a team share the sum */
kb_fn double fixed_of_state(const kb_run *run, const double *s)
{
    if (!at_constant_volume(run->reactor))
        return s[1];
#if KB_TEAM > 1
    double sigma = 0;
    each(i, NSP) sigma += s[2 + i] * kb_rW[i];
    return s[1] / (GAS_CONSTANT * s[0] * lane_get(team_sum(splat(sigma), NSP), 0));
#else
    return kin_density(s[0], s[1], s + 2);
#endif
}

/* puts ODE number k on lane l */
kb_fn void load_lane(const kb_run *run, const kb_batch *batch, long k, int l, kb_ode *o, lane *y)
{
#ifdef KB_FORCED
    const double *s = batch->states + k * batch->columns;
    each(i, N) lane_put(&o->forcing[i], l, batch->columns > N + 1 ? s[N + 1 + i] : 0);
#else
    const double *s = batch->states + k * (N + 1);
#endif
    int lost = not_finite(s[1]);
    each_any(i, N)
    {
        double v = unknown_of_state(s, i);
        lane_put(&y[i], l, v);
        lost |= not_finite(v);
    }
    lost = team_any(lost);
    lane_put(&o->fixed, l, fixed_of_state(run, s));
    lane_put(&o->t, l, 0);
    lane_put(&o->h, l, 0);
    lane_put(&o->status, l, impossible(s, lost));
    lane_put(&o->attempted, l, 0);
    lane_put(&o->accepted, l, 0);
    lane_put(&o->rhs, l, 0);
    lane_put(&o->jac, l, 0);
    lane_put(&o->lu, l, 0);
    lane_put(&o->solve, l, 0);
    mask_put(&o->active, l, 1);
    team_sync();
}

/* writes the ODE k on lane l out */
kb_fn void retire_lane(const kb_batch *batch, long k, int l, kb_ode *o, const lane *y)
{
    kb_count *c = &batch->count[k];
    int lost = 0;
    each_any(i, N)
    {
        double v = lane_get(y[i], l);
        batch->y[k * N + i] = v;
        lost |= not_finite(v);
    }
    lost = team_any(lost);
    mask_put(&o->active, l, 0);
    if (team_rank() > 0)
        return;
    c->attempted = (int32_t)lane_get(o->attempted, l);
    c->accepted = (int32_t)lane_get(o->accepted, l);
    c->rejected = c->attempted - c->accepted;
    c->jac = (int32_t)lane_get(o->jac, l);
    c->rhs = (int32_t)lane_get(o->rhs, l) + KB_JACOBIAN_RHS * c->jac;
    c->lu = (int32_t)lane_get(o->lu, l);
    c->solve = (int32_t)lane_get(o->solve, l);
    c->status = (int32_t)lane_get(o->status, l);
    if (c->status == 0 && lost)
        c->status = KB_ODE_NOT_FINITE;
}

/* idle lanes get a copy of a running one, so that none of them computes with NaN */
kb_fn void park_lane(int l, int from, kb_ode *o, lane *y)
{
    each(i, N) lane_put(&y[i], l, lane_get(y[i], from));
#ifdef KB_FORCED
    each(i, N) lane_put(&o->forcing[i], l, lane_get(o->forcing[i], from));
#endif
    lane_put(&o->fixed, l, lane_get(o->fixed, from));
    lane_put(&o->t, l, lane_get(o->t, from));
    lane_put(&o->h, l, lane_get(o->h, from));
}
