/* SPDX-License-Identifier: MIT
 *
 * lu_complex.h for a team: lu_team.h in complex numbers.
 */
#ifndef KB_LU_COMPLEX_TEAM_H
#define KB_LU_COMPLEX_TEAM_H

/* memory for n complex numbers that the team shares */
#define team_array2(name, n)                                                                      \
    team_array(name##_r, n);                                                                      \
    team_array(name##_m, n);                                                                      \
    team_vector2 name = {name##_r, name##_m}

typedef struct {
    lane *r, *m;
} team_vector2;

/* sum of the products of complex numbers a of (R, M) and b of (z.r, z.m) */
kb_fn lane2 slice_products_complex(const kb_pair *t, int steps, const lane *R, const lane *M,
                                   const lane *zr, const lane *zm)
{
    lane2 s = pair2(splat(0), splat(0));
    int k = 0;
    for (; k + 2 <= steps; k += 2) {
        kb_pair p = t[32 * k], q = t[32 * (k + 1)];
        s = minus_product(s, get2(R, M, p.a), get2(zr, zm, p.b));
        s = minus_product(s, get2(R, M, q.a), get2(zr, zm, q.b));
    }
    if (k < steps)
        s = minus_product(s, get2(R, M, t[32 * k].a), get2(zr, zm, t[32 * k].b));
    return pair2(-s.r, -s.m);
}

kb_fn lane2 minus2(lane2 a, lane2 b) { return pair2(a.r - b.r, a.m - b.m); }

kb_fn void lu_head_complex(lane *R, lane *M)
{
KB_UNROLL
    for (int v = 0; v < NLEVEL; v++) {
        int l0 = kb_lvl_l_start[v], l1 = kb_lvl_l_start[v + 1];
        each(e, l1 - l0)
        {
            int l = kb_lvl_l[l0 + e];
            put2(R, M, l, times(get2(R, M, l), inverse2(get2(R, M, kb_lvl_d[l0 + e]))));
        }
        team_sync();
        each_row(row, kb_up_level[v], kb_up_level[v + 1])
        {
            int steps, to = kb_up_target[row];
            const kb_pair *t = slice_terms(kb_up_pair, kb_up_slice, row, &steps);
            lane2 sum = slice_products_complex(t, steps, R, M, R, M);
            if (to != NO_TARGET)
                put2(R, M, to, minus2(get2(R, M, to), sum));
        }
        int p0 = kb_lvl_start[v], p1 = kb_lvl_start[v + 1];
        each(p, p1 - p0)
        {
            int d = kb_lvl_pivot[p0 + p];
            put2(R, M, d, inverse2(get2(R, M, d)));
        }
        team_sync();
    }
}

kb_fn void lu_tail_registers_complex(lane *R, lane *M, int ty, int tx)
{
    lane2 t[TEAM_I][TEAM_J];
    team_array2(row, 2 * (TEAM_J * TEAM_COLUMNS));
    team_array2(column, 2 * (TEAM_I * TEAM_ROWS));
KB_UNROLL
    for (int a = 0; a < TEAM_I; a++)
KB_UNROLL
        for (int b = 0; b < TEAM_J; b++) {
            int i = ty + a * TEAM_ROWS, j = tx + b * TEAM_COLUMNS;
            t[a][b] = i < NTAIL && j < NTAIL ? get2(R, M, NNZ_HEAD + i * TAIL_STRIDE + j)
                                             : pair2(splat(0), splat(0));
        }
KB_UNROLL
    for (int k = 0; k < NTAIL; k++) {
        int r = k % 2 * (TEAM_J * TEAM_COLUMNS), c = k % 2 * (TEAM_I * TEAM_ROWS);
        int own_row = ty == k % TEAM_ROWS, own_column = tx == k % TEAM_COLUMNS;
        if (own_row)
KB_UNROLL
            for (int b = 0; b < TEAM_J; b++)
                put2(row.r, row.m, r + tx + b * TEAM_COLUMNS, t[k / TEAM_ROWS][b]);
        if (own_column)
KB_UNROLL
            for (int a = 0; a < TEAM_I; a++)
                put2(column.r, column.m, c + ty + a * TEAM_ROWS, t[a][k / TEAM_COLUMNS]);
        team_sync();
        lane2 inverse = inverse2(get2(row.r, row.m, r + k)), cs[TEAM_I];
KB_UNROLL
        for (int a = 0; a < TEAM_I; a++)
            cs[a] = get2(column.r, column.m, c + ty + a * TEAM_ROWS);
        if (own_row)
            cs[k / TEAM_ROWS] = pair2(splat(-1), splat(0));
KB_UNROLL
        for (int b = 0; b < TEAM_J; b++) {
            int pivot = own_column && b == k / TEAM_COLUMNS;
            lane2 rs = times(get2(row.r, row.m, r + tx + b * TEAM_COLUMNS), inverse);
            if (pivot)
                rs = inverse;
KB_UNROLL
            for (int a = 0; a < TEAM_I; a++) {
                if (pivot || (own_row && a == k / TEAM_ROWS))
                    t[a][b] = pair2(splat(0), splat(0));
                t[a][b] = minus_product(t[a][b], cs[a], rs);
            }
        }
    }
KB_UNROLL
    for (int a = 0; a < TEAM_I; a++)
KB_UNROLL
        for (int b = 0; b < TEAM_J; b++) {
            int i = ty + a * TEAM_ROWS, j = tx + b * TEAM_COLUMNS;
            if (i < NTAIL && j < NTAIL)
                put2(R, M, NNZ_HEAD + i * TAIL_STRIDE + j, t[a][b]);
        }
}

kb_fn void lu_tail_memory_complex(lane *R, lane *M, int ty, int tx)
{
    team_array2(row, 2 * NTAIL);
    team_array2(column, 2 * NTAIL);
    for (int k = 0; k < NTAIL; k++) {
        int at = k % 2 * NTAIL;
        each(i, NTAIL)
        {
            put2(row.r, row.m, at + i, get2(R, M, NNZ_HEAD + k * TAIL_STRIDE + i));
            put2(column.r, column.m, at + i, get2(R, M, NNZ_HEAD + i * TAIL_STRIDE + k));
        }
        team_sync();
        lane2 inverse = inverse2(get2(row.r, row.m, at + k)), none = pair2(splat(0), splat(0));
        for (int j = tx; j < NTAIL; j += TEAM_COLUMNS) {
            lane2 rs = j == k ? inverse : times(get2(row.r, row.m, at + j), inverse);
            for (int i = ty; i < NTAIL; i += TEAM_ROWS) {
                int q = NNZ_HEAD + i * TAIL_STRIDE + j;
                lane2 old = i == k || j == k ? none : get2(R, M, q);
                lane2 c = i == k ? pair2(splat(-1), splat(0)) : get2(column.r, column.m, at + i);
                put2(R, M, q, minus_product(old, c, rs));
            }
        }
        team_sync();
    }
}

kb_fn void lu_tail_complex(lane *R, lane *M)
{
    int ty = team_rank() / TEAM_COLUMNS, tx = team_rank() % TEAM_COLUMNS;
    if (2 * TEAM_I * TEAM_J <= TEAM_MOST)
        lu_tail_registers_complex(R, M, ty, tx);
    else
        lu_tail_memory_complex(R, M, ty, tx);
}

kb_fn void lu_factor_complex(lane *R, lane *M, lane gr, lane gi)
{
    team_sync();
    each(i, NNZ) M[i] = splat(0);
    team_sync();
    each(i, NSP)
    {
        int d = lu_diagonal(i);
        R[d] += gr;
        M[d] = gi;
    }
    each(k, 1)
    {
        R[kb_lu_T_row[POS_T]] += gr;
        M[kb_lu_T_row[POS_T]] = gi;
    }
    team_sync();
    lu_head_complex(R, M);
    lu_tail_complex(R, M);
    team_sync();
}

kb_fn void lu_phase_complex(const lane *R, const lane *M, const team_vector2 *z, int p, int divide)
{
    each_row(row, kb_so_phase[p], kb_so_phase[p + 1])
    {
        int steps, to = kb_so_target[row];
        const kb_pair *t = slice_terms(kb_so_pair, kb_so_slice, row, &steps);
        lane2 sum = slice_products_complex(t, steps, R, M, z->r, z->m);
        if (to != NO_TARGET) {
            lane2 a = minus2(get2(z->r, z->m, to), sum);
            put2(z->r, z->m, to, divide ? times(a, get2(R, M, kb_lu_diag[to])) : a);
        }
    }
    team_sync();
}

/* z of the tail <- tail^-1 z */
kb_fn void lu_tail_product_complex(const lane *R, const lane *M, const team_vector2 *z)
{
    team_array2(x, NTAIL);
    each(i, NTAIL)
    {
        int a = NNZ_HEAD + i * TAIL_STRIDE;
        lane2 s[2] = {pair2(splat(0), splat(0)), pair2(splat(0), splat(0))};
        for (int j = 0; j < NTAIL; j += 2)
KB_UNROLL
            for (int q = 0; q < 2; q++)
                s[q] = minus_product(s[q], get2(R, M, a + j + q), get2(z->r, z->m, NHEAD + j + q));
        put2(x.r, x.m, i, pair2(-s[0].r - s[1].r, -s[0].m - s[1].m));
    }
    team_sync();
    each(i, NTAIL) put2(z->r, z->m, NHEAD + i, get2(x.r, x.m, i));
    team_sync();
}

kb_fn void lu_solve_complex(const lane *R, const lane *M, const lane *br, const lane *bm, lane *xr,
                            lane *xm)
{
    team_array2(z, NNEWTON + 1); /* the last is 0, for terms that are missing */
    team_sync();
    each(i, NSP)
        put2(z.r, z.m, kb_lu_pos_sp[i], pair2(br[i + 1] * kb_rW[i], bm[i + 1] * kb_rW[i]));
    each(k, 1)
    {
        put2(z.r, z.m, POS_T, pair2(br[0], bm[0]));
        put2(z.r, z.m, POS_S, pair2(splat(0), splat(0)));
        put2(z.r, z.m, NNEWTON, pair2(splat(0), splat(0)));
    }
    team_sync();
KB_UNROLL
    for (int p = 0; p < NLEVEL_FORWARD; p++)
        lu_phase_complex(R, M, &z, p, 0);
    lu_tail_product_complex(R, M, &z);
    lu_phase_complex(R, M, &z, NLEVEL_FORWARD, 0);
KB_UNROLL
    for (int p = 0; p < NLEVEL; p++)
        lu_phase_complex(R, M, &z, NLEVEL_FORWARD + 1 + p, 1);
    each(i, NSP)
    {
        lane2 a = get2(z.r, z.m, kb_lu_pos_sp[i]);
        xr[i + 1] = a.r * kb_W[i];
        xm[i + 1] = a.m * kb_W[i];
    }
    each(k, 1)
    {
        xr[0] = z.r[POS_T];
        xm[0] = z.m[POS_T];
    }
    team_sync();
}

#endif
