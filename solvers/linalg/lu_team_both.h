/* SPDX-License-Identifier: MIT
 *
 * The solves of lu_team.h and lu_team_complex.h as one: a team goes through the lists and syncs
 * once for both.
 */
#pragma once

/* a real number and a complex one */
typedef struct {
    kb_stored e;
    lane2 c;
} lu_number_both;
typedef struct {
    kb_stored *e, *r, *m;
} lu_vector_both;

kb_fn lu_number_both lu_join(kb_stored e, lane2 c)
{
    lu_number_both a = {e, c};
    return a;
}
kb_fn lu_number_both lu_get_both(lu_vector_both v, int k)
{
    return lu_join(v.e[k], get2(v.r, v.m, k));
}
kb_fn lu_number_both lu_at_both(lu_vector_both v, unsigned place)
{
    return lu_join(bundle_stored(v.e, place),
                   pair2(bundle_stored(v.r, place), bundle_stored(v.m, place)));
}
kb_fn void lu_put_both(lu_vector_both v, int k, lu_number_both x)
{
    v.e[k] = x.e;
    put2(v.r, v.m, k, x.c);
}
kb_fn lu_number_both lu_real_both(double x) { return lu_join(lu_real(x), lu_real_complex(x)); }
kb_fn lu_number_both lu_plus_both(lu_number_both a, lu_number_both b)
{
    return lu_join(a.e + b.e, lu_plus_complex(a.c, b.c));
}
kb_fn lu_number_both lu_times_both(lu_number_both a, lu_number_both b)
{
    return lu_join(a.e * b.e, lu_times_complex(a.c, b.c));
}
kb_fn lu_number_both lu_minus_both(lu_number_both a, lu_number_both b)
{
    return lu_join(a.e - b.e, lu_minus_complex(a.c, b.c));
}
kb_fn lu_number_both lu_plus_product_both(lu_number_both a, lu_number_both b, lu_number_both c)
{
    return lu_join(a.e + b.e * c.e, lu_plus_product_complex(a.c, b.c, c.c));
}
kb_fn lu_number_both lu_part_sum_both(lu_number_both a, int parts)
{
    return lu_join(team_part_sum(a.e, parts), lu_part_sum_complex(a.c, parts));
}
kb_fn lu_number_both lu_apart_sum_both(lu_number_both a, int parts, int apart)
{
    return lu_join(team_apart_sum(a.e, parts, apart), lu_apart_sum_complex(a.c, parts, apart));
}

#define LU(name) lu_##name##_both
#define LU_SOLVE_ONLY
#include "solvers/linalg/lu_team_body.h"
#undef LU
#undef LU_SOLVE_ONLY

/* lu_solve of E by b into x, and lu_solve_complex of R and M by br, bm into xr, xm; each x may be
 * its b */
kb_fn void lu_solve_both(const kb_stored *E, const kb_stored *R, const kb_stored *M, const lane *b,
                         const lane *br, const lane *bm, lane *x, lane *xr, lane *xm)
{
    kb_stored *z = lu_solve_z(), *v = lu_solve_v();
    team_long_of(kb_stored, z_r, NNEWTON + 1, 1);
    team_long_of(kb_stored, z_m, NNEWTON + 1, 1);
    team_long_of(kb_stored, v_r, NNEWTON + 1, 1);
    team_long_of(kb_stored, v_m, NNEWTON + 1, 1);
    lu_vector_both A = {(kb_stored *)E, (kb_stored *)R, (kb_stored *)M};
    lu_vector_both zs = {z, z_r, z_m}, vs = {v, v_r, v_m};
    each_next(i, NSP)
    {
        int p = kb_lu_position[i];
        z[p] = b[i + 1] * kb_rW[i];
        z_r[p] = br[i + 1] * kb_rW[i];
        z_m[p] = bm[i + 1] * kb_rW[i];
    }
    each(k, 1)
    {
        z[POS_T] = b[0];
        z_r[POS_T] = br[0];
        z_m[POS_T] = bm[0];
        lu_put_both(zs, POS_S, lu_real_both(0));
        lu_put_both(zs, NNEWTON, lu_real_both(0));
    }
    lu_substitute_both(A, zs, vs);
    each_next(i, NSP)
    {
        int p = kb_lu_position[i];
        x[i + 1] = z[p] * kb_W[i];
        xr[i + 1] = z_r[p] * kb_W[i];
        xm[i + 1] = z_m[p] * kb_W[i];
    }
    each(k, 1)
    {
        x[0] = z[POS_T];
        xr[0] = z_r[POS_T];
        xm[0] = z_m[POS_T];
    }
}
