/* SPDX-License-Identifier: MIT
 *
 * A batch of systems in the memory of the host, the same for dense and sparse kernels on a CPU.
 */
#pragma once

#include <stdlib.h>
#include <time.h>

#include "solvers/parts/kernels.h"

typedef struct {
    kb_systems s;
    void *A, *b; /* in the kernel's storage */
    int *pivots; /* of pivoted; otherwise NULL */
} host_batch;

/* monotonic clock [s] */
static double host_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void host_close(void *run)
{
    host_batch *r = run;
    if (!r)
        return;
    free(r->A);
    free(r->b);
    free(r->pivots);
    free(r);
}
