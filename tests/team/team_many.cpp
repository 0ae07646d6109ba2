/* SPDX-License-Identifier: MIT
 *
 * team_run.c by a block of gpu-many-float as the device compiles it: its kernels, whose threads
 * take turns on the host. Each ODE comes several times, more often than the block has room, and
 * always has the same bits.
 */
/* what the engine's headers want of the runtime's; no device is used */
#define threadIdx unused_threadIdx
#define __shfl_sync unused_shfl_sync
#define __activemask unused_activemask
#include "tests/gpu/fake_cuda/cuda_runtime.h"
kb_fake fake;
#undef threadIdx
#undef __shfl_sync
#undef __activemask
#undef __shared__
#undef __launch_bounds__
#define __launch_bounds__(...)

#include "tests/team/warps.h"
#undef __shared__
#define __shared__ thread_local /* static, and extern */

#include "solvers/portable/branch_free.h"
static float __fdividef(float a, float b) { return a / b; }
static double __hiloint2double(int high, int low) { return from_words(high, low); }
static unsigned __activemask() { return 1u << threadIdx.x % 32; }

#define __CUDACC__
#include "solvers/engines/gpu_survey.cuh"
#include "tests/team/team_run.h"

enum { STATE = N + 1, ODES = KB_MANY + 8 };
static const kb_option options[] = KB_METHOD_OPTIONS;

/* the ODEs that the first pass leaves, in the order of the survey's kernels */
static void look_at_all(const kb_run *run, device_batch *d)
{
    static uint8_t key[ODES];
    static int order[ODES], count[ORDER_KEYS], queued;
    order_tables t = {key, order, count, NULL, &queued};
    memset(count, 0, sizeof count);
    if (run->pass)
        team([&](unsigned) { survey<true>(*run, *d, t, true); });
    else
        team([&](unsigned) { survey<false>(*run, *d, t, true); });
    queued = 0;
    for (int k = 0; k < ORDER_DONE; k++)
        for (long i = 0; i < d->batch.n; i++)
            if (key[i] == k)
                order[queued++] = (int)i;
    d->order = order;
    d->queued = &queued;
}

extern "C" void run_team(const team_job *job, double *y, kb_count *count)
{
    static double states[ODES * STATE], all_y[ODES * N];
    static kb_count all_count[ODES];
    kb_run run = {.dt = job->dt, .rtol = job->rtol, .atol = job->atol, .max_substeps = 1e5,
                  .pass = job->pass, .reactor = job->reactor};
    for (int k = 0; options[k].name; k++)
        run.opt[k] = options[k].value;
    for (long k = 0; k < ODES; k++)
        memcpy(states + k * STATE, job->states + k % job->n * STATE, STATE * sizeof *states);
    unsigned long long next = 0, use[2] = {0, 0};
    int stop = 0;
    team_pool *pool = (team_pool *)malloc(sizeof *pool);
    memset((void *)pool, 0xff, sizeof *pool); /* NaN */
    device_batch d = {};
    d.batch = {ODES, states, all_y, all_count, 1};
    d.next = &next;
    d.use = use;
    d.stop = &stop;
    d.pool = pool;
    gridDim.x = 1;
    blockIdx.x = 0;
    team([&](unsigned) { drive(run, {}); }); /* as the engine does to load it */
    if (job->reactor == KB_CONST_P || job->pass)
        look_at_all(&run, &d);
    team([&](unsigned) { drive(run, d); });
    memcpy(y, all_y, job->n * N * sizeof *y);
    memcpy(count, all_count, job->n * sizeof *count);
    for (long k = 0; k < ODES; k++)
        if (memcmp(all_y + k * N, y + k % job->n * N, N * sizeof *y) ||
            memcmp(all_count + k, count + k % job->n, sizeof *count)) {
            fprintf(stderr, "ODE %ld has other bits than before\n", k);
            exit(1);
        }
    free(pool);
}
