/* SPDX-License-Identifier: MIT
 *
 * The kernels of the GPU engines for one method. KB_TEAM 1: gpu-thread, one ODE a thread, whose vectors lie in
 * local memory, which the hardware interleaves over the threads of a warp. KB_TEAM 32: gpu-warp; more: gpu-block.
 * There a block is one team; its vectors lie in shared memory, or where they are too large for two teams on a
 * multiprocessor in a pool in global memory, as the scratch of the Jacobian and long arrays (team_memory.h) do always.
 * KB_CACHED: gpu-thread with two vectors of each thread in shared memory (shared_vectors.h).
 *
 * Static: thread or team k takes the ODEs k, k + threads, .. ; one each if the grid is as large as the batch, as in
 * the papers. Refill: one that finishes takes the next ODE from a queue.
 */
#ifndef KB_GPU_DRIVE_H
#define KB_GPU_DRIVE_H

#include <cuda_runtime.h>
#include <type_traits>
#include "solvers/engines/engine.h"

/* most shared memory of a block of a team engine, the static arrays of the methods aside [bytes] */
enum { KB_SHARED_MOST = 88 * 1024 };
/* 1: teams have a pool; 1: it holds all of their vectors, not only the scratch of the Jacobian */
enum { KB_POOLED = KB_TEAM > 1, KB_WORK_POOLED = KB_TEAM > 1 && sizeof(METHOD_work) > KB_SHARED_MOST };
enum { KB_SHARED = KB_TEAM > 1 && !KB_WORK_POOLED ? sizeof(METHOD_work) : 0 };

/* dynamic shared memory of a block [bytes] */
static size_t shared_memory(int block)
{
#ifdef KB_CACHED
    return block * KB_CACHED_DOUBLES * sizeof(double);
#else
    (void)block;
    return KB_SHARED;
#endif
}

/* what a team has in global memory */
struct team_pool {
    kb_scratch scratch;
    std::conditional_t<TEAM_FAR, team_room, char> room;
    std::conditional_t<KB_WORK_POOLED, METHOD_work, char> work;
};

struct device_cell {
    kb_cell cell;             /* of the slice: n, and where it begins */
    unsigned long long *next; /* queue: refill only */
    int *iterations;          /* [teams] passes through the loop, for the use of lanes */
    team_pool *pool;          /* [teams], if KB_POOLED */
    const volatile int *stop; /* the host's: not 0 ends the kernel, ODEs unfinished */
};

#if KB_TEAM == 1

static __device__ long take(const device_cell &d, long k)
{
    long threads = (long)gridDim.x * blockDim.x;
    if (d.cell.refill)
        return (long)atomicAdd(d.next, 1ULL);
    return k < 0 ? (long)blockIdx.x * blockDim.x + threadIdx.x : k + threads;
}

static __device__ int stopped(const device_cell &d) { return *d.stop; }

static __global__ void drive(kb_run run, device_cell d)
{
    METHOD_work w;
    METHOD_own own = {};
    kb_ode o = {};
    int iterations = 0;
    for (long k = take(d, -1); k < d.cell.n && !stopped(d); iterations++) {
        mask new_ = !o.active;
        if (new_)
            load_lane(&run, &d.cell, k, 0, &o, w.y);
        if (o.status == 0.0) {
            if (new_)
                METHOD_init(&run, &o, &own, &w, new_);
            METHOD_step(&run, &o, &own, &w);
        }
        if (o.status != 0.0 || !(o.t < run.dt)) {
            retire_lane(&d.cell, k, 0, &o, w.y);
            k = take(d, k);
        }
    }
    d.iterations[(long)blockIdx.x * blockDim.x + threadIdx.x] = iterations;
}

#else

static __device__ long take(const device_cell &d, long k)
{
    __shared__ unsigned long long next;
    if (!d.cell.refill)
        return k < 0 ? (long)blockIdx.x : k + gridDim.x;
    team_sync();
    if (team_rank() == 0)
        next = atomicAdd(d.next, 1ULL);
    team_sync();
    return (long)next;
}

/* the same on all threads of the team */
static __device__ int stopped(const device_cell &d)
{
    __shared__ int stop;
    team_sync();
    if (team_rank() == 0)
        stop = *d.stop;
    team_sync();
    return stop;
}

/* So many registers may a thread take that this many teams fit a multiprocessor: as many as shared memory has room
 * for beside 60 KB of first-level cache for the tables (an eighth and 1 KB more than the vectors, for the arrays
 * that a team sums in). Vectors in the pool leave the choice: few for a method of three matrices, since a complex
 * tail wants registers. Measured: docs/performance.md */
enum {
    KB_ROOM = 184 * 1024 / (sizeof(METHOD_work) + sizeof(METHOD_work) / 8 + 1024),
    KB_MATRICES = sizeof(METHOD_work) / (NNZ * sizeof(double)),
    KB_POOLED_BLOCKS = KB_TEAM == 32 ? 8 : KB_MATRICES < 3 ? 5 : 2,
    KB_MOST_BLOCKS = KB_WORK_POOLED ? KB_POOLED_BLOCKS : KB_TEAM == 32 ? 20 : 8,
    KB_BLOCKS = KB_WORK_POOLED || KB_ROOM > KB_MOST_BLOCKS ? KB_MOST_BLOCKS : KB_ROOM < 1 ? 1 : KB_ROOM
};

static __global__ void __launch_bounds__(KB_TEAM, KB_BLOCKS) drive(kb_run run, device_cell d)
{
    extern __shared__ double shared[];
    team_pool *mine = d.pool + blockIdx.x;
    METHOD_work *w = KB_WORK_POOLED ? (METHOD_work *)&mine->work : (METHOD_work *)shared;
    METHOD_own own = {};
    kb_ode o = {};
    o.scratch = &mine->scratch;
    if (TEAM_FAR)
        team_set_room((team_room *)&mine->room);
    int iterations = 0;
    for (long k = take(d, -1); k < d.cell.n && !stopped(d); iterations++) {
        mask new_ = !o.active;
        if (new_)
            load_lane(&run, &d.cell, k, 0, &o, w->y);
        if (o.status == 0.0) {
            if (new_)
                METHOD_init(&run, &o, &own, w, new_);
            METHOD_step(&run, &o, &own, w);
            team_sync();
        }
        if (o.status != 0.0 || !(o.t < run.dt)) {
            retire_lane(&d.cell, k, 0, &o, w->y);
            k = take(d, k);
        }
    }
    if (team_rank() == 0)
        d.iterations[blockIdx.x] = iterations;
}

#endif

#endif
