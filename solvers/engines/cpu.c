/* SPDX-License-Identifier: MIT
 *
 * The engines cpu-scalar (KB_LANES 1) and cpu-simd (KB_LANES > 1) for one method: OpenMP threads
 * that take ODEs from one queue. Exports the kb_solver KB_SOLVER.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include "base/thread_room.h"
#include "solvers/engines/engine.h"

typedef struct {
    long next, n;
    const long *left; /* [n] the ODEs that the first pass leaves, or NULL: all */
    long lane_attempts, vector_attempts;
} queue;

/* the ODE at that place of the queue */
static long queued(const queue *q, long place) { return q->left ? q->left[place] : place; }

/* the next ODEs, at most `most`, as one run of consecutive numbers; fewer at the end */
static long take(queue *q, int most, long *first)
{
    *first = __atomic_fetch_add(&q->next, most, __ATOMIC_RELAXED);
    return *first >= q->n ? 0 : *first + most > q->n ? q->n - *first : most;
}

/* the ODE at that place onto lane l; what the first pass evaluated for it counts */
static long load_queued(const kb_run *run, const kb_batch *batch, const queue *q, long place,
                        int l, kb_ode *o, lane *y)
{
    long k = queued(q, place);
    load_lane(run, batch, k, l, o, y);
    if (q->left)
        lane_put(&o->rhs, l, batch->count[k].rhs);
    return k;
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
        long got = take(q, KB_LANES, &first);
        for (int l = 0; l < got; l++) {
            id[l] = load_queued(run, batch, q, first + l, l, o, y);
            mask_put(&starting, l, 1);
        }
        return starting;
    }
    for (int l = 0; l < KB_LANES; l++) {
        if (mask_get(o->active, l) || !take(q, 1, &id[l]))
            continue;
        id[l] = load_queued(run, batch, q, id[l], l, o, y);
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

/* One thread's part of the first pass over all ODEs. passed [n]: which are done; the others keep
 * what was evaluated for them in their counters. Idle lanes have the first ODE of the vector. */
static void pass(const kb_run *run, const kb_batch *batch, queue *q, pass_work *w, char *passed,
                 const volatile int *stop)
{
    kb_ode o = {0};
    long first, got;
    while (!(stop && *stop) && (got = take(q, KB_LANES, &first))) {
        for (int l = 0; l < KB_LANES; l++)
            load_lane(run, batch, l < got ? first + l : first, l, &o, w->y);
        mask done = pass_step(run, &o, w, o.status == 0.0);
        for (int l = 0; l < got; l++) {
            batch->count[first + l].rhs = (int32_t)lane_get(o.rhs, l);
            passed[first + l] = (char)mask_get(done, l);
            if (passed[first + l])
                retire_lane(batch, first + l, l, &o, w->y);
        }
    }
}

/* the ODEs that the pass leaves, in their sequence: into left; returns how many */
static long not_passed(const char *passed, long n, long *left)
{
    long count = 0;
    for (long k = 0; k < n; k++)
        if (!passed[k])
            left[count++] = k;
    return count;
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
    if (kb_thread_room(job->threads ? job->threads : omp_get_max_threads(), err))
        return KB_INVALID;
    kb_run run = run_of(job, options, sizeof options / sizeof *options - 1);
    kb_batch batch = {job->n, job->states, result->y, result->count, job->schedule == KB_REFILL};
    queue q = {.n = job->n}, every = q;
    char *passed = run.pass ? kb_alloc((size_t)job->n, 1) : NULL;
    long *left = run.pass ? kb_alloc((size_t)job->n, sizeof *left) : NULL;
    int threads = job->threads ? job->threads : omp_get_max_threads(), failed = 0;
    double start = omp_get_wtime();
#pragma omp parallel num_threads(threads) reduction(+ : failed)
    {
        METHOD_work *w = new_work();
        if (w && run.pass)
            pass(&run, &batch, &every, (pass_work *)w, passed, job->stop);
        if (run.pass) {
#pragma omp barrier
#pragma omp single
            q = (queue){.n = not_passed(passed, job->n, left), .left = left};
            if (w)
                memset(w, 0, sizeof *w);
        }
        if (w)
            drive(&run, &batch, &q, w, job->stop);
        else
            failed++;
        free(w);
    }
    free(passed);
    free(left);
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
    .info = {.name = KB_TEXT(KB_METHOD), .engine = KB_ENGINE, .options = options,
             .lanes = KB_LANES, .bytes_per_ode = sizeof(METHOD_work) / KB_LANES, KB_METHOD_INFO},
    .run = run_batch};
