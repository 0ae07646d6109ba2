/* SPDX-License-Identifier: MIT
 *
 * LU without pivoting of the sparse Newton matrix, by the schedule of mechc, and the solve.
 *
 * Storage [NNZ]: the rows of the NHEAD head pivots packed (L, diagonal, U), then the head columns
 * of the tail's rows, then the dense tail NTAIL x NTAIL, row major with stride TAIL_STRIDE. After
 * lu_factor the diagonals hold inverses. The tail is factored left-looking in 4 x 4 tiles that stay
 * in registers: half a load for each multiply-add.
 */
#pragma once

#include "solvers/portable/lines.h"
#include "solvers/portable/team_memory.h"

enum { KB_TILE = 4 };

#define TAIL(A, i, j) (A)[NNZ_HEAD + (i) * TAIL_STRIDE + (j)]

/* storage index of the diagonal of species i */
kb_fn int lu_diagonal(int i)
{
    int p = kb_lu_position[i];
    return p < NHEAD ? kb_lu_diag[p] : NNZ_HEAD + (p - NHEAD) * (TAIL_STRIDE + 1);
}

/* Adds the pivot of position p, given its inverse, to *reach: the longest 1/pivot of T and the
 * species, INFINITY once a pivot is not positive (method.h, factors_reach). That of s has no unit:
 * only its sign counts. */
kb_fn void lu_reach(lane *reach, int p, lane inverse)
{
    lane r = p == POS_S ? splat(0) : inverse;
    *reach = vselect(inverse > 0.0, vmax(*reach, r), splat(INFINITY));
}

/* sum of the products of n entries of a row, packed from A on, with the unknowns x of their
 * columns, listed from col on; two chains hide the latency */
kb_fn lane lu_dot(const kb_stored *A, const kb_index *col, const lane *x, int n)
{
    lane s0 = splat(0), s1 = splat(0);
    int k = 0;
    for (; k + 2 <= n; k += 2) {
        s0 += A[k] * x[col[k]];
        s1 += A[k + 1] * x[col[k + 1]];
    }
    if (k < n)
        s0 += A[k] * x[col[k]];
    return s0 + s1;
}

#if KB_TEAM > 1
#include "solvers/linalg/lu_team.h"
#else

#if KB_LINED
kb_lines KB_LINES_NAME(lines_head)(lane *A);
kb_lines KB_LINES_NAME(lines_forward)(const lane *A, lane *z);
kb_lines KB_LINES_NAME(lines_backward)(const lane *A, lane *z);
kb_fn void lu_head(lane *A) { KB_LINES_NAME(lines_head)(A); }
kb_fn void lu_forward(const lane *A, lane *z) { KB_LINES_NAME(lines_forward)(A, z); }
kb_fn void lu_backward(const lane *A, lane *z) { KB_LINES_NAME(lines_backward)(A, z); }
#else
/* sparse elimination of the head pivots, right-looking */
kb_fn void lu_head(lane *A)
{
    const kb_index *target = kb_lu_target;
    for (int k = 0; k < NHEAD; k++) {
        const lane *U = A + kb_lu_diag[k] + 1;
        int nu = kb_lu_u_count[k];
        lane inverse = A[kb_lu_diag[k]] = vinverse(A[kb_lu_diag[k]]);
        for (int e = kb_lu_l_start[k]; e < kb_lu_l_start[k + 1]; e++) {
            lane l = A[kb_lu_l[e]] *= inverse;
            each(j, nu) A[target[j]] -= l * U[j];
            target += nu;
        }
    }
}

/* the columns of the head in the solve with L */
kb_fn void lu_forward(const lane *A, lane *z)
{
    for (int i = 0; i < NNEWTON; i++)
        z[i] -= lu_dot(A + kb_lu_row_start[i], kb_lu_column + kb_lu_row_start[i], z,
                       kb_lu_l_count[i]);
}

/* the rows of the head in the solve with U */
kb_fn void lu_backward(const lane *A, lane *z)
{
    for (int i = NHEAD - 1; i >= 0; i--) {
        int d = kb_lu_diag[i];
        z[i] = (z[i] - lu_dot(A + d + 1, kb_lu_column + d + 1, z, kb_lu_u_count[i])) * A[d];
    }
}
#endif

/* t -= L[i0.., :k] U[:k, j0..] for one tile of the tail */
kb_fn void lu_tile_update(const lane *A, int i0, int j0, int k, lane t[KB_TILE][KB_TILE])
{
    for (int q = 0; q < k; q++) {
        const lane *u = &TAIL(A, q, j0), *l = &TAIL(A, i0, q);
        lane u0 = u[0], u1 = u[1], u2 = u[2], u3 = u[3];
        KB_IN_REGISTER(u0);
        KB_IN_REGISTER(u1);
        KB_IN_REGISTER(u2);
        KB_IN_REGISTER(u3);
KB_UNROLL4
        for (int r = 0; r < KB_TILE; r++) {
            lane a = l[r * TAIL_STRIDE];
            KB_IN_REGISTER(a);
            t[r][0] -= a * u0;
            t[r][1] -= a * u1;
            t[r][2] -= a * u2;
            t[r][3] -= a * u3;
        }
    }
}

/* LU of a tile on the diagonal, in place, with inverse pivots */
kb_fn void lu_tile_factor(lane t[KB_TILE][KB_TILE])
{
KB_UNROLL4
    for (int k = 0; k < KB_TILE; k++) {
        t[k][k] = vinverse(t[k][k]);
KB_UNROLL4
        for (int i = k + 1; i < KB_TILE; i++) {
            t[i][k] *= t[k][k];
KB_UNROLL4
            for (int j = k + 1; j < KB_TILE; j++)
                t[i][j] -= t[i][k] * t[k][j];
        }
    }
}

/* below the diagonal: t <- t U^-1 with the factored diagonal tile at d */
kb_fn void lu_tile_lower(const lane *A, int d, lane t[KB_TILE][KB_TILE])
{
KB_UNROLL4
    for (int k = 0; k < KB_TILE; k++) {
        lane inverse = TAIL(A, d + k, d + k);
KB_UNROLL4
        for (int i = 0; i < KB_TILE; i++)
            t[i][k] *= inverse;
KB_UNROLL4
        for (int j = k + 1; j < KB_TILE; j++) {
            lane u = TAIL(A, d + k, d + j);
            KB_IN_REGISTER(u);
KB_UNROLL4
            for (int i = 0; i < KB_TILE; i++)
                t[i][j] -= t[i][k] * u;
        }
    }
}

/* right of the diagonal: t <- L^-1 t with the factored diagonal tile at d */
kb_fn void lu_tile_upper(const lane *A, int d, lane t[KB_TILE][KB_TILE])
{
KB_UNROLL4
    for (int k = 0; k < KB_TILE; k++) {
KB_UNROLL4
        for (int i = k + 1; i < KB_TILE; i++) {
            lane l = TAIL(A, d + i, d + k);
            KB_IN_REGISTER(l);
KB_UNROLL4
            for (int j = 0; j < KB_TILE; j++)
                t[i][j] -= l * t[k][j];
        }
    }
}

kb_fn void lu_tail(lane *A)
{
    for (int i0 = 0; i0 < NTAIL; i0 += KB_TILE)
        for (int j0 = 0; j0 < NTAIL; j0 += KB_TILE) {
            lane t[KB_TILE][KB_TILE];
KB_UNROLL4
            for (int i = 0; i < KB_TILE; i++)
KB_UNROLL4
                for (int j = 0; j < KB_TILE; j++)
                    t[i][j] = TAIL(A, i0 + i, j0 + j);
            lu_tile_update(A, i0, j0, i0 < j0 ? i0 : j0, t);
            if (i0 == j0)
                lu_tile_factor(t);
            else if (i0 > j0)
                lu_tile_lower(A, j0, t);
            else
                lu_tile_upper(A, i0, t);
KB_UNROLL4
            for (int i = 0; i < KB_TILE; i++)
KB_UNROLL4
                for (int j = 0; j < KB_TILE; j++)
                    TAIL(A, i0 + i, j0 + j) = t[i][j];
        }
}

/* A [NNZ] = -J from jac_rhs -> factors of (gi I - J), gi = 1/(gamma h), in place. Returns the
 * reach of the pivots [s]. */
kb_fn lane lu_factor(lane *A, lane gi)
{
    lane reach = splat(0);
    for (int i = 0; i < NSP; i++)
        A[lu_diagonal(i)] += gi;
    A[kb_lu_T_row[POS_T]] += gi;
    lu_head(A);
    lu_tail(A);
    for (int k = 0; k < NHEAD; k++)
        lu_reach(&reach, k, A[kb_lu_diag[k]]);
    for (int k = 0; k < NTAIL; k++)
        lu_reach(&reach, NHEAD + k, TAIL(A, k, k));
    return reach;
}

/* triangular solves of the tail, four rows at a time */
kb_fn void lu_tail_solve(const lane *A, lane *x)
{
    for (int i0 = 0; i0 < NTAIL; i0 += KB_TILE) {
        lane s[KB_TILE];
        for (int r = 0; r < KB_TILE; r++)
            s[r] = x[i0 + r];
        for (int j = 0; j < i0; j++)
KB_UNROLL4
            for (int r = 0; r < KB_TILE; r++)
                s[r] -= TAIL(A, i0 + r, j) * x[j];
        for (int r = 0; r < KB_TILE; r++) {
            for (int j = 0; j < r; j++)
                s[r] -= TAIL(A, i0 + r, i0 + j) * s[j];
            x[i0 + r] = s[r];
        }
    }
    for (int i0 = NTAIL - KB_TILE; i0 >= 0; i0 -= KB_TILE) {
        lane s[KB_TILE];
        for (int r = 0; r < KB_TILE; r++)
            s[r] = x[i0 + r];
        for (int j = i0 + KB_TILE; j < NTAIL; j++)
KB_UNROLL4
            for (int r = 0; r < KB_TILE; r++)
                s[r] -= TAIL(A, i0 + r, j) * x[j];
        for (int r = KB_TILE - 1; r >= 0; r--) {
            for (int j = r + 1; j < KB_TILE; j++)
                s[r] -= TAIL(A, i0 + r, i0 + j) * s[j];
            x[i0 + r] = s[r] *= TAIL(A, i0 + r, i0 + r);
        }
    }
}

/* z [NNEWTON] = (gi I - J)^-1 z in the positions of the unknowns; A from lu_factor */
kb_fn void lu_solve_positions(const lane *A, lane *z)
{
    lu_forward(A, z);
    lu_tail_solve(A, z + NHEAD);
    lu_backward(A, z);
}

/* x [N] = (gi I - J)^-1 b [N], both as (T, Y). x may be b. */
kb_fn void lu_solve(const lane *A, const lane *b, lane *x)
{
    lane z[NNEWTON];
    for (int i = 0; i < NSP; i++)
        z[kb_lu_position[i]] = b[i + 1] * splat(kb_rW[i]);
    z[POS_T] = b[0];
    z[POS_S] = splat(0);
    lu_solve_positions(A, z);
    for (int i = 0; i < NSP; i++)
        x[i + 1] = z[kb_lu_position[i]] * splat(kb_W[i]);
    x[0] = z[POS_T];
}

#endif
