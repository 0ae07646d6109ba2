/* SPDX-License-Identifier: MIT
 *
 * Where the file of a mechanism is, and the name of its build.
 */
#pragma once

#include "mech/mech.h"

/* The file of a mechanism given by name or path; caller frees. */
char *kb_mechanism_file(const char *mech);
/* Reads it; a fetched one (datasets/downloads) has its thermo file beside it, unless one is
 * given. */
int kb_mechanism_load(kb_mech *m, const char *mech, const char *thermo, kb_error *err);
/* The name of its build (build/mech/NAME), as in solvers/mechanism.mk: the file without folder and
 * ending; mech.inp, chem.inp and mechanism.inp are named after their folder. Caller frees. */
char *kb_built_name(const char *mech);
