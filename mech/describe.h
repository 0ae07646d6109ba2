/* SPDX-License-Identifier: MIT
 *
 * What a mechanism holds, counted and printed.
 */
#pragma once

#include <stdio.h>
#include "mech/mech.h"

typedef struct {
    int elementary, three_body, lindemann, troe, sri, tsang, activated, plog, chebyshev;
    int linear_burke, blowers_masel;
    int nasa7, nasa9, shomate; /* species by thermo model */
    int reversible, explicit_reverse, reverse_zero; /* reverse_zero: of these, with A = 0 */
    int oneway; /* one-way reactions after splitting every reversible one */
    int duplicate, efficiencies, collider, noninteger, negative_A, forward_orders, reverse_orders;
    double Tlow_min, Tlow_max, Thigh_min, Thigh_max; /* [K], over species */
    int Tmid_other;                                  /* species with Tmid other than 1000 K */
    double Tmid_min, Tmid_max;
} kb_summary;

void kb_mech_count(const kb_mech *m, kb_summary *s);

/* An aligned plain-text table: what it is, reactions by type, features, thermo ranges. */
void kb_summary_print(FILE *f, const kb_mech *m);
