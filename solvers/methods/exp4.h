/* SPDX-License-Identifier: MIT
 *
 * exp4: exponential method of order 4(3); Hochbruck, Lubich and Selhofer, SIAM J. Sci. Comput. 19
 * (1998) 1552, as Curtis et al. (2017) use it. With phi = phi_1 and
 * d(w) = f(y0 + h w) - f(y0) - h J w:
 *   k1, k2, k3 = phi(1/3 hJ), phi(2/3 hJ), phi(hJ) of f(y0)
 *   k4, k5, k6 = the same of d4 = d(-7/300 k1 + 97/150 k2 - 37/300 k3)
 *   k7 = phi(1/3 hJ) d7, d7 = d(59/300 k1 - 7/75 k2 + 269/300 k3 + 2/3 (k4 + k5 + k6))
 *   y1 = y0 + h (k3 + k4 - 4/3 k5 + k6 + 1/6 k7)
 *   embedded: y0 + h (k3 - 1/2 k4 - 2/3 k5 + 1/2 k6 + 1/2 k7)
 * The step: exponential.h.
 */
#pragma once

#include "solvers/portable/lane.h"

enum { PHI_PARTS = 3, PHI_LAST = 2, EXPONENTIAL_STAGES = 3, EXPONENTIAL_VECTORS = 7 };
KB_TABLE double exponential_part[EXPONENTIAL_STAGES] = {1, 1, 1.0 / 3};

#include "solvers/methods/families/exponential.h"

kb_fn void exponential_stage(exponential_work *w, const krylov_space *space, int s, lane h)
{
    lane_row *k = w->k;
    for (int i = 0; i < (s < 2 ? 3 : 1); i++)
        krylov_apply(&w->krylov, space, s < 2 ? i : PHI_ONE, k[3 * s + i]);
    each(i, N)
    {
        lane a = k[0][i], b = k[1][i], c = k[2][i];
        if (s == 0) {
            w->u[i] = h * (-7.0 / 300 * a + 97.0 / 150 * b - 37.0 / 300 * c);
            continue;
        }
        lane d = k[3][i], e = k[4][i], f = k[5][i];
        if (s == 1) {
            lane sum = 2.0 / 3 * (d + e + f);
            w->u[i] = h * (59.0 / 300 * a - 7.0 / 75 * b + 269.0 / 300 * c + sum);
            continue;
        }
        lane g = k[6][i];
        w->y[i] = w->y0[i] + h * (c + d - 4.0 / 3 * e + f + 1.0 / 6 * g);
        w->d[i] = h * (1.5 * d - 2.0 / 3 * e + 0.5 * f - 1.0 / 3 * g);
    }
}

#define exp4_work exponential_work
#define exp4_persistent exponential_persistent
#define exp4_init exponential_init
#define exp4_step exponential_step

#define EXP4_OPTIONS EXPONENTIAL_OPTIONS
#define EXP4_INFO                                                                                 \
    .source = "Hochbruck, Lubich and Selhofer, SIAM J. Sci. Comput. 19 (1998) 1552; Curtis et "   \
              "al. 2017",                                                                         \
    .summary = "exponential 4(3), Krylov spaces of the exact Jacobian", .order = 4, .rtol = 1e-8, \
    .atol = 1e-15,                                                                                \
    .promise = {.kind = KB_KRYLOV,                                                                 \
                .error = 1e-6, .jac = 1, .orders = EXPONENTIAL_ORDERS,                             \
                .inexact = EXPONENTIAL_INEXACT, .estimate = 4, .estimate_h = 0.05,                 \
                .control = {1, 5, 1}, .stiff = {1, 5, 1}}
