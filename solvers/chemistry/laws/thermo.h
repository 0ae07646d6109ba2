/* SPDX-License-Identifier: MIT
 *
 * Thermodynamics of one species by NASA polynomials: cp/R, h/RT - 1, and g/RT as an exponent of
 * vexp_units. Beyond the range of its data a species has the same polynomials with other
 * coefficients, of which few are not 0 (mech/thermo/thermo.h).
 */
#pragma once

#include "solvers/chemistry/laws/rates.h"

/* what multiplies the coefficients of NASA-7: the same for all species; source: NASA SP-273 */
typedef struct {
    lane T, T2, T3, T4, h1, h2, h3, h4, rT, g0, g1, g2, g3, g4, g5;
} law_powers;

kb_law law_powers law_powers_of(const kb_gas *g)
{
    const double unit = KB_EXP_UNIT;
    law_powers p;
    p.T = g->T, p.rT = g->rT, p.T2 = p.T * p.T, p.T3 = p.T2 * p.T, p.T4 = p.T2 * p.T2;
    p.h1 = p.T * 0.5, p.h2 = p.T2 * (1.0 / 3), p.h3 = p.T3 * 0.25, p.h4 = p.T4 * 0.2;
    p.g0 = unit * (1.0 - g->lnT), p.g1 = p.T * (unit * -0.5), p.g2 = p.T2 * (unit * (-1.0 / 6));
    p.g3 = p.T3 * (unit * (-1.0 / 12)), p.g4 = p.T4 * (unit * -0.05), p.g5 = unit * p.rT;
    return p;
}

kb_law lane law_nasa7_cp(const law_powers *p, const lane *a)
{
    return a[0] + a[1] * p->T + a[2] * p->T2 + a[3] * p->T3 + a[4] * p->T4;
}

kb_law lane law_nasa7_h(const law_powers *p, const lane *a)
{
    return a[0] + a[1] * p->h1 + a[2] * p->h2 + a[3] * p->h3 + a[4] * p->h4 + a[5] * p->rT - 1.0;
}

kb_law lane law_nasa7_g(const law_powers *p, const lane *a)
{
    return a[0] * p->g0 + a[1] * p->g1 + a[2] * p->g2 + a[3] * p->g3 + a[4] * p->g4 +
           a[5] * p->g5 - a[6] * KB_EXP_UNIT;
}

/* d(cp/R)/dT of NASA-7 */
kb_law lane law_nasa7_slope(lane T, const lane *a)
{
    return a[1] + a[2] * (2.0 * T) + a[3] * (3.0 * T * T) + a[4] * (4.0 * T * T * T);
}

/* adds the terms of NASA-9 in T^-2 (a) and in T^-1 (b); source: NASA/TP-2002-211556, eq. 1-3 */
kb_law void law_nasa9(const kb_gas *g, lane a, lane b, lane *cp, lane *h, lane *gibbs)
{
    lane rT = g->rT, b1 = a * rT * rT, b2 = b * rT;
    *cp += b1 + b2;
    *h += b2 * g->lnT - b1;
    *gibbs += KB_EXP_UNIT * (b2 * (g->lnT + 1.0) - 0.5 * b1);
}

/* what they take from d(cp/R)/dT */
kb_law lane law_nasa9_slope(lane T, lane a, lane b)
{
    lane rT = 1.0 / T;
    return rT * rT * (2.0 * rT * a + b);
}

/* NASA-7 beyond the data, where it has a1, a2, a6 and a7 alone: b[4] */
kb_law void law_beyond(const kb_gas *g, const lane *b, lane *cp, lane *h, lane *gibbs)
{
    lane b1 = b[1] * g->T, b2 = b[2] * g->rT;
    *cp = b[0] + b1;
    *h = b[0] + 0.5 * b1 + b2 - 1.0;
    *gibbs = KB_EXP_UNIT * (b[0] * (1.0 - g->lnT) - 0.5 * b1 + b2 - b[3]);
}
