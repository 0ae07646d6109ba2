/* SPDX-License-Identifier: MIT */
#include "base/owned.h"
#include "drivers/ranks/mpi/world.h"

#include <mpi.h>
#include <stdlib.h>

enum { TO_SOUTH = 11, TO_NORTH };

static int rank_or_none(int rank) { return rank < 0 ? MPI_PROC_NULL : rank; }

static void swap(int south, int north, double *const to[2], double *const from[2], long n)
{
    south = rank_or_none(south);
    north = rank_or_none(north);
    MPI_Sendrecv(to[0], (int)n, MPI_DOUBLE, south, TO_SOUTH, from[1], (int)n, MPI_DOUBLE, north,
                 TO_SOUTH, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(to[1], (int)n, MPI_DOUBLE, north, TO_NORTH, from[0], (int)n, MPI_DOUBLE, south,
                 TO_NORTH, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void most(double *x, int n)
{
    MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

static void sum(double *x, int n)
{
    MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void tell(int from, void *data, size_t size)
{
    MPI_Bcast(data, (int)size, MPI_BYTE, from, MPI_COMM_WORLD);
}

static void collect(double *x, const long *first)
{
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    kb_owned int *count = kb_alloc((size_t)ranks, sizeof *count),
                 *at = kb_alloc((size_t)ranks, sizeof *at);
    for (int r = 0; r < ranks; r++) {
        count[r] = (int)(first[r + 1] - first[r]);
        at[r] = (int)first[r];
    }
    MPI_Gatherv(rank ? x + at[rank] : MPI_IN_PLACE, count[rank], MPI_DOUBLE, x, count, at,
                MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

void ranks_world(kb_flow_world *w)
{
    w->swap = swap;
    w->most = most;
    w->sum = sum;
    w->tell = tell;
    w->collect = collect;
}
