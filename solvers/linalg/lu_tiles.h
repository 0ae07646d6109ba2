/* SPDX-License-Identifier: MIT
 *
 * The dense tail of lu_team_body.h for many ODEs side by side: factored as in lu.h, left-looking in
 * 4 x 4 tiles that stay in registers, half a load for each multiply-add. The threads of an ODE
 * share the tiles of one column and one row. Then the triangles of each diagonal block are inverted:
 * a solve waits for all threads twice a block, and not twice a tile.
 */
#ifndef KB_TAIL_BLOCK
#define KB_TAIL_BLOCK
enum { TAIL_BLOCK = 8 * KB_TILE };
#endif

/* one behind the last row of the block that begins with row k */
kb_fn int LU(block_end)(int k) { return k + TAIL_BLOCK < NTAIL ? k + TAIL_BLOCK : NTAIL; }

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

/* Element (i, j) of L, or of U mirrored, so that it is a lower triangle, too: `both` is the sum of
 * an index and its mirror's, 0 for L */
kb_fn int LU(mirrored)(int both, int i, int j)
{
    return both ? TAIL_AT(both - i, both - j) : TAIL_AT(i, j);
}

/* The triangle of the diagonal block [k, end) becomes its inverse, row of tiles by row of tiles. In
 * a row the tiles left of a tile are not needed any more. Inverse pivots are there already. */
kb_fn void LU(invert_triangle)(LU(vector) A, int k, int end, int both)
{
KB_NO_UNROLL
    for (int i = k; i < end; i += KB_TILE) {
        LU(number) d[KB_TILE][KB_TILE]; /* the inverse of the diagonal tile */
KB_UNROLL
        for (int p = 0; p < KB_TILE; p++) {
            d[p][p] = both ? LU(get)(A, LU(mirrored)(both, i + p, i + p)) : LU(real)(1);
KB_UNROLL
            for (int c = 0; c < p; c++) {
                d[p][c] = LU(real)(0);
KB_UNROLL
                for (int q = c; q < p; q++)
                    d[p][c] = LU(minus_product)(
                        d[p][c], LU(get)(A, LU(mirrored)(both, i + p, i + q)), d[q][c]);
                d[p][c] = LU(times)(d[p][c], d[p][p]);
            }
        }
KB_UNROLL
        for (int p = 1; p < KB_TILE; p++)
KB_UNROLL
            for (int c = 0; c < p; c++)
                LU(put)(A, LU(mirrored)(both, i + p, i + c), d[p][c]);
KB_NO_UNROLL
        for (int j = k; j < i; j += KB_TILE) {
            LU(number) t[KB_TILE][KB_TILE], l[KB_TILE];
KB_UNROLL
            for (int e = 0; e < KB_TILE * KB_TILE; e++)
                t[e / KB_TILE][e % KB_TILE] = LU(real)(0);
KB_UNROLL
            for (int q = 0; q < KB_TILE; q++) { /* by a triangle, the tile at (j, j) */
KB_UNROLL
                for (int p = 0; p < KB_TILE; p++)
                    l[p] = LU(get)(A, LU(mirrored)(both, i + p, j + q));
KB_UNROLL
                for (int c = 0; c <= q; c++) {
                    LU(number) x = c < q || both ? LU(get)(A, LU(mirrored)(both, j + q, j + c))
                                                 : LU(real)(1);
KB_UNROLL
                    for (int p = 0; p < KB_TILE; p++)
                        t[p][c] = LU(minus_product)(t[p][c], l[p], x);
                }
            }
MANY_STRIDES
            for (int q = j + KB_TILE; q < i; q++) {
KB_UNROLL
                for (int p = 0; p < KB_TILE; p++)
                    l[p] = LU(get)(A, LU(mirrored)(both, i + p, q));
KB_UNROLL
                for (int c = 0; c < KB_TILE; c++) {
                    LU(number) x = LU(get)(A, LU(mirrored)(both, q, j + c));
KB_UNROLL
                    for (int p = 0; p < KB_TILE; p++)
                        t[p][c] = LU(minus_product)(t[p][c], l[p], x);
                }
            }
KB_UNROLL
            for (int c = 0; c < KB_TILE; c++)
KB_UNROLL
                for (int p = KB_TILE - 1; p >= 0; p--) {
                    t[p][c] = LU(times)(t[p][c], d[p][p]);
KB_UNROLL
                    for (int q = 0; q < p; q++)
                        t[p][c] = LU(plus_product)(t[p][c], d[p][q], t[q][c]);
                    LU(put)(A, LU(mirrored)(both, i + p, j + c), t[p][c]);
                }
        }
    }
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
    each(n, 2 * ((NTAIL + TAIL_BLOCK - 1) / TAIL_BLOCK))
    {
        int k = n / 2 * TAIL_BLOCK, end = LU(block_end)(k);
        LU(invert_triangle)(A, k, end, n % 2 ? k + end - 1 : 0);
    }
}

#endif

/* row i of the tail times x, columns [k, end) */
kb_fn LU(number) LU(row_product)(LU(vector) A, int i, LU(vector) x, int k, int end)
{
    LU(number) sum = LU(real)(0);
    _Pragma("unroll 8")
    for (; k < end; k++)
        sum = LU(plus_product)(sum, LU(get)(A, TAIL_AT(i, k)), LU(get)(x, NHEAD + k));
    return sum;
}

/* z of the tail <- tail^-1 v: a diagonal block by its inverse, then the rows that are left */
kb_fn void LU(tail_product)(LU(vector) A, LU(vector) v, LU(vector) z)
{
KB_NO_UNROLL
    for (int k = 0; k < NTAIL; k += TAIL_BLOCK) {
        int end = LU(block_end)(k);
        each(n, end - k)
        {
            LU(number) sum = LU(row_product)(A, k + n, v, k, k + n);
            LU(put)(z, NHEAD + k + n, LU(plus)(LU(get)(v, NHEAD + k + n), sum));
        }
        team_sync();
        each(n, NTAIL - end)
        {
            LU(number) sum = LU(row_product)(A, end + n, z, k, end);
            LU(put)(v, NHEAD + end + n, LU(minus)(LU(get)(v, NHEAD + end + n), sum));
        }
        team_sync();
    }
KB_NO_UNROLL
    for (int k = (NTAIL - 1) / TAIL_BLOCK * TAIL_BLOCK; k >= 0; k -= TAIL_BLOCK) {
        int end = LU(block_end)(k);
        each(n, end - k)
            LU(put)(v, NHEAD + k + n, LU(row_product)(A, k + n, z, k + n, end));
        team_sync();
        each(i, k)
        {
            LU(number) sum = LU(row_product)(A, i, v, k, end);
            LU(put)(z, NHEAD + i, LU(minus)(LU(get)(z, NHEAD + i), sum));
        }
        team_sync();
    }
    each(i, NTAIL) LU(put)(z, NHEAD + i, LU(get)(v, NHEAD + i));
}
