/* SPDX-License-Identifier: MIT
 *
 * RKCK: explicit Runge-Kutta-Cash-Karp 5(4), as in Niemeyer and Sung, J. Comput. Phys. 256 (2014) 854,
 * Eqs. 7-17 and Table 1 (coefficients of Cash and Karp, ACM Trans. Math. Softw. 16 (1990) 201), the fifth-order
 * solution propagated. Eq. 17 as printed takes the least restrictive component; here, as in Press et al.,
 * Numerical Recipes, the most restrictive one decides. Where the paper is silent: the first trial step is the
 * whole global step; the last step is clipped to end at dt; k1 is evaluated anew for a repeated step.
 */
#ifndef KB_RKCK_H
#define KB_RKCK_H

#include "problem.h"

enum { RKCK_STAGES = 6 };

/* row i: weights of k_1 .. k_i in the argument of stage i + 2 */
KB_TABLE double rkck_b[5][5] = {
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {3.0 / 10, -9.0 / 10, 6.0 / 5},
    {-11.0 / 54, 5.0 / 2, -70.0 / 27, 35.0 / 27},
    {1631.0 / 55296, 175.0 / 512, 575.0 / 13824, 44275.0 / 110592, 253.0 / 4096},
};
KB_TABLE double rkck_c[6] = {37.0 / 378, 0, 250.0 / 621, 125.0 / 594, 0, 512.0 / 1771};
/* c - c*: fifth-order less fourth-order weights */
KB_TABLE double rkck_e[6] = {37.0 / 378 - 2825.0 / 27648, 0, 250.0 / 621 - 18575.0 / 48384,
                             125.0 / 594 - 13525.0 / 55296, -277.0 / 14336, 512.0 / 1771 - 0.25};

typedef struct {
    lane y[N], y0[N], k[RKCK_STAGES][N];
    kb_kinetics problem;
} rkck_work;

kb_fn void rkck_init(const kb_run *run, kb_ode *o, rkck_work *w, mask new_)
{
    (void)w;
    o->h = vselect(new_, splat(run->dt), o->h);
}

/* max_i |Delta_i / Delta0_i|, Eqs. 15 and 16; y becomes the new state */
kb_fn lane rkck_error(const kb_run *run, lane h, rkck_work *w)
{
    lane worst = splat(0);
    for (int i = 0; i < N; i++) {
        lane e = splat(0), d = splat(0);
        for (int s = 0; s < RKCK_STAGES; s++) {
            e += rkck_e[s] * w->k[s][i];
            d += rkck_c[s] * w->k[s][i];
        }
        w->y[i] = w->y0[i] + h * d;
        worst = vmax(worst, vabs(h * e) / (run->rtol * (vabs(w->y0[i]) + vabs(h * w->k[0][i]) +
                                                        run->atol)));
    }
    return worst;
}

kb_fn void rkck_step(const kb_run *run, kb_ode *o, rkck_work *w)
{
    lane h = clip_step(run, o);
    each(i, N) w->y0[i] = w->y[i];
    for (int s = 0; s < RKCK_STAGES; s++) {
        if (s > 0)
            each(i, N)
            {
                lane d = splat(0);
                for (int j = 0; j < s; j++)
                    d += rkck_b[s - 1][j] * w->k[j][i];
                w->y[i] = w->y0[i] + h * d;
            }
        problem_rhs(run, o, w->y, w->k[s], &w->problem);
    }
    o->rhs += RKCK_STAGES * one(o->active);
    lane err = rkck_error(run, h, w);
    mask accept = (err <= 1.0) & problem_valid(w->y);
    lane grow = vmin(0.9 * vpow(vmax(err, splat(1e-10)), splat(-0.2)), splat(5));
    lane shrink = vmax(0.9 * vpow(err, splat(-0.25)), splat(0.1));
    shrink = vselect((err > 1.0) & is_finite(shrink), shrink, splat(0.1));
    o->h = h * vselect(accept, grow, shrink);
    finish_step(run, o, h, accept, w->y, w->y0, N);
}

#define RKCK_OPTIONS {{0, 0, 0}}
#define RKCK_INFO                                                                                  \
    .source = "Niemeyer and Sung, J. Comput. Phys. 256 (2014) 854, Eqs. 7-17, Table 1",             \
    .summary = "explicit Runge-Kutta-Cash-Karp 5(4)", .order = 5, .rtol = 1e-10, .atol = 1e-30

#endif
