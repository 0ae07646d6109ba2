/* SPDX-License-Identifier: MIT
 *
 * Rows of several tables for a figure: those that count (ranking.h) and hold selectors (query.h).
 */
#pragma once

#include <stdio.h>

#include "rows/query.h"

typedef struct kb_picked kb_picked; /* a row */
typedef struct kb_source kb_source; /* a table */

typedef struct {
    kb_source *source;
    int nsources;
    kb_picked *row;
    long nrows;
} kb_pick;

/* Adds the rows of the table at path that count, or were ended at their budget. run: NULL for the
 * name of its folder, whose environment.json says mech, machine and git where the table does not.
 * Rows of linear systems and of the flow solver get the columns of a cell: solver, engine, n and
 * times. Error: a table that cannot be read. */
int kb_pick_add(kb_pick *p, const char *path, const char *experiment, const char *run,
                kb_error *err);
/* Leaves the rows that hold the selectors, one after another: words between blanks, as in a query.
 * Alternatives (a,b|c,d) are chosen for each experiment, mechanism, dt, solver and engine apart;
 * for n each experiment, dt, size of a linear system, and CPU or GPU. The list counts of which most
 * pairs of value and size are there, the first of equals. The value max is the largest one there;
 * threads leaves rows of GPUs alone. A method without error control needs to be named, and rows of
 * wrong ODEs are left out unless wrong is (wrong=*), rows that were ended at their budget unless
 * status is (status=ok,skipped). */
int kb_pick_select(kb_pick *p, const char *selectors, kb_error *err);
/* The rows between tabs, below the names of all columns; then file, row (run/table:line), yardstick
 * (1: CVODE of ours), and wish_KEY: which value of the list in KEY=a,b the row has, from 1 */
void kb_pick_print(const kb_pick *p, FILE *to);
void kb_pick_free(kb_pick *p);

/* A text and the character behind it; control characters in the text are blanks */
void kb_tabbed(const char *text, char end, FILE *to);
