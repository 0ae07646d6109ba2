/* SPDX-License-Identifier: MIT
 *
 * Dense LU with partial pivoting, real and complex, for the lanes and teams of one mechanism:
 * what the papers factor with. Rows are swapped whole, L has ones on its diagonal. Storage
 * [DENSE_NNZ]: the matrix by rows, then for each column the row that was swapped in; of a complex
 * one real and imaginary parts lie in two such arrays, and the swaps in the real one.
 *
 * A team shares the search and deals out rows and elements: after each pivot the rest of the matrix
 * is one parallel loop, as with Sewerin and Rigopoulos (2015).
 */
#pragma once

#include "constants.h"
#include "solvers/portable/lane.h"

enum { DENSE_N = NSP + 1, DENSE_NNZ = DENSE_N * DENSE_N + DENSE_N };
#define DENSE(A, i, j) (A)[(i) * DENSE_N + (j)]
#define SWAP(A, k) (A)[DENSE_N * DENSE_N + (k)]

/* elements i and k of a vector, on lane l */
kb_fn void dense_swap(lane *a, lane *b, int l)
{
    double x = lane_get(*a, l);
    lane_put(a, l, lane_get(*b, l));
    lane_put(b, l, x);
}

/* v_k and v_p for every lane, p the row swapped in for column k */
kb_fn void dense_swap_elements(const lane *A, lane *v, int k)
{
    each(z, 1)
    {
        for (int l = 0; l < KB_LANES; l++)
            dense_swap(&v[k], &v[(int)lane_get(SWAP(A, k), l)], l);
    }
    team_sync();
}

/* the row of the largest |re| + |im| of column k, from k on */
kb_fn lane dense_pivot(const lane *R, const lane *M, int k)
{
    lane best = splat(-1), at = splat(k);
    for (int i = k; i < DENSE_N; i++) {
        lane size = vabs(DENSE(R, i, k));
        if (M)
            size += vabs(DENSE(M, i, k));
        mask better = size > best;
        best = vselect(better, size, best);
        at = vselect(better, splat(i), at);
    }
    return at;
}

kb_fn void dense_swap_rows(lane *A, lane at, int k)
{
    for (int l = 0; l < KB_LANES; l++) {
        int p = (int)lane_get(at, l);
        if (p == k)
            continue;
        for (int j = team_rank(); j < DENSE_N; j += KB_TEAM)
            dense_swap(&DENSE(A, k, j), &DENSE(A, p, j), l);
    }
}

/* chooses the pivot of column k and swaps its row in; M: NULL of a real matrix */
kb_fn void dense_choose(lane *R, lane *M, int k)
{
    lane at = dense_pivot(R, M, k);
    team_sync();
    dense_swap_rows(R, at, k);
    if (M)
        dense_swap_rows(M, at, k);
    each(z, 1) SWAP(R, k) = at;
    team_sync();
}

/* the rest of the matrix after pivot k: a_ij -= l_ik u_kj; a team deals out the elements, one
 * thread goes by rows */
#if KB_TEAM > 1
#define each_element(i, j, k)                                                                      \
    for (int e_ = team_rank(), m_ = DENSE_N - 1 - (k); e_ < m_ * m_; e_ += KB_TEAM)                \
        for (int i = (k) + 1 + e_ / m_, j = (k) + 1 + e_ % m_, once_ = 1; once_; once_ = 0)
#else
#define each_element(i, j, k)                                                                      \
    for (int i = (k) + 1; i < DENSE_N; i++)                                                        \
        for (int j = (k) + 1; j < DENSE_N; j++)
#endif

/* A = -J -> factors of gi I - J. Returns INFINITY where its determinant is not positive, else 0:
 * rows are swapped, so that the pivots' product alone has a meaning (method.h, factors_reach). */
kb_fn lane dense_factor(lane *A, lane gi)
{
    lane sign = splat(1);
    each(i, DENSE_N) DENSE(A, i, i) += gi;
    team_sync();
    for (int k = 0; k < DENSE_N; k++) {
        dense_choose(A, 0, k);
        lane r = 1.0 / DENSE(A, k, k);
        sign = vselect(SWAP(A, k) == (double)k, sign, -sign);
        sign = vselect(r < 0.0, -sign, sign);
        each(i, DENSE_N - 1 - k) DENSE(A, k + 1 + i, k) *= r;
        team_sync();
        each_element(i, j, k) DENSE(A, i, j) -= DENSE(A, i, k) * DENSE(A, k, j);
        team_sync();
    }
    return vselect(sign > 0.0, splat(0), splat(INFINITY));
}

/* x = (gi I - J)^-1 b; x may be b */
kb_fn void dense_solve(const lane *A, const lane *b, lane *x)
{
    each(i, DENSE_N) x[i] = b[i];
    team_sync();
    for (int k = 0; k < DENSE_N; k++)
        dense_swap_elements(A, x, k);
    for (int k = 0; k < DENSE_N; k++) {
        each(i, DENSE_N - 1 - k) x[k + 1 + i] -= DENSE(A, k + 1 + i, k) * x[k];
        team_sync();
    }
    for (int k = DENSE_N - 1; k >= 0; k--) {
        lane v = x[k] / DENSE(A, k, k);
        team_sync();
        each(i, k) x[i] -= DENSE(A, i, k) * v;
        each(z, 1) x[k] = v;
        team_sync();
    }
}

/* (re + i im) / (a + i b), into *re, *im */
kb_fn void dense_divide(lane *re, lane *im, lane a, lane b)
{
    lane r = 1.0 / (a * a + b * b), x = *re, y = *im;
    *re = (x * a + y * b) * r;
    *im = (y * a - x * b) * r;
}

/* R = -J, M of any content -> factors of (gr + i gm) I - J */
kb_fn void dense_factor_complex(lane *R, lane *M, lane gr, lane gm)
{
    each(i, DENSE_N * DENSE_N) M[i] = splat(0);
    team_sync();
    each(i, DENSE_N)
    {
        DENSE(R, i, i) += gr;
        DENSE(M, i, i) = gm;
    }
    team_sync();
    for (int k = 0; k < DENSE_N; k++) {
        dense_choose(R, M, k);
        lane a = DENSE(R, k, k), b = DENSE(M, k, k);
        for (int i = k + 1 + team_rank(); i < DENSE_N; i += KB_TEAM)
            dense_divide(&DENSE(R, i, k), &DENSE(M, i, k), a, b);
        team_sync();
        each_element(i, j, k)
        {
            lane lr = DENSE(R, i, k), lm = DENSE(M, i, k), ur = DENSE(R, k, j), um = DENSE(M, k, j);
            DENSE(R, i, j) -= lr * ur - lm * um;
            DENSE(M, i, j) -= lr * um + lm * ur;
        }
        team_sync();
    }
}

/* (x_i) -= column k of the factors times v, for the n rows from first on */
kb_fn void dense_subtract(const lane *R, const lane *M, int first, int n, int k, lane vr, lane vm,
                          lane *xr, lane *xm)
{
    for (int i = first + team_rank(); i < first + n; i += KB_TEAM) {
        xr[i] -= DENSE(R, i, k) * vr - DENSE(M, i, k) * vm;
        xm[i] -= DENSE(R, i, k) * vm + DENSE(M, i, k) * vr;
    }
}

/* xr + i xm = ((gr + i gm) I - J)^-1 (br + i bm); x may be b */
kb_fn void dense_solve_complex(const lane *R, const lane *M, const lane *br, const lane *bm,
                               lane *xr, lane *xm)
{
    each(i, DENSE_N)
    {
        lane r = br[i], m = bm[i];
        xr[i] = r;
        xm[i] = m;
    }
    team_sync();
    for (int k = 0; k < DENSE_N; k++) {
        dense_swap_elements(R, xr, k);
        dense_swap_elements(R, xm, k);
    }
    for (int k = 0; k < DENSE_N; k++) {
        dense_subtract(R, M, k + 1, DENSE_N - 1 - k, k, xr[k], xm[k], xr, xm);
        team_sync();
    }
    for (int k = DENSE_N - 1; k >= 0; k--) {
        lane vr = xr[k], vm = xm[k];
        dense_divide(&vr, &vm, DENSE(R, k, k), DENSE(M, k, k));
        team_sync();
        dense_subtract(R, M, 0, k, k, vr, vm, xr, xm);
        each(z, 1)
        {
            xr[k] = vr;
            xm[k] = vm;
        }
        team_sync();
    }
}
