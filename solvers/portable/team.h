/* SPDX-License-Identifier: MIT
 *
 * lane.h for a team of KB_TEAM > 1 threads: a CUDA block of that size; or the threads of a test,
 * which defines team_number and team_sync.
 */
#ifndef KB_TEAM_H
#define KB_TEAM_H

#ifdef __CUDACC__

/* The compiler does not see that it is always the same: else the addresses of all loops of an
 * attempt would be computed before the first, and spill. */
kb_fn int team_rank(void)
{
    int rank = (int)threadIdx.x;
    asm volatile("" : "+r"(rank));
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

/* combines the team's values x [n], n <= TEAM_VALUES, by the operation op of two lanes; the same
 * bits on every thread */
enum { TEAM_VALUES = 4 };
enum { WARPS = KB_TEAM / 32, TEAM_PARTIAL = WARPS };
#define KB_TEAM_REDUCE(x, n, op)                                                                  \
    for (int d = 16; d > 0; d /= 2)                                                               \
        KB_UNROLL for (int k = 0; k < n; k++)                                                     \
        {                                                                                         \
            lane other = team_exchange((x)[k], d);                                                \
            (x)[k] = op((x)[k], other);                                                           \
        }                                                                                         \
    if (WARPS > 1) {                                                                              \
        __shared__ lane of_warp[TEAM_VALUES * WARPS];                                             \
        if (team_rank() % 32 == 0)                                                                \
            KB_UNROLL for (int k = 0; k < n; k++) of_warp[k * WARPS + team_rank() / 32] = (x)[k]; \
        team_sync();                                                                              \
        KB_UNROLL for (int k = 0; k < n; k++)                                                     \
        {                                                                                         \
            (x)[k] = of_warp[k * WARPS];                                                          \
            for (int w = 1; w < WARPS; w++)                                                       \
                (x)[k] = op((x)[k], of_warp[k * WARPS + w]);                                      \
        }                                                                                         \
    }                                                                                             \
    team_sync();

/* Sums of x [n] as team_sums, with one sync: parts [n TEAM_PARTIAL], which the team shares, is not
 * written again before the next sync. */
kb_fn void team_sums_by(lane *parts, lane *x, int n)
{
    for (int d = 16; d > 0; d /= 2)
KB_UNROLL
        for (int k = 0; k < n; k++)
            x[k] += team_exchange(x[k], d);
    if (WARPS > 1 && team_rank() % 32 == 0)
KB_UNROLL
        for (int k = 0; k < n; k++)
            parts[k * WARPS + team_rank() / 32] = x[k];
    team_sync();
    if (WARPS > 1)
KB_UNROLL
        for (int k = 0; k < n; k++) {
            x[k] = parts[k * WARPS];
            for (int w = 1; w < WARPS; w++)
                x[k] += parts[k * WARPS + w];
        }
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
kb_fn void team_sums_by(lane *parts, lane *x, int n)
{
    for (int k = 0; k < n; k++)
        parts[k * KB_TEAM + team_rank()] = x[k];
    team_sync();
    for (int k = 0; k < n; k++) {
        x[k] = parts[k * KB_TEAM];
        for (int t = 1; t < KB_TEAM; t++)
            x[k] += parts[k * KB_TEAM + t];
    }
}

#define KB_TEAM_REDUCE(x, n, op)                                                                  \
    for (int k = 0; k < n; k++) {                                                                 \
        team_values[team_rank()] = (x)[k];                                                        \
        team_sync();                                                                              \
        (x)[k] = team_values[0];                                                                  \
        for (int t = 1; t < KB_TEAM; t++)                                                         \
            (x)[k] = op((x)[k], team_values[t]);                                                  \
        team_sync();                                                                              \
    }

#endif

kb_fn lane team_plus(lane a, lane b) { return a + b; }

kb_fn void team_sums(lane *x, int n) { KB_TEAM_REDUCE(x, n, team_plus) }

kb_fn lane team_sum(lane x)
{
    team_sums(&x, 1);
    return x;
}

kb_fn lane team_max(lane x)
{
    KB_TEAM_REDUCE(&x, 1, vmax)
    return x;
}

#endif
