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
#pragma once

#include "solvers/chemistry/jacobian_records.h"
#include "solvers/linalg/lu.h"
#if KB_TEAM > 1
#include "solvers/chemistry/walks/team.h"
#elif KB_LINED
#include "solvers/chemistry/walks/straight.h"
#else
#include "solvers/chemistry/walks/loop.h"
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
    JAC_VECTORS(k, fT, border);
    jac_columns s = {f, fT, border};
    if (JAC_TOGETHER)
        kin_high_limits(reactor, fixed, y, &g, k, 1, 0);
    else
        kin_constants(reactor, fixed, y, &g, k, 1, WALK_FORWARD);
    lane pT = at_constant_volume(reactor) ? splat(0) : g.rT;
    jac_progress(&g, w, pT);
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
    jac_sums(&g, w, &s, border_scale); /* of a team, E and I are not needed any more */
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
    if (NSTEADY > 0)
        steady_fill(w->s->steady_rows, w->s->steady_column, w->s->steady_heat, g.T * rc, A);
    jac_borders(&g, w, y, &s, cf, dT, c, A);
    team_sync();
}

#if KB_FLOAT_FACTORS
/* the same with A for lines_float_factor, of which this vector is number 0 or 1 */
kb_lines lines_float_jacobian(kb_reactor reactor, lane fixed, const lane *y, lane *dy, void *A,
                              int vector, kb_jacobian *w);
#endif
