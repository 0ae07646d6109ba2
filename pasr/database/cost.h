/* SPDX-License-Identifier: MIT
 *
 * Measured cost of each state of a database: attempted substeps of one solver, kept beside it as
 * <name>.cost.npy (column.h) for the order sorted-cost. The last measurement stands.
 */
#pragma once

#include "pasr/database/column.h"
#include "solvers/solver.h"

typedef struct {
    const kb_solvers *solvers;
    const char *solver, *engine;
    double dt;         /* [s] */
    double rtol, atol; /* 0: the solver's own */
    int threads;       /* 0: all */
    const volatile int *stop;
} kb_cost_run;

/* Runs the states of these rows, each cold over dt at constant pressure; count [n]. rows NULL: the
 * first n. */
int kb_cost_count(const kb_cost_run *run, const kb_database *db, const long *rows, long n,
                  kb_count *count, kb_error *err);

/* "rodas4 cpu-simd, dt 1e-06 s, rtol 0.0001, atol 1e-10"; caller frees */
char *kb_cost_text(const kb_cost_run *run);

/* count [db->n] in the order of the database */
int kb_cost_write(const kb_database *db, const kb_count *count, const char *about, kb_error *err);

/* cost [db->n]; about as written (caller frees). KB_NOTHING when there is none for these states. */
int kb_cost_read(const kb_database *db, int64_t *cost, char **about, kb_error *err);
