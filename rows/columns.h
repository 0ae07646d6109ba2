/* SPDX-License-Identifier: MIT
 *
 * The columns of the tables that bench writes: one line each in columns_cells.def,
 * columns_samples.def, columns_divergence.def and columns_timeline.def.
 */
#pragma once

#include <stdio.h>

#include "base/csv.h"

typedef struct {
    const char *name, *unit; /* unit: "" for none */
    const char *value;       /* the expression of the .def: TEXT(...), otherwise a number */
    const char *meaning;     /* markdown */
} kb_column;

typedef struct {
    const char *file; /* "cells.csv" */
    const kb_column *column;
    int count;
} kb_columns;

/* kb_which_columns: those of each file that say which cell a row is about */
extern const kb_columns kb_which_columns, kb_cells_columns, kb_samples_columns,
    kb_divergence_columns, kb_timeline_columns;

/* The column why of a cell that was skipped since its run, or a probe of n of its ODEs, was ended
 * at the budget, or since the run of the cell with that rtol and n was */
#define KB_AS_WITH(number) "beyond the budget, as with rtol " number " and n %ld"
#define KB_TOOK_LONGER "one run of %ld ODEs took longer than the budget of %lg s"
/* the same of a probe that was ended after some substeps, since a kernel cannot be ended later */
#define KB_NOT_ENDED(seconds) "%ld ODEs had not all ended after %ld substeps and " seconds " s"
/* and of one that was skipped since its warm-up and repeats would take longer than the budget */
#define KB_PREDICTED(seconds) "predicted " seconds " s for 1 + %d runs"

/* An empty table with these columns */
void kb_columns_start(kb_csv *t, const kb_columns *columns);
/* Replaces t by the table at path; leaves it as it is where there is no such file. Errors: those
 * of kb_csv_read; other columns, with the first that differs; a field of numbers with something
 * else in it, not finite (but for errors), or empty where each row has one, with its line. */
int kb_columns_read(kb_csv *t, const kb_columns *columns, const char *path, kb_error *err);
/* Lists of the columns in markdown, each under a heading, in lines of at most 100 characters: the
 * part of docs/results-format.md between <!-- columns --> and <!-- /columns --> */
void kb_columns_print(FILE *to);
