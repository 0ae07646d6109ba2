/* SPDX-License-Identifier: MIT
 *
 * Counters of every ODE of the runs of this session, in the sequence of kb_measure.row, kept once
 * for each solver, tolerance, dt and n: what engines, orders and schedules must agree on.
 */
#pragma once

#include "drivers/bench/cells.h"

#define KB_MOST_ATTEMPTS (1L << 24) /* of all ODEs; noted of a run: 128 MB, kept of all: 64 MB */

/* Evaluations of the right-hand side in the attempts of each ODE: row i made each[first[i]] to
 * each[first[i + 1] - 1], and rhs[i] in all */
typedef struct {
    long *first;         /* [n + 1]; NULL: not known */
    int32_t *each, *rhs; /* rhs: [n] */
} kb_attempts;

typedef struct {
    char *solver;       /* name with options */
    double dt, rtol, atol;
    long n;
    const char *engine; /* that gave them */
    int32_t *steps, *rhs; /* n each: attempted substeps, evaluations of the right-hand side */
    kb_attempts attempts; /* of sets that got them, until later ones need the memory */
} kb_count_set;

typedef struct {
    kb_count_set *set;
    int nsets;
} kb_counts;

/* The set that is comparable with a run of this cell, or NULL */
const kb_count_set *kb_counts_find(const kb_counts *c, const kb_cell *cell);
/* Keeps the counters of a run of the cell: ODE i of the run is place[i] of kb_measure.row. Only the
 * first run of its kind is kept. */
void kb_counts_keep(kb_counts *c, const kb_cell *cell, const long *place, const kb_count *count);
/* Keeps the attempts of a run of the cell, whose set is there and has none. Nothing where the
 * engine noted none, or not all. */
void kb_counts_keep_attempts(kb_counts *c, const kb_cell *cell, const long *place,
                             const kb_count *count, const kb_trail *trail);
void kb_counts_free(kb_counts *c);
