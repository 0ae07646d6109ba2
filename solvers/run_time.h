/* SPDX-License-Identifier: MIT
 *
 * Solvers of any mechanism: one shared object (build/any/solvers.so) that reads a mechanism file
 * and runs engines whose sizes and tables are read at run time. It exports kb_run_time_get().
 */
#pragma once

#include "solvers/solver.h"

typedef struct {
    int version; /* KB_SOLVERS_VERSION */
    /* thermo: a separate file of CHEMKIN, or NULL; name: of the mechanism, NULL: its own. The
     * result's close frees it. */
    const kb_solvers *(*open)(const char *file, const char *thermo, const char *name,
                              kb_error *err);
} kb_run_time;

/* inside that object: `of` with the tables of the file */
const kb_solvers *kb_run_time_open(const kb_solvers *of, const char *file, const char *thermo,
                                   const char *name, kb_error *err);
