/* SPDX-License-Identifier: MIT
 *
 * Which rows of results count, which is the fastest at an error, and which CVODE its ratio is to.
 */
#pragma once

#include <stdbool.h>

#include "base/csv.h"

/* Reads a table of results and marks its rows. Errors: those of kb_csv_read. */
int kb_rows_read(kb_csv *t, const char *path, kb_error *err);
/* A run is of one commit, one machine and one file of its mechanism, as more than half of its rows:
 * the others get the status "of another commit", "machine" or "mechanism", and all rows if no half
 * is the larger one. */
void kb_rows_mark(kb_csv *t);
/* Why a row counts for nothing: "skipped", "interrupted", "of failed ODEs", "without a time", "of
 * wrong ODEs"; NULL: it counts. Columns that a table lacks say nothing against its rows. */
const char *kb_row_fault(const kb_csv *t, long row);
/* The same without a look at wrong, which kb_rank_error judges by err_max */
bool kb_is_sound(const kb_csv *t, long row);

/* Rows that compete: the same ODEs, on GPUs or on the same number of CPU threads */
typedef struct {
    const char *dt, *order, *n, *sample, *steps; /* text of the table */
    char on[32];                                 /* "GPU", "2 CPU threads"; "": anywhere */
} kb_contest;

kb_contest kb_contest_of(const kb_csv *cells, long row);
kb_contest kb_contest_anywhere(const kb_csv *cells, long row); /* the same ODEs on any processor */
bool kb_contest_has(const kb_contest *contest, const kb_csv *cells, long row);
/* Is there no row before it in the contest? */
bool kb_contest_begins(const kb_contest *contest, const kb_csv *cells, long row);

/* CVODE of solvers.so, the yardstick; a plug-in never is, whatever its name */
bool kb_is_cvode(const kb_csv *cells, long row);
/* Does the method of a row of cells.csv control its error? One that does not is not ranked: its
 * error is none that was asked for. solver: with options, or without */
bool kb_controls_error(const char *solver);

#define KB_LARGEST 1000 /* times the error of a ranking: as far as a single ODE may be off */
/* The least error at which the row may be called the fastest, and CVODE's the yardstick: err_p95
 * over the active ODEs (over all where the table does not say which are), or err_max / KB_LARGEST
 * where that is more. Infinite where a row never may: one that is not
 * sound, or of a method without error control. */
double kb_rank_error(const kb_csv *cells, long row);
double kb_active_p95(const kb_csv *cells, long row); /* the percentile in that */

/* Row of the least time_s in the contest whose kb_rank_error is at most error, of methods other
 * than that of `but` (or NULL); -1: none */
long kb_fastest(const kb_csv *cells, const kb_contest *contest, double error, const char *but);

/* The same among CVODE's rows: what a ratio to CVODE is to. On a GPU any CVODE, on the CPU one of
 * the same number of threads. */
long kb_fastest_cvode(const kb_csv *cells, const kb_contest *contest, double error);
/* The error that the ratio of a row is at: the decade that its kb_rank_error is in, at least
 * KB_LEAST_LEVEL: 1e-4 for 3e-5. Then one row has one ratio, wherever it is shown. */
double kb_level_of(const kb_csv *cells, long row);
#define KB_LEAST_LEVEL 1e-8

#define KB_WIDE 0.2 /* of the time: an interval that makes small ratios meaningless */
/* Is the 95 % interval of the time wider than KB_WIDE of it? */
bool kb_is_wide(const kb_csv *cells, long row);
