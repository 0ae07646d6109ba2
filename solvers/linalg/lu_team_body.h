/* SPDX-License-Identifier: MIT
 *
 * The LU of lu_team.h, once for real numbers and once for complex ones. The file that includes it
 * defines
 *   LU(name)               the names of this kind of number
 *   LU(number), LU(vector) types: one number, and where n of them lie
 *   LU(get), LU(put)       a number of a vector
 *   LU(real), LU(plus), LU(minus), LU(times), LU(inverse), LU(plus_product), LU(minus_product)
 *                          arithmetic; the last two: a + b c, a - b c
 *   LU(pivot)              is told of the inverse of every pivot of the tail
 *   LU_ARRAY(name, n)      a vector that the team shares
 */

/* sum of the products of a row's places in a and in b */
kb_fn LU(number) LU(products)(const kb_pair *t, int steps, LU(vector) a, LU(vector) b)
{
    LU(number) s[2] = {LU(real)(0), LU(real)(0)};
    for (int k = 0; k < steps; k += SLICE_STRIDE) {
        kb_pair p[SLICE_STRIDE];
        slice_load(t, k, p);
KB_UNROLL
        for (int q = 0; q < SLICE_STRIDE; q++)
            s[q % 2] = LU(plus_product)(s[q % 2], LU(get)(a, p[q].a), LU(get)(b, p[q].b));
    }
    return LU(plus)(s[0], s[1]);
}

/* Right-looking by levels. First L of the level, by its pivots; then what the level updates, and
 * the inverse pivots. */
kb_fn void LU(head)(LU(vector) A)
{
KB_UNROLL
    for (int v = 0; v < NLEVEL; v++) {
        int l0 = kb_level_l_start[v], l1 = kb_level_l_start[v + 1];
        each(e, l1 - l0)
        {
            int l = kb_level_l[l0 + e];
            LU(number) pivot = LU(get)(A, kb_level_l_pivot[l0 + e]);
            LU(put)(A, l, LU(times)(LU(get)(A, l), LU(inverse)(pivot)));
        }
        team_sync();
        each_row(row, kb_update_level[v], kb_update_level[v + 1])
        {
            int steps, to = kb_update_target[row];
            const kb_pair *t = slice_terms(kb_update_pair, kb_update_slice, row, &steps);
            LU(number) sum = LU(products)(t, steps, A, A);
            if (to != NO_TARGET)
                LU(put)(A, to, LU(minus)(LU(get)(A, to), sum));
        }
        int p0 = kb_level_start[v], p1 = kb_level_start[v + 1];
        each(p, p1 - p0)
        {
            int d = kb_level_pivot[p0 + p];
            LU(put)(A, d, LU(inverse)(LU(get)(A, d)));
        }
        team_sync();
    }
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
    LU_ARRAY(row, 2 * (TEAM_J * TEAM_COLUMNS));
    LU_ARRAY(column, 2 * (TEAM_I * TEAM_ROWS));
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
    LU_ARRAY(row, 2 * NTAIL);
    LU_ARRAY(column, 2 * NTAIL);
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
    LU(head)(A);
    if (TEAM_I * TEAM_J * sizeof(LU(number)) <= TEAM_MOST * sizeof(lane))
        LU(tail_registers)(A, ty, tx, reach);
    else
        LU(tail_memory)(A, ty, tx, reach);
    team_sync();
}

/* phase p of the solve: z less the products of the phase; `divide`: by the pivots, which lie
 * inverted in A */
kb_fn void LU(phase)(LU(vector) A, LU(vector) z, int p, int divide)
{
    each_row(row, kb_solve_phase[p], kb_solve_phase[p + 1])
    {
        int steps, to = kb_solve_target[row];
        const kb_pair *t = slice_terms(kb_solve_pair, kb_solve_slice, row, &steps);
        LU(number) sum = LU(products)(t, steps, A, z);
        if (to != NO_TARGET) {
            LU(number) x = LU(minus)(LU(get)(z, to), sum);
            LU(put)(z, to, divide ? LU(times)(x, LU(get)(A, kb_lu_diag[to])) : x);
        }
    }
    team_sync();
}

/* z of the tail <- tail^-1 z; TEAM_PARTS threads share a row */
kb_fn void LU(tail_product)(LU(vector) A, LU(vector) z)
{
    LU_ARRAY(part, TEAM_PARTS * NTAIL);
    each(k, TEAM_PARTS * NTAIL)
    {
        int i = k % NTAIL, first = k / NTAIL * TEAM_LENGTH;
        int end = first + TEAM_LENGTH < NTAIL ? first + TEAM_LENGTH : NTAIL;
        LU(number) s[4] = {LU(real)(0), LU(real)(0), LU(real)(0), LU(real)(0)};
        for (int j = first; j < end; j += 4)
KB_UNROLL
            for (int q = 0; q < 4; q++)
                s[q] = LU(plus_product)(s[q], LU(get)(A, TAIL_AT(i, j + q)),
                                        LU(get)(z, NHEAD + j + q));
        LU(put)(part, k, LU(plus)(LU(plus)(s[0], s[1]), LU(plus)(s[2], s[3])));
    }
    team_sync();
    each(i, NTAIL)
    {
        LU(number) x = LU(get)(part, i);
KB_UNROLL
        for (int p = 1; p < TEAM_PARTS; p++)
            x = LU(plus)(x, LU(get)(part, i + p * NTAIL));
        LU(put)(z, NHEAD + i, x);
    }
    team_sync();
}

/* z [NNEWTON + 1] by position, the last 0 for terms that are missing -> the solution */
kb_fn void LU(substitute)(LU(vector) A, LU(vector) z)
{
KB_UNROLL
    for (int p = 0; p < NLEVEL_FORWARD; p++)
        LU(phase)(A, z, p, 0);
    LU(tail_product)(A, z);
    LU(phase)(A, z, NLEVEL_FORWARD, 0);
KB_UNROLL
    for (int p = 0; p < NLEVEL; p++)
        LU(phase)(A, z, NLEVEL_FORWARD + 1 + p, 1);
}
