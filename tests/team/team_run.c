/* SPDX-License-Identifier: MIT
 *
 * Integrates the ODEs of one call with one method, by a team of KB_TEAM threads. Compiled with
 * KB_TEAM 1 and more; team.c compares the two. Exports KB_TEAM_RUN.
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

#if KB_TEAM > 1
lane team_values[KB_TEAM];
static pthread_barrier_t barrier;
_Thread_local unsigned team_number;
void team_sync(void) { pthread_barrier_wait(&barrier); }
#endif

static void *integrate(void *number)
{
    kb_ode o = {0};
    METHOD_persistent persistent;
    memset(&persistent, 0, sizeof persistent);
#if KB_TEAM > 1
    team_number = (unsigned)(long)number;
#else
    (void)number;
#endif
    for (long k = 0; k < the_batch->n; k++) {
        load_lane(the_run, the_batch, k, 0, &o, work->y);
        if (o.status == 0.0 && the_run->pass)
            pass_step(the_run, &o, (pass_work *)work, 1);
        if (o.status == 0.0 && o.t < the_run->dt)
            METHOD_init(the_run, &o, &persistent, work, 1);
        while (o.status == 0.0 && o.t < the_run->dt)
            METHOD_step(the_run, &o, &persistent, work);
        team_sync();
        retire_lane(the_batch, k, 0, &o, work->y);
        team_sync();
    }
    return NULL;
}

void KB_TEAM_RUN(const team_job *job, double *y, kb_count *count)
{
    kb_run run = {.dt = job->dt, .rtol = job->rtol, .atol = job->atol, .max_substeps = 1e5,
                  .pass = job->pass, .reactor = job->reactor};
    kb_batch batch = {job->n, job->states, y, count, 0};
    for (int k = 0; options[k].name; k++)
        run.opt[k] = options[k].value;
    the_run = &run;
    the_batch = &batch;
    work = (METHOD_work *)calloc(1, sizeof *work);
#if KB_TEAM > 1
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
