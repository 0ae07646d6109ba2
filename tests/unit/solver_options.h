/* SPDX-License-Identifier: MIT
 *
 * Values of a solver's options, for tests.
 */
#pragma once

#include <stdbool.h>
#include <string.h>

#include "solvers/solver.h"

/* engines of any mechanism, as make test builds them */
#define ANY_ENGINES "build/tests/read/build/any/solvers.so"

/* one option in values; false: the solver has none of that name */
static inline bool set_option(const kb_solver *s, const char *name, double value, double *values)
{
    for (int i = 0; s->info.options[i].name; i++)
        if (!strcmp(s->info.options[i].name, name)) {
            values[i] = value;
            return true;
        }
    return false;
}

/* the solver's defaults into values, but for the option of that name; NULL: it has none */
static inline const double *options_with(const kb_solver *s, const char *name, double value,
                                         double values[32])
{
    for (int i = 0; s->info.options[i].name; i++)
        values[i] = s->info.options[i].value;
    return set_option(s, name, value, values) ? values : NULL;
}
