/* SPDX-License-Identifier: MIT
 *
 * Sums over lists by a team, from the slices of mech/tables/team.c: 32 rows of similar length, one
 * row a thread; step k of a slice holds the k-th terms of its rows side by side. Terms are pairs of
 * ints; padding terms add 0. The number of steps is a multiple of SLICE_STRIDE.
 */
#ifndef KB_SLICES_H
#define KB_SLICES_H

#include "solvers/portable/lane.h"
#include "constants.h"

typedef struct KB_ALIGNED(2 * sizeof(kb_index)) {
    kb_index a, b;
} kb_pair;

/* the loop over the rows of slices [s0, s1); row is the index of the target */
#define each_row(row, s0, s1)                                                                      \
    KB_NO_UNROLL for (int row = 32 * (s0) + team_rank(); row < 32 * (s1); row += KB_TEAM)

/* a row: its terms, 32 pairs apart, those of the next stride loaded ahead */
typedef struct {
    const kb_pair *t;
    int steps;
    kb_pair ahead[SLICE_STRIDE];
} slice_row;

kb_fn void slice_load(slice_row *s, int k)
{
KB_UNROLL
    for (int q = 0; q < SLICE_STRIDE; q++)
        s->ahead[q] = s->t[32 * (k + q)];
}

kb_fn slice_row slice_begin(const kb_index *pair, const kb_index *slice, int row)
{
    int number = row / 32, first = slice[number];
    slice_row s = {.t = (const kb_pair *)pair + 32 * first + row % 32,
                   .steps = slice[number + 1] - first};
    slice_load(&s, 0);
    return s;
}

/* The terms of the stride from step k on. Those of the next are loaded in any case: under a
 * condition they would have to be there at once. */
kb_fn void slice_take(slice_row *s, int k, kb_pair p[SLICE_STRIDE])
{
KB_UNROLL
    for (int q = 0; q < SLICE_STRIDE; q++)
        p[q] = s->ahead[q];
    slice_load(s, k + SLICE_STRIDE < s->steps ? k + SLICE_STRIDE : k);
}

/* A row of the slices [s0, s1), or of slice s0 for one behind the last: what a thread can have
 * loaded before the sync that the vectors wait for. Slice s0 is there, or the end of the table. */
kb_fn slice_row slice_ahead(const kb_index *pair, const kb_index *slice, int s0, int s1, int row)
{
    return slice_begin(pair, slice, row < 32 * s1 ? row : 32 * s0);
}

/* a coefficient by its number */
kb_fn double slice_coefficient(int number)
{
    return INTEGER_NU ? (double)(number - NU_ZERO) : kb_coefficient[number];
}

/* sums of coefficients times each of the n vectors v */
kb_fn void slice_gather(int n, slice_row s, const lane *const v[], lane *sum)
{
KB_UNROLL
    for (int m = 0; m < n; m++)
        sum[m] = splat(0);
    for (int k = 0; k < s.steps; k += SLICE_STRIDE) {
        kb_pair p[SLICE_STRIDE];
        slice_take(&s, k, p);
KB_UNROLL
        for (int q = 0; q < SLICE_STRIDE; q++)
KB_UNROLL
        for (int m = 0; m < n; m++)
            sum[m] += slice_coefficient(p[q].b) * v[m][p[q].a];
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
