/* SPDX-License-Identifier: MIT
 *
 * The dense eliminations of elimination.h on the device, compiled for each precision (KB_REAL).
 */
#include "solvers/parts/kernels_count.h"
#include "solvers/parts/kernels_gpu.h"

enum { DENSE, DENSE_APART, ROWS, ROWS_BLOCK, NKERNELS }; /* places in the table below */

extern "C" const kb_kernel KB_TABLE_NAME[NKERNELS];

static __global__ void fill(real *A, real *b, const double *A0, const double *b0, int m, long part,
                            long first, long distinct, int interleaved)
{
    long size = (long)m * m, e = (long)blockIdx.x * blockDim.x + threadIdx.x;
    long row = e / part, s = e % part; /* interleaved: system fastest */
    if (!interleaved) {
        s = e / (size + m);
        row = e % (size + m);
    }
    if (e >= part * (size + m))
        return;
    long from = (first + s) % distinct;
    if (row < size)
        A[interleaved ? row * part + s : s * size + row] = (real)A0[from * size + row];
    else
        b[interleaved ? (row - size) * part + s : s * m + row - size] =
            (real)b0[from * m + row - size];
}

static __global__ void read_solution(double *x, const real *b, int m, long part, int interleaved)
{
    long e = (long)blockIdx.x * blockDim.x + threadIdx.x, s = e / m, i = e % m;
    if (s < part)
        x[e] = b[interleaved ? i * part + s : e];
}

static __global__ void solve_dense(real *A, real *b, int m, long part, int interleaved)
{
    long s = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= part)
        return;
    dense_system d = dense_pick(A, b, m, part, s, interleaved);
    dense_solve(&d);
}

extern __shared__ double room[];

static __global__ void solve_rows(real *A, real *b, int m, long part)
{
    long s = (long)blockIdx.x * blockDim.x + threadIdx.x;
    real *pivot = (real *)room + threadIdx.x;
    if (s >= part)
        return;
    dense_system d = dense_pick(A, b, m, part, s, 1);
    dense_solve_rows(&d, pivot, pivot + (m + 1) * blockDim.x, blockDim.x);
}

static __global__ void solve_rows_block(real *A, real *b, int m, long part)
{
    real *pivot = (real *)room, *current = pivot + m + 1;
    int thread = threadIdx.x, threads = blockDim.x;
    dense_system d = dense_pick(A, b, m, part, blockIdx.x, 0);
    for (int k = 0; k + 1 < m; k++) {
        dense_block_pivot(&d, k, pivot, thread, threads);
        __syncthreads();
        for (int i = k + 1; i < m; i++) {
            dense_block_load(&d, k, i, current, thread, threads);
            __syncthreads();
            dense_block_eliminate(&d, k, i, pivot, current, thread, threads);
            __syncthreads();
        }
    }
    dense_block_rhs(&d, current, thread, threads);
    __syncthreads();
    for (int k = m - 1; k >= 0; k--) {
        dense_block_back(&d, k, current, thread, threads);
        __syncthreads();
    }
}

/* ---- host ---- */

static int id_of(const kb_kernel *k) { return (int)(k - KB_TABLE_NAME); }
static int is_interleaved(int id) { return id == DENSE || id == ROWS; }

static int block_of(int id, const kb_systems *s)
{
    if (s->block)
        return s->block;
    if (id == ROWS_BLOCK)
        return s->m <= 32 ? 32 : s->m <= 64 ? 64 : 128;
    return id == ROWS ? 32 : 64;
}

static size_t shared_of(int id, const kb_systems *s)
{
    size_t rows = 2 * (size_t)(s->m + 1) * sizeof(real);
    return id == ROWS ? rows * block_of(id, s) : id == ROWS_BLOCK ? rows : 0;
}

static void gpu_fill_part(gpu_run *r, long first)
{
    long m = r->s.m, size = m * m + m;
    fill<<<gpu_blocks(r->part * size, 256), 256>>>((real *)r->A + first * m * m,
        (real *)r->b + first * m, r->A0, r->b0, m, r->part, first, r->s.distinct,
        is_interleaved(id_of(r->self)));
}

static void gpu_solve_part(gpu_run *r, long first)
{
    long m = r->s.m;
    int id = id_of(r->self), block = block_of(id, &r->s);
    real *A = (real *)r->A + first * m * m, *b = (real *)r->b + first * m;
    unsigned blocks = gpu_blocks(r->part, block);
    size_t shared = shared_of(id, &r->s);
    if (id == ROWS)
        solve_rows<<<blocks, block, shared>>>(A, b, m, r->part);
    else if (id == ROWS_BLOCK)
        solve_rows_block<<<(unsigned)r->part, block, shared>>>(A, b, m, r->part);
    else
        solve_dense<<<blocks, block>>>(A, b, m, r->part, is_interleaved(id));
}

static void gpu_read_part(gpu_run *r, long first)
{
    long m = r->s.m;
    read_solution<<<gpu_blocks(r->part * m, 256), 256>>>(r->x + first * m,
        (real *)r->b + first * m, m, r->part, is_interleaved(id_of(r->self)));
}

/* more than 48 KB for a block needs an attribute */
static int ask_shared(int id, size_t bytes, kb_error *err)
{
    int most = 0;
    const void *kernel = id == ROWS ? (const void *)solve_rows : (const void *)solve_rows_block;
    if (!bytes)
        return KB_OK;
    CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    if (bytes > (size_t)most)
        return kb_fail(err, KB_NOTHING, "two rows for each system of a block take %zu bytes of "
                       "shared memory, a block has %d", bytes, most);
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    return KB_OK;
}

static int open_run(const kb_kernel *self, const kb_systems *s, void **run, kb_error *err)
{
    gpu_run *r = (gpu_run *)kb_alloc(1, sizeof *r);
    *run = r;
    r->self = self;
    r->s = *s;
    r->packed = r->matrix = (size_t)s->m * s->m;
    r->element = sizeof(real);
    int code = ask_shared(id_of(self), shared_of(id_of(self), s), err);
    return code ? code : gpu_open(r, s->A, err);
}

static void count(const kb_kernel *self, const kb_systems *s, kb_kernel_counts *c)
{
    int id = id_of(self);
    double m = s->m;
    memset(c, 0, sizeof *c);
    c->flops = count_flops(s->m);
    c->shared = (double)shared_of(id, s);
    c->storage = (m * m + m) * sizeof(real);
    if (id == ROWS_BLOCK) {
        count_block(s->m, c);
        return;
    }
    double words = count_thread_words(s->m, id == ROWS);
    c->bytes = words * sizeof(real);
    c->requests = words / (int)COUNT_WARP;
    c->sectors = c->requests * count_thread_sectors(s->m, s->n / s->segments, is_interleaved(id));
}

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define ENTRY(name, engine, layout)                                                               \
    {name, engine, layout, TEXT(KB_REAL), 0, count, open_run, gpu_pass, gpu_solution, gpu_close}

extern "C" const kb_kernel KB_TABLE_NAME[NKERNELS] = {
    ENTRY("dense", KB_THREAD_ENGINE, "interleaved"),
    ENTRY("dense", KB_THREAD_ENGINE, "contiguous"),
    ENTRY("rows", KB_THREAD_ENGINE, "interleaved"),
    ENTRY("rows", KB_BLOCK_ENGINE, "contiguous"),
};
