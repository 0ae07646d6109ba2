/* SPDX-License-Identifier: MIT
 *
 * lu_complex.h for a team: lu_team.h in complex numbers.
 */
#pragma once

typedef lane2 lu_number_complex;
typedef struct {
    kb_stored *r, *m;
} lu_vector_complex;

kb_fn lane2 lu_get_complex(lu_vector_complex v, int k) { return get2(v.r, v.m, k); }
kb_fn lane2 lu_at_complex(lu_vector_complex v, unsigned place)
{
    return pair2(bundle_stored(v.r, place), bundle_stored(v.m, place));
}
kb_fn void lu_put_complex(lu_vector_complex v, int k, lane2 x) { put2(v.r, v.m, k, x); }
kb_fn lane2 lu_real_complex(double x) { return pair2(lu_real(x), lu_real(0)); }
kb_fn lane2 lu_plus_complex(lane2 a, lane2 b) { return pair2(a.r + b.r, a.m + b.m); }
kb_fn lane2 lu_times_complex(lane2 a, lane2 b) { return times(a, b); }
kb_fn lane2 lu_minus_complex(lane2 a, lane2 b) { return pair2(a.r - b.r, a.m - b.m); }
kb_fn lane2 lu_plus_product_complex(lane2 a, lane2 b, lane2 c)
{
    return minus_product(a, pair2(-b.r, -b.m), c);
}
kb_fn lane2 lu_minus_product_complex(lane2 a, lane2 b, lane2 c) { return minus_product(a, b, c); }
kb_fn lane2 lu_inverse_complex(lane2 a) { return inverse2(a); }
kb_fn void lu_pivot_complex(lane *, int, lane2) {} /* complex pivots have no signs */
kb_fn lane2 lu_part_sum_complex(lane2 a, int parts)
{
    return pair2(team_part_sum(a.r, parts), team_part_sum(a.m, parts));
}

kb_fn lane2 lu_apart_sum_complex(lane2 a, int parts, int apart)
{
    return pair2(team_apart_sum(a.r, parts, apart), team_apart_sum(a.m, parts, apart));
}

#define LU(name) lu_##name##_complex
#define LU_ARRAY(name, n)                                                                         \
    team_array_of(kb_stored, name##_r, n);                                                        \
    team_array_of(kb_stored, name##_m, n);                                                        \
    lu_vector_complex name = {name##_r, name##_m}
#define LU_FROM(v, k) ((lu_vector_complex){(v).r + (k), (v).m + (k)})
#include "solvers/linalg/lu_team_body.h"

kb_fn void lu_factor_complex(kb_stored *R, kb_stored *M, lane gr, lane gi)
{
    lu_vector_complex A = {R, M};
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
    lane reach = splat(0);
    lu_eliminate_complex(A, &reach);
}

kb_fn void lu_solve_complex(const kb_stored *R, const kb_stored *M, const lane *br, const lane *bm,
                            lane *xr, lane *xm)
{
    lu_vector_complex A = {(kb_stored *)R, (kb_stored *)M};
    team_long_of(kb_stored, z_r, NNEWTON + 1, 1);
    team_long_of(kb_stored, z_m, NNEWTON + 1, 1);
    team_long_of(kb_stored, v_r, NNEWTON + 1, 1);
    team_long_of(kb_stored, v_m, NNEWTON + 1, 1);
    lu_vector_complex z = {z_r, z_m}, v = {v_r, v_m};
    each_next(i, NSP)
    {
        int p = kb_lu_position[i];
        z_r[p] = br[i + 1] * kb_rW[i];
        z_m[p] = bm[i + 1] * kb_rW[i];
    }
    each(k, 1)
    {
        z_r[POS_T] = br[0];
        z_m[POS_T] = bm[0];
        put2(z_r, z_m, POS_S, lu_real_complex(0));
        put2(z_r, z_m, NNEWTON, lu_real_complex(0));
    }
    lu_substitute_complex(A, z, v);
    each_next(i, NSP)
    {
        int p = kb_lu_position[i];
        xr[i + 1] = z_r[p] * kb_W[i];
        xm[i + 1] = z_m[p] * kb_W[i];
    }
    each(k, 1)
    {
        xr[0] = z_r[POS_T];
        xm[0] = z_m[POS_T];
    }
}

#undef LU
#undef LU_ARRAY
#undef LU_FROM

#include "solvers/linalg/lu_team_both.h"
