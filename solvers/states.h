/* SPDX-License-Identifier: MIT
 *
 * What a state T, p, Y must fulfil before anything is integrated from it.
 */
#pragma once

#include <math.h>
#include <stdbool.h>

#define KB_T_MIN 50.0 /* [K] */
#define KB_T_MAX 6000.0
#define KB_P_MIN 1.0 /* [Pa] */
#define KB_P_MAX 1e9
#define KB_Y_MIN (-1e-9)
#define KB_SUM_TOLERANCE 1e-6 /* of |sum Y - 1| */
/* what a repair takes for noise; beyond it a state is wrong */
#define KB_REPAIR_Y_MIN (-1e-3)
#define KB_REPAIR_SUM 1e-2
#define KB_T_REFUSED 1.0 /* [K] no engine integrates from here: KB_ODE_BOUNDS */

#ifdef __CUDACC__
#define KB_STATES_FN static inline __host__ __device__
#else
#define KB_STATES_FN static inline
#endif

/* what the mass fractions of a state may be off by */
typedef struct {
    double least; /* Y */
    double sum;   /* |sum Y - 1| */
} kb_state_limits;

/* Are these fractions possible? false for a NaN anywhere. */
#ifdef __CUDACC__
KB_STATES_FN bool kb_fractions_possible(const double *Y, int nsp, const kb_state_limits *limits)
{
    double total = 0;
    bool fine = true;
    for (int k = 0; k < nsp; k++) {
        total += Y[k];
        fine &= Y[k] >= limits->least;
    }
    return fine && fabs(total - 1) <= limits->sum;
}
#else
/* Two sums of two numbers side by side: in one, an addition would wait for the one before it. Only
 * where a sign bit is set the numbers are compared with the least, which is 0 at most. */
static inline bool kb_fractions_possible(const double *Y, int nsp, const kb_state_limits *limits)
{
    typedef double two __attribute__((vector_size(16), aligned(8)));
    typedef long long bits __attribute__((vector_size(16)));
    const two *pair = (const two *)Y;
    two sum = {0}, other = {0};
    bits signs = {0};
    for (int k = 0; k < nsp / 4; k++) {
        sum += pair[2 * k];
        other += pair[2 * k + 1];
        signs |= (bits)pair[2 * k] | (bits)pair[2 * k + 1];
    }
    sum += other;
    double total = sum[0] + sum[1];
    int first = (signs[0] | signs[1]) < 0 ? 0 : nsp / 4 * 4;
    for (int k = nsp / 4 * 4; k < nsp; k++)
        total += Y[k];
    bool fine = fabs(total - 1) <= limits->sum;
    for (int k = first; k < nsp; k++)
        fine &= Y[k] >= limits->least;
    return fine;
}
#endif

/* Is this state possible? false for a NaN anywhere. */
KB_STATES_FN bool kb_state_possible(double T, double p, const double *Y, int nsp,
                                    const kb_state_limits *limits)
{
    return kb_fractions_possible(Y, nsp, limits) && T >= KB_T_MIN && T <= KB_T_MAX &&
           p >= KB_P_MIN && p <= KB_P_MAX;
}

/* Fractions that are off by noise become right: those below 0 are set to 0, then the sum is scaled
 * to 1. Others are left alone. */
KB_STATES_FN void kb_fractions_repair(double *Y, int nsp)
{
    double sum = 0, positive = 0;
    for (int k = 0; k < nsp; k++) {
        if (!(Y[k] >= KB_REPAIR_Y_MIN))
            return;
        sum += Y[k];
        positive += fmax(Y[k], 0);
    }
    if (!(fabs(sum - 1) <= KB_REPAIR_SUM))
        return;
    for (int k = 0; k < nsp; k++)
        Y[k] = fmax(Y[k], 0) / positive;
}

/* Readies a state s (T, p, Y) for an engine: repaired if asked for, and refused if it is not
 * possible. What is not finite the engines find themselves. */
KB_STATES_FN void kb_state_ready(double *s, int nsp, const kb_state_limits *limits, bool repair)
{
    if (repair)
        kb_fractions_repair(s + 2, nsp);
    if (!kb_state_possible(s[0], s[1], s + 2, nsp, limits) && isfinite(s[0]))
        s[0] = KB_T_REFUSED;
}
