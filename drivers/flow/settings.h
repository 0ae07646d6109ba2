/* SPDX-License-Identifier: MIT
 *
 * The command line of flow.
 */
#pragma once

#include "base/arguments.h"
#include "drivers/flow/case_file.h"
#include "flow/run/flow.h"

typedef struct {
    kb_flow_case_file *file;
    const kb_flow_case *problem; /* of an ideal gas; NULL: file is in a mechanism's gas */
    kb_words schemes, engines, chemistry;
    double *nx; /* grids, one run each */
    int grids;
    kb_flow_options options; /* nx, ny of the first grid; of the detonation: end 0 if not given */
    double ratio;            /* ny/nx */
    int threads, repeats;
    double begin, dt;        /* of bench: time from which is measured, between reactions [s]; 0 */
    const char *out;         /* folder */
    bool quiet, bench;
    /* in a mechanism's gas */
    const char *mech, *thermo;
    double T_react;
    int splitting;
    const char *reference; /* an accurate chemistry that others are compared with; NULL: none */
    kb_words fields; /* species, whose mass fractions are written; none: as the case */
    /* of a detonation */
    const char *mixture;
    double p, T, length, height; /* length 0: 130 induction lengths; height 0: along x */
    int frames;        /* of the fields over time */
    double checkpoint; /* minutes between them; 0: none */
} kb_flow_settings;

/* Ends the program for --help, --list and invalid values. Errors: an unknown case, scheme or
 * engine, and too large grids. */
int kb_flow_settings_read(kb_flow_settings *s, int argc, char **argv, kb_error *err);
void kb_flow_settings_free(kb_flow_settings *s);

extern const char *const kb_flow_riemann_names[], *const kb_flow_variables_names[],
    *const kb_flow_splitting_names[];
