/* SPDX-License-Identifier: MIT
 *
 * The sparse LU of a mechanism's Newton matrix (lu.h) on one CPU core. Compiled once for each CPU
 * engine with KB_LANES; a group of lanes holds as many systems. The scalar one also makes the
 * matrices and counts the work.
 */
#include <string.h>
#include "solvers/parts/kernels_host.h"
#include "solvers/problem.h"
#include "solvers/solver.h"

static long groups_of(const kb_systems *s) { return (s->n + KB_LANES - 1) / KB_LANES; }

static void *aligned(size_t count, size_t size, kb_error *err)
{
    void *p = aligned_alloc(64, (count * size + 63) / 64 * 64);
    if (!p)
        kb_fail(err, KB_INVALID, "no memory for %zu lanes (fewer systems: --n)", count);
    return p;
}

/* A [groups][NNZ], b [groups][N] */
static int open_batch(const kb_kernel *self, const kb_systems *s, void **run, kb_error *err)
{
    host_batch *r = *run = kb_alloc(1, sizeof *r);
    size_t groups = (size_t)groups_of(s);
    (void)self;
    r->s = *s;
    r->A = aligned(groups * NNZ, sizeof(lane), err);
    r->b = aligned(groups * N, sizeof(lane), err);
    return r->A && r->b ? KB_OK : KB_INVALID;
}

static void fill(host_batch *r)
{
    lane *A = r->A, *b = r->b;
    for (long g = 0; g < groups_of(&r->s); g++, A += NNZ, b += N)
        for (int l = 0; l < KB_LANES; l++) {
            long s = (g * KB_LANES + l) % r->s.distinct;
            for (int p = 0; p < NNZ; p++)
                lane_put(&A[p], l, r->s.packed[s * NNZ + p]);
            for (int i = 0; i < N; i++)
                lane_put(&b[i], l, r->s.b[s * N + i]);
        }
}

static int pass(void *run, double *seconds, kb_error *err)
{
    host_batch *r = run;
    lane *A = r->A, *b = r->b;
    (void)err;
    fill(r);
    double start = host_now();
    for (long g = 0; g < groups_of(&r->s); g++, A += NNZ, b += N) {
        problem_factor(A, splat(r->s.gi));
        problem_solve(A, b, b);
    }
    *seconds = host_now() - start;
    return KB_OK;
}

static int solution(void *run, double *x, kb_error *err)
{
    const host_batch *r = run;
    const lane *b = r->b;
    (void)err;
    for (long s = 0; s < r->s.n; s++)
        for (int i = 0; i < N; i++)
            x[s * N + i] = lane_get(b[s / KB_LANES * N + i], (int)(s % KB_LANES));
    return KB_OK;
}

void kb_sparse_count(kb_kernel_counts *c);
static void count(const kb_kernel *self, const kb_systems *s, kb_kernel_counts *c)
{
    (void)self;
    (void)s;
    kb_sparse_count(c);
}

const kb_kernel KB_KERNEL = {
    "sparse", KB_ENGINE, KB_LANES > 1 ? "lanes" : "contiguous", "double", 1, count, open_batch,
    pass, solution, host_close};

#if KB_LANES == 1
/* lu_head: each L entry in and out, each entry of its pivot's U row from two places into one;
 * lu_tail: a tile holds 4 x 4 in registers, and takes 4 + 4 numbers for each of the min(i0, j0)
 * columns before it. Words: loads and stores. */
static void count_factor(double *flops, double *words)
{
    *flops += N;
    *words += 2 * N;
    for (int k = 0; k < NHEAD; k++) {
        double rows = kb_lu_l_start[k + 1] - kb_lu_l_start[k], nu = kb_lu_u_count[k];
        *flops += 1 + rows * (1 + 2 * nu);
        *words += 2 + rows * (2 + 3 * nu);
    }
    for (int k = 0; k < NTAIL; k++) {
        double rest = NTAIL - k - 1;
        *flops += 1 + rest + 2 * rest * rest;
    }
    for (int i0 = 0; i0 < NTAIL; i0 += KB_TILE)
        for (int j0 = 0; j0 < NTAIL; j0 += KB_TILE) {
            *words += 2 * KB_TILE * (KB_TILE + (i0 < j0 ? i0 : j0));
            *words += i0 == j0 ? 0 : i0 > j0 ? 10 : 6; /* of the factored tile on the diagonal */
        }
}

/* lu_solve: scaling and permutation, each entry of L and U once with its unknown in two sums a
 * row; in the tail a loaded unknown serves four rows */
static void count_solve(double *flops, double *words)
{
    double entries = 0, tail = 0;
    for (int i = 0; i < NNEWTON; i++)
        entries += kb_lu_l_count[i] + (i < NHEAD ? kb_lu_u_count[i] : 0);
    for (int i = 0; i < NTAIL; i++)
        tail += NTAIL - 1;
    *flops += 2 * NSP + 2 * entries + 2 * (NNEWTON + NHEAD) + 2 * tail + NHEAD + NTAIL;
    *words += 4 * N + 2 * entries + 2 * NNEWTON + 3 * NHEAD + 1.25 * tail + 5 * NTAIL;
}

void kb_sparse_count(kb_kernel_counts *c)
{
    double words = 0;
    *c = (kb_kernel_counts){.storage = (NNZ + N) * sizeof(double)};
    count_factor(&c->flops, &words);
    count_solve(&c->flops, &words);
    c->bytes = words * sizeof(double);
}

int kb_evaluate_scalar(const kb_evaluation *e);

/* -J in the storage of the factorisation */
static void pack(const double *state, double *packed, kb_jacobian *w)
{
    lane y[N], dy[N];
    y[0] = state[0];
    memcpy(y + 1, state + 2, NSP * sizeof *y);
    jac_rhs(KB_CONST_P, state[1], y, dy, packed, &w->k, &w->s);
}

int kb_newton_matrices(const double *states, long n, double gi, double *A, double *b,
                       double *packed)
{
    double *y = kb_alloc((size_t)n * N, sizeof *y), *p = kb_alloc((size_t)n, sizeof *p);
    kb_jacobian *w = kb_alloc(1, sizeof *w);
    for (long k = 0; k < n; k++) {
        const double *state = states + k * (N + 1);
        y[k * N] = state[0];
        p[k] = state[1];
        memcpy(y + k * N + 1, state + 2, NSP * sizeof *y);
        pack(state, packed + k * NNZ, w);
    }
    int code = kb_evaluate_scalar(
        &(kb_evaluation){.n = n, .y = y, .p = p, .reactor = KB_CONST_P, .dy = b, .J = A});
    for (long e = 0; e < n * N * N; e++)
        A[e] = (e % (N * N) % (N + 1) ? 0 : gi) - A[e];
    for (long e = 0; e < n * N; e++)
        b[e] *= gi;
    free(y);
    free(p);
    free(w);
    return code;
}
#endif
