/* SPDX-License-Identifier: MIT
 *
 * LU without pivoting of the packed Newton matrix, and its solve, for real and complex numbers. A
 * few rows are in registers at a time; the compiler knows which entries are 0. The diagonal holds
 * the inverses of the pivots.
 */
#pragma once

#include "solvers/portable/lane.h"
#include "solvers/chemistry/straight/gpu/structure.h"

enum { STRAIGHT_ROWS = 3 };

/* A complex number with the operations of an elimination */
struct straight_complex {
    lane r, i;
    straight_complex() = default;
    straight_member straight_complex(lane re, lane im = 0) : r(re), i(im) {}
};
straight_fn straight_complex operator+(straight_complex a, straight_complex b)
{
    return {a.r + b.r, a.i + b.i};
}
straight_fn straight_complex operator*(straight_complex a, straight_complex b)
{
    return {a.r * b.r - a.i * b.i, a.r * b.i + a.i * b.r};
}
straight_fn straight_complex operator-(straight_complex a, straight_complex b)
{
    return {a.r - b.r, a.i - b.i};
}
straight_fn straight_complex vinverse(straight_complex a)
{
    lane n = vinverse(a.r * a.r + a.i * a.i);
    return {a.r * n, -a.i * n};
}

/* where the entries of a matrix lie: one array, or one for each part */
struct straight_real_matrix {
    lane *A;
    straight_member lane get(int k) const { return A[k]; }
    straight_member void put(int k, lane x) const { A[k] = x; }
};
struct straight_complex_matrix {
    lane *R, *M;
    straight_member straight_complex get(int k) const { return {R[k], M[k]}; }
    straight_member void put(int k, straight_complex x) const
    {
        R[k] = x.r;
        M[k] = x.i;
    }
};
/* Entry (i, j) of gI - J before elimination; row s is 0 = s - sum z */
template <int i, int j, class matrix_t, class number>
straight_fn number straight_entry(const matrix_t &A, number g)
{
    if constexpr (i == AT_S)
        return number(j == AT_S ? 1.0 : j == AT_T ? 0.0 : -1.0);
    else if constexpr (!matrix.raw[i][j])
        return number(0.0);
    else if constexpr (i == j)
        return A.get(place<i, j>) + g;
    else
        return A.get(place<i, j>);
}

/* rows [first, last) of w [rows][NUNKNOWN], by the pivot row k: one above them, or one of them */
template <int k, int first, int last, class matrix_t, class number>
straight_fn void straight_eliminate(const matrix_t &A, number (*w)[NUNKNOWN])
{
    constexpr int from = k < first ? first : k + 1;
    number pivot;
    if constexpr (k < first)
        pivot = A.get(place<k, k>);
    else
        pivot = w[k - first][k] = vinverse(w[k - first][k]);
    upto<from, last>([&](auto i) {
        if constexpr (filled<INDEX(i), k>)
            w[INDEX(i) - first][k] = w[INDEX(i) - first][k] * pivot;
    });
    upto<k + 1, NUNKNOWN>([&](auto column) {
        constexpr int j = INDEX(column);
        if constexpr (filled<k, j>) {
            number u;
            if constexpr (k < first)
                u = A.get(place<k, j>);
            else
                u = w[k - first][j];
            upto<from, last>([&](auto i) {
                if constexpr (filled<INDEX(i), k>)
                    w[INDEX(i) - first][j] = w[INDEX(i) - first][j] - w[INDEX(i) - first][k] * u;
            });
        }
    });
}

/* A = -J -> factors of g I - J */
template <class matrix_t, class number>
straight_fn void straight_factor(const matrix_t &A, number g)
{
    upto<0, (NUNKNOWN + STRAIGHT_ROWS - 1) / STRAIGHT_ROWS>([&](auto block) {
        constexpr int first = INDEX(block) * STRAIGHT_ROWS;
        constexpr int last = first + STRAIGHT_ROWS < NUNKNOWN ? first + STRAIGHT_ROWS : NUNKNOWN;
        number w[STRAIGHT_ROWS][NUNKNOWN];
        upto<first, last>([&](auto i) {
            upto<0, NUNKNOWN>([&](auto j) {
                w[INDEX(i) - first][INDEX(j)] = straight_entry<INDEX(i), INDEX(j)>(A, g);
            });
        });
        upto<0, last>([&](auto k) { straight_eliminate<INDEX(k), first, last>(A, w); });
        upto<first, last>([&](auto i) {
            upto<0, NUNKNOWN>([&](auto j) {
                if constexpr (filled<INDEX(i), INDEX(j)>)
                    A.put(place<INDEX(i), INDEX(j)>, w[INDEX(i) - first][INDEX(j)]);
            });
        });
    });
}

/* the reach of the pivots of factors (linalg/lu.h, lu_reach) */
straight_fn lane straight_reach(const lane *A)
{
    lane reach = 0;
    upto<0, NUNKNOWN>([&](auto k) {
        lane pivot = A[place<INDEX(k), INDEX(k)>];
        reach = vselect(pivot > 0.0, INDEX(k) == AT_S ? reach : vmax(reach, pivot), INFINITY);
    });
    return reach;
}

/* z [NUNKNOWN], in positions: (g I - J) z = b, in place */
template <class matrix_t, class number>
straight_fn void straight_substitute(const matrix_t &A, number *z)
{
    upto<0, NUNKNOWN>([&](auto j) {
        upto<INDEX(j) + 1, NUNKNOWN>([&](auto i) {
            if constexpr (filled<INDEX(i), INDEX(j)>)
                z[INDEX(i)] = z[INDEX(i)] - A.get(place<INDEX(i), INDEX(j)>) * z[INDEX(j)];
        });
    });
    downto<0, NUNKNOWN>([&](auto j) {
        z[INDEX(j)] = z[INDEX(j)] * A.get(place<INDEX(j), INDEX(j)>);
        upto<0, INDEX(j)>([&](auto i) {
            if constexpr (filled<INDEX(i), INDEX(j)>)
                z[INDEX(i)] = z[INDEX(i)] - A.get(place<INDEX(i), INDEX(j)>) * z[INDEX(j)];
        });
    });
}
