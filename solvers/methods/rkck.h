/* SPDX-License-Identifier: MIT
 *
 * RKCK: explicit Runge-Kutta-Cash-Karp 5(4), as in Niemeyer and Sung, J. Comput. Phys. 256 (2014)
 * 854, Eqs. 7-17 and Table 1 (coefficients of Cash and Karp, ACM Trans. Math. Softw. 16 (1990)
 * 201), the fifth-order solution propagated. Eq. 17 as printed takes the least restrictive
 * component; here, as in Press et al., Numerical Recipes, the most restrictive one decides. Where
 * the paper is silent: the first trial step is the whole global step; the last step is clipped to
 * end at dt; k1 is evaluated again for a repeated step. The step: explicit_rk.h.
 */
#pragma once

#include "solvers/methods/method.h"

enum { EXPLICIT_STAGES = 6 };
#define EXPLICIT_SHRINK (-0.25)

KB_TABLE double explicit_b[5][5] = {
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {3.0 / 10, -9.0 / 10, 6.0 / 5},
    {-11.0 / 54, 5.0 / 2, -70.0 / 27, 35.0 / 27},
    {1631.0 / 55296, 175.0 / 512, 575.0 / 13824, 44275.0 / 110592, 253.0 / 4096},
};
KB_TABLE double explicit_c[6] = {37.0 / 378, 0, 250.0 / 621, 125.0 / 594, 0, 512.0 / 1771};
/* c - c*: fifth-order less fourth-order weights */
KB_TABLE double explicit_e[6] = {37.0 / 378 - 2825.0 / 27648, 0, 250.0 / 621 - 18575.0 / 48384,
                                 125.0 / 594 - 13525.0 / 55296, -277.0 / 14336,
                                 512.0 / 1771 - 0.25};

/* Eq. 16 */
kb_fn lane explicit_scale(const kb_run *run, int i, lane y0, lane y, lane hf)
{
    (void)y;
    return run->rtol * (vabs(y0) + vabs(hf) + atol_of(run, i));
}

#include "solvers/methods/families/explicit_rk.h"

#define rkck_work explicit_work
#define rkck_persistent kb_no_persistent
#define rkck_step explicit_step

kb_fn void rkck_init(const kb_run *run, kb_ode *o, kb_no_persistent *persistent, rkck_work *w,
                     mask starting)
{
    (void)persistent;
    (void)w;
    o->h = vselect(starting, splat(run->dt), o->h);
}

#define RKCK_OPTIONS {KB_ATOLT_OPTION, {}}
#define RKCK_INFO                                                                                  \
    .source = "Niemeyer and Sung, J. Comput. Phys. 256 (2014) 854, Eqs. 7-17, Table 1",            \
    .summary = "explicit Runge-Kutta-Cash-Karp 5(4)", .order = 5, .rtol = 1e-10, .atol = 1e-30,    \
    .promise = {.kind = KB_EXPLICIT,                                                               \
                .error = 1e-8, .rhs = 6, .orders = {{0, 5, 8}, {0, 5, 16}},                        \
                .estimate = 5, .estimate_h = 0.05, .control = {1, 3, 1}}
