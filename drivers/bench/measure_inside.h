/* SPDX-License-Identifier: MIT
 *
 * Inside of measuring: runs and samples (measure.c), which cells are not run (probe.c), what a
 * run says (outcome.c).
 */
#pragma once

#include "drivers/bench/measure.h"

struct kb_inputs {
    const char *order, *solver; /* solver: NULL but for an order of its own (KB_ORDER_OWN) */
    double dt, rtol, atol;      /* of the same */
    long n;
    long *place;          /* index into kb_measure.row of each ODE */
    double *states;       /* n rows of kb_measure.rows, in the solvers' memory */
};

/* A run under the limit of the budget. max_substeps 0: the user's. Returns KB_OK, KB_INTERRUPTED by
 * the user, or KB_DIFFERS when the cell's state was set instead. */
int kb_limited_run(kb_measure *m, kb_cell *cell, const double *states, long n, long max_substeps,
                   kb_result *result);
/* do 1 + repeats runs of `seconds` stay within it? */
bool kb_within_budget(const kb_measure *m, double seconds);
/* Sets the state to skipped, and returns true, when 1 + repeats runs of `seconds` go beyond the
 * budget; basis says where the time is from. */
bool kb_beyond_budget(const kb_measure *m, kb_cell *cell, double seconds, const char *basis);

/* Before the whole cell is run: a prediction from a few states. A CPU engine can be stopped, so
 * 64 states are enough, or more where those take no time. A kernel may not: there 64 states start
 * with few substeps, which grow while their time says that the next kernel is short; then the first
 * substeps of all states say how full the device is. *max_substeps is what the run of the whole
 * cell may take so that it cannot be much longer than the budget (the user's on a CPU). Returns as
 * kb_limited_run. */
int kb_probe(kb_measure *m, kb_cell *cell, const kb_inputs *in, long *max_substeps);

/* Time of an ODE [s] by a probe as above, if as many as `width` are in flight. Returns as
 * kb_limited_run, and KB_DIFFERS too if the probe takes longer than the budget of m. */
int kb_probe_time(kb_measure *m, kb_cell *cell, const kb_inputs *in, double *each, long *width);

/* How many times a part of the cell, as long as the whole, is run on one thread beside several */
int kb_alone_samples(const kb_cell *cell, const kb_settings *set);

/* Fills the outcome and `why` of the cell from m->y and m->count */
void kb_outcome_fill(const kb_measure *m, kb_cell *cell, const kb_inputs *in, const kb_result *r);
