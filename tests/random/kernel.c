/* SPDX-License-Identifier: MIT
 *
 * f and J of a mechanism as one engine computes them. Compiled for each engine with its macros
 * (lane.h) and KERNEL, the name of the function, in C or C++; on a host a team is KB_TEAM threads.
 * KERNEL_FLOAT: J as lines_float_jacobian leaves it.
 */
#include <stdlib.h>
#include <string.h>
#include "solvers/problem.h"
#if KB_TEAM > 1
#include <pthread.h>
#endif

typedef struct {
    lane y[N], dy[N], v[N], Jv[N], D[N * N];
    kb_stored A[NNZ];
    kb_jacobian w;
#ifdef KERNEL_FLOAT
    float floats[NNZ * 2 * KB_LANES];
#endif
    kb_ode o;
} kernel_room;

static kernel_room *room;
static const kb_evaluation *the_one;

/* -J in A */
static void kernel_jacobian(const kb_run *run)
{
#ifdef KERNEL_FLOAT
    problem_float_jacobian(run, &room->o, room->y, room->dy, (lane *)room->floats, 1, &room->w);
    for (int k = 0; k < NNZ; k++)
        for (int l = 0; l < KB_LANES; l++)
            lane_put(&room->A[k], l, room->floats[(2 * k + 1) * KB_LANES + l]);
#else
    problem_jacobian(run, &room->o, room->y, room->dy, room->A, &room->w);
#endif
}

/* the states [first, first + KB_LANES), by each thread of the team */
static void kernel_states(const kb_run *run, long first)
{
    const kb_evaluation *e = the_one;
    if (e->J)
        kernel_jacobian(run);
    else
        problem_rhs(run, &room->o, room->y, room->dy, &room->w.k);
    team_sync();
    for (int j = 0; e->J && j < N; j++) {
        each(i, N) room->v[i] = splat(i == j);
        team_sync();
        problem_multiply(room->A, room->v, room->Jv);
        team_sync();
        each(i, N) room->D[i * N + j] = room->Jv[i];
        team_sync();
    }
    for (int l = 0; team_rank() == 0 && l < KB_LANES && first + l < e->n; l++) {
        for (int i = 0; i < N; i++)
            e->dy[(first + l) * N + i] = lane_get(room->dy[i], l);
        for (int i = 0; e->J && i < N * N; i++)
            e->J[(first + l) * N * N + i] = lane_get(room->D[i], l);
    }
    team_sync();
}

static void kernel_load(long first)
{
    const kb_evaluation *e = the_one;
    for (int l = 0; l < KB_LANES; l++) {
        long k = first + l < e->n ? first + l : e->n - 1;
        const double *y = e->y + k * N;
        for (int i = 0; i < N; i++)
            lane_put(&room->y[i], l, y[i]);
        lane_put(&room->o.fixed, l,
                 at_constant_volume(e->reactor) ? kin_density(y[0], e->p[k], y + 1) : e->p[k]);
    }
}

static void *kernel_thread(void *number)
{
    kb_run run;
    memset(&run, 0, sizeof run);
    run.reactor = the_one->reactor;
#if KB_TEAM > 1
    team_number = (unsigned)(long)number;
#else
    (void)number;
#endif
    for (long k = 0; k < the_one->n; k += KB_LANES) {
        if (team_rank() == 0)
            kernel_load(k);
        team_sync();
        kernel_states(&run, k);
    }
    return NULL;
}

#if KB_TEAM > 1
lane team_values[KB_TEAM];
_Thread_local unsigned team_number;
static pthread_barrier_t barrier;
void team_sync(void) { pthread_barrier_wait(&barrier); }

static void run_team(void)
{
    pthread_t thread[KB_TEAM];
    pthread_barrier_init(&barrier, NULL, KB_TEAM);
    for (long t = 0; t < KB_TEAM; t++)
        pthread_create(&thread[t], NULL, kernel_thread, (void *)t);
    for (int t = 0; t < KB_TEAM; t++)
        pthread_join(thread[t], NULL);
    pthread_barrier_destroy(&barrier);
}
#else
static void run_team(void) { kernel_thread(NULL); }
#endif

#ifdef __cplusplus
extern "C" int KERNEL(const kb_evaluation *e);
#endif
int KERNEL(const kb_evaluation *e)
{
    size_t size = (sizeof *room + 63) / 64 * 64;
    room = (kernel_room *)memset(aligned_alloc(64, size), 0, size);
    the_one = e;
    run_team();
    free(room);
    return KB_OK;
}
