/* SPDX-License-Identifier: MIT
 *
 * What a CPU core can do at most: multiplications with addition in its widest lanes, enough of them
 * at a time that none waits for another.
 */
#include <time.h>

#include "solvers/portable/lane.h"
#include "solvers/parts/roofline.h"

enum { CHAINS = 12, LOOPS = 200000, PASSES = 9 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double kb_roofline_core(void)
{
    volatile double keep = 0.999;
    lane x[CHAINS], a = splat(keep), b = splat(1 - keep);
    double best = 0;
    for (int c = 0; c < CHAINS; c++)
        x[c] = splat(c);
    for (int p = 0; p < PASSES; p++) {
        double start = now();
        for (int k = 0; k < LOOPS; k++)
            KB_UNROLL for (int c = 0; c < CHAINS; c++) x[c] = x[c] * a + b;
        double rate = 2.0 * CHAINS * LOOPS * KB_LANES / (now() - start);
        best = rate > best ? rate : best;
    }
    for (int c = 0; c < CHAINS; c++)
        keep = lane_get(x[c], 0);
    return best;
}
