/* SPDX-License-Identifier: MIT
 *
 * Seeded random numbers of the generators and orders: splitmix64 (Steele, Lea and Flood, OOPSLA
 * 2014). The state is one 64-bit word; a seed gives the same numbers on every machine.
 */
#pragma once

#include <stdint.h>

typedef struct {
    uint64_t state; /* the seed, to begin with */
} kb_random;

static inline uint64_t kb_random_next(kb_random *r)
{
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* in [0, 1): the upper 53 bits */
static inline double kb_random_unit(kb_random *r)
{
    return (double)(kb_random_next(r) >> 11) * 0x1p-53;
}

/* Uniform in 0 .. bound - 1, bound > 0: draws from the incomplete block of 2^64 are thrown away. */
static inline uint64_t kb_random_below(kb_random *r, uint64_t bound)
{
    uint64_t reject = -bound % bound, x;
    do
        x = kb_random_next(r);
    while (x < reject);
    return x % bound;
}

/* Stream number index of a seed (a condition, a realisation). The states that splitmix64 visits lie
 * one constant apart, so seed + index goes through the output function once, which spreads them. */
static inline kb_random kb_random_stream(uint64_t seed, uint64_t index)
{
    kb_random r = {seed + index};
    return (kb_random){kb_random_next(&r)};
}
