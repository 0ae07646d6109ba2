/* SPDX-License-Identifier: MIT
 *
 * What one global step hands on to the next, on the host and on a device.
 */
#pragma once

#include "solvers/solver.h"

#ifdef __CUDACC__
#define hand_on_fn static inline __host__ __device__
#else
#define hand_on_fn static inline
#endif

/* moles of a unit of mass with mass fractions Y [nsp], times W's unit */
hand_on_fn double hand_on_moles(int nsp, const double *W, const double *Y)
{
    double sum = 0;
    for (int i = 0; i < nsp; i++)
        sum += Y[i] / W[i];
    return sum;
}

/* p [Pa] of the next step at constant volume, from a state (T, p, Y) and its result (T, Y): that of
 * the same density, p ~ T sum Y/W */
hand_on_fn double hand_on_pressure(int nsp, const double *W, const double *state, const double *y)
{
    return state[1] * (y[0] * hand_on_moles(nsp, W, y + 1) /
                       (state[0] * hand_on_moles(nsp, W, state + 2)));
}

/* at most the largest count that there is: many steps of an ODE that fails may take more */
hand_on_fn int32_t hand_on_sum(int32_t a, int32_t b)
{
    return a > INT32_MAX - b ? INT32_MAX : a + b;
}

/* the counts of a step to those of all; the status is the first that was not ok */
hand_on_fn void hand_on_count(kb_count *sum, const kb_count *step)
{
    sum->attempted = hand_on_sum(sum->attempted, step->attempted);
    sum->accepted = hand_on_sum(sum->accepted, step->accepted);
    sum->rejected = hand_on_sum(sum->rejected, step->rejected);
    sum->rhs = hand_on_sum(sum->rhs, step->rhs);
    sum->jac = hand_on_sum(sum->jac, step->jac);
    sum->lu = hand_on_sum(sum->lu, step->lu);
    sum->solve = hand_on_sum(sum->solve, step->solve);
    sum->status = sum->status ? sum->status : step->status;
}
