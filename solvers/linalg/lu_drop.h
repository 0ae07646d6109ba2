/* SPDX-License-Identifier: MIT
 *
 * LU of the large entries of the sparse Newton matrix, without pivoting, in an order of its own
 * (kb_drop_order), for methods that allow an inexact matrix. Of M = gi I - J, in the bordered form
 * of jacobian.h, the entry of species i and j is dropped if
 *   |M_ij| s_j <= drop gi s_i,   s_i = (|Y_i| + atol/rtol)/W_i.
 * The diagonal and the rows and columns of T and s stay, and so does a NaN.
 *
 * Each factorisation finds its own entries and their fill. Lanes share one pattern, of the entries
 * that any of them keeps, and hold 0 where an entry is dropped in a lane: products with it change
 * nothing, so that a lane has the bits of its own entries whatever its neighbours are.
 *
 * A row is eliminated in a dense row of room, by the rows above it in turn; its pattern is a row of
 * bits, to which each of them adds what it fills.
 */
#pragma once

#include "solvers/linalg/lu.h"
#include "solvers/portable/work.h"

#define DROP_WORDS ((NNEWTON + 63) / 64)

#define DROP_FIELDS(ARRAY, ROWS, PART)                                                             \
    /* entries of the matrix by rows in this order, without the diagonal: index in A, column */    \
    ARRAY(int, first, NNEWTON + 1) ARRAY(int, at, NNZ) ARRAY(int, at_column, NNZ)                  \
    ARRAY(int, place, NNEWTON)                                /* of a position in this order */    \
    ARRAY(lane, factors, NNZ_DROP) ARRAY(int, column, NNZ_DROP) /* by rows: L, 1/pivot, U */       \
    ARRAY(int, row, NNEWTON + 1) ARRAY(int, pivot, NNEWTON)                                        \
    ARRAY(uint64_t, upper, NNEWTON * DROP_WORDS) /* pattern of U, a bit for each column */         \
    ARRAY(uint64_t, bits, DROP_WORDS) ARRAY(lane, room, NNEWTON) ARRAY(lane, scale, NNEWTON)
KB_WORK(drop_work, DROP_FIELDS)

/* storage index of the diagonal of a position */
kb_fn int drop_diagonal(int p)
{
    return p < NHEAD ? kb_lu_diag[p] : NNZ_HEAD + (p - NHEAD) * (TAIL_STRIDE + 1);
}

/* adds the entries [n] from index k of A on, in columns listed or from position q on */
kb_fn int drop_add(drop_work *w, int e, int k, int n, const kb_index *listed, int q, int diagonal,
                   const char *fill)
{
    for (int i = 0; i < n; i++)
        if (k + i != diagonal && !fill[k + i]) {
            w->at[e] = k + i;
            w->at_column[e++] = w->place[listed ? listed[i] : q + i];
        }
    return e;
}

/* Once, before the first factorisation. fill [NNZ] is room. */
kb_fn void drop_start(drop_work *w, char *fill)
{
    int e = 0;
    memset(fill, 0, NNZ);
    for (int i = 0; i < NFILL && NSTEADY == 0; i++) /* species in steady state may fill it */
        fill[kb_lu_fill[i]] = 1;
    for (int i = 0; i < NNEWTON; i++)
        w->place[kb_drop_order[i]] = i;
    for (int i = 0; i < NNEWTON; i++) {
        int p = kb_drop_order[i], k = kb_lu_row_start[p], n = kb_lu_row_start[p + 1] - k;
        w->first[i] = e;
        e = drop_add(w, e, k, n, kb_lu_column + k, 0, drop_diagonal(p), fill);
        if (p >= NHEAD)
            e = drop_add(w, e, NNZ_HEAD + (p - NHEAD) * TAIL_STRIDE, NNEWTON - NHEAD, NULL, NHEAD,
                         drop_diagonal(p), fill);
    }
    w->first[NNEWTON] = e;
    for (int i = 0; i < NNEWTON; i++)
        w->room[i] = splat(0);
}

/* A drop_work ready for the first factorisation, for the caller to free; NULL: no memory */
static inline drop_work *drop_new(void)
{
    drop_work *w = KB_NEW_WORK(drop_work, 1);
    char *room = (char *)malloc(NNZ); /* C++ compiles this, too */
    if (w && room) {
        drop_start(w, room);
    } else {
        free(w);
        w = NULL;
    }
    free(room);
    return w;
}

/* the scales of the species of y [N] = (T, Y), given floor = atol/rtol */
kb_fn void drop_scales(drop_work *w, const lane *y, double floor)
{
    for (int i = 0; i < NSP; i++)
        w->scale[w->place[kb_lu_position[i]]] = (vabs(y[i + 1]) + splat(floor)) * splat(kb_rW[i]);
    w->scale[w->place[POS_T]] = w->scale[w->place[POS_S]] = splat(INFINITY);
}

/* the large entries of row i into room and bits, without a branch */
kb_fn void drop_load(drop_work *w, const lane *A, int i, lane limit)
{
    for (int e = w->first[i]; e < w->first[i + 1]; e++) {
        int j = w->at_column[e];
        lane a = A[w->at[e]];
        mask large = not_(vabs(a) * w->scale[j] <= limit);
        w->room[j] = vselect(large, a, splat(0));
        w->bits[j / 64] |= (uint64_t)lane_any(large) << j % 64;
    }
}

/* L of row i, from its large entries, and what it fills; returns the end of the factors */
kb_fn int drop_eliminate(drop_work *w, int i, int end)
{
    for (int q = 0; q <= i / 64; q++) {
        uint64_t left = q < i / 64 ? ~UINT64_C(0) : (UINT64_C(1) << i % 64) - 1, todo;
        while ((todo = w->bits[q] & left) != 0) {
            int b = __builtin_ctzll(todo), k = 64 * q + b;
            lane l = w->room[k] * w->factors[w->pivot[k]];
            left &= ~UINT64_C(1) << b;
            w->room[k] = splat(0);
            w->column[end] = k;
            w->factors[end++] = l;
            for (int word = q; word < DROP_WORDS; word++)
                w->bits[word] |= w->upper[k * DROP_WORDS + word];
            for (int e = w->pivot[k] + 1; e < w->row[k + 1]; e++)
                w->room[w->column[e]] -= l * w->factors[e];
        }
    }
    return end;
}

/* inverse pivot and U of row i, which leave room and bits empty */
kb_fn int drop_store(drop_work *w, int i, int end)
{
    uint64_t *upper = w->upper + (size_t)i * DROP_WORDS;
    w->pivot[i] = end;
    w->column[end] = i;
    w->factors[end++] = vinverse(w->room[i]);
    w->room[i] = splat(0);
    for (int q = 0; q < DROP_WORDS; q++) {
        uint64_t behind = q < i / 64 ? 0 : ~UINT64_C(0); /* the columns after i */
        uint64_t left = w->bits[q] & (q == i / 64 ? behind << i % 64 << 1 : behind);
        upper[q] = left;
        w->bits[q] = 0;
        for (; left; left &= left - 1) {
            int j = 64 * q + __builtin_ctzll(left);
            w->column[end] = j;
            w->factors[end++] = w->room[j];
            w->room[j] = splat(0);
        }
    }
    return end;
}

/* Factors of the large entries of (gi I - J), A [NNZ] = -J from jac_rhs, which stays; scales from
 * drop_scales. Returns the reach of the pivots [s], as lu_factor does. */
kb_fn lane drop_factor(drop_work *w, const lane *A, lane gi, double drop)
{
    int end = 0;
    lane reach = splat(0);
    for (int i = 0; i < NNEWTON; i++) {
        int p = kb_drop_order[i];
        int border = p == POS_T || p == POS_S;
        w->row[i] = end;
        drop_load(w, A, i, border ? splat(0) : splat(drop) * gi * w->scale[i]);
        w->room[i] = A[drop_diagonal(p)] + (p == POS_S ? splat(0) : gi);
        end = drop_store(w, i, drop_eliminate(w, i, end));
        w->row[i + 1] = end;
        lu_reach(&reach, p, w->factors[w->pivot[i]]);
    }
    return reach;
}

/* x [N] = b [N] by these factors, both as (T, Y). x may be b. */
kb_fn void drop_solve(const drop_work *w, const lane *b, lane *x)
{
    lane z[NNEWTON];
    for (int i = 0; i < NSP; i++)
        z[w->place[kb_lu_position[i]]] = b[i + 1] * splat(kb_rW[i]);
    z[w->place[POS_T]] = b[0];
    z[w->place[POS_S]] = splat(0);
    for (int i = 0; i < NNEWTON; i++) {
        lane sum = z[i];
        for (int e = w->row[i]; e < w->pivot[i]; e++)
            sum -= w->factors[e] * z[w->column[e]];
        z[i] = sum;
    }
    for (int i = NNEWTON - 1; i >= 0; i--) {
        lane sum = z[i];
        for (int e = w->pivot[i] + 1; e < w->row[i + 1]; e++)
            sum -= w->factors[e] * z[w->column[e]];
        z[i] = sum * w->factors[w->pivot[i]];
    }
    for (int i = 0; i < NSP; i++)
        x[i + 1] = z[w->place[kb_lu_position[i]]] * splat(kb_W[i]);
    x[0] = z[w->place[POS_T]];
}
