/* SPDX-License-Identifier: MIT
 *
 * RODAS4: stiffly accurate Rosenbrock method of order 4(3), six stages, L-stable; Hairer and
 * Wanner, Solving Ordinary Differential Equations II (1996), section IV.7 and the code RODAS (meth
 * = 1). The step: rosenbrock.h.
 */
#pragma once

#include "solvers/portable/lane.h"

enum { ROSENBROCK_STAGES = 6, ROSENBROCK_REUSE = 0, ROSENBROCK_POWER = 4 };
#define KB_FLOATS_SERVE
#define ROSENBROCK_TAIL 1
#define ROSENBROCK_GAMMA 0.25
#define ROSENBROCK_GROWTH 0.5

KB_TABLE double rosenbrock_a[4][4] = {
    {1.544},
    {0.9466785280815826, 0.2557011698983284},
    {3.314825187068521, 2.896124015972201, 0.9986419139977817},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
};
KB_TABLE double rosenbrock_c[5][5] = {
    {-5.6688},
    {-2.430093356833875, -0.2063599157091915},
    {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
    {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
    {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136,
     -6.058818238834054},
};

#include "solvers/methods/families/rosenbrock.h"

#define rodas4_work rosenbrock_work
#define rodas4_persistent rosenbrock_persistent
#define rodas4_init rosenbrock_init
#define rodas4_step rosenbrock_step

#define RODAS4_OPTIONS ROSENBROCK_OPTIONS
#define RODAS4_INFO                                                                                \
    .source = "Hairer and Wanner, Solving ODEs II (1996), IV.7, code RODAS",                       \
    .summary = "Rosenbrock 4(3), L-stable, exact sparse Jacobian", .order = 4, .rtol = 1e-4,       \
    .atol = 1e-10,                                                                                 \
    .promise = {.kind = KB_ROSENBROCK,                                                             \
                .error = 2e-4, .rhs = 6, .jac = 1,                                                 \
                /* the last: differential-algebraic; between the two a term O(eps h^2) */          \
                .orders = {{0, 4, 32}, {0, 4, 64}, {1e-2, 4, 16}, {1e-5, 2, 16}, {1e-10, 4, 16}},  \
                .estimate = 4, .estimate_h = 0.02, .control = {1, 3, 1}, .stiff = {1, 3, 1}}
