/* SPDX-License-Identifier: MIT
 *
 * Every reversible reaction becomes two one-way reactions whose rates are Arrhenius, as in
 * Niemeyer and Sung, J. Comput. Phys. 256 (2014), Appendix A (with A.9, A.11 and A.12 corrected).
 */
#pragma once

#include "mech/mech.h"

typedef enum { KB_FIT_EXACT, KB_FIT_LEAST_SQUARES } kb_fit;

/* Of the reverse of one reaction: where k_fit/k_r is farthest from 1 (by its logarithm) */
typedef struct {
    int reaction;              /* its index in the mechanism before */
    double ratio, T;           /* over 1000-2500 K, where the default temperatures lie */
    double ratio_wide, T_wide; /* over 300-3500 K */
} kb_fit_error;

typedef struct {
    kb_fit fit;
    double T[3];  /* [K] exact: the three temperatures; least squares: the range T[0]..T[2]; all
                   * zero: 1060, 1550, 2350 and 1000-2500, which are then written here */
    double worst; /* out: largest |kr_fit/kr - 1| over 1000-2500 K */
    int worst_reaction; /* its index in m, -1 if nothing was fitted */
    double worst_T;
    kb_fit_error *errors; /* out: of each that was fitted, the worst over 300-3500 K first; freed */
    int nerrors;          /* by the caller */
} kb_oneway;

/* out becomes a fresh mechanism with one-way reactions only; m is not changed. */
int kb_oneway_convert(const kb_mech *m, kb_oneway *how, kb_mech *out, kb_error *err);
