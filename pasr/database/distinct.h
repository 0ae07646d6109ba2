/* SPDX-License-Identifier: MIT
 *
 * Distinct states among rows of a database. Rows that are equal to the last bit have the same
 * solution: a database that repeats the states of a recipe has few of them.
 */
#pragma once

#include "pasr/database/database.h"

typedef struct {
    long count;   /* distinct states, numbered as they first come */
    long *first;  /* [count] where each first comes: index into row, rising */
    long *number; /* [n] which of them each row is */
} kb_distinct;

/* Of the states in row [n] of db */
void kb_distinct_find(kb_distinct *d, const kb_database *db, const long *row, long n);
/* How many distinct states the first `rows` of them have: they are the first of all distinct
 * ones */
long kb_distinct_among(const kb_distinct *d, long rows);
void kb_distinct_free(kb_distinct *d);
