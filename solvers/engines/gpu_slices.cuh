/* SPDX-License-Identifier: MIT
 *
 * Slices in flight: each has a stream and buffers of its own, so that the copies of one run beside
 * the kernels of others. Arrays that the device reaches (kb_solver.pass) are not copied at all.
 * Arrays of the caller that are page-locked (kb_solvers.memory_new) are copied from and to
 * directly. Others go through page-locked buffers of a slice's size, packed and unpacked while the
 * device works on other slices.
 */
#pragma once

#include <algorithm>
#include <cstring>
#include "solvers/engines/gpu_survey.cuh"
#include "solvers/engines/gpu_host_share.cuh"
#include "solvers/engines/gpu_error.h"
#include "solvers/engines/gpu_plan.h"

#ifdef KB_MANY /* to the host a block is one team of all of its ODEs */
#undef KB_TEAM
#undef KB_LANES
#define KB_TEAM MANY_THREADS
#define KB_LANES KB_MANY
#endif

enum { COPY_IN, KERNEL, COPY_OUT, FINISHED, MOMENTS };

#ifdef KB_CORES /* gpu_cores.cuh */
#include <thread>

/* leaves the core to others */
static void pause_thread(void) { std::this_thread::sleep_for(std::chrono::microseconds(50)); }
#endif

struct flight {
    cudaStream_t stream;
    cudaEvent_t at[MOMENTS]; /* begin of each part */
    double *states, *y;
    kb_count *count;
    double *host_states, *host_y; /* staging buffers; unused where the batch is page-locked */
    kb_count *host_count;
    unsigned long long *next;
    int *iterations;
    order_tables order;
    team_pool *pool;
    long first, n; /* the slice; n 0: none */
#ifdef KB_CORES
    long number;
#endif
};

/* what the slices share, on the device and in pinned memory */
struct common {
    unsigned long long used, all; /* lane-passes: active, and all */
    int stop;                     /* not 0: the kernels end */
};

/* threads of a block, ODEs on a block at a time, and the most blocks of a launch (0: any) */
struct grid {
    int block;
    long odes, most;
};

/* how long one part of the work was under way, slices that overlap counted once [s since begin] */
struct busy {
    double sum, until;
};

struct gpu_batch {
    kb_run run;
    const kb_job *job;
    kb_result *result;
    grid g;
    kb_gpu_plan plan;
    flight flights[KB_GPU_SLICES];
    common *device, *host;
    cudaStream_t signals; /* never waits for a kernel */
    cudaEvent_t begin, end;
    busy part[MOMENTS];
    bool stopping;
    bool direct;                 /* the caller's arrays are page-locked, */
    bool on_device;              /* or the device reaches them: they are the slices' */
    long resident;               /* ODEs that are worked on at once */
    int carve;                   /* of the cache as shared memory [percent]; -1: the driver's */
    kb_job shape;                /* of the jobs of a run that was opened; options are its own */
    bool may_sort, costly_first; /* wanted; done: the queue hands out costly ODEs first */
    bool surveyed;               /* for that, or for the first pass */
    bool small;                  /* batch: one slice, more L1 cache */
    host_share share;
};

static long blocks_of(const grid *g, long n)
{
    long blocks = (n + g->odes - 1) / g->odes;
    return g->most ? std::min(blocks, g->most) : blocks;
}

/* ---- memory ---- */

#define TRY(call)                                                                                  \
    do {                                                                                           \
        cudaError_t e_ = (call);                                                                   \
        if (e_ != cudaSuccess)                                                                     \
            return e_;                                                                             \
    } while (0)

static cudaError_t allocate_flight(const gpu_batch *b, flight *f)
{
    size_t n = b->plan.slice, blocks = blocks_of(&b->g, b->plan.slice);
    size_t teams = blocks * (b->g.block / KB_TEAM);
    size_t states = n * (N + 1) * sizeof(double), y = n * N * sizeof(double);
#ifdef KB_FORCED
    states = n * columns_of(b->job) * sizeof(double);
#endif
    if (!b->on_device) {
        TRY(cudaMalloc(&f->states, states));
        TRY(cudaMalloc(&f->y, y));
        TRY(cudaMalloc(&f->count, n * sizeof(kb_count)));
    }
    if (KB_TEAM == 1)
        TRY(cudaMalloc(&f->iterations, teams * sizeof(int)));
    TRY(cudaMalloc(&f->next, sizeof *f->next));
    if (KB_POOLED)
        TRY(cudaMalloc(&f->pool, teams * sizeof(team_pool)));
    if (b->surveyed) {
        TRY(cudaMalloc(&f->order.key, n * sizeof *f->order.key));
        TRY(cudaMalloc(&f->order.order, n * sizeof *f->order.order));
        TRY(cudaMalloc(&f->order.count, ORDER_KEYS * sizeof *f->order.count));
        TRY(cudaMalloc(&f->order.start, ORDER_KEYS * sizeof *f->order.start));
        TRY(cudaMalloc(&f->order.queued, sizeof *f->order.queued));
    }
    if (b->direct || b->on_device)
        return cudaSuccess;
    TRY(cudaMallocHost(&f->host_states, states));
    TRY(cudaMallocHost(&f->host_y, y));
    return cudaMallocHost(&f->host_count, n * sizeof(kb_count));
}

static bool is_locked(const void *memory)
{
    cudaPointerAttributes a;
    bool locked = cudaPointerGetAttributes(&a, memory) == cudaSuccess &&
                  a.type == cudaMemoryTypeHost;
    cudaGetLastError();
    return locked;
}

static void find_direct(gpu_batch *b)
{
    b->direct = !b->on_device && is_locked(b->job->states) && is_locked(b->result->y) &&
                is_locked(b->result->count);
}

static cudaError_t allocate(gpu_batch *b)
{
    for (int k = 0; k < b->plan.flights; k++)
        TRY(allocate_flight(b, &b->flights[k]));
    return cudaSuccess;
}

static void free_flights(gpu_batch *b)
{
    for (flight &f : b->flights) {
        if (!b->on_device) {
            cudaFree(f.states);
            cudaFree(f.y);
            cudaFree(f.count);
        }
        cudaFree(f.iterations);
        cudaFree(f.next);
        cudaFree(f.order.key);
        cudaFree(f.order.order);
        cudaFree(f.order.count);
        cudaFree(f.order.start);
        cudaFree(f.order.queued);
        cudaFree(f.pool);
        cudaFreeHost(f.host_states);
        cudaFreeHost(f.host_y);
        cudaFreeHost(f.host_count);
        f = {};
    }
}

/* ---- one slice ---- */

/* active lane-passes, and all: a warp of single threads runs until its longest is done */
static __global__ void add_lane_use(const int *iterations, long threads, common *c)
{
    long first = 32 * ((long)blockIdx.x * blockDim.x + threadIdx.x);
    unsigned long long used = 0, longest = 0;
    for (long t = first; t < threads && t < first + 32; t++) {
        unsigned long long passes = iterations[t];
        used += passes;
        longest = passes > longest ? passes : longest;
    }
    atomicAdd(&c->used, used);
    atomicAdd(&c->all, 32 * longest);
}

static cudaLaunchConfig_t launch(long blocks, int block, size_t shared, cudaStream_t stream)
{
    cudaLaunchConfig_t c = {};
    c.gridDim = dim3((unsigned)blocks);
    c.blockDim = dim3(block);
    c.dynamicSmemBytes = shared;
    c.stream = stream;
    return c;
}

/* the survey by as many threads as ODEs, or by teams that take one ODE after another */
template <bool PASS>
static int start_survey(gpu_batch *b, flight *f, const device_batch &d, kb_error *err)
{
    size_t shared = survey_shared<PASS>(b->g.block);
    long blocks = (f->n + b->g.odes - 1) / b->g.odes;
    if (KB_TEAM > 1)
        blocks = std::min(blocks, survey_most<PASS>(b->g.most ? b->g.most : blocks));
    CHECK(cudaFuncSetAttribute(survey<PASS>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)shared));
    cudaLaunchConfig_t c = launch(blocks, b->g.block, shared, f->stream);
    CHECK(cudaLaunchKernelEx(&c, survey<PASS>, b->run, d, f->order, b->costly_first));
    return KB_OK;
}

/* which ODEs of a slice the method gets, and in which order */
static int survey_slice(gpu_batch *b, flight *f, const device_batch &d, kb_error *err)
{
    CHECK(cudaMemsetAsync(f->order.count, 0, ORDER_KEYS * sizeof *f->order.count, f->stream));
    if (b->run.pass ? start_survey<true>(b, f, d, err) : start_survey<false>(b, f, d, err))
        return KB_INVALID;
    cudaLaunchConfig_t c = launch(1, ORDER_KEYS, 0, f->stream);
    CHECK(cudaLaunchKernelEx(&c, place_keys, f->order));
    c = launch((f->n + 255) / 256, 256, 0, f->stream);
    CHECK(cudaLaunchKernelEx(&c, fill_order, f->n, f->order));
    return KB_OK;
}

/* Both attributes are the process's: another run may have set its own meanwhile. */
static int set_shared(const gpu_batch *b, kb_error *err)
{
    CHECK(cudaFuncSetAttribute(drive, cudaFuncAttributePreferredSharedMemoryCarveout, b->carve));
    CHECK(cudaFuncSetAttribute(drive, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)shared_memory(b->g.block)));
    return KB_OK;
}

static int start_kernel(gpu_batch *b, flight *f, kb_error *err)
{
    long blocks = blocks_of(&b->g, f->n);
    device_batch d = {{f->n, f->states, f->y, f->count, b->job->schedule == KB_REFILL},
                      f->next,
                      f->order.order,
                      f->order.queued,
                      f->iterations,
                      &b->device->used,
                      f->pool,
                      &b->device->stop};
#ifdef KB_FORCED
    d.batch.columns = columns_of(b->job);
#endif
    if ((b->surveyed && survey_slice(b, f, d, err)) || set_shared(b, err))
        return KB_INVALID;
    if (b->share.most && divide_queue(&b->share, d, f->stream, err))
        return KB_INVALID;
    cudaLaunchConfig_t c = launch(blocks, b->g.block, shared_memory(b->g.block), f->stream);
    CHECK(cudaLaunchKernelEx(&c, drive, b->run, d));
    if (KB_TEAM > 1)
        return KB_OK;
    long threads = blocks * b->g.block, warps = (threads + 31) / 32;
    c = launch((warps + 63) / 64, 64, 0, f->stream);
    CHECK(cudaLaunchKernelEx(&c, add_lane_use, (const int *)f->iterations, threads, b->device));
    return KB_OK;
}

/* memcpy by a few threads: one alone does not reach the bandwidth of the memory */
static void pack(void *to, const void *from, size_t size)
{
    const long part = 1 << 20, parts = (long)((size + part - 1) / part);
#pragma omp parallel for num_threads(4) if (parts > 1)
    for (long k = 0; k < parts; k++)
        memcpy((char *)to + k * part, (const char *)from + k * part,
               std::min((size_t)part, size - k * part));
}

/* the slice's results to where they belong */
static int copy_out(gpu_batch *b, flight *f, kb_error *err)
{
    double *y = b->direct ? b->result->y + f->first * N : f->host_y;
    kb_count *count = b->direct ? b->result->count + f->first : f->host_count;
    CHECK(cudaMemcpyAsync(y, f->y, f->n * N * sizeof(double), cudaMemcpyDeviceToHost, f->stream));
    CHECK(cudaMemcpyAsync(count, f->count, f->n * sizeof(kb_count), cudaMemcpyDeviceToHost,
                          f->stream));
    return KB_OK;
}

/* the slice's states from `from` into its buffer, packed if need be */
static int copy_in(gpu_batch *b, flight *f, const double *from, kb_error *err)
{
    size_t size = f->n * (N + 1) * sizeof(double);
#ifdef KB_FORCED
    size = f->n * columns_of(b->job) * sizeof(double);
#endif
    if (!b->direct)
        from = f->host_states;
    CHECK(cudaMemcpyAsync(f->states, from, size, cudaMemcpyHostToDevice, f->stream));
    return KB_OK;
}

/* hands all work on the n ODEs from `first` on to the device */
static int launch_slice(gpu_batch *b, flight *f, long first, long n, kb_error *err)
{
    const double *from = b->job->states + first * (N + 1);
#ifdef KB_FORCED
    from = b->job->states + first * columns_of(b->job);
#endif
    f->first = first;
    f->n = n;
#ifdef KB_CORES
    f->number = first / b->plan.slice;
#endif
    if (b->on_device) {
        f->states = (double *)from;
        f->y = b->result->y + first * N;
        f->count = b->result->count + first;
    } else if (!b->direct) {
#ifdef KB_FORCED
        pack(f->host_states, from, n * columns_of(b->job) * sizeof(double));
#else
        pack(f->host_states, from, n * (N + 1) * sizeof(double));
#endif
    }
    CHECK(cudaMemsetAsync(f->next, 0, sizeof *f->next, f->stream));
    CHECK(cudaEventRecord(f->at[COPY_IN], f->stream));
    if (!b->on_device && copy_in(b, f, from, err))
        return KB_INVALID;
    CHECK(cudaEventRecord(f->at[KERNEL], f->stream));
    if (start_kernel(b, f, err))
        return KB_INVALID;
    CHECK(cudaEventRecord(f->at[COPY_OUT], f->stream));
    if (!b->on_device && copy_out(b, f, err))
        return KB_INVALID;
    CHECK(cudaEventRecord(f->at[FINISHED], f->stream));
    return KB_OK;
}

static bool asked_to_stop(const gpu_batch *b) { return b->job->stop && *b->job->stop; }

/* Tells the kernels to end. By a copy: a memset can be a kernel, which would wait for theirs. */
static int halt(gpu_batch *b, kb_error *err)
{
    if (b->stopping)
        return KB_OK;
    b->stopping = true;
    b->host->stop = 1;
    CHECK(cudaMemcpyAsync(&b->device->stop, &b->host->stop, sizeof(int), cudaMemcpyHostToDevice,
                          b->signals));
    return KB_OK;
}

static int await(gpu_batch *b, cudaEvent_t event, kb_error *err)
{
    for (;;) {
        cudaError_t e = cudaEventQuery(event);
        if (e != cudaErrorNotReady)
            return gpu_failed(e, "a slice of the batch", err) ? KB_INVALID : KB_OK;
#ifdef KB_CORES
        pause_thread();
#endif
        if (asked_to_stop(b) && halt(b, err))
            return KB_INVALID;
    }
}

static int add_times(gpu_batch *b, const flight *f, kb_error *err)
{
    float ms[MOMENTS];
    for (int k = 0; k < MOMENTS; k++)
        CHECK(cudaEventElapsedTime(&ms[k], b->begin, f->at[k]));
#ifdef KB_CORES
    long slice = f->number;
#else
    long slice = f->first / b->plan.slice;
#endif
    if (b->result->timeline && slice < b->result->most_slices)
        b->result->timeline[slice] = {
            f->first,           f->n, 1e-3 * ms[COPY_IN], 1e-3 * ms[KERNEL], 1e-3 * ms[COPY_OUT],
            1e-3 * ms[FINISHED]};
    for (int k = COPY_IN; k < FINISHED; k++) {
        busy *p = &b->part[k];
        double from = std::max(1e-3 * ms[k], p->until), until = std::max(1e-3 * ms[k + 1], from);
        p->sum += until - from;
        p->until = until;
    }
    return KB_OK;
}

/* waits for the slice and unpacks its results */
static int finish_slice(gpu_batch *b, flight *f, kb_error *err)
{
    if (await(b, f->at[FINISHED], err) || add_times(b, f, err))
        return KB_INVALID;
    if (!b->stopping && !b->direct && !b->on_device) {
        pack(b->result->y + f->first * N, f->host_y, f->n * N * sizeof(double));
        pack(b->result->count + f->first, f->host_count, f->n * sizeof(kb_count));
    }
    f->n = 0;
    return KB_OK;
}
