/* SPDX-License-Identifier: MIT
 *
 * Unburnt mixtures of a fuel and an oxidiser.
 */
#pragma once

#include "mech/mech.h"

/* "O2:1,N2:3.76" -> mole fractions X [nspecies] that add up to 1; what ("fuel") is for messages */
int kb_mole_fractions(const kb_mech *m, const char *what, const char *text, double *X,
                      kb_error *err);

/* Y [nspecies] of fuel and oxidiser at equivalence ratio phi: fuel to oxidiser in moles over the
 * same ratio of a stoichiometric mixture, in which all C, H and S burn to CO2, H2O and SO2 (Turns,
 * An Introduction to Combustion, section 2.2). phi 0 is the oxidiser alone. */
int kb_premixed(const kb_mech *m, const char *fuel, const char *oxidizer, double phi, double *Y,
                kb_error *err);
