/* SPDX-License-Identifier: MIT
 *
 * Rate laws: each is a function of the gas and of the values of one record. Derivatives are
 * logarithmic, of k or F; lane arguments may differ between lanes, others not.
 */
#pragma once

#include "solvers/portable/lane.h"

#define KB_LN10 2.302585092994045684

/* the gas at a state */
typedef struct {
    lane T, rT, lnT, lnp;
    lane rho, sigma, Mb; /* [kg/m^3], [kmol/kg], p/(RT) [kmol/m^3] */
} kb_gas;

kb_fn lane ln_guarded(lane x) { return vlog(vmax(x, splat(1e-300))); }

/* 0 where a number x is below what ln_guarded keeps, which is constant there; else 1/x */
kb_fn lane inverse_guarded(lane x)
{
    mask gone = x < 1e-300;
    return vselect(gone, splat(0), vinverse(vselect(gone, splat(1), x)));
}

/* ln of T^b exp(-theta/T) */
kb_fn lane law_arrhenius(const kb_gas *g, double b, double theta)
{
    return b * g->lnT - theta * g->rT;
}

/* its derivative by T */
kb_fn lane law_arrhenius_slope(const kb_gas *g, double b, double theta)
{
    return (b + theta * g->rT) * g->rT;
}

/* log10 of Troe's or Tsang's F_cent from it and dF = d F_cent/dT; *dlF = d ln F_cent/dT. If F_cent
 * underflows, it counts as 1e-300, without derivative. */
kb_fn lane law_center_log(lane Fc, lane dF, lane *dlF)
{
    *dlF = dF * inverse_guarded(Fc);
    return ln_guarded(Fc) * (1 / KB_LN10);
}

/* Troe's F_cent; dF = d F_cent/dT. rT3, rT1: 1/T***, 1/T* */
kb_fn lane law_troe_center(const kb_gas *g, double a, double rT3, double rT1, double T2, lane *dF)
{
    lane rT = g->rT, T_units = g->T * KB_EXP_UNIT, rT_units = rT * KB_EXP_UNIT;
    lane e3 = (1 - a) * vexp_decay(-rT3 * T_units);
    lane e1 = a * vexp_decay(-rT1 * T_units);
    lane e2 = vexp_decay(-T2 * rT_units);
    *dF = -rT3 * e3 - rT1 * e1 + T2 * rT * rT * e2;
    return e3 + e1 + e2;
}

/* theta of Blowers and Masel, AIChE J. 46 (2000) 2041, from that of heat zero, the bonds' w and the
 * heat of reaction, all as E/R [K]; slope: its derivative by the heat */
kb_fn lane law_blowers_masel(double E0, double w, lane heat, lane *slope)
{
    double d = 4 * w * E0 / (w - E0); /* V - 2 w, V = 2 w (w + E0)/(w - E0) */
    lane x = heat + d, y = 0.5 * heat + w, r = 1.0 / (heat * heat + d * (d + 4 * w));
    mask low = heat <= -4 * E0, high = heat > 4 * E0;
    lane theta = y * x * x * r;
    *slope = x * r * (0.5 * x + 2.0 * y * (1.0 - x * heat * r));
    *slope = vselect(low, splat(0), vselect(high, splat(1), *slope));
    return vselect(low, splat(0), vselect(high, heat, theta));
}

/* Troe's F from lF = log10 F_cent; with_derivatives: its derivatives by ln Pr and by T at constant
 * Pr, from dlF = d ln F_cent/dT, which is read only then. Gilbert, Luther and Troe, Ber. Bunsenges.
 * Phys. Chem. 87 (1983) 169; CHEMKIN-III, eqs. 66-70 */
kb_fn lane law_troe(lane lF, const lane *dlF, lane lnPr, int with_derivatives, lane *dPr,
                    lane *dT)
{
    lane a = lnPr * (1 / KB_LN10) - 0.4 - 0.67 * lF, b = 0.75 - 1.27 * lF - 0.14 * a;
    lane r = vinverse(a * a + b * b), s = b * b * r; /* 1/(1 + (a/b)^2) */
    if (with_derivatives) {
        lane dX = -2 * KB_LN10 * lF * a * b * r * r;                    /* dlnF/d(a/b) / b^2 */
        *dPr = dX * (0.75 - 1.27 * lF) * (1 / KB_LN10);                  /* da/dlnPr = 1/ln 10 */
        lane dF = s + dX * (-0.67 * b + 1.1762 * a) * (1 / KB_LN10);     /* dlnF/dlnFc */
        *dT = dF * *dlF;
    }
    return vexp_units(KB_LN10 * KB_EXP_UNIT * lF * s);
}

/* SRI: F = d T^e [a exp(-b/T) + exp(-T/c)]^x, x = 1/(1 + log10(Pr)^2), p = (a, b, c, d, e); 0 where
 * the sum is below 1e-300. By logarithms, since floats hold no exp(-88).
 * Stewart, Larson and Golden, Combust. Flame 75 (1989) 25 */
kb_fn lane law_sri(const kb_gas *g, const double *p, lane lnPr, int with_derivatives, lane *dPr,
                   lane *dT)
{
    lane lp = lnPr * (1 / KB_LN10), x = vinverse(1.0 + lp * lp);
    double sign = p[0] < 0 ? -1 : 1, slope = p[2] == 0 ? 0 : -1 / p[2];
    lane la = p[0] == 0 ? splat(-1e4) : ln_guarded(splat(sign * p[0])) - p[1] * g->rT;
    lane lc = p[2] == 0 ? splat(-1e4) : vmax(g->T * slope, splat(-1e4)), most = vmax(la, lc);
    lane ea = sign * vexp(la - most), ec = vexp(lc - most), sum = ea + ec;
    lane lb = most + ln_guarded(sum);
    if (with_derivatives) {
        *dPr = lb * (-2 / KB_LN10) * lp * x * x;
        *dT = x * (ea * p[1] * g->rT * g->rT + ec * slope) * inverse_guarded(sum) + p[4] * g->rT;
    }
    return vselect(lb < -300 * KB_LN10, splat(0), p[3] * vexp(p[4] * g->lnT + x * lb));
}

/* How the two limits of a falloff blend: Pr/(1 + Pr) times F multiplies the high limit. Returns
 * Pr/(1 + Pr); *s = 1/(1 + Pr). From Pr, and from the limits (low: times [M]) without a division by
 * a high limit of 0 */
kb_law lane law_blend(lane pr, lane *s)
{
    *s = vinverse(1.0 + pr);
    return pr * *s;
}

kb_law lane law_blend_limits(lane high, lane low, lane *s)
{
    high += 1e-300;
    lane r = vinverse(high + low);
    *s = high * r;
    return low * r;
}

/* PLOG: weight of pressure j among those of indices first .. last, lnp [last + 1], in the linear
 * interpolation of ln k; slope: its derivative by ln p */
kb_fn lane law_plog_weight(const kb_gas *g, const double *lnp, int first, int j, int last,
                           lane *slope)
{
    lane hat = splat(1), d = splat(0);
    if (j > first) {
        double width = 1 / (lnp[j] - lnp[j - 1]);
        mask below = g->lnp < lnp[j];
        hat = vselect(below, (g->lnp - lnp[j - 1]) * width, hat);
        d = vselect(below, splat(width), d);
    }
    if (j < last) {
        double width = 1 / (lnp[j + 1] - lnp[j]);
        mask above = g->lnp >= lnp[j];
        hat = vselect(above, (lnp[j + 1] - g->lnp) * width, hat);
        d = vselect(above, splat(-width), d);
    }
    *slope = vselect(hat > 0.0, d, splat(0));
    return vmax(hat, splat(0));
}

/* log10 k = sum_ij c_ij T_i(t) T_j(s), t and s the reduced 1/T and log10 p; range: 1/Tmin, 1/Tmax,
 * log10 pmin, log10 pmax; c [nT][np]. dT, dP: derivatives of ln k by T and by ln p */
kb_fn lane law_chebyshev(const kb_gas *g, const double *range, int nT, int np, const double *c,
                         lane *dT, lane *dP)
{
    double wt = 1 / (range[1] - range[0]), ws = 1 / (range[3] - range[2]);
    lane t = (2.0 * g->rT - range[0] - range[1]) * wt;
    lane s = (2.0 * g->lnp * (1 / KB_LN10) - range[2] - range[3]) * ws;
    lane lk = splat(0), lkt = splat(0), lks = splat(0);
    lane a0 = splat(1), a1 = t, d0 = splat(0), d1 = splat(1); /* T_i(t) and its derivative */
    for (int i = 0; i < nT; i++) {
        lane b0 = splat(1), b1 = s, e0 = splat(0), e1 = splat(1);
        lane row = splat(0), rows = splat(0);
        for (int j = 0; j < np; j++) {
            row += c[i * np + j] * b0;
            rows += c[i * np + j] * e0;
            lane b2 = 2.0 * s * b1 - b0, e2 = 2.0 * b1 + 2.0 * s * e1 - e0;
            b0 = b1, b1 = b2, e0 = e1, e1 = e2;
        }
        lk += row * a0;
        lkt += row * d0;
        lks += rows * a0;
        lane a2 = 2.0 * t * a1 - a0, d2 = 2.0 * a1 + 2.0 * t * d1 - d0;
        a0 = a1, a1 = a2, d0 = d1, d1 = d2;
    }
    *dT = lkt * (-2 * KB_LN10 * wt) * g->rT * g->rT;
    *dP = lks * (2 * ws);
    return vexp(KB_LN10 * lk);
}

/* Rate of one collider of a linear-Burke reaction (linear_burke.h): k, d ln k/dT at a constant
 * concentration of the collider, and d ln k/d ln of that concentration */
typedef struct {
    lane k, T, M;
} law_collider;

/* A falloff of Troe's form at concentration M of the collider; v: A, b, theta of the high and of
 * the low limit, a, 1/T***, 1/T*, T** */
kb_fn law_collider law_burke_falloff(const kb_gas *g, const double *v, lane M)
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
    return (law_collider){high * pr * s * F, top + dT + (s + dPr) * (bottom - top), s + dPr};
}
