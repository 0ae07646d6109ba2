/* SPDX-License-Identifier: MIT
 *
 * How long a run will take: each cell that is not measured yet is timed on a few of its states.
 */
#pragma once

#include "drivers/bench/measure.h"

typedef struct {
    double likely, least, most; /* [s] */
} kb_seconds;

typedef struct {
    kb_seconds *cell;      /* [matrix->count] of all runs still to do; 0 if cached */
    const char **note;     /* [matrix->count] NULL, or why the cell will not be measured */
    kb_seconds references; /* of reference solutions that are not stored yet */
    kb_seconds all;        /* the sum */
} kb_forecast;

/* Probes with m, which kb_measure_start has prepared; cells stay as they are. Cells that differ
 * only in n, order and schedule share a probe on a CPU. missing [k]: distinct states without a
 * reference solution at the dt of cell k, 0 where a cell before has the same dt. Returns KB_OK, or
 * KB_INTERRUPTED; kb_forecast_free in either case. */
int kb_forecast_make(kb_forecast *f, kb_measure *m, const kb_matrix *matrix, const long *missing,
                     kb_progress *progress);
void kb_forecast_free(kb_forecast *f);
