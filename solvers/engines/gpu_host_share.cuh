/* SPDX-License-Identifier: MIT
 *
 * The option `host`: the host's cores integrate the first ODEs of the queue, which are the costly
 * ones, by the same method, while the device does the others. An attempt of one ODE takes a core
 * less time than a team of the device, so that a small batch does not wait for its longest ODE. Of
 * a batch that is one slice: a larger one has enough other work meanwhile.
 */
#pragma once

#include <cstdlib>
#include <omp.h>
#include <cstring>
#include "solvers/engines/engine.h"
#include "solvers/engines/gpu_error.h"

#define ON_SCALAR KB_JOIN(KB_JOIN(kb_, KB_METHOD), _scalar)
#define ON_SIMD KB_JOIN(KB_JOIN(kb_, KB_METHOD), _simd)
#ifdef KB_FORCED
#undef ON_SCALAR
#undef ON_SIMD
#define ON_SCALAR KB_JOIN(KB_JOIN(kb_, KB_METHOD), _scalar_forced)
#define ON_SIMD KB_JOIN(KB_JOIN(kb_, KB_METHOD), _simd_forced)
#endif
extern "C" {
extern const kb_solver ON_SCALAR, ON_SIMD;
}

/* page-locked: what passes between the device's queue and the host */
struct queue_head {
    unsigned long long first; /* place of the queue that the device begins with */
    int queued;
    int order[1]; /* ODEs in these places */
};

struct host_share {
    long most, n;    /* ODEs: wanted, taken; 0: none */
    queue_head *head;
    cudaEvent_t known; /* head was copied */
    double *states, *y;
    kb_count *count;
};

static int open_share(host_share *s, long most, kb_error *err)
{
    *s = {};
    if (most == 0)
        return KB_OK;
    CHECK(cudaMallocHost(&s->head, sizeof *s->head + most * sizeof(int)));
    CHECK(cudaEventCreate(&s->known));
#ifdef KB_FORCED
    s->states = (double *)kb_alloc(most, (2 * N + 1) * sizeof(double));
#else
    s->states = (double *)kb_alloc(most, (N + 1) * sizeof(double));
#endif
    s->y = (double *)kb_alloc(most, N * sizeof(double));
    s->count = (kb_count *)kb_alloc(most, sizeof *s->count);
    s->most = most;
    s->head->first = most;
    return KB_OK;
}

static void close_share(host_share *s)
{
    cudaFreeHost(s->head);
    if (s->known)
        cudaEventDestroy(s->known);
    free(s->states);
    free(s->y);
    free(s->count);
    *s = {};
}

/* On the stream of the slice, behind its survey: the device's queue begins after the host's ODEs,
 * which are told. */
static int divide_queue(host_share *s, const device_batch &d, cudaStream_t stream, kb_error *err)
{
    queue_head *h = s->head;
    CHECK(cudaMemcpyAsync(d.next, &h->first, sizeof *d.next, cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemcpyAsync(&h->queued, d.queued, sizeof h->queued, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaMemcpyAsync(h->order, d.order, s->most * sizeof *h->order, cudaMemcpyDeviceToHost,
                          stream));
    CHECK(cudaEventRecord(s->known, stream));
    return KB_OK;
}

/* Once head is known: the host's ODEs by all cores, costly ones first; where there is a core for
 * each, by cpu-scalar, which takes less time for one */
static int integrate_share(host_share *s, const kb_job *job, kb_error *err)
{
    kb_job own = *job;
    kb_result result = {.y = s->y, .count = s->count};
    s->n = std::min(s->most, (long)s->head->queued);
#ifdef KB_FORCED
    long columns = columns_of(job);
    for (long k = 0; k < s->n; k++)
        memcpy(s->states + k * columns, job->states + s->head->order[k] * columns,
               columns * sizeof(double));
#else
    for (long k = 0; k < s->n; k++)
        memcpy(s->states + k * (N + 1), job->states + s->head->order[k] * (long)(N + 1),
               (N + 1) * sizeof(double));
#endif
    own.n = s->n;
    own.states = s->states;
    own.threads = 0;
    const kb_solver *solver = s->n <= omp_get_max_threads() ? &ON_SCALAR : &ON_SIMD;
    return s->n ? solver->run(solver, &own, &result, err) : KB_OK;
}

/* their results into those of the batch, once the device's are there */
static void join_share(const host_share *s, kb_result *result)
{
    for (long k = 0; k < s->n; k++) {
        long i = s->head->order[k];
        memcpy(result->y + i * N, s->y + k * N, N * sizeof(double));
        result->count[i] = s->count[k];
    }
}
