/* SPDX-License-Identifier: MIT
 *
 * Ideal gas of NSP species with constant heat capacities: e_s = cv_s T. The words of a gas are the
 * same in gas_nasa.h.
 */
#ifndef KB_FLOW_GAS_IDEAL_H
#define KB_FLOW_GAS_IDEAL_H

#include "flow/load.h"
#include "flow/stage.h"

#define GAS_FLOOR 0.0 /* least internal energy of a cell [J/kg] */

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

/* R/cv = gamma - 1 of the mixture */
kb_fn lane gas_ratio(const kb_flow_gas *g, const lane rho[NSP])
{
    lane R, cv;
    if (NSP == 1)
        return splat(g->R[0] / g->cv[0]);
    gas_sums(g, rho, &R, &cv);
    return R / cv;
}

/* partial densities and rho e -> p, c^2 and T, whose old value a gas may start from */
kb_fn void gas_state(const kb_flow_gas *g, const lane rho[NSP], lane density, lane energy, lane *p,
                     lane *c2, lane *T)
{
    lane R, cv, k = gas_ratio(g, rho);
    gas_sums(g, rho, &R, &cv);
    *T = energy / cv;
    *p = k * energy;
    *c2 = (1.0 + k) * *p / density;
}

/* partial densities and p -> rho e and c^2 */
kb_fn void gas_energy(const kb_flow_gas *g, const lane rho[NSP], lane density, lane p, lane *energy,
                      lane *c2)
{
    lane k = gas_ratio(g, rho);
    *energy = p / k;
    *c2 = (1.0 + k) * p / density;
}

#endif
