/* SPDX-License-Identifier: MIT
 *
 * One step of a Rosenbrock method with an exact Jacobian; Hairer and Wanner, Solving Ordinary
 * Differential Equations II (1996), section IV.7. With the transformed stages u_i the Jacobian is
 * never multiplied:
 *   (1/(gamma h) I - J) u_i = f(y + sum_j a_ij u_j) + sum_j (c_ij/h) u_j,
 *   y_new = y + sum_i m_i u_i,   error estimate sum_i e_i u_i.
 * One exact sparse Jacobian and one factorisation for each attempt, also for one that only asks
 * about growth (kb_growth, method.h) and has no stages. The problem is autonomous.
 *
 * A method's file defines, and then includes this one, once in a program:
 *   ROSENBROCK_STAGES, ROSENBROCK_GAMMA
 *   ROSENBROCK_GROWTH largest gamma h lambda at which the method grows at exp's rate to 2 %
 *   ROSENBROCK_REUSE  bit i: stage i (from 0) reuses f of the stage before it, as its argument is
 *                     the same or the method says so; 0: every stage evaluates f
 *   ROSENBROCK_POWER  order of the error estimate plus one
 *   rosenbrock_a      rows of the second stage and the following; those of reused f are not read
 *   rosenbrock_c      rows of the second stage and the following
 *   ROSENBROCK_GROWN  only if less than 1: part of atol for what grows (growth_norm)
 * and then either
 *   rosenbrock_m, rosenbrock_e   the weights; ROSENBROCK_TAIL is 0
 * or, for a stiffly accurate method,
 *   ROSENBROCK_TAIL   number of last stages, 1 or more, whose argument is that of the stage before
 *                     plus its u; they have no rows in rosenbrock_a. y_new is the argument of the
 *                     last stage plus its u, which is the error estimate.
 * Coefficients are constants of the program, so that the compiler unrolls the loops over stages.
 */
#pragma once
#define KB_FAMILY_ROSENBROCK /* tests/order/estimate.h asks */

#include "solvers/methods/families/stages.h"
#include "solvers/methods/families/step_control.h"
#if KB_FLOAT_FACTORS
#include "solvers/portable/denormals.h"
#endif

#ifndef ROSENBROCK_GROWN
#define ROSENBROCK_GROWN 1
#endif

#if defined(KB_INEXACT_SERVES) && KB_DROP_FACTORS
#define ROSENBROCK_DROP_OPTION KB_DROP_OPTION,
#else
#define ROSENBROCK_DROP_OPTION
#endif

#define KB_EVEN_ATTEMPTS 1 /* each takes J, factors and all stages */

#define ROSENBROCK_FIELDS(ARRAY, ROWS, PART)                                                       \
    ARRAY(lane, y, N) ARRAY(lane, y0, N) ARRAY(lane, f, N)                                         \
    ARRAY(kb_stored, A, NNZ)                                                                       \
    stage_rows(ROWS, u, ROSENBROCK_STAGES)                                                         \
    PART(kb_jacobian, problem)
KB_WORK(rosenbrock_work, ROSENBROCK_FIELDS)

enum { ROSENBROCK_EVALUATIONS = ROSENBROCK_STAGES - __builtin_popcount(ROSENBROCK_REUSE) };

typedef struct {
    kb_flag rejected; /* the attempt before failed: the step may not grow at once */
    kb_growth growth;
} rosenbrock_persistent;

kb_fn void rosenbrock_init(const kb_run *run, kb_ode *o, rosenbrock_persistent *persistent,
                           rosenbrock_work *w, mask starting)
{
    (void)run;
    (void)w;
    o->h = vselect(starting, splat(-1), o->h); /* step chooses it, when f is known */
    persistent->rejected = persistent->rejected & not_(starting);
    growth_start(&persistent->growth, starting);
}

/* an attempt of one vector of lanes */
typedef struct {
    kb_ode *o;
    rosenbrock_persistent *persistent;
    rosenbrock_work *w;
    lane h, gi, reach, err;
    mask asked, serve, on;
} rosenbrock_attempt;

/* that of the factors */
kb_fn lane rosenbrock_gi(const rosenbrock_attempt *a)
{
    return vselect(a->asked, ROSENBROCK_GROWTH * a->gi, a->gi);
}

/* The linear algebra of n attempts: 1, or with KB_FLOAT_FACTORS that of FLOAT_VECTORS in floats,
 * whose matrix is where the first has its own */
kb_fn void rosenbrock_jacobian(const kb_run *run, rosenbrock_attempt *a, int n, int v)
{
    rosenbrock_work *w = a[v].w;
#if KB_FLOAT_FACTORS
    if (n > 1) {
        problem_float_jacobian(run, a[v].o, w->y0, w->f, a->w->A, v, &a->w->problem);
        return;
    }
#endif
    (void)n;
    problem_jacobian(run, a[v].o, w->y0, w->f, w->A, &w->problem);
}

kb_fn void rosenbrock_factor(const kb_run *run, rosenbrock_attempt *a, int n)
{
#if defined(KB_INEXACT_SERVES) && KB_DROP_FACTORS
    if (run->drop > 0) {
        a->reach = problem_drop_factor(run, a->o, a->w->y0, a->w->A, rosenbrock_gi(a));
        return;
    }
#endif
#if KB_FLOAT_FACTORS
    if (n > 1) {
        lane gi[FLOAT_VECTORS], reach[FLOAT_VECTORS];
        for (int v = 0; v < n; v++)
            gi[v] = rosenbrock_gi(&a[v]);
        problem_float_factor(a->w->A, gi, reach);
        for (int v = 0; v < n; v++)
            a[v].reach = reach[v];
        return;
    }
#endif
    (void)run, (void)n;
    a->reach = problem_factor(a->w->A, rosenbrock_gi(a));
}

/* u of stage s, in place */
kb_fn void rosenbrock_solve(const kb_run *run, rosenbrock_attempt *a, int n, int s)
{
#if defined(KB_INEXACT_SERVES) && KB_DROP_FACTORS
    if (run->drop > 0) {
        problem_drop_solve(a->o, a->w->u[s], a->w->u[s]);
        return;
    }
#endif
#if KB_FLOAT_FACTORS
    if (n > 1) {
        lane *u[FLOAT_VECTORS];
        for (int v = 0; v < n; v++)
            u[v] = a[v].w->u[s];
        problem_float_solve(a->w->A, u);
        return;
    }
#endif
    (void)run, (void)n;
    problem_solve(a->w->A, a->w->u[s], a->w->u[s]);
}

/* u of stage s before the solve */
kb_fn void rosenbrock_stage(const kb_run *run, rosenbrock_attempt *a, int s, kb_jacobian *problem)
{
    rosenbrock_work *w = a->w;
    if (s >= ROSENBROCK_STAGES - ROSENBROCK_TAIL) {
        each(i, N) w->y[i] += w->u[s - 1][i];
    } else if (s > 0 && !(ROSENBROCK_REUSE >> s & 1)) {
        stages_add(w->y, w->y0, rosenbrock_a[s - 1], w->u, s);
    }
    if (s > 0 && !(ROSENBROCK_REUSE >> s & 1)) /* that of the first comes with J */
        problem_rhs(run, a->o, w->y, w->f, &problem->k);
    stages_add_scaled(w->u[s], w->f, 1.0 / a->h, rosenbrock_c[s > 0 ? s - 1 : 0], w->u, s);
}

/* the error estimate [N], once the result is there */
kb_fn const lane *rosenbrock_error(const rosenbrock_work *w)
{
    return ROSENBROCK_TAIL ? w->u[ROSENBROCK_STAGES - 1] : w->f;
}

kb_fn lane rosenbrock_norm(const kb_run *run, const rosenbrock_work *w)
{
    const lane *e = rosenbrock_error(w);
    return ROSENBROCK_GROWN < 1 ? growth_norm(run, e, w->y0, w->y, ROSENBROCK_GROWN)
                                : error_norm(run, e, w->y0, w->y);
}

/* y_new into w->y, and the error estimate */
kb_fn void rosenbrock_result(rosenbrock_work *w)
{
#if ROSENBROCK_TAIL
    each(i, N) w->y[i] += w->u[ROSENBROCK_STAGES - 1][i];
#else
    each(i, N)
    {
        lane d = w->y0[i], e = splat(0);
        for (int s = 0; s < ROSENBROCK_STAGES; s++) {
            d += rosenbrock_m[s] * w->u[s][i];
            e += rosenbrock_e[s] * w->u[s][i];
        }
        w->y[i] = d;
        w->f[i] = e;
    }
#endif
    team_sync();
}

/* The next step: from the error of this one; the same where this attempt asked about growth and
 * the method follows it; a part of it where it does not, or the factors do not serve. */
kb_fn void rosenbrock_next_step(kb_ode *o, rosenbrock_persistent *persistent, lane h, lane err,
                                mask asked, mask serve, mask accept)
{
    lane factor = 0.9 * vpow(vmax(err, splat(1e-8)), splat(-1.0 / ROSENBROCK_POWER));
    factor = vmin(vmax(factor, splat(0.1)), splat(6));
    factor = vselect(is_finite(factor), factor, splat(0.1));
    factor = vselect(accept & not_(persistent->rejected), factor, vmin(factor, splat(1)));
    factor = vselect(accept, factor, vmin(factor, splat(0.5)));
    persistent->rejected = not_(accept) & (persistent->rejected | not_(asked & serve));
    o->h = h * vselect(serve, vselect(asked, splat(1), factor), splat(KB_REFUSED));
}

/* Tolerances that y may change by in the first substep. A solution that begins off its slow
 * manifold falls towards it first; a stiffly accurate method of order 4 follows that over many
 * tolerances, and its error estimate is the judge (results/trials/methods.md). */
#define ROSENBROCK_FIRST_MOST 200

kb_fn double rosenbrock_first_change(const kb_run *run)
{
    double change = 2 / sqrt(run->rtol);
    if (ROSENBROCK_POWER < 4 || !ROSENBROCK_TAIL)
        return FIRST_CHANGE;
    return change < ROSENBROCK_FIRST_MOST ? change : ROSENBROCK_FIRST_MOST;
}

/* up to the factors */
kb_fn void rosenbrock_begin(const kb_run *run, rosenbrock_attempt *a, int n, int v)
{
    rosenbrock_attempt *t = &a[v];
    rosenbrock_work *w = t->w;
    each(i, N) w->y0[i] = w->y[i];
    rosenbrock_jacobian(run, a, n, v);
    first_substep(run, t->o, run->opt[0], rosenbrock_first_change(run), w->f, w->y0);
    t->h = clip_step(run, t->o);
    t->gi = 1.0 / (ROSENBROCK_GAMMA * t->h);
    t->asked = t->o->active & growth_asks(&t->persistent->growth, t->h);
}

/* whether the factors serve */
kb_fn void rosenbrock_judge(rosenbrock_attempt *a)
{
    a->serve = growth_serves(&a->persistent->growth, a->o->active, a->asked, a->reach, a->h,
                             factors_reach(a->reach, a->gi, ROSENBROCK_GROWTH));
    a->on = a->o->active & a->serve & not_(a->asked);
    a->err = splat(INFINITY);
}

kb_fn void rosenbrock_end(const kb_run *run, rosenbrock_attempt *a)
{
    kb_ode *o = a->o;
    rosenbrock_work *w = a->w;
    o->rhs += lane_count(o->active) + (ROSENBROCK_EVALUATIONS - 1) * lane_count(a->on);
    o->jac += lane_count(o->active);
    o->lu += lane_count(o->active);
    o->solve += ROSENBROCK_STAGES * lane_count(a->on);

    mask accept = a->on & (a->err <= 1.0) & problem_valid(w->y);
    rosenbrock_next_step(o, a->persistent, a->h, a->err, a->asked, a->serve, accept);
    finish_step(run, o, a->h, accept, w->y, w->y0, N);
}

/* one of several has no ODEs any more: nothing is evaluated for it */
kb_fn int rosenbrock_idle(const rosenbrock_attempt *a, int n)
{
    return n > 1 && !lane_any(a->o->active);
}

kb_fn void rosenbrock_stages(const kb_run *run, rosenbrock_attempt *a, int n)
{
    for (int s = 0; s < ROSENBROCK_STAGES; s++) {
        for (int v = 0; v < n; v++)
            if (!rosenbrock_idle(&a[v], n))
                rosenbrock_stage(run, &a[v], s, &a->w->problem);
        rosenbrock_solve(run, a, n, s);
    }
}

/* n attempts together */
kb_fn void rosenbrock_attempts(const kb_run *run, rosenbrock_attempt *a, int n)
{
    int any = 0;
    for (int v = 0; v < n; v++)
        if (!rosenbrock_idle(&a[v], n))
            rosenbrock_begin(run, a, n, v);
    rosenbrock_factor(run, a, n);
    for (int v = 0; v < n; v++) {
        rosenbrock_judge(&a[v]);
        any |= lane_any(a[v].on);
    }
    if (any)
        rosenbrock_stages(run, a, n);
    for (int v = 0; v < n; v++) {
        rosenbrock_work *w = a[v].w;
        if (any) {
            rosenbrock_result(w);
            a[v].err = rosenbrock_norm(run, w);
        }
        rosenbrock_end(run, &a[v]);
    }
}

kb_fn void rosenbrock_step(const kb_run *run, kb_ode *o, rosenbrock_persistent *persistent,
                           rosenbrock_work *w)
{
    stage_storage(w, ROSENBROCK_STAGES);
    rosenbrock_attempt a = {.o = o, .persistent = persistent, .w = w};
    rosenbrock_attempts(run, &a, 1);
}

#if KB_FLOAT_FACTORS && defined(KB_FLOATS_SERVE)
#define KB_FLOAT_STEP rosenbrock_float_step

kb_fn void rosenbrock_float_step(const kb_run *run, kb_ode *const *o,
                                 rosenbrock_persistent *const *persistent,
                                 rosenbrock_work *const *w)
{
    rosenbrock_attempt a[FLOAT_VECTORS];
    for (int v = 0; v < FLOAT_VECTORS; v++)
        a[v] = (rosenbrock_attempt){.o = o[v], .persistent = persistent[v], .w = w[v]};
    unsigned before = kb_flush_denormals();
    rosenbrock_attempts(run, a, FLOAT_VECTORS);
    kb_restore_denormals(before);
}
#endif

#ifdef KB_FLOAT_STEP
#define ROSENBROCK_FLOAT_OPTION KB_FLOAT_OPTION,
#else
#define ROSENBROCK_FLOAT_OPTION
#endif

#define ROSENBROCK_OPTIONS                                                                         \
    {                                                                                              \
        {"h0", "first substep as a fraction of dt; 0: by ||f|| and rtol", 0, 0, 1, KB_REAL},       \
            KB_PASS_OPTION, KB_ATOLT_OPTION, ROSENBROCK_FLOAT_OPTION ROSENBROCK_DROP_OPTION        \
        {                                                                                          \
        }                                                                                          \
    }
