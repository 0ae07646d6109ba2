/* SPDX-License-Identifier: MIT
 *
 * One job on all ranks.
 */
#pragma once

#include <mpi.h>

#include "drivers/ranks/mpi/shared.h"
#include "drivers/ranks/ranks.h"

enum { KB_JOB_OPTIONS = 64 };
enum { TAG_JOB = 1, TAG_STOP, TAG_ASK, TAG_CHUNK, TAG_MARK }; /* of messages: to and from rank 0 */

/* what rank 0 wants: a job; that the others end; that they forget the memory `forget`; the mark of
 * their solvers */
typedef enum { JOB_RUN, JOB_END, JOB_FORGET, JOB_MARK } job_kind;

/* what rank 0 tells the others */
typedef struct {
    job_kind kind;
    long forget;
    shared_place states, y, count; /* of the job, where rank 0's memory is reached */
    shared_place next;             /* and the counter */
    int solver, reactor, schedule, threads, deal, has_options;
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

/* memory that is kept for the next job: page-locking takes longer than many a job. Of a rank's own
 * part; at rank 0 of the parts that go by messages. */
enum { KEPT_PART, KEPT_ROOT, KEPT };

typedef struct {
    const kb_solvers *solvers;
    MPI_Datatype state, result, count; /* a row each */
    long *next; /* dynamic: the first ODE that nobody has taken, in memory of rank 0 */
    /* rank 0: how many of those that do not reach it have not been told that nothing is left, and
     * whether a thread of its own answers them */
    int asking, served;
    job_share kept[KEPT];
    long *list; /* [list_room] of a rank's part: which ODEs they are */
    long list_room;
    shared_memory shared;
    /* of the job: all n ODEs, as this rank reaches them; states NULL: by messages */
    job_share whole;
    int by_messages, told;         /* rank 0: all others get messages; it was said why */
    volatile int stop;             /* rank 0 said so */
    const volatile int *stop_here; /* rank 0: of the job */
} job_world;

/* On all ranks, before a job: finds its arrays. job and result at rank 0, NULL on the others. */
void job_reach(job_world *w, const job_header *h, const kb_job *job, const kb_result *result);
/* Parts that are fixed in advance, or chunks of a queue. On rank 0 with the result, whose times are
 * filled, and costs; both NULL on the others. After job_reach. */
void job_dealt(job_world *w, const job_header *h, kb_result *result, const double *cost,
               job_report *r);
void job_queued(job_world *w, const job_header *h, kb_result *result, job_report *r);
/* rank 0: answers the ranks that ask for a chunk of the queue; returns at once if none does */
void job_answer(job_world *w, const job_header *h);
