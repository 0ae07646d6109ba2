/* SPDX-License-Identifier: MIT
 *
 * Linear systems as Le and Cambier (2013) solve them inside a flow: the exact Jacobian as a dense
 * matrix of (T, Y), and Gaussian elimination without pivoting (elimination.h), along with the
 * right-hand side. On a GPU the matrix of a thread lies in local memory, which is global memory
 * interleaved over threads: their first approach. KB_ELIMINATION 2: with the pivot row and the row
 * at work in shared memory, their second approach.
 *
 * An elimination is for one right-hand side: the methods that solve once with each matrix alone.
 */
#pragma once

#if KB_LANES > 1 || KB_TEAM > 1
#error one thread for an ODE
#endif

#define kb_jacobian kb_exact_jacobian
#define kb_scratch kb_exact_scratch
#include "solvers/problem_rates.h"
#include "solvers/chemistry/jacobian.h"
#undef kb_jacobian
#undef kb_scratch
#include "solvers/linalg/matrix_of.h"
#include "solvers/papers/elimination.h"
#undef KB_REAL /* a kind of option, too */

enum { EXACT_NNZ = NNZ };
#define NNZ (N * N)

typedef struct {
    char none;
} kb_scratch;

typedef struct {
    kb_exact_jacobian w;
    lane A[EXACT_NNZ];
} kb_jacobian;

kb_fn void problem_jacobian(const kb_run *run, const kb_ode *o, const lane *y, lane *dy, lane *A,
                            kb_jacobian *w)
{
    jac_rhs(run->reactor, o->fixed, y, dy, w->A, &w->w.k, &w->w.s);
    matrix_of(w->A, A);
}

/* the elimination itself is part of problem_solve */
kb_fn lane problem_factor(lane *A, lane gi)
{
    for (int i = 0; i < N; i++)
        A[i * N + i] += gi;
    return splat(0);
}

#if KB_ELIMINATION == 2
enum { KB_CACHED_DOUBLES = 2 * (N + 1) }; /* shared memory of a thread */
extern __shared__ double elimination_rows[];
#endif

/* A is used up; x may be b */
kb_fn void problem_solve(lane *A, const lane *b, lane *x)
{
    dense_system d = {.A = A, .b = x, .row = N, .col = 1, .rhs = 1, .m = N};
    for (int i = 0; i < N; i++)
        x[i] = b[i];
#if KB_ELIMINATION == 2
    double *pivot = elimination_rows + threadIdx.x;
    dense_solve_rows(&d, pivot, pivot + (N + 1) * blockDim.x, blockDim.x);
#else
    dense_solve(&d);
#endif
}
