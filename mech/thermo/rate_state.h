/* SPDX-License-Identifier: MIT
 *
 * Between rates.c, rate constants, and progress.c, rates of progress: a state and what both ask of
 * it.
 */
#pragma once

#include "mech/mech.h"

typedef struct {
    const kb_mech *m;
    double T, p;
    double *C;     /* [nspecies + nsteady] */
    double total;  /* sum of C of the state's species [kmol/m^3] */
    double *lnKc;  /* of each C: share of a species in ln Kc, at nu = 1 */
} kb_rate_state;

/* share of a species in ln Kc, at nu = 1: ln(p_ref/(R T)) - g/RT */
double kb_ln_Kc_share(const kb_species *s, double T);
/* [M] = sum_k alpha_k C_k, or the concentration of a named collider [kmol/m^3] */
double kb_rate_third_body(const kb_rate_state *s, const kb_reaction *r);
/* k without the [M] of a three-body reaction. *factor: k over the limit that an explicit reverse
 * rate stands for */
double kb_rate_forward(const kb_rate_state *s, const kb_reaction *r, double *factor);
/* from kf and its factor */
double kb_rate_reverse(const kb_rate_state *s, const kb_reaction *r, double kf, double factor);
