/* SPDX-License-Identifier: MIT
 *
 * What the files of libkinbench share.
 */
#ifndef KB_LIBRARY_INSIDE_H
#define KB_LIBRARY_INSIDE_H

#include <pthread.h>
#include <stdbool.h>

#include "library/kinbench.h"
#include "solvers/options.h"

struct kb_mechanism {
    const kb_solvers *solvers;
};

/* memory of one call, kept for the next one */
typedef struct kb_scratch_memory {
    struct kb_scratch_memory *next;
    long n;          /* room for these states */
    double *states;  /* n x (nsp + 2) */
    double *y;       /* n x (nsp + 1) */
    kb_count *count; /* n */
} kb_scratch_memory;

struct kb_integrator {
    const kb_solvers *solvers;
    const kb_solver *solver;
    kb_choice choice;
    kb_reactor reactor;
    int layout, threads, block, refill, max_substeps;
    bool on_gpu;
    pthread_mutex_t lock;    /* of unused */
    kb_scratch_memory *unused;
};

/* Keeps the reason of a failure for kb_last_error; both return the public code. */
int kb_fail_with(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
int kb_fail_as(const kb_error *err); /* of a failure inside */

/* Memory for n states that no other call uses; NULL: none, kb_last_error says it */
kb_scratch_memory *kb_scratch_take(kb_integrator *it, long n);
void kb_scratch_return(kb_integrator *it, kb_scratch_memory *s);
void kb_scratch_free(const kb_integrator *it, kb_scratch_memory *s);

/* CPU threads of a call */
int kb_threads_of(const kb_integrator *it);
/* n, T, p and Y of a call as they must be? */
int kb_check_arrays(const kb_integrator *it, long n, const void *T, const void *p, const void *Y);
/* and dt */
int kb_check_dt(double dt);
/* a job of the integrator, without states */
kb_job kb_job_of(const kb_integrator *it, long n, double dt);

#endif
