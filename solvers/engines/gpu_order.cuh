/* SPDX-License-Identifier: MIT
 *
 * The order in which the queue of a refill hands out the ODEs of a slice: those with the largest
 * ||f|| of the initial state first, in the norm of the step control. It predicts the number of
 * substeps well. The whole device would wait for a long ODE that starts last.
 *
 * A counting sort by the exponent of the norm's square: count_keys, then place_keys, then
 * fill_order. ODEs of one key follow in any order.
 */
#ifndef KB_GPU_ORDER_H
#define KB_GPU_ORDER_H

#include <algorithm>
#include <cstdint>
#include <cuda_runtime.h>
#include "solvers/engines/gpu_kernel.cuh"

enum { ORDER_KEYS = 256, ORDER_SMALLEST = 1023 - 64 }; /* exponent, biased, of the last key */

/* on the device, for one slice */
struct order_tables {
    uint8_t *key; /* [n] */
    int *order;   /* [n] ODEs, the costly ones first */
    int *start;   /* [ORDER_KEYS] how many of each key, then where the next of it goes */
};

/* of a square: larger ones have smaller keys; a NaN the smallest */
static __device__ int order_key(double square)
{
    int exponent = square >= 0 ? ilogb(fmax(square, 1e-300)) + 1023 : 2047;
    return ORDER_KEYS - 1 - std::min(std::max(exponent - ORDER_SMALLEST, 0), ORDER_KEYS - 1);
}

/* adds 1 to counter[key] for the threads of a warp that call it together; returns the thread's own
 * number among all calls */
static __device__ int order_add(int *counter, int key)
{
    unsigned same = __match_any_sync(__activemask(), key);
    int lane = threadIdx.x % 32, leader = __ffs(same) - 1, first = 0;
    if (lane == leader)
        first = atomicAdd(&counter[key], __popc(same));
    return __shfl_sync(same, first, leader) + __popc(same & ((1u << lane) - 1));
}

struct order_work {
    lane y[N], f[N];
    kb_kinetics problem;
};

/* count_keys has the shared memory that every block may have, and nothing in global memory; the
 * vectors of gpu-thread-cached would need more */
#ifdef KB_CACHED
enum { ORDER_POSSIBLE = 0 };
#else
enum { ORDER_POSSIBLE = KB_TEAM == 1 || (!TEAM_GLOBAL && sizeof(order_work) <= 48 * 1024) };
#endif

/* the squares of the norm of f at the states of the ODEs from k on, one a lane, the same on all
 * threads of the team */
static __device__ lane order_square(const kb_run *run, const kb_batch *batch, long k,
                                    order_work *w)
{
    team_ode(o);
    lane sum = splat(0);
    KB_UNROLL for (int l = 0; l < KB_LANES; l++)
        load_lane(run, batch, std::min(k + l, batch->n - 1), l, &o, w->y);
    problem_rhs(run, &o, w->y, w->f, &w->problem);
    each_sum(sum, i, N)
    {
        lane q = w->f[i] / (run->atol + run->rtol * vabs(w->y[i]));
        sum += q * q;
    }
    return team_sum(sum);
}

static __global__ void count_keys(kb_run run, kb_batch batch, order_tables t)
{
#if KB_TEAM == 1
    order_work work, *w = &work;
    long first = (long)blockIdx.x * blockDim.x + threadIdx.x, step = (long)gridDim.x * blockDim.x;
#else
    extern __shared__ double shared[];
    order_work *w = (order_work *)shared;
    long first = (long)blockIdx.x * KB_LANES, step = (long)gridDim.x * KB_LANES;
#endif
    for (long k = first; k < batch.n; k += step) {
        lane square = order_square(&run, &batch, k, w);
        for (int l = 0; l < KB_LANES && k + l < batch.n; l++) {
            int key = order_key(lane_get(square, l));
            if (team_rank() == 0) {
                t.key[k + l] = (uint8_t)key;
                order_add(t.start, key);
            }
        }
    }
}

/* counts -> first places; one thread */
static __global__ void place_keys(order_tables t)
{
    int next = 0;
    for (int key = 0; key < ORDER_KEYS; key++) {
        int count = t.start[key];
        t.start[key] = next;
        next += count;
    }
}

static __global__ void fill_order(long n, order_tables t)
{
    long k = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n)
        t.order[order_add(t.start, t.key[k])] = (int)k;
}

#endif
