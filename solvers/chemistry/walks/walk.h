/* SPDX-License-Identifier: MIT
 *
 * A walk is how an engine goes through the records of a mechanism, and who does it. Every walk has
 * the functions below; laws/ has their formulas.
 *
 *   loop      one thread, loops over the tables: loop.h
 *   team      the threads of a team share the loops: team.h
 *   straight  one thread of a CPU, straight-line code from the records of lines.def: straight.h
 *
 * A small mechanism on a GPU has straight-line code without them (straight/gpu/problem.h).
 */
#pragma once

#include "solvers/chemistry/laws/rates.h"
#include "solvers/chemistry/memory.h"

/* of falloff k: ln Pr; and Pr/(1 + Pr), with *s = 1/(1 + Pr) */
kb_fn lane kin_ln_pressure(const kb_gas *g, const kb_kinetics *w, int k);
kb_fn lane kin_share(const kb_kinetics *w, int k, lane *s);

/* Arrhenius terms. forward: 1: kf of all reactions; 0: only of those that kin_rates and
 * jac_progress do not compute themselves */
kb_fn void kin_arrhenius(const kb_gas *g, kb_kinetics *w, int forward);

/* kf of falloffs from their high limits; with_derivatives: also gT and gP */
kb_fn void kin_falloff(const kb_gas *g, kb_kinetics *w, int with_derivatives);

/* q, all rates of progress at y */
kb_fn void kin_rates(kb_reactor reactor, lane fixed, const lane *y, kb_gas *g, kb_kinetics *w);

/* dy [N] from q */
kb_fn void kin_sums(kb_reactor reactor, const kb_gas *g, const lane *y, lane *dy, kb_kinetics *w);

/* q and its derivatives: D, qT, qB and qM; pT: 1/T at constant p, 0 at constant v */
kb_fn void jac_progress(const kb_gas *g, jac_work *w, lane pT);

/* f, fT and border from q, qT and qB */
kb_fn void jac_sums(const kb_gas *g, jac_work *w, const jac_columns *s, lane border_scale);

/* Omega into A, and the energy row, which sums over each of its columns */
kb_fn void jac_omega(jac_work *w, jac_number *A, lane scale, lane fTc);

/* whether jac_progress needs kf of all reactions */
#if KB_TEAM > 1
#define WALK_FORWARD (NSTEADY > 0)
#else
#define WALK_FORWARD (!KB_LINED)
#endif
