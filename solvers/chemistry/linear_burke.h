/* SPDX-License-Identifier: MIT
 *
 * Linear-Burke reactions: the linear mixture rule of Singal, Lee, Lei, Speth and Burke, Proc.
 * Combust. Inst. 40 (2024) 105779. With [M] = p/(RT), D = [M] + sum_i (eps_i - 1) C_i over the
 * named colliders, and the weights w_i = eps_i C_i/D, w_M = ([M] - sum_i C_i)/D:
 *   k = w_M k_M(D) + sum_i w_i k_i(D/eps_i),
 * where k_i depends on the concentration of its collider, as if that were alone; a collider without
 * a rate of its own has k_M(D).
 */
#pragma once

#include "solvers/chemistry/rate_constants.h"

/* collider number c at concentration M of it */
kb_fn law_collider burke_collider(const kb_gas *g, int c, lane M)
{
    int kind = kb_burke_kind[c], number = kb_burke_number[c];
    kb_gas at = *g;
    law_collider r = {splat(0), splat(0), splat(0)};
    /* a kind that no collider has must not be there for a compiler: its tables are empty */
    if (NBURKE_FALLOFF > 0 && kind == BURKE_FALLOFF)
        return law_burke_falloff(g, &kb_burke_falloff[10 * number], M);
    at.lnp = vlog(M * (g->T * GAS_CONSTANT));
    if (NBURKE_PLOG > 0 && kind == BURKE_PLOG)
        r.k = kin_plog_rate(&at, number, &r.T, &r.M);
    else if (NBURKE_CHEBYSHEV > 0)
        r.k = kin_chebyshev_rate(&at, number, &r.T, &r.M);
    r.T += r.M * g->rT; /* p = M R T */
    return r;
}

kb_fn lane burke_efficiency(const kb_gas *g, int c)
{
    return kb_burke_A[c] * vexp(law_arrhenius(g, kb_burke_b[c], kb_burke_theta[c]));
}

/* D, and with it the efficiencies in burke_C; slope: dD/dT at constant C */
kb_fn lane burke_concentration(const kb_gas *g, kb_kinetics *w, int b, lane *slope)
{
    lane D = g->Mb;
    *slope = splat(0);
    for (int c = kb_burke_start[b] + 1; c < kb_burke_start[b + 1]; c++) {
        lane eps = w->burke_C[c] = burke_efficiency(g, c), C = w->C[kb_burke_species[c]];
        D += (eps - 1.0) * C;
        *slope += eps * C * law_arrhenius_slope(g, kb_burke_b[c], kb_burke_theta[c]);
    }
    return D;
}

/* the derivatives of ln k once k, the rates and k's derivative by ln D are known */
kb_fn void burke_derivatives(kb_kinetics *w, int b, lane k, lane kM, lane dD, lane D)
{
    lane scale = vinverse(k) / D;
    for (int c = kb_burke_start[b] + 1; c < kb_burke_start[b + 1]; c++)
        w->burke_C[c] = (w->burke_C[c] * w->burke_k[c] - kM + dD * (w->burke_C[c] - 1.0)) * scale;
    w->burke_M[b] = (kM + dD) * scale;
}

/* rate constants, and the derivatives of ln k by the C of each collider and by [M], each at
 * constant others and T, and by T at constant C and [M] */
kb_fn void kin_linear_burke(const kb_gas *g, kb_kinetics *w)
{
    const double least = 1e-200;
    each(b, NBURKE)
    {
        int first = kb_burke_start[b];
        lane slope, D = burke_concentration(g, w, b, &slope), rD = 1.0 / D, h = slope * rD;
        law_collider M = burke_collider(g, first, D);
        lane others = g->Mb, k = splat(0), dD = splat(0), dT = splat(0);
        for (int c = first + 1; c < kb_burke_start[b + 1]; c++) {
            lane eps = w->burke_C[c], C = w->C[kb_burke_species[c]], part = eps * C * rD;
            lane s = law_arrhenius_slope(g, kb_burke_b[c], kb_burke_theta[c]), own = splat(0);
            law_collider r = M;
            if (kb_burke_kind[c] != BURKE_OF_M) {
                r = burke_collider(g, c, D / eps);
                own = s;
            }
            w->burke_k[c] = r.k;
            others -= C;
            part *= r.k;
            k += part;
            dD += part * (r.M - 1.0);
            dT += part * (r.T + r.M * (h - own) + s - h);
        }
        others *= M.k * rD;
        k += others;
        dD += others * (M.M - 1.0);
        /* Not 0: the Jacobian has dk/dC as q d ln k/dC. Where k is 0, a collider with C = 0 may
         * still have a dk/dC. */
        k = vselect(vabs(k) < least, splat(least), k);
        w->burke_T[b] = (dT + others * (M.T + (M.M - 1.0) * h)) * vinverse(k);
        w->kf[kb_burke_rx[b]] = k;
        burke_derivatives(w, b, k, M.k, dD, D);
    }
}
