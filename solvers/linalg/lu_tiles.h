/* SPDX-License-Identifier: MIT
 *
 * The dense tail of lu_team_body.h for many ODEs side by side: factored as in lu.h, left-looking,
 * by steps of TAIL_STEP columns and rows, in tiles of KB_TILE by TAIL_STEP that stay in registers.
 * The threads of an ODE share the tiles of a step. Solves go through the diagonal blocks forth and
 * back.
 */

#define TAIL_STEP (NTAIL % 8 ? KB_TILE : 8) /* a mechanism of few species has no tail of 8 */

#ifndef LU_SOLVE_ONLY

/* Number p of row a. A tile has KB_TILE rows of the tail, at the columns of a step; or, across,
 * KB_TILE columns, at the rows of the step. */
#define TILE_AT(a, p) (across ? TAIL_AT(p, a) : TAIL_AT(a, p))

/* The tile whose rows begin at `at`, less the products of the k pivots before its step. Numbers
 * that only this tile reads are loaded one pivot ahead, which the compiler would not do by itself;
 * those that all tiles of the step read come from the first cache. */
kb_fn void LU(tile_update)(LU(vector) A, LU(number) t[KB_TILE][TAIL_STEP], int at, int k,
                           int across)
{
    LU(vector) rows = LU(from)(A, TILE_AT(at, 0)), step = LU(from)(A, TILE_AT(0, k));
    int along = across ? 1 : TAIL_STRIDE, other = across ? TAIL_STRIDE : 1;
    LU(number) own[KB_TILE];
KB_UNROLL
    for (int a = 0; a < KB_TILE; a++) {
        own[a] = LU(get)(rows, a * along);
KB_UNROLL
        for (int p = 0; p < TAIL_STEP; p++)
            t[a][p] = LU(get)(A, TILE_AT(at + a, k + p));
    }
MANY_STRIDES
    for (int q = 0; q < k; q++) {
        LU(number) next[KB_TILE], common[TAIL_STEP];
        rows = LU(from)(rows, other);
KB_UNROLL
        for (int p = 0; p < TAIL_STEP; p++)
            common[p] = LU(get)(step, p * other);
KB_UNROLL
        for (int a = 0; a < KB_TILE; a++)
            next[a] = LU(get)(rows, a * along);
        step = LU(from)(step, along);
        team_in_turn();
KB_UNROLL
        for (int a = 0; a < KB_TILE; a++) {
KB_UNROLL
            for (int p = 0; p < TAIL_STEP; p++)
                t[a][p] = LU(minus_product)(t[a][p], own[a], common[p]);
            own[a] = next[a];
        }
    }
}

/* another tile of the step, less the products of pivots [p0, p1) of its diagonal block */
kb_fn void LU(tile_pivots)(LU(vector) A, LU(number) t[KB_TILE][TAIL_STEP], int k, int p0, int p1,
                           int across)
{
KB_UNROLL
    for (int p = p0; p < p1; p++) {
KB_UNROLL
        for (int a = 0; a < KB_TILE && !across; a++)
            t[a][p] = LU(times)(t[a][p], LU(get)(A, TAIL_AT(k + p, k + p)));
KB_UNROLL
        for (int j = p + 1; j < TAIL_STEP; j++)
KB_UNROLL
            for (int a = 0; a < KB_TILE; a++)
                t[a][j] = LU(minus_product)(t[a][j], t[a][p], LU(get)(A, TILE_AT(k + p, k + j)));
    }
}

/* a tile of the diagonal, whose pivots are from p0 on, becomes its factors, with inverse pivots */
kb_fn void LU(tile_factor)(LU(number) t[KB_TILE][TAIL_STEP], int p0)
{
KB_UNROLL
    for (int p = 0; p < KB_TILE; p++) {
        t[p][p0 + p] = LU(inverse)(t[p][p0 + p]);
KB_UNROLL
        for (int a = p + 1; a < KB_TILE; a++) {
            t[a][p0 + p] = LU(times)(t[a][p0 + p], t[p][p0 + p]);
KB_UNROLL
            for (int j = p0 + p + 1; j < TAIL_STEP; j++)
                t[a][j] = LU(minus_product)(t[a][j], t[a][p0 + p], t[p][j]);
        }
    }
}

kb_fn void LU(tile_put)(LU(vector) A, LU(number) t[KB_TILE][TAIL_STEP], int at, int k, int across)
{
KB_UNROLL
    for (int e = 0; e < KB_TILE * TAIL_STEP; e++)
        LU(put)(A, TILE_AT(at + e / TAIL_STEP, k + e % TAIL_STEP), t[e / TAIL_STEP][e % TAIL_STEP]);
}

/* tile n of the step at k: down its columns, across or neither; the row or column it begins at */
typedef struct {
    int n, down, across, at;
} LU(tile_place);

kb_fn LU(tile_place) LU(tile_of)(int k, int n)
{
    int rows = (NTAIL - k) / KB_TILE, diagonal = TAIL_STEP / KB_TILE, down = n < rows;
    return (LU(tile_place)){n, down, !down && n < 2 * rows - diagonal,
                            k + (down ? n : n - rows + diagonal) * KB_TILE};
}

/* KB_TEAM tiles of the step at k, from number `first` on. The tiles of the diagonal come first: all
 * others wait for them, in registers. */
kb_fn void LU(tail_tiles_of)(LU(vector) A, int k, int first)
{
    LU(number) t[KB_TILE][TAIL_STEP];
    LU(tile_place) u = LU(tile_of)(k, first + team_rank());
    if (u.down)
        LU(tile_update)(A, t, u.at, k, 0);
    else if (u.across)
        LU(tile_update)(A, t, u.at, k, 1);
    u = LU(tile_of)(k, first + team_rank()); /* again: the loop needs the registers */
KB_UNROLL
    for (int d = 0; d < TAIL_STEP / KB_TILE; d++) {
        if (u.n == d) {
            LU(tile_factor)(t, d * KB_TILE);
            LU(tile_put)(A, t, u.at, k, 0);
        }
        if (first == 0)
            team_sync();
        if (u.down)
            LU(tile_pivots)(A, t, k, d * KB_TILE, (d + 1) * KB_TILE, 0);
    }
    if (u.across) {
        LU(tile_pivots)(A, t, k, 0, TAIL_STEP, 1);
        LU(tile_put)(A, t, u.at, k, 1);
    } else if (u.down && u.n >= TAIL_STEP / KB_TILE) {
        LU(tile_put)(A, t, u.at, k, 0);
    }
}

/* Called by its address: then what the kernel has in registers is saved, and the tiles have all of
 * them. Of a function that it knows, ptxas spills tiles. */
static __device__ __attribute__((noinline)) void LU(tail_steps)(LU(vector) A)
{
KB_NO_UNROLL
    for (int k = 0; k < NTAIL; k += TAIL_STEP) {
KB_NO_UNROLL
        for (int n = 0; n < (2 * (NTAIL - k) - TAIL_STEP) / KB_TILE; n += KB_TEAM)
            LU(tail_tiles_of)(A, k, n);
        team_sync();
    }
}

kb_fn void LU(tail_tiles)(LU(vector) A, lane *reach)
{
    void (*steps)(LU(vector)) = LU(tail_steps);
    asm volatile("" : "+l"(steps)); /* the compiler does not see which */
    steps(A);
    each(k, NTAIL) LU(pivot)(reach, k, LU(get)(A, TAIL_AT(k, k)));
}

#endif

/* x - a b */
kb_fn LU(number) LU(less)(LU(number) x, LU(number) a, LU(number) b)
{
    return LU(plus_product)(x, LU(minus)(LU(real)(0), a), b);
}

/* x_i of the tail less the products of row i with the unknowns s of the tile at k */
kb_fn void LU(less_tile)(LU(vector) A, LU(vector) x, int i, int k, const LU(number) s[TAIL_STEP])
{
    LU(number) rest = LU(get)(x, NHEAD + i);
KB_UNROLL
    for (int q = 0; q < TAIL_STEP; q++)
        rest = LU(less)(rest, s[q], LU(get)(A, TAIL_AT(i, k + q)));
    LU(put)(x, NHEAD + i, rest);
}

/* z of the tail <- tail^-1 v. Unknowns of a diagonal tile are computed by every thread and kept by
 * one, then taken from the rows that are left, one thread a row. */
kb_fn void LU(tail_product)(LU(vector) A, LU(vector) v, LU(vector) z)
{
    LU(number) s[TAIL_STEP];
KB_NO_UNROLL
    for (int k = 0; k < NTAIL; k += TAIL_STEP) {
KB_UNROLL
        for (int p = 0; p < TAIL_STEP; p++) {
            s[p] = LU(get)(v, NHEAD + k + p);
KB_UNROLL
            for (int q = 0; q < p; q++)
                s[p] = LU(less)(s[p], s[q], LU(get)(A, TAIL_AT(k + p, k + q)));
        }
        each(one, 1)
KB_UNROLL
            for (int p = 0; p < TAIL_STEP; p++)
                LU(put)(z, NHEAD + k + p, s[p]);
        each(n, NTAIL - k - TAIL_STEP) LU(less_tile)(A, v, k + TAIL_STEP + n, k, s);
        team_sync();
    }
KB_NO_UNROLL
    for (int k = NTAIL - TAIL_STEP; k >= 0; k -= TAIL_STEP) {
KB_UNROLL
        for (int p = TAIL_STEP - 1; p >= 0; p--) {
            s[p] = LU(get)(z, NHEAD + k + p);
KB_UNROLL
            for (int q = p + 1; q < TAIL_STEP; q++)
                s[p] = LU(less)(s[p], s[q], LU(get)(A, TAIL_AT(k + p, k + q)));
            s[p] = LU(times)(s[p], LU(get)(A, TAIL_AT(k + p, k + p)));
        }
        each(one, 1)
KB_UNROLL
            for (int p = 0; p < TAIL_STEP; p++)
                LU(put)(v, NHEAD + k + p, s[p]);
        each(i, k) LU(less_tile)(A, z, i, k, s);
        team_sync();
    }
    each(i, NTAIL) LU(put)(z, NHEAD + i, LU(get)(v, NHEAD + i));
}
