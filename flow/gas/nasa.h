/* SPDX-License-Identifier: MIT
 *
 * The gas of a mechanism: NASA polynomials of 7 coefficients (NASA SP-273) or 9 (NASA
 * TP-2002-211556), energies with formation enthalpies. Species in steady state have no mass and are
 * left out. Beyond its data, cp of a species goes on as a straight line (mech/thermo/thermo.h).
 * ideal.h defines functions of the same names.
 */
#pragma once

#include "flow/load.h" /* before the tables, which use its names */
#include "constants.h"
#include "flow/stage.h"

#define GAS_R 8314.46261815324 /* [J/(kmol K)] */
#define GAS_COLDEST 200.0      /* least T of a cell that the nets make [K] */

enum { GAS_NEWTON = 60 };

/* sum of rho_s R_s [J/(m^3 K)] */
kb_fn lane gas_constant(const lane rho[NSP])
{
    lane sum = rho[0] * (GAS_R * kb_rW[0]);
    for (int s = 1; s < NSP; s++)
        sum += rho[s] * (GAS_R * kb_rW[s]);
    return sum;
}

/* The polynomials of a mixture: sums of rho_s R_s times the coefficients of its species, those
 * that hold for T in (above, upto]. So the cost of a T is that of one species. */
typedef struct {
    lane a[6], b[2], R, above, upto; /* b: NASA-9 */
} gas_mixture;

/* the least and the largest T at which a species changes its polynomials */
kb_fn double gas_first_middle(void)
{
    double T = kb_Tmid[0];
    for (int s = 1; s < NSP; s++)
        T = kb_Tmid[s] < T ? kb_Tmid[s] : T;
    return T;
}

kb_fn double gas_last_middle(void)
{
    double T = kb_Tmid[0];
    for (int s = 1; s < NSP; s++)
        T = kb_Tmid[s] > T ? kb_Tmid[s] : T;
    return T;
}

/* all species by their polynomials for low T, or all by those for high T */
kb_fn void gas_mix_alike(const lane rho[NSP], const double *c, const double *c9, gas_mixture *m)
{
    for (int s = 0; s < NSP; s++) {
        lane share = rho[s] * (GAS_R * kb_rW[s]);
        for (int k = 0; k < 6; k++)
            m->a[k] += share * c[k * NALL + s];
        for (int k = 0; NASA9 && k < 2; k++)
            m->b[k] += share * c9[k * NALL + s];
        m->R += share;
    }
}

/* coefficient k, of NASA-7's a1 .. a6, of species s at T; beyond its data a1, a2 and a6 alone */
kb_fn lane gas_coefficient(int k, int s, mask high, mask cold, mask hot)
{
    int b = k == 0 ? 0 : k == 1 ? 1 : 2;
    lane a = vselect(high, splat(kb_hi[k * NALL + s]), splat(kb_lo[k * NALL + s]));
    if (k > 1 && k < 5)
        return vselect(cold | hot, splat(0), a);
    return vselect(cold, splat(kb_cold[b * NALL + s]),
                   vselect(hot, splat(kb_hot[b * NALL + s]), a));
}

/* m->above and m->upto, drawn together about T by one end of a range */
kb_fn void gas_narrow(gas_mixture *m, double end, mask beyond)
{
    m->above = vselect(beyond, lane_max(m->above, splat(end)), m->above);
    m->upto = vselect(beyond, m->upto, lane_min(m->upto, splat(end)));
}

kb_fn void gas_mix_each(const lane rho[NSP], lane T, gas_mixture *m)
{
    for (int s = 0; s < NSP; s++) {
        mask high = T > kb_Tmid[s], hot = T > kb_Thigh[s], warm = T > kb_Tlow[s];
        mask cold = not_(warm);
        lane share = rho[s] * (GAS_R * kb_rW[s]);
        for (int k = 0; k < 6; k++)
            m->a[k] += share * gas_coefficient(k, s, high, cold, hot);
        for (int k = 0; NASA9 && k < 2; k++)
            m->b[k] += share * vselect(cold | hot, splat(0),
                                       vselect(high, splat(kb_hi9[k * NALL + s]),
                                               splat(kb_lo9[k * NALL + s])));
        m->R += share;
        gas_narrow(m, kb_Tlow[s], warm);
        gas_narrow(m, kb_Tmid[s], high);
        gas_narrow(m, kb_Thigh[s], hot);
    }
}

/* the mixture for T, of ranges that include their upper ends */
kb_fn void gas_mix(const lane rho[NSP], lane T, gas_mixture *m)
{
    double first = gas_first_middle(), last = gas_last_middle();
    for (int k = 0; k < 6; k++)
        m->a[k] = splat(0);
    m->b[0] = m->b[1] = m->R = splat(0);
    m->above = splat(0);
    m->upto = splat(HUGE_VAL);
    if (!lane_any((T > first) | (T <= KB_DATA_FROM))) {
        gas_mix_alike(rho, kb_lo, kb_lo9, m);
        m->above = splat(KB_DATA_FROM);
        m->upto = splat(first);
    } else if (!lane_any((T <= last) | (T > KB_DATA_TO))) {
        gas_mix_alike(rho, kb_hi, kb_hi9, m);
        m->above = splat(last);
        m->upto = splat(KB_DATA_TO);
    } else {
        gas_mix_each(rho, T, m);
    }
}

/* rho e and sum rho_s cv_s at T */
kb_fn void gas_evaluate(const gas_mixture *m, lane T, lane *energy, lane *cv)
{
    const lane *a = m->a;
    lane c = a[0] - m->R;
    *cv = c + T * (a[1] + T * (a[2] + T * (a[3] + T * a[4])));
    *energy = a[5] + T * (c + T * (a[1] * 0.5 + T * (a[2] * (1.0 / 3) +
              T * (a[3] * 0.25 + T * (a[4] * 0.2)))));
    if (NASA9) {
        lane rT = 1.0 / T;
        *cv += rT * (m->b[0] * rT + m->b[1]);
        *energy += m->b[1] * vlog(T) - m->b[0] * rT;
    }
}

/* A Newton search for T. `in` lies inside the range of the mixture, T may be an end of it. */
typedef struct {
    lane T, in;
    mask moving, crossed; /* crossed: came to the range over the end where T is */
    gas_mixture mix;
} gas_search;

/* A step to `next` ends at the end of the mixture's range; from there the next one goes on with the
 * mixture behind that end. If that leads back, no T has the energy, and the end is the answer. */
kb_fn void gas_walk(const lane rho[NSP], gas_search *g, lane next)
{
    gas_mixture *m = &g->mix;
    mask up = next > m->upto, out = up | (next < m->above);
    lane end = vselect(up, m->upto, m->above);
    mask at = out & (g->T == end);
    g->moving = g->moving & not_(at & g->crossed);
    g->crossed = at & g->moving;
    g->T = vselect(out, end, next);
    g->in = vselect(out, g->in, next);
    if (!lane_any(g->crossed))
        return;
    g->in = vselect(g->crossed, vselect(up, end * (1 + 4e-16), end), g->in);
    gas_mix(rho, g->in, m);
}

/* T from rho e by Newton from T, in steps of at most half of it; NAN where that does not converge
 * or leaves 50 to 10000 K. Where the polynomials of a species do not meet at Tmid, the energies
 * between their ends give T = Tmid. cv: sum of rho_s cv_s at T; R: of rho_s R_s */
kb_fn lane gas_temperature(const lane rho[NSP], lane energy, lane T, lane *cv, lane *R)
{
    gas_search g;
    *cv = splat(1);
    g.T = g.in = vselect((T >= splat(50)) & (T <= splat(10000)), T, splat(1000));
    g.moving = not_(mask_none());
    g.crossed = mask_none();
    gas_mix(rho, g.in, &g.mix);
    *R = g.mix.R;
    for (int k = 0; k < GAS_NEWTON && lane_any(g.moving); k++) {
        lane e;
        gas_evaluate(&g.mix, g.T, &e, cv);
        lane step = (energy - e) / *cv, most = 0.5 * g.T;
        step = lane_max(-most, lane_min(most, step));
        lane next = vselect(g.moving, g.T + step, g.T);
        g.moving = g.moving & not_(vabs(step) < 1e-10 * g.T);
        gas_walk(rho, &g, next);
    }
    return vselect(g.moving | (g.T < splat(50)) | (g.T > splat(10000)), splat(NAN), g.T);
}

kb_fn void gas_state(const kb_flow_gas *g, const lane rho[NSP], lane each, lane energy, lane *p,
                     lane *c2, lane *T)
{
    lane R, cv;
    (void)g;
    *T = gas_temperature(rho, energy, *T, &cv, &R);
    *p = R * *T;
    *c2 = (1.0 + R / cv) * *p * each;
}

kb_fn void gas_energy(const kb_flow_gas *g, const lane rho[NSP], lane each, lane p, lane *energy,
                      lane *c2)
{
    lane R = gas_constant(rho), T = p / R, cv;
    gas_mixture m;
    (void)g;
    gas_mix(rho, T, &m);
    gas_evaluate(&m, T, energy, &cv);
    *c2 = (1.0 + R / cv) * p * each;
}

/* e of a species at GAS_COLDEST [J/kg]: a constant that compilers find */
kb_fn double gas_least_of(int s)
{
    const double *c = GAS_COLDEST > kb_Tmid[s] ? kb_hi : kb_lo, T = GAS_COLDEST;
    if (GAS_COLDEST < kb_Tlow[s])
        return GAS_R * kb_rW[s] * (kb_cold[2 * NALL + s] +
               T * (kb_cold[s] - 1 + T * (kb_cold[NALL + s] * 0.5)));
    double h = c[5 * NALL + s] + T * (c[s] + T * (c[NALL + s] * 0.5 + T * (c[2 * NALL + s] / 3 +
               T * (c[3 * NALL + s] * 0.25 + T * (c[4 * NALL + s] * 0.2)))));
    if (NASA9) {
        const double *b = GAS_COLDEST > kb_Tmid[s] ? kb_hi9 : kb_lo9;
        h += b[NALL + s] * log(T) - b[s] / T;
    }
    return GAS_R * kb_rW[s] * (h - T);
}

/* rho e that a cell must have */
kb_fn lane gas_least_energy(const kb_flow_gas *g, const lane rho[NSP])
{
    lane energy = splat(0);
    (void)g;
    for (int s = 0; s < NSP; s++)
        energy += rho[s] * gas_least_of(s);
    return energy;
}
