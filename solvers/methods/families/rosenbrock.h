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
 * and then either
 *   rosenbrock_m, rosenbrock_e   the weights; ROSENBROCK_TAIL is 0
 * or, for a stiffly accurate method,
 *   ROSENBROCK_TAIL   number of last stages, 1 or more, whose argument is that of the stage before
 *                     plus its u; they have no rows in rosenbrock_a. y_new is the argument of the
 *                     last stage plus its u, which is the error estimate.
 * Coefficients are constants of the program, so that the compiler unrolls the loops over stages.
 */
#ifndef KB_ROSENBROCK_H
#define KB_ROSENBROCK_H

#include "solvers/methods/families/stages.h"
#include "solvers/methods/families/step_control.h"

typedef struct {
    lane y[N], y0[N], f[N], A[NNZ];
    stage_rows(u, ROSENBROCK_STAGES);
    kb_jacobian problem;
} rosenbrock_work;

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

kb_fn void rosenbrock_stages(const kb_run *run, kb_ode *o, rosenbrock_work *w, lane h)
{
    lane rh = 1.0 / h;
    for (int s = 0; s < ROSENBROCK_STAGES; s++) {
        lane *u = w->u[s];
        if (s >= ROSENBROCK_STAGES - ROSENBROCK_TAIL) {
            each(i, N) w->y[i] += w->u[s - 1][i];
        } else if (s > 0 && !(ROSENBROCK_REUSE >> s & 1)) {
            stages_add(w->y, w->y0, rosenbrock_a[s - 1], w->u, s);
        }
        if (s > 0 && !(ROSENBROCK_REUSE >> s & 1)) /* that of the first comes with J */
            problem_rhs(run, o, w->y, w->f, &w->problem.k);
        stages_add_scaled(u, w->f, rh, rosenbrock_c[s > 0 ? s - 1 : 0], w->u, s);
        problem_solve(w->A, u, u);
    }
}

/* the error estimate [N], once the result is there */
kb_fn const lane *rosenbrock_error(const rosenbrock_work *w)
{
    return ROSENBROCK_TAIL ? w->u[ROSENBROCK_STAGES - 1] : w->f;
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

kb_fn void rosenbrock_step(const kb_run *run, kb_ode *o, rosenbrock_persistent *persistent,
                           rosenbrock_work *w)
{
    stage_storage(w, ROSENBROCK_STAGES);
    each(i, N) w->y0[i] = w->y[i];
    problem_jacobian(run, o, w->y0, w->f, w->A, &w->problem);
    first_substep(run, o, run->opt[0], w->f, w->y0);
    lane h = clip_step(run, o);
    lane gi = 1.0 / (ROSENBROCK_GAMMA * h), err = splat(INFINITY);
    mask asked = o->active & growth_asks(&persistent->growth, h);
    lane reach = problem_factor(w->A, vselect(asked, ROSENBROCK_GROWTH * gi, gi));
    mask serve = growth_serves(&persistent->growth, o->active, asked, reach, h,
                               factors_reach(reach, gi, ROSENBROCK_GROWTH));
    mask on = o->active & serve & not_(asked);
    if (lane_any(on)) {
        rosenbrock_stages(run, o, w, h);
        rosenbrock_result(w);
        err = error_norm(run, rosenbrock_error(w), w->y0, w->y);
    }
    o->rhs += lane_count(o->active) + (ROSENBROCK_EVALUATIONS - 1) * lane_count(on);
    o->jac += lane_count(o->active);
    o->lu += lane_count(o->active);
    o->solve += ROSENBROCK_STAGES * lane_count(on);

    mask accept = on & (err <= 1.0) & problem_valid(w->y);
    rosenbrock_next_step(o, persistent, h, err, asked, serve, accept);
    finish_step(run, o, h, accept, w->y, w->y0, N);
}

#define ROSENBROCK_OPTIONS                                                                         \
    {                                                                                              \
        {"h0", "first substep as a fraction of dt; 0: 4 sqrt(2)/||f||", 0, 0, 1, KB_REAL},         \
            KB_PASS_OPTION, KB_ATOLT_OPTION,                                                       \
        {                                                                                          \
        }                                                                                          \
    }

#endif
