/* SPDX-License-Identifier: MIT
 *
 * Chemical equilibrium of an ideal gas by element potentials.
 */
#pragma once

#include "mech/mech.h"

typedef enum { KB_FIXED_TP, KB_FIXED_HP, KB_FIXED_UV } kb_fixed;

/* Changes (T [K], p [Pa], Y [nspecies]) to equilibrium at a fixed pair, with the elements kept.
 * Robust from 300 to 4000 K. Returns KB_OK or KB_INVALID (no convergence: state unchanged). */
int kb_equilibrate(const kb_mech *m, kb_fixed fixed, double *T, double *p, double *Y,
                   kb_error *err);
