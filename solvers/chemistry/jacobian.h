/* SPDX-License-Identifier: MIT
 *
 * Right-hand side and exact Jacobian together, as the sparse Newton matrix.
 *
 * In z_i = Y_i/W_i, with Omega = d omega/d C at constant base concentration Mb = p/(RT), w = f -
 * Omega z:
 *   const p:  J_zz = Omega + (w/sigma) 1^T        J_zT = (omega_T - omega_M Mb/T)/rho + w/T
 *   const v:  J_zz = Omega + omega_B 1^T          J_zT = (omega_T + omega_p p/T)/rho
 * where omega_B collects the dependence on Mb (third bodies) and on p (PLOG, Chebyshev). The
 * rank-one part goes into the border of the unknown s = sum z_j, so that the matrix
 *   A = -J  with  A_is = -border_i,  row s: s - sum z_j = 0
 * is exact and sparse. Adding 1/(gamma h) to the diagonal of the species and of T makes it the
 * Newton matrix (1/(gamma h)) I - J. The energy row: J_Tj = -(T sum_i e_i J_ij + f_T c_j)/c and
 *   J_TT = -(T sum_i e_i J_iT + sum_i c_i f_i + f_T c')/c,  c = sum c_i z_i,  c' = dc/dT.
 */
#ifndef KB_JACOBIAN_H
#define KB_JACOBIAN_H

#include "solvers/chemistry/rhs.h"
#include "solvers/linalg/lu.h"
#include "solvers/linalg/lu_float.h"

#if KB_TEAM > 1
/* A team has no other shared memory for the derivatives than A itself, where its threads can hold
 * the entries that come of D in registers: at most JAC_HELD numbers each. Behind D are those that
 * are gathered. The pieces of their sums take the place of the rates of progress, and when they are
 * added up, what follows does. C, E and I make room for vectors. */
enum {
    JAC_HELD = 26,
    JAC_ROWS = ((NJAC_BUNDLES - NJAC_DIRECT) * 32 + KB_TEAM - 1) / KB_TEAM,
    JAC_D_IN_A = JAC_ROWS * KB_LANES <= JAC_HELD && NSLOT + 1 <= NNZ,
    JAC_HELD_ROWS = JAC_D_IN_A ? JAC_ROWS : 0,
    JAC_AT_QT = JAC_D_IN_A ? NSLOT + 1 : 0,
    JAC_AT_QB = JAC_AT_QT + NRX,
    JAC_AT_QM = JAC_AT_QB + NRX,
    JAC_Q_IN_A = JAC_AT_QM + NMREACTION + 1 <= NNZ,
    JAC_PIECES_IN_Q = (int)GATHERS * NGATHER_PIECES <= NRX && (int)GATHER_ROWS == (int)GATHER_HELD,
    JAC_PIECES = NJAC_PIECES + NHEAT_PIECES + 2,
    JAC_IN_Q = JAC_PIECES + NDWDOT_DM + NMSET + 2 <= NRX,
    JAC_AT_HEAT = JAC_IN_Q ? NJAC_PIECES + 1 : 0,
    JAC_AT_V = JAC_IN_Q ? JAC_PIECES : 0,
    JAC_AT_G = JAC_IN_Q ? JAC_AT_V + NDWDOT_DM + 1 : 0
};
/* 1: nothing but falloffs and three-body reactions needs more than jac_reaction: then all of a
 * reaction is one thread's, without a sync */
enum {
    JAC_OTHERS = NSTEADY + NGENERAL + NACTIVATED + NPLOG + NCHEB + NBLOWERS_MASEL + NBURKE,
    JAC_TOGETHER = SORTED && JAC_OTHERS == 0
};
#else
enum { JAC_D_IN_A = 0, JAC_Q_IN_A = 0, JAC_IN_Q = 0, JAC_TOGETHER = 0 };
#endif

#if KB_LINED /* rate constants with [M]; D holds what slots are not */
#define JAC_RATES(ARRAY) ARRAY(lane, forward, NRX) ARRAY(lane, reverse, NRX)
#else
#define JAC_RATES(ARRAY)
#endif
/* used only while the Jacobian is evaluated */
#define JAC_SCRATCH(ARRAY, ROWS, PART)                                                             \
    /* d q_r / d C by slot, sorted by column; the last takes what is unused */                     \
    ARRAY(kb_stored, D, JAC_D_IN_A ? 1 : NSLOT + 1)                                                \
    /* what column T gathers: d q_r/dT, the change of C with T */                                  \
    ARRAY(kb_stored, qT, JAC_Q_IN_A ? 1 : NRX)                                                     \
    /* what the border gathers; with KB_LINED beyond -q at constant p */                           \
    ARRAY(kb_stored, qB, JAC_Q_IN_A ? 1 : NRX)                                                     \
    JAC_RATES(ARRAY)                                                                               \
    /* d q_r / d [M] of the reactions with a third body */                                         \
    ARRAY(kb_stored, qM, JAC_Q_IN_A ? 1 : NMREACTION + 1)                                          \
    ARRAY(lane, V, JAC_IN_Q ? 1 : NDWDOT_DM + 1) /* d omega_i / d [M] of a set of efficiencies */  \
    ARRAY(lane, G, JAC_IN_Q ? 1 : NMSET + 1)     /* sum_i e_i V of one set */                      \
    ARRAY(lane, e, KB_TEAM > 1 ? 1 : NSP)        /* e_i as in rhs.h */                             \
    /* species in steady state: steady.h */                                                        \
    ARRAY(lane, steady_rows, STEADY_ROWS + 1) ARRAY(lane, steady_column, NSTEADY_COLUMN + 1)       \
    ARRAY(lane, steady_heat, NSTEADY + 1)                                                          \
    ARRAY(kb_stored, kept_jacobian, KB_SCRATCH_GLOBAL ? NNZ : 1) /* -J, kept (problem.h) */
KB_WORK(kb_scratch, JAC_SCRATCH)

/* Teams on a GPU keep the scratch in global memory (kb_ode.scratch), so that more of them fit in
 * shared memory. */
#if KB_SCRATCH_GLOBAL
#define JAC_FIELDS(ARRAY, ROWS, PART) PART(kb_kinetics, k)
#else
#define JAC_FIELDS(ARRAY, ROWS, PART) PART(kb_kinetics, k) PART(kb_scratch, s)
#endif
KB_WORK(kb_jacobian, JAC_FIELDS)

/* D to e: where those of kb_scratch are */
typedef struct {
    kb_kinetics *k;
    kb_scratch *s;
    kb_stored *D, *qT, *qB, *qM;
    lane *V, *G, *e;
    double c1; /* c_i = cp_i/R - c1 */
    kb_reactor reactor;
} jac_work;

/* entries of the matrix, of which a vector of lanes has every JAC_STRIDE-th */
#ifdef KB_FLOAT_MATRIX /* solvers/lines/float_jacobian.c */
enum { JAC_STRIDE = FLOAT_VECTORS };
typedef float jac_number __attribute__((vector_size(4 * KB_LANES)));
kb_fn void jac_set(jac_number *A, int k, lane x)
{
    A[JAC_STRIDE * k] = __builtin_convertvector(x, jac_number);
}
#else
typedef kb_stored jac_number;
kb_fn void jac_set(kb_stored *A, int k, lane x) { A[k] = x; }
#endif

kb_fn jac_work jac_place(kb_kinetics *k, kb_scratch *s, jac_number *A, kb_reactor reactor)
{
    double c1 = at_constant_volume(reactor) ? 1 : 0;
    jac_work w = {k, s, s->D, s->qT, s->qB, s->qM, s->V, s->G, s->e, c1, reactor};
#if KB_TEAM > 1
    w.e = k->room + 2 * NSP;
    if (JAC_D_IN_A)
        w.D = A;
    if (JAC_Q_IN_A) {
        w.qT = A + JAC_AT_QT;
        w.qB = A + JAC_AT_QB;
        w.qM = A + JAC_AT_QM;
    }
    if (JAC_IN_Q) {
        w.V = k->q + JAC_AT_V;
        w.G = k->q + JAC_AT_G;
    }
#else
    (void)A;
#endif
    return w;
}

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

#if KB_LINED
kb_lines KB_LINES_NAME(lines_jac_progress)(const kb_gas *g, jac_work *w, lane pT);
kb_fn void jac_progress(const kb_gas *g, jac_work *w, lane pT)
{
    KB_LINES_NAME(lines_jac_progress)(g, w, pT);
}
#else
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

/* all rates of progress with their derivatives */
kb_fn void jac_progress(const kb_gas *g, jac_work *w, lane pT)
{
#if KB_TEAM > 1
    jac_progress_range(g, w, 0, PLAIN_2, 2, 0, 1, pT);
    jac_progress_range(g, w, PLAIN_2, JAC_TOGETHER ? (int)FALLOFFS_2 : (int)RX1, 2, 0, 0, pT);
    jac_progress_range(g, w, RX1, PLAIN_3, 3, 0, 1, pT);
    jac_progress_range(g, w, PLAIN_3, JAC_TOGETHER ? (int)FALLOFFS_3 : (int)RX2, 3, 0, 0, pT);
#else
    jac_progress_range(g, w, 0, RX1, 2, 0, 0, pT);
    jac_progress_range(g, w, RX1, RX2, 3, 0, 0, pT);
#endif
    jac_progress_range(g, w, RX2, RX3, 2, 1, 0, pT);
    jac_progress_range(g, w, RX3, NRX, 3, 1, 0, pT);
}
#endif

#if KB_TEAM > 1
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
#endif

/* derivative of a product of powers by its factor k0 */
kb_fn lane jac_power(const kb_kinetics *w, int k0, int first, int last)
{
    lane d = law_power_slope(w->C[kb_general_species[k0]], kb_general_order[k0]);
    for (int k = first; k < last; k++)
        if (k != k0)
            d *= law_power(w->C[kb_general_species[k]], kb_general_order[k]);
    return d;
}

/* general reactions: jac_progress left k (times M) in q, and k in qM */
kb_fn void jac_general(const kb_gas *gas, jac_work *w, lane pT)
{
    kb_kinetics *kin = w->k;
    each(g, NGENERAL)
    {
        int r = kb_general_rx[g], f = kb_general_start[2 * g], m = kb_general_start[2 * g + 1],
            l = kb_general_start[2 * g + 2];
        lane F = kin_power_product(kin, f, m), R = kin_power_product(kin, m, l);
        lane k = kin->q[r], K = kin_inverse_Kc(kin, g), du = splat(0), B;
        for (int j = kb_general_kc_start[g]; j < kb_general_kc_start[g + 1]; j++)
            du += kb_general_kc_nu[j] * kin->u[kb_general_kc_species[j]];
        kin->q[r] = B = k * (F - K * R);
        for (int j = f; j < l; j++) {
            lane d = j < m ? k * jac_power(kin, j, f, m) : -k * K * jac_power(kin, j, m, l);
            jac_put(w, kb_general_derivative[j], d);
            B -= d * kin->C[kb_general_species[j]];
        }
        w->qB[r] = KB_LINED ? B + kin->q[r] : B;
        lane dk = law_arrhenius_slope(gas, kb_b[r], kb_theta[r]);
        w->qT[r] = kin->q[r] * dk + k * K * R * gas->rT * du + B * pT;
        if (kin_three_body(r, r >= RX2))
            w->qM[kin_mreaction(r)] *= F - K * R;
    }
}

/* into qT: d ln k/dT of falloff, linear-Burke, PLOG and Chebyshev rates beyond that of an Arrhenius
 * term */
kb_fn void jac_temperature(jac_work *w)
{
    kb_kinetics *k = w->k;
    each(i, NFALLOFF)
        w->qT[kb_mreaction_rx[NTHREE_BODY + i]] += k->q[kb_mreaction_rx[NTHREE_BODY + i]] *
                                                   k->gT[i];
    each(i, NBLOWERS_MASEL)
        w->qT[kb_blowers_masel_rx[i]] += k->q[kb_blowers_masel_rx[i]] * k->bT[i];
    each(i, NBURKE) w->qT[kb_burke_rx[i]] += k->q[kb_burke_rx[i]] * k->burke_T[i];
    each(i, NPLOG) w->qT[kb_plog_rx[i]] += k->q[kb_plog_rx[i]] * k->pT[i];
    each(i, NCHEB) w->qT[kb_cheb_rx[i]] += k->q[kb_cheb_rx[i]] * k->pT[NPLOG + i];
}

/* the dependence of linear-Burke rates on C and Mb: into D, qT and qB as that of other rates */
kb_fn void jac_linear_burke(const kb_gas *g, jac_work *w)
{
    kb_kinetics *k = w->k;
    each(b, NBURKE)
    {
        int r = kb_burke_rx[b];
        lane q = k->q[r], base = q * k->burke_M[b], inner = splat(0); /* sum_j C_j dq/dC_j */
        for (int c = kb_burke_start[b] + 1; c < kb_burke_start[b + 1]; c++) {
            lane d = q * k->burke_C[c];
            w->D[kb_burke_derivative[c]] = d;
            inner += d * k->C[kb_burke_species[c]];
        }
        if (at_constant_volume(w->reactor)) {
            w->qB[r] += base;
        } else {
            w->qB[r] -= inner;
            w->qT[r] -= (inner + base * g->Mb) * g->rT;
        }
    }
}

/* The dependence on [M], on Mb and on p, into qM, qT and qB. Constant p: Mb falls as 1/T, and [M]
 * is of first order in C but for its base part. Constant v: Mb and p rise with every z_j and (p)
 * with T. */
kb_fn void jac_pressure(const kb_gas *g, jac_work *w)
{
    kb_kinetics *k = w->k;
    lane rMb = vinverse(g->Mb), Mb = g->Mb, rT = g->rT;
    if (at_constant_volume(w->reactor))
        each(r, NRX) w->qB[r] = splat(0);
    each(i, NFALLOFF)
        w->qM[NTHREE_BODY + i] = k->q[kb_mreaction_rx[NTHREE_BODY + i]] * k->gP[i] *
                                 vinverse(k->M[kb_mreaction_mset[NTHREE_BODY + i]]);
    team_sync();
    each(a, NACTIVATED)
    {
        int i = kb_activated[a];
        w->qM[NTHREE_BODY + i] -= k->q[kb_mreaction_rx[NTHREE_BODY + i]] /
                                  k->M[kb_mreaction_mset[NTHREE_BODY + i]];
    }
    if (NACTIVATED > 0)
        team_sync();
    each(i, NMREACTION) jac_mreaction(g, w, i);
    if (at_constant_volume(w->reactor) && NPLOG + NCHEB > 0) {
        team_sync();
        each(i, NPLOG + NCHEB)
        {
            int r = i < NPLOG ? kb_plog_rx[i] : kb_cheb_rx[i - NPLOG];
            lane B = k->q[r] * k->pP[i] * rMb;
            w->qB[r] += B;
            w->qT[r] += B * Mb * rT;
        }
    }
}

/* d omega_i/d[M] of each set of efficiencies */
kb_fn void jac_third_bodies(jac_work *w)
{
    each(v, NDWDOT_DM)
    {
        lane d = splat(0);
        for (int t = kb_dwdot_dM_start[v]; t < kb_dwdot_dM_start[v + 1]; t++)
            d += kb_dwdot_dM_nu[t] * w->qM[kb_dwdot_dM_mreaction[t]];
        w->V[v] = d;
    }
}

/* its sum over i with e_i */
kb_fn void jac_third_body_heat(jac_work *w)
{
    each_back(m, NMSET)
    {
        lane sum = splat(0);
KB_NO_UNROLL
        for (int v = kb_dwdot_dM_set[m]; v < kb_dwdot_dM_set[m + 1]; v++)
            sum += w->e[kb_dwdot_dM_species[v]] * w->V[v];
        w->G[m] = sum;
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

/* A of the energy row in column j: heat = sum_i e_i dOmega_ij at constant [M], and what [M] adds */
kb_fn void jac_energy_entry(const jac_work *w, jac_number *A, int j, lane heat, lane scale,
                            lane fTc)
{
    for (int k = kb_efficiency_start[j]; k < kb_efficiency_start[j + 1]; k++)
        heat += kb_efficiency_coef[k] * w->G[kb_efficiency_mset[k]];
    jac_set(A, kb_lu_T_row[kb_lu_position[j]], scale * heat + fTc * (w->k->cp[j] - w->c1));
}

#if KB_TEAM > 1
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
#endif

#if KB_LINED
#ifdef KB_FLOAT_MATRIX
#define lines_omega lines_omega_float
#endif
kb_lines KB_LINES_NAME(lines_omega)(const jac_work *w, jac_number *A, lane scale, lane fTc);
#endif

/* Omega into A, and the energy row, which sums over each of its columns */
kb_fn void jac_omega(jac_work *w, jac_number *A, lane scale, lane fTc)
{
#if KB_LINED
    each(i, NFILL) jac_set(A, kb_lu_fill[i], splat(0));
    KB_LINES_NAME(lines_omega)(w, A, scale, fTc);
#else
#if KB_TEAM > 1
    jac_entries(w, A);
    jac_energy_row(w, A, scale, fTc);
#else
    each(i, NFILL) A[kb_lu_fill[i]] = splat(0);
    for (int j = 0; j < NSP; j++) {
        lane heat = splat(0);
        for (int k = kb_jac_column_start[j]; k < kb_jac_column_start[j + 1]; k++) {
            lane d = jac_entry(w, k);
            A[kb_jac_storage[k]] = d;
            heat -= w->e[kb_jac_row[k]] * d;
        }
        jac_energy_entry(w, A, j, heat, scale, fTc);
    }
#endif
    each(k, NTHIRD_BODY_ENTRY)
    {
        lane d = splat(0);
        for (int t = kb_third_body_entry_start[k]; t < kb_third_body_entry_start[k + 1]; t++)
            d += kb_third_body_entry_coef[t] * w->V[kb_third_body_entry_dwdot_dM[t]];
        A[kb_third_body_entry_storage[k]] -= d;
    }
#endif
}

/* dc/dT of species i, whose coefficients are lo [7][NALL] at T below Tmid and hi above */
kb_fn lane jac_heat_capacity_of(lane T, int i, mask high, const double *lo, const double *hi)
{
    const lane a[] = {NASA_COEFFICIENTS(high, lo, hi, i)};
    lane slope = law_nasa7_slope(T, a);
    if (NASA9)
        slope -= law_nasa9_slope(T, kin_nasa9_coefficient(high, 0, i),
                                 kin_nasa9_coefficient(high, 1, i));
    return slope;
}

/* the same with lanes beyond the data of a species */
kb_seldom lane jac_heat_capacity_slope_beyond(const lane *y, lane T)
{
    lane sum = splat(0);
    each_sum(sum, i, NSP)
    {
        mask hot = T > kb_Thigh[i], beyond = hot | (T < kb_Tlow[i]);
        lane slope = jac_heat_capacity_of(T, i, T > kb_Tmid[i], kb_lo, kb_hi);
        sum += y[i + 1] * kb_rW[i] * vselect(beyond, kin_beyond_coefficient(hot, 1, i), slope);
    }
    return sum;
}

/* d(sum_i c_i z_i)/dT; of a team each thread's part */
kb_fn lane jac_heat_capacity_slope(const lane *y, lane T)
{
    lane sum = splat(0);
    if (kin_is_beyond(T))
        return jac_heat_capacity_slope_beyond(y, T);
    each_sum(sum, i, NSP)
    {
        mask high = T > kb_Tmid[i];
        lane z = y[i + 1] * kb_rW[i];
        if (KB_VECTOR && !lane_any(not_(high)))
            sum += z * jac_heat_capacity_of(T, i, high, kb_hi, kb_hi);
        else if (KB_VECTOR && !lane_any(high))
            sum += z * jac_heat_capacity_of(T, i, high, kb_lo, kb_lo);
        else
            sum += z * jac_heat_capacity_of(T, i, high, kb_lo, kb_hi);
    }
    return sum;
}

/* f, its T column and the border [NSP each] */
typedef struct {
    kin_f f;
    lane *fT, *border;
} jac_columns;

#if KB_LINED
/* minus: 1 if the border has -q of every reaction beside qB, else 0 */
kb_lines KB_LINES_NAME(lines_jac_gather)(const jac_work *w, const jac_columns *s, lane scale,
                                         lane border_scale, double minus);
#endif

/* f, fT and border: one pass over the lists of reactions on a single thread */
kb_fn void jac_gather(const kb_gas *g, jac_work *w, const jac_columns *s, lane border_scale)
{
    lane scale = vinverse(g->rho);
#if KB_TEAM > 1
    team_placed(gathered, NGATHER_PIECES + 1, GATHERS, JAC_PIECES_IN_Q, w->k->q);
    const kb_stored *const v[] = {w->qT, w->qB};
    const lane scales[] = {scale, scale, border_scale};
    lane *const f[] = {s->f, s->fT, s->border};
    kin_gathers(w->k->q, 2, v, scales, f, gathered, JAC_PIECES_IN_Q);
#elif KB_LINED
    KB_LINES_NAME(lines_jac_gather)(w, s, scale, border_scale, !at_constant_volume(w->reactor));
#else
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
#endif
}

/* what passes through species in steady state, into fT and border, and ready for A */
kb_fn void jac_steady(const kb_gas *g, jac_work *w, const jac_columns *s, lane border_scale)
{
    const steady_slopes slopes = {w->D, w->qM, w->qT, w->qB};
    steady_rows(w->s->steady_rows, &slopes, 1.0 / g->rho, border_scale);
    steady_columns(w->s->steady_rows, w->D, w->e, w->s->steady_column, w->s->steady_heat, s->fT,
                   s->border);
}

/* sum of c_i f_i; of a team each thread's part */
kb_fn lane jac_heat_capacity_source(const jac_work *w, const kin_f f)
{
    lane cf = splat(0);
    each_next_sum(cf, i, NSP) cf += (w->k->cp[i] - w->c1) * f[i];
    return cf;
}

/* the two border columns, the corner and row s; cf as above */
kb_fn void jac_borders(const kb_gas *g, jac_work *w, const lane *y, const jac_columns *s, lane cf,
                       lane fT, lane c, jac_number *A)
{
    lane hT = splat(0), hB = splat(0);
    each_sums(i, NSP, hT, hB)
    {
        hT += w->e[i] * s->fT[i];
        hB += w->e[i] * s->border[i];
    }
    lane sum[4] = {hT, hB, cf, jac_heat_capacity_slope(y, g->T)};
    team_sums(sum, 4, NSP);
    lane rc = vinverse(c);
    each(i, NSP)
    {
        int p = kb_lu_position[i];
        jac_set(A, kb_lu_s_row[p], splat(-1));
        jac_set(A, kb_lu_T_col[p], -s->fT[i]);
        jac_set(A, kb_lu_s_col[p], -s->border[i]);
    }
    each(k, 1)
    {
        jac_set(A, kb_lu_T_row[POS_T], (g->T * sum[0] + sum[2] + fT * sum[3]) * rc);
        jac_set(A, kb_lu_T_row[POS_S], g->T * sum[1] * rc);
        jac_set(A, kb_lu_s_row[POS_T], splat(0));
        jac_set(A, kb_lu_s_row[POS_S], splat(1));
    }
}

/* dy/dt [N] as kin_rhs, and A [NNZ] = -J in LU storage (see above; no 1/(gamma h) yet) */
kb_fn void jac_rhs(kb_reactor reactor, lane fixed, const lane *y, lane *dy, jac_number *A,
                   kb_kinetics *k, kb_scratch *scratch)
{
    double e1 = at_constant_volume(reactor) ? 0 : 1;
    jac_work work = jac_place(k, scratch, A, reactor), *w = &work;
    kb_gas g;
    KIN_F_VECTOR(f, dy);
#if KB_TEAM > 1
    lane *fT = k->room, *border = k->room + NSP;
#else
    lane fT[NSP], border[NSP];
#endif
    jac_columns s = {f, fT, border};
    if (JAC_TOGETHER)
        kin_high_limits(reactor, fixed, y, &g, k, 1, 0);
    else
        kin_constants(reactor, fixed, y, &g, k, 1, KB_TEAM > 1 ? NSTEADY > 0 : !KB_LINED);
    lane pT = at_constant_volume(reactor) ? splat(0) : g.rT;
    jac_progress(&g, w, pT);
#if KB_TEAM > 1
    if (JAC_TOGETHER)
        jac_with_third_bodies(&g, w, pT);
#endif
    if (!JAC_TOGETHER) {
        team_sync();
        if (NGENERAL > 0) {
            jac_general(&g, w, pT);
            team_sync();
        }
        jac_temperature(w);
        jac_pressure(&g, w);
    }
    if (NBURKE > 0) {
        jac_linear_burke(&g, w);
        team_sync();
    }
    lane border_scale = at_constant_volume(reactor) ? splat(1) : vinverse(g.Mb);
    jac_gather(&g, w, &s, border_scale); /* of a team, E and I are not needed any more */
    each(i, NSP) w->e[i] = k->u[i] + e1;
    lane cf = jac_heat_capacity_source(w, f);
    lane c = kin_energy(reactor, &g, y, f, dy, k);
    jac_third_bodies(w); /* the rates are not needed any more */
    team_sync();
    jac_third_body_heat(w);
    lane dT = dy[0], rc = vinverse(c);
    if (NSTEADY > 0)
        jac_steady(&g, w, &s, border_scale);
    jac_omega(w, A, g.T * rc, dT * rc);
#if !KB_LINED /* lines.def has no species in steady state */
    if (NSTEADY > 0)
        steady_fill(w->s->steady_rows, w->s->steady_column, w->s->steady_heat, g.T * rc, A);
#endif
    jac_borders(&g, w, y, &s, cf, dT, c, A);
    team_sync();
}

#if KB_FLOAT_FACTORS
/* the same with A for lines_float_factor, of which this vector is number 0 or 1 */
kb_lines lines_float_jacobian(kb_reactor reactor, lane fixed, const lane *y, lane *dy, void *A,
                              int vector, kb_jacobian *w);
#endif

#endif
