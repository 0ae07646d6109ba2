/* SPDX-License-Identifier: MIT
 *
 * The threads of a team share the tables: each takes every KB_TEAM-th record, sums over lists by
 * the bundles of mechc (solvers/portable/bundles.h).
 */
#pragma once

#include "solvers/chemistry/jacobian_records.h"
#include "solvers/portable/bundles.h"

kb_fn lane kin_ln_pressure(const kb_gas *g, const kb_kinetics *w, int k)
{
    (void)g;
    return ln_guarded(w->pr[k]);
}

kb_fn lane kin_share(const kb_kinetics *w, int k, lane *s) { return law_blend(w->pr[k], s); }

/* table reactions that are not plain: each of a team's threads computes kf of a plain one where it
 * needs it */
enum { KIN_LISTED_2 = RX1 - PLAIN_2, KIN_LISTED_3 = RX2 - PLAIN_3,
       KIN_LISTED = KIN_LISTED_2 + KIN_LISTED_3 + NRX - RX2 };
kb_fn int kin_listed(int k)
{
    return k < KIN_LISTED_2                  ? PLAIN_2 + k
           : k < KIN_LISTED_2 + KIN_LISTED_3 ? PLAIN_3 + k - KIN_LISTED_2
                                             : RX2 + k - KIN_LISTED_2 - KIN_LISTED_3;
}

/* Not on the first threads, which have the species. Into pr: Pr of the falloffs without [M] */
kb_fn void kin_arrhenius(const kb_gas *g, kb_kinetics *w, int forward)
{
    if (forward)
        each_back(r, NRX) w->kf[r] = kin_plain(g, r);
    else
        each_from(k, KIN_LISTED, 3 * KB_TEAM / 4)
        {
            int r = kin_listed(k);
            w->kf[r] = kin_plain(g, r);
        }
    each_from(k, NFALLOFF, KB_TEAM / 2)
        w->pr[k] = kb_falloff_rA[k] *
                   vexp_finite(law_arrhenius(g, kb_falloff_db[k], kb_falloff_dtheta[k]));
}
/* What multiplies the high limit of falloff k. pr[k] becomes Pr, for this thread alone. */
kb_fn lane kin_falloff_factor(const kb_gas *g, kb_kinetics *w, int k, int with_derivatives)
{
    int kind = k < NLIND ? FALLOFF_LINDEMANN : k < NLIND + NTROE ? FALLOFF_TROE : FALLOFF_SRI;
    int first = kind == FALLOFF_LINDEMANN ? 0 : kind == FALLOFF_TROE ? NLIND : NLIND + NTROE;
    lane M = w->M[kb_mreaction_mset[NTHREE_BODY + k]];
    w->pr[k] = vmin(w->pr[k] * M, splat(1e300)); /* where the high limit underflows */
    return kin_broaden(g, w, k, kind, k - first, with_derivatives);
}

kb_fn void kin_falloff(const kb_gas *g, kb_kinetics *w, int with_derivatives)
{
    each_back(k, NFALLOFF)
        w->kf[kb_mreaction_rx[NTHREE_BODY + k]] *= kin_falloff_factor(g, w, k, with_derivatives);
    kin_activated(w, w->kf);
}
/* threads that have reactions while others have the falloffs: all, or all but a warp */
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

kb_fn void kin_rates(kb_reactor reactor, lane fixed, const lane *y, kb_gas *g, kb_kinetics *w)
{
    if (NSTEADY == 0 && SORTED) { /* falloffs, a long chain of a few threads, beside all others */
        kin_high_limits(reactor, fixed, y, g, w, 0, 0);
        kin_fitted(g, w, 0);
        if (NBLOWERS_MASEL + NPLOG + NCHEB + NBURKE > 0)
            team_sync();
        kin_progress_of(g, w, 0);
        kin_progress_falloffs(g, w);
    } else {
        kin_constants(reactor, fixed, y, g, w, 0, 1); /* steady states need them before */
        kin_progress_of(g, w, 1);
    }
    if (NGENERAL > 0) {
        team_sync();
        kin_general(w);
    }
}

kb_fn bundle_row kin_gather_ahead(int row)
{
    return bundle_ahead(kb_species_gather_pair, kb_species_gather_bundle, 0, NGATHER_BUNDLES, row);
}

kb_fn void kin_gather_put(int n, lane *gathered, int row, const lane *sum)
{
    int to = kb_species_gather_target[row];
    if (to != NO_TARGET)
KB_UNROLL
        for (int m = 0; m < n; m++)
            gathered[m * NGATHER_PIECES + to] = sum[m];
}

/* Sums of q and of `more` < GATHERS vectors as pieces of the rows of species; gathered
 * [(1 + more) NGATHER_PIECES]: room, and where it lies over one of the vectors, the threads hold
 * their sums until all are there. No sync at the end. */
kb_fn void kin_gather_pieces(const lane *q, int more, const kb_stored *const stored[],
                             lane *gathered, int over)
{
    lane sum[GATHER_HELD][GATHERS];
    int row = team_rank();
    bundle_row list = kin_gather_ahead(row);
    team_sync();
    if (over) {
KB_UNROLL
        for (int r = 0; r < GATHER_HELD; r++) {
            if (row + r * KB_TEAM < 32 * NGATHER_BUNDLES)
                bundle_gather(1, more, list, q, stored, sum[r]);
            if (r + 1 < GATHER_HELD)
                list = kin_gather_ahead(row + (r + 1) * KB_TEAM);
        }
        team_sync();
KB_UNROLL
        for (int r = 0; r < GATHER_HELD; r++)
            if (row + r * KB_TEAM < 32 * NGATHER_BUNDLES)
                kin_gather_put(1 + more, gathered, row + r * KB_TEAM, sum[r]);
    } else {
KB_NO_UNROLL
        for (; row < 32 * NGATHER_BUNDLES; row += KB_TEAM) {
            bundle_gather(1, more, list, q, stored, sum[0]);
            kin_gather_put(1 + more, gathered, row, sum[0]);
            list = kin_gather_ahead(row + KB_TEAM);
        }
    }
}

/* kin_gather of q and of `more` < GATHERS vectors */
kb_fn void kin_gathers(const lane *q, int more, const kb_stored *const stored[],
                       const lane scale[], lane *const f[], lane *gathered, int over)
{
    kin_gather_pieces(q, more, stored, gathered, over);
    team_sync();
    each_next(i, NSP)
    {
        int first = kb_species_gather_start[i], last = kb_species_gather_start[i + 1];
KB_UNROLL
        for (int m = 0; m <= more; m++)
            f[m][i] = scale[m] * bundle_pieces(gathered + m * NGATHER_PIECES, first, last);
    }
}

/* the heat is summed up with the pieces, so that one sync is enough */
kb_fn void kin_sums(kb_reactor reactor, const kb_gas *g, const lane *y, lane *dy, kb_kinetics *w)
{
    double e1 = at_constant_volume(reactor) ? 0 : 1, c1 = at_constant_volume(reactor) ? 1 : 0;
    team_placed(gathered, NGATHER_PIECES + 1, 1, KIN_ROOM_FITS, w->room);
    team_array(parts, 2 * TEAM_PARTIAL);
    lane heat = splat(0), c = splat(0), scale = vinverse(g->rho);
    int row = team_rank();
    bundle_row list = kin_gather_ahead(row);
    each_next(i, NSP) c += (w->cp[i] - c1) * (y[i + 1] * kb_rW[i]);
    team_sync();
KB_NO_UNROLL
    for (; row < 32 * NGATHER_BUNDLES; row += KB_TEAM) {
        lane sum;
        bundle_gather(1, 0, list, w->q, NULL, &sum);
        kin_gather_put(1, gathered, row, &sum);
        heat += (w->u[kb_species_gather_of[row]] + e1) * sum;
        list = kin_gather_ahead(row + KB_TEAM);
    }
    lane sum[2] = {heat, c};
    team_sums_by(parts, sum, 2, KB_TEAM);
    each_next(i, NSP)
    {
        int first = kb_species_gather_start[i], last = kb_species_gather_start[i + 1];
        dy[i + 1] = scale * bundle_pieces(gathered, first, last) * kb_W[i];
    }
    each(k, 1) dy[0] = -g->T * (sum[0] * scale) * vinverse(sum[1]);
}
/* The reactions with [M], the falloffs from their high limits on; each thread has gone through its
 * three-body reactions in jac_progress, and so through their part of qB, qT and qM. */
kb_fn void jac_with_third_bodies(const kb_gas *g, jac_work *w, lane pT)
{
    kb_kinetics *k = w->k;
    each_back(f, NFALLOFF)
    {
        int i = NTHREE_BODY + f, r = kb_mreaction_rx[i];
        lane high = k->kf[r] * kin_falloff_factor(g, k, f, 1);
        jac_reaction(g, w, r, (int)FALLOFFS_3 < (int)RX2 ? 3 : 2, 0, 1, high, pT);
        w->qT[r] += k->q[r] * k->gT[f];
        w->qM[i] = k->q[r] * k->gP[f] * vinverse(k->M[kb_mreaction_mset[i]]);
        if (at_constant_volume(w->reactor))
            w->qB[r] = splat(0);
        jac_mreaction(g, w, i);
    }
}
kb_fn void jac_progress(const kb_gas *g, jac_work *w, lane pT)
{
    jac_progress_range(g, w, 0, PLAIN_2, 2, 0, 1, pT);
    jac_progress_range(g, w, PLAIN_2, JAC_TOGETHER ? (int)FALLOFFS_2 : (int)RX1, 2, 0, 0, pT);
    jac_progress_range(g, w, RX1, PLAIN_3, 3, 0, 1, pT);
    jac_progress_range(g, w, PLAIN_3, JAC_TOGETHER ? (int)FALLOFFS_3 : (int)RX2, 3, 0, 0, pT);
    jac_progress_range(g, w, RX2, RX3, 2, 1, 0, pT);
    jac_progress_range(g, w, RX3, NRX, 3, 1, 0, pT);
    if (JAC_TOGETHER)
        jac_with_third_bodies(g, w, pT);
}

kb_fn void jac_sums(const kb_gas *g, jac_work *w, const jac_columns *s, lane border_scale)
{
    lane scale = vinverse(g->rho);
    team_placed(gathered, NGATHER_PIECES + 1, GATHERS, JAC_PIECES_IN_Q, w->k->q);
    const kb_stored *const v[] = {w->qT, w->qB};
    const lane scales[] = {scale, scale, border_scale};
    lane *const f[] = {s->f, s->fT, s->border};
    kin_gathers(w->k->q, 2, v, scales, f, gathered, JAC_PIECES_IN_Q);
}

/* one sum of the list of entries */
kb_fn bundle_row jac_ahead(int row)
{
    return bundle_ahead(kb_jac_entry_pair, kb_jac_entry_bundle, 0, NJAC_BUNDLES, row);
}

kb_fn lane jac_sum(const jac_work *w, bundle_row list)
{
    const kb_stored *const D[] = {w->D};
    lane d;
    bundle_gather(0, 1, list, NULL, D, &d);
    return d;
}

/* to: an index in A, NNZ + piece, or NO_TARGET */
kb_fn void jac_store(kb_stored *A, lane *entry, int to, lane d)
{
    if (to < NNZ)
        A[to] = d;
    else if (to != NO_TARGET)
        entry[to - NNZ] = d;
}

kb_fn void jac_entries_listed(const jac_work *w, kb_stored *A, lane *entry, int s0, int s1)
{
    int row = 32 * s0 + team_rank();
    bundle_row list = jac_ahead(row);
KB_NO_UNROLL
    for (; row < 32 * s1; row += KB_TEAM) {
        bundle_row next = jac_ahead(row + KB_TEAM);
        jac_store(A, entry, kb_jac_entry_target[row], jac_sum(w, list));
        list = next;
    }
}

/* Omega into A: at once where D does not lie, elsewhere by way of registers */
kb_fn void jac_entries_held(const jac_work *w, kb_stored *A, lane *entry)
{
    kb_stored held[JAC_HELD_ROWS + 1];
    jac_entries_listed(w, A, entry, 0, NJAC_DIRECT);
    bundle_row list = jac_ahead(32 * NJAC_DIRECT + team_rank());
KB_UNROLL
    for (int r = 0; r < JAC_HELD_ROWS; r++) {
        int row = 32 * NJAC_DIRECT + r * KB_TEAM + team_rank();
        bundle_row next = jac_ahead(row + KB_TEAM);
        held[r] = row < 32 * NJAC_BUNDLES ? jac_sum(w, list) : splat(0);
        list = next;
        team_in_turn(); /* loads of all rows at once would take too many registers */
    }
    team_sync();
    each(i, NFILL) A[kb_lu_fill[i]] = splat(0);
KB_UNROLL
    for (int r = 0; r < JAC_HELD_ROWS; r++) {
        int row = 32 * NJAC_DIRECT + r * KB_TEAM + team_rank();
        if (row < 32 * NJAC_BUNDLES)
            jac_store(A, entry, kb_jac_entry_target[row], held[r]);
    }
}

/* Omega into A; long sums in pieces, by way of `entry` */
kb_fn void jac_entries(const jac_work *w, kb_stored *A)
{
    team_placed(entry, NJAC_PIECES + 1, 1, JAC_IN_Q, w->k->q);
    if (JAC_D_IN_A) {
        jac_entries_held(w, A, entry);
    } else {
        each(i, NFILL) A[kb_lu_fill[i]] = splat(0);
        jac_entries_listed(w, A, entry, 0, NJAC_BUNDLES);
    }
    team_sync();
    each(k, NJAC_CUT) A[kb_jac_entry_cut[k]] = bundle_pieces(entry, kb_jac_entry_start[k],
                                                            kb_jac_entry_start[k + 1]);
    team_sync();
}

/* sum of the products of a row's places in e and in A */
kb_fn lane jac_heat(bundle_row row, const lane *e, const kb_stored *A)
{
    lane s[2] = {splat(0), splat(0)};
KB_NO_UNROLL
    for (int k = 0; k < row.strides; k++) {
        bundle_stride now = bundle_take(&row, k);
KB_UNROLL
        for (int q = 0; q < BUNDLE_STRIDE; q++)
            s[q % 2] += bundle_element(e, now.p[q].a) * bundle_stored(A, now.p[q].b);
    }
    return s[0] + s[1];
}

kb_fn void jac_energy_row(const jac_work *w, kb_stored *A, lane scale, lane fTc)
{
    team_placed(heat, NHEAT_PIECES + 1, 1, JAC_IN_Q, w->k->q + JAC_AT_HEAT);
    each_row(row, 0, NHEAT_BUNDLES)
    {
        int to = kb_heat_row_target[row];
        lane d = jac_heat(bundle_begin(kb_heat_row_pair, kb_heat_row_bundle, row), w->e, A);
        if (to != NO_TARGET)
            heat[to] = d;
    }
    team_sync();
    each(j, NSP)
    {
        lane sum = bundle_pieces(heat, kb_heat_row_start[j], kb_heat_row_start[j + 1]);
        jac_energy_entry(w, A, j, -sum, scale, fTc);
    }
}

kb_fn void jac_omega(jac_work *w, jac_number *A, lane scale, lane fTc)
{
    jac_entries(w, A);
    jac_energy_row(w, A, scale, fTc);
    jac_third_body_entries(w, A);
}
