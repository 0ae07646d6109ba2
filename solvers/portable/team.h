/* SPDX-License-Identifier: MIT
 *
 * lane.h for a team of KB_TEAM > 1 threads: a CUDA block of that size; or the threads of a test,
 * which defines team_number and team_sync.
 */
#pragma once

#ifdef KB_MANY
#include "solvers/portable/many_team.h"
#else
#ifdef __CUDACC__

/* The compiler does not see that it is always the same: else the addresses of all loops of an
 * attempt would be computed before the first, and spill. */
kb_fn int team_rank(void)
{
    int rank = (int)threadIdx.x;
#ifdef __HIP__
    asm volatile("" : "+v"(rank));
#else
    asm volatile("" : "+r"(rank));
#endif
    return rank;
}

kb_fn void team_sync(void)
{
    if (KB_TEAM == 32)
        __syncwarp();
    else
        __syncthreads();
}

/* the compiler moves no load across it */
kb_fn void team_in_turn(void) { __syncwarp(); }

#define team_array_of(type, name, n) __shared__ type name[n]

#if KB_LANES == 1
kb_fn lane team_exchange(lane v, int d) { return __shfl_xor_sync(~0u, v, d); }
#endif

/* sum over the aligned group of `parts` neighbouring threads, a power of 2 up to 32; all threads of
 * a warp take part */
template <class number> kb_fn number team_part_sum(number x, int parts)
{
    for (int d = 1; d < parts; d *= 2)
        x = x + team_exchange(x, d);
    return x;
}

/* sum over the `parts` threads of a warp whose numbers differ by multiples of `apart`, within their
 * aligned group of parts * apart, both powers of 2; all threads of a warp take part */
template <class number> kb_fn number team_apart_sum(number x, int parts, int apart)
{
    for (int d = 1; d < parts; d *= 2)
        x = x + team_exchange(x, d * apart);
    return x;
}

enum { WARPS = KB_TEAM / 32, TEAM_PARTIAL = WARPS, TEAM_VALUES = 4 };
/* warps that have elements of each(i, n) or each_next(i, n) */
#define WARPS_OF(n) ((n) / 32 + 1 < (int)WARPS ? (n) / 32 + 1 : (int)WARPS)

struct team_plus {
    static __device__ double of(double a, double b) { return a + b; }
};
struct team_larger { /* a NaN in either stays one, as in vmax */
    static __device__ double of(double a, double b) { return (b > a) | (b != b) ? b : a; }
};

/* Combines the m numbers v that each thread of a warp has, m a power of 2: a thread gets number
 * warp_number(m). While there are several it sends half of them and keeps the other half. */
static __device__ __forceinline__ int warp_number(int m) { return team_rank() % 32 / (32 / m); }
template <class op> static __device__ __forceinline__ double warp_combine(double *v, int m)
{
    int rank = team_rank();
    KB_UNROLL for (int d = 16; d > 0; d /= 2)
    {
        m /= 2;
        if (m == 0)
            v[0] = op::of(v[0], __shfl_xor_sync(~0u, v[0], d));
        KB_UNROLL for (int k = 0; k < m; k++)
        {
            bool upper = rank & d;
            double other = __shfl_xor_sync(~0u, upper ? v[k] : v[m + k], d);
            v[k] = op::of(upper ? v[m + k] : v[k], other);
        }
    }
    return v[0];
}

/* Combines x [n], n = 1, 2 or TEAM_VALUES, of the threads of the first `warps` warps, by way of
 * parts [n WARPS], with one sync; the same bits on every thread */
template <class op>
static __device__ __forceinline__ void team_combine(lane *parts, lane *x, int n, int warps)
{
    double v[TEAM_VALUES * KB_LANES];
    const int m = n * KB_LANES, warp = team_rank() / 32;
    KB_UNROLL for (int k = 0; k < m; k++) v[k] = lane_get(x[k / KB_LANES], k % KB_LANES);
    if (WARPS == 1) {
        double sum = warp_combine<op>(v, m);
        KB_UNROLL for (int k = 0; k < m; k++)
            lane_put(&x[k / KB_LANES], k % KB_LANES,
                     m == 1 ? sum : __shfl_sync(~0u, sum, k * (32 / m)));
        team_sync();
        return;
    }
    if (warp < warps) {
        double sum = warp_combine<op>(v, m);
        int k = warp_number(m);
        if (team_rank() % (32 / m) == 0)
            ((double *)parts)[(k / KB_LANES * WARPS + warp) * KB_LANES + k % KB_LANES] = sum;
    }
    team_sync();
    KB_UNROLL for (int k = 0; k < m; k++)
    {
        const double *part = (const double *)parts + k / KB_LANES * WARPS * KB_LANES + k % KB_LANES;
        double all = part[0];
        for (int w = 1; w < warps; w++)
            all = op::of(all, part[w * KB_LANES]);
        lane_put(&x[k / KB_LANES], k % KB_LANES, all);
    }
}

/* The sums of x [n] over the threads that have elements of each(i, count), with one sync: parts [n
 * TEAM_PARTIAL], which the team shares, is not written again before the next sync. */
kb_fn void team_sums_by(lane *parts, lane *x, int n, int count)
{
    team_combine<team_plus>(parts, x, n, WARPS_OF(count));
}

/* the same without such an array, with two syncs */
kb_fn void team_sums(lane *x, int n, int count)
{
    team_array_of(lane, parts, TEAM_VALUES * WARPS);
    team_sums_by(parts, x, n, count);
    team_sync();
}

kb_fn lane team_max(lane x, int count)
{
    team_array_of(lane, parts, WARPS);
    team_combine<team_larger>(parts, &x, 1, WARPS_OF(count));
    team_sync();
    return x;
}

#if KB_LANES == 2
/* one thread in two has the logarithm of either ODE; all of the warp take part */
kb_fn lane vlog_same(lane x)
{
    int second = team_rank() % 2;
    double mine = logarithm(lane_get(x, second)), other = __shfl_xor_sync(~0u, mine, 1);
    lane_put(&x, 0, second ? other : mine);
    lane_put(&x, 1, second ? mine : other);
    return x;
}
#else
kb_fn lane vlog_same(lane x) { return vlog(x); }
#endif

/* whether x is true on any thread, with a sync */
kb_fn int team_any(int x)
{
    if (KB_TEAM > 32)
        return __syncthreads_or(x);
    int any = __any_sync(~0u, x); /* orders no memory */
    team_sync();
    return any;
}

#else

/* defined by the test: number of the calling thread, barrier, one lane of each thread */
extern _Thread_local unsigned team_number;
kb_fn int team_rank(void) { return (int)(team_number % KB_TEAM); }
void team_sync(void);
extern lane team_values[KB_TEAM];

kb_fn void team_in_turn(void) {}

#define team_array_of(type, name, n) static type name[n]

kb_fn lane team_part_sum(lane x, int parts)
{
    int first = team_rank() / parts * parts;
    lane sum = splat(0);
    team_values[team_rank()] = x;
    team_sync();
    for (int t = first; t < first + parts; t++)
        sum += team_values[t];
    team_sync();
    return sum;
}

kb_fn lane team_apart_sum(lane x, int parts, int apart)
{
    int first = team_rank() / (parts * apart) * (parts * apart) + team_rank() % apart;
    lane sum = splat(0);
    team_values[team_rank()] = x;
    team_sync();
    for (int k = 0; k < parts; k++)
        sum += team_values[first + k * apart];
    team_sync();
    return sum;
}

enum { TEAM_PARTIAL = KB_TEAM };
/* threads that have elements of each(i, n) or each_next(i, n) */
kb_fn int team_threads(int n) { return n + 1 < KB_TEAM ? n + 1 : KB_TEAM; }

kb_fn void team_sums_by(lane *parts, lane *x, int n, int count)
{
    for (int k = 0; k < n; k++)
        parts[k * KB_TEAM + team_rank()] = x[k];
    team_sync();
    for (int k = 0; k < n; k++) {
        x[k] = parts[k * KB_TEAM];
        for (int t = 1; t < team_threads(count); t++)
            x[k] += parts[k * KB_TEAM + t];
    }
}

kb_fn void team_sums(lane *x, int n, int count)
{
    for (int k = 0; k < n; k++) {
        team_sums_by(team_values, x + k, 1, count);
        team_sync();
    }
}

kb_fn lane team_max(lane x, int count)
{
    team_values[team_rank()] = x;
    team_sync();
    x = team_values[0];
    for (int t = 1; t < team_threads(count); t++)
        x = vmax(x, team_values[t]);
    team_sync();
    return x;
}

kb_fn lane vlog_same(lane x) { return vlog(x); }

kb_fn int team_any(int x)
{
    lane number = splat(x != 0);
    team_sums(&number, 1, KB_TEAM);
    return lane_get(number, 0) > 0;
}

#endif
#endif

kb_fn lane team_sum(lane x, int count)
{
    team_sums(&x, 1, count);
    return x;
}

/* for each ODE whether m is true on any thread, with a sync */
kb_fn mask team_any_of(mask m)
{
    for (int l = 0; l < KB_LANES; l++)
        mask_put(&m, l, team_any(mask_get(m, l)));
    return m;
}
