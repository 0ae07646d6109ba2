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
 * outside its range there, a tolerance outside 0 < rtol, atol <= 1, or values that do not agree. */
int kb_solver_options(const kb_solver_info *info, const char *text, kb_choice *c, kb_error *err);

/* Are the values, one for each entry of the table, possible together? On a GPU `host` leaves no
 * choice of slices: the host's cores get the same array, and what follows the method's options
 * there are options of their own. text: how a message names the solver */
int kb_options_agree(const kb_solver_info *info, const double *values, const char *text,
                     kb_error *err);

/* Does the table have each option of text, whatever its range? */
bool kb_options_known(const kb_solver_info *info, const char *text);

/* is it in the range of the table, and whole where it must be? */
bool kb_option_allows(const kb_option *o, double value);
