/* SPDX-License-Identifier: MIT
 *
 * The rate of progress of one reaction and its derivatives. F, R: products of the concentrations on
 * its two sides; k, kr: its rate constants, with the [M] of a three-body reaction.
 */
#pragma once

#include "solvers/chemistry/laws/rates.h"

/* C^order; integer orders exactly, real ones of a concentration <= 0 give 0 */
kb_fn lane law_power(lane C, double order)
{
    if (order == 1)
        return C;
    if (order == 2)
        return C * C;
    if (order == 3)
        return C * C * C;
    return vselect(C > 0.0, vpow(vmax(C, splat(1e-300)), splat(order)), splat(0));
}

/* its derivative by C */
kb_law lane law_power_slope(lane C, double order)
{
    return order == 1 ? splat(1) : order * law_power(C, order - 1);
}

/* rr: k, reverse times R */
kb_law lane law_progress(lane k, lane F, lane rr) { return k * F - rr; }

/* q - sum_j C_j dq/dC_j; forward, reverse: 1 less the order of each side */
kb_law lane law_progress_border(lane k, lane F, lane rr, double forward, double reverse)
{
    return k * forward * F - rr * reverse;
}

/* dq/dT at constant z and p or rho. dk: d ln kf/dT; du: sum of h/RT - 1 over the products less that
 * over the reactants; pT: 1/T at constant p, 0 at constant v */
kb_law lane law_progress_slope(lane q, lane rr, lane B, lane dk, lane rT, lane du, lane pT)
{
    return q * dk + rr * rT * du + B * pT;
}

/* What the dependence on [M] takes from dq/dT (*T) and from the border (returned) at constant p, by
 * qM = dq/d[M] and base = d[M]/dMb qM: Mb falls as 1/T, and [M] is of first order in C except for
 * its base part. At constant v, Mb rises with every z_j, and the border gains `base`. */
kb_law lane law_third_body(const kb_gas *g, lane qM, lane M, lane base, lane *T)
{
    lane inner = qM * M - base * g->Mb; /* sum_j C_j dq/d[M] d[M]/dC_j */
    *T = (inner + base * g->Mb) * g->rT;
    return inner;
}
