/* SPDX-License-Identifier: MIT
 *
 * Two streams of one pressure, fuel and oxidiser, and their unburnt mixtures.
 */
#pragma once

#include "mech/mech.h"

/* A stream of moles ("CH4:1") as state [nsp + 2]: T [K], p [Pa], Y; what is for messages */
int kb_stream(const kb_mech *m, const char *what, const char *moles, double T, double p,
              double *state, kb_error *err);

/* The mixture at mixture fraction z, state [nsp + 2]: enthalpy and Y are linear in z. fuel and
 * oxidizer [nsp + 2]. */
int kb_mix_streams(const kb_mech *m, const double *fuel, const double *oxidizer, double z,
                   double *state, kb_error *err);
