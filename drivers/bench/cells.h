/* SPDX-License-Identifier: MIT
 *
 * The matrix of cells: every combination of the lists that the user gave.
 */
#pragma once

#include "base/owned.h"
#include "drivers/bench/settings.h"

/* An ODE is wrong whose error is above KB_WRONG times the error asked for (rtol, or that which auto
 * was asked for), within these ends: a loose tolerance asks for no error of 10 either */
#define KB_WRONG 1000
#define KB_WRONG_LEAST 1e-3
#define KB_WRONG_MOST 0.1

/* What the run of a cell over n ODEs said, apart from its time */
typedef struct {
    double err_p50, err_p95, err_max; /* over ODEs; infinite where an ODE is not finite */
    double active_share, err_p95_active; /* of ODEs that move by more than 1e-6 */
    double wait[3];                      /* of groups of 8, 32, n in lockstep: columns_cells.def */
    double err_p50_lo, err_p50_hi, err_p95_lo, err_p95_hi; /* kb_percentile_interval */
    double steps_mean, steps_max, rejected_mean, rhs_mean, rhs_max, jac_mean, lu_mean, solve_mean;
    double D_rhs, D_steps, lane_use;
    long failed; /* ODEs whose status is not ok */
    long wrong;  /* ... whose status is ok, with an error above KB_WRONG times what was asked for */
    long passed; /* that took the explicit first pass (solvers/methods/first_pass.h) */
    long resident;
    int lanes, threads, ranks, hosts;
    double imbalance, bytes; /* of ranks */
    double energy;           /* [J] of a global step; 0: not measured */
    double energy_seconds;   /* in which it was measured */
    double energy_spread;    /* of the halves of these seconds */
    double idle_power, power_cap; /* [W] of the same; NAN: not known */
    double peak_host, peak_device; /* [B] NAN: not known */
    double one_thread;       /* [s] of a global step on one thread, by every threads-th ODE; NAN */
} kb_outcome;

/* The order in which each solver has its own most costly ODEs first, known only once it has run */
#define KB_ORDER_OWN "sorted-own"

typedef struct {
    double time, copy_in, kernel, copy_out; /* [s] of one global step: the mean over the batch */
    int batch;
    double cpu;       /* [s] of processors; NAN: not known */
    double begin;     /* [s] since 1970 */
    double clock_MHz; /* of the cores or of the GPU just after; 0: not known */
} kb_sample;

#define KB_ALONE 3 /* most samples of one thread beside several */

typedef enum {
    KB_CELL_PENDING,
    KB_CELL_CACHED,  /* measured before, nothing to do */
    KB_CELL_OK,      /* warmed up in this session */
    KB_CELL_SKIPPED, /* beyond the budget, or its engine is not there */
    KB_CELL_FAILED   /* the engine returned an error */
} kb_cell_state;

typedef struct {
    const char *sample, *order;
    long n;
    int steps;         /* global steps of dt one after another */
    kb_chain chain;    /* where the states are between them */
    double dt, rtol, atol;
    const kb_solver *solver;
    char *solver_text; /* name and options as asked: the column solver */
    double asked;      /* error that `auto` was asked for, which chose all this; 0: it did not */
    double *options;
    kb_schedule schedule;
    int threads;       /* CPU threads; GPU: threads of a block, 0: the engine's choice */
    char key[17];      /* hash of all that can change the result, without the binary */
    kb_cell_state state;
    kb_outcome outcome;
    double warm_s;     /* time of the warm-up run [s]; 0 before */
    kb_sample *samples;
    int nsamples, nalone;
    double alone[KB_ALONE]; /* [s] of an evaluation on one thread, beside the first samples */
    bool beyond;       /* skipped because it was, or is predicted to be, beyond the budget */
    char *why;         /* NULL or why skipped, failed, or how ODEs failed */
} kb_cell;

typedef struct {
    kb_cell *cells;
    int count;
    long max_n;
} kb_matrix;

/* identity: text that stands for binary, mechanism, database, reactor and seed; goes into each key.
 * Errors: a word in a list that is no number, no solver, engine, order or option, with what there
 * is. */
int kb_matrix_make(kb_matrix *m, const kb_settings *set, const kb_solvers *s, const char *identity,
                   kb_error *err);
void kb_matrix_free(kb_matrix *m);
void kb_cell_add_sample(kb_cell *c, const kb_sample *sample);

/* Has the cell too few samples: less than set->repeats, or an interval wider than set->precision
 * while its budget is not spent? */
bool kb_cell_wants_more(const kb_cell *c, const kb_settings *set);

const char *kb_schedule_name(kb_schedule schedule);
bool kb_on_cpu(const kb_cell *c);
/* "rodas4 cpu-simd refill 2 threads, n 1024, dt 1e-06 s, rtol 1e-06"; caller frees */
char *kb_cell_text(const kb_cell *c);
/* Threads as given, or as used where the choice was the engine's; 0: not run yet */
int kb_cell_threads(const kb_cell *c);
/* First 16 hexadecimal digits of the SHA-256 of text; out [17] */
void kb_hash16(const char *text, char *out);
