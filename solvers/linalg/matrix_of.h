/* SPDX-License-Identifier: MIT
 *
 * The sparse Newton matrix of jacobian.h as the dense Jacobian of (T, Y).
 */
#pragma once

#include "solvers/linalg/lu.h"

/* adds entry a of position (p, q) of A to its row of D; from column s it reaches every species,
 * since s is the sum of all Y/W */
kb_fn void matrix_add(lane *row, int q, lane a)
{
    if (q == POS_S)
        for (int j = 1; j < N; j++)
            row[j] += a * kb_rW[j - 1];
    else
        row[kb_lu_perm[q]] += kb_lu_perm[q] > 0 ? a * kb_rW[kb_lu_perm[q] - 1] : a;
}

/* D [N x N], row major, = -J of (T, Y), from A [NNZ] of jac_rhs, not factored. One thread. */
kb_fn void matrix_of(const lane *A, lane *D)
{
    for (int p = 0; p < NNEWTON; p++) {
        int to = kb_lu_perm[p], first = kb_lu_row_start[p];
        int n = kb_lu_l_count[p] + (p < NHEAD ? 1 + kb_lu_u_count[p] : 0);
        double scale = to > 0 && to < N ? kb_W[to - 1] : 1;
        lane *row = D + to * N;
        if (to >= N) /* the row of s */
            continue;
        for (int j = 0; j < N; j++)
            row[j] = splat(0);
        for (int k = first; k < first + n; k++)
            matrix_add(row, kb_lu_column[k], A[k] * scale);
        for (int j = 0; p >= NHEAD && j < NNEWTON - NHEAD; j++)
            matrix_add(row, NHEAD + j, TAIL(A, p - NHEAD, j) * scale);
    }
}
