/* SPDX-License-Identifier: MIT
 *
 * The command line of flow.
 */
#ifndef KB_FLOW_SETTINGS_H
#define KB_FLOW_SETTINGS_H

#include "base/arguments.h"
#include "flow/flow.h"

typedef struct {
    const kb_flow_case *problem;
    kb_words schemes, engines;
    double *nx; /* grids, one run each */
    int grids;
    kb_flow_options options; /* nx, ny of the first grid */
    double ratio;            /* ny/nx */
    int threads, repeats;
    const char *out;         /* folder */
    bool quiet, bench;
} kb_flow_settings;

/* Ends the program for --help, --list and for options that are none. Errors: an unknown case, scheme
 * or engine, and values out of bounds. */
int kb_flow_settings_read(kb_flow_settings *s, int argc, char **argv, kb_error *err);
void kb_flow_settings_free(kb_flow_settings *s);

extern const char *const kb_flow_riemann_names[], *const kb_flow_variables_names[];

#endif
