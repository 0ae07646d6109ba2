/* SPDX-License-Identifier: MIT
 *
 * Thomas' algorithm written without differences, as all rows of the matrix sum to 1: with
 * e_{i-1} = 1 - b_{i-1}/pivot_{i-1} = g_{i-1}/pivot_{i-1}, g_i = 1 + a_i e_{i-1},
 * pivot_i = g_i + b_i. Every term is positive, so each value keeps its relative accuracy, and sums
 * over columns keep theirs, however large a and b are.
 */
#include "pasr/generators/common/diffusion.h"

void kb_diffuse(long n, const double *a, const double *b, const double *left, const double *right,
                double *y, int columns, double *work)
{
    double e = 1;
    for (long i = 0; i < n; i++) {
        const double *before = i ? y + (i - 1) * columns : left;
        double *row = y + i * columns;
        double ai = before ? a[i] : 0, bi = i < n - 1 || right ? b[i] : 0;
        double g = 1 + ai * e, inverse = 1 / (g + bi);
        for (int k = 0; k < columns && before; k++)
            row[k] += ai * before[k];
        for (int k = 0; k < columns; k++)
            row[k] *= inverse;
        e = g * inverse;
        work[i] = bi * inverse;
    }
    for (long i = n - 1; i >= 0; i--) {
        const double *after = i < n - 1 ? y + (i + 1) * columns : right;
        double *row = y + i * columns;
        for (int k = 0; k < columns && after; k++)
            row[k] += work[i] * after[k];
    }
}
