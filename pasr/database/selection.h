/* SPDX-License-Identifier: MIT
 *
 * Which n states of a database are run, so that every n is the same population:
 *
 *   even    a seeded sequence of all rows whose first n are spread over the whole database. Rows
 *           are halved by their place in it (condition, time, particle, point of a path), each half
 *           by T, each quarter by the place on the Hilbert curve of the order "similar", then by
 *           place again, and so on. A node of this tree takes its rows from its two halves in turn.
 *           So the first 2^k rows have one in each of the 2^k parts of depth k (parts differ by at
 *           most one row in size), and the rows of n are among those of any larger n.
 *   first   rows 0 .. n - 1, as the papers take them from a list that is repeated (TILE=1)
 */
#pragma once

#include "pasr/database/database.h"

/* The same name as a string that lasts, or NULL if there is no such selection */
const char *kb_selection_name(const char *name);

/* row [n]: the first n rows of the sequence of all db->n (n <= db->n). seed is for even. The same
 * seed and states give the same rows on every machine. */
void kb_selection_make(const char *name, unsigned long long seed, const kb_database *db, long n,
                       long *row);

/* Of order [all], a sequence of all rows of a database: those that are in row [n], in the order's
 * sequence. place [n]: at [k] stands the index into row of the k-th of them. */
void kb_selection_order(const long *row, long n, const long *order, long all, long *place);
