/* SPDX-License-Identifier: MIT
 *
 * A batch of systems on the device, the same for dense and sparse kernels: memory, filling, timing
 * by events. A kernel's file gives `gpu_fill_part` and `gpu_solve_part`, for the systems [first,
 * first + part) of a segment.
 */
#pragma once

#include <cstring>
#include "solvers/engines/gpu_error.h"
#include "solvers/parts/kernels.h"

struct gpu_run {
    const kb_kernel *self;
    kb_systems s;
    long part;            /* systems of a segment */
    size_t packed, matrix; /* numbers of a matrix as it comes, and in A */
    size_t element;       /* bytes of a number in A and b */
    double *A0, *b0, *x;  /* device: [distinct][packed], [distinct][m], [n][m] */
    void *A, *b;          /* device: the n systems */
    cudaEvent_t from, to;
};

/* in the kernel's file: launches only */
static void gpu_fill_part(gpu_run *r, long first);
static void gpu_solve_part(gpu_run *r, long first);
static void gpu_read_part(gpu_run *r, long first); /* -> r->x */

/* blocks of `block` threads for `threads` */
static unsigned gpu_blocks(long threads, int block)
{
    return (unsigned)((threads + block - 1) / block);
}

static int gpu_open(gpu_run *r, const double *matrices, kb_error *err)
{
    size_t n = r->s.n, m = r->s.m, distinct = r->s.distinct;
    r->part = r->s.n / r->s.segments;
    CHECK(cudaMalloc(&r->A0, distinct * r->packed * sizeof(double)));
    CHECK(cudaMalloc(&r->b0, distinct * m * sizeof(double)));
    CHECK(cudaMalloc(&r->x, n * m * sizeof(double)));
    CHECK(cudaMalloc(&r->A, n * r->matrix * r->element));
    CHECK(cudaMalloc(&r->b, n * m * r->element));
    CHECK(cudaEventCreate(&r->from));
    CHECK(cudaEventCreate(&r->to));
    CHECK(cudaMemcpy(r->A0, matrices, distinct * r->packed * sizeof(double),
                     cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(r->b0, r->s.b, distinct * m * sizeof(double), cudaMemcpyHostToDevice));
    return KB_OK;
}

static int gpu_pass(void *run, double *seconds, kb_error *err)
{
    gpu_run *r = (gpu_run *)run;
    float ms;
    for (long first = 0; first < r->s.n; first += r->part)
        gpu_fill_part(r, first);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(r->from));
    for (long first = 0; first < r->s.n; first += r->part)
        gpu_solve_part(r, first);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(r->to));
    CHECK(cudaEventSynchronize(r->to));
    CHECK(cudaEventElapsedTime(&ms, r->from, r->to));
    *seconds = 1e-3 * ms;
    return KB_OK;
}

static int gpu_solution(void *run, double *x, kb_error *err)
{
    gpu_run *r = (gpu_run *)run;
    for (long first = 0; first < r->s.n; first += r->part)
        gpu_read_part(r, first);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(x, r->x, r->s.n * r->s.m * sizeof(double), cudaMemcpyDeviceToHost));
    return KB_OK;
}

static void gpu_close(void *run)
{
    gpu_run *r = (gpu_run *)run;
    if (!r)
        return;
    cudaFree(r->A0);
    cudaFree(r->b0);
    cudaFree(r->x);
    cudaFree(r->A);
    cudaFree(r->b);
    if (r->from)
        cudaEventDestroy(r->from);
    if (r->to)
        cudaEventDestroy(r->to);
    free(r);
}
