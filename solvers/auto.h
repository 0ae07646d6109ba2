/* SPDX-License-Identifier: MIT
 *
 * The solver `auto`: method, options, engine, schedule and tolerances for a mechanism, a global
 * step, an error and a number of ODEs, by a table of measurements (tuned.def, written by
 * `make tune` from rows of cells.csv).
 *
 * A cell of the table is what was measured at one size of mechanism, dt and n. The rule: of the
 * rows whose solver is there, the nearest cell, by the sum of squares of
 *   AUTO_SIZE log10(nsp ratio), log10(dt ratio), log10(n ratio);
 * in it the fastest row whose error is at most what is asked for, or, where none is so accurate,
 * the most accurate one. Where that size and dt were measured at a smaller and at a larger n, times
 * are interpolated between the two nearest, log us over log n: a choice that one of them lacks has
 * the mean slope of those that both have on its processor; the larger of two errors counts. The
 * time of a row on CPUs is scaled to the threads that there are.
 */
#ifndef KB_AUTO_H
#define KB_AUTO_H

#include <stdbool.h>
#include <string.h>

#include "solvers/solver.h"

#define AUTO_NAME "auto"
#define AUTO_ERROR 1e-4 /* that is asked for where the user does not say */
#define AUTO_SIZE 3

typedef struct kb_tuned {
    int nsp;            /* species of the mechanism */
    double dt;          /* [s] */
    long n;             /* ODEs */
    double error;       /* err_p95 of cells.csv */
    const char *solver; /* with its options, "rodas4:pass=1" */
    const char *engine;
    kb_schedule schedule;
    double rtol, atol;
    int threads; /* of the CPU; 0: on a GPU */
    double us;   /* for one ODE */
} kb_tuned;

static inline bool kb_tuned_same_cell(const kb_tuned *a, const kb_tuned *b)
{
    return a->nsp == b->nsp && a->dt == b->dt && a->n == b->n;
}

/* wherever they were measured */
static inline bool kb_tuned_same_choice(const kb_tuned *a, const kb_tuned *b)
{
    return !strcmp(a->solver, b->solver) && !strcmp(a->engine, b->engine) &&
           a->schedule == b->schedule && a->rtol == b->rtol && a->atol == b->atol;
}

typedef struct {
    int nsp;
    double dt;
    long n;
    double error;
    int threads; /* CPU threads that there are */
    /* can a row's solver run here? */
    bool (*there)(const void *context, const kb_tuned *row);
    const void *context;
} kb_request;

typedef struct {
    const kb_tuned *row;
    int count;
} kb_tuned_table;

/* The measured one, tuned.def */
extern const kb_tuned_table kb_tuned_here;

/* NULL: the solver of no row is there */
const kb_tuned *kb_auto_choose(const kb_tuned_table *table, const kb_request *request);

/* Is "auto" or "auto:option=value" asked for? */
bool kb_is_auto(const char *text);

/* Is there a GPU, and were these solvers built for one? */
bool kb_gpu_there(const kb_solvers *s);

#endif
