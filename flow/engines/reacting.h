/* SPDX-License-Identifier: MIT
 *
 * The cells whose chemistry is due, as a batch of ODEs in the memory of an engine, and how a cell
 * gets into it and out of it: the same on the host and on a device.
 */
#pragma once

#include "flow/stage.h"
#include "solvers/solver.h"

typedef struct {
    long room;          /* ODEs that the arrays hold */
    double *states, *y; /* as kb_job and kb_result have them */
    kb_count *count;
    long *cell;          /* where they belong */
    unsigned char *cost; /* [plane] attempted substeps of the last time; 255: so many or more */
} kb_flow_reacting;

/* sums over a batch */
typedef struct {
    long attempts, failed;
} kb_flow_tally;

/* Cells are gathered by their last cost, the costly ones first, so that neighbours in the batch
 * take alike many substeps; bucket 0 is the first */
enum { KB_FLOW_BUCKETS = 8 };

KB_FLOW_BOTH int kb_flow_bucket(int cost)
{
    int size = 0;
    for (; cost > 0; cost >>= 1)
        size++;
    return size < KB_FLOW_BUCKETS ? KB_FLOW_BUCKETS - 1 - size : 0;
}

/* T, p, Y [nsp + 2] of a cell */
KB_FLOW_BOTH void kb_flow_gather_cell(const kb_flow_grid *g, const double *q, const double *w,
                                      long at, double *state)
{
    double rho = 0;
    for (int s = 0; s < g->nsp; s++)
        rho += q[s * g->plane + at];
    state[0] = w[(g->nsp + 4) * g->plane + at];
    state[1] = w[(g->nsp + 2) * g->plane + at];
    for (int s = 0; s < g->nsp; s++)
        state[2 + s] = q[s * g->plane + at] / rho;
}

/* y: T, Y [nsp + 1] after the chemistry; rho stays, T is where Newton begins */
KB_FLOW_BOTH void kb_flow_scatter_cell(const kb_flow_grid *g, const double *y, long at, double *q,
                                       double *w)
{
    double rho = 0, sum = 0;
    for (int s = 0; s < g->nsp; s++) {
        rho += q[s * g->plane + at];
        sum += y[1 + s];
    }
    for (int s = 0; s < g->nsp; s++)
        q[s * g->plane + at] = rho * y[1 + s] / sum;
    w[(g->nsp + 4) * g->plane + at] = y[0];
}
