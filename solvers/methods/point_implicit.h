/* SPDX-License-Identifier: MIT
 *
 * Point-implicit: backward Euler, linearised once, (1/h I - J) (y_new - y) = f(y); Le and Cambier,
 * "Development of a flow solver with complex kinetics on the graphic processing units" (2013), Eq.
 * 29. No error control: the tolerances are not used. Where the paper is silent: the whole global
 * step is one step unless the option says otherwise; T is one of the unknowns; the Jacobian is
 * exact; an ODE whose new state is impossible ends there with a status.
 */
#pragma once

#include "solvers/problem.h"

#define POINT_IMPLICIT_FIELDS(ARRAY, ROWS, PART)                                                   \
    ARRAY(lane, y, N) ARRAY(lane, y0, N) ARRAY(lane, f, N) ARRAY(lane, A, NNZ)                     \
    PART(kb_jacobian, problem)
KB_WORK(point_implicit_work, POINT_IMPLICIT_FIELDS)

#define point_implicit_persistent kb_no_persistent

kb_fn void point_implicit_init(const kb_run *run, kb_ode *o, kb_no_persistent *persistent,
                               point_implicit_work *w, mask starting)
{
    (void)persistent;
    (void)w;
    lane dt = run->dt - o->t;
    o->h = vselect(starting, run->opt[0] > 1 ? dt / run->opt[0] : dt, o->h);
}

kb_fn void point_implicit_step(const kb_run *run, kb_ode *o, kb_no_persistent *persistent,
                               point_implicit_work *w)
{
    (void)persistent;
    lane h = clip_step(run, o);
    each(i, N) w->y0[i] = w->y[i];
    problem_jacobian(run, o, w->y0, w->f, w->A, &w->problem);
    problem_factor(w->A, 1.0 / h);
    problem_solve(w->A, w->f, w->f);
    each(i, N) w->y[i] += w->f[i];
    o->rhs += lane_count(o->active);
    o->jac += lane_count(o->active);
    o->lu += lane_count(o->active);
    o->solve += lane_count(o->active);

    mask lost = mask_none();
    each_any(i, N) lost = lost | not_(is_finite(w->y[i]));
    mask finite = not_(team_any_of(lost)), accept = finite & problem_valid(w->y);
    ode_fail(o, not_(finite), KB_ODE_NOT_FINITE);
    ode_fail(o, not_(accept), KB_ODE_BOUNDS);
    finish_step(run, o, h, accept, w->y, w->y0, N);
}

#define POINT_IMPLICIT_OPTIONS                                                             \
    {{"steps", "equal substeps in dt", 1, 1, 1e9, KB_WHOLE}, {}}
#define POINT_IMPLICIT_INFO                                                                        \
    .source = "Le and Cambier 2013, Eq. 29",                                                       \
    .summary = "linearised backward Euler, no error control",                                      \
    .order = 1, .rtol = 1e-4, .atol = 1e-10,                                                       \
    .promise = {.kind = KB_POINT_IMPLICIT,                                                         \
                .error = 1e-3, .rhs = 1, .jac = 1, .fixed = 1,                                     \
                .orders = {{0, 1, 64}, {0, 1, 128}}}
