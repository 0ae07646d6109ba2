/* SPDX-License-Identifier: MIT
 *
 * Ideal gas of NSP species with constant heat capacities: e_s = cv_s T. nasa.h defines
 * functions of the same names.
 */
#pragma once

#include "flow/load.h"
#include "flow/stage.h"

/* sums of rho_s R_s and rho_s cv_s */
kb_fn void gas_sums(const kb_flow_gas *g, const lane rho[NSP], lane *R, lane *cv)
{
    *R = rho[0] * g->R[0];
    *cv = rho[0] * g->cv[0];
    for (int s = 1; s < NSP; s++) {
        *R += rho[s] * g->R[s];
        *cv += rho[s] * g->cv[s];
    }
}

/* partial densities, 1/rho and rho e -> p, c^2 and T, whose old value a gas may start from */
kb_fn void gas_state(const kb_flow_gas *g, const lane rho[NSP], lane each, lane energy, lane *p,
                     lane *c2, lane *T)
{
    lane R, cv, k;
    if (NSP == 1) {
        k = splat(g->ratio);
        *T = energy * each * (g->ratio / g->R[0]);
    } else {
        gas_sums(g, rho, &R, &cv);
        lane inverse = 1.0 / cv;
        k = R * inverse;
        *T = energy * inverse;
    }
    *p = k * energy;
    *c2 = (1.0 + k) * *p * each;
}

/* partial densities, 1/rho and p -> rho e and c^2 */
kb_fn void gas_energy(const kb_flow_gas *g, const lane rho[NSP], lane each, lane p, lane *energy,
                      lane *c2)
{
    lane R, cv;
    if (NSP == 1) {
        *energy = p * g->inverse;
        *c2 = (1.0 + g->ratio) * p * each;
    } else {
        gas_sums(g, rho, &R, &cv);
        lane inverse = 1.0 / (R * cv); /* one division for R/cv and cv/R */
        *energy = p * cv * cv * inverse;
        *c2 = (1.0 + R * R * inverse) * p * each;
    }
}

/* rho e that a cell must have */
kb_fn lane gas_least_energy(const kb_flow_gas *g, const lane rho[NSP])
{
    (void)g, (void)rho;
    return splat(0);
}
