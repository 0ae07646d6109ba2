/* SPDX-License-Identifier: MIT
 *
 * Rows of different tables that are about the same cell: by the columns of columns_which.def.
 */
#pragma once

#include "base/csv.h"

#define KB_MOST_IDENTITY 32

/* Those columns of columns_which.def that all n tables have */
typedef struct {
    const char *column[KB_MOST_IDENTITY];
    int count;
} kb_identity;

kb_identity kb_identity_of(const kb_csv *const *tables, int n);
/* Their text in a row, "rodas4|cpu-simd|..."; caller frees */
char *kb_identity_text(const kb_identity *id, const kb_csv *t, long row);

/* Samples by cell */
typedef struct {
    const kb_csv *samples;
    char **text; /* [nrows] identity of each row */
    long *row;   /* [nrows] rows, those of a cell together and in their order */
} kb_sample_index;

void kb_samples_index(kb_sample_index *ix, const kb_csv *samples, const kb_identity *id);
void kb_samples_free(kb_sample_index *ix);
/* The rows of samples about the cell whose identity is text: *rows points into ix; returns how
 * many */
long kb_samples_of(const kb_sample_index *ix, const char *text, const long **rows);
/* time_s of those rows; caller frees; n may be 0 */
double *kb_samples_times(const kb_sample_index *ix, const char *text, long *n);
/* 95 % interval of the time of row `slow` of cells over that of row `fast`, from their samples; NAN
 * where there are none */
void kb_samples_ratio(const kb_sample_index *ix, const kb_identity *id, const kb_csv *cells,
                      long slow, long fast, double *lo, double *hi);
