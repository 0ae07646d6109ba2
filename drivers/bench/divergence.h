/* SPDX-License-Identifier: MIT
 *
 * divergence.csv: how the work of the ODEs of a cell is spread over warps, and whether engines
 * counted the same work. docs/results-format.md documents the columns.
 */
#pragma once

#include "base/csv.h"
#include "drivers/bench/counts.h"

/* Replaces the rows of the cell by those of the run just made: count [n], place [n] as for
 * kb_counts_keep. `other` is what another run counted, or NULL; attempts: those of this or another
 * run of the same work, or NULL. The cell's key names its rows. */
void kb_divergence_fill(kb_csv *t, const kb_cell *cell, const kb_count *count, const long *place,
                        const kb_count_set *other, const kb_attempts *attempts);
/* Removes the rows of the cell with that key */
void kb_divergence_drop(kb_csv *t, const char *key);
/* First row of the cell and measure ("rhs" or "steps"), -1 if there is none */
long kb_divergence_row(const kb_csv *t, const kb_cell *cell, const char *measure);
