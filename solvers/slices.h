/* SPDX-License-Identifier: MIT
 *
 * Sums over lists by a team, from the slices of mech/tables_team.c: 32 rows of like length, one row a thread; step k
 * of a slice holds the k-th terms of its rows side by side. Terms are pairs of ints; missing ones add 0.
 */
#ifndef KB_SLICES_H
#define KB_SLICES_H

#include "lane.h"
#include "constants.h"

typedef struct KB_ALIGNED(2 * sizeof(kb_index)) {
    kb_index a, b;
} kb_pair;

/* the loop over the rows of slices [s0, s1): row is the place among the targets */
#define each_row(row, s0, s1)                                                                     \
    for (int row = 32 * (s0) + team_rank(); row < 32 * (s1); row += KB_TEAM)

/* the terms of a row, 32 pairs apart */
kb_fn const kb_pair *slice_terms(const kb_index *pair, const kb_index *slice, int row, int *steps)
{
    int s = row / 32, first = slice[s];
    *steps = slice[s + 1] - first;
    return (const kb_pair *)pair + 32 * first + row % 32;
}

/* a coefficient by its number */
kb_fn double slice_coefficient(int number)
{
    return INTEGER_NU ? (double)(number - NU_ZERO) : kb_coef[number];
}

/* sum of coefficients times v; four terms in flight hide the way to the tables */
kb_fn lane slice_gather(const kb_pair *t, int steps, const lane *v)
{
    lane s0 = splat(0), s1 = splat(0);
    int k = 0;
    for (; k + 4 <= steps; k += 4) {
        kb_pair p[4];
KB_UNROLL
        for (int q = 0; q < 4; q++)
            p[q] = t[32 * (k + q)];
        s0 += slice_coefficient(p[0].b) * v[p[0].a];
        s1 += slice_coefficient(p[1].b) * v[p[1].a];
        s0 += slice_coefficient(p[2].b) * v[p[2].a];
        s1 += slice_coefficient(p[3].b) * v[p[3].a];
    }
    for (; k < steps; k++)
        s0 += slice_coefficient(t[32 * k].b) * v[t[32 * k].a];
    return s0 + s1;
}

/* sum of products u_a v_b */
kb_fn lane slice_products(const kb_pair *t, int steps, const lane *u, const lane *v)
{
    lane s0 = splat(0), s1 = splat(0);
    int k = 0;
    for (; k + 4 <= steps; k += 4) {
        kb_pair p[4];
KB_UNROLL
        for (int q = 0; q < 4; q++)
            p[q] = t[32 * (k + q)];
        s0 += u[p[0].a] * v[p[0].b];
        s1 += u[p[1].a] * v[p[1].b];
        s0 += u[p[2].a] * v[p[2].b];
        s1 += u[p[3].a] * v[p[3].b];
    }
    for (; k < steps; k++)
        s0 += u[t[32 * k].a] * v[t[32 * k].b];
    return s0 + s1;
}

#endif
