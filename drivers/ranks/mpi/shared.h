/* SPDX-License-Identifier: MIT
 *
 * Memory that rank 0 shares with the ranks of its host, which read their states and write their
 * results there; ranks of other hosts get messages.
 */
#ifndef KB_RANKS_SHARED_H
#define KB_RANKS_SHARED_H

#include <mpi.h>
#include <stddef.h>

typedef struct {
    int near;      /* this rank is on rank 0's host */
    int *all_near; /* [ranks], on rank 0 */
    MPI_Comm host; /* ranks of this host; rank 0 of a near one is rank 0 */
    MPI_Comm far;  /* rank 0 and those of other hosts; MPI_COMM_NULL on near ones */
    char *base;    /* NULL: none, all by messages */
    int used;      /* rank 0 and those near it have some */
    size_t size;
    void (*lock)(void *memory, size_t size); /* for a GPU; or NULL */
} shared_memory;

/* on all ranks; host: the ranks of this host in the order of all */
void shared_start(shared_memory *m, MPI_Comm host);
/* on all ranks: at least `size` bytes, kept for the next job. base is NULL afterwards on ranks that
 * are not near, and on all where the host has no room for it. */
void shared_room(shared_memory *m, size_t size);
void shared_end(shared_memory *m);

#endif
