/* SPDX-License-Identifier: MIT
 *
 * The sparse LU of a mechanism's Newton matrix (lu.h) on the device, compiled for each size of team
 * (KB_TEAM). The matrices lie in global memory as the Jacobian would be written; a team takes its
 * own as its engine does: one thread into local memory, a warp or a block into shared memory.
 */
#include "solvers/parts/kernels_gpu.h"
#include "solvers/problem.h"

extern "C" const kb_kernel KB_KERNEL;
extern "C" void kb_sparse_count(kb_kernel_counts *c);

static const long MATRIX = NNZ, VECTOR = N; /* doubles */

/* place p of system s of `part`: neighbouring threads of a request side by side */
static __device__ inline long place(long p, long s, long part, long size)
{
    return KB_TEAM == 1 ? p * part + s : s * size + p;
}

static __global__ void fill(double *A, double *b, const double *A0, const double *b0, long part,
                            long first, long distinct)
{
    long e = (long)blockIdx.x * blockDim.x + threadIdx.x, s = e % part, p = e / part;
    long from = (first + s) % distinct;
    if (p < NNZ) {
        int packed = KB_TEAM == 1 ? (int)p : kb_single_storage[p];
        A[place(p, s, part, NNZ)] = packed == NO_TARGET ? 0 : A0[from * NNZ_SINGLE + packed];
    }
    if (p >= NNZ && p < NNZ + N)
        b[place(p - NNZ, s, part, N)] = b0[from * N + p - NNZ];
}

static __global__ void read_solution(double *x, const double *b, long part)
{
    long e = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (e < part * N)
        x[e] = b[place(e % N, e / N, part, N)];
}

#if KB_TEAM == 1

enum { BLOCK = 64, ROOM = 0 };

static __global__ void solve(const double *A, double *b, long part, double gi)
{
    lane a[NNZ], x[N];
    long s = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= part)
        return;
    for (int p = 0; p < NNZ; p++)
        a[p] = A[place(p, s, part, NNZ)];
    for (int i = 0; i < N; i++)
        x[i] = b[place(i, s, part, N)];
    problem_factor(a, gi);
    problem_solve(a, x, x);
    for (int i = 0; i < N; i++)
        b[place(i, s, part, N)] = x[i];
}

#else

enum { BLOCK = KB_TEAM };
extern __shared__ lane memory[];
/* the team's room lies behind the matrix and the vector */
enum { ROOM = TEAM_SOLVE_GLOBAL ? sizeof(team_memory) : 0 };

static __global__ void solve(const double *A, double *b, long part, double gi)
{
    lane *a = memory, *x = memory + NNZ;
    long s = blockIdx.x;
    if (TEAM_SOLVE_GLOBAL)
        team_set_memory((team_memory *)(x + N));
    each(p, NNZ) a[p] = A[place(p, s, part, NNZ)];
    each(i, N) x[i] = b[place(i, s, part, N)];
    problem_factor(a, splat(gi));
    problem_solve(a, x, x);
    each(i, N) b[place(i, s, part, N)] = x[i];
}

#endif

/* ---- host ---- */

static int block_of(const kb_systems *s) { return KB_TEAM == 1 && s->block ? s->block : BLOCK; }
static size_t shared_of(void)
{
    return KB_TEAM == 1 ? 0 : (MATRIX + VECTOR) * sizeof(double) + ROOM;
}

static void gpu_fill_part(gpu_run *r, long first)
{
    fill<<<gpu_blocks(r->part * (MATRIX + VECTOR), 256), 256>>>((double *)r->A + first * NNZ,
        (double *)r->b + first * N, r->A0, r->b0, r->part, first, r->s.distinct);
}

static void gpu_solve_part(gpu_run *r, long first)
{
    int block = block_of(&r->s);
    solve<<<gpu_blocks(r->part * KB_TEAM, block), block, shared_of()>>>(
        (double *)r->A + first * NNZ, (double *)r->b + first * N, r->part, r->s.gi);
}

static void gpu_read_part(gpu_run *r, long first)
{
    read_solution<<<gpu_blocks(r->part * N, 256), 256>>>(r->x + first * N,
        (double *)r->b + first * N, r->part);
}

static int open_run(const kb_kernel *self, const kb_systems *s, void **run, kb_error *err)
{
    gpu_run *r = (gpu_run *)kb_alloc(1, sizeof *r);
    int most = 0;
    *run = r;
    r->self = self;
    r->s = *s;
    r->packed = NNZ_SINGLE;
    r->matrix = NNZ;
    r->element = sizeof(double);
    CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    if (shared_of() > (size_t)most)
        return kb_fail(err, KB_NOTHING, "a matrix takes %zu bytes of shared memory, a block has %d",
                       shared_of(), most);
    if (KB_TEAM == 1)
        CHECK(cudaFuncSetAttribute(solve, cudaFuncAttributePreferredSharedMemoryCarveout, 0));
    else
        CHECK(cudaFuncSetAttribute(solve, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   (int)shared_of()));
    return gpu_open(r, s->packed, err);
}

/* A thread's matrix is copied into local memory, which the hardware interleaves: each request
 * has 32 doubles side by side. A team asks global memory for the matrix once; its shared memory
 * is not counted. Flops are those of one thread for both, although a team does more: it inverts
 * the tail. */
static void count(const kb_kernel *self, const kb_systems *s, kb_kernel_counts *c)
{
    double words = MATRIX + 2 * VECTOR;
    (void)self;
    (void)s;
    kb_sparse_count(c);
    c->bytes = KB_TEAM == 1 ? c->bytes + (words + MATRIX + 2 * VECTOR) * sizeof(double)
                            : words * sizeof(double);
    c->shared = (double)shared_of();
    c->requests = c->bytes / sizeof(double) / 32;
    c->sectors = 8 * c->requests;
}

extern "C" const kb_kernel KB_KERNEL = {
    "sparse", KB_ENGINE,
    KB_TEAM == 1 ? "interleaved" : "contiguous", "double", 1, count, open_run, gpu_pass,
    gpu_solution, gpu_close};
