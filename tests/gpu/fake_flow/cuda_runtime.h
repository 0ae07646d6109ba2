/* SPDX-License-Identifier: MIT
 *
 * A CUDA device for flow/engine_gpu.cu in the host's memory: a kernel is a loop over its threads,
 * one after the other, so that only the last thread of a block may read what the others left
 * behind.
 */
#ifndef KB_FAKE_FLOW_CUDA_RUNTIME_H
#define KB_FAKE_FLOW_CUDA_RUNTIME_H

#include <cmath>
#include <cstdlib>
#include <cstring>

#define __device__
#define __host__
#define __global__
#define __shared__ static
#define __launch_bounds__(n)
#define __align__(n) __attribute__((aligned(n)))
#define KB_LAUNCH(kernel, blocks, threads, ...) fake_launch(kernel, blocks, threads, __VA_ARGS__)

struct dim3 {
    unsigned x, y;
    dim3(unsigned a = 1, unsigned b = 1) : x(a), y(b) {}
};
static dim3 threadIdx, blockIdx, gridDim;
enum cudaError_t { cudaSuccess, cudaErrorMemoryAllocation };

static inline cudaError_t cudaMallocManaged(void **to, size_t size)
{
    *to = aligned_alloc(64, (size + 63) / 64 * 64);
    return *to ? cudaSuccess : cudaErrorMemoryAllocation;
}
static inline cudaError_t cudaMalloc(void **to, size_t size) { return cudaMallocManaged(to, size); }
static inline cudaError_t cudaFree(void *memory)
{
    free(memory);
    return cudaSuccess;
}
static inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
static inline cudaError_t cudaGetLastError() { return cudaSuccess; }
static inline const char *cudaGetErrorString(cudaError_t) { return "fake"; }
static inline void __syncthreads() {}

template <class T> static inline void atomicAdd(T *to, T x) { *to += x; }
template <class T> static inline void atomicMax(T *to, T x) { *to = x > *to ? x : *to; }
template <class T> static inline void atomicMin(T *to, T x) { *to = x < *to ? x : *to; }

static inline long long __double_as_longlong(double x)
{
    long long bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

template <class K, class... A>
static void fake_launch(K kernel, dim3 blocks, unsigned threads, A... a)
{
    gridDim = blocks;
    for (unsigned y = 0; y < blocks.y; y++)
        for (unsigned x = 0; x < blocks.x; x++)
            for (unsigned t = 0; t < threads; t++) {
                blockIdx = dim3(x, y);
                threadIdx = dim3(t);
                kernel(a...);
            }
}

#endif
