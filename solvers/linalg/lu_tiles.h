/* SPDX-License-Identifier: MIT
 *
 * The dense tail of lu_team_body.h for many ODEs side by side: factored as in lu.h, left-looking in
 * 4 x 4 tiles that stay in registers, half a load for each multiply-add. The threads of an ODE
 * share the tiles of one column and one row; solves go through the diagonal tiles forth and back.
 */

#ifndef LU_SOLVE_ONLY

/* The tile at (i0, j0) less the products of the k columns and rows before it; the diagonal tile,
 * where i0 = j0 = k, becomes its factors with inverse pivots */
kb_fn void LU(tile_update)(LU(vector) A, int i0, int j0, int k, lane *reach)
{
    LU(number) t[KB_TILE][KB_TILE];
KB_UNROLL
    for (int e = 0; e < KB_TILE * KB_TILE; e++)
        t[e / KB_TILE][e % KB_TILE] = LU(get)(A, TAIL_AT(i0 + e / KB_TILE, j0 + e % KB_TILE));
MANY_STRIDES
    for (int q = 0; q < k; q++) {
        LU(number) u[KB_TILE], l[KB_TILE];
KB_UNROLL
        for (int c = 0; c < KB_TILE; c++) {
            u[c] = LU(get)(A, TAIL_AT(q, j0 + c));
            l[c] = LU(get)(A, TAIL_AT(i0 + c, q));
        }
KB_UNROLL
        for (int e = 0; e < KB_TILE * KB_TILE; e++)
            t[e / KB_TILE][e % KB_TILE] =
                LU(minus_product)(t[e / KB_TILE][e % KB_TILE], l[e / KB_TILE], u[e % KB_TILE]);
    }
    if (i0 == j0)
KB_UNROLL
        for (int p = 0; p < KB_TILE; p++) {
            t[p][p] = LU(inverse)(t[p][p]);
            LU(pivot)(reach, k + p, t[p][p]);
KB_UNROLL
            for (int i = p + 1; i < KB_TILE; i++) {
                t[i][p] = LU(times)(t[i][p], t[p][p]);
KB_UNROLL
                for (int j = p + 1; j < KB_TILE; j++)
                    t[i][j] = LU(minus_product)(t[i][j], t[i][p], t[p][j]);
            }
        }
KB_UNROLL
    for (int e = 0; e < KB_TILE * KB_TILE; e++)
        LU(put)(A, TAIL_AT(i0 + e / KB_TILE, j0 + e % KB_TILE), t[e / KB_TILE][e % KB_TILE]);
}

/* row i of the tail, the columns of the tile at (k, k): t <- t U^-1 */
kb_fn void LU(tile_lower)(LU(vector) A, int i, int k)
{
    LU(number) t[KB_TILE];
KB_UNROLL
    for (int p = 0; p < KB_TILE; p++) {
        t[p] = LU(get)(A, TAIL_AT(i, k + p));
KB_UNROLL
        for (int q = 0; q < p; q++)
            t[p] = LU(minus_product)(t[p], t[q], LU(get)(A, TAIL_AT(k + q, k + p)));
        t[p] = LU(times)(t[p], LU(get)(A, TAIL_AT(k + p, k + p)));
    }
KB_UNROLL
    for (int p = 0; p < KB_TILE; p++)
        LU(put)(A, TAIL_AT(i, k + p), t[p]);
}

/* column j, its rows: t <- L^-1 t */
kb_fn void LU(tile_upper)(LU(vector) A, int k, int j)
{
    LU(number) t[KB_TILE];
KB_UNROLL
    for (int p = 0; p < KB_TILE; p++) {
        t[p] = LU(get)(A, TAIL_AT(k + p, j));
KB_UNROLL
        for (int q = 0; q < p; q++)
            t[p] = LU(minus_product)(t[p], LU(get)(A, TAIL_AT(k + p, k + q)), t[q]);
    }
KB_UNROLL
    for (int p = 0; p < KB_TILE; p++)
        LU(put)(A, TAIL_AT(k + p, j), t[p]);
}

kb_fn void LU(tail_tiles)(LU(vector) A, lane *reach)
{
KB_NO_UNROLL
    for (int k = 0; k < NTAIL; k += KB_TILE) {
        int tiles = (NTAIL - k) / KB_TILE, rest = NTAIL - k - KB_TILE;
        each(n, 2 * tiles - 1)
        {
            int across = n < tiles ? n : 0, down = n < tiles ? 0 : n - tiles + 1;
            LU(tile_update)(A, k + down * KB_TILE, k + across * KB_TILE, k, reach);
        }
        team_sync();
        each(n, 2 * rest)
        {
            if (n < rest)
                LU(tile_upper)(A, k, k + KB_TILE + n);
            else
                LU(tile_lower)(A, k + KB_TILE + n - rest, k);
        }
        team_sync();
    }
}

#endif

/* x - a b */
kb_fn LU(number) LU(less)(LU(number) x, LU(number) a, LU(number) b)
{
    return LU(plus_product)(x, LU(minus)(LU(real)(0), a), b);
}

/* x_i of the tail less the products of row i with the unknowns s of the tile at k */
kb_fn void LU(less_tile)(LU(vector) A, LU(vector) x, int i, int k, const LU(number) s[KB_TILE])
{
    LU(number) rest = LU(get)(x, NHEAD + i);
KB_UNROLL
    for (int q = 0; q < KB_TILE; q++)
        rest = LU(less)(rest, s[q], LU(get)(A, TAIL_AT(i, k + q)));
    LU(put)(x, NHEAD + i, rest);
}

/* z of the tail <- tail^-1 v. Unknowns of a diagonal tile are computed by every thread and kept by
 * one, then taken from the rows that are left, one thread a row. */
kb_fn void LU(tail_product)(LU(vector) A, LU(vector) v, LU(vector) z)
{
    LU(number) s[KB_TILE];
KB_NO_UNROLL
    for (int k = 0; k < NTAIL; k += KB_TILE) {
KB_UNROLL
        for (int p = 0; p < KB_TILE; p++) {
            s[p] = LU(get)(v, NHEAD + k + p);
KB_UNROLL
            for (int q = 0; q < p; q++)
                s[p] = LU(less)(s[p], s[q], LU(get)(A, TAIL_AT(k + p, k + q)));
        }
        each(one, 1)
KB_UNROLL
            for (int p = 0; p < KB_TILE; p++)
                LU(put)(z, NHEAD + k + p, s[p]);
        each(n, NTAIL - k - KB_TILE) LU(less_tile)(A, v, k + KB_TILE + n, k, s);
        team_sync();
    }
KB_NO_UNROLL
    for (int k = NTAIL - KB_TILE; k >= 0; k -= KB_TILE) {
KB_UNROLL
        for (int p = KB_TILE - 1; p >= 0; p--) {
            s[p] = LU(get)(z, NHEAD + k + p);
KB_UNROLL
            for (int q = p + 1; q < KB_TILE; q++)
                s[p] = LU(less)(s[p], s[q], LU(get)(A, TAIL_AT(k + p, k + q)));
            s[p] = LU(times)(s[p], LU(get)(A, TAIL_AT(k + p, k + p)));
        }
        each(one, 1)
KB_UNROLL
            for (int p = 0; p < KB_TILE; p++)
                LU(put)(v, NHEAD + k + p, s[p]);
        each(i, k) LU(less_tile)(A, z, i, k, s);
        team_sync();
    }
    each(i, NTAIL) LU(put)(z, NHEAD + i, LU(get)(v, NHEAD + i));
}
