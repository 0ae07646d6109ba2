/* SPDX-License-Identifier: MIT
 *
 * exprb43: exponential Rosenbrock method of order 4(3); Hochbruck, Ostermann and Schweitzer, SIAM
 * J. Numer. Anal. 47 (2009) 786, as Curtis et al. (2017) use it. With f = f(y0) and
 * d(U) = f(U) - f - J (U - y0):
 *   U2 = y0 + h/2 phi_1(hJ/2) f, U3 = y0 + h phi_1(hJ) (f + d(U2))
 *   y1 = y0 + h phi_1(hJ) f + h (16 phi_3 - 48 phi_4) d(U2) + h (-2 phi_3 + 12 phi_4) d(U3)
 *   embedded: the same without phi_4
 * The step: exponential.h.
 */
#pragma once

#include "solvers/portable/lane.h"

enum { PHI_PARTS = 2, PHI_LAST = 4, EXPONENTIAL_STAGES = 3, EXPONENTIAL_VECTORS = 5 };
KB_TABLE double exponential_part[EXPONENTIAL_STAGES] = {1, 1, 1};

#include "solvers/methods/families/exponential.h"

/* what a stage asks for: phi_1(hJ/2), phi_1, phi_3, phi_4; < 0: nothing */
enum { EXPRB43_HALF = 0, EXPRB43_1 = PHI_ONE, EXPRB43_3 = PHI_ONE + 2, EXPRB43_4 = PHI_ONE + 3 };
KB_TABLE int exprb43_rows[EXPONENTIAL_STAGES][3] = {
    {EXPRB43_HALF, EXPRB43_1, -1},
    {EXPRB43_1, EXPRB43_3, EXPRB43_4},
    {-1, EXPRB43_3, EXPRB43_4},
};

kb_fn void exponential_stage(exponential_work *w, const krylov_space *space, int s, lane h)
{
    /* of (y1 - y0)/h: the terms so far; those of phi_4 */
    lane_row *k = w->k;
    lane *sum = k[3], *fourth = k[4];
    for (int i = 0; i < 3; i++)
        if (exprb43_rows[s][i] >= 0)
            krylov_apply(&w->krylov, space, exprb43_rows[s][i], k[i]);
    each(i, N)
    {
        lane a = k[0][i], b = k[1][i], c = k[2][i];
        if (s == 0) {
            w->u[i] = 0.5 * h * a;
            sum[i] = b;
        } else if (s == 1) {
            w->u[i] = h * (sum[i] + a);
            fourth[i] = -48.0 * c;
            sum[i] += 16.0 * b;
        } else {
            lane e = fourth[i] + 12.0 * c;
            w->y[i] = w->y0[i] + h * (sum[i] - 2.0 * b + e);
            w->d[i] = h * e;
        }
    }
}

#define exprb43_work exponential_work
#define exprb43_persistent exponential_persistent
#define exprb43_init exponential_init
#define exprb43_step exponential_step

#define EXPRB43_OPTIONS EXPONENTIAL_OPTIONS
#define EXPRB43_INFO                                                                              \
    .source = "Hochbruck, Ostermann and Schweitzer, SIAM J. Numer. Anal. 47 (2009) 786; Curtis "  \
              "et al. 2017",                                                                      \
    .summary = "exponential Rosenbrock 4(3), Krylov spaces of the exact Jacobian", .order = 4,    \
    .rtol = 1e-8, .atol = 1e-15,                                                                  \
    .promise = {.kind = KB_KRYLOV,                                                                 \
                .error = 1e-6, .jac = 1, .orders = EXPONENTIAL_ORDERS,                             \
                .inexact = EXPONENTIAL_INEXACT, .estimate = 4, .estimate_h = 0.05,                 \
                .control = {1, 5, 1}, .stiff = {1, 1, 0}}
