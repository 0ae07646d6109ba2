/* SPDX-License-Identifier: MIT
 *
 * What rates of progress need of a table reaction, and reactions with orders of their own. rhs.h
 * says what the symbols mean.
 */
#pragma once

#include "solvers/chemistry/laws/progress.h"
#include "solvers/chemistry/rate_constants.h"

/* what the reactions of a range have in common is constant there; unsorted, each table reaction r
 * has its own */
kb_fn int kin_slots(int r, int range) { return SORTED ? range : 2 + (kb_range_of[r] & 1); }
kb_fn int kin_three_body(int r, int range) { return SORTED ? range : kb_range_of[r] >> 1; }
/* number of a three-body reaction among those with [M] */
kb_fn int kin_mreaction(int r) { return SORTED ? r - RX2 : kb_mreaction_of[r]; }

kb_fn lane kin_power_product(const kb_kinetics *w, int first, int last)
{
    lane F = splat(1);
    for (int k = first; k < last; k++)
        F *= law_power(w->C[kb_general_species[k]], kb_general_order[k]);
    return F;
}

/* 1/Kc of a general reaction, 0 if it is one-way */
kb_fn lane kin_inverse_Kc(const kb_kinetics *w, int g)
{
    lane ln = splat(0);
    if (kb_general_kc_start[g] == kb_general_kc_start[g + 1])
        return splat(0);
    for (int k = kb_general_kc_start[g]; k < kb_general_kc_start[g + 1]; k++)
        ln += kb_general_kc_nu[k] * vlog(w->E[kb_general_kc_species[k]]);
    return vexp(ln);
}

/* their slots are empty, so q holds k (times M) here */
kb_fn void kin_general(kb_kinetics *w)
{
    each(g, NGENERAL)
    {
        lane F = kin_power_product(w, kb_general_start[2 * g], kb_general_start[2 * g + 1]);
        lane R = kin_power_product(w, kb_general_start[2 * g + 1], kb_general_start[2 * g + 2]);
        w->q[kb_general_rx[g]] *= F - kin_inverse_Kc(w, g) * R;
    }
}
