/* SPDX-License-Identifier: MIT
 *
 * timeline.csv: when the copies and kernels of the slices of a GPU run began and ended (Sewerin and
 * Rigopoulos 2015, Fig. 2).
 */
#pragma once

#include "base/csv.h"
#include "drivers/bench/cells.h"

#define KB_TIMELINE_MOST 1024 /* slices of a run that are kept */

/* Replaces the rows of the cell by those of the run just made */
void kb_timeline_fill(kb_csv *t, const kb_cell *cell, const kb_slice *slices, long n);
