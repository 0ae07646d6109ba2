/* SPDX-License-Identifier: MIT
 *
 * Rates of progress from rate constants and concentrations; rhs.h says what the symbols mean.
 */
#ifndef KB_CHEMISTRY_PROGRESS_H
#define KB_CHEMISTRY_PROGRESS_H

#include "solvers/chemistry/laws/progress.h"
#include "solvers/chemistry/rate_constants.h"

/* what the reactions of a range have in common is constant there; unsorted, each table reaction r
 * has its own */
kb_fn int kin_slots(int r, int range) { return SORTED ? range : 2 + (kb_range_of[r] & 1); }
kb_fn int kin_three_body(int r, int range) { return SORTED ? range : kb_range_of[r] >> 1; }
/* number of a three-body reaction among those with [M] */
kb_fn int kin_mreaction(int r) { return SORTED ? r - RX2 : kb_mreaction_of[r]; }

#if KB_LINED
/* C E, which is the product side of a reaction but for I; in place of E where nothing needs that
 * after the rates of progress */
kb_fn lane *kin_products(kb_kinetics *w) { return NGENERAL > 0 ? w->Z : w->E; }
#endif

/* rate of progress of table reaction r, which uses 2 or 3 slots of each side; k: kf, times [M] of a
 * three-body reaction */
kb_line lane kin_rate(kb_kinetics *w, int r, int slots, lane k)
{
    const lane *I = w->I;
    const kin_C C = w->C;
    int a = kb_slot[r], b = kb_slot[NRX + r], p = kb_slot[3 * NRX + r], s = kb_slot[4 * NRX + r];
    lane F = kb_slot_of(C, a, 1, 0) * kb_slot_of(C, b, 1, 0);
#if KB_LINED
    const lane *Z = kin_products(w);
    lane R = kb_slot_of(Z, p, 1, 0) * kb_slot_of(I, a, 1, 1) *
             (kb_slot_of(Z, s, 1, 0) * kb_slot_of(I, b, 1, 1));
    if (slots == 3) {
        int c = kb_slot[2 * NRX + r], t = kb_slot[5 * NRX + r];
        F *= kb_slot_of(C, c, 1, 0);
        R *= kb_slot_of(Z, t, 1, 0) * kb_slot_of(I, c, 1, 1);
    }
    return k * (F - R);
#else
    const lane *E = w->E;
    lane R = kb_slot_of(C, p, 1, 0) * kb_slot_of(C, s, 1, 0);
    lane K = kb_slot_of(E, p, 1, 0) * kb_slot_of(I, a, 1, 1) *
             (kb_slot_of(E, s, 1, 0) * kb_slot_of(I, b, 1, 1));
    if (slots == 3) {
        int c = kb_slot[2 * NRX + r], t = kb_slot[5 * NRX + r];
        F *= kb_slot_of(C, c, 1, 0);
        R *= kb_slot_of(C, t, 1, 0);
        K *= kb_slot_of(E, t, 1, 0) * kb_slot_of(I, c, 1, 1);
    }
    return k * (F - K * R);
#endif
}

#if KB_LINED
/* into q: all rates of progress, of general reactions k */
kb_lines KB_LINES_NAME(lines_progress)(kb_kinetics *w);
kb_fn void kin_progress(const kb_gas *g, kb_kinetics *w)
{
    (void)g;
    lane *Z = kin_products(w);
    each(i, NALL + 2) Z[i] = w->C[i] * w->E[i];
    KB_LINES_NAME(lines_progress)(w);
}
#elif KB_TEAM > 1
/* threads that have reactions while others have the falloffs (rhs.h), a warp if there is one to
 * spare */
enum { PROGRESS_THREADS = KB_TEAM >= 128 && NFALLOFF > 0 ? KB_TEAM - 32 : KB_TEAM };

/* Reactions [r0, r1), of which a thread takes every PROGRESS_THREADS-th from number *at of its own
 * on, *at being left for the next range. plain: kf is not there yet. */
kb_fn void kin_progress_range(const kb_gas *g, kb_kinetics *w, int *at, int r0, int r1, int plain,
                              int slots_of, int three_body_of)
{
    int i = *at;
    if (r0 == r1)
        return;
KB_NO_UNROLL
    for (; i < r1 - r0; i += PROGRESS_THREADS) {
        int r = r0 + i;
        int slots = kin_slots(r, slots_of), three_body = kin_three_body(r, three_body_of);
        lane k = plain ? kin_plain(g, r) : w->kf[r];
        if (three_body)
            k *= w->M[kb_mreaction_mset[kin_mreaction(r)]];
        w->q[r] = kin_rate(w, r, slots, k);
    }
    *at = i - (r1 - r0);
}

/* into q: all rates of progress but those of the falloffs unless they are included, of general
 * reactions k */
kb_fn void kin_progress_of(const kb_gas *g, kb_kinetics *w, int falloffs)
{
    int at = team_rank() < PROGRESS_THREADS ? team_rank() : NRX;
    kin_progress_range(g, w, &at, 0, PLAIN_2, 1, 2, 0);
    kin_progress_range(g, w, &at, PLAIN_2, falloffs ? (int)RX1 : (int)FALLOFFS_2, 0, 2, 0);
    kin_progress_range(g, w, &at, RX1, PLAIN_3, 1, 3, 0);
    kin_progress_range(g, w, &at, PLAIN_3, falloffs ? (int)RX2 : (int)FALLOFFS_3, 0, 3, 0);
    kin_progress_range(g, w, &at, RX2, RX3, 0, 2, 1);
    kin_progress_range(g, w, &at, RX3, NRX, 0, 3, 1);
}

/* the rates of progress of the falloffs, in which sorted tables have 3 slots if any has */
kb_fn void kin_progress_falloffs(const kb_gas *g, kb_kinetics *w)
{
    each_back(k, NFALLOFF)
    {
        int r = kb_mreaction_rx[NTHREE_BODY + k], slots = (int)FALLOFFS_3 < (int)RX2 ? 3 : 2;
        lane high = w->kf[r] * kin_falloff_factor(g, w, k, 0);
        w->q[r] = kin_rate(w, r, slots, high);
    }
    kin_activated(w, w->q);
}
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

/* into q: all rates of progress, of general reactions k */
kb_fn void kin_progress(const kb_gas *g, kb_kinetics *w)
{
    (void)g;
    kin_progress_range(w, 0, RX1, 2, 0);
    kin_progress_range(w, RX1, RX2, 3, 0);
    kin_progress_range(w, RX2, RX3, 2, 1);
    kin_progress_range(w, RX3, NRX, 3, 1);
}
#endif

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

#endif
