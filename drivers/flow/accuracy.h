/* SPDX-License-Identifier: MIT
 *
 * How far the chemistry of a run moves what a user looks at: temperature, OH and the release of
 * heat, beside the error of the flow itself.
 */
#pragma once

#include "drivers/flow/gas.h"
#include "drivers/flow/output.h"

/* T [K]; mass fraction of OH (of a mechanism without it, of the first species that is written);
 * heat released [W/m^3] */
enum { KB_FLOW_T, KB_FLOW_OH, KB_FLOW_HEAT, KB_FLOW_QUANTITIES };

/* of a case of a file in each cell; of a detonation at distances from its front */
typedef struct {
    long n;
    double (*value)[KB_FLOW_QUANTITIES];
} kb_flow_profile;

/* cells along the x of the case, whose axes may be exchanged */
static inline int kb_flow_asked_nx(const kb_flow *f)
{
    return f->options.turn ? f->stage.grid.ny : f->stage.grid.nx;
}

/* f: of nx cells along x, or of a multiple of them; the means over as many cells. The caller frees
 * the values. */
kb_flow_profile kb_flow_profile_of(const kb_flow_gas_run *g, const kb_flow *f, int nx);
/* ZND at the same distances, of a detonation on nx cells */
kb_flow_profile kb_flow_profile_of_zone(const kb_flow_gas_run *g, int nx);
/* L1 norms of a - b over those of b, of T of b less its least value: l1 [KB_FLOW_QUANTITIES] */
void kb_flow_profile_error(const kb_flow_profile *a, const kb_flow_profile *b, double *l1);

/* Columns of a profile for output.h: heat released and, of a detonation, ZND beside T, pressure,
 * heat and the species that are written; empty beyond ZND. kb_flow_beside_free frees them. */
void kb_flow_beside_of(kb_flow_beside *b, const kb_flow_gas_run *g, const kb_flow *f);
