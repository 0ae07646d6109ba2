/* SPDX-License-Identifier: MIT
 *
 * Sums over lists by a team, from the slices of mech/tables/team.c: 32 rows of similar length, one
 * row a thread. Each stride of a slice holds the next SLICE_STRIDE terms of a row side by side, so
 * that one load has them, and its rows one behind the other. Terms are pairs of ints; padding terms
 * add 0. The number of steps is a multiple of SLICE_STRIDE.
 */
#ifndef KB_SLICES_H
#define KB_SLICES_H

#include <string.h>

#include "solvers/portable/lane.h"
#include "constants.h"

typedef struct KB_ALIGNED(2 * sizeof(kb_index)) {
    kb_index a, b;
} kb_pair;

/* the terms of one stride of a row */
typedef struct KB_ALIGNED(16) {
    kb_pair p[SLICE_STRIDE];
} slice_stride;

/* an element of v by its place in a pair, which is its index times SLICE_SCALE */
kb_fn lane slice_element(const lane *v, unsigned place)
{
    if (SLICE_SCALE == sizeof(lane))
        return *(const lane *)((const char *)v + place);
    return v[place / SLICE_SCALE];
}

/* the loop over the rows of slices [s0, s1); row is the index of the target */
#define each_row(row, s0, s1)                                                                      \
    KB_NO_UNROLL for (int row = 32 * (s0) + team_rank(); row < 32 * (s1); row += KB_TEAM)

/* a row: its strides, 32 apart, the next one loaded ahead */
typedef struct {
    const slice_stride *t;
    int strides;
    slice_stride ahead;
} slice_row;

kb_fn slice_row slice_begin(const kb_index *pair, const kb_index *slice, int row)
{
    int number = row / 32, first = slice[number] / SLICE_STRIDE;
    slice_row s = {.t = (const slice_stride *)pair + 32 * first + row % 32,
                   .strides = slice[number + 1] / SLICE_STRIDE - first};
    s.ahead = s.t[0];
    return s;
}

/* The terms of stride k. Those of the next are loaded in any case: under a condition they would
 * have to be there at once. */
kb_fn slice_stride slice_take(slice_row *s, int k)
{
    slice_stride now = s->ahead;
    s->ahead = s->t[32 * (k + 1 < s->strides ? k + 1 : k)];
    return now;
}

/* A row of the slices [s0, s1), or of slice s0 for one behind the last: what a thread can have
 * loaded before the sync that the vectors wait for. Slice s0 is there, or the end of the table. */
kb_fn slice_row slice_ahead(const kb_index *pair, const kb_index *slice, int s0, int s1, int row)
{
    return slice_begin(pair, slice, row < 32 * s1 ? row : 32 * s0);
}

/* a coefficient by its number: its first 16 bits, or its place */
kb_fn double slice_coefficient(unsigned number)
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

/* sums of coefficients times each of the n vectors v */
kb_fn void slice_gather(int n, slice_row s, const lane *const v[], lane *sum)
{
KB_UNROLL
    for (int m = 0; m < n; m++)
        sum[m] = splat(0);
KB_NO_UNROLL
    for (int k = 0; k < s.strides; k++) {
        slice_stride now = slice_take(&s, k);
KB_UNROLL
        for (int q = 0; q < SLICE_STRIDE; q++)
KB_UNROLL
            for (int m = 0; m < n; m++)
                sum[m] += slice_coefficient(now.p[q].b) * slice_element(v[m], now.p[q].a);
    }
}

/* a row that was cut */
kb_fn lane slice_pieces(const lane *piece, int first, int last)
{
    lane sum = splat(0);
    for (int p = first; p < last; p++)
        sum += piece[p];
    return sum;
}

#endif
