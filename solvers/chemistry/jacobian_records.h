/* SPDX-License-Identifier: MIT
 *
 * The derivatives of rates of progress, of one reaction or entry: what the walks over tables and
 * the straight-line code of a CPU have in common.
 */
#pragma once

#include "solvers/chemistry/rhs.h"

/* The last entry of D takes the derivatives of unused slots; the threads of a team do not all write
 * there. */
kb_fn void jac_put(jac_work *w, int index, lane d)
{
    if (KB_TEAM == 1 || index < NSLOT)
        w->D[index] = d;
}

/* one side of table reaction r, which has 2 or 3 slots: their species, and where their derivatives
 * go in D */
typedef struct {
    int a, b, c;
    int at_a, at_b, at_c;
} jac_side;

/* side 0: reactants, 1: products */
kb_fn jac_side jac_side_of(int r, int side, int slots)
{
    const kb_index *slot = kb_slot + 3 * side * NRX, *at = kb_slot_derivative + 3 * side * NRX;
    jac_side s = {slot[r], slot[NRX + r], NALL, at[r], at[NRX + r], NSLOT};
    if (slots == 3) {
        s.c = slot[2 * NRX + r];
        s.at_c = at[2 * NRX + r];
    }
    return s;
}

/* Rate of progress of table reaction r with its derivatives, those by C through `put` slots; pT:
 * 1/T at constant p, 0 at constant v; kf: its rate constant, without [M]; in_border: 0 if nothing
 * but -q is gathered into the border */
kb_line void jac_reaction(const kb_gas *g, jac_work *w, int r, int slots, int three_body,
                          int in_border, lane kf, lane pT)
{
    kb_kinetics *kin = w->k;
    const lane *E = kin->E, *I = kin->I, *u = kin->u;
    const kin_C C = kin->C;
    lane rT = g->rT;
    /* d ln kf/dT; falloff and fitted rates: below */
    lane dk = law_arrhenius_slope(g, kb_b[r], kb_theta[r]);
    jac_side f = jac_side_of(r, 0, slots), p = jac_side_of(r, 1, slots);
    lane K = kb_slot_of(E, p.a, 1, 0) * kb_slot_of(I, f.a, 1, 1) *
             (kb_slot_of(E, p.b, 1, 0) * kb_slot_of(I, f.b, 1, 1));
    lane du = kb_slot_of(u, p.a, 0, 0) + kb_slot_of(u, p.b, 0, 0) - kb_slot_of(u, f.a, 0, 0) -
              kb_slot_of(u, f.b, 0, 0);
    lane Fa = kb_slot_of(C, f.a, 1, 0), Ra = kb_slot_of(C, p.a, 1, 0);
    lane Fb = kb_slot_of(C, f.b, 1, 0), Rb = kb_slot_of(C, p.b, 1, 0), F = Fa * Fb, R = Ra * Rb;
    lane k = kf;
    if (three_body)
        k *= kin->M[kb_mreaction_mset[kin_mreaction(r)]];
    if (slots == 3) {
        K *= kb_slot_of(E, p.c, 1, 0) * kb_slot_of(I, f.c, 1, 1);
        du += kb_slot_of(u, p.c, 0, 0) - kb_slot_of(u, f.c, 0, 0);
    }
    lane kr = k * K;
#if KB_LINED
    w->s->forward[r] = k;
    w->s->reverse[r] = kr;
    if (slots == 3) {
        F *= kb_slot_of(C, f.c, 1, 0);
        R *= kb_slot_of(C, p.c, 1, 0);
    }
#else
    if (slots == 3) {
        jac_put(w, f.at_c, k * F);
        jac_put(w, p.at_c, -kr * R);
        Fb *= C[f.c];
        Rb *= C[p.c];
        jac_put(w, f.at_b, k * Fa * C[f.c]);
        jac_put(w, p.at_b, -kr * Ra * C[p.c]);
        F *= C[f.c];
        R *= C[p.c];
    } else {
        jac_put(w, f.at_b, k * Fa);
        jac_put(w, p.at_b, -kr * Ra);
    }
    jac_put(w, f.at_a, k * Fb);
    jac_put(w, p.at_a, -kr * Rb);
#endif
    lane rr = kr * R, q = law_progress(k, F, rr);
    lane B = law_progress_border(k, F, rr, kb_one_minus_forward_order[r],
                                 kb_one_minus_reverse_order[r]);
    kin->q[r] = q;
    if (in_border)
        w->qB[r] = KB_LINED ? B + q : B;
    w->qT[r] = law_progress_slope(q, rr, B, dk, rT, du, pT);
    if (three_body)
        w->qM[kin_mreaction(r)] = kf * (F - K * R);
}

/* into qB and qT: what reaction number i of those with [M] has by [M] and by Mb, from its qM */
kb_fn void jac_mreaction(const kb_gas *g, jac_work *w, int i)
{
    int r = kb_mreaction_rx[i], m = kb_mreaction_mset[i];
    lane base = kb_mset_base[m] * w->qM[i];
    if (at_constant_volume(w->reactor)) {
        w->qB[r] += base;
    } else {
        lane T;
        w->qB[r] -= law_third_body(g, w->qM[i], w->k->M[m], base, &T);
        w->qT[r] -= T;
    }
}

#if KB_TEAM > 1
/* rate of progress of table reaction r, which uses 2 or 3 slots of each side; k: kf, times [M] of a
 * three-body reaction */
kb_fn lane kin_rate(kb_kinetics *w, int r, int slots, lane k)
{
    const lane *I = w->I;
    const kin_C C = w->C;
    int a = kb_slot[r], b = kb_slot[NRX + r], p = kb_slot[3 * NRX + r], s = kb_slot[4 * NRX + r];
    lane F = C[a] * C[b];
    const lane *E = w->E;
    lane R = C[p] * C[s];
    lane K = E[p] * I[a] * (E[s] * I[b]);
    if (slots == 3) {
        int c = kb_slot[2 * NRX + r], t = kb_slot[5 * NRX + r];
        F *= C[c];
        R *= C[t];
        K *= E[t] * I[c];
    }
    return k * (F - K * R);
}
#endif

#if !KB_LINED
kb_fn void jac_progress_range(const kb_gas *g, jac_work *w, int r0, int r1, int slots_of,
                              int three_body_of, int plain, lane pT)
{
    each_from(i, r1 - r0, r0 % KB_TEAM)
    {
        int r = r0 + i;
        lane kf = plain ? kin_plain(g, r) : w->k->kf[r];
        jac_reaction(g, w, r, kin_slots(r, slots_of), kin_three_body(r, three_body_of), 1, kf, pT);
        if (JAC_TOGETHER) {
            if (at_constant_volume(w->reactor))
                w->qB[r] = splat(0);
            if (three_body_of)
                jac_mreaction(g, w, kin_mreaction(r));
        }
    }
}

/* what Omega has by [M] */
kb_fn void jac_third_body_entries(const jac_work *w, jac_number *A)
{
    each(k, NTHIRD_BODY_ENTRY)
    {
        lane d = splat(0);
        for (int t = kb_third_body_entry_start[k]; t < kb_third_body_entry_start[k + 1]; t++)
            d += kb_third_body_entry_coef[t] * w->V[kb_third_body_entry_dwdot_dM[t]];
        jac_add(A, kb_third_body_entry_storage[k], -d);
    }
}
#endif

/* A of the energy row in column j: heat = sum_i e_i dOmega_ij at constant [M], and what [M] adds */
kb_fn void jac_energy_entry(const jac_work *w, jac_number *A, int j, lane heat, lane scale,
                            lane fTc)
{
    for (int k = kb_efficiency_start[j]; k < kb_efficiency_start[j + 1]; k++)
        heat += kb_efficiency_coef[k] * w->G[kb_efficiency_mset[k]];
    jac_set(A, kb_lu_T_row[kb_lu_position[j]], scale * heat + fTc * (w->k->cp[j] - w->c1));
}
