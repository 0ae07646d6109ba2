/* SPDX-License-Identifier: MIT
 *
 * What the files of libkinbench share.
 */
#pragma once

#include <locale.h>
#include <pthread.h>
#include <stdbool.h>

#include "base/float_environment.h"
#include "library/kinbench.h"
#include "solvers/options.h"
#include "solvers/states.h"

static inline void kb_locale_restore(const locale_t *owners) { uselocale(*owners); }

/* as a declaration in each function that others call: arithmetic and, for the numbers of files and
 * options, texts are ours (1.5, not 1,5) until it returns */
#define KB_HOLD_CALLER()                                                                           \
    KB_HOLD_ENVIRONMENT();                                                                         \
    locale_t owners_locale_ __attribute__((cleanup(kb_locale_restore), unused)) =                  \
        uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0)) /* takes no memory */

struct kb_mechanism {
    const kb_solvers *solvers;
};

#define KB_PATH 4096
/* path [size]: of the solvers.so that a name or a file means, which are built if need be; of the
 * engines of any mechanism. Errors: as kb_mechanism_open */
int kb_place_of(const char *name, char *path, size_t size);
int kb_place_of_any(char *path, size_t size);
/* Solvers that were compiled for the mechanism that the engines have read from file, or for one
 * like it (mech/tables/likeness.h); NULL: there are none. */
const kb_solvers *kb_compiled_for(const char *engines, const kb_solvers *read, const char *file);

/* memory of one call, kept for the next one */
typedef struct kb_scratch_memory {
    struct kb_scratch_memory *next;
    long n;          /* room for these states */
    double *states;  /* n x (nsp + 2) */
    double *y;       /* n x (nsp + 1) */
    kb_count *count; /* n */
} kb_scratch_memory;

/* What "auto" chooses from over a dt between two steps [s] whose errors were measured: the errors
 * for this mechanism, and the table for the error asked for */
typedef struct kb_choices {
    struct kb_choices *next;
    double step[2];
    struct kb_held *of;
    int nof, nrows;
    struct kb_tuned *row;
} kb_choices;

/* what the method "auto" knows */
typedef struct {
    double error; /* asked for */
    char *engine; /* that it has to choose; NULL: any */
    bool gpu;     /* there is one */
    struct kb_choices *choices; /* list */
    kb_integrator *chosen; /* list */
} kb_automatic;

struct kb_integrator {
    const kb_solvers *solvers;
    const kb_solver *solver;
    kb_choice choice;
    kb_reactor reactor;
    int layout, threads, block, refill, max_substeps, repair;
    kb_state_limits limits; /* of the states of kb_integrate */
    double cost;            /* processor time of an ODE in the last call [s]; 0: unknown */
    bool on_gpu;
    pthread_mutex_t lock;    /* of unused */
    kb_scratch_memory *unused;
    kb_automatic *automatic;   /* NULL: the method is not "auto" */
    const struct kb_tuned *row; /* of one that "auto" chose, and the next of these */
    kb_integrator *next;
};

/* *it becomes, of "auto", the integrator of its choice for this call, on a GPU alone if so.
 * Returns a public code. */
int kb_choose_integrator(kb_integrator **it, long n, double dt, bool on_gpu);
int kb_automatic_create(kb_integrator *it, const char *method, const char *engine);
/* the choices so far, as the settings have changed */
void kb_automatic_forget(kb_integrator *it);
void kb_automatic_free(kb_integrator *it);

/* Keeps the reason of a failure for kb_last_error; both return the public code. */
int kb_fail_with(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
int kb_fail_as(const kb_error *err); /* of a failure inside */

/* Memory for n states that no other call uses; NULL: none, kb_last_error says it */
kb_scratch_memory *kb_scratch_take(kb_integrator *it, long n);
void kb_scratch_return(kb_integrator *it, kb_scratch_memory *s);
void kb_scratch_free(const kb_integrator *it, kb_scratch_memory *s);

/* CPU threads that a call may have; in a child of fork 1 */
int kb_threads_of(const kb_integrator *it);
/* of so many as many as this system starts: OpenMP ends the program where it cannot start one */
int kb_threads_there(int threads);
/* those that are there and worth starting for n ODEs */
int kb_threads_for(const kb_integrator *it, long n);
/* n, T, p and Y of a call as they must be? */
int kb_check_arrays(const kb_integrator *it, long n, const void *T, const void *p, const void *Y);
/* and dt */
int kb_check_dt(double dt);
/* of dt [n] [s] */
double kb_longest(long n, const double *dt);
/* the members of a step as they must be for n ODEs and this integrator? */
int kb_check_step(const kb_integrator *it, long n, const kb_flow_step *step);
#define KB_SINGLE_ENGINE "cpu-simd" /* of single evaluations */
#define KB_FOUND_AT_ONCE 256
/* Finds T, and p of a density, of n rows (T, p, Y), at most KB_FOUND_AT_ONCE; row 0 is number
 * `from` of the step's arrays. y [n x (nsp + 1)] is room. KB_T_REFUSED: T was not found. */
int kb_states_found(const kb_integrator *it, long n, double *rows, double *y,
                    const kb_flow_step *step, long from);
/* rows of a job with the step's forcing, of the solvers' memory; NULL: there is none left */
double *kb_forced_rows(const kb_integrator *it, long n, const double *states,
                       const kb_flow_step *step);
/* T [n] and Y, in the layout that was set, become the first nsp + 1 numbers of rows of so many
 * columns */
void kb_gather(const kb_integrator *it, long n, const double *T, const double *Y, double *rows,
               int columns);
/* density of a row (T, p, Y) [kg/m^3] */
double kb_row_density(const kb_integrator *it, const double *row);
/* a job of the integrator, without states */
kb_job kb_job_of(const kb_integrator *it, long n, double dt);
