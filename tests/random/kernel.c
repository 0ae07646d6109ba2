/* SPDX-License-Identifier: MIT
 *
 * f and J of a mechanism as one engine computes them. Compiled for each engine with its macros
 * (lane.h) and KERNEL, the name of the function, in C, C++ or CUDA; on a host the threads of a team
 * take turns. KERNEL_FLOAT: J as lines_float_jacobian leaves it; KERNEL_SOLVE: x, too. Returns
 * KB_NOTHING without a GPU.
 */
#include <stdlib.h>
#include <string.h>
#include "solvers/problem.h"
#if KB_TEAM > 1 && !defined(__CUDACC__)
#include "tests/team/fibers.h"
#endif

typedef struct {
    lane y[N], dy[N], v[N], Jv[N], x[N], D[N * N];
    kb_stored A[NNZ];
    kb_jacobian w;
#ifdef KERNEL_FLOAT
    float floats[NNZ * 2 * KB_LANES];
#endif
#if KB_SCRATCH_GLOBAL
    kb_scratch scratch;
#endif
} kernel_room;

/* -J in A */
kb_fn void kernel_jacobian(const kb_run *run, const kb_ode *o, kernel_room *room)
{
#ifdef KERNEL_FLOAT
    problem_float_jacobian(run, o, room->y, room->dy, (lane *)room->floats, 1, &room->w);
    for (int k = 0; k < NNZ; k++)
        for (int l = 0; l < KB_LANES; l++)
            lane_put(&room->A[k], l, room->floats[(2 * k + 1) * KB_LANES + l]);
#else
    problem_jacobian(run, o, room->y, room->dy, room->A, &room->w);
#endif
}

kb_fn void kernel_store(const kb_evaluation *e, const kernel_room *room, long first)
{
    for (int l = 0; l < KB_LANES && first + l < e->n; l++) {
        for (int i = 0; i < N; i++)
            e->dy[(first + l) * N + i] = lane_get(room->dy[i], l);
        for (int i = 0; e->x && i < N; i++)
            e->x[(first + l) * N + i] = lane_get(room->x[i], l);
        for (int i = 0; e->J && i < N * N; i++)
            e->J[(first + l) * N * N + i] = lane_get(room->D[i], l);
    }
}

kb_fn void kernel_load(const kb_evaluation *e, kernel_room *room, kb_ode *o, long first)
{
    for (int l = 0; l < KB_LANES; l++) {
        long k = first + l < e->n ? first + l : e->n - 1;
        const double *y = e->y + k * N;
        for (int i = 0; i < N; i++)
            lane_put(&room->y[i], l, y[i]);
        lane_put(&o->fixed, l,
                 at_constant_volume(e->reactor) ? kin_density(y[0], e->p[k], y + 1) : e->p[k]);
    }
}

/* the states [first, first + KB_LANES), by each thread of the team; o: of the thread or its warp */
kb_fn void kernel_states(const kb_evaluation *e, kernel_room *room, kb_ode *o, long first)
{
    kb_run run;
    memset(&run, 0, sizeof run);
    run.reactor = e->reactor;
    kernel_load(e, room, o, first);
    team_sync();
    if (e->J)
        kernel_jacobian(&run, o, room);
    else
        problem_rhs(&run, o, room->y, room->dy, &room->w.k);
    team_sync();
    for (int j = 0; e->J && j < N; j++) {
        each(i, N) room->v[i] = splat(0); /* not i == j: nvcc 13.0 then leaves the loop over j */
        team_sync();
        if (team_rank() == 0)
            room->v[j] = splat(1);
        team_sync();
        problem_multiply(room->A, room->v, room->Jv);
        team_sync();
        each(i, N) room->D[i * N + j] = room->Jv[i];
        team_sync();
    }
#ifdef KERNEL_SOLVE
    if (e->x) {
        lane gi = splat(1 / e->gamma);
        problem_factor(room->A, gi);
        each(i, N) room->v[i] = room->dy[i] * gi;
        problem_solve(room->A, room->v, room->x);
        team_sync();
    }
#endif
    if (team_rank() == 0)
        kernel_store(e, room, first);
    team_sync();
}

#ifdef __CUDACC__

/* the room and kb_ode of a thread or team; a block is a team, or 32 threads */
static __global__ void kernel_on_device(kb_evaluation e, kernel_room *rooms)
{
#if KB_TEAM > 1
    __shared__ kb_ode odes[KB_TEAM / 32];
    kb_ode *o = &odes[threadIdx.x / 32];
    long team = blockIdx.x;
#else
    kb_ode own = {}, *o = &own;
    long team = (long)blockIdx.x * blockDim.x + threadIdx.x;
#endif
#if KB_SCRATCH_GLOBAL
    o->scratch = &rooms[team].scratch;
#endif
    if (team * KB_LANES < e.n)
        kernel_states(&e, &rooms[team], o, team * KB_LANES);
}

/* *to: n numbers on the device, as those of from; from NULL: none */
static int to_device(double **to, const double *from, long n)
{
    *to = NULL;
    return from && (cudaMalloc((void **)to, (size_t)n * sizeof **to) ||
                    cudaMemcpy(*to, from, (size_t)n * sizeof **to, cudaMemcpyDefault));
}

static int from_device(double *to, const double *from, long n)
{
    return to && cudaMemcpy(to, from, (size_t)n * sizeof *to, cudaMemcpyDefault);
}

static int run_all(const kb_evaluation *e)
{
    kb_evaluation d = *e;
    kernel_room *rooms = NULL;
    long teams = (e->n + KB_LANES - 1) / KB_LANES, blocks = KB_TEAM > 1 ? teams : teams / 32 + 1;
    int devices;
    if (cudaGetDeviceCount(&devices) || !devices)
        return KB_NOTHING;
    int failed = to_device((double **)&d.y, e->y, e->n * N) ||
                 to_device((double **)&d.p, e->p, e->n) || to_device(&d.dy, e->dy, e->n * N) ||
                 to_device(&d.J, e->J, e->n * N * N) ||
                 cudaMalloc((void **)&rooms, (size_t)teams * sizeof *rooms) ||
                 cudaMemset(rooms, 0, (size_t)teams * sizeof *rooms);
    if (!failed)
        kernel_on_device<<<(unsigned)blocks, KB_TEAM > 1 ? KB_TEAM : 32>>>(d, rooms);
    failed = failed || cudaDeviceSynchronize() || from_device(e->dy, d.dy, e->n * N) ||
             from_device(e->J, d.J, e->n * N * N);
    for (void *p : {(void *)d.y, (void *)d.p, (void *)d.dy, (void *)d.J, (void *)rooms})
        cudaFree(p);
    return failed ? KB_INVALID : KB_OK;
}

#else

static kernel_room *kernel_only_room;
static const kb_evaluation *kernel_only;

static void kernel_thread(void)
{
    kb_ode o;
    memset(&o, 0, sizeof o);
#if KB_SCRATCH_GLOBAL
    o.scratch = &kernel_only_room->scratch;
#endif
    for (long k = 0; k < kernel_only->n; k += KB_LANES)
        kernel_states(kernel_only, kernel_only_room, &o, k);
}

static int run_all(const kb_evaluation *e)
{
    size_t size = (sizeof *kernel_only_room + 63) / 64 * 64;
    kernel_only_room = (kernel_room *)memset(aligned_alloc(64, size), 0, size);
    kernel_only = e;
#if KB_TEAM > 1
    run_fibers(kernel_thread);
#else
    kernel_thread();
#endif
    free(kernel_only_room);
    return KB_OK;
}

#endif

#ifdef __cplusplus
extern "C" int KERNEL(const kb_evaluation *e);
#endif
int KERNEL(const kb_evaluation *e) { return run_all(e); }
