/* SPDX-License-Identifier: MIT
 *
 * RODAS4P2: stiffly accurate Rosenbrock method of order 4(3), six stages, L-stable, and of order 2
 * with an inexact matrix; Steinebach, Improvement of Rosenbrock-Wanner Method RODASP, in: Progress
 * in Differential-Algebraic Equations II, Springer (2020) 165. The step: rosenbrock.h.
 */
#pragma once

#include "solvers/portable/lane.h"

enum { ROSENBROCK_STAGES = 6, ROSENBROCK_REUSE = 0, ROSENBROCK_POWER = 4 };
#define KB_FLOATS_SERVE
#define KB_INEXACT_SERVES 1
#define ROSENBROCK_TAIL 1
#define ROSENBROCK_GAMMA 0.25
#define ROSENBROCK_GROWTH 0.5

KB_TABLE double rosenbrock_a[4][4] = {
    {3.0},
    {0.906377755268814, -0.189707390391685},
    {3.758617027739064, 1.161741776019525, -0.849258085312803},
    {7.089566927282776, 4.573591406461604, -8.423496976860259, -0.959280113459775},
};
KB_TABLE double rosenbrock_c[5][5] = {
    {-12.0},
    {-6.354581592719008, 0.338972550544623},
    {-8.575016317114033, -7.606483992117508, 12.22499765012482},
    {-5.888975457523102, -8.157396617841821, 24.805546872612922, 12.790401512796979},
    {-4.408651676063871, -6.692003137674639, 24.625568527593117, 16.627521966636085,
     -5.714285714285718},
};

#include "solvers/methods/families/rosenbrock.h"

#define rodas4p2_work rosenbrock_work
#define rodas4p2_persistent rosenbrock_persistent
#define rodas4p2_init rosenbrock_init
#define rodas4p2_step rosenbrock_step

#define RODAS4P2_OPTIONS ROSENBROCK_OPTIONS
#define RODAS4P2_INFO                                                                              \
    .source = "Steinebach, in Progress in Differential-Algebraic Equations II (2020) 165",         \
    .summary = "Rosenbrock 4(3), L-stable, of order 2 with any matrix", .order = 4, .rtol = 1e-4,  \
    .atol = 1e-10,                                                                                 \
    .promise = {.kind = KB_ROSENBROCK,                                                             \
                .error = 2e-4, .rhs = 6, .jac = 1,                                                 \
                /* the last: differential-algebraic; between the two a term O(eps h^2) */          \
                .orders = {{0, 4, 64}, {0, 4, 128}, {1e-2, 4, 64}, {1e-5, 2, 64},                  \
                           {1e-10, 4, 16}},                                                        \
                .inexact = {0, 2, 256}, .estimate = 4, .estimate_h = 0.02, .control = {1, 3, 1},   \
                .stiff = {1, 3, 1}}
