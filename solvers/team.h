/* SPDX-License-Identifier: MIT
 *
 * The words of lane.h for a team of KB_TEAM > 1 threads: a CUDA block, which is one warp on gpu-warp; or the
 * threads of a test, which defines team_number and team_sync.
 */
#ifndef KB_TEAM_H
#define KB_TEAM_H

#ifdef __CUDACC__

kb_fn int team_rank(void) { return (int)threadIdx.x; }

kb_fn void team_sync(void)
{
    if (KB_TEAM == 32)
        __syncwarp();
    else
        __syncthreads();
}

#define team_array(name, n) __shared__ lane name[n]

/* combines the team's values by the operation op of two lanes; the same bits on every thread */
#define KB_TEAM_REDUCE(x, op)                                                                     \
    team_sync();                                                                                  \
    for (int d = 16; d > 0; d /= 2) {                                                             \
        lane other = __shfl_xor_sync(~0u, x, d);                                                  \
        x = op(x, other);                                                                         \
    }                                                                                             \
    if (KB_TEAM > 32) {                                                                           \
        __shared__ lane warps[KB_TEAM / 32];                                                      \
        if (team_rank() % 32 == 0)                                                                \
            warps[team_rank() / 32] = x;                                                          \
        team_sync();                                                                              \
        x = warps[0];                                                                             \
        for (int w = 1; w < KB_TEAM / 32; w++)                                                    \
            x = op(x, warps[w]);                                                                  \
    }                                                                                             \
    team_sync();

#else

/* the test's: number of the calling thread, its barrier, and room for one lane of each */
extern _Thread_local unsigned team_number;
kb_fn int team_rank(void) { return (int)(team_number % KB_TEAM); }
void team_sync(void);
extern lane team_values[KB_TEAM];

#define team_array(name, n) static lane name[n]

#define KB_TEAM_REDUCE(x, op)                                                                     \
    team_values[team_rank()] = x;                                                                 \
    team_sync();                                                                                  \
    x = team_values[0];                                                                           \
    for (int t = 1; t < KB_TEAM; t++)                                                             \
        x = op(x, team_values[t]);                                                                \
    team_sync();

#endif

kb_fn lane team_plus(lane a, lane b) { return a + b; }

kb_fn lane team_sum(lane x)
{
    KB_TEAM_REDUCE(x, team_plus)
    return x;
}

kb_fn lane team_max(lane x)
{
    KB_TEAM_REDUCE(x, vmax)
    return x;
}

#endif
