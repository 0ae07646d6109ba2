/* SPDX-License-Identifier: MIT
 *
 * The engines cpu-scalar (KB_LANES 1) and cpu-simd (KB_LANES > 1) for one method: OpenMP threads
 * that take ODEs from one queue. Exports the kb_solver KB_SOLVER.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include "solvers/engines/engine.h"

typedef struct {
    long next;
    long lane_attempts, vector_attempts;
} queue;

/* the next ODEs, at most `most`, as one run of consecutive numbers; fewer at the end */
static long take(queue *q, long n, int most, long *first)
{
    *first = __atomic_fetch_add(&q->next, most, __ATOMIC_RELAXED);
    return *first >= n ? 0 : *first + most > n ? n - *first : most;
}

/* loads free lanes by the schedule; returns the new ones */
static mask load_lanes(const kb_run *run, const kb_batch *batch, queue *q, long *id, kb_ode *o,
                       lane *y)
{
    mask starting = mask_none();
    if (!batch->refill) {
        long first;
        if (lane_any(o->active))
            return starting;
        long got = take(q, batch->n, KB_LANES, &first);
        for (int l = 0; l < got; l++) {
            load_lane(run, batch, id[l] = first + l, l, o, y);
            mask_put(&starting, l, 1);
        }
        return starting;
    }
    for (int l = 0; l < KB_LANES; l++) {
        if (mask_get(o->active, l) || !take(q, batch->n, 1, &id[l]))
            continue;
        load_lane(run, batch, id[l], l, o, y);
        mask_put(&starting, l, 1);
    }
    return starting;
}

static void park_idle(kb_ode *o, lane *y)
{
    int from = 0;
    while (!mask_get(o->active, from))
        from++;
    for (int l = 0; l < KB_LANES; l++)
        if (!mask_get(o->active, l))
            park_lane(l, from, o, y);
}

static void retire_lanes(const kb_run *run, const kb_batch *batch, const long *id, kb_ode *o,
                         const lane *y)
{
    mask done = o->active & ((o->status != 0.0) | not_(o->t < run->dt));
    if (lane_any(done))
        for (int l = 0; l < KB_LANES; l++)
            if (mask_get(done, l))
                retire_lane(batch, id[l], l, o, y);
}

/* one thread: flat loop of attempts until the queue is empty and its lanes are done */
static void drive(const kb_run *run, const kb_batch *batch, queue *q, METHOD_work *w,
                  const volatile int *stop)
{
    kb_ode o = {0};
    METHOD_persistent persistent;
    memset(&persistent, 0, sizeof persistent);
    long id[KB_LANES] = {0}, vectors = 0, lanes = 0;
    while (!(stop && *stop)) {
        mask starting = load_lanes(run, batch, q, id, &o, w->y);
        retire_lanes(run, batch, id, &o, w->y); /* impossible states end here */
        if (!lane_any(o.active)) {
            if (lane_any(starting))
                continue;
            break;
        }
        park_idle(&o, w->y);
        if (lane_any(starting))
            METHOD_init(run, &o, &persistent, w, starting);
        METHOD_step(run, &o, &persistent, w);
        vectors++;
        for (int l = 0; l < KB_LANES; l++)
            lanes += mask_get(o.active, l);
        retire_lanes(run, batch, id, &o, w->y);
    }
    __atomic_fetch_add(&q->vector_attempts, vectors, __ATOMIC_RELAXED);
    __atomic_fetch_add(&q->lane_attempts, lanes, __ATOMIC_RELAXED);
}

static METHOD_work *new_work(void)
{
    size_t size = (sizeof(METHOD_work) + 63) / 64 * 64;
    METHOD_work *w = aligned_alloc(64, size);
    return w ? memset(w, 0, size) : NULL;
}

static const kb_option options[] = KB_METHOD_OPTIONS;

static int run_batch(const kb_solver *self, const kb_job *job, kb_result *result, kb_error *err)
{
    kb_run run = run_of(job, options, sizeof options / sizeof *options - 1);
    kb_batch batch = {job->n, job->states, result->y, result->count, job->schedule == KB_REFILL};
    queue q = {0};
    int threads = job->threads ? job->threads : omp_get_max_threads(), failed = 0;
    double start = omp_get_wtime();
#pragma omp parallel num_threads(threads) reduction(+ : failed)
    {
        METHOD_work *w = new_work();
        if (w)
            drive(&run, &batch, &q, w, job->stop);
        else
            failed++;
        free(w);
    }
    result->total = result->kernel = omp_get_wtime() - start;
    result->copy_in = result->copy_out = 0;
    result->lanes = KB_LANES;
    result->threads = threads;
    result->resident = (long)threads * KB_LANES;
    result->lane_use = q.vector_attempts ? (double)q.lane_attempts / q.vector_attempts / KB_LANES
                                         : 1;
    if (failed)
        return kb_fail(err, KB_INVALID, "no memory for %d of %d threads of %s", failed, threads,
                       self->info.name);
    if (job->stop && *job->stop)
        return kb_fail(err, KB_INTERRUPTED, "interrupted");
    return KB_OK;
}

const kb_solver KB_SOLVER = {
    {.name = KB_TEXT(KB_METHOD),
     .engine = KB_ENGINE,
     .options = options, .lanes = KB_LANES, .bytes_per_ode = sizeof(METHOD_work) / KB_LANES,
     KB_METHOD_INFO},
    run_batch};
