/* SPDX-License-Identifier: MIT
 *
 * One step of an embedded explicit Runge-Kutta pair:
 *   k_i = f(y + h sum_j b_ij k_j), y_new = y + h sum_i c_i k_i, error estimate h sum_i e_i k_i,
 * accepted when the largest of the components' errors over their scales is at most 1. k_1 is
 * evaluated again for a repeated step. h_new = 0.9 h err^(-1/5), at most 5 h; after a rejection 0.9
 * h err^EXPLICIT_SHRINK, at least 0.1 h.
 *
 * A method's file defines its init, which chooses the first step, and includes this one, once in a
 * program, after
 *   EXPLICIT_STAGES, EXPLICIT_SHRINK
 *   explicit_b             rows of stages 2 .. STAGES
 *   explicit_c, explicit_e weights of the solution and of the error
 *   explicit_scale         of component i, from its old and new value and h k_1
 */
#pragma once
#define KB_FAMILY_EXPLICIT_RK /* tests/order/estimate.h asks */

#include "solvers/problem.h"

#define EXPLICIT_FIELDS(ARRAY, ROWS, PART)                                                         \
    ARRAY(lane, y, N) ARRAY(lane, y0, N) ROWS(lane, k, EXPLICIT_STAGES)                            \
    PART(kb_kinetics, problem)
KB_WORK(explicit_work, EXPLICIT_FIELDS)

kb_fn void explicit_stages(const kb_run *run, kb_ode *o, explicit_work *w, lane h)
{
    for (int s = 0; s < EXPLICIT_STAGES; s++) {
        if (s > 0)
            each(i, N)
            {
                lane d = splat(0);
                for (int j = 0; j < s; j++)
                    d += explicit_b[s - 1][j] * w->k[j][i];
                w->y[i] = w->y0[i] + h * d;
            }
        problem_rhs(run, o, w->y, w->k[s], &w->problem);
    }
}

/* max_i |error_i / scale_i|; y becomes the new state */
kb_fn lane explicit_error(const kb_run *run, lane h, explicit_work *w)
{
    lane worst = splat(0);
    each_max(worst, i, N)
    {
        lane e = splat(0), d = splat(0);
        for (int s = 0; s < EXPLICIT_STAGES; s++) {
            e += explicit_e[s] * w->k[s][i];
            d += explicit_c[s] * w->k[s][i];
        }
        w->y[i] = w->y0[i] + h * d;
        worst = vmax(worst, vabs(h * e) / explicit_scale(run, i, w->y0[i], w->y[i],
                                                          h * w->k[0][i]));
    }
    return team_max(worst, N);
}

kb_fn void explicit_step(const kb_run *run, kb_ode *o, kb_no_persistent *persistent,
                         explicit_work *w)
{
    (void)persistent;
    lane h = clip_step(run, o);
    each(i, N) w->y0[i] = w->y[i];
    explicit_stages(run, o, w, h);
    o->rhs += EXPLICIT_STAGES * lane_count(o->active);
    lane err = explicit_error(run, h, w);
    mask accept = (err <= 1.0) & problem_valid(w->y);
    lane some = vmax(err, splat(1e-10));
    lane grow = vmin(0.9 * vpow(some, splat(-0.2)), splat(5));
    lane shrink = vmax(0.9 * vpow(some, splat(EXPLICIT_SHRINK)), splat(0.1));
    shrink = vselect((err > 1.0) & is_finite(shrink), shrink, splat(0.1));
    o->h = h * vselect(accept, grow, shrink);
    finish_step(run, o, h, accept, w->y, w->y0, N);
}
