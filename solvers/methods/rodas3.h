/* SPDX-License-Identifier: MIT
 *
 * RODAS3: stiffly accurate Rosenbrock method of order 3(2), four stages, L-stable; Sandu, Verwer,
 * Blom, Spee, Carmichael and Potra, Atmos. Environ. 31 (1997) 3459. Three evaluations of f: the
 * second stage takes that of the first. The step: rosenbrock.h.
 */
#pragma once

#include "solvers/portable/lane.h"

enum { ROSENBROCK_STAGES = 4, ROSENBROCK_REUSE = 1 << 1, ROSENBROCK_POWER = 3 };
#define KB_FLOATS_SERVE
#define ROSENBROCK_TAIL 1
#define ROSENBROCK_GAMMA 0.5
#define ROSENBROCK_GROWTH 0.3 /* exp to 2 % up to 0.5; fewer early ignitions by this */

KB_TABLE double rosenbrock_a[2][2] = {{0}, {2, 0}};
KB_TABLE double rosenbrock_c[3][3] = {{4}, {1, -1}, {1, -1, -8.0 / 3}};

#include "solvers/methods/families/rosenbrock.h"

#define rodas3_work rosenbrock_work
#define rodas3_persistent rosenbrock_persistent
#define rodas3_init rosenbrock_init
#define rodas3_step rosenbrock_step

#define RODAS3_OPTIONS ROSENBROCK_OPTIONS
#define RODAS3_INFO                                                                                \
    .source = "Sandu et al., Atmos. Environ. 31 (1997) 3459",                                      \
    .summary = "Rosenbrock 3(2), L-stable, exact sparse Jacobian", .order = 3, .rtol = 1e-4,       \
    .atol = 1e-10,                                                                                 \
    .promise = {.kind = KB_ROSENBROCK,                                                             \
                .error = 2e-3, .rhs = 3, .jac = 1,                                                 \
                .orders = {{0, 3, 64}, {0, 3, 128}}, .estimate = 3,                                \
                .estimate_h = 0.02, .control = {1, 3, 1},                                          \
                .stiff = {1, 3, 1}}
