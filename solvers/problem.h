/* SPDX-License-Identifier: MIT
 *
 * The problem that the methods integrate: the reactor of a mechanism. Tests put another one in its place
 * (tests/problem_*.h) by defining KB_PROBLEM.
 */
#ifndef KB_PROBLEM_H
#define KB_PROBLEM_H

#include "method.h"

#ifdef KB_PROBLEM
#include KB_PROBLEM
#else

#include "jacobian.h"
#include "lu.h"


/* the window in which a state makes sense */
kb_fn mask problem_valid(const lane *y) { return (y[0] > 150.0) & (y[0] < 6000.0); }

/* dy [N] = d(T, Y)/dt */
kb_fn void problem_rhs(const kb_run *run, const kb_ode *o, const lane *y, lane *dy, kb_kinetics *w)
{
    kin_rhs(run->reactor, o->hold, y, dy, w);
}

/* dy, and A [NNZ] = -J in the storage of the factorisation */
kb_fn void problem_jacobian(const kb_run *run, const kb_ode *o, const lane *y, lane *dy, lane *A,
                            kb_jacobian *w)
{
    jac_rhs(run->reactor, o->hold, y, dy, A, w);
}

/* A -> factors of (gi I - J), in place */
kb_fn void problem_factor(lane *A, lane gi) { lu_factor(A, gi); }

/* x = (gi I - J)^-1 b; x may be b */
kb_fn void problem_solve(const lane *A, const lane *b, lane *x) { lu_solve(A, b, x); }

#endif
#endif
