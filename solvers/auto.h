/* SPDX-License-Identifier: MIT
 *
 * The solver `auto`: method, options, engine, schedule and tolerances for a mechanism, a global
 * step, an error and a number of ODEs, by a table of measurements (tuned.def, written by
 * `make tune` from rows of cells.csv).
 *
 * A cell of the table is what was measured at one size of mechanism, dt and n. Its errors are those
 * of its own states, often calm ones. What an error asked for takes is a second table, held.def
 * (make tune, from results/accuracy): for each size of mechanism, step, method and tolerance the
 * error that may be asked for, by states of reactors and ignition paths. kb_held_for takes the
 * sizes and steps that count, kb_auto_hold gives each row the loosest tolerances that
 * hold the error, and drops rows of methods that have none. The rule of kb_auto_choose then: of the
 * rows whose solver is there and whose error is at most what is asked for, the nearest cell, by the
 * sum of squares of
 *   AUTO_SIZE log10(nsp ratio), log10(dt ratio), log10(n ratio);
 * which gives size and dt. Of all rows of these, or where some are of states before reaction of
 * these alone, it takes the fastest that it expects at the n asked for: log us lies on straight
 * lines over log n between the cells that have the choice; a cell that lacks it has the mean slope
 * of those that both have on its processor. A choice that neither of the two cells next to n has is
 * moved there by mean slopes of its engine and counts AUTO_FARTHER times. The larger of two errors
 * counts. The time of a row on CPUs is scaled to the threads that there are, and on CPUs alone n to
 * the ODEs of a thread.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "solvers/solver.h"

#define AUTO_NAME "auto"
#define AUTO_ERROR 1e-4 /* that is asked for where the user does not say */
#define AUTO_SIZE 3
#define AUTO_FARTHER 1.25
/* 95 of 100 ODEs have at most the error asked for in states before reaction, and at most this many
 * times of it in all others, of the ten times that are promised anywhere (docs/methods.md) */
#define AUTO_ROOM 6
/* species: errors of mechanisms up to this size count for each other, since other states of one had
 * the errors of another; for larger ones those from this size on */
#define AUTO_SMALL 53
/* of a size up to that which was measured itself: this part of the way, on a line of logarithms,
 * from the largest of these errors to its own */
#define AUTO_OWN (1.0 / 3)

typedef struct kb_tuned {
    int nsp;            /* species of the mechanism */
    double dt;          /* [s] */
    long n;             /* ODEs */
    double error;       /* err_p95 of cells.csv, or err_max/1000 where that is more */
    const char *solver; /* with its options, "rodas4:pass=1" */
    const char *engine;
    kb_schedule schedule;
    double rtol, atol;
    int threads; /* of the CPU; 0: on a GPU */
    double us;   /* for one ODE */
    bool before; /* of states before reaction */
} kb_tuned;

static inline bool kb_tuned_same_cell(const kb_tuned *a, const kb_tuned *b)
{
    return a->nsp == b->nsp && a->dt == b->dt && a->n == b->n;
}

/* Do two rows have the same solver, engine and schedule? Their tolerances may differ. */
static inline bool kb_tuned_alike(const kb_tuned *a, const kb_tuned *b)
{
    return !strcmp(a->solver, b->solver) && !strcmp(a->engine, b->engine) &&
           a->schedule == b->schedule;
}

/* wherever they were measured */
static inline bool kb_tuned_same_choice(const kb_tuned *a, const kb_tuned *b)
{
    return kb_tuned_alike(a, b) && a->rtol == b->rtol && a->atol == b->atol;
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

/* The value between low and high, `part` of the way along a straight line of logarithms */
static inline double kb_between(double low, double high, double part)
{
    return low * pow(high / low, part);
}

/* What was measured on cores of each method at each tolerance; other engines compute the same
 * substeps */
typedef struct kb_held {
    int nsp;            /* species of the mechanism */
    double dt;          /* [s] */
    const char *solver; /* with the options that change an error: "rodas4:float=1:pass=1" */
    double rtol, atol;
    double error;    /* that may be asked for: the largest of all runs */
    double substeps; /* attempted for one ODE, the geometric mean of all runs */
} kb_held;

typedef struct {
    const kb_held *row;
    int count;
} kb_held_table;

/* The measured one, held.def */
extern const kb_held_table kb_held_here;

/* of [held->count]: the errors for a mechanism of nsp species over dt: of the sizes that count
 * (AUTO_SMALL), the largest of the two measured steps between which dt lies, or of one where dt is
 * that one or beyond all. held lists size after size, step after step. Returns how many there
 * are: what all of these have. */
int kb_held_for(const kb_held_table *held, int nsp, double dt, kb_held *of);
/* these two steps [s] */
void kb_held_steps(const kb_held_table *held, double dt, double of[2]);

/* rows [table->count]: those of the table with the tolerances that hold this error, and their times
 * in proportion to the substeps; between two measured tolerances error and substeps are on straight
 * lines of logarithms, and rtol has two digits. Of rows that differ in tolerances alone the nearest
 * to these is taken. held is of one mechanism and step (kb_held_for). Returns how many there
 * are. */
int kb_auto_hold(const kb_tuned_table *table, const kb_held_table *held, double error,
                 kb_tuned *rows);

/* The smallest error that a solver which is there holds; INFINITY: none is there. Of the request
 * there and context are read. */
double kb_auto_least(const kb_tuned_table *table, const kb_held_table *held,
                     const kb_request *request);

/* NULL: no row is there whose error is as small */
const kb_tuned *kb_auto_choose(const kb_tuned_table *table, const kb_request *request);

/* Is "auto" or "auto:option=value" asked for? */
bool kb_is_auto(const char *text);

/* Is there a GPU, and were these solvers built for one? */
bool kb_gpu_there(const kb_solvers *s);
