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
#ifndef KB_RHS_H
#define KB_RHS_H

#include "solvers/chemistry/linear_burke.h"
#include "solvers/chemistry/steady.h"
#include "solvers/portable/bundles.h"

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
 * reactions, 0: of those alone that kin_progress does not compute itself */
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

#if KB_TEAM > 1
/* rows of the gathers that a thread has */
enum {
    GATHER_ROWS = (NGATHER_BUNDLES * 32 + KB_TEAM - 1) / KB_TEAM,
    GATHER_HELD = GATHER_ROWS <= 2 ? GATHER_ROWS : 1
};

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

/* f and dy/dt from q: the heat is summed up with the pieces, so that one sync is enough */
kb_fn void kin_gather_energy(kb_reactor reactor, const kb_gas *g, const lane *y, lane *dy,
                             kb_kinetics *w)
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
#endif

#if KB_LINED
kb_lines KB_LINES_NAME(lines_gather)(const lane *v, lane scale, lane *f);
#endif

#if KB_TEAM == 1
/* f_i = scale sum_r nu_ir q_r */
kb_fn void kin_gather(kb_kinetics *w, lane scale, kin_f f)
{
    const lane *v = w->q;
#if KB_LINED
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
#endif

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

/* all rates of progress at y */
kb_fn void kin_rates(kb_reactor reactor, lane fixed, const lane *y, kb_gas *g, kb_kinetics *w)
{
#if KB_TEAM > 1 /* the falloffs, a long chain of a few threads, beside all others */
    if (NSTEADY == 0 && SORTED) {
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
#else
    kin_constants(reactor, fixed, y, g, w, 0, !KB_LINED);
    kin_progress(g, w);
#endif
    if (NGENERAL > 0) {
        team_sync();
        kin_general(w);
    }
}

/* dy/dt [N]; fixed: p [Pa] at constant pressure, rho [kg/m^3] at constant volume. Of a team's
 * threads each has those elements of y and dy that it has in each(i, N), without a sync. */
kb_fn void kin_rhs(kb_reactor reactor, lane fixed, const lane *y, lane *dy, kb_kinetics *w)
{
    kb_gas g;
    kin_rates(reactor, fixed, y, &g, w);
#if KB_TEAM > 1
    kin_gather_energy(reactor, &g, y, dy, w);
#else
    KIN_F_VECTOR(f, dy);
    kin_gather(w, vinverse(g.rho), f);
    kin_energy(reactor, &g, y, f, dy, w);
#endif
}

#endif
