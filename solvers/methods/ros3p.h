/* SPDX-License-Identifier: MIT
 *
 * ROS3P: Rosenbrock method of order 3(2), three stages, of order 3 on parabolic problems too; Lang
 * and Verwer, BIT Numer. Math. 41 (2001) 731. Two evaluations of f: the third stage has that of
 * the second. A-stable with |R(infinity)| = 0.73: fast modes decay slowly, hence the default
 * tolerances. The step: rosenbrock.h.
 */
#ifndef KB_ROS3P_H
#define KB_ROS3P_H

#include "solvers/portable/lane.h"

enum { ROSENBROCK_STAGES = 3, ROSENBROCK_REUSE = 1 << 2, ROSENBROCK_POWER = 3 };
#define ROSENBROCK_TAIL 0
#define ROSENBROCK_GAMMA 0.7886751345948129
#define ROSENBROCK_GROWTH 0.15

KB_TABLE double rosenbrock_a[1][1] = {{1.267949192431123}};
KB_TABLE double rosenbrock_c[2][2] = {{-1.607695154586736},
                                      {-3.464101615137755, -1.732050807568877}};
KB_TABLE double rosenbrock_m[3] = {2, 0.5773502691896258, 0.4226497308103742};
KB_TABLE double rosenbrock_e[3] = {-0.113248654051871, -0.4226497308103742, 0};

#include "solvers/methods/families/rosenbrock.h"

#define ros3p_work rosenbrock_work
#define ros3p_persistent rosenbrock_persistent
#define ros3p_init rosenbrock_init
#define ros3p_step rosenbrock_step

#define ROS3P_OPTIONS ROSENBROCK_OPTIONS
#define ROS3P_INFO                                                                                 \
    .source = "Lang and Verwer, BIT Numer. Math. 41 (2001) 731",                                   \
    .summary = "Rosenbrock 3(2), A-stable, exact sparse Jacobian", .order = 3, .rtol = 1e-7,       \
    .atol = 1e-13,                                                                                 \
    .promise = {.error = 1e-3, .rhs = 2, .jac = 1, .orders = {{0, 3, 64}, {0, 3, 128}},            \
                .estimate = 3, .estimate_h = 0.02, .control = {1, 3, 1}, .stiff = {1, 3, 1}}

#endif
