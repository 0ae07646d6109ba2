/* SPDX-License-Identifier: MIT
 *
 * A solver and its options as text: "rodas4:rtol=1e-6:h0=1".
 */
#pragma once

#include <stdbool.h>

#include "solvers/solver.h"

/* A solver with its options, as chosen by "name:option=value:option=value" */
typedef struct {
    double *options;   /* as many as the solver's table; its defaults where the text is silent */
    double rtol, atol; /* changed by the options rtol and atol, which each solver has */
    char *text;        /* the same text without rtol and atol */
} kb_choice;

/* rtol and atol hold the values to be used without such options on entry. options and text are
 * allocated, also when it fails. Error: an option that the table does not have, no number, a value
 * outside its range there, or a tolerance outside 0 < rtol, atol <= 1. */
int kb_solver_options(const kb_solver_info *info, const char *text, kb_choice *c, kb_error *err);

/* is it in the range of the table, and whole where it must be? */
bool kb_option_allows(const kb_option *o, double value);
