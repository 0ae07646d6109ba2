/* SPDX-License-Identifier: MIT
 *
 * The kernels of the GPU engines for one method. KB_TEAM 1: gpu-thread, one ODE a thread, whose
 * vectors lie in local memory, which the hardware interleaves over the threads of a warp. KB_TEAM
 * 32: gpu-warp; more: gpu-block. There a block is one team; its vectors lie in shared memory, or
 * where they are too large for two teams on a multiprocessor in a pool in global memory, as the
 * scratch of the Jacobian and long arrays (team_memory.h) do always. KB_LANES 2: gpu-pair, a team
 * of two ODEs. KB_MANY: gpu-many-float (gpu_many.cuh). KB_CACHED: gpu-thread with two vectors of
 * each thread in shared memory (shared_vectors.h).
 *
 * Static: thread or team k takes the ODEs k, k + threads, .. ; one each if the grid is as large as
 * the batch, as in the papers. Refill: one that finishes takes the next ODE from a queue.
 */
#pragma once

#include <algorithm>
#include <cuda_runtime.h>
#include <type_traits>
#include "solvers/engines/engine.h"
#include "solvers/engines/gpu_error.h"

/* most shared memory of a block of a team engine, the static arrays of the methods aside; and what
 * the vectors of the blocks of a multiprocessor share, of pairs and of single ODEs [bytes] */
#ifdef KB_MANY /* none */
enum { KB_SHARED_MOST = 0, KB_PAIR_SHARED = 0, KB_ONE_SHARED = 0 };
#else
#ifdef __HIP__ /* a compute unit has 64 KB */
enum { KB_SHARED_MOST = 56 * 1024, KB_PAIR_SHARED = 64 * 1024, KB_ONE_SHARED = 64 * 1024 };
#else
enum { KB_SHARED_MOST = 88 * 1024, KB_PAIR_SHARED = 228 * 1024, KB_ONE_SHARED = 184 * 1024 };
#endif
#endif
/* teams have a pool; it holds all of their vectors, not only the scratch of the Jacobian */
enum {
    KB_POOLED = KB_TEAM > 1,
    KB_WORK_POOLED = KB_POOLED && sizeof(METHOD_work) > KB_SHARED_MOST
};
enum { KB_SHARED = KB_TEAM > 1 && !KB_WORK_POOLED ? sizeof(METHOD_work) : 0 };

/* dynamic shared memory of a block [bytes] */
static size_t shared_memory(int block)
{
#ifdef KB_ALGORITHM1
    return block * KB_CACHED_DOUBLES * sizeof(double);
#else
#if defined(KB_CACHED) || KB_ELIMINATION == 2
    return block * KB_CACHED_DOUBLES * sizeof(double);
#else
    (void)block;
    return KB_SHARED;
#endif
#endif
}

/* of the cache that shared memory is taken from, what the resident blocks of a kernel use
 * [percent] */
template <class F>
static int used_share(F *kernel, const cudaDeviceProp *device, int resident, int block,
                      int *percent, kb_error *err)
{
    cudaFuncAttributes a;
    CHECK(cudaFuncGetAttributes(&a, kernel));
    size_t used = resident *
        (shared_memory(block) + a.sharedSizeBytes + device->reservedSharedMemPerBlock);
    size_t all = device->sharedMemPerMultiprocessor;
    *percent = (int)std::min((size_t)100, (100 * used + all - 1) / all);
    return KB_OK;
}

/* what a team has in global memory */
struct team_pool {
    kb_scratch scratch;
    std::conditional_t<TEAM_GLOBAL, team_memory, char> memory;
    std::conditional_t<KB_WORK_POOLED, METHOD_work, char> work;
#ifdef KB_FORCED
    lane forcing[N];
#endif
#ifdef KB_MANY
    lane spare[N]; /* what nobody reads */
#endif
};

struct device_batch {
    kb_batch batch;             /* of the slice: n, and where it begins */
    unsigned long long *next; /* queue: refill only */
    const int *order;         /* [*queued] ODEs as they are handed out; NULL: all, as they are */
    const int *queued;        /* how many, with an order */
    int *iterations;          /* [threads] passes through the loop; NULL with teams */
    unsigned long long *use;  /* [2] of the lanes of all teams: passes with an ODE, and all */
    team_pool *pool;          /* [teams], if KB_POOLED */
    const volatile int *stop; /* the host's: not 0 ends the kernel, ODEs unfinished */
};

/* the ODE at that place of the queue */
static __device__ long ode_at(const device_batch &d, long place)
{
    return d.order ? d.order[place] : place;
}

/* the place, or n where the queue ends before it */
static __device__ long if_queued(const device_batch &d, long place)
{
    return d.order && place >= *d.queued ? d.batch.n : place;
}

/* take: the place after this one, -1 at first, of the thread or team; n or more: none is left */
#if KB_TEAM == 1

static __device__ long take(const device_batch &d, long place)
{
    long threads = (long)gridDim.x * blockDim.x;
    if (d.batch.refill)
        return if_queued(d, (long)atomicAdd(d.next, 1ULL));
    return if_queued(d, place < 0 ? (long)blockIdx.x * blockDim.x + threadIdx.x : place + threads);
}

static __device__ int stopped(const device_batch &d) { return *d.stop; }

#else

#if KB_LANES == 1
static __device__ long take(const device_batch &d, long place)
{
    __shared__ unsigned long long next;
    if (!d.batch.refill)
        return if_queued(d, place < 0 ? (long)blockIdx.x : place + gridDim.x);
    team_sync();
    if (team_rank() == 0)
        next = atomicAdd(d.next, 1ULL);
    team_sync();
    return if_queued(d, (long)next);
}
#endif

/* the same on all threads of the team */
static __device__ int stopped(const device_batch &d)
{
    __shared__ int stop;
    team_sync();
    if (team_rank() == 0)
        stop = *d.stop;
    team_sync();
    return stop;
}

/* Target number of resident blocks per multiprocessor, for __launch_bounds__: as many as fit in
 * shared memory beside 60 KB of L1 cache for the tables; of pairs, beside 28 KB. An eighth and 1 KB
 * are added to the vectors, 6 KB to those of pairs, for the arrays of the team's sums. Vectors in
 * the pool do not limit it: then fewer blocks for a method of three matrices, since a complex tail
 * needs registers. A thread of a block has at least 128 registers, with factors in floats 96.
 * Measured: results/trials/gpu-teams.md */
enum {
    KB_PAIR_BLOCKS = KB_PAIR_SHARED / (sizeof(METHOD_work) + 6 * 1024),
    KB_ONE_BLOCKS = KB_ONE_SHARED / (sizeof(METHOD_work) + sizeof(METHOD_work) / 8 + 1024),
    KB_BLOCKS_BY_SHARED = KB_LANES == 1 ? (int)KB_ONE_BLOCKS : (int)KB_PAIR_BLOCKS,
    KB_MATRICES = sizeof(METHOD_work) / (NNZ * sizeof(kb_stored)),
    KB_POOLED_THREADS = KB_MATRICES >= 3 ? 256 : KB_LANES == 1 ? 640 : 512,
    KB_POOLED_TEAMS = KB_POOLED_THREADS < KB_TEAM ? 1 : KB_POOLED_THREADS / KB_TEAM,
    KB_POOLED_BLOCKS = KB_TEAM == 32 ? 8 : KB_POOLED_TEAMS,
    KB_MOST_THREADS = sizeof(kb_stored) == sizeof(lane) ? 512 : 640,
    KB_MOST_BLOCKS = KB_WORK_POOLED ? KB_POOLED_BLOCKS
                                    : KB_TEAM == 32 ? 20 : KB_MOST_THREADS / KB_TEAM,
    KB_WANTED_BLOCKS = KB_BLOCKS_BY_SHARED < 1 ? 1 : KB_BLOCKS_BY_SHARED,
    KB_MOST_TAKEN = KB_WORK_POOLED || KB_WANTED_BLOCKS > KB_MOST_BLOCKS,
    KB_BLOCKS = KB_MOST_TAKEN ? KB_MOST_BLOCKS : KB_WANTED_BLOCKS
};

#endif

#ifdef KB_MANY
#include "solvers/engines/gpu_many.cuh"
#else
#if KB_LANES == 1

#define team_ode(o) kb_ode o = {}

/* loads ODE k; what the first pass (gpu_survey.cuh) evaluated for it counts */
static __device__ void start(const kb_run &run, const device_batch &d, METHOD_work *w, kb_ode &o,
                             long k)
{
    load_lane(&run, &d.batch, k, 0, &o, w->y);
    if (run.pass)
        o.rhs = d.batch.count[k].rhs;
}

/* one thread or team: attempts until it finds no further ODE; returns how many passes that took */
static __device__ __forceinline__ int integrate(const kb_run &run, const device_batch &d,
                                                METHOD_work *w, kb_ode &o)
{
    METHOD_persistent persistent = {};
    int iterations = 0;
    for (long place = take(d, -1); place < d.batch.n && !stopped(d); iterations++) {
        mask starting = !o.active;
        if (starting)
            start(run, d, w, o, ode_at(d, place));
        if (o.status == 0.0) {
            if (starting)
                METHOD_init(&run, &o, &persistent, w, starting);
            METHOD_step(&run, &o, &persistent, w);
            team_sync();
        }
        if (o.status != 0.0 || !(o.t < run.dt)) {
            retire_lane(&d.batch, ode_at(d, place), 0, &o, w->y);
            place = take(d, place);
        }
    }
    return iterations;
}

#else

#define team_ode(o) kb_ode &o = new_ode()

/* a warp's copy of what it knows of its ODEs */
static __device__ kb_ode &new_ode(void)
{
    __shared__ kb_ode odes[KB_TEAM / 32];
    kb_ode &o = odes[threadIdx.x / 32];
    for (kb_scalar *v : {&o.fixed, &o.t, &o.h, &o.status, &o.attempted, &o.accepted, &o.rhs,
                         &o.jac, &o.lu, &o.solve})
        *v = splat(0);
    o.active = mask_none();
    o.scratch = NULL;
    return o;
}

/* and of what its method keeps */
static __device__ METHOD_persistent &new_persistent(void)
{
    __shared__ METHOD_persistent all[KB_TEAM / 32];
    METHOD_persistent *p = &all[threadIdx.x / 32];
    if (threadIdx.x % 32 == 0)
        memset((void *)p, 0, sizeof *p);
    __syncwarp();
    return *p;
}

/* the places after those of the lanes under `free`, from -1; n or more: none is left */
static __device__ void take_lanes(const device_batch &d, mask free, long *place)
{
    __shared__ unsigned long long first;
    unsigned wanted = 0;
    KB_UNROLL for (int l = 0; l < KB_LANES; l++) wanted += mask_get(free, l);
    if (d.batch.refill) {
        team_sync();
        if (team_rank() == 0)
            first = atomicAdd(d.next, wanted);
        team_sync();
    }
    long next = d.batch.refill ? (long)first : 0, all = (long)gridDim.x * KB_LANES;
    KB_UNROLL for (int l = 0; l < KB_LANES; l++) {
        if (!mask_get(free, l))
            continue;
        long after = place[l] < 0 ? (long)blockIdx.x * KB_LANES + l : place[l] + all;
        place[l] = if_queued(d, d.batch.refill ? next++ : after);
    }
}

/* loads free lanes by the schedule; returns the new ones */
static __device__ mask load_lanes(const kb_run &run, const device_batch &d, long *place, kb_ode &o,
                                  lane *y)
{
    mask starting = mask_none(), free = not_(o.active);
    if (!d.batch.refill && lane_any(o.active))
        return starting;
    KB_UNROLL for (int l = 0; l < KB_LANES; l++) if (place[l] >= d.batch.n) mask_put(&free, l, 0);
    if (!lane_any(free))
        return starting;
    take_lanes(d, free, place);
    KB_UNROLL for (int l = 0; l < KB_LANES; l++) {
        if (!mask_get(free, l) || place[l] >= d.batch.n)
            continue;
        long k = ode_at(d, place[l]);
        load_lane(&run, &d.batch, k, l, &o, y);
        if (run.pass)
            lane_put(&o.rhs, l, d.batch.count[k].rhs);
        mask_put(&starting, l, 1);
    }
    return starting;
}

static __device__ void retire_lanes(const kb_run &run, const device_batch &d, const long *place,
                                    kb_ode &o, const lane *y)
{
    mask done = o.active & ((o.status != 0.0) | not_(o.t < run.dt));
    KB_UNROLL for (int l = 0; l < KB_LANES; l++) if (mask_get(done, l))
        retire_lane(&d.batch, ode_at(d, place[l]), l, &o, y);
}

static __device__ void park_idle(kb_ode &o, lane *y)
{
    KB_UNROLL for (int l = 0; l < KB_LANES; l++) if (!mask_get(o.active, l))
        park_lane(l, 1 - l, &o, y);
    team_sync();
}

/* the same for the lanes of a team, as on a CPU */
static __device__ __forceinline__ int integrate(const kb_run &run, const device_batch &d,
                                                METHOD_work *w, kb_ode &o)
{
    METHOD_persistent &persistent = new_persistent();
    unsigned iterations = 0, used = 0;
    long place[KB_LANES] = {-1, -1};
    for (;;) {
        mask starting = load_lanes(run, d, place, o, w->y);
        if (lane_any(starting))
            retire_lanes(run, d, place, o, w->y); /* impossible states end here */
        if (!lane_any(o.active)) {
            if (lane_any(starting))
                continue;
            break;
        }
        if (stopped(d))
            break;
        park_idle(o, w->y);
        if (lane_any(starting))
            METHOD_init(&run, &o, &persistent, w, starting);
        METHOD_step(&run, &o, &persistent, w);
        team_sync();
        iterations++;
        KB_UNROLL for (int l = 0; l < KB_LANES; l++) used += mask_get(o.active, l);
        retire_lanes(run, d, place, o, w->y);
    }
    if (team_rank() == 0 && d.use) {
        atomicAdd(&d.use[0], used);
        atomicAdd(&d.use[1], KB_LANES * iterations);
    }
    return (int)iterations;
}

#endif

#if KB_TEAM == 1

static __global__ void drive(kb_run run, device_batch d)
{
    METHOD_work w;
    kb_ode o = {};
#ifdef KB_FORCED
    lane forcing[N];
    o.forcing = forcing;
#endif
    d.iterations[(long)blockIdx.x * blockDim.x + threadIdx.x] = integrate(run, d, &w, o);
}

#else

static __global__ void __launch_bounds__(KB_TEAM, KB_BLOCKS) drive(kb_run run, device_batch d)
{
    extern __shared__ double shared[];
    team_pool *mine = d.pool + blockIdx.x;
    METHOD_work *w = KB_WORK_POOLED ? (METHOD_work *)&mine->work : (METHOD_work *)shared;
    team_ode(o);
    o.scratch = &mine->scratch;
#ifdef KB_FORCED
    o.forcing = mine->forcing;
#endif
    if (TEAM_GLOBAL)
        team_set_memory((team_memory *)&mine->memory);
    integrate(run, d, w, o);
}

#endif
#endif
