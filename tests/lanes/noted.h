/* SPDX-License-Identifier: MIT
 *
 * Stands before solvers/engines/evaluate.c in the test engine.c: the parts that are timed, copies
 * and the clock say when they are called and with what. Lanes are arrays of KB_LANES numbers there.
 */
#pragma once

#include <string.h>
#include <time.h>

#include "solvers/solver.h"

void noted(char event); /* m: memcpy, c: the clock, R: rates, J: rates and J, F: LU, S: solve */
void noted_clock(struct timespec *t);
/* of the state y [N] with this p or density */
void noted_rates(char event, kb_reactor reactor, const void *fixed, const void *y);
/* what rates and J gave: A of so many bytes, and dy */
void noted_result(const void *A, size_t size, const void *dy);
void noted_LU(const void *A, double gi);
void noted_factors(const void *A);
void noted_solve(const void *A, const void *b);
void noted_thermo(void);

#ifdef KB_EVALUATE
#include "solvers/problem.h"

#define memcpy(to, from, n) (noted('m'), memcpy(to, from, n))
#define clock_gettime(id, t) noted_clock(t)
#define kin_rhs(reactor, fixed, y, dy, w)                                                          \
    (noted_rates('R', reactor, &(fixed), y), kin_rhs(reactor, fixed, y, dy, w))
#define jac_rhs(reactor, fixed, y, dy, A, w, s)                                                    \
    (noted_rates('J', reactor, &(fixed), y), jac_rhs(reactor, fixed, y, dy, A, w, s),              \
     noted_result(A, NNZ * sizeof *(A), dy))
#define kin_thermo(g, w) (noted_thermo(), kin_thermo(g, w))
#define lu_factor(A, gi) (noted_LU(A, lane_get(gi, 0)), lu_factor(A, gi), noted_factors(A))
#define lu_solve(A, b, x) (noted_solve(A, b), lu_solve(A, b, x))
#endif
