/* SPDX-License-Identifier: MIT
 *
 * Loss frequencies: the diagonal of the Jacobian in the species, d f_i/d z_i = sum_r nu_ir
 * dq_r/dC_i at constant T and [M], without the rest of the Jacobian or room for it. The largest is
 * within 3 % of the spectral radius of the exact Jacobian along ignition of H2 and GRI 3.0;
 * stabilised explicit methods need a bound of that.
 */
#pragma once

#include "solvers/chemistry/jacobian.h"

/* derivative by v_i of the product of v = C over three slots (side 0: reactants, 1: products) of
 * reaction r */
kb_fn lane loss_slots(const kin_C v, int r, int side, int i)
{
    const kb_index *slot = kb_slot + 3 * side * NRX + r;
    int a = slot[0], b = slot[NRX], c = slot[2 * NRX];
    lane d = splat(0);
    if (a == i)
        d += v[b] * v[c];
    if (b == i)
        d += v[a] * v[c];
    if (c == i)
        d += v[a] * v[b];
    return d;
}

/* product of v over the slots of one side */
kb_fn lane loss_product(const lane *v, int r, int side)
{
    const kb_index *slot = kb_slot + 3 * side * NRX + r;
    return v[slot[0]] * v[slot[NRX]] * v[slot[2 * NRX]];
}

/* dq_r/dC_i of general reaction g */
kb_fn lane loss_general(const kb_kinetics *w, int g, int i)
{
    int f = kb_general_start[2 * g], m = kb_general_start[2 * g + 1],
        l = kb_general_start[2 * g + 2];
    lane K = kin_inverse_Kc(w, g), d = splat(0);
    for (int j = f; j < l; j++)
        if (kb_general_species[j] == i)
            d += j < m ? jac_power(w, j, f, m) : -K * jac_power(w, j, m, l);
    return d;
}

/* max_i |d f_i/d z_i| [1/s] */
kb_fn lane loss_frequency(kb_reactor reactor, lane fixed, const lane *y, kb_kinetics *w)
{
    lane most = splat(0);
    kb_gas g;
    kin_constants(reactor, fixed, y, &g, w, 0, 1);
    each_max(most, i, NSP)
    {
        lane sum = splat(0);
        for (int j = kb_species_start[i]; j < kb_species_start[i + 1]; j++) {
            int r = kb_species_rx[j];
            lane d = loss_slots(w->C, r, 0, i);
            if (kb_slot[3 * NRX + r] == i || kb_slot[4 * NRX + r] == i || kb_slot[5 * NRX + r] == i)
                d -= loss_product(w->E, r, 1) * loss_product(w->I, r, 0) *
                     loss_slots(w->C, r, 1, i);
            for (int k = 0; k < NGENERAL; k++)
                if (kb_general_rx[k] == r)
                    d += loss_general(w, k, i);
            lane kf = w->kf[r];
            if (kin_three_body(r, r >= RX2))
                kf *= w->M[kb_mreaction_mset[kin_mreaction(r)]];
            sum += kb_species_nu[j] * kf * d;
        }
        most = vmax(most, vabs(sum));
    }
    return team_max(most, N);
}
