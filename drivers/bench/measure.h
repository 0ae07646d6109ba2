/* SPDX-License-Identifier: MIT
 *
 * Runs cells: the warm-up, which also gives error and counts, and the timed samples.
 */
#pragma once

#include "base/csv.h"
#include "drivers/bench/cells.h"
#include "drivers/bench/counts.h"
#include "drivers/bench/reference.h"
#include "drivers/bench/rows.h"
#include "pasr/database/order.h"
#include "pasr/database/selection.h"

typedef struct kb_inputs kb_inputs; /* states in the order of the run */
typedef struct {
    const char *name;
    long *place; /* [nrows]: indices into the rows that are run, in this order */
} kb_measure_order;

typedef struct {
    const kb_settings *set;
    const kb_solvers *solvers;
    const kb_database *db;
    const kb_database *rows; /* db, or with the forcing of its states (drivers/bench/forcing.h) */
    const long *row; /* [nrows] rows of the database: a run of n ODEs has the first n of them */
    long nrows;
    const kb_mix *mix; /* between global steps, or NULL */
    const kb_reference *references;
    int nreferences;
    kb_measure_order *orders;
    int norders;
    kb_inputs *inputs;
    int ninputs;
    kb_counts counts;    /* of the runs of this session */
    kb_trail *trail;     /* of the next run, or NULL */
    kb_csv *divergence, *timeline; /* rows of divergence.csv and timeline.csv go there */
    kb_slice slices[KB_TIMELINE_MOST]; /* of the last run on a GPU */
    double idle_power[2];    /* [W] of the processors, of the GPU; 0: not asked for yet */
    double *y;       /* results of the last run: nrows x (nsp + 1) */
    kb_count *count; /* nrows */
} kb_measure;

void kb_measure_start(kb_measure *m);
/* Gets the order of the cell, kept beside the database or made now; each cell needs it before it is
 * run. dt is that of a cost measured for sorted-cost. */
int kb_measure_order_of(kb_measure *m, const kb_cell *cell, kb_error *err);
void kb_measure_free(kb_measure *m);

#define KB_MAX_SUBSTEPS 1000000 /* of an engine that is given no limit */

/* Fills state, outcome, warm_s and why of the cell. A run that fails, or is predicted to go beyond
 * the budget, sets the state and is no error here. Returns KB_OK or KB_INTERRUPTED. */
int kb_measure_warm_up(kb_measure *m, kb_cell *cell);

/* why is fresh memory that the cell takes; beyond: it is not run since it would be beyond the
 * budget */
void kb_end_cell(kb_cell *cell, kb_cell_state state, char *why);
void kb_skip_beyond(kb_cell *cell, char *why);

/* Keeps the attempted substeps of the warm-up just run as the cost of the states (cost.h). */
int kb_measure_keep_cost(kb_measure *m, const kb_cell *cell, kb_error *err);

/* One timed sample; runs shorter than 10 ms are repeated and divided. Returns KB_OK, also when the
 * cell failed (its state says so and sample->batch is 0), or KB_INTERRUPTED. */
int kb_measure_sample(kb_measure *m, kb_cell *cell, kb_sample *sample);
