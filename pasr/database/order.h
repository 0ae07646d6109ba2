/* SPDX-License-Identifier: MIT
 *
 * Orders of a database's states: permutations kept beside it (<name>.order-<order>.npy, int64), so
 * that one set of states serves all of them. order[k] is the row of the state in place k.
 *
 *   generated    0, 1, 2 ...
 *   similar      neighbours alike: along a Hilbert curve through T, log p and the species that vary
 *                most (order_similar.c)
 *   shuffled     Fisher-Yates over splitmix64 from a seed
 *   sorted-T     T rising
 *   sorted-f     ||f||_WRMS falling, f = d(T, Y)/dt of the initial state at constant p, weights
 *                atol + rtol |y| with the tolerances of RODAS4
 *   sorted-cost  measured cost falling (cost.h)
 *
 * Costly states come first, so that a queue with lane refill has no long tail; static warps take
 * the same time. States with equal keys keep the database's order.
 */
#pragma once

#include "pasr/database/cost.h"

#define KB_ORDERS "generated,similar,shuffled,sorted-T,sorted-f,sorted-cost"
#define KB_ORDER_RTOL 1e-4 /* of ||f||_WRMS */
#define KB_ORDER_ATOL 1e-10

/* The same name as a string that lasts, or NULL if there is no such order */
const char *kb_order_name(const char *name);

typedef struct {
    const char *name;
    unsigned long long seed;   /* of shuffled */
    const kb_solvers *solvers; /* for sorted-f and sorted-cost; NULL otherwise */
    double dt;                 /* [s] of the cost measured by rodas4 when none is kept yet */
    int threads;
    const volatile int *stop;
} kb_order_request;

/* order [db->n] from the file beside the database, if it was made for these states in the same way;
 * otherwise it is made, and kept unless the folder cannot be written. Errors: an unknown name, a
 * kept file that is not a permutation, no solvers where they are needed. */
int kb_order_get(const kb_order_request *r, const kb_database *db, long *order, kb_error *err);

/* The same without files, but sorted-cost needs cost [db->n] (NULL for the others). */
int kb_order_make(const kb_order_request *r, const kb_database *db, const int64_t *cost,
                  long *order, kb_error *err);

/* Of order [all] those rows that are below n, in the same sequence: the first n states of the
 * database, in this order. first [n]. */
void kb_order_first(const long *order, long all, long n, long *first);

/* KB_INVALID unless each of 0 .. n - 1 occurs once; path is for the message */
int kb_order_check(const char *path, const long *order, long n, kb_error *err);

/* ||f||_WRMS of each state, norm [db->n]; infinite where f is not finite */
int kb_order_norm(const kb_database *db, const kb_solvers *s, double *norm, kb_error *err);

/* Places along the Hilbert curve, place [db->n] */
void kb_order_curve(const kb_database *db, uint64_t *place);
