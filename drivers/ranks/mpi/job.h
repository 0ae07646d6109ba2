/* SPDX-License-Identifier: MIT
 *
 * One job on all ranks.
 */
#ifndef KB_RANKS_JOB_H
#define KB_RANKS_JOB_H

#include <mpi.h>

#include "drivers/ranks/mpi/shared.h"
#include "drivers/ranks/ranks.h"

enum { KB_JOB_OPTIONS = 64 };

/* what rank 0 tells the others */
typedef struct {
    int end, solver, reactor, schedule, threads, deal, has_options;
    long n, chunk, max_substeps;
    double dt, rtol, atol, options[KB_JOB_OPTIONS];
} job_header;

/* what each rank tells rank 0 */
typedef struct {
    double busy, setup, lane_use; /* [s]: the solver's own time, and what its calls take more */
    int lanes, threads, code;
    long resident, slices, bytes;
    char text[512];
} job_report;

/* a rank's part of a job; [n], with room for `room` */
typedef struct {
    long n, room;
    double *states, *y;
    kb_count *count;
} job_share;

/* memory that is kept for the next job: page-locking takes longer than many a job */
enum { KEPT_PART, KEPT_ROOT, KEPT_DONE, KEPT };

typedef struct {
    const kb_solvers *solvers;
    MPI_Datatype state, result, count; /* a row each */
    MPI_Win queue;                     /* one long at rank 0: the next chunk */
    long *next;
    job_share kept[KEPT];
    shared_memory shared;
    volatile int stop;                 /* rank 0 said so */
    const volatile int *stop_here;     /* rank 0: of the job */
} job_world;

/* Runs the solver on the part; adds to the report. */
void job_solve(job_world *w, const job_header *h, const job_share *p, job_report *r);
/* Parts that are fixed in advance, or chunks of a queue. On rank 0 with job and result, whose times
 * are filled; on the others both are NULL. */
void job_dealt(job_world *w, const job_header *h, const kb_job *job, kb_result *result,
               const double *cost, job_report *r);
void job_queued(job_world *w, const job_header *h, const kb_job *job, kb_result *result,
                job_report *r);

#endif
