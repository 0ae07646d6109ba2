/* SPDX-License-Identifier: MIT
 *
 * The explicit first pass (option `pass` of every implicit method and of CVODE): one step of Heun's
 * method over the whole of dt, two evaluations of f and no Jacobian, for the ODEs that need no
 * more; the others go to the method as if nothing had been tried. Engines call it before
 * METHOD_init.
 *
 * It is accepted where
 *   |y_Heun - y_Euler|_i <= PASS_ERROR (atol + rtol |y_i|)                  for every i, and
 *   dt |f1 - f0|_i <= PASS_GROWTH (|y_i| + dt |f0|_i) + PASS_FLOOR atol      for every i,
 * f0 at y and f1 at y + dt f0. The second is the test of growth, without which a mixture about to
 * ignite passes: all that happens in it is far below atol. Nothing, however little there is of it,
 * may change the rates by which it is made or lost in the course of dt. What is below the floor
 * would have to grow 10^4 times to reach atol; a lower floor keeps ODEs from passing whose fast
 * radicals are of no account (results/trials/methods.md).
 */
#pragma once

#include "solvers/problem.h"

#define PASS_ERROR 1.0
#define PASS_GROWTH 1.0
#define PASS_FLOOR 1e-4

/* lies where the method's work does, which begins with y as well */
#define PASS_FIELDS(ARRAY, ROWS, PART)                                                             \
    ARRAY(lane, y, N) ARRAY(lane, f, N) ARRAY(lane, end, N) ARRAY(lane, g, N)                      \
    PART(kb_kinetics, problem)
KB_WORK(pass_work, PASS_FIELDS)

/* where Euler's step goes further than 1/sqrt(rtol) of the tolerance, or f is NaN */
kb_fn mask pass_far(const kb_run *run, const pass_work *w, lane dt)
{
    double most = 1 / sqrt(run->rtol);
    mask far = mask_none();
    each_any(i, N)
    {
        lane allowed = most * (atol_of(run, i) + run->rtol * vabs(w->y[i]));
        far = far | not_(dt * vabs(w->f[i]) <= allowed);
    }
    return team_any_of(far);
}

/* Heun's result into w->end; where its error or its growth is more than is allowed, or NaN */
kb_fn mask pass_fails(const kb_run *run, pass_work *w, lane dt)
{
    mask fails = mask_none();
    each_any(i, N)
    {
        lane size = vabs(w->y[i]), d = dt * (w->g[i] - w->f[i]), most = vabs(d);
        w->end[i] += 0.5 * d;
        mask small = 0.5 * most <= PASS_ERROR * (atol_of(run, i) + run->rtol * size);
        lane growth = PASS_GROWTH * (size + dt * vabs(w->f[i]));
        fails = fails | not_(small & (most <= growth + PASS_FLOOR * atol_of(run, i)));
    }
    return team_any_of(fails);
}

/* Tries the ODEs under on, which are at their begin; those under the result are at dt and done.
 * Heun's step is not tried where the change is above 1/sqrt(rtol) of the tolerance: it would not
 * do. */
kb_fn mask pass_step(const kb_run *run, kb_ode *o, pass_work *w, mask on)
{
    lane dt = run->dt - o->t;
    team_sync();
    problem_rhs(run, o, w->y, w->f, &w->problem);
    team_sync();
    mask some = on & not_(pass_far(run, w, dt));
    o->rhs += lane_count(on);
    each(i, N) w->end[i] = w->y[i] + dt * w->f[i];
    team_sync();
    some = some & problem_valid(w->end);
    if (!lane_any(some))
        return some;
    team_sync();
    each(i, N) w->end[i] = vselect(some, w->end[i], w->y[i]);
    team_sync();
    problem_rhs(run, o, w->end, w->g, &w->problem);
    team_sync();
    o->rhs += lane_count(some);
    /* before the end is looked at: it adds to it */
    mask done = some & not_(pass_fails(run, w, dt));
    done = done & problem_valid(w->end);
    team_sync();
    each(i, N) w->y[i] = vselect(done, w->end[i], w->y[i]);
    team_sync();
    o->t = vselect(done, splat(run->dt), o->t);
    o->attempted += lane_count(done);
    o->accepted += lane_count(done);
    return done;
}
