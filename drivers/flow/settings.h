/* SPDX-License-Identifier: MIT
 *
 * The command line of flow.
 */
#ifndef KB_FLOW_SETTINGS_H
#define KB_FLOW_SETTINGS_H

#include "base/arguments.h"
#include "flow/run/flow.h"

typedef struct {
    const kb_flow_case *problem; /* NULL: the detonation, which needs a mechanism */
    kb_words schemes, engines, chemistry;
    double *nx; /* grids, one run each */
    int grids;
    kb_flow_options options; /* nx, ny of the first grid; of the detonation: end 0 if not given */
    double ratio;            /* ny/nx */
    int threads, repeats;
    const char *out;         /* folder */
    bool quiet, bench;
    /* of the detonation */
    const char *mech, *thermo, *mixture;
    double p, T, length, height, T_react; /* length 0: 130 induction lengths; height 0: along x */
    int splitting;
    int frames;        /* of the fields over time */
    double checkpoint; /* minutes between them; 0: none */
} kb_flow_settings;

/* Ends the program for --help, --list and invalid values. Errors: an unknown case, scheme or
 * engine, and too large grids. */
int kb_flow_settings_read(kb_flow_settings *s, int argc, char **argv, kb_error *err);
void kb_flow_settings_free(kb_flow_settings *s);

extern const char *const kb_flow_riemann_names[], *const kb_flow_variables_names[],
    *const kb_flow_splitting_names[];

#endif
