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
#include "solvers/chemistry/steady.h"
#include "solvers/portable/slices.h"

/* Rate constants at the state y, and the concentrations in steady state; forward: 1: with kf of all
 * reactions, 0: of those alone that kin_progress does not compute itself */
kb_fn void kin_constants(kb_reactor reactor, lane fixed, const lane *y, kb_gas *g, kb_kinetics *w,
                         int with_derivatives, int forward)
{
    kin_state(reactor, fixed, y, g, w);
    kin_thermo(g, w);
    kin_centers(g, w, with_derivatives);
    kin_arrhenius(g, w, forward);
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
    if (NSTEADY > 0)
        kin_steady(w);
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

#if KB_LINED
kb_lines KB_LINES_NAME(lines_gather)(const lane *v, lane scale, lane *f);
#endif

/* f_i = scale sum_r nu_ir v_r; a team may read f at the same index before the next sync */
kb_fn void kin_gather(const lane *v, lane scale, kin_f f)
{
#if KB_TEAM > 1
    const lane *const vs[] = {v};
    const lane scales[] = {scale};
    lane *const fs[] = {f};
    kin_gathers(1, vs, scales, fs);
#elif KB_LINED
    KB_LINES_NAME(lines_gather)(v, scale, f);
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
    each_sums(i, NSP, heat, c)
    {
        heat += (w->u[i] + e1) * f[i];
        c += (w->cp[i] - c1) * (y[i + 1] * kb_rW[i]);
        dy[i + 1] = f[i] * kb_W[i];
    }
    lane sum[2] = {heat, c};
    team_sums(sum, 2);
    lane dT = -g->T * sum[0] * vinverse(sum[1]);
    each(k, 1) dy[0] = dT;
    return sum[1];
}

/* dy/dt [N]; fixed: p [Pa] at constant pressure, rho [kg/m^3] at constant volume */
kb_fn void kin_rhs(kb_reactor reactor, lane fixed, const lane *y, lane *dy, kb_kinetics *w)
{
    KIN_F_VECTOR(f);
    kb_gas g;
    team_sync();
    kin_constants(reactor, fixed, y, &g, w, 0, !KB_LINED);
    kin_progress(w);
    if (NGENERAL > 0) {
        team_sync();
        kin_general(w);
    }
    kin_gather(w->q, vinverse(g.rho), f);
    kin_energy(reactor, &g, y, f, dy, w);
    team_sync();
}

#endif
