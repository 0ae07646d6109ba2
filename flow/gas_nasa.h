/* SPDX-License-Identifier: MIT
 *
 * The gas of a mechanism: NASA polynomials of 7 coefficients (NASA SP-273) or 9 (NASA
 * TP-2002-211556), energies with formation enthalpies. Species in steady state have no mass and are
 * left out. Below 200 K and above 6000 K the energies go on as straight lines. gas_ideal.h defines
 * functions of the same names.
 */
#ifndef KB_FLOW_GAS_NASA_H
#define KB_FLOW_GAS_NASA_H

#include "flow/load.h" /* before the tables, which use its names */
#include "constants.h"
#include "flow/stage.h"

#define GAS_R 8314.46261815324 /* [J/(kmol K)] */
#define GAS_COLDEST 200.0      /* [K] */
#define GAS_HOTTEST 6000.0

enum { GAS_NEWTON = 30 };

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

kb_fn void gas_mix_each(const lane rho[NSP], lane T, gas_mixture *m)
{
    for (int s = 0; s < NSP; s++) {
        mask high = T > kb_Tmid[s];
        lane share = rho[s] * (GAS_R * kb_rW[s]), edge = splat(kb_Tmid[s]);
        for (int k = 0; k < 6; k++)
            m->a[k] += share * vselect(high, splat(kb_hi[k * NALL + s]),
                                       splat(kb_lo[k * NALL + s]));
        for (int k = 0; NASA9 && k < 2; k++)
            m->b[k] += share * vselect(high, splat(kb_hi9[k * NALL + s]),
                                       splat(kb_lo9[k * NALL + s]));
        m->R += share;
        m->above = vselect(high, lane_max(m->above, edge), m->above);
        m->upto = vselect(high, m->upto, lane_min(m->upto, edge));
    }
}

kb_fn void gas_mix(const lane rho[NSP], lane T, gas_mixture *m)
{
    double first = gas_first_middle(), last = gas_last_middle();
    for (int k = 0; k < 6; k++)
        m->a[k] = splat(0);
    m->b[0] = m->b[1] = m->R = m->above = splat(0);
    m->upto = splat(HUGE_VAL);
    if (!lane_any(T > first)) {
        gas_mix_alike(rho, kb_lo, kb_lo9, m);
        m->upto = splat(first);
    } else if (!lane_any(T <= last)) {
        gas_mix_alike(rho, kb_hi, kb_hi9, m);
        m->above = splat(last);
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

/* the same at any T, with the mixture for another T as long as it holds */
kb_fn void gas_energies(const lane rho[NSP], lane T, gas_mixture *m, lane *energy, lane *cv)
{
    lane inside = lane_min(lane_max(T, splat(GAS_COLDEST)), splat(GAS_HOTTEST));
    if (lane_any((inside <= m->above) | (inside > m->upto)))
        gas_mix(rho, inside, m);
    gas_evaluate(m, inside, energy, cv);
    *energy += *cv * (T - inside);
}

/* T from rho e by Newton from T, in steps of at most half of it; NAN where that does not converge
 * or leaves 50 to 10000 K. cv: sum of rho_s cv_s at T; R: of rho_s R_s */
kb_fn lane gas_temperature(const lane rho[NSP], lane energy, lane T, lane *cv, lane *R)
{
    mask moving = not_(mask_none());
    gas_mixture m;
    *cv = splat(1);
    T = vselect((T >= splat(50)) & (T <= splat(10000)), T, splat(1000));
    gas_mix(rho, lane_min(lane_max(T, splat(GAS_COLDEST)), splat(GAS_HOTTEST)), &m);
    *R = m.R;
    for (int k = 0; k < GAS_NEWTON && lane_any(moving); k++) {
        lane e;
        gas_energies(rho, T, &m, &e, cv);
        lane step = (energy - e) / *cv, most = 0.5 * T;
        step = lane_max(-most, lane_min(most, step));
        moving = not_(vabs(step) < 1e-10 * T);
        T += step;
    }
    return vselect(moving | (T < splat(50)) | (T > splat(10000)), splat(NAN), T);
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
    lane inside = lane_min(lane_max(T, splat(GAS_COLDEST)), splat(GAS_HOTTEST));
    gas_mixture m;
    (void)g;
    gas_mix(rho, inside, &m);
    gas_evaluate(&m, inside, energy, &cv);
    *energy += cv * (T - inside);
    *c2 = (1.0 + R / cv) * p * each;
}

/* e of a species at GAS_COLDEST [J/kg]: a constant that compilers find */
kb_fn double gas_least_of(int s)
{
    const double *c = GAS_COLDEST > kb_Tmid[s] ? kb_hi : kb_lo, T = GAS_COLDEST;
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

#endif
