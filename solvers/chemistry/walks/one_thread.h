/* SPDX-License-Identifier: MIT
 *
 * Rate constants, rates of progress and right-hand side on one thread: what the walks loop and
 * straight have in common. Each distinct pair (b, E/R) of an Arrhenius term costs one exponential,
 * none if b is an integer and E zero.
 */
#pragma once

#include "solvers/chemistry/rhs.h"

kb_fn lane kin_ln_pressure(const kb_gas *g, const kb_kinetics *w, int k)
{
    return kb_falloff_lnA[k] + law_arrhenius(g, kb_falloff_db[k], kb_falloff_dtheta[k]) +
           w->lnM[kb_mreaction_mset[NTHREE_BODY + k]];
}

kb_fn lane kin_share(const kb_kinetics *w, int k, lane *s)
{
    return law_blend_limits(w->kf[kb_mreaction_rx[NTHREE_BODY + k]], w->pr[k], s);
}

/* kf of reaction r, which has nothing but A T^b exp(-theta/T) */
kb_line lane kin_kf(const kb_kinetics *w, int r)
{
    enum { ONE = 3 }; /* x there is 1 */
    if (KB_LINED && kb_x_index[r] == ONE)
        return splat(kb_A[r]);
    return kb_A[r] * w->x[kb_x_index[r]];
}

kb_fn void kin_arrhenius(const kb_gas *g, kb_kinetics *w, int forward)
{
    lane T = g->T, rT = g->rT;
    each(k, 1)
    {
        w->x[0] = rT * rT * rT;
        w->x[1] = rT * rT;
        w->x[2] = rT;
        w->x[3] = splat(1);
        w->x[4] = T;
        w->x[5] = T * T;
        w->x[6] = T * T * T;
    }
    kb_gas units = *g; /* law_arrhenius gives exponents of that unit */
    units.lnT *= KB_EXP_UNIT;
    units.rT *= KB_EXP_UNIT;
    each(k, NX - 7) w->x[7 + k] = vexp_units(law_arrhenius(&units, kb_x_b[k], kb_x_theta[k]));
    team_sync();
    if (forward) {
        each(r, NRX) w->kf[r] = kin_kf(w, r);
        return;
    }
    each(k, NFALLOFF)
    {
        int r = kb_mreaction_rx[NTHREE_BODY + k];
        w->kf[r] = kin_kf(w, r);
    }
    each(k, NBLOWERS_MASEL) w->kf[kb_blowers_masel_rx[k]] = kin_kf(w, kb_blowers_masel_rx[k]);
}
/* Lindemann, Troe, SRI in turn */
kb_fn void kin_falloff(const kb_gas *g, kb_kinetics *w, int with_derivatives)
{
    const kb_index *rx = kb_mreaction_rx + NTHREE_BODY;
    int troe = NLIND, sri = NLIND + NTROE, d = with_derivatives;
    each(k, NFALLOFF) w->pr[k] = kb_falloff_A[k] * w->x[kb_falloff_x[k]] *
                                 w->M[kb_mreaction_mset[NTHREE_BODY + k]];
    each(k, NLIND) w->kf[rx[k]] *= kin_broaden(g, w, k, FALLOFF_LINDEMANN, k, d);
    each(k, NTROE) w->kf[rx[troe + k]] *= kin_broaden(g, w, troe + k, FALLOFF_TROE, k, d);
    each(k, NSRI) w->kf[rx[sri + k]] *= kin_broaden(g, w, sri + k, FALLOFF_SRI, k, d);
    kin_activated(w, w->kf);
}

/* C E, before the rates of progress: a load less for each product than with both */
kb_fn void kin_multiply_products(kb_kinetics *w)
{
    lane *Z = kin_products(w);
    each(i, NALL + 2) Z[i] = w->C[i] * w->E[i];
}

/* rate of progress of table reaction r, which uses 2 or 3 slots of each side; k: kf, times [M] of a
 * three-body reaction */
kb_line lane kin_rate(kb_kinetics *w, int r, int slots, lane k)
{
    const lane *I = w->I;
    const kin_C C = w->C;
    int a = kb_slot[r], b = kb_slot[NRX + r], p = kb_slot[3 * NRX + r], s = kb_slot[4 * NRX + r];
    lane F = kb_slot_of(C, a, 1, 0) * kb_slot_of(C, b, 1, 0);
    const lane *Z = kin_products(w);
    lane R = kb_slot_of(Z, p, 1, 0) * kb_slot_of(I, a, 1, 1) *
             (kb_slot_of(Z, s, 1, 0) * kb_slot_of(I, b, 1, 1));
    if (slots == 3) {
        int c = kb_slot[2 * NRX + r], t = kb_slot[5 * NRX + r];
        F *= kb_slot_of(C, c, 1, 0);
        R *= kb_slot_of(Z, t, 1, 0) * kb_slot_of(I, c, 1, 1);
    }
    return k * (F - R);
}

/* into q: all rates of progress, of general reactions k */
kb_fn void kin_progress(kb_kinetics *w);

kb_fn void kin_rates(kb_reactor reactor, lane fixed, const lane *y, kb_gas *g, kb_kinetics *w)
{
    kin_constants(reactor, fixed, y, g, w, 0, WALK_FORWARD);
    kin_progress(w);
    if (NGENERAL > 0)
        kin_general(w);
}

/* f_i = scale sum_r nu_ir q_r */
kb_fn void kin_gather(kb_kinetics *w, lane scale, kin_f f);

kb_fn void kin_sums(kb_reactor reactor, const kb_gas *g, const lane *y, lane *dy, kb_kinetics *w)
{
    KIN_F_VECTOR(f, dy);
    kin_gather(w, vinverse(g->rho), f);
    kin_energy(reactor, g, y, f, dy, w);
}
