/* SPDX-License-Identifier: MIT
 *
 * The lanes of gpu-pair-float for a team of host threads, in C++: what solvers/portable/pair.h asks
 * of CUDA. Each thread has its own scalars of an ODE, as one warp has. Included before all else.
 */
#pragma once

#include <cmath>
#include <cstdlib>

#define __device__
#define __host__
#define __forceinline__ inline
#define _Thread_local thread_local

static const struct {
    unsigned x;
} threadIdx = {0};
static inline void __syncwarp() {}
static inline float __fdividef(float a, float b) { return a / b; }
/* teams of host threads exchange by team_values (team.h) */
template <class T> static T __shfl_xor_sync(unsigned, T, int) { abort(); }

#include "solvers/portable/lane.h"

static inline kb_stored stored_from(lane v)
{
    kb_stored s;
    s = v;
    return s;
}
static inline kb_stored team_part_sum(kb_stored x, int parts)
{
    return stored_from(team_part_sum((lane)x, parts));
}
static inline kb_stored team_apart_sum(kb_stored x, int parts, int apart)
{
    return stored_from(team_apart_sum((lane)x, parts, apart));
}
