/* SPDX-License-Identifier: MIT
 *
 * The factorisation and the solve of lu.h for a complex shift: (g I - J) with g = gr + i gi, by the
 * same storage, pattern and schedule. Real and imaginary parts are two arrays [NNZ], in numbers of
 * the matrix. The tail is updated in half tiles of 4 x 2, whose 16 sums stay in registers; the rest
 * of a tile's work is done in memory.
 */
#pragma once

#include "solvers/linalg/lu.h"

/* r + i m */
typedef struct {
    kb_stored r, m;
} lane2;

kb_fn lane2 pair2(kb_stored r, kb_stored m)
{
    lane2 a = {r, m};
    return a;
}

kb_fn lane2 times(lane2 a, lane2 b)
{
    return pair2(a.r * b.r - a.m * b.m, a.r * b.m + a.m * b.r);
}

/* a - b c */
kb_fn lane2 minus_product(lane2 a, lane2 b, lane2 c)
{
    a.r -= b.r * c.r;
    a.m -= b.r * c.m;
    a.r += b.m * c.m;
    a.m -= b.m * c.r;
    return a;
}

#ifdef KB_PAIR_FLOAT
/* of a over its larger part: squares of floats end at 1e38, entries of the matrix beyond 1e19 */
kb_fn lane2 inverse2(lane2 a)
{
    kb_stored scale = vinverse(vlarger(a.r, a.m)), r = a.r * scale, m = a.m * scale;
    kb_stored d = scale * vinverse(r * r + m * m);
    return pair2(r * d, -(m * d));
}
#else
kb_fn lane2 inverse2(lane2 a)
{
    lane d = 1.0 / (a.r * a.r + a.m * a.m);
    return pair2(a.r * d, -a.m * d);
}
#endif

kb_fn lane2 get2(const kb_stored *R, const kb_stored *M, int k) { return pair2(R[k], M[k]); }

kb_fn void put2(kb_stored *R, kb_stored *M, int k, lane2 a)
{
    R[k] = a.r;
    M[k] = a.m;
}

#if KB_TEAM > 1
#include "solvers/linalg/lu_team_complex.h"
#else

kb_fn void lu_head_complex(lane *R, lane *M)
{
    const kb_index *target = kb_lu_target;
    for (int k = 0; k < NHEAD; k++) {
        int d = kb_lu_diag[k], nu = kb_lu_u_count[k];
        lane2 inverse = inverse2(get2(R, M, d));
        put2(R, M, d, inverse);
        for (int e = kb_lu_l_start[k]; e < kb_lu_l_start[k + 1]; e++) {
            int p = kb_lu_l[e];
            lane2 l = times(get2(R, M, p), inverse);
            put2(R, M, p, l);
            each(j, nu)
            {
                int q = target[j];
                lane2 a = minus_product(get2(R, M, q), l, get2(R, M, d + 1 + j));
                R[q] = a.r;
                M[q] = a.m;
            }
            target += nu;
        }
    }
}

/* A [4 rows from i0][2 columns from j0] -= L[i0.., :k] U[:k, j0..] in the tail */
kb_fn void lu_half_tile_complex(lane *R, lane *M, int i0, int j0, int k)
{
    lane2 t[KB_TILE][2];
    int at = NNZ_HEAD + i0 * TAIL_STRIDE + j0, l = NNZ_HEAD + i0 * TAIL_STRIDE;
KB_UNROLL4
    for (int r = 0; r < KB_TILE; r++) {
        t[r][0] = get2(R, M, at + r * TAIL_STRIDE);
        t[r][1] = get2(R, M, at + r * TAIL_STRIDE + 1);
    }
    for (int q = 0; q < k; q++) {
        int u = NNZ_HEAD + q * TAIL_STRIDE + j0;
        lane2 u0 = get2(R, M, u), u1 = get2(R, M, u + 1);
KB_UNROLL4
        for (int r = 0; r < KB_TILE; r++) {
            lane2 a = get2(R, M, l + r * TAIL_STRIDE + q);
            t[r][0] = minus_product(t[r][0], a, u0);
            t[r][1] = minus_product(t[r][1], a, u1);
        }
    }
KB_UNROLL4
    for (int r = 0; r < KB_TILE; r++) {
        put2(R, M, at + r * TAIL_STRIDE, t[r][0]);
        put2(R, M, at + r * TAIL_STRIDE + 1, t[r][1]);
    }
}

/* row i -= L[i, k] row k, over the columns [j0, j1) of the tail */
kb_fn void lu_row_complex(lane *R, lane *M, int i, int k, int j0, int j1)
{
    int a = NNZ_HEAD + i * TAIL_STRIDE, u = NNZ_HEAD + k * TAIL_STRIDE;
    lane2 l = get2(R, M, a + k);
    for (int j = j0; j < j1; j++)
        put2(R, M, a + j, minus_product(get2(R, M, a + j), l, get2(R, M, u + j)));
}

/* what is left of the tile (i0, j0) when all pivots before it have been applied */
kb_fn void lu_tile_complex(lane *R, lane *M, int i0, int j0)
{
    int first = i0 < j0 ? i0 : j0, stride = TAIL_STRIDE;
    for (int k = first; k < first + KB_TILE; k++) {
        int d = NNZ_HEAD + k * (stride + 1);
        if (i0 == j0)
            put2(R, M, d, inverse2(get2(R, M, d)));
        for (int i = i0 > j0 ? i0 : k + 1; i < i0 + KB_TILE; i++) {
            int p = NNZ_HEAD + i * stride + k;
            if (i0 >= j0)
                put2(R, M, p, times(get2(R, M, p), get2(R, M, d)));
            lu_row_complex(R, M, i, k, i0 < j0 ? j0 : k + 1, j0 + KB_TILE);
        }
    }
}

/* R [NNZ] = -J; R, M -> factors of ((gr + i gi) I - J); M need not be set before */
kb_fn void lu_factor_complex(lane *R, lane *M, lane gr, lane gi)
{
    for (int i = 0; i < NNZ; i++)
        M[i] = splat(0);
    for (int i = 0; i < NSP; i++) {
        int d = lu_diagonal(i);
        R[d] += gr;
        M[d] = gi;
    }
    R[kb_lu_T_row[POS_T]] += gr;
    M[kb_lu_T_row[POS_T]] = gi;
    lu_head_complex(R, M);
    for (int i0 = 0; i0 < NTAIL; i0 += KB_TILE)
        for (int j0 = 0; j0 < NTAIL; j0 += KB_TILE) {
            int k = i0 < j0 ? i0 : j0;
            lu_half_tile_complex(R, M, i0, j0, k);
            lu_half_tile_complex(R, M, i0, j0 + 2, k);
            lu_tile_complex(R, M, i0, j0);
        }
}

/* z - sum of n products of places from k on with the unknowns of their columns */
kb_fn lane2 lu_minus_dot(const lane *R, const lane *M, int k, int n, const lane2 *z, lane2 s)
{
    for (int e = k; e < k + n; e++)
        s = minus_product(s, get2(R, M, e), z[kb_lu_column[e]]);
    return s;
}

/* triangular solves of the tail, four rows at a time */
kb_fn void lu_tail_solve_complex(const lane *R, const lane *M, lane2 *x)
{
    for (int i0 = 0; i0 < NTAIL; i0 += KB_TILE) {
        const lane *r0 = &TAIL(R, i0, 0), *m0 = &TAIL(M, i0, 0);
        for (int j = 0; j < i0; j++)
KB_UNROLL4
            for (int r = 0; r < KB_TILE; r++)
                x[i0 + r] = minus_product(x[i0 + r], get2(r0, m0, r * TAIL_STRIDE + j), x[j]);
        for (int r = 1; r < KB_TILE; r++)
            for (int j = i0; j < i0 + r; j++)
                x[i0 + r] = minus_product(x[i0 + r], get2(r0, m0, r * TAIL_STRIDE + j), x[j]);
    }
    for (int i0 = NTAIL - KB_TILE; i0 >= 0; i0 -= KB_TILE) {
        const lane *r0 = &TAIL(R, i0, 0), *m0 = &TAIL(M, i0, 0);
        for (int j = i0 + KB_TILE; j < NTAIL; j++)
KB_UNROLL4
            for (int r = 0; r < KB_TILE; r++)
                x[i0 + r] = minus_product(x[i0 + r], get2(r0, m0, r * TAIL_STRIDE + j), x[j]);
        for (int r = KB_TILE - 1; r >= 0; r--) {
            for (int j = i0 + r + 1; j < i0 + KB_TILE; j++)
                x[i0 + r] = minus_product(x[i0 + r], get2(r0, m0, r * TAIL_STRIDE + j), x[j]);
            x[i0 + r] = times(x[i0 + r], get2(r0, m0, r * TAIL_STRIDE + i0 + r));
        }
    }
}

/* (xr + i xm) [N] = ((gr + i gi) I - J)^-1 (br + i bm) [N], as (T, Y); x may be b */
kb_fn void lu_solve_complex(const lane *R, const lane *M, const lane *br, const lane *bm, lane *xr,
                            lane *xm)
{
    lane2 z[NNEWTON];
    for (int i = 0; i < NSP; i++)
        z[kb_lu_position[i]] = pair2(br[i + 1] * kb_rW[i], bm[i + 1] * kb_rW[i]);
    z[POS_T] = pair2(br[0], bm[0]);
    z[POS_S] = pair2(splat(0), splat(0));
    for (int i = 0; i < NNEWTON; i++)
        z[i] = lu_minus_dot(R, M, kb_lu_row_start[i], kb_lu_l_count[i], z, z[i]);
    lu_tail_solve_complex(R, M, z + NHEAD);
    for (int i = NHEAD - 1; i >= 0; i--) {
        int d = kb_lu_diag[i];
        z[i] = times(lu_minus_dot(R, M, d + 1, kb_lu_u_count[i], z, z[i]), get2(R, M, d));
    }
    for (int i = 0; i < NSP; i++) {
        lane2 x = z[kb_lu_position[i]];
        xr[i + 1] = x.r * kb_W[i];
        xm[i + 1] = x.m * kb_W[i];
    }
    xr[0] = z[POS_T].r;
    xm[0] = z[POS_T].m;
}

#endif
