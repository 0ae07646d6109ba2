/* SPDX-License-Identifier: MIT
 *
 * lu.h for a team of KB_TEAM threads; same pivots, another storage (mechc --team). The head is
 * inverted level by level: the pivots of a level do not touch each other, and each place that they
 * update is one thread's. With B = A_hh^-1, M = A_th B and S = (A_tt - M A_ht)^-1 a solve is three
 * products: v = B b_h, t = b_t - M b_h; x_t = S t; x_h = v - (B A_ht) x_t. The dense tail lies in
 * the registers of a grid of TEAM_ROWS x TEAM_COLUMNS threads, dealt out cyclically, and is
 * inverted in place by Gauss-Jordan elimination. A tail that is too large for the registers stays
 * in memory. The inverse of a large head has several times the entries of its factors; where these
 * cost less (HEAD_INVERTED 0), a solve goes through its levels forth and back.
 */
#pragma once

#include "solvers/portable/bundles.h"

#define TAIL_AT(i, j) (NNZ_HEAD + (i) * TAIL_STRIDE + (j)) /* place of an element of the tail */

enum {
    TEAM_ROWS = KB_TEAM <= 4 ? 2 : KB_TEAM <= 32 ? 4 : KB_TEAM <= 128 ? 8 : 16,
    TEAM_COLUMNS = KB_TEAM / TEAM_ROWS, /* a multiple of TEAM_ROWS */
    /* rows and columns of the tail on a thread */
    TEAM_I = (NTAIL + TEAM_ROWS - 1) / TEAM_ROWS,
    TEAM_J = (NTAIL + TEAM_COLUMNS - 1) / TEAM_COLUMNS,
    TEAM_MOST = 80, /* most elements of the tail that a thread keeps in registers */
    /* threads that share a row of the product with the tail, TEAM_APART from each other, and how
     * much of it each takes: a multiple of 4 */
    TEAM_PARTS = KB_TEAM / NTAIL >= 4 ? 4 : KB_TEAM / NTAIL >= 2 ? 2 : 1,
    TEAM_APART = (KB_TEAM < 32 ? KB_TEAM : 32) / TEAM_PARTS,
    TEAM_LENGTH = (NTAIL / 4 + TEAM_PARTS - 1) / TEAM_PARTS * 4,
    TEAM_ROOM = 2 * (TEAM_J * TEAM_COLUMNS + TEAM_I * TEAM_ROWS) /* two rows and columns */
};

/* numbers and their arithmetic are those of the matrix */
typedef kb_stored lu_number;
typedef kb_stored *lu_vector;
kb_fn lu_number lu_get(const kb_stored *v, int k) { return v[k]; }
kb_fn lu_number lu_at(const kb_stored *v, unsigned place) { return bundle_stored(v, place); }
kb_fn void lu_put(kb_stored *v, int k, lu_number x) { v[k] = x; }
kb_fn lu_number lu_plus(lu_number a, lu_number b) { return a + b; }
kb_fn lu_number lu_times(lu_number a, lu_number b) { return a * b; }
kb_fn lu_number lu_minus(lu_number a, lu_number b) { return a - b; }
kb_fn lu_number lu_plus_product(lu_number a, lu_number b, lu_number c) { return a + b * c; }
kb_fn lu_number lu_minus_product(lu_number a, lu_number b, lu_number c) { return a - b * c; }
kb_fn void lu_pivot(lane *reach, int k, lu_number inverse) { lu_reach(reach, NHEAD + k, inverse); }
#ifdef KB_PAIR_FLOAT
kb_fn lu_number lu_real(double x) { return stored_of((float)x); }
#else
kb_fn lu_number lu_real(double x) { return splat(x); }
#endif
kb_fn lu_number lu_inverse(lu_number a) { return vinverse(a); }
kb_fn lu_number lu_part_sum(lu_number a, int parts) { return team_part_sum(a, parts); }
kb_fn lu_number lu_apart_sum(lu_number a, int parts, int apart)
{
    return team_apart_sum(a, parts, apart);
}

#define LU(name) lu_##name
#define LU_ARRAY(name, n) team_array_of(kb_stored, name, n)
#define LU_FROM(v, k) ((v) + (k))
#include "solvers/linalg/lu_team_body.h"
#undef LU
#undef LU_ARRAY
#undef LU_FROM

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && KB_LANES == 2
#include "solvers/linalg/lu_team_tensor.h"
#else
enum { TENSOR_FITS = 0 };
kb_fn void tensor_eliminate(kb_stored *A, lane *reach)
{
    (void)A;
    (void)reach;
}
#endif

kb_fn lane lu_factor(kb_stored *A, lane gi)
{
    lane reach = splat(0);
    team_sync();
    each(i, NSP) A[lu_diagonal(i)] += gi;
    each(k, 1) A[kb_lu_T_row[POS_T]] += gi;
    team_sync();
    if (TENSOR_FITS)
        tensor_eliminate(A, &reach);
    else
        lu_eliminate(A, &reach);
    return team_max(reach, KB_TEAM);
}

/* z and v of lu_substitute, of every solve that there is */
kb_fn kb_stored *lu_solve_z(void)
{
    team_long_of(kb_stored, z, NNEWTON + 1, 1);
    return z;
}

kb_fn kb_stored *lu_solve_v(void)
{
    team_long_of(kb_stored, v, NNEWTON + 1, 1);
    return v;
}

kb_fn void lu_solve(const kb_stored *A, const lane *b, lane *x)
{
    kb_stored *z = lu_solve_z(), *v = lu_solve_v();
    each_next(i, NSP) z[kb_lu_position[i]] = b[i + 1] * kb_rW[i];
    each(k, 1)
    {
        z[POS_T] = b[0];
        z[POS_S] = splat(0);
        z[NNEWTON] = splat(0);
    }
    lu_substitute((kb_stored *)A, z, v);
    each_next(i, NSP) x[i + 1] = z[kb_lu_position[i]] * kb_W[i];
    each(k, 1) x[0] = z[POS_T];
}
