/* SPDX-License-Identifier: MIT
 *
 * One thread walks the tables by loops.
 */
#pragma once

#include "solvers/chemistry/jacobian_records.h"
#include "solvers/chemistry/walks/one_thread.h"

#ifdef KB_ALGORITHM1
#include "solvers/chemistry/walks/generated.h"
#else
kb_fn void kin_progress_range(kb_kinetics *w, int r0, int r1, int slots_of, int three_body_of)
{
    each(i, r1 - r0)
    {
        int r = r0 + i;
        int slots = kin_slots(r, slots_of), three_body = kin_three_body(r, three_body_of);
        lane k = w->kf[r];
        if (three_body)
            k *= w->M[kb_mreaction_mset[kin_mreaction(r)]];
        w->q[r] = kin_rate(w, r, slots, k);
    }
}

kb_fn void kin_progress(kb_kinetics *w)
{
    kin_multiply_products(w);
    kin_progress_range(w, 0, RX1, 2, 0);
    kin_progress_range(w, RX1, RX2, 3, 0);
    kin_progress_range(w, RX2, RX3, 2, 1);
    kin_progress_range(w, RX3, NRX, 3, 1);
}

kb_fn void kin_gather(kb_kinetics *w, lane scale, kin_f f)
{
    const lane *v = w->q;
    for (int i = 0; i < NSP; i++) {
        lane sum = splat(0);
        for (int k = kb_species_start[i]; k < kb_species_start[i + 1]; k++)
            sum += kb_species_nu[k] * v[kb_species_rx[k]];
        f[i] = sum * scale;
    }
}

kb_fn void jac_progress(const kb_gas *g, jac_work *w, lane pT)
{
    jac_progress_range(g, w, 0, RX1, 2, 0, 0, pT);
    jac_progress_range(g, w, RX1, RX2, 3, 0, 0, pT);
    jac_progress_range(g, w, RX2, RX3, 2, 1, 0, pT);
    jac_progress_range(g, w, RX3, NRX, 3, 1, 0, pT);
}
#endif

/* one pass over the lists of reactions */
kb_fn void jac_sums(const kb_gas *g, jac_work *w, const jac_columns *s, lane border_scale)
{
    lane scale = vinverse(g->rho);
    for (int i = 0; i < NSP; i++) {
        lane f = splat(0), fT = splat(0), fB = splat(0);
        for (int k = kb_species_start[i]; k < kb_species_start[i + 1]; k++) {
            int r = kb_species_rx[k];
            f += kb_species_nu[k] * w->k->q[r];
            fT += kb_species_nu[k] * w->qT[r];
            fB += kb_species_nu[k] * w->qB[r];
        }
        s->f[i] = f * scale;
        s->fT[i] = fT * scale;
        s->border[i] = fB * border_scale;
    }
}

/* one entry of -d omega/d C at constant [M] */
kb_fn lane jac_entry(const jac_work *w, int k)
{
    lane d = splat(0);
    for (int t = kb_jac_start[k]; t < kb_jac_start[k + 1]; t++)
        d += kb_jac_nu[t] * w->D[kb_jac_slot[t]];
    return d;
}

kb_fn void jac_omega(jac_work *w, jac_number *A, lane scale, lane fTc)
{
    each(i, NFILL) jac_set(A, kb_lu_fill[i], splat(0));
    for (int j = 0; j < NSP; j++) {
        lane heat = splat(0);
        for (int k = kb_jac_column_start[j]; k < kb_jac_column_start[j + 1]; k++) {
            lane d = jac_entry(w, k);
            jac_set(A, kb_jac_storage[k], d);
            heat -= w->e[kb_jac_row[k]] * d;
        }
        jac_energy_entry(w, A, j, heat, scale, fTc);
    }
    jac_third_body_entries(w, A);
}
