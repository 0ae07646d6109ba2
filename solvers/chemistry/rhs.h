/* SPDX-License-Identifier: MIT
 *
 * The right-hand side of a homogeneous reactor on the lanes of an engine, from the tables of mechc.
 *
 * State y = (T, Y_1 .. Y_NSP). z_i = Y_i/W_i, sigma = sum z_i, C_i = rho z_i, f_i = wdot_i/rho. At
 * constant p: rho = p/(R T sigma); at constant v: rho given. With e_i = h_i/RT (constant v: u_i/RT)
 * and c_i = cp_i/R (constant v: cv_i/R):  dY_i/dt = W_i f_i,  dT/dt = -T sum e_i f_i / sum c_i z_i.
 *
 * One exponential serves each species: E_i = exp(g_i/RT) R T/p0, so that 1/Kc is the product of E
 * over the products times that of 1/E over the reactants. Each distinct pair (b, E/R) of an
 * Arrhenius term costs one exponential, none if b is an integer and E zero.
 */
#ifndef KB_KINETICS_H
#define KB_KINETICS_H

#include "solvers/chemistry/linear_burke.h"
#include "solvers/portable/slices.h"

/* all rate constants at the state y */
kb_fn void kin_constants(kb_reactor reactor, lane fixed, const lane *y, kb_gas *g, kb_kinetics *w,
                         int with_derivatives)
{
    kin_state(reactor, fixed, y, g, w);
    kin_thermo(g, w);
    kin_centers(g, w, with_derivatives);
    kin_arrhenius(g, w);
    kin_third_bodies(g, w);
    team_sync();
    if (NFALLOFF > 0)
        kin_falloff(g, w, with_derivatives);
    if (NBLOWERS_MASEL > 0)
        kin_blowers_masel(g, w);
    if (NPLOG + NCHEB > 0) {
        g->lnp = vlog(g->Mb * g->T * GAS_CONSTANT);
        kin_plog(g, w, with_derivatives);
        kin_chebyshev(g, w, with_derivatives);
    }
    if (NBURKE > 0)
        kin_linear_burke(g, w);
    team_sync();
}

/* what the reactions of a range have in common is constant there; unsorted, each table reaction r
 * has its own */
kb_fn int kin_slots(int r, int range) { return SORTED ? range : 2 + (kb_range_of[r] & 1); }
kb_fn int kin_three_body(int r, int range) { return SORTED ? range : kb_range_of[r] >> 1; }
/* number of a three-body reaction among those with [M] */
kb_fn int kin_mreaction(int r) { return SORTED ? r - RX2 : kb_mreaction_of[r]; }

/* rates of progress of the table reactions [r0, r1), which use 2 or 3 slots of each side */
kb_fn void kin_progress(kb_kinetics *w, int r0, int r1, int slots_of, int three_body_of)
{
    const lane *E = w->E, *I = w->I;
    const kin_C C = w->C;
    each(i, r1 - r0)
    {
        int r = r0 + i;
        int slots = kin_slots(r, slots_of), three_body = kin_three_body(r, three_body_of);
        int a = kb_slot[r], b = kb_slot[NRX + r], p = kb_slot[3 * NRX + r],
            s = kb_slot[4 * NRX + r];
        lane F = C[a] * C[b], R = C[p] * C[s], K = (E[p] * I[a]) * (E[s] * I[b]);
        if (slots == 3) {
            int c = kb_slot[2 * NRX + r], t = kb_slot[5 * NRX + r];
            F *= C[c];
            R *= C[t];
            K *= E[t] * I[c];
        }
        lane k = w->kf[r];
        if (three_body)
            k *= w->M[kb_mreaction_mset[kin_mreaction(r)]];
        w->q[r] = k * (F - K * R);
    }
}

/* C^order; integer orders exactly, real ones of a concentration <= 0 give 0 */
kb_fn lane kin_power(lane C, double order)
{
    if (order == 1)
        return C;
    if (order == 2)
        return C * C;
    if (order == 3)
        return C * C * C;
    return vselect(C > 0.0, vpow(vmax(C, splat(1e-300)), splat(order)), splat(0));
}

kb_fn lane kin_power_product(const kb_kinetics *w, int first, int last)
{
    lane F = splat(1);
    for (int k = first; k < last; k++)
        F *= kin_power(w->C[kb_general_species[k]], kb_general_order[k]);
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

#if KB_TEAM > 1
/* kin_gather of n <= GATHERS vectors */
kb_fn void kin_gathers(int n, const lane *const v[], const lane scale[], lane *const f[])
{
    team_long(gathered, NGATHER_PIECES + 1, GATHERS);
    team_sync();
    each_row(row, 0, NGATHER_SLICES)
    {
        int steps, to = kb_species_gather_target[row];
        const kb_pair *t = slice_terms(kb_species_gather_pair, kb_species_gather_slice, row,
                                       &steps);
        lane sum[GATHERS];
        slice_gather(n, t, steps, v, sum);
        if (to != NO_TARGET)
KB_UNROLL
            for (int m = 0; m < n; m++)
                gathered[m * NGATHER_PIECES + to] = sum[m];
    }
    team_sync();
    each(i, NSP)
    {
        int first = kb_species_gather_start[i], last = kb_species_gather_start[i + 1];
KB_UNROLL
        for (int m = 0; m < n; m++)
            f[m][i] = scale[m] * slice_pieces(gathered + m * NGATHER_PIECES, first, last);
    }
}
#endif

/* f_i = scale sum_r nu_ir v_r; a team may read f at the same index before the next sync */
kb_fn void kin_gather(const lane *v, lane scale, kin_f f)
{
#if KB_TEAM > 1
    const lane *const vs[] = {v};
    const lane scales[] = {scale};
    lane *const fs[] = {f};
    kin_gathers(1, vs, scales, fs);
#else
    for (int i = 0; i < NSP; i++) {
        lane sum = splat(0);
        for (int k = kb_species_start[i]; k < kb_species_start[i + 1]; k++)
            sum += kb_species_nu[k] * v[kb_species_rx[k]];
        f[i] = sum * scale;
    }
#endif
}

/* f [NSP] = wdot/rho [kmol/(kg s)] -> dy [N] = (dT/dt, dY/dt); returns c = sum c_i z_i */
kb_fn lane kin_energy(kb_reactor reactor, const kb_gas *g, const lane *y, const kin_f f, lane *dy,
                      const kb_kinetics *w)
{
    double e1 = at_constant_volume(reactor) ? 0 : 1, c1 = at_constant_volume(reactor) ? 1 : 0;
    lane heat = splat(0), c = splat(0);
    each_sum(heat, i, NSP) heat += (w->u[i] + e1) * f[i];
    each_sum(c, i, NSP) c += (w->cp[i] - c1) * (y[i + 1] * kb_rW[i]);
    each(i, NSP) dy[i + 1] = f[i] * kb_W[i];
    lane sum[2] = {heat, c};
    team_sums(sum, 2);
    lane dT = -g->T * sum[0] / sum[1];
    each(k, 1) dy[0] = dT;
    return sum[1];
}

/* dy/dt [N]; fixed: p [Pa] at constant pressure, rho [kg/m^3] at constant volume */
kb_fn void kin_rhs(kb_reactor reactor, lane fixed, const lane *y, lane *dy, kb_kinetics *w)
{
    KIN_F_VECTOR(f);
    kb_gas g;
    team_sync();
    kin_constants(reactor, fixed, y, &g, w, 0);
    kin_progress(w, 0, RX1, 2, 0);
    kin_progress(w, RX1, RX2, 3, 0);
    kin_progress(w, RX2, RX3, 2, 1);
    kin_progress(w, RX3, NRX, 3, 1);
    if (NGENERAL > 0) {
        team_sync();
        kin_general(w);
    }
    kin_gather(w->q, 1.0 / g.rho, f);
    kin_energy(reactor, &g, y, f, dy, w);
    team_sync();
}

#endif
