/* SPDX-License-Identifier: MIT
 *
 * Species in steady state (QSS): their concentrations follow from those of the others, so that none
 * of them is made or used on balance. They leave the state, its mass and its energy, and count as
 * no third body. Each direction of a reaction may have one of them, once and of order 1: their
 * balance is a linear system then.
 */
#pragma once

#include "mech/mech.h"

/* Puts the n species `names` behind the others: m->species[nspecies .. nspecies + nsteady). drop:
 * directions that couple two of them nonlinearly are left out, with a warning each; otherwise they
 * are an error. Other errors: a name that is none or stands twice, a species that no reaction uses,
 * a named collider. file, line: for messages. */
int kb_steady(kb_mech *m, char *const *names, int n, bool drop, const char *file, int line,
              kb_error *err);

/* The same from a file of names between blanks, where # at the begin of a word starts a comment and
 * the word drop-nonlinear stands for that. */
int kb_steady_read(kb_mech *m, const char *path, kb_error *err);
