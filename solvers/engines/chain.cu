/* SPDX-License-Identifier: MIT
 *
 * Global steps one after another with the states on the device (kb_solvers.chain_on_device): one
 * copy in before the first, one copy out after the last.
 */
#include <cuda_runtime.h>
#include "solvers/engines/gpu_error.h"
#include "solvers/hand_on.h"

struct chain {
    long n;
    int nsp;
    double *states, *y, *W;        /* n x (nsp + 2), n x (nsp + 1), nsp */
    kb_count *step, *sum;          /* n: of a step, of all */
    unsigned long long *attempted, told; /* in all steps: on the device, and its copy */
    cudaEvent_t begin, end;
};

/* the counts of a step to the sums; at constant volume the next p */
static __global__ void add_step(chain c, bool constant_volume)
{
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= c.n)
        return;
    hand_on_count(&c.sum[i], &c.step[i]);
    atomicAdd(c.attempted, (unsigned long long)c.step[i].attempted);
    double *state = c.states + i * (c.nsp + 2);
    if (constant_volume)
        state[1] = hand_on_pressure(c.nsp, c.W, state, c.y + i * (c.nsp + 1));
}

/* T and Y of the results to the states, an element a thread */
static __global__ void hand_on(chain c)
{
    long at = (long)blockIdx.x * blockDim.x + threadIdx.x, i = at / (c.nsp + 1);
    int k = (int)(at % (c.nsp + 1));
    if (i < c.n)
        c.states[i * (c.nsp + 2) + (k ? k + 1 : 0)] = c.y[at];
}

static cudaLaunchConfig_t threads(long n)
{
    cudaLaunchConfig_t c = {};
    c.gridDim = dim3((unsigned)((n + 127) / 128));
    c.blockDim = dim3(128);
    return c;
}

static int no_room(const chain *c, cudaError_t e, kb_error *err)
{
    double bytes = (double)c->n * ((2 * c->nsp + 3) * sizeof(double) + 2 * sizeof(kb_count));
    if (e != cudaErrorMemoryAllocation)
        return gpu_failed(e, "memory of a chain", err) ? KB_INVALID : KB_OK;
    cudaGetLastError();
    return kb_fail(err, KB_INVALID,
                   "device memory: no room for the states and results of %ld ODEs, %.0f MB, which "
                   "stay there (take fewer ODEs, or --chain host)",
                   c->n, 1e-6 * bytes);
}

static int allocate(chain *c, kb_error *err)
{
    size_t n = (size_t)c->n, nsp = (size_t)c->nsp;
    cudaError_t e = cudaMalloc(&c->states, n * (nsp + 2) * sizeof(double));
    e = e ? e : cudaMalloc(&c->y, n * (nsp + 1) * sizeof(double));
    e = e ? e : cudaMalloc(&c->W, nsp * sizeof(double));
    e = e ? e : cudaMalloc(&c->step, n * sizeof(kb_count));
    e = e ? e : cudaMalloc(&c->sum, n * sizeof(kb_count));
    e = e ? e : cudaMalloc(&c->attempted, sizeof *c->attempted);
    if (e != cudaSuccess)
        return no_room(c, e, err);
    CHECK(cudaEventCreate(&c->begin));
    CHECK(cudaEventCreate(&c->end));
    return KB_OK;
}

static void release(chain *c)
{
    if (c->begin)
        cudaEventDestroy(c->begin);
    if (c->end)
        cudaEventDestroy(c->end);
    cudaFree(c->states);
    cudaFree(c->y);
    cudaFree(c->W);
    cudaFree(c->step);
    cudaFree(c->sum);
    cudaFree(c->attempted);
    cudaGetLastError(); /* what failed was told */
}

/* [s] between the events, the second of which is recorded here */
static int elapsed(const chain *c, double *seconds, kb_error *err)
{
    float ms;
    CHECK(cudaEventRecord(c->end, 0));
    CHECK(cudaStreamSynchronize(0));
    CHECK(cudaEventElapsedTime(&ms, c->begin, c->end));
    *seconds = 1e-3 * ms;
    return KB_OK;
}

static int copy_in(const chain *c, const kb_job *job, const double *W, double *seconds,
                   kb_error *err)
{
    size_t n = (size_t)c->n, nsp = (size_t)c->nsp;
    CHECK(cudaMemcpyAsync(c->W, W, nsp * sizeof(double), cudaMemcpyHostToDevice, 0));
    CHECK(cudaMemsetAsync(c->sum, 0, n * sizeof *c->sum, 0));
    CHECK(cudaMemsetAsync(c->attempted, 0, sizeof *c->attempted, 0));
    CHECK(cudaStreamSynchronize(0));
    CHECK(cudaEventRecord(c->begin, 0));
    CHECK(cudaMemcpyAsync(c->states, job->states, n * (nsp + 2) * sizeof(double),
                          cudaMemcpyHostToDevice, 0));
    return elapsed(c, seconds, err);
}

static int copy_out(const chain *c, const kb_result *r, double *seconds, kb_error *err)
{
    size_t n = (size_t)c->n, nsp = (size_t)c->nsp;
    CHECK(cudaEventRecord(c->begin, 0));
    CHECK(cudaMemcpyAsync(r->y, c->y, n * (nsp + 1) * sizeof(double), cudaMemcpyDeviceToHost, 0));
    CHECK(cudaMemcpyAsync(r->count, c->sum, n * sizeof *c->sum, cudaMemcpyDeviceToHost, 0));
    return elapsed(c, seconds, err);
}

/* the step's results into the sums, and to the next step's states */
static int between(const chain *c, const kb_job *job, double *seconds, kb_error *err)
{
    cudaLaunchConfig_t ode = threads(c->n), element = threads(c->n * (c->nsp + 1));
    CHECK(cudaEventRecord(c->begin, 0));
    CHECK(cudaLaunchKernelEx(&ode, add_step, *c, job->reactor == KB_CONST_V));
    CHECK(cudaLaunchKernelEx(&element, hand_on, *c));
    return elapsed(c, seconds, err);
}

/* attempts of all steps, and of their lanes whether active or not */
struct use {
    unsigned long long until;
    double all;
};

static int add_use(chain *c, const kb_result *step, use *u, kb_error *err)
{
    CHECK(cudaMemcpyAsync(&c->told, c->attempted, sizeof c->told, cudaMemcpyDeviceToHost, 0));
    CHECK(cudaStreamSynchronize(0));
    double active = (double)(c->told - u->until);
    u->until = c->told;
    u->all += step->lane_use > 0 ? active / step->lane_use : active;
    return KB_OK;
}

static void add_times(kb_result *sum, const kb_result *step, double handed_on)
{
    sum->total += step->total + handed_on;
    sum->kernel += step->kernel + handed_on;
    sum->lanes = step->lanes;
    sum->threads = step->threads;
    sum->slices = step->slices;
    sum->resident = step->resident;
}

static int run_steps(const kb_solver *solver, void *run, chain *c, const kb_job *job, int steps,
                     kb_result *r, kb_error *err)
{
    use u = {};
    for (int k = 0; k < steps; k++) {
        kb_result step = {};
        double handed_on = 0;
        step.y = c->y;
        step.count = c->step;
        step.timeline = r->timeline;
        step.most_slices = r->most_slices;
        int code = solver->pass(run, job, &step, err);
        code = code ? code : between(c, job, &handed_on, err);
        code = code ? code : add_use(c, &step, &u, err);
        if (code)
            return code;
        add_times(r, &step, handed_on);
    }
    r->lane_use = u.all > 0 ? (double)u.until / u.all : 1;
    return KB_OK;
}

static int run_chain(const kb_solver *solver, chain *c, const kb_job *job, int steps,
                     const double *W, kb_result *r, kb_error *err)
{
    kb_job inner = *job;
    void *run = NULL;
    inner.states = c->states;
    int code = solver->open(solver, &inner, &run, err);
    code = code ? code : copy_in(c, job, W, &r->copy_in, err);
    code = code ? code : run_steps(solver, run, c, &inner, steps, r, err);
    code = code ? code : copy_out(c, r, &r->copy_out, err);
    r->total += r->copy_in + r->copy_out;
    solver->close(run);
    return code;
}

extern "C" int kb_chain_on_device(const kb_solver *solver, const kb_job *job, int steps, int nsp,
                                  const double *W, kb_result *result, kb_error *err)
{
    chain c = {};
    c.n = job->n;
    c.nsp = nsp;
    int code = gpu_available(err);
    code = code ? code : allocate(&c, err);
    code = code ? code : run_chain(solver, &c, job, steps, W, result, err);
    release(&c);
    return code;
}
