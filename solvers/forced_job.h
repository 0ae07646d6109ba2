/* SPDX-License-Identifier: MIT
 *
 * Jobs with forcing, on the engines whose names end with -forced: d(T, Y)/dt = f(T, Y) + F, F
 * constant over the global step. Rows of such a job's states are 2 nsp + 3 numbers: T [K], p [Pa],
 * Y [-], F_T [K/s], F_Y [1/s], and its reactor says so. With the reactors of other jobs their rows
 * are as on other engines, and F is 0.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "solvers/solver.h"

enum { KB_FORCING = 2 }; /* is added to kb_reactor */

static inline kb_reactor kb_with_forcing(kb_reactor r) { return (kb_reactor)((int)r | KB_FORCING); }
static inline kb_reactor kb_unforced(kb_reactor r) { return (kb_reactor)((int)r & ~KB_FORCING); }
static inline bool kb_takes_forcing(const char *engine)
{
    return strstr(engine, "-forced") != NULL;
}

#define KB_FORCING_SUM 1e-9   /* of the largest number */
#define KB_FORCING_NOISE 1e-5 /* [1/s] rounding of 1 over 1e-9 s is less */

/* F_Y[k * stride] of nsp species: their sum [1/s], and whether it is 0, since the sum of Y is 1 */
static inline bool kb_forcing_adds_up(int nsp, const double *F_Y, long stride, double *sum)
{
    double most = *sum = 0;
    for (int k = 0; k < nsp; k++) {
        *sum += F_Y[k * stride];
        most = fmax(most, fabs(F_Y[k * stride]));
    }
    return isfinite(*sum) && fabs(*sum) <= KB_FORCING_SUM * most + KB_FORCING_NOISE;
}
