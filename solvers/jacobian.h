/* SPDX-License-Identifier: MIT
 *
 * Right-hand side and exact Jacobian together, as the sparse Newton matrix.
 *
 * In z_i = Y_i/W_i, with Omega = d omega/d C at constant base concentration Mb = p/(RT), w = f - Omega z:
 *   const p:  J_zz = Omega + (w/sigma) 1^T        J_zT = (omega_T - omega_M Mb/T)/rho + w/T
 *   const v:  J_zz = Omega + omega_B 1^T          J_zT = (omega_T + omega_p p/T)/rho
 * where omega_B collects the dependence on Mb (third bodies) and on p (PLOG, Chebyshev). The rank-one part
 * goes into the border of the unknown s = sum z_j, so that the matrix
 *   A = -J  with  A_is = -border_i,  row s: s - sum z_j = 0
 * is exact and sparse. Adding 1/(gamma h) to the diagonal of the species and of T makes it the Newton matrix
 * (1/(gamma h)) I - J. The energy row: J_Tj = -(T sum_i e_i J_ij + f_T c_j)/c and
 *   J_TT = -(T sum_i e_i J_iT + sum_i c_i f_i + f_T c')/c,  c = sum c_i z_i, c' its derivative by T.
 */
#ifndef KB_JACOBIAN_H
#define KB_JACOBIAN_H

#include "kinetics.h"

typedef struct {
    kb_kinetics k;
    lane D[NSLOT + 1];  /* d q_r / d C by slot, sorted by column; the last takes what is unused */
    lane dk[NRX];       /* d ln kf / dT */
    lane qT[NRX];       /* what column T gathers: d q_r/dT and the change of C with T */
    lane qB[NRX];       /* what the border gathers */
    lane qM[NMR + 1];   /* d q_r / d [M] of the reactions with a third body */
    lane V[NV + 1];     /* d omega_i / d [M] of one set of efficiencies */
    lane G[NMSET + 1];  /* sum_i e_i V of one set */
    lane e[NSP], c[NSP]; /* e_i and c_i as in kinetics.h */
} kb_jacobian;

/* d ln kf/dT of every table reaction at constant concentrations */
kb_fn void jac_constants(kb_jacobian *w)
{
    kb_kinetics *k = &w->k;
    each(r, NRX) w->dk[r] = (kb_b[r] + kb_theta[r] * k->rT) * k->rT;
    team_sync();
    for (int i = 0; i < NFO; i++)
        w->dk[kb_mr_r[NTB + i]] += k->gT[i];
    for (int i = 0; i < NPLOG; i++)
        w->dk[kb_plog_r[i]] = k->pT[i];
    for (int i = 0; i < NCHEB; i++)
        w->dk[kb_cheb_r[i]] = k->pT[NPLOG + i];
}

/* rates of progress [r0, r1) with their derivatives; pT: 1/T at constant p, 0 at constant v */
kb_fn void jac_progress(kb_jacobian *w, int r0, int r1, int slots, int three_body, lane pT)
{
    kb_kinetics *kin = &w->k;
    const lane *C = kin->C, *E = kin->E, *I = kin->I, *u = kin->u;
    lane rT = kin->rT;
    each(i, r1 - r0)
    {
        int r = r0 + i;
        int a = kb_slot[r], b = kb_slot[NRX + r], p = kb_slot[3 * NRX + r], s = kb_slot[4 * NRX + r];
        lane K = (E[p] * I[a]) * (E[s] * I[b]), du = u[p] + u[s] - u[a] - u[b];
        lane Fb = C[b], Rs = C[s], F = C[a] * C[b], R = C[p] * C[s];
        lane k = kin->kf[r], M = splat(1);
        int c = NSP, t = NSP;
        if (three_body) {
            M = kin->M[kb_mr_mset[r - RX2]];
            k *= M;
        }
        if (slots == 3) {
            c = kb_slot[2 * NRX + r];
            t = kb_slot[5 * NRX + r];
            K *= E[t] * I[c];
            du += u[t] - u[c];
        }
        lane kr = k * K;
        if (slots == 3) {
            w->D[kb_slot_pos[2 * NRX + r]] = k * F;
            w->D[kb_slot_pos[5 * NRX + r]] = -kr * R;
            Fb *= C[c];
            Rs *= C[t];
            w->D[kb_slot_pos[NRX + r]] = k * C[a] * C[c];
            w->D[kb_slot_pos[4 * NRX + r]] = -kr * C[p] * C[t];
            F *= C[c];
            R *= C[t];
        } else {
            w->D[kb_slot_pos[NRX + r]] = k * C[a];
            w->D[kb_slot_pos[4 * NRX + r]] = -kr * C[p];
        }
        w->D[kb_slot_pos[r]] = k * Fb;
        w->D[kb_slot_pos[3 * NRX + r]] = -kr * Rs;
        lane rr = kr * R, q = k * F - rr;
        lane B = k * kb_nf1[r] * F - rr * kb_nr1[r]; /* q - sum_j C_j dq/dC_j */
        kin->q[r] = q;
        w->qB[r] = B;
        w->qT[r] = q * w->dk[r] + rr * rT * du + B * pT;
        if (three_body)
            w->qM[r - RX2] = kin->kf[r] * (F - K * R);
    }
}

/* derivative of a product of powers by its factor k0 */
kb_fn lane jac_power(const kb_kinetics *w, int k0, int first, int last)
{
    double o = kb_gen_order[k0];
    lane d = o == 1 ? splat(1) : o * kin_power(w->C[kb_gen_sp[k0]], o - 1);
    for (int k = first; k < last; k++)
        if (k != k0)
            d *= kin_power(w->C[kb_gen_sp[k]], kb_gen_order[k]);
    return d;
}

/* general reactions: jac_progress left k (times M) in q, and k in qM */
kb_fn void jac_general(kb_jacobian *w, lane pT)
{
    kb_kinetics *kin = &w->k;
    for (int g = 0; g < NGEN; g++) {
        int r = kb_gen_r[g], f = kb_gen_start[2 * g], m = kb_gen_start[2 * g + 1],
            l = kb_gen_start[2 * g + 2];
        lane F = kin_power_product(kin, f, m), R = kin_power_product(kin, m, l);
        lane k = kin->q[r], K = kin_inverse_Kc(kin, g), du = splat(0), B;
        for (int j = kb_gen_kstart[g]; j < kb_gen_kstart[g + 1]; j++)
            du += kb_gen_knu[j] * kin->u[kb_gen_ksp[j]];
        kin->q[r] = B = k * (F - K * R);
        for (int j = f; j < l; j++) {
            lane d = j < m ? k * jac_power(kin, j, f, m) : -k * K * jac_power(kin, j, m, l);
            w->D[kb_gen_pos[j]] = d;
            B -= d * kin->C[kb_gen_sp[j]];
        }
        w->qB[r] = B;
        w->qT[r] = kin->q[r] * w->dk[r] + k * K * R * kin->rT * du + B * pT;
        if (r >= RX2)
            w->qM[r - RX2] *= F - K * R;
    }
}

/* The dependence on [M], on Mb and on p, into qM, qT and qB. Constant p: Mb falls as 1/T, and [M] is of
 * first order in C but for its base part. Constant v: Mb and p rise with every z_j and (p) with T. */
kb_fn void jac_pressure(kb_jacobian *w, int reactor)
{
    kb_kinetics *k = &w->k;
    lane rMb = 1.0 / k->Mb;
    if (reactor)
        for (int r = 0; r < NRX; r++)
            w->qB[r] = splat(0);
    for (int i = 0; i < NFO; i++)
        w->qM[NTB + i] = k->q[kb_mr_r[NTB + i]] * k->gP[i] / k->M[kb_mr_mset[NTB + i]];
    for (int a = 0; a < NACT; a++) {
        int i = kb_act[a];
        w->qM[NTB + i] -= k->q[kb_mr_r[NTB + i]] / k->M[kb_mr_mset[NTB + i]];
    }
    for (int i = 0; i < NMR; i++) {
        int r = kb_mr_r[i], m = kb_mr_mset[i];
        lane base = kb_mset_base[m] * w->qM[i];
        if (reactor) {
            w->qB[r] += base;
        } else {
            lane inner = w->qM[i] * k->M[m] - base * k->Mb; /* sum_j C_j dq/d[M] d[M]/dC_j */
            w->qB[r] -= inner;
            w->qT[r] -= (inner + base * k->Mb) * k->rT;
        }
    }
    for (int i = 0; reactor && i < NPLOG + NCHEB; i++) {
        int r = i < NPLOG ? kb_plog_r[i] : kb_cheb_r[i - NPLOG];
        lane B = k->q[r] * k->pP[i] * rMb;
        w->qB[r] += B;
        w->qT[r] += B * k->Mb * k->rT;
    }
}

/* Omega into A, with sum_i e_i Omega_ij on the way, which goes to the energy row */
kb_fn void jac_omega(kb_jacobian *w, lane *A, lane scale, lane fTc)
{
    for (int j = 0; j < NSP; j++) {
        lane heat = splat(0);
        for (int k = kb_col_start[j]; k < kb_col_start[j + 1]; k++) {
            lane d = splat(0);
            for (int t = kb_ent_start[k]; t < kb_ent_start[k + 1]; t++)
                d += kb_ent_nu[t] * w->D[kb_ent_slot[t]];
            A[kb_ent_pos[k]] = d;
            heat -= w->e[kb_ent_row[k]] * d;
        }
        A[kb_lu_T_row[kb_lu_pos_sp[j]]] = scale * heat + fTc * w->c[j];
    }
}

/* (alpha_j - alpha_0) d omega_i/d[M], set by set of efficiencies */
kb_fn void jac_third_bodies(kb_jacobian *w, lane *A, lane scale)
{
    for (int m = 0; m < NMSET; m++)
        w->G[m] = splat(0);
    for (int v = 0; v < NV; v++) {
        lane d = splat(0);
        for (int t = kb_v_start[v]; t < kb_v_start[v + 1]; t++)
            d += kb_v_nu[t] * w->qM[kb_v_mr[t]];
        w->V[v] = d;
        w->G[kb_v_mset[v]] += w->e[kb_v_row[v]] * d;
    }
    for (int k = 0; k < NMT; k++)
        A[kb_mt_pos[k]] -= kb_mt_coef[k] * w->V[kb_mt_v[k]];
    for (int m = 0; m < NMSET; m++)
        for (int k = kb_mset_start[m]; k < kb_mset_start[m + 1]; k++)
            A[kb_lu_T_row[kb_lu_pos_sp[kb_mset_sp[k]]]] += scale * kb_mset_coef[k] * w->G[m];
}

/* d(sum_i c_i z_i)/dT */
kb_fn lane jac_heat_capacity_slope(const lane *y, const kb_kinetics *k)
{
    lane sum = splat(0), T = k->T, T1 = 2.0 * T, T2 = 3.0 * T * T, T3 = 4.0 * T * T * T;
    each_sum(sum, i, NSP)
    {
        mask high = T > kb_Tmid[i];
        lane a1 = vselect(high, splat(kb_hi[NSP + i]), splat(kb_lo[NSP + i]));
        lane a2 = vselect(high, splat(kb_hi[2 * NSP + i]), splat(kb_lo[2 * NSP + i]));
        lane a3 = vselect(high, splat(kb_hi[3 * NSP + i]), splat(kb_lo[3 * NSP + i]));
        lane a4 = vselect(high, splat(kb_hi[4 * NSP + i]), splat(kb_lo[4 * NSP + i]));
        sum += y[i + 1] * kb_rW[i] * (a1 + a2 * T1 + a3 * T2 + a4 * T3);
    }
    return team_sum(sum);
}

/* f, its T column and the border, gathered together; out: sums over species for the energy row */
typedef struct {
    lane f[NSP], fT[NSP], border[NSP];
} jac_columns;

kb_fn void jac_gather(kb_jacobian *w, jac_columns *s, lane border_scale)
{
    lane scale = 1.0 / w->k.rho;
    for (int i = 0; i < NSP; i++) {
        lane f = splat(0), fT = splat(0), fB = splat(0);
        for (int k = kb_sp_start[i]; k < kb_sp_start[i + 1]; k++) {
            int r = kb_sp_rx[k];
            f += kb_sp_nu[k] * w->k.q[r];
            fT += kb_sp_nu[k] * w->qT[r];
            fB += kb_sp_nu[k] * w->qB[r];
        }
        s->f[i] = f * scale;
        s->fT[i] = fT * scale;
        s->border[i] = fB * border_scale;
    }
}

/* the two border columns, the corner and row s */
kb_fn void jac_borders(kb_jacobian *w, const lane *y, const jac_columns *s, lane fT, lane c, lane *A)
{
    kb_kinetics *k = &w->k;
    lane hT = splat(0), hB = splat(0), cf = splat(0);
    each_sum(hT, i, NSP) hT += w->e[i] * s->fT[i];
    each_sum(hB, i, NSP) hB += w->e[i] * s->border[i];
    each_sum(cf, i, NSP) cf += w->c[i] * s->f[i];
    for (int p = 0; p < NNEWTON; p++)
        A[kb_lu_s_row[p]] = splat(-1);
    each(i, NSP)
    {
        int p = kb_lu_pos_sp[i];
        A[kb_lu_T_col[p]] = -s->fT[i];
        A[kb_lu_s_col[p]] = -s->border[i];
    }
    A[kb_lu_T_row[POS_T]] = (k->T * hT + cf + fT * jac_heat_capacity_slope(y, k)) / c;
    A[kb_lu_T_row[POS_S]] = k->T * hB / c;
    A[kb_lu_s_row[POS_T]] = splat(0);
    A[kb_lu_s_row[POS_S]] = splat(1);
}

/* dy/dt [N] as kin_rhs, and A [NNZ] = -J in LU storage (see above; no 1/(gamma h) yet) */
kb_fn void jac_rhs(int reactor, lane hold, const lane *y, lane *dy, lane *A, kb_jacobian *w)
{
    kb_kinetics *k = &w->k;
    jac_columns s;
    double e1 = reactor ? 0 : 1, c1 = reactor ? 1 : 0;
    kin_constants(reactor, hold, y, k, 1);
    jac_constants(w);
    lane pT = reactor ? splat(0) : k->rT;
    jac_progress(w, 0, RX1, 2, 0, pT);
    jac_progress(w, RX1, RX2, 3, 0, pT);
    jac_progress(w, RX2, RX3, 2, 1, pT);
    jac_progress(w, RX3, NRX, 3, 1, pT);
    jac_general(w, pT);
    team_sync();
    jac_pressure(w, reactor);
    jac_gather(w, &s, reactor ? splat(1) : 1.0 / k->Mb);
    lane c = splat(0);
    each(i, NSP)
    {
        w->e[i] = k->u[i] + e1;
        w->c[i] = k->cp[i] - c1;
    }
    each_sum(c, i, NSP) c += w->c[i] * (y[i + 1] * kb_rW[i]);
    c = team_sum(c);
    kin_energy(reactor, y, s.f, dy, k);
    for (int i = 0; i < NFILL; i++)
        A[kb_lu_fill[i]] = splat(0);
    lane scale = k->T / c;
    jac_omega(w, A, scale, dy[0] / c);
    jac_third_bodies(w, A, scale);
    jac_borders(w, y, &s, dy[0], c, A);
}

#endif
