/* SPDX-License-Identifier: MIT
 *
 * What the device can do at most: loops of one kind of instruction, on all multiprocessors.
 */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include "solvers/engines/gpu_error.h"
#include "solvers/parts/roofline.h"

enum { BLOCK = 256, CHAINS = 8, LOOPS = 4096, WAVES = 8, PASSES = 5 };

/* CHAINS multiplications with addition that do not wait for each other, in each pass of a loop */
template <class real> static __global__ void multiply(real *out, real a, real b)
{
    real x[CHAINS];
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        x[c] = (real)(threadIdx.x + c);
#pragma unroll 4
    for (int k = 0; k < LOOPS; k++)
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            x[c] = x[c] * a + b;
    real sum = 0;
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        sum += x[c];
    out[(long)blockIdx.x * BLOCK + threadIdx.x] = sum;
}

/* CHAINS products of 8 x 4 and 4 x 8 numbers added to 8 x 8, on the tensor cores: each 2 8 8 4
 * operations of a warp */
enum { TENSOR_FLOPS = 2 * 8 * 8 * 4 };
static __global__ void multiply_tensor(double *out, double a, double b)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    double x[CHAINS][2];
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        x[c][0] = x[c][1] = threadIdx.x + c;
#pragma unroll 4
    for (int k = 0; k < LOOPS; k++)
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                : "+d"(x[c][0]), "+d"(x[c][1])
                : "d"(a), "d"(b));
    double sum = 0;
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        sum += x[c][0] + x[c][1];
    out[(long)blockIdx.x * BLOCK + threadIdx.x] = sum;
#else
    (void)out, (void)a, (void)b;
#endif
}

/* CHAINS loads that do not wait for each other, 8 bytes a thread, without conflicts of banks */
static __global__ void read_shared(double *out)
{
    __shared__ double place[BLOCK];
    place[threadIdx.x] = threadIdx.x;
    __syncthreads();
    int at[CHAINS];
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        at[c] = (threadIdx.x + 32 * c) % BLOCK;
    double sum[CHAINS] = {};
#pragma unroll 4
    for (int k = 0; k < LOOPS; k++)
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            sum[c] += *(volatile double *)&place[at[c]];
    double all = 0;
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        all += sum[c];
    out[(long)blockIdx.x * BLOCK + threadIdx.x] = all;
}

template <class F> static int least(F launch, cudaEvent_t *at, double *seconds, kb_error *err)
{
    *seconds = INFINITY;
    for (int p = -1; p < PASSES; p++) {
        float ms;
        CHECK(cudaEventRecord(at[0]));
        launch();
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(at[1]));
        CHECK(cudaEventSynchronize(at[1]));
        CHECK(cudaEventElapsedTime(&ms, at[0], at[1]));
        if (p >= 0)
            *seconds = std::min(*seconds, 1e-3 * ms);
    }
    return KB_OK;
}

static int measure(kb_limits *l, double *memory, cudaEvent_t *at, kb_error *err)
{
    unsigned blocks = l->multiprocessors * WAVES;
    double each = (double)blocks * (BLOCK * LOOPS * CHAINS), wide, tensor = 0, narrow, shared;
    int code = least([=] { multiply<<<blocks, BLOCK>>>(memory, 0.999, 1e-3); }, at, &wide, err);
    code = code || l->major < 8
               ? code
               : least([=] { multiply_tensor<<<blocks, BLOCK>>>(memory, 0.999, 1e-3); }, at,
                       &tensor, err);
    code = code ? code : least([=] { multiply<<<blocks, BLOCK>>>((float *)memory, 0.999f, 1e-3f); },
                               at, &narrow, err);
    code = code ? code : least([=] { read_shared<<<blocks, BLOCK>>>(memory); }, at, &shared, err);
    if (code)
        return code;
    l->flops = 2 * each / wide;
    l->tensor = l->major < 8 ? l->flops : TENSOR_FLOPS / 32 * each / tensor;
    l->floats = 2 * each / narrow;
    l->issue = each / 32 / narrow;
    l->shared = each * sizeof(double) / shared;
    return KB_OK;
}

static int describe(kb_limits *l, kb_error *err)
{
    cudaDeviceProp d;
    int memory_kHz = 0, kHz = 0;
    CHECK(cudaGetDeviceProperties(&d, 0));
    CHECK(cudaDeviceGetAttribute(&kHz, cudaDevAttrClockRate, 0));
    CHECK(cudaDeviceGetAttribute(&memory_kHz, cudaDevAttrMemoryClockRate, 0));
    *l = {};
    snprintf(l->name, sizeof l->name, "%.63s", d.name);
    l->multiprocessors = d.multiProcessorCount;
    l->clock_MHz = kHz / 1000;
    l->memory_clock_MHz = memory_kHz / 1000;
    l->bus_bits = d.memoryBusWidth;
    l->registers = d.regsPerMultiprocessor;
    l->shared_bytes = (int)d.sharedMemPerMultiprocessor;
    l->L2_bytes = d.l2CacheSize;
    l->major = d.major;
    l->minor = d.minor;
    l->memory = 2 * 1e3 * memory_kHz * d.memoryBusWidth / 8;
    return KB_OK;
}

extern "C" int kb_roofline_device(kb_limits *l, kb_error *err)
{
    double *memory = NULL;
    cudaEvent_t at[2] = {};
    if (int code = gpu_available(err))
        return code;
    if (int code = describe(l, err))
        return code;
    size_t size = (size_t)l->multiprocessors * WAVES * BLOCK * sizeof(double);
    cudaError_t e = cudaMalloc(&memory, size);
    for (cudaEvent_t &event : at)
        e = e ? e : cudaEventCreate(&event);
    int code = gpu_failed(e, "memory for the limits", err) ? KB_INVALID
                                                           : measure(l, memory, at, err);
    for (cudaEvent_t event : at)
        if (event)
            cudaEventDestroy(event);
    cudaFree(memory);
    return code;
}
