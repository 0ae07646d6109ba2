/* SPDX-License-Identifier: MIT
 *
 * A CUDA device for flow/engines/gpu.cu in the host's memory: the threads of a block are contexts
 * of one thread of the host, which take turns at __syncthreads.
 */
#pragma once

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>

#include "tests/team/turns.h"

#define __device__
#define __host__
#define __global__
#define __shared__ static
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define KB_LAUNCH(kernel, blocks, threads, ...) fake_launch(kernel, blocks, threads, __VA_ARGS__)

struct dim3 {
    unsigned x, y;
    dim3(unsigned a = 1, unsigned b = 1) : x(a), y(b) {}
};
static dim3 threadIdx, blockIdx, gridDim;
enum cudaError_t { cudaSuccess, cudaErrorMemoryAllocation };
enum cudaMemcpyKind { cudaMemcpyDeviceToHost, cudaMemcpyHostToDevice };
enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount };

inline long fake_held; /* pieces of memory, of all schemes: a test looks at it */

static inline cudaError_t cudaMallocManaged(void **to, size_t size)
{
    *to = aligned_alloc(64, (size + 63) / 64 * 64);
    fake_held += *to != NULL;
    return *to ? cudaSuccess : cudaErrorMemoryAllocation;
}
static inline cudaError_t cudaMalloc(void **to, size_t size) { return cudaMallocManaged(to, size); }
static inline cudaError_t cudaFree(void *memory)
{
    fake_held -= memory != NULL;
    free(memory);
    return cudaSuccess;
}
static inline cudaError_t cudaFreeHost(void *memory) { return cudaFree(memory); }
static inline cudaError_t cudaMallocHost(void **to, size_t size)
{
    return cudaMallocManaged(to, size);
}
static inline cudaError_t cudaMemsetAsync(void *to, int value, size_t size)
{
    memset(to, value, size);
    return cudaSuccess;
}
static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t size, cudaMemcpyKind)
{
    memcpy(to, from, size);
    return cudaSuccess;
}
static inline cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}
/* few, so that a block has several rows */
static inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr, int)
{
    *value = 1;
    return cudaSuccess;
}
static inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
static inline cudaError_t cudaGetLastError() { return cudaSuccess; }
static inline const char *cudaGetErrorString(cudaError_t) { return "fake"; }

/* ---- threads ---- */

enum { FAKE_THREADS = 128, FAKE_STACK = 1 << 16 };
static turn fake_home, fake_thread[FAKE_THREADS];
static bool fake_running[FAKE_THREADS];
static std::function<void()> fake_body;

static inline void __syncthreads() { turn_to(&fake_thread[threadIdx.x], &fake_home); }

static inline void fake_run()
{
    fake_body();
    fake_running[threadIdx.x] = false;
    __syncthreads();
}

template <class T> static inline T atomicAdd(T *to, T x)
{
    T old = *to;
    *to += x;
    return old;
}
template <class T> static inline void atomicMax(T *to, T x) { *to = x > *to ? x : *to; }

static inline long long __double_as_longlong(double x)
{
    long long bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* all threads of a block, each up to its next __syncthreads, until all have ended */
static void fake_block(unsigned threads)
{
    static char stack[FAKE_THREADS][FAKE_STACK];
    for (unsigned t = 0; t < threads; t++) {
        turn_prepare(&fake_thread[t], stack[t], FAKE_STACK, fake_run);
        fake_running[t] = true;
    }
    for (bool any = true; any;) {
        any = false;
        for (unsigned t = 0; t < threads; t++) {
            threadIdx = dim3(t);
            if (fake_running[t])
                turn_to(&fake_home, &fake_thread[t]);
            any |= fake_running[t];
        }
    }
}

template <class K, class... A>
static void fake_launch(K kernel, dim3 blocks, unsigned threads, A... a)
{
    gridDim = blocks;
    fake_body = [&] { kernel(a...); };
    for (unsigned y = 0; y < blocks.y; y++)
        for (unsigned x = 0; x < blocks.x; x++) {
            blockIdx = dim3(x, y);
            fake_block(threads);
        }
}
