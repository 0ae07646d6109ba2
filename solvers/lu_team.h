/* SPDX-License-Identifier: MIT
 *
 * lu.h for a team of KB_TEAM threads; same storage, pattern and pivots. The head is eliminated level by level: the
 * pivots of a level do not touch each other, and each place that they update is one thread's. The dense tail lies
 * in the registers of a grid of TEAM_ROWS x TEAM_COLUMNS threads, dealt out cyclically, and is inverted in place by
 * Gauss-Jordan elimination: its solve is then a product, without the chain of a triangular solve. A tail that is
 * too large for the registers stays in memory.
 */
#ifndef KB_LU_TEAM_H
#define KB_LU_TEAM_H

#include "slices.h"

enum {
    NLEVEL_FORWARD = NLEVEL > 0 ? NLEVEL : 1, /* phases of the solve before the tail: the first level has no L */
    TEAM_ROWS = KB_TEAM <= 4 ? 2 : KB_TEAM <= 32 ? 4 : KB_TEAM <= 64 ? 8 : KB_TEAM <= 128 ? 8 : 16,
    TEAM_COLUMNS = KB_TEAM / TEAM_ROWS,
    TEAM_I = (NTAIL + TEAM_ROWS - 1) / TEAM_ROWS,       /* rows and columns of the tail on a thread */
    TEAM_J = (NTAIL + TEAM_COLUMNS - 1) / TEAM_COLUMNS,
    TEAM_MOST = 80                                      /* most lanes of them that a thread keeps in registers */
};

/* Right-looking by levels. First L of the level, by its pivots; then what the level updates, and the inverse pivots. */
kb_fn void lu_head(lane *A)
{
KB_UNROLL
    for (int v = 0; v < NLEVEL; v++) {
        int l0 = kb_lvl_l_start[v], l1 = kb_lvl_l_start[v + 1];
        each(e, l1 - l0) A[kb_lvl_l[l0 + e]] *= 1.0 / A[kb_lvl_d[l0 + e]];
        team_sync();
        each_row(row, kb_up_level[v], kb_up_level[v + 1])
        {
            int steps, to = kb_up_target[row];
            const kb_pair *t = slice_terms(kb_up_pair, kb_up_slice, row, &steps);
            lane sum = slice_products(t, steps, A, A);
            if (to != NO_TARGET)
                A[to] -= sum;
        }
        int p0 = kb_lvl_start[v], p1 = kb_lvl_start[v + 1];
        each(p, p1 - p0)
        {
            int d = kb_lvl_pivot[p0 + p];
            A[d] = 1.0 / A[d];
        }
        team_sync();
    }
}

/* In step k of the inversion each t_ij becomes t_ij - t_ik t_kj / t_kk, and row and column k are exchanged; both
 * are handed round in memory, in turn in one of two places, so that one sync a step is enough. */
kb_fn void lu_tail_registers(lane *A, int ty, int tx)
{
    lane t[TEAM_I][TEAM_J];
    team_array(row, 2 * (TEAM_J * TEAM_COLUMNS));
    team_array(column, 2 * (TEAM_I * TEAM_ROWS));
KB_UNROLL
    for (int a = 0; a < TEAM_I; a++)
KB_UNROLL
        for (int b = 0; b < TEAM_J; b++) {
            int i = ty + a * TEAM_ROWS, j = tx + b * TEAM_COLUMNS;
            t[a][b] = i < NTAIL && j < NTAIL ? TAIL(A, i, j) : splat(0);
        }
KB_UNROLL
    for (int k = 0; k < NTAIL; k++) {
        lane *r = row + k % 2 * (TEAM_J * TEAM_COLUMNS), *c = column + k % 2 * (TEAM_I * TEAM_ROWS);
        if (ty == k % TEAM_ROWS)
KB_UNROLL
            for (int b = 0; b < TEAM_J; b++)
                r[tx + b * TEAM_COLUMNS] = t[k / TEAM_ROWS][b];
        if (tx == k % TEAM_COLUMNS)
KB_UNROLL
            for (int a = 0; a < TEAM_I; a++)
                c[ty + a * TEAM_ROWS] = t[a][k / TEAM_COLUMNS];
        team_sync();
        lane inverse = 1.0 / r[k], cs[TEAM_I];
        int own_row = ty == k % TEAM_ROWS, own_column = tx == k % TEAM_COLUMNS;
KB_UNROLL
        for (int a = 0; a < TEAM_I; a++)
            cs[a] = c[ty + a * TEAM_ROWS];
        if (own_row)
            cs[k / TEAM_ROWS] = splat(-1);
KB_UNROLL
        for (int b = 0; b < TEAM_J; b++) {
            int pivot = own_column && b == k / TEAM_COLUMNS;
            lane rs = pivot ? inverse : r[tx + b * TEAM_COLUMNS] * inverse;
KB_UNROLL
            for (int a = 0; a < TEAM_I; a++) {
                int clear = pivot || (own_row && a == k / TEAM_ROWS);
                t[a][b] = (clear ? splat(0) : t[a][b]) - cs[a] * rs;
            }
        }
    }
KB_UNROLL
    for (int a = 0; a < TEAM_I; a++)
KB_UNROLL
        for (int b = 0; b < TEAM_J; b++) {
            int i = ty + a * TEAM_ROWS, j = tx + b * TEAM_COLUMNS;
            if (i < NTAIL && j < NTAIL)
                TAIL(A, i, j) = t[a][b];
        }
}

kb_fn void lu_tail_memory(lane *A, int ty, int tx)
{
    team_array(row, 2 * NTAIL);
    team_array(column, 2 * NTAIL);
    for (int k = 0; k < NTAIL; k++) {
        lane *r = row + k % 2 * NTAIL, *c = column + k % 2 * NTAIL;
        each(i, NTAIL)
        {
            r[i] = TAIL(A, k, i);
            c[i] = TAIL(A, i, k);
        }
        team_sync();
        lane inverse = 1.0 / r[k];
        for (int j = tx; j < NTAIL; j += TEAM_COLUMNS) {
            lane rs = j == k ? inverse : r[j] * inverse;
            for (int i = ty; i < NTAIL; i += TEAM_ROWS) {
                lane old = i == k || j == k ? splat(0) : TAIL(A, i, j);
                TAIL(A, i, j) = old - (i == k ? splat(-1) : c[i]) * rs;
            }
        }
        team_sync();
    }
}

/* the tail -> its inverse */
kb_fn void lu_tail(lane *A)
{
    int ty = team_rank() / TEAM_COLUMNS, tx = team_rank() % TEAM_COLUMNS;
    if (TEAM_I * TEAM_J <= TEAM_MOST)
        lu_tail_registers(A, ty, tx);
    else
        lu_tail_memory(A, ty, tx);
}

kb_fn void lu_factor(lane *A, lane gi)
{
    team_sync();
    each(i, NSP) A[lu_diagonal(i)] += gi;
    each(k, 1) A[kb_lu_T_row[POS_T]] += gi;
    team_sync();
    lu_head(A);
    lu_tail(A);
    team_sync();
}

/* phase p of the solve: z less the products of the phase; `divide`: by the pivots, which lie inverted in A */
kb_fn void lu_phase(const lane *A, lane *z, int p, int divide)
{
    each_row(row, kb_so_phase[p], kb_so_phase[p + 1])
    {
        int steps, to = kb_so_target[row];
        const kb_pair *t = slice_terms(kb_so_pair, kb_so_slice, row, &steps);
        lane sum = slice_products(t, steps, A, z);
        if (to != NO_TARGET)
            z[to] = divide ? (z[to] - sum) * A[kb_lu_diag[to]] : z[to] - sum;
    }
    team_sync();
}

/* x = tail^-1 z */
kb_fn void lu_tail_product(const lane *A, const lane *z, lane *x)
{
    each(i, NTAIL)
    {
        const lane *a = &TAIL(A, i, 0);
        lane s[4] = {splat(0), splat(0), splat(0), splat(0)};
        for (int j = 0; j < NTAIL; j += 4)
KB_UNROLL
            for (int q = 0; q < 4; q++)
                s[q] += a[j + q] * z[j + q];
        x[i] = (s[0] + s[1]) + (s[2] + s[3]);
    }
    team_sync();
}

kb_fn void lu_solve(const lane *A, const lane *b, lane *x)
{
    team_array(z, NNEWTON + 1); /* the last is 0, for terms that are missing */
    team_array(tail, NTAIL);
    team_sync();
    each(i, NSP) z[kb_lu_pos_sp[i]] = b[i + 1] * kb_rW[i];
    each(k, 1)
    {
        z[POS_T] = b[0];
        z[POS_S] = z[NNEWTON] = splat(0);
    }
    team_sync();
KB_UNROLL
    for (int p = 0; p < NLEVEL_FORWARD; p++)
        lu_phase(A, z, p, 0);
    lu_tail_product(A, z + NHEAD, tail);
    each(i, NTAIL) z[NHEAD + i] = tail[i];
    team_sync();
    lu_phase(A, z, NLEVEL_FORWARD, 0);
KB_UNROLL
    for (int p = 0; p < NLEVEL; p++)
        lu_phase(A, z, NLEVEL_FORWARD + 1 + p, 1);
    each(i, NSP) x[i + 1] = z[kb_lu_pos_sp[i]] * kb_W[i];
    each(k, 1) x[0] = z[POS_T];
    team_sync();
}

#endif
