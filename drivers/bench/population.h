/* SPDX-License-Identifier: MIT
 *
 * Checks that the population is the same at every n: curves over n mean something only if an ODE is
 * as much work at each n.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/csv.h"

#define KB_POPULATION_WITHIN 0.1 /* of the mean work at the largest n */

/* Fills the column work_ratio of cells.csv: rhs_mean over that of the row with the largest n of the
 * same solver, engine, tolerances, dt, steps and sample, whatever its order and schedule. Empty
 * where the cell was not run. */
void kb_population_fill(kb_csv *cells);

/* Lines for each solver, dt and n of these rows whose ratio is not within bounds */
void kb_population_print(const kb_csv *cells, const long *rows, long n, FILE *to);
