/* SPDX-License-Identifier: MIT
 *
 * ROS3: Rosenbrock method of order 3(2), three stages, L-stable; Sandu, Verwer, Blom, Spee,
 * Carmichael and Potra, Atmos. Environ. 31 (1997) 3459. Two evaluations of f: the third stage has
 * that of the second. The step: rosenbrock.h.
 */
#pragma once

#include "solvers/portable/lane.h"

enum { ROSENBROCK_STAGES = 3, ROSENBROCK_REUSE = 1 << 2, ROSENBROCK_POWER = 3 };
#define KB_FLOATS_SERVE
#define ROSENBROCK_TAIL 0
#define ROSENBROCK_GAMMA 0.435866521508459
#define ROSENBROCK_GROWTH 0.2 /* exp to 2 % up to 0.34; fewer early ignitions by this */
#define ROSENBROCK_GROWN 0.1 /* fourfold is 1.9-fold by its polynomial; docs/methods.md */

KB_TABLE double rosenbrock_a[1][1] = {{1}};
KB_TABLE double rosenbrock_c[2][2] = {{-1.0156171083877702},
                                      {4.0759956452537700, 9.2076794298330791}};
KB_TABLE double rosenbrock_m[3] = {1, 6.1697947043828246, -0.42772256543218573};
KB_TABLE double rosenbrock_e[3] = {0.5, -2.9079558716805470, 0.22354069897811570};

#include "solvers/methods/families/rosenbrock.h"

#define ros3_work rosenbrock_work
#define ros3_persistent rosenbrock_persistent
#define ros3_init rosenbrock_init
#define ros3_step rosenbrock_step

#define ROS3_OPTIONS ROSENBROCK_OPTIONS
#define ROS3_INFO                                                                                  \
    .source = "Sandu et al., Atmos. Environ. 31 (1997) 3459",                                      \
    .summary = "Rosenbrock 3(2), L-stable, exact sparse Jacobian", .order = 3, .rtol = 1e-4,       \
    .atol = 1e-10,                                                                                 \
    .promise = {.kind = KB_ROSENBROCK,                                                             \
                .error = 1e-3, .rhs = 2, .jac = 1, .orders = {{0, 3, 64}, {0, 3, 128}},            \
                .estimate = 3, .estimate_h = 0.02, .control = {1, 3, 1}, .stiff = {1, 3, 1}}
