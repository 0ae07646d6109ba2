/* SPDX-License-Identifier: MIT
 *
 * Cells and samples as rows of CSV tables.
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
