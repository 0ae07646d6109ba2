/* SPDX-License-Identifier: MIT
 *
 * One side of a comparison: the cells of a run, or of all runs in a folder, with their samples.
 */
#pragma once

#include <stdbool.h>

#include "base/owned.h"
#include "rows/identity.h"

typedef struct {
    char *folder;
    kb_csv cells, samples;
} kb_compare_run;

typedef struct {
    const kb_compare_run *run;
    long row;             /* of run->cells */
    char *identity;       /* equal for cells that are compared */
    long n;               /* samples */
    double *time, *begin; /* [n] s; s since 1970, NAN where it is not known */
} kb_side_cell;

typedef struct {
    const char *folder;
    bool one_run; /* folder is that of a run, not one of several */
    kb_compare_run *runs;
    int nruns;
    kb_side_cell *cells;
    long ncells;
    const char *column; /* of samples.csv that is compared: time_s or cpu_s */
} kb_side;

/* folder: of a run (cells.csv and samples.csv are in it), or one with folders of runs. Errors: no
 * such; a table that cannot be read; no run with that column. */
int kb_side_read(kb_side *s, const char *folder, const char *column, kb_error *err);
/* The cells of n sides, by the columns that all tables of all sides have. Call once. */
void kb_sides_join(kb_side *const *sides, int n);
/* Index of the cell of b with the identity of a->cells[i], -1 */
long kb_side_find(const kb_side *b, const char *identity);
void kb_side_free(kb_side *s);

bool kb_side_measured(const kb_side_cell *c);
double kb_side_value(const kb_side_cell *c, const char *column);
const char *kb_side_text(const kb_side_cell *c, const char *column);
