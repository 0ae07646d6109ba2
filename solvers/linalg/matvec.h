/* SPDX-License-Identifier: MIT
 *
 * The product of the exact Jacobian with a vector, from the sparse Newton matrix of jacobian.h.
 */
#pragma once

#include "solvers/linalg/lu.h"

enum { MULTIPLY_ROWS = KB_TEAM > 1 ? 1 : KB_TILE }; /* of the dense tail at once */

/* the part of Jv that position p of the matrix is for, from row p of A times z */
kb_fn void multiply_row(int p, lane Az, lane *Jv)
{
    int to = kb_lu_perm[p];
    if (to < N) /* not s */
        Jv[to] = Az * (to > 0 ? -kb_W[to - 1] : -1.0);
}

/* sum of the n entries from index first of A times the unknowns of their columns */
kb_fn lane multiply_dot(const kb_stored *A, const lane *z, int first, int n)
{
    return lu_dot(A + first, kb_lu_column + first, z, n);
}

kb_fn void multiply_tail(const kb_stored *A, const lane *z, int i0, lane *Jv)
{
    lane d[MULTIPLY_ROWS];
    for (int r = 0; r < MULTIPLY_ROWS; r++) {
        int p = NHEAD + i0 + r;
        d[r] = multiply_dot(A, z, kb_lu_row_start[p], kb_lu_l_count[p]);
    }
    for (int j = 0; j < NTAIL; j++)
KB_UNROLL4
        for (int r = 0; r < MULTIPLY_ROWS; r++)
            d[r] += TAIL(A, i0 + r, j) * z[NHEAD + j];
    for (int r = 0; r < MULTIPLY_ROWS; r++)
        multiply_row(NHEAD + i0 + r, d[r], Jv);
}

/* Jv [N] = J v [N], both as (T, Y); A [NNZ] = -J from jac_rhs, not factored. With z = v/W and the
 * border unknown s = sum z_i, J v = -(A_zz z + A_zs s): row s of A is not used. */
kb_fn void jac_multiply(const kb_stored *A, const lane *v, lane *Jv)
{
    team_long(z, NNEWTON, 1);
    lane sum = splat(0);
    team_sync();
    each(i, NSP) z[kb_lu_position[i]] = v[i + 1] * kb_rW[i];
    each_sum(sum, i, NSP) sum += v[i + 1] * kb_rW[i];
    sum = team_sum(sum, NSP);
    each(k, 1)
    {
        z[POS_T] = v[0];
        z[POS_S] = sum;
    }
    team_sync();
    each(p, NHEAD)
    {
        int n = kb_lu_l_count[p] + 1 + kb_lu_u_count[p];
        multiply_row(p, multiply_dot(A, z, kb_lu_row_start[p], n), Jv);
    }
    each(b, NTAIL / MULTIPLY_ROWS) multiply_tail(A, z, b * MULTIPLY_ROWS, Jv);
    team_sync();
}
