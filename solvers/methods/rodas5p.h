/* SPDX-License-Identifier: MIT
 *
 * RODAS5P: stiffly accurate Rosenbrock method of order 5(4), eight stages, L-stable; Steinebach,
 * BIT Numerical Mathematics 63 (2023) 27. The step: rosenbrock.h.
 */
#pragma once

#include "solvers/portable/lane.h"

enum { ROSENBROCK_STAGES = 8, ROSENBROCK_REUSE = 0, ROSENBROCK_POWER = 5 };
#define KB_INEXACT_SERVES 1
#define ROSENBROCK_TAIL 2
#define ROSENBROCK_GAMMA 0.21193756319429014
#define ROSENBROCK_GROWTH 0.42

KB_TABLE double rosenbrock_a[5][5] = {
    {3.0},
    {2.849394379747939, 0.45842242204463923},
    {-6.954028509809101, 2.489845061869568, -10.358996098473584},
    {2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641},
    {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256,
     0.030198172008377946},
};
KB_TABLE double rosenbrock_c[7][7] = {
    {-14.155112264123755},
    {-17.97296035885952, -2.859693295451294},
    {147.12150275711716, -1.41221402718213, 71.68940251302358},
    {165.43517024871676, -0.4592823456491126, 42.90938336958603, -5.961986721573306},
    {24.854864614690072, -3.0009227002832186, 47.4931110020768, 5.5814197821558125,
     -0.6610691825249471},
    {30.91273214028599, -3.1208243349937974, 77.79954646070892, 34.28646028294783,
     -19.097331116725623, -28.087943162872662},
    {37.80277123390563, -3.2571969029072276, 112.26918849496327, 66.9347231244047,
     -40.06618937091002, -54.66780262877968, -9.48861652309627},
};

#include "solvers/methods/families/rosenbrock.h"

#define rodas5p_work rosenbrock_work
#define rodas5p_persistent rosenbrock_persistent
#define rodas5p_init rosenbrock_init
#define rodas5p_step rosenbrock_step

#define RODAS5P_OPTIONS ROSENBROCK_OPTIONS
#define RODAS5P_INFO                                                                               \
    .source = "Steinebach, BIT Numer. Math. 63 (2023) 27",                                         \
    .summary = "Rosenbrock 5(4), L-stable, exact sparse Jacobian", .order = 5, .rtol = 1e-4,       \
    .atol = 1e-10,                                                                                 \
    .promise = {.kind = KB_ROSENBROCK,                                                             \
                .error = 2e-4, .rhs = 8, .jac = 1,                                                 \
                /* the last: differential-algebraic; between the two a term O(eps h^2) */          \
                .orders = {{0, 5, 16}, {0, 5, 32}, {1e-1, 5, 64}, {1e-5, 2, 16}, {1e-12, 5, 4}},   \
                .inexact = {0, 2, 256}, .estimate = 5, .estimate_h = 0.02, .control = {1, 3, 1},   \
                .stiff = {1, 3, 1}}
