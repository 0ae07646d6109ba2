/* SPDX-License-Identifier: MIT
 *
 * Dense Gaussian elimination of many systems A x = b, as Le and Cambier (2013), section 4.2: by
 * rows, without pivoting, the right-hand side eliminated along with the matrix, x left in place of
 * b. One source for the CPU, for CUDA and for the tests, which run the threads of a block one after
 * the other.
 *
 *   dense_solve        one thread a system, everything in global memory (their first approach)
 *   dense_solve_rows   one thread a system, the pivot row and the row at work in shared memory
 *                      (second approach)
 *   dense_block_...    the same with a block of threads for a system: stages, a barrier after each
 *
 * The paper is silent on pivoting (none here) and on the threads of a system in its second approach
 * (both ways here).
 */
#pragma once

#ifdef __CUDACC__
#define dense_fn static __host__ __device__ inline
#else
#define dense_fn static inline __attribute__((unused))
#endif

#ifndef KB_REAL
#define KB_REAL double
#endif
typedef KB_REAL real;

/* loads in flight of one thread; a whole vector on a CPU */
#ifdef __CUDACC__
enum { DENSE_CHUNK = 4 };
#else
enum { DENSE_CHUNK = 64 / sizeof(real) };
#endif

/* one system: A_ij = A[i row + j col], b_i = b[i rhs] */
typedef struct {
    real *A, *b;
    long row, col, rhs;
    int m;
} dense_system;

/* system s of n. interleaved: element e of all systems side by side; else each system in one
 * piece, row major */
dense_fn dense_system dense_pick(real *A, real *b, int m, long n, long s, int interleaved)
{
    dense_system d;
    d.A = A + (interleaved ? s : s * m * m);
    d.b = b + (interleaved ? s : s * m);
    d.col = d.rhs = interleaved ? n : 1;
    d.row = m * d.col;
    d.m = m;
    return d;
}

/* column m of a row is its right-hand side */
dense_fn real *dense_at(const dense_system *d, int i, int j)
{
    return j < d->m ? d->A + i * d->row + j * d->col : d->b + i * d->rhs;
}

/* t_j -= l u_j for n elements, the strides of t and u in memory. The two rows do not overlap,
 * which a compiler cannot know: loads of a chunk come before its stores. */
dense_fn void dense_update(real *t, long st, const real *u, long su, real l, int n)
{
    int j = 0; /* compilers unroll the inner loops by themselves */
    for (; j + DENSE_CHUNK <= n; j += DENSE_CHUNK) {
        real a[DENSE_CHUNK], p[DENSE_CHUNK];
        for (int r = 0; r < DENSE_CHUNK; r++) {
            a[r] = t[(j + r) * st];
            p[r] = u[(j + r) * su];
        }
        for (int r = 0; r < DENSE_CHUNK; r++)
            t[(j + r) * st] = a[r] - l * p[r];
    }
    for (; j < n; j++)
        t[j * st] -= l * u[j * su];
}

/* x_i = (b_i - sum_j>i A_ij x_j) / A_ii, in b */
dense_fn void dense_back(const dense_system *d)
{
    for (int i = d->m - 1; i >= 0; i--) {
        const real *a = d->A + i * d->row;
        real sum = d->b[i * d->rhs];
        for (int j = i + 1; j < d->m; j++)
            sum -= a[j * d->col] * d->b[j * d->rhs];
        d->b[i * d->rhs] = sum / a[i * d->col];
    }
}

dense_fn void dense_solve(const dense_system *d)
{
    for (int k = 0; k + 1 < d->m; k++) {
        const real *u = d->A + k * d->row + k * d->col;
        real inverse = 1 / *u, bk = d->b[k * d->rhs];
        for (int i = k + 1; i < d->m; i++) {
            real *t = d->A + i * d->row + k * d->col, l = *t * inverse;
            dense_update(t + d->col, d->col, u + d->col, d->col, l, d->m - k - 1);
            d->b[i * d->rhs] -= l * bk;
        }
    }
    dense_back(d);
}

/* pivot, current: [m + 1] with that stride, of this thread */
dense_fn void dense_solve_rows(const dense_system *d, real *pivot, real *current, int stride)
{
    for (int k = 0; k + 1 < d->m; k++) {
        for (int j = k; j <= d->m; j++)
            pivot[j * stride] = *dense_at(d, k, j);
        real inverse = 1 / pivot[k * stride];
        for (int i = k + 1; i < d->m; i++) {
            for (int j = k; j <= d->m; j++)
                current[j * stride] = *dense_at(d, i, j);
            real l = current[k * stride] * inverse;
            dense_update(current + (k + 1) * stride, stride, pivot + (k + 1) * stride, stride, l,
                         d->m - k);
            for (int j = k + 1; j <= d->m; j++)
                *dense_at(d, i, j) = current[j * stride];
        }
    }
    dense_back(d);
}

/* ---- a block of `threads` for one system; each stage ends with a barrier ---- */

/* row k, its pivot inverted -> pivot [m + 1] */
dense_fn void dense_block_pivot(const dense_system *d, int k, real *pivot, int thread, int threads)
{
    for (int j = k + thread; j <= d->m; j += threads)
        pivot[j] = j > k ? *dense_at(d, k, j) : 1 / *dense_at(d, k, j);
}

/* row i -> current [m + 1] */
dense_fn void dense_block_load(const dense_system *d, int k, int i, real *current, int thread,
                               int threads)
{
    for (int j = k + thread; j <= d->m; j += threads)
        current[j] = *dense_at(d, i, j);
}

/* current less its multiple of pivot -> row i */
dense_fn void dense_block_eliminate(const dense_system *d, int k, int i, const real *pivot,
                                    const real *current, int thread, int threads)
{
    real l = current[k] * pivot[k];
    for (int j = k + thread; j <= d->m; j += threads)
        if (j > k)
            *dense_at(d, i, j) = current[j] - l * pivot[j];
}

/* b -> r [m] */
dense_fn void dense_block_rhs(const dense_system *d, real *r, int thread, int threads)
{
    for (int i = thread; i < d->m; i += threads)
        r[i] = d->b[i * d->rhs];
}

/* x_k -> b_k, and its column out of r_0 .. r_k-1 */
dense_fn void dense_block_back(const dense_system *d, int k, real *r, int thread, int threads)
{
    real x = r[k] / *dense_at(d, k, k);
    for (int i = thread; i < k; i += threads)
        r[i] -= *dense_at(d, i, k) * x;
    if (thread == 0)
        d->b[k * d->rhs] = x;
}
