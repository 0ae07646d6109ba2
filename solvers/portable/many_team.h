/* SPDX-License-Identifier: MIT
 *
 * team.h for many ODEs side by side (many.h): KB_TEAM threads share an ODE, one in each group of
 * KB_MANY neighbouring threads of the block. Lists are laid out so that no row is shared.
 */
#pragma once

/* as in team.h, where the compiler sees that it is always the same */
kb_fn int team_rank(void)
{
    int rank = (int)threadIdx.x / KB_MANY;
    asm volatile("" : "+r"(rank));
    return rank;
}

kb_fn void team_sync(void) { __syncthreads(); }
kb_fn void team_in_turn(void) { __syncwarp(); }

/* sums lie in an array of their own, below */
#define team_array_of(type, name, n) [[maybe_unused]] type *const name = NULL
enum { TEAM_PARTIAL = 1 };

kb_fn kb_stored team_part_sum(kb_stored x, int) { return x; }
kb_fn kb_stored team_apart_sum(kb_stored x, int, int) { return x; }

/* a number of each thread, and of each ODE */
typedef double team_values[KB_TEAM][KB_MANY];
kb_fn team_values &team_exchanged(void)
{
    __shared__ team_values value;
    return value;
}

/* Combines the numbers of each x [n] over the threads of an ODE, from the first thread to the last.
 * One x comes after another, in little shared memory: the rest is cache. */
template <class combine>
static __device__ __forceinline__ void team_combine(lane *x, int n, combine with)
{
    team_values &value = team_exchanged();
    int rank = team_rank(), l = many_lane();
    KB_UNROLL for (int k = 0; k < n; k++)
    {
        team_sync();
        value[rank][l] = x[k].x;
        team_sync();
        double all = value[0][l];
        for (int t = 1; t < KB_TEAM; t++)
            all = with(all, value[t][l]);
        x[k] = splat(all);
    }
}

kb_fn void team_sums_by(lane *, lane *x, int n, int)
{
    team_combine(x, n, [](double a, double b) { return a + b; });
}
kb_fn void team_sums(lane *x, int n, int count) { team_sums_by(NULL, x, n, count); }
kb_fn lane team_max(lane x, int)
{
    team_combine(&x, 1, [](double a, double b) { return (b > a) | (b != b) ? b : a; });
    return x;
}
kb_fn int team_any(int x)
{
    return lane_get(team_max(splat(x != 0), KB_TEAM), 0) > 0;
}
kb_fn lane vlog_same(lane x) { return vlog(x); }
