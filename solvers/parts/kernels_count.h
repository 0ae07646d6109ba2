/* SPDX-License-Identifier: MIT
 *
 * What the dense kernels do, counted from the loops of elimination.h; every count is of one system
 *
 * Sectors: the 32 threads of a warp ask for 32 addresses at once; the memory answers in sectors of
 * 32 bytes. A request for elements side by side takes size(real) sectors (8 for double, one more
 * when it does not begin on a sector), one for elements that lie a whole system apart takes 32.
 */
#pragma once

#include "solvers/papers/elimination.h"
#include "solvers/parts/kernels.h"

enum { COUNT_WARP = 32, COUNT_SECTOR = 32 };

/* sectors of `threads` elements from index `first` (in elements), `stride` apart */
dense_fn double count_sectors(long first, long stride, int threads)
{
    long last = -1;
    double sectors = 0;
    for (int t = 0; t < threads; t++) {
        long sector = (first + t * stride) * (long)sizeof(real) / COUNT_SECTOR;
        sectors += sector != last;
        last = sector;
    }
    return sectors;
}

/* The same for thread-a-system kernels: neighbours are 1 apart (interleaved, rows of n) or a
 * whole system. Mean over four elements in turn, after which the place in a sector repeats. */
dense_fn double count_thread_sectors(int m, long n, int interleaved)
{
    double sum = 0;
    int threads = n < COUNT_WARP ? (int)n : COUNT_WARP;
    int period = m == 1 && !interleaved ? 1 : COUNT_SECTOR / (int)sizeof(real);
    for (int e = 0; e < period; e++)
        sum += interleaved ? count_sectors(e * n, 1, threads)
                           : count_sectors(e, (long)m * m, threads);
    return sum / period;
}

/* elimination with its right-hand side, and the way back */
dense_fn double count_flops(int m)
{
    double flops = 0;
    for (int k = 0; k < m; k++) {
        double rest = m - k - 1;
        flops += (k + 1 < m) + rest * (1 + 2 * rest + 2) + 2 * rest + 1;
    }
    return flops;
}

/* loads and stores of a thread that solves a system alone */
dense_fn double count_thread_words(int m, int rows)
{
    double words = 0;
    for (int k = 0; k < m; k++) {
        double rest = m - k - 1;
        /* pivot and b_k or the pivot row; for each row below: all in memory, or in and out again */
        words += k + 1 == m ? 0 : rows ? rest + 2 : 2;
        words += rest * (rows ? (rest + 2) + (rest + 1) : 1 + 3 * rest + 2);
        words += 2 * rest + 3; /* way back: A_ij and x_j, A_ii, b_i in and out */
    }
    return words;
}

/* a warp goes along row i from column k to m (which is b), and touches those from `first` on */
dense_fn void count_row(int m, int i, int k, int first, kb_kernel_counts *c)
{
    for (int from = k; from <= m; from += COUNT_WARP) {
        int end = from + COUNT_WARP < m ? from + COUNT_WARP : m, lo = from > first ? from : first;
        int rhs = m < from + COUNT_WARP, touched = (end > lo ? end - lo : 0) + rhs;
        c->sectors += (end > lo ? count_sectors((long)i * m + lo, 1, end - lo) : 0) + rhs;
        c->requests += touched > 0;
        c->bytes += touched * sizeof(real);
    }
}

/* a block for a system, contiguous: rows in and out; then b in, and a column with A_kk and x_k
 * for each step back */
dense_fn void count_block(int m, kb_kernel_counts *c)
{
    for (int k = 0; k + 1 < m; k++) {
        count_row(m, k, k, k, c);
        for (int i = k + 1; i < m; i++) {
            count_row(m, i, k, k, c);
            count_row(m, i, k, k + 1, c);
        }
    }
    for (int i = 0; i < m; i += COUNT_WARP) {
        int len = m - i < COUNT_WARP ? m - i : COUNT_WARP;
        c->sectors += count_sectors(i, 1, len);
        c->requests++;
        c->bytes += len * sizeof(real);
    }
    for (int k = 0; k < m; k++) {
        for (int i = 0; i < k; i += COUNT_WARP) {
            int len = k - i < COUNT_WARP ? k - i : COUNT_WARP;
            c->sectors += count_sectors((long)i * m + k, m, len);
            c->requests++;
        }
        c->sectors += 2;
        c->requests += 2;
        c->bytes += (k + 2) * sizeof(real);
    }
}
