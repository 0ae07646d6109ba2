/* SPDX-License-Identifier: MIT
 *
 * What a method promises: stands beside the method, in its METHOD_INFO, and is checked by the tests
 * (tests/unit/test_solvers.c, tests/order/order.c).
 */
#pragma once

/* how a method takes its steps: what tests may ask of its counts and of its substeps */
typedef enum {
    KB_NO_KIND,        /* a library's */
    KB_EXPLICIT,       /* substeps no longer than stability lets them be */
    KB_STABILIZED,     /* the same, with a bound of the spectral radius */
    KB_ROSENBROCK,     /* a Jacobian and a factorisation for each attempt, none iterates */
    KB_NEWTON,         /* one step, iterated */
    KB_MULTISTEP,      /* several steps back, iterated */
    KB_EXTRAPOLATION,  /* a factorisation for each column of a table, one Jacobian for all */
    KB_KRYLOV,         /* exponential, in Krylov bases */
    KB_POINT_IMPLICIT, /* the loss of each species alone */
} kb_kind;

/* Equal steps to t = 1 on a problem with a known solution: the error of n steps over that of 2n is
 * 2^order at least. */
typedef struct {
    double eps;       /* Kaps' problem with stiffness 1/eps; 0: the smooth, non-stiff problem */
    double order;
    int steps;        /* n */
    const char *with; /* options and their values, "phi=2:krylov_tol=1e-15"; NULL: the defaults */
} kb_order;

/* The method's own steps to t = 1 on the same problems: the global error is at most
 * limit rtol^power. steady: a tolerance 100 times tighter also takes it below 0.3 of what it was,
 * or of a hundredth of the tolerance. limit 0: nothing is promised. */
typedef struct {
    double power, limit;
    int steady;
} kb_control;

typedef struct {
    kb_kind kind;
    double error;           /* at the default tolerances, one global step of 1e-6 s in an ignition:
                               largest |y - exact| / (|exact| + 1e-6) of T and Y; 0: none */
    int rhs, rhs_once, jac; /* right-hand sides of an attempt, and of an ODE in addition; Jacobians
                               and factorisations of an attempt. rhs 0: they vary */
    int fixed;              /* 1: the steps do not depend on the tolerance */
    kb_order orders[8];     /* ends with order 0 */
    kb_order inexact;       /* what is left with a matrix that is wrong by 1 %; order 0: an inexact
                               matrix is not allowed */
    double estimate;        /* the error estimate of one step h falls as h^estimate, about */
    double estimate_h;      /* this h; 0: not checked */
    kb_control control;     /* smooth problem */
    kb_control stiff;       /* Kaps' problem, eps 1e-2 and 1e-5 */
} kb_promise;
