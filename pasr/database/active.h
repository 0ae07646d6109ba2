/* SPDX-License-Identifier: MIT
 *
 * How many states of a database are chemically active: a state at equilibrium or without reaction
 * costs every solver almost nothing, and a database of such states hides how solvers differ.
 */
#pragma once

#include <jansson.h>

#include "solvers/solver.h"

#define KB_ACTIVE_SAMPLE 20000 /* states, evenly spaced rows */
#define KB_ACTIVE_RTOL 1e-4
#define KB_ACTIVE_ATOL 1e-10

/* Runs rodas4 at loose tolerances over dt = 1e-6 and 1e-4 s from a sample of states
 * [n x (nsp + 2)]. A state is active when it needs more attempted substeps than the least of the
 * sample. The object: criterion, sample, and for each dt the least, the mean and the most substeps
 * and the share of active states. NULL with a message when it could not be done; stop may be
 * NULL. */
json_t *kb_active(const kb_solvers *s, long n, const double *states, int threads,
                  const volatile int *stop, kb_error *err);
