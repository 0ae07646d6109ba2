/* SPDX-License-Identifier: MIT
 *
 * Cells, samples and slices as rows of CSV tables.
 */
#pragma once

#include "drivers/bench/record.h"
#include "rows/columns.h"

/* Index of the row of cells.csv about this cell, -1 if there is none */
long kb_row_find(const kb_csv *cells, const kb_cell *c);
/* Fills a row of cells.csv from a cell that is not pending */
void kb_row_fill(kb_csv *cells, long row, const kb_record *r, const kb_cell *c);

/* A new row of samples.csv for sample i of the cell; returns its index */
long kb_row_of_sample(kb_csv *samples, const kb_cell *c, int i);
kb_sample kb_sample_of_row(const kb_csv *samples, long row);
/* Labels the cell's samples in the column outlier: low, high or nothing */
void kb_rows_label(kb_csv *samples, const kb_cell *c);

#define KB_TIMELINE_MOST 1024 /* slices of a run that are kept */

/* timeline.csv has when the copies and kernels of the slices of a GPU run began and ended (Sewerin
 * and Rigopoulos 2015, Fig. 2). The slices of the run just made replace the rows of the cell. */
void kb_timeline_fill(kb_csv *t, const kb_cell *cell, const kb_slice *slices, long n);
