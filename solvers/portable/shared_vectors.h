/* SPDX-License-Identifier: MIT
 *
 * The vectors C and f of gpu-thread-cached: in shared memory, element i of all threads of a block
 * side by side. A thread has one of each, whichever kb_kinetics they are reached through: both are
 * computed anew at every state.
 */
#ifndef KB_CACHED_H
#define KB_CACHED_H

enum { KB_CACHED_DOUBLES = (NSP + 2) + NSP }; /* of a thread */
extern __shared__ lane kin_cache[]; /* [KB_CACHED_DOUBLES][threads of the block] */

template <int FIRST> struct kin_cached {
    __device__ lane &operator[](int i) const
    {
        return kin_cache[(FIRST + i) * blockDim.x + threadIdx.x];
    }
};
typedef kin_cached<0> kin_C;
typedef kin_cached<NSP + 2> kin_f;
#define KIN_C_VECTOR(name) kin_C name
#define KIN_F_VECTOR(name) kin_f name

#endif
