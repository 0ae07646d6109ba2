/* SPDX-License-Identifier: MIT
 *
 * The vectors C and f = wdot/rho: the thread's own or the team's arrays, but for gpu-thread-cached.
 * There they lie in shared memory, element i of all threads of a block side by side. A thread has
 * one of each, by whichever kb_kinetics it reaches them: both are computed again at every state.
 */
#pragma once

#include "solvers/portable/team_memory.h"

#ifdef KB_CACHED
enum { KB_CACHED_DOUBLES = (NALL + 2) + NSP }; /* of a thread */
extern __shared__ lane kin_cache[]; /* [KB_CACHED_DOUBLES][threads of the block] */

template <int FIRST> struct kin_cached {
    __device__ lane &operator[](int i) const
    {
        return kin_cache[(FIRST + i) * blockDim.x + threadIdx.x];
    }
};
typedef kin_cached<0> kin_C;
typedef kin_cached<NALL + 2> kin_f;
#define KIN_C_VECTOR(ARRAY, name) kin_C name;
#define KIN_F_VECTOR(name, dy) kin_f name
#else
typedef lane *kin_C, *kin_f;
#define KIN_C_VECTOR(ARRAY, name) ARRAY(lane, name, NALL + 2)
#if KB_TEAM > 1 /* in the place of what it becomes */
#define KIN_F_VECTOR(name, dy) lane *name = (dy) + 1
#else
#define KIN_F_VECTOR(name, dy) lane name[NSP]
#endif
#endif
