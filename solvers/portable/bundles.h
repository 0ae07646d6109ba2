/* SPDX-License-Identifier: MIT
 *
 * Sums over lists by a team, from the bundles of mech/tables/team.c: 32 rows of similar length,
 * one row a thread. Each stride of a bundle holds the next BUNDLE_STRIDE terms of a row side by
 * side, so that one load has them, and its rows one behind the other. Terms are pairs of ints;
 * padding terms add 0. The number of steps is a multiple of BUNDLE_STRIDE.
 */
#pragma once

#include <string.h>

#include "solvers/portable/lane.h"
#include "constants.h"

typedef struct KB_ALIGNED(2 * sizeof(kb_index)) {
    kb_index a, b;
} kb_pair;

/* the terms of one stride of a row */
typedef struct KB_ALIGNED(16) {
    kb_pair p[BUNDLE_STRIDE];
} bundle_stride;

/* Places in pairs are indices times LANE_SCALE or STORED_SCALE: the bytes of a lane or of what is
 * stored as the matrix is, if the tables are laid out for them. */
kb_fn lane bundle_element(const lane *v, unsigned place)
{
    if (LANE_SCALE == sizeof(lane))
        return *(const lane *)((const char *)v + place);
    return v[place / LANE_SCALE];
}

kb_fn kb_stored bundle_stored(const kb_stored *v, unsigned place)
{
    if (STORED_SCALE == sizeof(kb_stored))
        return *(const kb_stored *)((const char *)v + place);
    return v[place / STORED_SCALE];
}

/* the same by the place of a lane */
kb_fn kb_stored bundle_stored_beside(const kb_stored *v, unsigned place)
{
    if (LANE_SCALE == sizeof(lane))
        return *(const kb_stored *)((const char *)v + place / (sizeof(lane) / sizeof(kb_stored)));
    return v[place / LANE_SCALE];
}

/* the loop over the rows of bundles [s0, s1); row is the index of the target */
#define each_row(row, s0, s1)                                                                      \
    KB_NO_UNROLL for (int row = 32 * (s0) + team_rank(); row < 32 * (s1); row += KB_TEAM)

/* a row: its strides, 32 apart, the next one loaded ahead */
typedef struct {
    const bundle_stride *t;
    int strides;
    bundle_stride ahead;
} bundle_row;

kb_fn bundle_row bundle_begin(const kb_index *pair, const kb_index *bundle, int row)
{
    int number = row / 32, first = bundle[number] / BUNDLE_STRIDE;
    bundle_row s = {.t = (const bundle_stride *)pair + 32 * first + row % 32,
                   .strides = bundle[number + 1] / BUNDLE_STRIDE - first};
    s.ahead = s.t[0];
    return s;
}

/* The terms of stride k. Those of the next are loaded in any case: under a condition they would
 * have to be there at once. */
kb_fn bundle_stride bundle_take(bundle_row *s, int k)
{
    bundle_stride now = s->ahead;
    s->ahead = s->t[32 * (k + 1 < s->strides ? k + 1 : k)];
    return now;
}

/* A row of the bundles [s0, s1), or of bundle s0 for one behind the last: what a thread can have
 * loaded before the sync that the vectors wait for. Bundle s0 is there, or the end of the table. */
kb_fn bundle_row bundle_ahead(const kb_index *pair, const kb_index *bundle, int s0, int s1, int row)
{
    return bundle_begin(pair, bundle, row < 32 * s1 ? row : 32 * s0);
}

/* a coefficient by its number: its first 16 bits, or its place */
kb_fn double bundle_coefficient(unsigned number)
{
    if (!SHORT_NU)
        return kb_coefficient[number];
#ifdef __CUDACC__
    return __hiloint2double((int)(number << 16), 0);
#else
    uint64_t bits = (uint64_t)number << 48;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
#endif
}

/* sum [first + more]: of coefficients times the vector v, if `first` is 1 and not 0, and of `more`
 * that are stored as the matrix is */
kb_fn void bundle_gather(int first, int more, bundle_row s, const lane *v,
                         const kb_stored *const stored[], lane *sum)
{
KB_UNROLL
    for (int m = 0; m < first + more; m++)
        sum[m] = splat(0);
#ifdef KB_MANY
MANY_STRIDES
#else
KB_NO_UNROLL
#endif
    for (int k = 0; k < s.strides; k++) {
        bundle_stride now = bundle_take(&s, k);
KB_UNROLL
        for (int q = 0; q < BUNDLE_STRIDE; q++) {
            double nu = bundle_coefficient(now.p[q].b);
            if (first)
                sum[0] += nu * bundle_element(v, now.p[q].a);
KB_UNROLL
            for (int m = 0; m < more; m++)
                sum[first + m] += nu * (first ? bundle_stored_beside(stored[m], now.p[q].a)
                                              : bundle_stored(stored[m], now.p[q].a));
        }
    }
}

/* a row that was cut */
kb_fn lane bundle_pieces(const lane *piece, int first, int last)
{
    lane sum = splat(0);
    for (int p = first; p < last; p++)
        sum += piece[p];
    return sum;
}
