/* SPDX-License-Identifier: MIT
 *
 * Dense LU with partial pivoting of a matrix of any size (Golub and Van Loan, Matrix Computations,
 * 3.4): P A = L U, L with ones on its diagonal. Matrices lie by columns, factors replace A, and no
 * call allocates or locks. A block of columns is factored, then the columns behind it take the
 * block's rows of U, two at a time and by four columns of L, so that each is loaded n/16 times and
 * the inner loops are vectors.
 */
#pragma once

#include <math.h>
#include <stddef.h>

enum { KB_PIVOTED_BLOCK = 16 }; /* columns, a multiple of 4 */

/* rows k and pivot[k] of columns from..to-1 change places */
static inline void kb_pivoted_swap(int n, double *A, const int *pivot, int k, int from, int to)
{
    for (int j = from; j < to && pivot[k] != k; j++) {
        double *c = A + (size_t)j * n, x = c[k];
        c[k] = c[pivot[k]];
        c[pivot[k]] = x;
    }
}

/* y [m] -= l [m] u */
static inline void kb_pivoted_subtract(int m, const double *l, double u, double *__restrict__ y)
{
    for (int i = 0; i < m; i++)
        y[i] -= l[i] * u;
}

/* y [m] -= L [m][4] u [4], z [m] -= L v; columns of L lie n apart */
static inline void kb_pivoted_subtract_pair(int m, int n, const double *L, const double *u,
                                            const double *v, double *__restrict__ y,
                                            double *__restrict__ z)
{
    const double *a = L, *b = a + n, *c = b + n, *d = c + n;
    double u0 = u[0], u1 = u[1], u2 = u[2], u3 = u[3];
    double v0 = v[0], v1 = v[1], v2 = v[2], v3 = v[3];
    for (int i = 0; i < m; i++) {
        y[i] -= a[i] * u0 + b[i] * u1 + c[i] * u2 + d[i] * u3;
        z[i] -= a[i] * v0 + b[i] * v1 + c[i] * v2 + d[i] * v3;
    }
}

/* factors columns k..end-1 in themselves; returns the first without a pivot, from 1, or 0 */
static inline int kb_pivoted_block(int n, double *A, int *pivot, int k, int end)
{
    for (int from = k; k < end; k++) {
        double *c = A + (size_t)k * n, top = fabs(c[k]);
        pivot[k] = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(c[i]) > top) {
                top = fabs(c[i]);
                pivot[k] = i;
            }
        if (!(top > 0))
            return k + 1;
        kb_pivoted_swap(n, A, pivot, k, from, end);
        top = c[k];
        for (int i = k + 1; i < n; i++)
            c[i] /= top;
        for (int j = k + 1; j < end; j++)
            kb_pivoted_subtract(n - k - 1, c + k + 1, A[(size_t)j * n + k],
                                A + (size_t)j * n + k + 1);
    }
    return 0;
}

/* columns end..n-1 after the block from..end-1: its rows of U, then what is below them */
static inline void kb_pivoted_update(int n, double *A, int from, int end)
{
    for (int j = end; j < n; j++)
        for (int k = from; k < end; k++)
            kb_pivoted_subtract(end - k - 1, A + (size_t)k * n + k + 1, A[(size_t)j * n + k],
                                A + (size_t)j * n + k + 1);
    int m = n - end, j = end;
    for (; j + 1 < n; j += 2)
        for (int k = from; k < end; k += 4) {
            double *y = A + (size_t)j * n, *z = y + n;
            kb_pivoted_subtract_pair(m, n, A + (size_t)k * n + end, y + k, z + k, y + end,
                                     z + end);
        }
    for (int k = from; j < n && k < end; k++)
        kb_pivoted_subtract(m, A + (size_t)k * n + end, A[(size_t)j * n + k],
                            A + (size_t)j * n + end);
}

/* A [n][n] by columns -> factors; pivot [n]: the row that row k changed places with, from 0.
 * Returns 0, or the first column, from 1, without a pivot that is not 0 or NaN: no factors then. */
static inline int kb_pivoted_factor(int n, double *A, int *pivot)
{
    for (int from = 0; from < n; from += KB_PIVOTED_BLOCK) {
        int end = n - from < KB_PIVOTED_BLOCK ? n : from + KB_PIVOTED_BLOCK;
        int singular = kb_pivoted_block(n, A, pivot, from, end);
        if (singular)
            return singular;
        for (int k = from; k < end; k++) {
            kb_pivoted_swap(n, A, pivot, k, 0, from);
            kb_pivoted_swap(n, A, pivot, k, end, n);
        }
        kb_pivoted_update(n, A, from, end);
    }
    return 0;
}

/* b [n] -> A^-1 b, with the factors */
static inline void kb_pivoted_solve(int n, const double *A, const int *pivot, double *b)
{
    for (int k = 0; k < n; k++) {
        double x = b[pivot[k]];
        b[pivot[k]] = b[k];
        b[k] = x;
    }
    for (int k = 0; k < n; k++)
        kb_pivoted_subtract(n - k - 1, A + (size_t)k * n + k + 1, b[k], b + k + 1);
    for (int k = n - 1; k >= 0; k--) {
        b[k] /= A[(size_t)k * n + k];
        kb_pivoted_subtract(k, A + (size_t)k * n, b[k], b);
    }
}

/* the sign of the determinant of the factored matrix: -1 or 1 */
static inline int kb_pivoted_sign(int n, const double *A, const int *pivot)
{
    int negative = 0;
    for (int k = 0; k < n; k++)
        negative ^= (pivot[k] != k) ^ (A[(size_t)k * (n + 1)] < 0);
    return negative ? -1 : 1;
}
