/* SPDX-License-Identifier: MIT
 *
 * The weighted norms of errors and increments, and the first substep that follows from the norm of
 * f.
 */
#pragma once

#include "solvers/problem.h"

/* sqrt(mean((v_i / (atol + rtol max(|y0_i|, |y_i|)))^2)) */
kb_fn lane error_norm(const kb_run *run, const lane *v, const lane *y0, const lane *y)
{
    lane sum = splat(0);
    each_sum(sum, i, N)
    {
        lane scale = atol_of(run, i) + run->rtol * vmax(vabs(y0[i]), vabs(y[i]));
        lane q = KB_VECTOR ? v[i] * vinverse(scale) : v[i] / scale;
        sum += q * q;
    }
    return vsqrt(team_sum(sum, N) * (1.0 / N));
}

/* The same, where what has become KB_GROWN times as much is held to a part of its atol: radicals
 * that grow from far below it place an ignition (docs/methods.md, "Growth beyond the pole"). */
#define KB_GROWN 4
kb_fn lane growth_norm(const kb_run *run, const lane *v, const lane *y0, const lane *y, double part)
{
    lane sum = splat(0);
    each_sum(sum, i, N)
    {
        lane before = vabs(y0[i]), after = vabs(y[i]), atol = splat(atol_of(run, i));
        atol = vselect(after > KB_GROWN * before, part * atol, atol);
        lane q = v[i] / (atol + run->rtol * vmax(before, after));
        sum += q * q;
    }
    return vsqrt(team_sum(sum, N) * (1.0 / N));
}

/* sqrt(mean((scale_i v_ki)^2)) over the n vectors at v, all by the same scale [N] */
kb_fn lane scaled_norm(const lane *scale, lane_rows v, int n)
{
    lane sum = splat(0);
    for (int k = 0; k < n; k++)
        each_sum(sum, i, N)
        {
            lane q = v[k][i] * scale[i];
            sum += q * q;
        }
    return vsqrt(team_sum(sum, N) * (1.0 / (N * n)));
}

/* tolerances that y may change by in the first substep, to first order (first_substep) */
#define FIRST_CHANGE 5.656854249492381 /* 4 sqrt(2) */

/* o->h of the ODEs that have none yet (o->h < 0): given dt if given > 0, else change/||f||; at most
 * dt */
kb_fn void first_substep(const kb_run *run, kb_ode *o, double given, double change, const lane *f,
                         const lane *y0)
{
    mask first = o->h < 0.0;
    if (!lane_any(first & o->active))
        return;
    lane norm = error_norm(run, f, y0, y0);
    lane h0 = given > 0 ? splat(given * run->dt) : change / vmax(norm, splat(1e-300));
    h0 = vselect((h0 < run->dt) & (h0 > 0.0), h0, splat(run->dt));
    o->h = vselect(first, h0, o->h);
}
