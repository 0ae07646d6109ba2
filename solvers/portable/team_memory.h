/* SPDX-License-Identifier: MIT
 *
 * The arrays of a team that grow with the mechanism. A short one lies in the static shared memory
 * of the kernel; a long one in the team's part of global memory, so that a mechanism of any size
 * can be compiled:
 *
 *   team_long(name, n, count)   like team_array(name, n * count); n decides where it lies
 *   team_placed(name, n, count, fits, at)   the same, at the address `at` if the constant `fits`
 */
#pragma once

#include "solvers/portable/lane.h"
#include "constants.h"

#if KB_TEAM > 1

/* Most lanes of an array in shared memory: ten such arrays (for two ODEs, of 16 bytes a lane,
 * the six of radau2a's solves), the most that a method has, and what the elimination of a dense
 * tail of 96 takes stay below 48 KB, the limit of the static shared memory of a kernel. */
#ifndef KB_SHARED_ARRAY_MOST
#define KB_SHARED_ARRAY_MOST (KB_LANES == 1 ? 384 : 208)
#endif
#define TEAM_IS_GLOBAL(n) ((n) > KB_SHARED_ARRAY_MOST)
#define TEAM_GLOBAL_SIZE(n) (TEAM_IS_GLOBAL(n) ? (n) : 1)

enum { GATHERS = 3 }; /* most vectors that kin_gathers sums at once */

typedef struct {
    lane gathered[GATHERS * TEAM_GLOBAL_SIZE(NGATHER_PIECES + 1)];
    lane entry[TEAM_GLOBAL_SIZE(NJAC_PIECES + 1)], heat[TEAM_GLOBAL_SIZE(NHEAT_PIECES + 1)];
    lane z[TEAM_GLOBAL_SIZE(NNEWTON + 1)], z_r[TEAM_GLOBAL_SIZE(NNEWTON + 1)],
        z_m[TEAM_GLOBAL_SIZE(NNEWTON + 1)], v[TEAM_GLOBAL_SIZE(NNEWTON + 1)],
        v_r[TEAM_GLOBAL_SIZE(NNEWTON + 1)], v_m[TEAM_GLOBAL_SIZE(NNEWTON + 1)];
} team_memory;

enum {
    TEAM_SOLVE_GLOBAL = TEAM_IS_GLOBAL(NNEWTON + 1), /* a solve needs global memory */
    /* anything does */
    TEAM_GLOBAL = TEAM_SOLVE_GLOBAL || TEAM_IS_GLOBAL(NGATHER_PIECES + 1) ||
                  TEAM_IS_GLOBAL(NJAC_PIECES + 1) || TEAM_IS_GLOBAL(NHEAT_PIECES + 1)
};

#ifdef __CUDACC__
kb_fn team_memory **team_memory_of_block(void)
{
    __shared__ team_memory *memory;
    return &memory;
}
/* what a kernel calls first, if TEAM_GLOBAL */
kb_fn void team_set_memory(team_memory *memory)
{
    *team_memory_of_block() = memory;
    team_sync();
}
kb_fn team_memory *team_global(void) { return *team_memory_of_block(); }
#else
kb_fn team_memory *team_global(void)
{
    static team_memory memory;
    return &memory;
}
#endif

#ifdef KB_MANY
#define team_placed_of(type, name, n, count, fits, at)                                            \
    team_array_of(type, name##_shared, 1);                                                        \
    type *const name = (fits) ? (at) : many_at<type>(many_of(team_global())->name)
#else
#define team_placed_of(type, name, n, count, fits, at)                                            \
    team_array_of(type, name##_shared, (fits) || TEAM_IS_GLOBAL(n) ? 1 : (n) * (count));          \
    type *const name = (fits)              ? (at)                                                 \
                       : TEAM_IS_GLOBAL(n) ? (type *)team_global()->name                          \
                                           : name##_shared
#endif
#define team_placed(name, n, count, fits, at) team_placed_of(lane, name, n, count, fits, at)
#define team_long_of(type, name, n, count) team_placed_of(type, name, n, count, 0, name##_shared)

#else

typedef char team_memory;
enum { TEAM_GLOBAL = 0 };
#define team_long_of(type, name, n, count) team_array_of(type, name, (n) * (count))

#endif
#define team_long(name, n, count) team_long_of(lane, name, n, count)
