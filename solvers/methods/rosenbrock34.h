/* SPDX-License-Identifier: MIT
 *
 * ROSENBROCK34: Rosenbrock method of order 4(3), four stages, A-stable with |R(infinity)| = 1/3;
 * Shampine, ACM Trans. Math. Softw. 8 (1982) 93, also Hairer and Wanner, Solving Ordinary
 * Differential Equations II (1996), table IV.7.2. OpenFOAM has it by this name. Three evaluations
 * of f: the fourth stage has that of the third. The step: rosenbrock.h.
 */
#pragma once

#include "solvers/portable/lane.h"

enum { ROSENBROCK_STAGES = 4, ROSENBROCK_REUSE = 1 << 3, ROSENBROCK_POWER = 4 };
#define KB_FLOATS_SERVE
#define ROSENBROCK_TAIL 0
#define ROSENBROCK_GAMMA 0.5
#define ROSENBROCK_GROWTH 0.4

KB_TABLE double rosenbrock_a[2][2] = {{2}, {48.0 / 25, 6.0 / 25}};
KB_TABLE double rosenbrock_c[3][3] = {
    {-8},
    {372.0 / 25, 12.0 / 5},
    {-112.0 / 125, -54.0 / 125, -2.0 / 5},
};
KB_TABLE double rosenbrock_m[4] = {19.0 / 9, 1.0 / 2, 25.0 / 108, 125.0 / 108};
KB_TABLE double rosenbrock_e[4] = {17.0 / 54, 7.0 / 36, 0, 125.0 / 108};

#include "solvers/methods/families/rosenbrock.h"

#define rosenbrock34_work rosenbrock_work
#define rosenbrock34_persistent rosenbrock_persistent
#define rosenbrock34_init rosenbrock_init
#define rosenbrock34_step rosenbrock_step

#define ROSENBROCK34_OPTIONS ROSENBROCK_OPTIONS
#define ROSENBROCK34_INFO                                                                          \
    .source = "Shampine, ACM Trans. Math. Softw. 8 (1982) 93",                                     \
    .summary = "Rosenbrock 4(3), A-stable, exact sparse Jacobian", .order = 4, .rtol = 1e-4,       \
    .atol = 1e-10,                                                                                 \
    .promise = {.kind = KB_ROSENBROCK,                                                             \
                .error = 2e-4, .rhs = 3, .jac = 1, .orders = {{0, 4, 32}, {0, 4, 64}},             \
                .estimate = 4, .estimate_h = 0.02, .control = {1, 3, 1}, .stiff = {1, 15, 1}}
