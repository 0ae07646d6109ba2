/* SPDX-License-Identifier: MIT
 *
 * Linear-Burke reactions: the linear mixture rule of Singal, Lee, Lei, Speth and Burke, Proc.
 * Combust. Inst. 40 (2024) 105779. With [M] = p/(RT), D = [M] + sum_i (eps_i - 1) C_i over the
 * named colliders, and the weights w_i = eps_i C_i/D, w_M = ([M] - sum_i C_i)/D:
 *   k = w_M k_M(D) + sum_i w_i k_i(D/eps_i),
 * where k_i depends on the concentration of its collider, as if that were alone; a collider without
 * a rate of its own has k_M(D).
 */
#ifndef KB_LINEAR_BURKE_H
#define KB_LINEAR_BURKE_H

#include "solvers/chemistry/rate_constants.h"

/* the rate of one collider: k, d ln k/dT at constant concentration of it, d ln k/d ln of that */
typedef struct {
    lane k, T, M;
} burke_rate;

/* fall-off in Troe's form; v: A, b, theta of the high and of the low limit, a, 1/T***, 1/T*, T** */
kb_fn burke_rate burke_falloff(const kb_gas *g, const double *v, lane M)
{
    lane high = v[0] * vexp(law_arrhenius(g, v[1], v[2]));
    lane low = v[3] * vexp(law_arrhenius(g, v[4], v[5]));
    lane pr = vmin(M * low / (high + 1e-300), splat(1e300)), s = 1.0 / (1.0 + pr);
    lane slope, dlF, dPr, dT;
    lane Fc = law_troe_center(g, v[6], v[7], v[8], v[9], &slope);
    lane lF = law_center_log(Fc, slope, &dlF), top, bottom;
    lane F = law_troe(lF, &dlF, ln_guarded(pr), 1, &dPr, &dT);
    top = law_arrhenius_slope(g, v[1], v[2]);
    bottom = law_arrhenius_slope(g, v[4], v[5]);
    return (burke_rate){high * pr * s * F, top + dT + (s + dPr) * (bottom - top), s + dPr};
}

/* collider number c at concentration M of it */
kb_fn burke_rate burke_rate_of(const kb_gas *g, int c, lane M)
{
    int kind = kb_burke_kind[c], number = kb_burke_number[c];
    kb_gas at = *g;
    burke_rate r = {splat(0), splat(0), splat(0)};
    /* a kind that no collider has must not be there for a compiler: its tables are empty */
    if (NBURKE_FALLOFF > 0 && kind == BURKE_FALLOFF)
        return burke_falloff(g, &kb_burke_falloff[10 * number], M);
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
    lane scale = inverse_guarded(k) / D; /* of a rate of 0 nothing is used */
    for (int c = kb_burke_start[b] + 1; c < kb_burke_start[b + 1]; c++)
        w->burke_C[c] = (w->burke_C[c] * w->burke_k[c] - kM + dD * (w->burke_C[c] - 1.0)) * scale;
    w->burke_M[b] = (kM + dD) * scale;
}

/* rate constants, and the derivatives of ln k by the C of each collider and by [M], each at
 * constant others and T, and by T at constant C and [M] */
kb_fn void kin_linear_burke(const kb_gas *g, kb_kinetics *w)
{
    each(b, NBURKE)
    {
        int first = kb_burke_start[b];
        lane slope, D = burke_concentration(g, w, b, &slope), rD = 1.0 / D, h = slope * rD;
        burke_rate M = burke_rate_of(g, first, D);
        lane others = g->Mb, k = splat(0), dD = splat(0), dT = splat(0);
        for (int c = first + 1; c < kb_burke_start[b + 1]; c++) {
            lane eps = w->burke_C[c], C = w->C[kb_burke_species[c]], part = eps * C * rD;
            lane s = law_arrhenius_slope(g, kb_burke_b[c], kb_burke_theta[c]), own = splat(0);
            burke_rate r = M;
            if (kb_burke_kind[c] != BURKE_OF_M) {
                r = burke_rate_of(g, c, D / eps);
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
        w->burke_T[b] = (dT + others * (M.T + (M.M - 1.0) * h)) * inverse_guarded(k);
        w->kf[kb_burke_rx[b]] = k;
        burke_derivatives(w, b, k, M.k, dD, D);
    }
}

#endif
