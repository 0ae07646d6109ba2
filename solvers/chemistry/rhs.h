/* SPDX-License-Identifier: MIT
 *
 * The right-hand side of a homogeneous reactor on the lanes of an engine, from the tables of mechc.
 *
 * State y = (T, Y_1 .. Y_NSP). z_i = Y_i/W_i, sigma = sum z_i, C_i = rho z_i, f_i = wdot_i/rho. At
 * constant p: rho = p/(R T sigma); at constant v: rho given. With e_i = h_i/RT (constant v: u_i/RT)
 * and c_i = cp_i/R (constant v: cv_i/R):  dY_i/dt = W_i f_i,  dT/dt = -T sum e_i f_i / sum c_i z_i.
 *
 * One exponential serves each species: E_i = exp(g_i/RT) R T/p0, so that 1/Kc is the product of E
 * over the products times the product of 1/E over the reactants.
 */
#pragma once

#include "solvers/chemistry/linear_burke.h"
#include "solvers/chemistry/steady.h"

/* what follows T alone, and the third bodies; ends with a sync. forward: as kin_constants */
kb_fn void kin_high_limits(kb_reactor reactor, lane fixed, const lane *y, kb_gas *g, kb_kinetics *w,
                           int with_derivatives, int forward)
{
    kin_state(reactor, fixed, y, g, w);
    kin_thermo(g, w);
    kin_centers(g, w, with_derivatives);
    kin_arrhenius(g, w, forward);
    kin_third_bodies(g, y, w);
    team_sync();
}

/* the rate constants that are no Arrhenius terms, falloffs aside */
kb_fn void kin_fitted(kb_gas *g, kb_kinetics *w, int with_derivatives)
{
    if (NBLOWERS_MASEL > 0)
        kin_blowers_masel(g, w);
    if (NPLOG + NCHEB > 0) {
        g->lnp = vlog(g->Mb * g->T * GAS_CONSTANT);
        kin_plog(g, w, with_derivatives);
        kin_chebyshev(g, w, with_derivatives);
    }
    if (NBURKE > 0)
        kin_linear_burke(g, w);
}

/* Rate constants at the state y, and the concentrations in steady state; forward: 1: with kf of all
 * reactions, 0: only of those that kin_arrhenius names */
kb_fn void kin_constants(kb_reactor reactor, lane fixed, const lane *y, kb_gas *g, kb_kinetics *w,
                         int with_derivatives, int forward)
{
    kin_high_limits(reactor, fixed, y, g, w, with_derivatives, forward);
    if (NFALLOFF > 0)
        kin_falloff(g, w, with_derivatives);
    kin_fitted(g, w, with_derivatives);
    team_sync();
    if (NSTEADY > 0)
        kin_steady(w);
}

/* f [NSP] = wdot/rho [kmol/(kg s)] -> dy [N] = (dT/dt, dY/dt); returns c = sum c_i z_i */
kb_fn lane kin_energy(kb_reactor reactor, const kb_gas *g, const lane *y, const kin_f f, lane *dy,
                      const kb_kinetics *w)
{
    double e1 = at_constant_volume(reactor) ? 0 : 1, c1 = at_constant_volume(reactor) ? 1 : 0;
    lane heat = splat(0), c = splat(0);
    team_array(parts, 2 * TEAM_PARTIAL);
#if KB_CHAINED
    heat = chained_sum(i, NSP, (w->u[i] + e1) * f[i]);
    c = chained_sum(i, NSP, (w->cp[i] - c1) * (y[i + 1] * kb_rW[i]));
#else
    each_next_sums(i, NSP, heat, c)
    {
        heat += (w->u[i] + e1) * f[i];
        c += (w->cp[i] - c1) * (y[i + 1] * kb_rW[i]);
    }
#endif
    each_next(i, NSP) dy[i + 1] = f[i] * kb_W[i];
    lane sum[2] = {heat, c};
    team_sums_by(parts, sum, 2, NSP);
    each(k, 1) dy[0] = -g->T * sum[0] * vinverse(sum[1]);
    return sum[1];
}

/* dy/dt [N]; fixed: p [Pa] at constant pressure, rho [kg/m^3] at constant volume. Of a team's
 * threads each has those elements of y and dy that it has in each(i, N), without a sync. */
kb_fn void kin_rhs(kb_reactor reactor, lane fixed, const lane *y, lane *dy, kb_kinetics *w)
{
    kb_gas g;
    kin_rates(reactor, fixed, y, &g, w);
    kin_sums(reactor, &g, y, dy, w);
}
