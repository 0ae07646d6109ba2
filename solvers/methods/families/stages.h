/* SPDX-License-Identifier: MIT
 *
 * The stages of a one-step method, and sums over them.
 *
 *   stage_rows(ROWS, u, n)  of the method's work: n vectors, valid within one attempt only
 *   stage_storage(w, n)     first words of the attempt
 *
 * Straight-line code keeps them apart from the work: rows indexed at run time lie in local memory,
 * and would keep all of a struct there that the compiler could hold in registers.
 */
#pragma once

#include "solvers/problem.h"

#ifdef KB_STRAIGHT
#define stage_rows(ROWS, u, n) lane (*u)[N];
#define stage_storage(w, n) lane stages_[n][N]; (w)->u = stages_
#else
#define stage_rows(ROWS, u, n) ROWS(lane, u, n)
#define stage_storage(w, n) ((void)(w))
#endif

/* d [N] = base + sum_j c_j u_j, j < n; d may be base */
kb_fn void stages_add(lane *d, const lane *base, const double *c, lane_rows u, int n)
{
#ifdef KB_STRAIGHT
    lane sum[N];
    each(i, N) sum[i] = base[i];
    KB_NO_UNROLL
    for (int j = 0; j < n; j++)
        each(i, N) sum[i] += c[j] * u[j][i];
    each(i, N) d[i] = sum[i];
#else
    each(i, N)
    {
        lane sum = base[i];
        for (int j = 0; j < n; j++)
            sum += c[j] * u[j][i];
        d[i] = sum;
    }
#endif
}

/* d [N] = base + scale sum_j c_j u_j, j < n */
kb_fn void stages_add_scaled(lane *d, const lane *base, lane scale, const double *c, lane_rows u,
                             int n)
{
#ifdef KB_STRAIGHT
    lane sum[N];
    each(i, N) sum[i] = splat(0);
    KB_NO_UNROLL
    for (int j = 0; j < n; j++)
        each(i, N) sum[i] += c[j] * u[j][i];
    each(i, N) d[i] = base[i] + scale * sum[i];
#else
    each(i, N)
    {
        lane sum = splat(0);
        for (int j = 0; j < n; j++)
            sum += c[j] * u[j][i];
        d[i] = base[i] + scale * sum;
    }
#endif
}
