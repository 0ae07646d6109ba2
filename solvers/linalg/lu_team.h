/* SPDX-License-Identifier: MIT
 *
 * lu.h for a team of KB_TEAM threads; same storage and pivots. The head is eliminated level by
 * level: the pivots of a level do not touch each other, and each place that they update is one
 * thread's. The dense tail lies in the registers of a grid of TEAM_ROWS x TEAM_COLUMNS threads,
 * dealt out cyclically, and is inverted in place by Gauss-Jordan elimination: its solve is then a
 * product, without the chain of a triangular solve. A tail that is too large for the registers
 * stays in memory. Teams have a larger tail than single threads (mechc --team): levels cost them
 * more than arithmetic.
 */
#ifndef KB_LU_TEAM_H
#define KB_LU_TEAM_H

#include "solvers/portable/slices.h"

#define TAIL_AT(i, j) (NNZ_HEAD + (i) * TAIL_STRIDE + (j)) /* place of an element of the tail */

enum {
    /* phases of the solve before the tail: the first level has no L */
    NLEVEL_FORWARD = NLEVEL > 0 ? NLEVEL : 1,
    TEAM_ROWS = KB_TEAM <= 4 ? 2 : KB_TEAM <= 32 ? 4 : KB_TEAM <= 128 ? 8 : 16,
    TEAM_COLUMNS = KB_TEAM / TEAM_ROWS, /* a multiple of TEAM_ROWS */
    /* rows and columns of the tail on a thread */
    TEAM_I = (NTAIL + TEAM_ROWS - 1) / TEAM_ROWS,
    TEAM_J = (NTAIL + TEAM_COLUMNS - 1) / TEAM_COLUMNS,
    TEAM_MOST = 80, /* most elements of the tail that a thread keeps in registers */
    /* threads that share a row of the product with the tail, and how much of it each takes: a
     * multiple of 4 */
    TEAM_PARTS = KB_TEAM / NTAIL > 4 ? 4 : KB_TEAM / NTAIL > 1 ? KB_TEAM / NTAIL : 1,
    TEAM_LENGTH = (NTAIL / 4 + TEAM_PARTS - 1) / TEAM_PARTS * 4
};

typedef lane lu_number;
typedef lane *lu_vector;
kb_fn lane lu_get(const lane *v, int k) { return v[k]; }
kb_fn void lu_put(lane *v, int k, lane x) { v[k] = x; }
kb_fn lane lu_real(double x) { return splat(x); }
kb_fn lane lu_plus(lane a, lane b) { return a + b; }
kb_fn lane lu_times(lane a, lane b) { return a * b; }
kb_fn lane lu_minus(lane a, lane b) { return a - b; }
kb_fn lane lu_plus_product(lane a, lane b, lane c) { return a + b * c; }
kb_fn lane lu_minus_product(lane a, lane b, lane c) { return a - b * c; }
kb_fn lane lu_inverse(lane a) { return 1.0 / a; }
kb_fn void lu_pivot(lane *reach, int k, lane inverse) { lu_reach(reach, NHEAD + k, inverse); }

#define LU(name) lu_##name
#define LU_ARRAY team_array
#include "solvers/linalg/lu_team_body.h"
#undef LU
#undef LU_ARRAY

kb_fn lane lu_factor(lane *A, lane gi)
{
    lane reach = splat(0);
    team_sync();
    each(i, NSP) A[lu_diagonal(i)] += gi;
    each(k, 1) A[kb_lu_T_row[POS_T]] += gi;
    team_sync();
    lu_eliminate(A, &reach);
    each(k, NHEAD) lu_reach(&reach, k, A[kb_lu_diag[k]]);
    return team_max(reach);
}

kb_fn void lu_solve(const lane *A, const lane *b, lane *x)
{
    team_long(z, NNEWTON + 1, 1);
    team_sync();
    each(i, NSP) z[kb_lu_position[i]] = b[i + 1] * kb_rW[i];
    each(k, 1)
    {
        z[POS_T] = b[0];
        z[POS_S] = z[NNEWTON] = splat(0);
    }
    team_sync();
    lu_substitute((lane *)A, z);
    each(i, NSP) x[i + 1] = z[kb_lu_position[i]] * kb_W[i];
    each(k, 1) x[0] = z[POS_T];
    team_sync();
}

#endif
