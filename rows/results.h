/* SPDX-License-Identifier: MIT
 *
 * The tables of a results folder, read when a query asks for them.
 */
#pragma once

#include <stdbool.h>

#include "base/csv.h"
#include "rows/value.h"

typedef struct {
    char *run, *table;
    bool there;
    kb_csv csv;
} kb_run_table;

typedef struct {
    char *folder; /* results/gpu */
    int count;
    kb_run_table **of;
} kb_results;

/* Error: no such folder */
int kb_results_open(kb_results *r, const char *folder, kb_error *err);
void kb_results_free(kb_results *r);
/* FOLDER/RUN/TABLE.csv; *t is NULL when there is no such file. Error: a broken one */
int kb_results_table(kb_results *r, const char *run, const char *table, const kb_run_table **t,
                     kb_error *err);
/* Text of a field; git, database and the like from the run's cells when the table lacks them; NULL:
 * there is none */
const char *kb_results_field(kb_results *r, const kb_run_table *t, long row, const char *column);
/* Does environment.json of both runs give the same sources of every solver (plots/papers/sources),
 * for the commits that rows i of a and k of b name? */
bool kb_same_sources(kb_results *r, const kb_run_table *a, long i, const kb_run_table *b, long k);
/* The column's number with its interval; false when it is empty */
bool kb_row_point(const kb_run_table *t, long row, const char *column, kb_point *p);
/* The least that a time can be where a run of all n ODEs, or of fewer of them, was ended at its
 * budget: the value is its lower end, the upper end infinite; false where it was not, or for any
 * other column */
bool kb_row_least(const kb_run_table *t, long row, const char *column, kb_point *p);
/* A computed column (us, rank_error ...) as text [32]; NULL: no such column, or it has no value */
const char *kb_row_computed(const kb_run_table *t, long row, const char *column, char *text);
/* of the same cell except for n? */
bool kb_same_but_n(const kb_csv *t, long a, long b);
/* A row of cells.csv on several threads of a CPU: their rate over as many times the rate of one,
 * the median over the n of the same cell with at least 64 ODEs a thread, without such at the
 * largest n; 0: one thread was not measured. 1 of other rows, and in files without one_thread_s. */
double kb_thread_use(const kb_csv *t, long row);
/* What the row's machine gives as many threads, at most 1: kb_thread_use of RKCK on H2, which stays
 * in a core's own cache and has no lock (run e1-h2-ignition); 1 where it was not measured */
double kb_host_use(kb_results *r, const kb_run_table *t, long row);
/* is it a time, or made of one? */
bool kb_column_timed(const char *column);
/* is it a count of the run that comes before the timed ones? Cells beyond the budget have it too */
bool kb_column_counted(const char *column);
