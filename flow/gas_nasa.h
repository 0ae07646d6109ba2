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

/* rho e and sum rho_s cv_s at T within the range of the polynomials */
kb_fn void gas_polynomials(const lane rho[NSP], lane T, lane *energy, lane *cv)
{
    lane e = splat(0), c = splat(0), lnT = NASA9 ? vlog(T) : splat(0);
    for (int s = 0; s < NSP; s++) {
        mask high = T > kb_Tmid[s];
        lane a[6], share = rho[s] * (GAS_R * kb_rW[s]);
        for (int k = 0; k < 6; k++)
            a[k] = vselect(high, splat(kb_hi[k * NALL + s]), splat(kb_lo[k * NALL + s]));
        lane cp = a[0] + T * (a[1] + T * (a[2] + T * (a[3] + T * a[4])));
        lane h = a[5] + T * (a[0] + T * (a[1] * 0.5 + T * (a[2] * (1.0 / 3) +
                 T * (a[3] * 0.25 + T * (a[4] * 0.2)))));
        if (NASA9) {
            lane b1 = vselect(high, splat(kb_hi9[s]), splat(kb_lo9[s])), rT = 1.0 / T;
            lane b2 = vselect(high, splat(kb_hi9[NALL + s]), splat(kb_lo9[NALL + s]));
            cp += rT * (b1 * rT + b2);
            h += b2 * lnT - b1 * rT;
        }
        c += share * (cp - 1.0);
        e += share * (h - T);
    }
    *energy = e;
    *cv = c;
}

kb_fn void gas_energies(const lane rho[NSP], lane T, lane *energy, lane *cv)
{
    lane inside = lane_min(lane_max(T, splat(GAS_COLDEST)), splat(GAS_HOTTEST));
    gas_polynomials(rho, inside, energy, cv);
    *energy += *cv * (T - inside);
}

/* T from rho e by Newton from T, in steps of at most half of it; NAN where that does not converge
 * or leaves 50 to 10000 K. cv: sum of rho_s cv_s at T */
kb_fn lane gas_temperature(const lane rho[NSP], lane energy, lane T, lane *cv)
{
    mask moving = not_(mask_none());
    *cv = splat(1);
    T = vselect((T >= splat(50)) & (T <= splat(10000)), T, splat(1000));
    for (int k = 0; k < GAS_NEWTON && lane_any(moving); k++) {
        lane e;
        gas_energies(rho, T, &e, cv);
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
    lane R = gas_constant(rho), cv;
    (void)g;
    *T = gas_temperature(rho, energy, *T, &cv);
    *p = R * *T;
    *c2 = (1.0 + R / cv) * *p * each;
}

kb_fn void gas_energy(const kb_flow_gas *g, const lane rho[NSP], lane each, lane p, lane *energy,
                      lane *c2)
{
    lane R = gas_constant(rho), cv;
    (void)g;
    gas_energies(rho, p / R, energy, &cv);
    *c2 = (1.0 + R / cv) * p * each;
}

/* rho e that a cell must have */
kb_fn lane gas_least_energy(const kb_flow_gas *g, const lane rho[NSP])
{
    lane energy, cv;
    (void)g;
    gas_polynomials(rho, splat(GAS_COLDEST), &energy, &cv);
    return energy;
}

#endif
