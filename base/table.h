/* SPDX-License-Identifier: MIT
 *
 * What bench prints on stdout: aligned tables, the final one and the plan.
 */
#ifndef KB_TABLE_H
#define KB_TABLE_H

#include <stdio.h>

#include "drivers/bench/record.h"

typedef struct {
    int ncolumns;
    const char *const *heads;
    int left;      /* this many columns are aligned left, the others right ... */
    bool last_left; /* ... but for the last one, if so */
    long nrows;
    char ***rows;
} kb_table;

/* A new row; each of the ncolumns fields is fresh memory that the table takes */
void kb_table_add(kb_table *t, char **fields);
void kb_table_write(const kb_table *t, FILE *to);
void kb_table_print(const kb_table *t); /* to stdout */
void kb_table_free(kb_table *t);

/* Results of the cells of this matrix, one table for each dt, n and order, fastest first. The ratio
 * is time of the fastest CVODE of the folder (same ODEs, same number of threads if both run on the
 * CPU) whose p95 error is equal or smaller, divided by the time of the cell; only cells without
 * failed ODEs count. */
void kb_print_results(const kb_record *r, const kb_matrix *m);

/* Where a solver was measured in more than one order: time and expected time of each order and
 * schedule over those of similar (or else the first order) with static groups, on stdout and as
 * slowdown.txt in the folder of the run. Nothing when there is one order only. */
int kb_print_slow_down(const kb_record *r, const kb_matrix *m, kb_error *err);
/* For how many cells engines, orders and schedules counted the same substeps, and which did not */
void kb_print_agreement(const kb_record *r, const kb_matrix *m);

/* The cells, what is cached, and an estimate of the time; reads only. */
void kb_print_plan(const kb_record *r, const kb_matrix *m);

#endif
