/* SPDX-License-Identifier: MIT
 *
 * Times of the parts of an attempt of rodas4 on one GPU engine, with the vectors and the teams that
 * its kernel (drive) has, as many at a time. Each part is done again and again in a kernel of its
 * own; two numbers of repeats, which the compiler does not know, give the time of one: what goes
 * before the first (states, the matrix of an LU, the factors of a solve) is in both.
 */
#include "solvers/portable/lane.h"
#include "constants.h"
#include "solvers/parts/roofline.h"

extern "C" {
extern const kb_part_engine KB_PARTS_ENGINE;
}

#if defined(KB_STRAIGHT) && !STRAIGHT_FITS
static int time_parts(const double *, long, double *, kb_error *err)
{
    return kb_fail(err, KB_NOTHING, KB_ENGINE ": the mechanism is too large");
}
#else

#include <algorithm>
#include "solvers/engines/gpu_error.h"
#include "solvers/engines/gpu_kernel.cuh"

enum { FEW = 4, MANY = 36, PASSES = 5, BLOCK = KB_TEAM == 1 ? 64 : KB_TEAM };
#if KB_TEAM == 1
#define PART_BOUNDS
#else
#define PART_BOUNDS __launch_bounds__(KB_TEAM, KB_BLOCKS)
#endif

/* what only the host knows */
struct unknown {
    int repeats, entry; /* entry of a vector */
    double zero;
};

/* One entry of each array changes by nothing. The compiler knows neither which nor by how much: so
 * each repeat takes all that it needs from memory and leaves all results there. */
static __device__ void disturb(METHOD_work *w, lane reach, const unknown &u)
{
    each(i, 1)
    {
        int k = i + u.entry;
        lane d = u.zero * (w->f[k] + reach);
        w->y[k] += d;
        w->f[k] += d;
        w->A[k] += d;
    }
    team_sync();
}

template <int PART>
static __device__ void repeat_part(const kb_run &run, kb_ode &o, METHOD_work *w, const unknown &u)
{
    lane reach = splat(0);
    if (PART >= KB_PART_LU)
        problem_jacobian(&run, &o, w->y, w->f, w->A, &w->problem);
    if (PART == KB_PART_SOLVE)
        reach = problem_factor(w->A, splat(1e7));
    team_sync();
    KB_NO_UNROLL for (int r = 0; r < u.repeats; r++)
    {
        if (PART == KB_PART_RATES)
            problem_rhs(&run, &o, w->y, w->f, &w->problem.k);
        else if (PART == KB_PART_JACOBIAN)
            problem_jacobian(&run, &o, w->y, w->f, w->A, &w->problem);
        else if (PART == KB_PART_LU) /* from the second on of the factors, as a matrix like any */
            reach = problem_factor(w->A, splat(1e7));
        else
            problem_solve(w->A, w->f, w->f);
        disturb(w, reach, u);
    }
}

/* the same number of ODEs for each team: state number k % n */
template <int PART>
static __global__ void PART_BOUNDS part(kb_run run, kb_batch batch, long rounds, team_pool *pool,
                                        unknown u)
{
    long team = ((long)blockIdx.x * BLOCK + threadIdx.x) / KB_TEAM, odes = KB_LANES * rounds;
    team_ode(o);
#if KB_TEAM == 1
    METHOD_work own, *w = &own;
    (void)pool;
    each(p, NNZ) w->A[p] = 0; /* entries that elimination fills are not set before */
#else
    extern __shared__ double shared[];
    team_pool *mine = pool + blockIdx.x;
    METHOD_work *w = KB_WORK_POOLED ? (METHOD_work *)&mine->work : (METHOD_work *)shared;
    o.scratch = &mine->scratch;
    if (TEAM_GLOBAL)
        team_set_memory((team_memory *)&mine->memory);
#endif
    for (long k = team * odes; k < (team + 1) * odes; k += KB_LANES) {
        KB_UNROLL for (int l = 0; l < KB_LANES; l++)
            load_lane(&run, &batch, (k + l) % batch.n, l, &o, w->y);
        repeat_part<PART>(run, o, w, u);
    }
}

typedef void (*kernel)(kb_run, kb_batch, long, team_pool *, unknown);
static const kernel kernels[KB_PARTS] = {part<KB_PART_RATES>, part<KB_PART_JACOBIAN>,
                                         part<KB_PART_LU>, part<KB_PART_SOLVE>};

struct measurement {
    double *states;
    team_pool *pools;
    cudaEvent_t from, to;
    long n, blocks[KB_PARTS]; /* resident on the device */
};

/* shared memory and L1 cache as gpu.cu divides them for a large batch */
static int divide_cache(kernel k, const cudaDeviceProp *device, int resident, kb_error *err)
{
    int pair = 0;
    if (used_share(k, device, resident, BLOCK, &pair, err))
        return KB_INVALID;
    int percent = KB_TEAM == 1 ? 0 : KB_SHARED == 0 ? -1 : KB_LANES == 1 ? 75 : pair;
    CHECK(cudaFuncSetAttribute(k, cudaFuncAttributePreferredSharedMemoryCarveout, percent));
    return KB_OK;
}

template <class F> static int count_resident(F *k, int *resident, kb_error *err)
{
    if (KB_SHARED > 0) {
        CHECK(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   shared_memory(BLOCK)));
        CHECK(cudaFuncSetAttribute(k, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
    }
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(resident, k, BLOCK,
                                                        shared_memory(BLOCK)));
    return *resident ? KB_OK
                     : (gpu_failed(cudaErrorLaunchOutOfResources, "occupancy", err), KB_INVALID);
}

static int count_blocks(kernel k, long *blocks, kb_error *err)
{
    cudaDeviceProp device;
    int resident = 0, of_drive = 0;
    CHECK(cudaGetDeviceProperties(&device, 0));
    int code = count_resident(k, &resident, err);
    code = code ? code : count_resident(drive, &of_drive, err);
    resident = std::min(resident, of_drive);
    *blocks = (long)resident * device.multiProcessorCount;
    return code ? code : divide_cache(k, &device, resident, err);
}

static int open_measurement(measurement *m, const double *states, long n, kb_error *err)
{
    long pools = 1;
    m->n = n;
    for (int p = 0; p < KB_PARTS; p++) {
        if (int code = count_blocks(kernels[p], &m->blocks[p], err))
            return code;
        pools = KB_POOLED ? std::max(pools, m->blocks[p]) : 1;
    }
    size_t size = n * (N + 1) * sizeof *states;
    CHECK(cudaMalloc(&m->states, size));
    CHECK(cudaMalloc(&m->pools, pools * sizeof(team_pool)));
    CHECK(cudaMemcpy(m->states, states, size, cudaMemcpyHostToDevice));
    CHECK(cudaEventCreate(&m->from));
    CHECK(cudaEventCreate(&m->to));
    return KB_OK;
}

static void close_measurement(measurement *m)
{
    cudaFree(m->states);
    cudaFree(m->pools);
    if (m->from)
        cudaEventDestroy(m->from);
    if (m->to)
        cudaEventDestroy(m->to);
    cudaGetLastError();
}

/* seconds of a launch: the least of some after a warm-up */
static int time_launch(const measurement *m, int p, long rounds, int repeats, double *seconds,
                       kb_error *err)
{
    kb_run run = {1e-6, 1e-6, 1e-12, 1e6, 0, {0}, KB_CONST_P, 0, 0};
    kb_batch batch = {m->n, m->states, NULL, NULL, 0};
    *seconds = INFINITY;
    for (int pass = -1; pass < PASSES; pass++) {
        float ms;
        CHECK(cudaEventRecord(m->from));
        kernels[p]<<<(unsigned)m->blocks[p], BLOCK, shared_memory(BLOCK)>>>(
            run, batch, rounds, m->pools, {repeats, N / 2, 0});
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(m->to));
        CHECK(cudaEventSynchronize(m->to));
        CHECK(cudaEventElapsedTime(&ms, m->from, m->to));
        if (pass >= 0)
            *seconds = std::min(*seconds, 1e-3 * ms);
    }
    return KB_OK;
}

/* each state at least once */
static int time_part(const measurement *m, int p, double *seconds, kb_error *err)
{
    long at_once = m->blocks[p] * (BLOCK / KB_TEAM) * KB_LANES;
    long rounds = (m->n + at_once - 1) / at_once;
    double few = 0, many = 0;
    int code = time_launch(m, p, rounds, FEW, &few, err);
    code = code ? code : time_launch(m, p, rounds, MANY, &many, err);
    *seconds = (many - few) / ((MANY - FEW) * (double)(at_once * rounds));
    return code;
}

static int time_parts(const double *states, long n, double *seconds, kb_error *err)
{
    measurement m = {};
    if (int code = gpu_available(err))
        return code;
    int code = open_measurement(&m, states, n, err);
    for (int p = 0; p < KB_PARTS && !code; p++)
        code = time_part(&m, p, &seconds[p], err);
    close_measurement(&m);
    return code;
}
#endif

#ifdef KB_STRAIGHT
enum { IS_STRAIGHT = 1 };
#else
enum { IS_STRAIGHT = 0 };
#endif
#ifdef KB_PAIR_FLOAT
enum { HAS_FLOATS = 1 };
#else
enum { HAS_FLOATS = 0 };
#endif
extern "C" const kb_part_engine KB_PARTS_ENGINE = {KB_ENGINE,   KB_TEAM,    KB_LANES, IS_STRAIGHT,
                                                   HAS_FLOATS, time_parts};
