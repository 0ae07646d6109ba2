/* SPDX-License-Identifier: MIT
 *
 * RKF45: explicit Runge-Kutta-Fehlberg 4(5) (Fehlberg, NASA TR R-315, 1969), as named in Stone and
 * Niemeyer's slides of 2014: the fourth-order solution is propagated, its error estimated by the
 * fifth-order one, the first step taken from f and the tolerance. Where they are silent, as in the
 * code RKF45 of Watts and Shampine: the first step is the largest with |f_i| h^5 <= atol + rtol
 * |y_i|, at most dt; the scale is atol plus rtol times the mean of old and new magnitude; the
 * worst component decides; exponent 1/5 both ways. The f of the first step's choice counts as a
 * right-hand side. The step: explicit_rk.h.
 */
#pragma once

#include "solvers/problem.h"

enum { EXPLICIT_STAGES = 6 };
#define EXPLICIT_SHRINK (-0.2)

KB_TABLE double explicit_b[5][5] = {
    {1.0 / 4},
    {3.0 / 32, 9.0 / 32},
    {1932.0 / 2197, -7200.0 / 2197, 7296.0 / 2197},
    {439.0 / 216, -8, 3680.0 / 513, -845.0 / 4104},
    {-8.0 / 27, 2, -3544.0 / 2565, 1859.0 / 4104, -11.0 / 40},
};
KB_TABLE double explicit_c[6] = {25.0 / 216, 0, 1408.0 / 2565, 2197.0 / 4104, -1.0 / 5, 0};
/* fifth-order less fourth-order weights */
KB_TABLE double explicit_e[6] = {1.0 / 360, 0, -128.0 / 4275, -2197.0 / 75240, 1.0 / 50, 2.0 / 55};

kb_fn lane explicit_scale(const kb_run *run, int i, lane y0, lane y, lane hf)
{
    (void)hf;
    return atol_of(run, i) + 0.5 * run->rtol * (vabs(y0) + vabs(y));
}

#include "solvers/methods/families/explicit_rk.h"

#define rkf45_work explicit_work
#define rkf45_persistent kb_no_persistent
#define rkf45_step explicit_step

kb_fn void rkf45_init(const kb_run *run, kb_ode *o, kb_no_persistent *persistent, rkf45_work *w,
                      mask starting)
{
    (void)persistent;
    lane steepest = splat(0);
    problem_rhs(run, o, w->y, w->k[0], &w->problem);
    each_max(steepest, i, N)
        steepest = vmax(steepest,
                        vabs(w->k[0][i]) / (atol_of(run, i) + run->rtol * vabs(w->y[i])));
    steepest = team_max(steepest, N);
    lane h = vpow(vmax(steepest, splat(1e-300)), splat(-0.2));
    o->h = vselect(starting, vselect(h < run->dt, h, splat(run->dt)), o->h);
    o->rhs += lane_count(starting);
}

#define RKF45_OPTIONS {KB_ATOLT_OPTION, {}}
#define RKF45_INFO                                                                                 \
    .source = "Stone and Niemeyer 2014 (slides); Fehlberg, NASA TR R-315 (1969)",                  \
    .summary = "explicit Runge-Kutta-Fehlberg 4(5)", .order = 4, .rtol = 1e-10, .atol = 1e-13,     \
    .promise = {.kind = KB_EXPLICIT,                                                               \
                .error = 1e-5, .rhs = 6, .rhs_once = 1,                                            \
                .orders = {{0, 4, 16}, {0, 4, 32}}, .estimate = 5,                                 \
                .estimate_h = 0.05, .control = {0.8, 1, 1}}
