/* SPDX-License-Identifier: MIT
 *
 * Plain evaluation of rates from a kb_mech on the host: slow, direct, for any mechanism without a
 * build. It serves the checks, the one-way conversion and mechinfo, and tests compare the fast
 * tables of solvers/ with it.
 */
#pragma once

#include "mech/mech.h"

/* C [nspecies] concentrations [kmol/m^3]. kf, kr [nreactions] rate constants (kmol, m, s) with
 * falloff, pressure and third-body factors that belong to k, but without the [M] of a three-body
 * reaction, which multiplies both rates of progress; qf, qr [nreactions] rates of progress
 * [kmol/(m^3 s)]. Any output may be NULL. p [Pa] serves PLOG and Chebyshev.
 * Outside the ranges of the data PLOG keeps its end values, Chebyshev and thermo polynomials
 * continue. A negative C enters with the whole orders 1, 2, 3 as it is; any other power of it is
 * 0. */
void kb_mech_rates(const kb_mech *m, double T, double p, const double *C, double *kf, double *kr,
                   double *qf, double *qr);

/* wdot [nspecies], net molar production rates [kmol/(m^3 s)] */
void kb_production(const kb_mech *m, double T, double p, const double *C, double *wdot);

/* The powers that a direction of a reaction has, as in its rate of progress: forward, or reverse.
 * NULL and 0: the direction does not take place. */
const kb_term *kb_powers(const kb_reaction *r, bool reverse, int *n);
/* Of these the one in steady state: its number among them; -1: none */
int kb_steady_power(const kb_mech *m, const kb_reaction *r, bool reverse);

/* the concentrations of species in steady state [nsteady, kmol/m^3], from C [nspecies] of the
 * others; the functions above take them along */
void kb_steady_concentrations(const kb_mech *m, double T, double p, const double *C,
                              double *steady);

/* Logarithm of a reaction's equilibrium constant in concentration units (kmol/m^3)^(sum nu) */
double kb_ln_Kc(const kb_mech *m, const kb_reaction *r, double T);

/* k of an Arrhenius triple at T */
double kb_arrhenius_k(const kb_arrhenius *a, double T);
