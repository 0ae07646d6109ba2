/* SPDX-License-Identifier: MIT
 *
 * Linear systems to measure kernels with, and the check of what a kernel made of them.
 */
#pragma once

#include "pasr/database/database.h"
#include "solvers/parts/kernels.h"

typedef struct {
    const char *matrix; /* "dominant" or "newton" */
    kb_systems s;       /* n, segments, block are left to the caller */
    double *A, *b, *packed, *reference; /* reference [distinct][m]: by pivoted_lu.h */
    double first_weight; /* of row and unknown 0: T [K] counts as T/1000 */
} kb_system_set;

typedef struct {
    /* backward errors with r = b - A x, s = |A| |x| + |b|: largest |r_i| / largest s_i of a
     * system, and largest |r_i|/s_i, which is a matter of every row for itself (Oettli and
     * Prager 1964) */
    double backward, componentwise;
    double difference; /* largest |x - reference| / largest |reference|, of a system */
    long differing; /* systems whose x is not, bit by bit, that of the same matrix elsewhere */
} kb_system_check;

/* Off the diagonal random in [-1, 1), on it 1 + the sum of the others' sizes: elimination
 * without pivoting is safe. Error: a singular matrix. */
int kb_systems_dominant(kb_system_set *set, int m, long distinct, kb_error *err);
/* Newton matrices gi I - J, gi = 1/gamma, at states spread over the database */
int kb_systems_newton(kb_system_set *set, const kb_kernels *kernels, const kb_database *db,
                      long distinct, double gamma, kb_error *err);
void kb_systems_free(kb_system_set *set);

/* x [n][m]: a system that is not finite makes all errors infinite */
kb_system_check kb_systems_check(const kb_system_set *set, long n, const double *x);
