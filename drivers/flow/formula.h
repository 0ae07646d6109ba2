/* SPDX-License-Identifier: MIT
 *
 * A formula of some variables as text, "2 * y + sin(pi * x) ^ 2", read once and then evaluated at
 * many points: numbers, + - * / ^, brackets, pi, and the functions of one or two values abs, cos,
 * exp, floor, log, max, min, sin, sqrt, tanh. ^ binds from the right and before a sign.
 */
#pragma once

#include <stdbool.h>

#include "base/error.h"

typedef struct kb_formula kb_formula;

/* names [n]: the variables. what ("'p'") is for messages, which name the place in the text. NULL
 * with a message; kb_formula_free frees. */
kb_formula *kb_formula_read(const char *what, const char *text, const char *const *names, int n,
                            kb_error *err);
kb_formula *kb_formula_of(double number);
bool kb_formula_is_number(const kb_formula *f);
double kb_formula_at(const kb_formula *f, const double *variables); /* [n] */
void kb_formula_free(kb_formula *f);
