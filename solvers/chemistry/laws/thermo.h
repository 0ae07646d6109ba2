/* SPDX-License-Identifier: MIT
 *
 * Thermodynamics of one species at the gas's T: NASA polynomials, and what continues them beyond
 * the range of their data. Units: cp/R, u = h/RT - 1, and g/RT as an exponent of vexp_units.
 */
#ifndef KB_LAWS_THERMO_H
#define KB_LAWS_THERMO_H

#include "solvers/chemistry/laws/rates.h"

typedef struct {
    lane cp, u, g;
} law_thermo;

/* NASA-7, of coefficients a[7]; source: NASA SP-273 */
kb_law law_thermo law_nasa7(const kb_gas *g, const lane *a)
{
    lane T = g->T, rT = g->rT, T2 = T * T, T3 = T2 * T, T4 = T2 * T2;
    lane h1 = T * 0.5, h2 = T2 * (1.0 / 3), h3 = T3 * 0.25, h4 = T4 * 0.2;
    const double unit = KB_EXP_UNIT;
    lane g0 = unit * (1.0 - g->lnT), g1 = T * (unit * -0.5), g2 = T2 * (unit * (-1.0 / 6)),
         g3 = T3 * (unit * (-1.0 / 12)), g4 = T4 * (unit * -0.05), g5 = unit * rT;
    law_thermo t;
    t.cp = a[0] + a[1] * T + a[2] * T2 + a[3] * T3 + a[4] * T4;
    t.u = a[0] + a[1] * h1 + a[2] * h2 + a[3] * h3 + a[4] * h4 + a[5] * rT - 1.0;
    t.g = a[0] * g0 + a[1] * g1 + a[2] * g2 + a[3] * g3 + a[4] * g4 + a[5] * g5 - a[6] * unit;
    return t;
}

/* d(cp/R)/dT of NASA-7 */
kb_law lane law_nasa7_slope(lane T, const lane *a)
{
    return a[1] + a[2] * (2.0 * T) + a[3] * (3.0 * T * T) + a[4] * (4.0 * T * T * T);
}

/* what the terms of NASA-9 in T^-2 (a) and in T^-1 (b) add; source: NASA/TP-2002-211556, eq. 1-3 */
kb_law law_thermo law_nasa9(const kb_gas *g, lane a, lane b)
{
    lane b1 = a * g->rT * g->rT, b2 = b * g->rT;
    law_thermo t;
    t.cp = b1 + b2;
    t.u = b2 * g->lnT - b1;
    t.g = KB_EXP_UNIT * (b2 * (g->lnT + 1.0) - 0.5 * b1);
    return t;
}

/* what they take from d(cp/R)/dT */
kb_law lane law_nasa9_slope(lane T, lane a, lane b)
{
    lane rT = 1.0 / T;
    return rT * rT * (2.0 * rT * a + b);
}

/* Beyond the data cp/R is b[0] + b[1] T; b[2], b[3]: constants of h and s (mech/thermo/thermo.h) */
kb_law law_thermo law_beyond(const kb_gas *g, const lane *b)
{
    lane b1 = b[1] * g->T, b2 = b[2] * g->rT;
    law_thermo t;
    t.cp = b[0] + b1;
    t.u = b[0] + 0.5 * b1 + b2 - 1.0;
    t.g = KB_EXP_UNIT * (b[0] * (1.0 - g->lnT) - 0.5 * b1 + b2 - b[3]);
    return t;
}

#endif
