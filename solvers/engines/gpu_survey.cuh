/* SPDX-License-Identifier: MIT
 *
 * What comes before the integration of a slice: every ODE is looked at once, and the others are
 * queued.
 *
 * With the option `pass`, an ODE for which the explicit first pass (first_pass.h) is enough is
 * written out here and not queued. A kernel of its own: inside that of the method it would cost
 * registers, whether it is on or off.
 *
 * The queue of a refill hands out the ODEs with the largest ||f|| of the initial state first, in
 * the norm of the step control. It predicts the number of substeps well. The whole device would
 * wait for a long ODE that starts last. f is that of the pass, where there is one.
 *
 * A counting sort by the exponent of the norm's square: survey, then place_keys, then fill_order.
 * ODEs of one key follow in any order.
 */
#pragma once

#include <algorithm>
#include <cstdint>
#include "solvers/engines/gpu_kernel.cuh"

enum {
    ORDER_KEYS = 256,
    ORDER_DONE = ORDER_KEYS - 1, /* key of an ODE that is not queued */
    ORDER_LAST = ORDER_KEYS - 2, /* largest key of one that is */
    ORDER_SMALLEST = 1023 - 64   /* exponent, biased, of the last key */
};

/* on the device, for one slice */
struct order_tables {
    uint8_t *key; /* [n] */
    int *order;   /* [*queued] ODEs, the costly ones first */
    int *count;   /* [ORDER_KEYS] how many of each key */
    int *start;   /* [ORDER_KEYS] where the next of it goes */
    int *queued;  /* how many are left to the method */
};

/* of a square: larger ones have smaller keys; infinity and NaN the smallest */
static __device__ int order_key(double square)
{
    int exponent = square < INFINITY ? ilogb(fmax(square, 1e-300)) + 1023 : 2047;
    return ORDER_LAST - std::min(std::max(exponent - ORDER_SMALLEST, 0), (int)ORDER_LAST);
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

/* the vectors of a survey, with and without the pass */
template <bool PASS> using survey_work = std::conditional_t<PASS, pass_work, order_work>;
/* A team's lie in shared memory, or in its pool where they are too large. They are no larger than
 * the method's. */
template <bool PASS>
constexpr bool survey_pooled = KB_POOLED && sizeof(survey_work<PASS>) > KB_SHARED_MOST;
/* blocks that have no need of a pool may be more than those of the method */
enum { SURVEY_WAVES = 4 };
template <bool PASS> static long survey_most(long resident)
{
#ifdef KB_FORCED /* which lies in the pool */
    return resident;
#endif
    return TEAM_GLOBAL || survey_pooled<PASS> ? resident : SURVEY_WAVES * resident;
}
template <bool PASS> static size_t survey_shared(int block)
{
    return KB_TEAM == 1 ? shared_memory(block)
                        : survey_pooled<PASS> ? 0 : sizeof(survey_work<PASS>);
}

/* the square of the norm of f, the same on all threads of the team */
static __device__ lane order_square(const kb_run *run, const lane *y, const lane *f)
{
    lane sum = splat(0);
    each_sum(sum, i, N)
    {
        lane q = f[i] / (atol_of(run, i) + run->rtol * vabs(y[i]));
        sum += q * q;
    }
    return team_sum(sum, N);
}

/* the ODEs from k on, one a lane: their keys; of a lane behind the last ODE, any */
template <bool PASS>
static __device__ void survey_some(const kb_run *run, const device_batch &d, long k, bool sort,
                                   survey_work<PASS> *w, int *key)
{
    team_ode(o);
#ifdef KB_MANY
    k += many_lane();
#endif
#ifdef KB_FORCED
#if KB_TEAM == 1
    lane forcing[N];
    o.forcing = forcing;
#else
    o.forcing = d.pool[blockIdx.x].forcing;
#endif
#endif
    KB_UNROLL for (int l = 0; l < KB_LANES; l++)
        load_lane(run, &d.batch, std::min(k + l, d.batch.n - 1), l, &o, w->y);
    mask able = o.status == 0.0, done = mask_none(), sorted = not_(done);
    if constexpr (PASS) {
        if (lane_any(able))
            done = pass_step(run, &o, w, able);
        sorted = able & not_(done);
    } else {
        problem_rhs(run, &o, w->y, w->f, &w->problem);
    }
    lane square = sort && lane_any(sorted) ? order_square(run, w->y, w->f) : splat(0);
#ifdef KB_MANY
    retire_many(d, done & (k < d.batch.n), k, o, w->y);
#define retire_lane(...) (void)0
#endif
    KB_UNROLL for (int l = 0; l < KB_LANES; l++) {
        key[l] = mask_get(done, l)               ? (int)ORDER_DONE
                 : sort && mask_get(sorted, l) ? order_key(lane_get(square, l))
                                                 : 0;
        if (k + l >= d.batch.n)
            continue;
        if (mask_get(done, l))
            retire_lane(&d.batch, k + l, l, &o, w->y);
        else if (PASS && team_rank() == 0)
            d.batch.count[k + l].rhs = (int32_t)lane_get(o.rhs, l);
    }
}

/* As many blocks as fit beside each other: an evaluation waits for memory. Of pairs five, since
 * more gain nothing. A thread takes what it needs. */
#ifdef KB_MANY
#define SURVEY_BOUNDS __launch_bounds__(MANY_THREADS, 1)
#else
#if KB_TEAM == 1
#define SURVEY_BOUNDS
#else
#define SURVEY_BLOCKS                                                                              \
    (KB_LANES == 2 ? 640 / KB_TEAM : KB_TEAM == 32 ? 20 : 1024 / KB_TEAM)
#define SURVEY_BOUNDS __launch_bounds__(KB_TEAM, SURVEY_BLOCKS)
#endif
#endif

/* sort: with the costly ODEs first. d.order and d.queued are not read. */
template <bool PASS>
static __global__ void SURVEY_BOUNDS survey(kb_run run, device_batch d, order_tables t, bool sort)
{
#if KB_TEAM == 1
    survey_work<PASS> work, *w = &work;
    long first = (long)blockIdx.x * blockDim.x + threadIdx.x, step = (long)gridDim.x * blockDim.x;
#else
    extern __shared__ double shared[];
    team_pool *mine = d.pool + blockIdx.x;
    void *where = survey_pooled<PASS> ? (void *)&mine->work : (void *)shared;
    survey_work<PASS> *w = (survey_work<PASS> *)where;
    if (TEAM_GLOBAL)
        team_set_memory((team_memory *)&mine->memory);
    long first = (long)blockIdx.x * KB_LANES, step = (long)gridDim.x * KB_LANES;
#ifdef KB_MANY
    w = many_of(w), first *= KB_MANY, step *= KB_MANY;
#endif
#endif
    for (long k = first; k < d.batch.n && !stopped(d); k += step) {
        int key[KB_LANES];
        survey_some<PASS>(&run, d, k, sort, w, key);
#ifdef KB_MANY
        if (long own = k + many_lane(); team_rank() == 0 && own < d.batch.n) {
            t.key[own] = (uint8_t)key[0];
            order_add(t.count, key[0]);
        }
#else
        for (int l = 0; l < KB_LANES && k + l < d.batch.n; l++)
            if (team_rank() == 0) {
                t.key[k + l] = (uint8_t)key[l];
                order_add(t.count, key[l]);
            }
#endif
    }
}

/* counts -> first places; a thread a key */
static __global__ void place_keys(order_tables t)
{
    int key = (int)threadIdx.x, first = 0;
    for (int before = 0; before < key; before++)
        first += t.count[before];
    t.start[key] = first;
    if (key == ORDER_DONE)
        *t.queued = first;
}

static __global__ void fill_order(long n, order_tables t)
{
    long k = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n && t.key[k] != ORDER_DONE)
        t.order[order_add(t.start, t.key[k])] = (int)k;
}
