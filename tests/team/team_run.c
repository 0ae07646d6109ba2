/* SPDX-License-Identifier: MIT
 *
 * Integrates the ODEs of one call with one method, by a team of KB_TEAM threads. Compiled with
 * KB_TEAM 1 and more, and with KB_LANES ODEs side by side; team.c compares them. Exports
 * KB_TEAM_RUN.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "solvers/engines/engine.h"
#include "tests/team/team_run.h"

static const kb_option options[] = KB_METHOD_OPTIONS;
static const kb_run *the_run;
static const kb_batch *the_batch;
static METHOD_work *work;

/* what each thread has of its own; or each warp (team_pair.cpp) */
#ifndef TEAM_OWN
#define TEAM_OWN(type, name) \
    type name;               \
    memset((void *)&name, 0, sizeof name)
#endif

#ifdef __CUDACC__
static void run_threads(void);
#elif KB_TEAM > 1
lane team_values[KB_TEAM];
static pthread_barrier_t barrier;
_Thread_local unsigned team_number;
void team_sync(void) { pthread_barrier_wait(&barrier); }
#endif

/* writes out what is done; the other lanes get a copy of one that runs */
static void retire(long k, kb_ode *o)
{
    mask done = o->active & ((o->status != 0.0) | not_(o->t < the_run->dt));
    int from = 0;
    team_sync();
    for (int l = 0; l < KB_LANES; l++)
        if (mask_get(done, l))
            retire_lane(the_batch, k + l, l, o, work->y);
    team_sync();
    while (from < KB_LANES && !mask_get(o->active, from))
        from++;
    for (int l = 0; l < KB_LANES && from < KB_LANES; l++)
        if (!mask_get(o->active, l))
            park_lane(l, from, o, work->y);
    team_sync();
}

static void *integrate(void *number)
{
#if KB_TEAM > 1 && !defined(__CUDACC__)
    team_number = (unsigned)(long)number;
#else
    (void)number;
#endif
    TEAM_OWN(kb_ode, o);
    TEAM_OWN(METHOD_persistent, persistent);
#if KB_SCRATCH_GLOBAL
    static kb_scratch scratch;
    o.scratch = &scratch;
#endif
#ifdef KB_FORCED
    static lane forcing[N];
    o.forcing = forcing;
#endif
    for (long k = 0; k < the_batch->n; k += KB_LANES) {
        mask starting = mask_none();
        for (int l = 0; l < KB_LANES && k + l < the_batch->n; l++) {
            load_lane(the_run, the_batch, k + l, l, &o, work->y);
            mask_put(&starting, l, 1);
        }
        retire(k, &o);
        if (the_run->pass && lane_any(o.active)) {
            pass_step(the_run, &o, (pass_work *)work, starting & o.active);
            retire(k, &o);
        }
        if (lane_any(o.active))
            METHOD_init(the_run, &o, &persistent, work, starting & o.active);
        while (lane_any(o.active)) {
            METHOD_step(the_run, &o, &persistent, work);
            retire(k, &o);
        }
    }
    return NULL;
}

void KB_TEAM_RUN(const team_job *job, double *y, kb_count *count)
{
    kb_run run = {.dt = job->dt, .rtol = job->rtol, .atol = job->atol, .max_substeps = 1e5,
                  .pass = job->pass, .reactor = job->reactor};
    kb_batch batch = {job->n, job->states, y, count, 0};
#ifdef KB_FORCED /* of 0 */
    batch.columns = N + 1;
#endif
    for (int k = 0; options[k].name; k++)
        run.opt[k] = job->pade && !strcmp(options[k].name, "phi") ? 2 : options[k].value;
    the_run = &run;
    the_batch = &batch;
    size_t size = (sizeof *work + 63) / 64 * 64;
    work = (METHOD_work *)memset(aligned_alloc(64, size), 0, size);
#ifdef __CUDACC__
    run_threads();
#elif KB_TEAM > 1
    pthread_t threads[KB_TEAM];
    pthread_barrier_init(&barrier, NULL, KB_TEAM);
    for (long t = 0; t < KB_TEAM; t++)
        pthread_create(&threads[t], NULL, integrate, (void *)t);
    for (int t = 0; t < KB_TEAM; t++)
        pthread_join(threads[t], NULL);
    pthread_barrier_destroy(&barrier);
#else
    integrate(NULL);
#endif
    free(work);
}
