/* SPDX-License-Identifier: MIT
 *
 * Times of the parts of an attempt on one GPU engine, each in a kernel that does it several times
 * for every ODE. The matrix of an LU has to be made before and a solve needs factors: these are
 * differences of two kernels.
 */
#include "solvers/portable/lane.h"
#include "constants.h"
#include "solvers/roofline/roofline.h"

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
#include <type_traits>
#include "solvers/engines/gpu_error.h"
#include "solvers/problem.h"

enum { REPEATS = 4, SOLVES = 8, PASSES = 5, MOST_SHARED = 100 * 1024 };

struct work {
    lane y[N], f[N], x[N], A[NNZ];
    kb_jacobian problem;
};
struct pool {
    kb_scratch scratch;
    std::conditional_t<TEAM_GLOBAL, team_memory, char> memory;
};

#ifdef KB_STRAIGHT
enum { ENTRIES = matrix.n };
#else
enum { ENTRIES = NNZ };
#endif

/* The next repeat depends on it. All that one thread has made is used, or the compiler would leave
 * it out; the entries of the matrix by every part that makes one: the differences have them not. */
static __device__ void use(work *w, const lane *last, bool matrix_too)
{
#if KB_TEAM == 1
    lane sum = 0;
    each_sum(sum, i, N) sum += last[i];
    if (matrix_too)
        each_sum(sum, p, ENTRIES) sum += w->A[p];
    w->y[0] += 1e-300 * sum;
#else
    (void)matrix_too;
    each(i, 1) w->y[i] += 1e-300 * last[i];
    team_sync();
#endif
}

/* the part, of ODEs with the state w->y */
template <int PART> static __device__ void do_part(const kb_run *run, kb_ode *o, work *w)
{
    for (int r = 0; r < REPEATS; r++) {
        if (PART == KB_PART_RATES)
            problem_rhs(run, o, w->y, w->f, &w->problem.k);
        else
            problem_jacobian(run, o, w->y, w->f, w->A, &w->problem);
        team_sync();
        if (PART >= KB_PART_LU)
            problem_factor(w->A, splat(1e7));
        for (int s = 0; PART == KB_PART_SOLVE && s < SOLVES; s++) {
            problem_solve(w->A, s ? w->x : w->f, w->x);
            team_sync();
        }
        use(w, PART == KB_PART_SOLVE ? w->x : w->f, PART > KB_PART_RATES);
    }
}

static __device__ void load(const double *s, kb_ode *o, work *w)
{
    o->fixed = s[1];
    each(i, N) w->y[i] = s[i ? i + 1 : 0];
#ifdef KB_STRAIGHT
    each(p, ENTRIES) w->A[p] = 0; /* entries that elimination fills are not set before */
#endif
    team_sync();
}

#if KB_TEAM == 1

enum { BLOCK = 64, SHARED = 0 };

template <int PART>
static __global__ void part(kb_run run, const double *states, long n, pool *, double *out)
{
    work w;
    kb_ode o = {};
    for (long k = (long)blockIdx.x * BLOCK + threadIdx.x; k < n; k += (long)gridDim.x * BLOCK) {
        load(states + k * (N + 1), &o, &w);
        do_part<PART>(&run, &o, &w);
        out[k] = w.y[0];
    }
}

#else

enum { BLOCK = KB_TEAM, SHARED = sizeof(work) };

template <int PART>
static __global__ void __launch_bounds__(KB_TEAM, KB_TEAM == 32 ? 16 : 1024 / KB_TEAM)
    part(kb_run run, const double *states, long n, pool *pools, double *out)
{
    extern __shared__ double shared[];
    work *w = (work *)shared;
    kb_ode o = {};
    o.scratch = &pools[blockIdx.x].scratch;
    if (TEAM_GLOBAL)
        team_set_memory((team_memory *)&pools[blockIdx.x].memory);
    for (long k = blockIdx.x; k < n; k += gridDim.x) {
        load(states + k * (N + 1), &o, w);
        do_part<PART>(&run, &o, w);
        if (team_rank() == 0)
            out[k] = w->y[0];
        team_sync();
    }
}

#endif

typedef void (*kernel)(kb_run, const double *, long, pool *, double *);

struct batch {
    double *states, *out;
    pool *pools;
    cudaEvent_t from, to;
    long n;
};

static int open_batch(batch *b, const double *states, long n, long blocks, kb_error *err)
{
    b->n = n;
    CHECK(cudaMalloc(&b->states, n * (N + 1) * sizeof(double)));
    CHECK(cudaMalloc(&b->out, n * sizeof(double)));
    CHECK(cudaMalloc(&b->pools, blocks * sizeof(pool)));
    CHECK(cudaMemcpy(b->states, states, n * (N + 1) * sizeof(double), cudaMemcpyHostToDevice));
    CHECK(cudaEventCreate(&b->from));
    CHECK(cudaEventCreate(&b->to));
    return KB_OK;
}

static void close_batch(batch *b)
{
    cudaFree(b->states);
    cudaFree(b->out);
    cudaFree(b->pools);
    if (b->from)
        cudaEventDestroy(b->from);
    if (b->to)
        cudaEventDestroy(b->to);
    cudaGetLastError();
}

/* seconds for one ODE, once: the least of some passes after a warm-up */
static int time_kernel(batch *b, kernel k, long most, double *seconds, kb_error *err)
{
    kb_run run = {1e-6, 1e-6, 1e-12, 1e6, 0, {0}, KB_CONST_P, 0};
    long blocks = std::min(most, KB_TEAM == 1 ? (b->n + BLOCK - 1) / BLOCK : b->n);
    *seconds = INFINITY;
    for (int p = -1; p < PASSES; p++) {
        float ms;
        CHECK(cudaEventRecord(b->from));
        k<<<(unsigned)blocks, BLOCK, SHARED>>>(run, b->states, b->n, b->pools, b->out);
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(b->to));
        CHECK(cudaEventSynchronize(b->to));
        CHECK(cudaEventElapsedTime(&ms, b->from, b->to));
        if (p >= 0)
            *seconds = std::min(*seconds, 1e-3 * ms / (REPEATS * (double)b->n));
    }
    return KB_OK;
}

static int most_blocks(kernel k, long *most, kb_error *err)
{
    cudaDeviceProp device;
    int resident = 0;
    CHECK(cudaGetDeviceProperties(&device, 0));
    if (KB_TEAM > 1)
        CHECK(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, k, BLOCK, SHARED));
    *most = (long)std::max(resident, 1) * device.multiProcessorCount;
    return KB_OK;
}

static int time_all(const double *states, long n, double *seconds, kb_error *err)
{
    const kernel kernels[KB_PARTS] = {part<KB_PART_RATES>, part<KB_PART_JACOBIAN>,
                                      part<KB_PART_LU>, part<KB_PART_SOLVE>};
    long most[KB_PARTS], pools = 1;
    batch b = {};
    int code = KB_OK;
    for (int k = 0; k < KB_PARTS && !code; k++) {
        code = most_blocks(kernels[k], &most[k], err);
        pools = code ? pools : std::max(pools, most[k]);
    }
    code = code ? code : open_batch(&b, states, n, KB_TEAM == 1 ? 1 : pools, err);
    for (int k = 0; k < KB_PARTS && !code; k++)
        code = time_kernel(&b, kernels[k], most[k], &seconds[k], err);
    close_batch(&b);
    if (code)
        return code;
    seconds[KB_PART_SOLVE] = (seconds[KB_PART_SOLVE] - seconds[KB_PART_LU]) / SOLVES;
    seconds[KB_PART_LU] -= seconds[KB_PART_JACOBIAN];
    return KB_OK;
}

static int time_parts(const double *states, long n, double *seconds, kb_error *err)
{
    if (int code = gpu_available(err))
        return code;
    if ((int)SHARED > (int)MOST_SHARED)
        return kb_fail(err, KB_NOTHING, KB_ENGINE ": an ODE takes %zu bytes of shared memory, "
                       "measured are at most %d", sizeof(work), (int)MOST_SHARED);
    return time_all(states, n, seconds, err);
}
#endif

extern "C" const kb_part_engine KB_PARTS_ENGINE = {KB_ENGINE, time_parts};
