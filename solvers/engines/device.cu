/* SPDX-License-Identifier: MIT
 *
 * States that are in the memory of the device already (kb_solvers.run_on_device): to rows and back
 * there.
 */
#include <cuda_runtime.h>
#include "solvers/engines/gpu_error.h"
#include "solvers/results.h"

struct rows {
    kb_device_states of;
    long n;
    kb_reactor reactor;
    double *states, *y, *W; /* n x (nsp + 2), n x (nsp + 1), nsp */
    kb_count *count;
    unsigned long long *failed, told; /* on the device, and its copy */
};

static __device__ long place(const rows &r, long i, int k)
{
    return r.of.by_species ? k * r.n + i : i * r.of.nsp + k;
}

static __global__ void pack(rows r)
{
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= r.n)
        return;
    double *s = r.states + i * (r.of.nsp + 2);
    s[0] = r.of.T[i];
    s[1] = r.of.p[i];
    for (int k = 0; k < r.of.nsp; k++)
        s[2 + k] = r.of.Y[place(r, i, k)];
    kb_state_ready(s, r.of.nsp, &r.of.limits, r.of.repair);
}

static __global__ void unpack(rows r)
{
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= r.n)
        return;
    const double *s = r.states + i * (r.of.nsp + 2), *y = r.y + i * (r.of.nsp + 1);
    double p = kb_result_pressure(r.reactor, r.of.nsp, r.W, s, y);
    kb_count c = r.count[i];
    if (!c.status && !kb_result_possible(p, y, r.of.nsp, &r.of.limits, r.of.repair))
        c.status = KB_ODE_BOUNDS;
    if (r.of.status)
        r.of.status[i] = c.status;
    if (r.of.count)
        r.of.count[i] = c;
    if (c.status) {
        atomicAdd(r.failed, 1ULL);
        return;
    }
    if (r.reactor == KB_CONST_V)
        r.of.p[i] = p;
    r.of.T[i] = y[0];
    for (int k = 0; k < r.of.nsp; k++)
        r.of.Y[place(r, i, k)] = y[1 + k];
}

static int start(void (*kernel)(rows), const rows *r, kb_error *err)
{
    cudaLaunchConfig_t c = {};
    c.gridDim = dim3((unsigned)((r->n + 127) / 128));
    c.blockDim = dim3(128);
    c.stream = (cudaStream_t)r->of.stream;
    CHECK(cudaLaunchKernelEx(&c, kernel, *r));
    return KB_OK;
}

static int check_pointer(const void *memory, const char *name, kb_error *err)
{
    cudaPointerAttributes a;
    bool here = cudaPointerGetAttributes(&a, memory) == cudaSuccess &&
                a.type == cudaMemoryTypeDevice;
    cudaGetLastError();
    return here ? KB_OK
                : kb_fail(err, KB_INVALID, "%s is not in the memory of the device (cudaMalloc)",
                          name);
}

static int allocate(rows *r, kb_error *err)
{
    size_t n = (size_t)r->n, nsp = (size_t)r->of.nsp;
    CHECK(cudaMalloc(&r->states, n * (nsp + 2) * sizeof(double)));
    CHECK(cudaMalloc(&r->y, n * (nsp + 1) * sizeof(double)));
    CHECK(cudaMalloc(&r->W, nsp * sizeof(double)));
    CHECK(cudaMalloc(&r->count, n * sizeof(kb_count)));
    CHECK(cudaMalloc(&r->failed, sizeof *r->failed));
    return KB_OK;
}

static int run_rows(const kb_solver *solver, const kb_job *job, rows *r, kb_error *err)
{
    cudaStream_t stream = (cudaStream_t)r->of.stream;
    kb_job inner = *job;
    kb_result result = {};
    inner.states = r->states;
    result.y = r->y;
    result.count = r->count;
    CHECK(cudaMemcpyAsync(r->W, r->of.W, (size_t)r->of.nsp * sizeof(double),
                          cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemsetAsync(r->failed, 0, sizeof *r->failed, stream));
    if (int code = start(pack, r, err))
        return code;
    CHECK(cudaStreamSynchronize(stream)); /* the engine has streams of its own */
    void *run = NULL;
    int code = solver->open(solver, &inner, &run, err);
    code = code ? code : solver->pass(run, &inner, &result, err);
    solver->close(run);
    if (code)
        return code;
    if (int code = start(unpack, r, err))
        return code;
    CHECK(cudaMemcpyAsync(&r->told, r->failed, sizeof r->told, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    r->of.failed = (long)r->told;
    return KB_OK;
}

/* also when the solvers were built for another architecture, which the first kernel tells */
extern "C" int kb_gpu_available(kb_error *err)
{
    cudaFuncAttributes a;
    if (int code = gpu_available(err))
        return code;
    return gpu_failed(cudaFuncGetAttributes(&a, pack), "solvers of the GPU", err) ? KB_NOTHING
                                                                                  : KB_OK;
}

extern "C" int kb_run_on_device(const kb_solver *solver, const kb_job *job,
                                kb_device_states *states, kb_error *err)
{
    rows r = {};
    r.of = *states;
    r.n = job->n;
    r.reactor = job->reactor;
    int code = gpu_available(err);
    code = code ? code : check_pointer(states->T, "T", err);
    code = code ? code : check_pointer(states->p, "p", err);
    code = code ? code : check_pointer(states->Y, "Y", err);
    code = code ? code : allocate(&r, err);
    code = code ? code : run_rows(solver, job, &r, err);
    if (code && r.states) /* what was begun still uses the rows */
        cudaStreamSynchronize((cudaStream_t)states->stream);
    cudaFree(r.states);
    cudaFree(r.y);
    cudaFree(r.W);
    cudaFree(r.count);
    cudaFree(r.failed);
    states->failed = r.of.failed;
    return code;
}
