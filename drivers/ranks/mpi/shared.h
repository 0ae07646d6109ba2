/* SPDX-License-Identifier: MIT
 *
 * Memory of rank 0 that the ranks of its host reach: they read the states of a job where rank 0
 * has them, and write the results where it wants them. Ranks of other hosts get messages.
 *
 * It has no name that could be left behind: a file in memory, which others open as
 * /proc/<rank 0>/fd/<number>.
 */
#pragma once

#include <mpi.h>
#include <stddef.h>

typedef struct {
    long number;                /* 1, 2, ...; none is given twice */
    int fd;                     /* at rank 0 */
    unsigned long device, file; /* as fstat says: another process may have another view of /proc */
    size_t size;
} shared_name;

typedef struct {
    shared_name name;
    char *base; /* in this process */
} shared_block;

typedef struct {
    int near;             /* this rank is on rank 0's host */
    int *all_near;        /* [ranks], on rank 0 */
    long pid;             /* of rank 0 */
    MPI_Comm host;        /* ranks of this host */
    MPI_Comm far;         /* rank 0 and those of other hosts; MPI_COMM_NULL on near ones */
    shared_block *blocks; /* of rank 0; on others those that they have reached */
    int nblocks;
    void (*lock)(void *memory, size_t size); /* for a GPU; or NULL */
} shared_memory;

/* an array inside a block; block.number 0: it is in none */
typedef struct {
    shared_name block;
    size_t offset;
} shared_place;

/* on all ranks; host: the ranks of this host in the order of all */
void shared_start(shared_memory *m, MPI_Comm host);
void shared_end(shared_memory *m);

/* rank 0: fresh memory, NULL where the system gives none */
void *shared_new(shared_memory *m, size_t size);
/* rank 0: gives it back; returns its number, 0: it is not of this memory */
long shared_free(shared_memory *m, const void *memory);
/* rank 0: where `size` bytes from p on are */
shared_place shared_find(const shared_memory *m, const void *p, size_t size);

/* a near rank: the address of a place; NULL where this process cannot reach it */
void *shared_reach(shared_memory *m, const shared_place *place);
/* a near rank: rank 0 has given back the block */
void shared_forget(shared_memory *m, long number);
