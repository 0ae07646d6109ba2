/* SPDX-License-Identifier: MIT
 *
 * Sums over lists as bundles of 32 rows, and the products of an elimination as such sums, for teams
 * of threads (team.c).
 */
#pragma once

#include "mech/tables/build.h"
#include "mech/tables/update_pairs.h"

enum { KB_BUNDLE_ROWS = 32 };

/* one sum: where it goes, and its terms, pairs of ints */
typedef struct {
    int target, n;
    int *pair;
} kb_sum_row;

/* the tables of one kind of sum */
typedef struct {
    kb_ints *bundle, *target, *pair;
    int nothing[2]; /* a term that adds 0 */
    int bytes[2];   /* of the numbers that the places of a pair are of; 0: no place in memory */
    int scale[2];   /* what they are multiplied by */
} kb_bundles;

/* an element of the matrix and the product l u that it gains, with the pivots of one level */
typedef struct {
    int target, pair[2];
} kb_update;

/* Storage index by position [n][n], -1: no entry, the caller's to free: rows as in lu_row_start and
 * lu_column, behind them the tail. */
int *kb_places(int n, int head, const int *row_start, const int *column, int tail_stride);

/* the longest first */
int kb_by_length(const void *row, const void *other);
void kb_put_bundles(kb_bundles *s, kb_sum_row *row, int n);
void kb_add_bundles(kb_bundles *s, kb_sum_row *row, int n);
void kb_end_bundles(kb_bundles *s);
void kb_add_updates(kb_bundles *s, kb_update *list, int n);
/* All products of a head that is factored, the caller's to free. Level v precedes the products
 * list[from[v]] to list[from[v + 1] - 1]; from [levels + 2], 0 before. */
kb_update *kb_factor_updates(const kb_sparse *lu, const int *storage, int levels, int *from);
