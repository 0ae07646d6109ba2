/* SPDX-License-Identifier: MIT
 *
 * Solvers of any mechanism: one shared object (build/any/solvers.so) that reads a mechanism file
 * and runs engines whose sizes and tables are read at run time. It exports kb_run_time_get().
 */
#pragma once

#include "solvers/solver.h"

#define KB_RUN_TIME_VERSION (1000 + KB_SOLVERS_VERSION) /* grows with this interface, too */
#define KB_LIKENESS 128 /* characters of a likeness (mech/tables/likeness.h) */

typedef struct {
    int version; /* KB_RUN_TIME_VERSION */
    /* thermo: a separate file of CHEMKIN, or NULL; name: of the mechanism, NULL: its own. The
     * result's close frees it. */
    const kb_solvers *(*open)(const char *file, const char *thermo, const char *name,
                              kb_error *err);
    /* of solvers that open has returned: text [KB_LIKENESS] */
    void (*likeness)(const kb_solvers *s, char *text);
} kb_run_time;

/* The likeness of solvers that kb_solvers_read has made with the file `engines`; text
 * [KB_LIKENESS] */
void kb_solvers_likeness(const char *engines, const kb_solvers *s, char *text);

/* inside that object: `of` with the tables of the file */
const kb_solvers *kb_run_time_open(const kb_solvers *of, const char *file, const char *thermo,
                                   const char *name, kb_error *err);
void kb_run_time_likeness(const kb_solvers *s, char *text);
