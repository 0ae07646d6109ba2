/* SPDX-License-Identifier: MIT
 *
 * Lanes that are neighbouring cells of a row in memory.
 */
#pragma once

#include <string.h>
#include "solvers/portable/lane.h"

/* A loop over many species, of which a GPU keeps one copy: the code of all, with the limiter of a
 * scheme in each, would not fit into its instruction cache. */
#ifdef __CUDACC__
#define KB_EACH_SPECIES KB_NO_UNROLL
#define kb_rare static __device__ __noinline__ /* a function that is seldom called */
#else
#define KB_EACH_SPECIES
#define kb_rare kb_fn
#endif

#if KB_LANES == 1
kb_fn lane lane_load(const double *from) { return *from; }
kb_fn void lane_store(double *to, lane v, int n) { (void)n; *to = v; }
kb_fn lane lane_min(lane a, lane b) { return a < b ? a : b; }
kb_fn lane lane_max(lane a, lane b) { return a > b ? a : b; }
#else
kb_fn lane lane_load(const double *from)
{
    lane v;
    memcpy(&v, from, sizeof v);
    return v;
}

/* the first n lanes */
kb_fn void lane_store(double *to, lane v, int n)
{
    if (n >= KB_LANES)
        memcpy(to, &v, sizeof v);
    else
        for (int l = 0; l < n; l++)
            to[l] = v[l];
}

/* the loops become one instruction; b where one is not a number */
kb_fn lane lane_min(lane a, lane b)
{
    lane m;
    for (int l = 0; l < KB_LANES; l++)
        m[l] = a[l] < b[l] ? a[l] : b[l];
    return m;
}

kb_fn lane lane_max(lane a, lane b)
{
    lane m;
    for (int l = 0; l < KB_LANES; l++)
        m[l] = a[l] > b[l] ? a[l] : b[l];
    return m;
}
#endif

/* the first n lanes of which m holds */
kb_fn long lanes_counted(mask m, int n)
{
    long count = 0;
    for (int l = 0; l < n && l < KB_LANES; l++)
        count += mask_get(m, l);
    return count;
}

#ifdef __CUDACC__ /* sizes and signs take fewer instructions there than minima */
/* the smaller in size of a and b where they have one sign, else 0 */
kb_fn lane minmod(lane a, lane b)
{
    return (a > 0) == (b > 0) ? fabs(a) < fabs(b) ? a : b : 0;
}

/* of four */
kb_fn lane minmod4(lane a, lane b, lane c, lane d)
{
    lane x = fabs(a) < fabs(b) ? a : b, y = fabs(c) < fabs(d) ? c : d;
    int alike = (a > 0) == (b > 0) & (c > 0) == (d > 0) & (a > 0) == (c > 0);
    return alike ? fabs(x) < fabs(y) ? x : y : 0;
}
#else
kb_fn lane minmod(lane a, lane b)
{
    return lane_max(splat(0), lane_min(a, b)) + lane_min(splat(0), lane_max(a, b));
}

kb_fn lane minmod4(lane a, lane b, lane c, lane d)
{
    lane least = lane_min(lane_min(a, b), lane_min(c, d));
    lane most = lane_max(lane_max(a, b), lane_max(c, d));
    return lane_max(splat(0), least) + lane_min(splat(0), most);
}
#endif
