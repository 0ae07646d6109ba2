/* SPDX-License-Identifier: MIT
 *
 * Chemical equilibrium of an ideal gas by element potentials.
 */
#ifndef KB_EQUILIBRIUM_H
#define KB_EQUILIBRIUM_H

#include "mech/mech.h"

typedef enum { KB_HOLD_TP, KB_HOLD_HP, KB_HOLD_UV } kb_hold;

/* Changes (T [K], p [Pa], Y [nspecies]) to equilibrium, keeping the held pair and the elements.
 * Robust from 300 to 4000 K. Returns KB_OK or KB_INVALID (no convergence: state unchanged). */
int kb_equilibrate(const kb_mech *m, kb_hold hold, double *T, double *p, double *Y, kb_error *err);

#endif
