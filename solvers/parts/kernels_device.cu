/* SPDX-License-Identifier: MIT
 *
 * The device as the kernels find it, and the bandwidth that a plain copy in its memory reaches.
 */
#include <algorithm>
#include <cstdio>
#include "solvers/engines/gpu_error.h"
#include "solvers/parts/kernels.h"

enum { COPY_PASSES = 15, COPY_BLOCK = 256 };

static __global__ void copy(double2 *to, const double2 *from, long n)
{
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i];
}

/* bytes read and written in a second: median of passes after a warm-up */
static int time_copy(double2 *to, const double2 *from, long n, cudaEvent_t *at, double *rate,
                     kb_error *err)
{
    double seconds[COPY_PASSES];
    for (int p = -1; p < COPY_PASSES; p++) {
        float ms;
        CHECK(cudaEventRecord(at[0]));
        copy<<<(unsigned)((n + COPY_BLOCK - 1) / COPY_BLOCK), COPY_BLOCK>>>(to, from, n);
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(at[1]));
        CHECK(cudaEventSynchronize(at[1]));
        CHECK(cudaEventElapsedTime(&ms, at[0], at[1]));
        seconds[std::max(p, 0)] = 1e-3 * ms;
    }
    std::sort(seconds, seconds + COPY_PASSES);
    *rate = 2.0 * n * sizeof(double2) / seconds[COPY_PASSES / 2];
    return KB_OK;
}

static int measure_copy(kb_kernel_device *d, kb_error *err)
{
    double2 *to = NULL, *from = NULL;
    cudaEvent_t at[2] = {};
    d->copy_bytes = std::min<size_t>(1 << 30, d->memory / 4);
    cudaError_t e = cudaMalloc(&to, d->copy_bytes);
    e = e ? e : cudaMalloc(&from, d->copy_bytes);
    e = e ? e : cudaMemset(from, 0, d->copy_bytes);
    for (cudaEvent_t &event : at)
        e = e ? e : cudaEventCreate(&event);
    int code = gpu_failed(e, "memory for the copy", err) ? KB_INVALID
               : time_copy(to, from, (long)(d->copy_bytes / sizeof(double2)), at, &d->copy, err);
    for (cudaEvent_t event : at)
        if (event)
            cudaEventDestroy(event);
    cudaFree(to);
    cudaFree(from);
    return code;
}

extern "C" int kb_kernels_device(kb_kernel_device *d, kb_error *err)
{
    cudaDeviceProp properties;
    size_t total;
    int code = gpu_available(err);
    if (code)
        return code;
    *d = {};
    CHECK(cudaGetDeviceProperties(&properties, 0));
    CHECK(cudaMemGetInfo(&d->memory, &total));
    snprintf(d->name, sizeof d->name, "%.63s", properties.name);
    d->shared = properties.sharedMemPerBlockOptin;
    d->multiprocessors = properties.multiProcessorCount;
    return measure_copy(d, err);
}
