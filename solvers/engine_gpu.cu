/* SPDX-License-Identifier: MIT
 *
 * The engine gpu-thread for one method: one ODE a thread. A thread's vectors lie in local memory, which the
 * hardware interleaves over the threads of a warp. Static: thread k takes ODE k, as the papers. Refill: as many
 * threads as the device holds; one that finishes takes the next ODE from a queue.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include "engine.h"

struct device_cell {
    kb_cell cell;
    unsigned long long *next; /* queue: refill only */
    int *iterations;          /* [threads] passes through the loop, for the use of lanes */
};

static __device__ long take(const device_cell &d, long thread, bool first)
{
    if (d.cell.refill)
        return (long)atomicAdd(d.next, 1ULL);
    return first ? thread : d.cell.n;
}

static __global__ void drive(kb_run run, device_cell d)
{
    METHOD_work w;
    long thread = (long)blockIdx.x * blockDim.x + threadIdx.x, k = take(d, thread, true);
    int iterations = 0;
    kb_ode o = {};
    for (; k < d.cell.n; iterations++) {
        mask new_ = !o.active;
        if (new_)
            load_lane(&run, &d.cell, k, 0, &o, w.y);
        if (o.status == 0.0) {
            if (new_)
                METHOD_init(&run, &o, &w, new_);
            METHOD_step(&run, &o, &w);
        }
        if (o.status != 0.0 || !(o.t < run.dt)) {
            retire_lane(&d.cell, k, 0, &o, w.y);
            k = take(d, thread, false);
        }
    }
    d.iterations[thread] = iterations;
}

/* everything that a run allocates, freed together */
struct buffers {
    double *states, *y, *host_states, *host_y;
    kb_count *count, *host_count;
    unsigned long long *next;
    int *iterations;
    cudaEvent_t at[4];
};

static int cuda_failed(cudaError_t e, const char *what, kb_error *err)
{
    if (e == cudaSuccess)
        return 0;
    const char *hint = e == cudaErrorMemoryAllocation
                           ? "; use fewer ODEs, or a device with more free memory" : "";
    kb_fail(err, KB_INVALID, "CUDA: %s: %s%s", what, cudaGetErrorString(e), hint);
    return 1;
}
#define CHECK(call)                                                                               \
    do {                                                                                          \
        if (cuda_failed((call), #call, err))                                                      \
            return KB_INVALID;                                                                    \
    } while (0)

static int allocate(buffers *b, const kb_job *job, long threads, kb_error *err)
{
    size_t states = job->n * (N + 1) * sizeof(double), y = job->n * N * sizeof(double);
    size_t count = job->n * sizeof(kb_count);
    CHECK(cudaMalloc(&b->states, states));
    CHECK(cudaMalloc(&b->y, y));
    CHECK(cudaMalloc(&b->count, count));
    CHECK(cudaMalloc(&b->next, sizeof *b->next));
    CHECK(cudaMalloc(&b->iterations, threads * sizeof(int)));
    CHECK(cudaMallocHost(&b->host_states, states));
    CHECK(cudaMallocHost(&b->host_y, y));
    CHECK(cudaMallocHost(&b->host_count, count));
    for (cudaEvent_t &e : b->at)
        CHECK(cudaEventCreate(&e));
    CHECK(cudaMemset(b->next, 0, sizeof *b->next));
    std::copy(job->states, job->states + job->n * (N + 1), b->host_states);
    return KB_OK;
}

static void release(buffers *b)
{
    cudaFree(b->states);
    cudaFree(b->y);
    cudaFree(b->count);
    cudaFree(b->next);
    cudaFree(b->iterations);
    cudaFreeHost(b->host_states);
    cudaFreeHost(b->host_y);
    cudaFreeHost(b->host_count);
    for (cudaEvent_t e : b->at)
        if (e)
            cudaEventDestroy(e);
}

static double seconds(const buffers *b, int from, int to)
{
    float ms = 0;
    cudaEventElapsedTime(&ms, b->at[from], b->at[to]);
    return 1e-3 * ms;
}

/* active lane-passes over all lane-passes: a warp goes on until its longest thread is done */
static double lane_use(const int *iterations, long threads)
{
    double used = 0, all = 0;
    for (long w = 0; w < threads; w += 32) {
        int longest = 0;
        for (long t = w; t < std::min(threads, w + 32); t++) {
            used += iterations[t];
            longest = std::max(longest, iterations[t]);
        }
        all += 32.0 * longest;
    }
    return all > 0 ? used / all : 1;
}

static int copy_and_run(buffers *b, const kb_run *run, const kb_job *job, long blocks, int block,
                        kb_result *result, kb_error *err)
{
    device_cell d = {{job->n, b->states, b->y, b->count, job->schedule == KB_REFILL},
                     b->next, b->iterations};
    CHECK(cudaEventRecord(b->at[0]));
    CHECK(cudaMemcpyAsync(b->states, b->host_states, job->n * (N + 1) * sizeof(double),
                          cudaMemcpyHostToDevice));
    CHECK(cudaEventRecord(b->at[1]));
    drive<<<(unsigned)blocks, block>>>(*run, d);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(b->at[2]));
    CHECK(cudaMemcpyAsync(b->host_y, b->y, job->n * N * sizeof(double), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpyAsync(b->host_count, b->count, job->n * sizeof(kb_count),
                          cudaMemcpyDeviceToHost));
    CHECK(cudaEventRecord(b->at[3]));
    CHECK(cudaEventSynchronize(b->at[3]));
    result->copy_in = seconds(b, 0, 1);
    result->kernel = seconds(b, 1, 2);
    result->copy_out = seconds(b, 2, 3);
    result->total = seconds(b, 0, 3);
    std::copy(b->host_y, b->host_y + job->n * N, result->y);
    std::copy(b->host_count, b->host_count + job->n, result->count);
    return KB_OK;
}

static int run_on_device(const kb_run *run, const kb_job *job, kb_result *result, kb_error *err)
{
    cudaDeviceProp device;
    int block = job->threads ? job->threads : 64, resident = 0;
    CHECK(cudaGetDeviceProperties(&device, 0));
    /* no shared memory is used: all of it as L1 cache, for the vectors in local memory */
    CHECK(cudaFuncSetAttribute(drive, cudaFuncAttributePreferredSharedMemoryCarveout, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, drive, block, 0));
    long blocks = (job->n + block - 1) / block;
    if (job->schedule == KB_REFILL)
        blocks = std::min(blocks, (long)resident * device.multiProcessorCount);
    long threads = blocks * block;
    buffers b = {};
    int code = allocate(&b, job, threads, err);
    if (!code)
        code = copy_and_run(&b, run, job, blocks, block, result, err);
    if (!code) {
        int *iterations = new int[threads];
        cudaMemcpy(iterations, b.iterations, threads * sizeof(int), cudaMemcpyDeviceToHost);
        result->lane_use = lane_use(iterations, threads);
        delete[] iterations;
    }
    result->lanes = 32;
    result->threads = block;
    release(&b);
    return code;
}

static int run_cell(const kb_solver *self, const kb_job *job, kb_result *result, kb_error *err)
{
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
        return kb_fail(err, KB_NOTHING, "no CUDA device on this machine");
    kb_run run = {};
    run.dt = job->dt;
    run.rtol = job->rtol;
    run.atol = job->atol;
    run.reactor = job->reactor;
    run.max_substeps = job->max_substeps ? (double)job->max_substeps : 1e6;
    for (int k = 0; self->info.options[k].name; k++)
        run.opt[k] = job->options ? job->options[k] : self->info.options[k].value;
    if (job->stop && *job->stop)
        return kb_fail(err, KB_INTERRUPTED, "interrupted");
    return run_on_device(&run, job, result, err);
}

#define KB_TEXT_(x) #x
#define KB_TEXT(x) KB_TEXT_(x)

static const kb_option options[] = KB_METHOD_OPTIONS;
static kb_solver_info describe(void)
{
    struct {
        const char *source, *summary;
        int order;
        double rtol, atol;
    } m = {KB_METHOD_INFO};
    return {KB_TEXT(KB_METHOD), "gpu-thread", m.source, m.summary, m.order, m.rtol, m.atol,
            options, 32, sizeof(METHOD_work)};
}

extern "C" {
extern const kb_solver KB_SOLVER;
const kb_solver KB_SOLVER = {describe(), run_cell};
}
