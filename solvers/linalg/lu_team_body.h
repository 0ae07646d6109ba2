/* SPDX-License-Identifier: MIT
 *
 * The LU of lu_team.h, once for real numbers and once for complex ones. The file that includes it
 * defines
 *   LU(name)               the names of this kind of number
 *   LU(number), LU(vector) types: one number, and where n of them lie
 *   LU(get), LU(put)       a number of a vector
 *   LU(at)                 the same, by its place in a pair of bundles.h
 *   LU(real), LU(plus), LU(minus), LU(times), LU(inverse), LU(plus_product), LU(minus_product)
 *                          arithmetic; the last two: a + b c, a - b c
 *   LU(pivot)              is told of the inverse of every pivot: its number in the tail, or any
 *                          that is less
 *   LU(part_sum), LU(apart_sum)   sums over threads (team.h)
 *   LU_ARRAY(name, n)      a vector that the team shares; LU_FROM(v, k): v from element k on
 *   LU_SOLVE_ONLY          if there is no factorisation, and so no LU(inverse), LU(minus_product),
 *                          LU(pivot), LU_ARRAY
 */

#ifndef LU_SOLVE_ONLY
/* of the inversion of the tail */
kb_fn LU(vector) LU(room)(void)
{
    LU_ARRAY(room, TEAM_ROOM);
    return room;
}

/* element k of v on */
kb_fn LU(vector) LU(from)(LU(vector) v, int k) { return LU_FROM(v, k); }
#endif

/* sum of the products of a row's places in a and in b */
kb_fn LU(number) LU(products)(bundle_row row, LU(vector) a, LU(vector) b)
{
    LU(number) s[2] = {LU(real)(0), LU(real)(0)};
#ifdef KB_MANY
MANY_STRIDES
#else
KB_NO_UNROLL
#endif
    for (int k = 0; k < row.strides; k++) {
        bundle_stride now = bundle_take(&row, k);
KB_UNROLL
        for (int q = 0; q < BUNDLE_STRIDE; q++)
            s[q % 2] = LU(plus_product)(s[q % 2], LU(at)(a, now.p[q].a), LU(at)(b, now.p[q].b));
    }
    return LU(plus)(s[0], s[1]);
}

#ifdef KB_MANY
#include "solvers/linalg/lu_tiles.h"
#endif
#ifndef LU_SOLVE_ONLY
/* entries [e0, e1) of the list: columns of pivots by -1 / pivot, rows of inverse pivots by these */
kb_fn void LU(scale)(LU(vector) A, int e0, int e1)
{
    each(e, e1 - e0)
    {
        int to = kb_level_scaled[e0 + e], pivot = kb_level_scaled_pivot[e0 + e],
            inverse = kb_level_scaled_inverse[e0 + e];
        LU(number) a = LU(get)(A, to);
        if (pivot != NO_TARGET) {
            LU(number) p = LU(inverse)(LU(get)(A, pivot));
            a = LU(minus_product)(LU(real)(0), a, p);
        }
        if (inverse != NO_TARGET)
            a = LU(times)(a, LU(get)(A, inverse));
        LU(put)(A, to, a);
    }
}

/* Gauss-Jordan steps with the pivots of the head, level by level: A_hh becomes its inverse B. First
 * the columns of a level's pivots are scaled, then all else is updated by the rows, which are
 * scaled with the next level. A head that is factored, L D U: the rows of a level's pivots become
 * rows of -U, then all elements that the next level, or the tail, waits for gain their products; at
 * the end the columns become columns of L. */
kb_fn void LU(level_by_level)(LU(vector) A, lane *reach)
{
KB_NO_UNROLL
    for (int v = 0; v < NLEVEL; v++) {
        int s0 = kb_update_level[v], s1 = kb_update_level[v + 1], row = 32 * s0 + team_rank();
        bundle_row list = bundle_ahead(kb_update_pair, kb_update_bundle, s0, s1, row);
        LU(scale)(A, kb_level_scaled_start[v], kb_level_scaled_start[v + 1]);
        team_sync();
KB_NO_UNROLL
        for (; row < 32 * s1; row += KB_TEAM) {
            int to = kb_update_target[row];
            LU(number) sum = LU(products)(list, A, A);
            if (to != NO_TARGET)
                LU(put)(A, to, LU(plus)(LU(get)(A, to), sum));
            list = bundle_ahead(kb_update_pair, kb_update_bundle, s0, s1, row + KB_TEAM);
        }
        int p0 = kb_level_start[v], p1 = kb_level_start[v + 1];
        each_back(p, p1 - p0)
        {
            int d = kb_level_pivot[p0 + p];
            LU(number) inverse = LU(inverse)(LU(get)(A, d));
            LU(pivot)(reach, -NHEAD, inverse);
            LU(put)(A, d, inverse);
        }
        team_sync();
    }
    LU(scale)(A, kb_level_scaled_start[NLEVEL], kb_level_scaled_start[NLEVEL + 1]);
    team_sync();
}

kb_fn LU(number) LU(block_row)(LU(vector) A, int row)
{
    return LU(products)(bundle_begin(kb_block_pair, kb_block_bundle, row), A, A);
}

kb_fn bundle_row LU(block_ahead)(int chunk, int row)
{
    return bundle_ahead(kb_block_pair, kb_block_bundle, kb_block_start[chunk],
                       kb_block_start[chunk + 1], row);
}

/* a chunk of a product in the place of one of its factors; negative: with the other sign */
kb_fn void LU(replace_block)(LU(vector) A, int chunk, int negative)
{
    LU(number) held[BLOCK_HELD + 1];
    int first = 32 * kb_block_start[chunk], end = 32 * kb_block_start[chunk + 1];
    bundle_row list = LU(block_ahead)(chunk, first + team_rank());
KB_UNROLL
    for (int r = 0; r < BLOCK_HELD; r++) {
        int row = first + r * KB_TEAM + team_rank();
        bundle_row next = LU(block_ahead)(chunk, row + KB_TEAM);
        held[r] = row < end ? LU(products)(list, A, A) : LU(real)(0);
        list = next;
        team_in_turn();
    }
    team_sync();
KB_UNROLL
    for (int r = 0; r < BLOCK_HELD; r++) {
        int row = first + r * KB_TEAM + team_rank();
        if (row < end && kb_block_target[row] != NO_TARGET)
            LU(put)(A, kb_block_target[row],
                    negative ? LU(minus)(LU(real)(0), held[r]) : held[r]);
    }
    team_sync();
}

/* A_ht becomes B A_ht */
kb_fn void LU(head_back)(LU(vector) A)
{
    for (int chunk = 0; chunk < BLOCK_BACK; chunk++)
        LU(replace_block)(A, chunk, 0);
}

/* A_th becomes -A_th B */
kb_fn void LU(head_forward)(LU(vector) A)
{
    for (int chunk = BLOCK_BACK + 1; chunk < NBLOCK; chunk++)
        LU(replace_block)(A, chunk, 1);
}

/* A_hh becomes B, A_ht B A_ht, the tail A_tt - A_th B A_ht, and A_th -A_th B; factored: A_hh and
 * A_th become L and inverse pivots, and the rows of the head right of these -U */
kb_fn void LU(head)(LU(vector) A, lane *reach)
{
    LU(level_by_level)(A, reach);
    LU(head_back)(A);
    if (NBLOCK > 0)
        each_row(row, kb_block_start[BLOCK_BACK], kb_block_start[BLOCK_BACK + 1])
        {
            int to = kb_block_target[row];
            LU(number) sum = LU(block_row)(A, row);
            if (to != NO_TARGET)
                LU(put)(A, to, LU(minus)(LU(get)(A, to), sum));
        }
    team_sync();
    LU(head_forward)(A);
}

/* One step of the inversion: t_ij becomes t_ij - t_ik t_kj / t_kk, row k t_kj / t_kk, column k
 * -t_ik / t_kk, the pivot its inverse. Row and column k are handed round in `row` and `column`; t
 * is the thread's part of the tail, and ka and kb are where its own row and column k are in it, if
 * it has them. */
kb_fn void LU(tail_step)(LU(number) t[TEAM_I][TEAM_J], int k, int ka, int kb, int ty, int tx,
                         LU(vector) row, LU(vector) column, int half, lane *reach)
{
    int r = half * (TEAM_J * TEAM_COLUMNS), c = half * (TEAM_I * TEAM_ROWS);
    int own_row = ty == k % TEAM_ROWS, own_column = tx == k % TEAM_COLUMNS;
    if (own_row)
KB_UNROLL
        for (int b = 0; b < TEAM_J; b++)
            LU(put)(row, r + tx + b * TEAM_COLUMNS, t[ka][b]);
    if (own_column)
KB_UNROLL
        for (int a = 0; a < TEAM_I; a++)
            LU(put)(column, c + ty + a * TEAM_ROWS, t[a][kb]);
    team_sync();
    LU(number) inverse = LU(inverse)(LU(get)(row, r + k)), cs[TEAM_I];
    LU(pivot)(reach, k, inverse);
KB_UNROLL
    for (int a = 0; a < TEAM_I; a++) {
        cs[a] = LU(get)(column, c + ty + a * TEAM_ROWS);
        if (own_column)
            t[a][kb] = LU(real)(0);
    }
    if (own_row) {
        cs[ka] = LU(real)(-1);
KB_UNROLL
        for (int b = 0; b < TEAM_J; b++)
            t[ka][b] = LU(real)(0);
    }
KB_UNROLL
    for (int b = 0; b < TEAM_J; b++) {
        LU(number) rs = LU(times)(LU(get)(row, r + tx + b * TEAM_COLUMNS), inverse);
        if (b == kb && own_column)
            rs = inverse;
KB_UNROLL
        for (int a = 0; a < TEAM_I; a++)
            t[a][b] = LU(minus_product)(t[a][b], cs[a], rs);
    }
}

/* Rows and columns lie in turn in one of two places, so that one sync a step is enough. The loop
 * over the steps is unrolled only as far as the places in t have to be known. */
kb_fn void LU(tail_registers)(LU(vector) A, int ty, int tx, lane *reach)
{
    LU(number) t[TEAM_I][TEAM_J];
    LU(vector) row = LU(room)(), column = LU(from)(row, 2 * TEAM_J * TEAM_COLUMNS);
KB_UNROLL
    for (int a = 0; a < TEAM_I; a++)
KB_UNROLL
        for (int b = 0; b < TEAM_J; b++) {
            int i = ty + a * TEAM_ROWS, j = tx + b * TEAM_COLUMNS;
            t[a][b] = i < NTAIL && j < NTAIL ? LU(get)(A, TAIL_AT(i, j)) : LU(real)(0);
        }
KB_UNROLL
    for (int a = 0; a < TEAM_I; a++)
KB_NO_UNROLL
        for (int k = a * TEAM_ROWS; k < (a + 1) * TEAM_ROWS && k < NTAIL; k++)
            LU(tail_step)(t, k, a, a * TEAM_ROWS / TEAM_COLUMNS, ty, tx, row, column, k % 2,
                          reach);
KB_UNROLL
    for (int a = 0; a < TEAM_I; a++)
KB_UNROLL
        for (int b = 0; b < TEAM_J; b++) {
            int i = ty + a * TEAM_ROWS, j = tx + b * TEAM_COLUMNS;
            if (i < NTAIL && j < NTAIL)
                LU(put)(A, TAIL_AT(i, j), t[a][b]);
        }
}

kb_fn void LU(tail_memory)(LU(vector) A, int ty, int tx, lane *reach)
{
    LU(vector) row = LU(room)(), column = LU(from)(row, 2 * NTAIL);
    for (int k = 0; k < NTAIL; k++) {
        int half = k % 2 * NTAIL;
        each(i, NTAIL)
        {
            LU(put)(row, half + i, LU(get)(A, TAIL_AT(k, i)));
            LU(put)(column, half + i, LU(get)(A, TAIL_AT(i, k)));
        }
        team_sync();
        LU(number) inverse = LU(inverse)(LU(get)(row, half + k));
        LU(pivot)(reach, k, inverse);
        for (int j = tx; j < NTAIL; j += TEAM_COLUMNS) {
            LU(number) rs = j == k ? inverse : LU(times)(LU(get)(row, half + j), inverse);
            for (int i = ty; i < NTAIL; i += TEAM_ROWS) {
                LU(number) old = i == k || j == k ? LU(real)(0) : LU(get)(A, TAIL_AT(i, j));
                LU(number) c = i == k ? LU(real)(-1) : LU(get)(column, half + i);
                LU(put)(A, TAIL_AT(i, j), LU(minus_product)(old, c, rs));
            }
        }
        team_sync();
    }
}

/* A with the shift on its diagonal -> its factors, and the inverse of the tail */
kb_fn void LU(eliminate)(LU(vector) A, lane *reach)
{
    int ty = team_rank() / TEAM_COLUMNS, tx = team_rank() % TEAM_COLUMNS;
    LU(head)(A, reach);
#ifdef KB_MANY
    (void)ty, (void)tx;
    LU(tail_tiles)(A, reach);
#else
    if (TEAM_I * TEAM_J * sizeof(LU(number)) <= TEAM_MOST * sizeof(lane))
        LU(tail_registers)(A, ty, tx, reach);
    else
        LU(tail_memory)(A, ty, tx, reach);
#endif
    team_sync();
}

#endif

/* v <- B z in the head, z - A_th B z in the tail; z is not there yet */
kb_fn void LU(solve_head)(LU(vector) A, LU(vector) z, LU(vector) v)
{
    int s0 = kb_solve_phase[0], s1 = kb_solve_phase[1], row = 32 * s0 + team_rank();
    bundle_row list = bundle_ahead(kb_solve_pair, kb_solve_bundle, s0, s1, row);
    team_sync();
KB_NO_UNROLL
    for (; row < 32 * s1; row += KB_TEAM) {
        int to = kb_solve_target[row];
        LU(number) x = LU(part_sum)(LU(products)(list, A, z), SOLVE_SHARE);
        if (to != NO_TARGET && row % SOLVE_SHARE == 0)
            LU(put)(v, to, to < NHEAD ? x : LU(plus)(LU(get)(z, to), x));
        list = bundle_ahead(kb_solve_pair, kb_solve_bundle, s0, s1, row + KB_TEAM);
    }
    team_sync();
}

/* z of the head <- v - B A_ht z of the tail, which is not there yet */
kb_fn void LU(solve_back)(LU(vector) A, LU(vector) v, LU(vector) z)
{
    int s0 = kb_solve_phase[1], s1 = kb_solve_phase[2], row = 32 * s0 + team_rank();
    bundle_row list = bundle_ahead(kb_solve_pair, kb_solve_bundle, s0, s1, row);
    team_sync();
KB_NO_UNROLL
    for (; row < 32 * s1; row += KB_TEAM) {
        int to = kb_solve_target[row];
        LU(number) x = LU(part_sum)(LU(products)(list, A, z), SOLVE_SHARE_BACK);
        if (to != NO_TARGET && row % SOLVE_SHARE_BACK == 0)
            LU(put)(z, to, LU(minus)(LU(get)(v, to), x));
        list = bundle_ahead(kb_solve_pair, kb_solve_bundle, s0, s1, row + KB_TEAM);
    }
    team_sync();
}

#ifndef KB_MANY
/* z of the tail <- tail^-1 v; TEAM_PARTS threads share a row. Neighbours have neighbouring rows, so
 * that they read different banks. */
kb_fn void LU(tail_product)(LU(vector) A, LU(vector) v, LU(vector) z)
{
    each(k, (NTAIL + TEAM_APART - 1) / TEAM_APART * (TEAM_APART * TEAM_PARTS))
    {
        int row = k / (TEAM_APART * TEAM_PARTS) * TEAM_APART + k % TEAM_APART;
        int part = k / TEAM_APART % TEAM_PARTS, i = row < NTAIL ? row : 0;
        int first = part * TEAM_LENGTH;
        int end = first + TEAM_LENGTH < NTAIL ? first + TEAM_LENGTH : NTAIL;
        LU(number) s[4] = {LU(real)(0), LU(real)(0), LU(real)(0), LU(real)(0)};
        for (int j = first; j < end; j += 4)
KB_UNROLL
            for (int q = 0; q < 4; q++)
                s[q] = LU(plus_product)(s[q], LU(get)(A, TAIL_AT(i, j + q)),
                                        LU(get)(v, NHEAD + j + q));
        LU(number) x = LU(plus)(LU(plus)(s[0], s[1]), LU(plus)(s[2], s[3]));
        x = LU(apart_sum)(x, TEAM_PARTS, TEAM_APART);
        if (part == 0 && row < NTAIL)
            LU(put)(z, NHEAD + row, x);
    }
}
#endif

/* Phases [p0, p1) of a head that is factored: z of the rows of a level by L, of the tail's rows
 * into v; with back by U */
kb_fn void LU(solve_levels)(LU(vector) A, LU(vector) z, LU(vector) v, int p0, int p1, int back)
{
KB_NO_UNROLL
    for (int p = p0; p < p1; p++) {
        int s0 = kb_solve_phase[p], s1 = kb_solve_phase[p + 1], row = 32 * s0 + team_rank();
        int share = kb_solve_share[p];
        bundle_row list = bundle_ahead(kb_solve_pair, kb_solve_bundle, s0, s1, row);
        team_sync();
KB_NO_UNROLL
        for (; row < 32 * s1; row += KB_TEAM) {
            int to = kb_solve_target[row];
            LU(number) old = LU(get)(z, to != NO_TARGET ? to : NNEWTON);
            LU(number) x = LU(part_sum)(LU(products)(list, A, z), share);
            if (to != NO_TARGET && row % share == 0)
                LU(put)(back || to < NHEAD ? z : v, to,
                        back ? LU(plus)(old, x) : LU(minus)(old, x));
            list = bundle_ahead(kb_solve_pair, kb_solve_bundle, s0, s1, row + KB_TEAM);
        }
    }
    team_sync();
}

/* z [NNEWTON + 1] by position, the last 0 for terms that are missing, each as a thread wrote it ->
 * the solution; v [NNEWTON]: room */
kb_fn void LU(substitute)(LU(vector) A, LU(vector) z, LU(vector) v)
{
    if (!HEAD_INVERTED) {
        LU(solve_levels)(A, z, v, 0, NLEVEL + 1, 0);
        each(k, NHEAD) LU(put)(z, k, LU(times)(LU(get)(z, k), LU(get)(A, kb_lu_diag[k])));
        LU(tail_product)(A, v, z);
        LU(solve_levels)(A, z, v, NLEVEL + 1, NSOLVE, 1);
        return;
    }
    LU(solve_head)(A, z, v);
    LU(tail_product)(A, v, z);
    if (NHEAD > 0)
        LU(solve_back)(A, v, z);
    else
        team_sync();
}
