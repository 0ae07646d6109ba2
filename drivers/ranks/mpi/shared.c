/* SPDX-License-Identifier: MIT */
#include "drivers/ranks/mpi/shared.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"

void shared_start(shared_memory *m, MPI_Comm host)
{
    int rank, ranks, first;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    first = rank;
    m->host = host;
    MPI_Bcast(&first, 1, MPI_INT, 0, host);
    m->near = first == 0;
    m->all_near = rank ? NULL : kb_alloc((size_t)ranks, sizeof *m->all_near);
    MPI_Gather(&m->near, 1, MPI_INT, m->all_near, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank && m->near ? MPI_UNDEFINED : 0, rank, &m->far);
}

/* a file in memory of that name and size; NULL: there is none, or no room for it */
static void *map(const char *name, size_t size, int make)
{
    void *memory = MAP_FAILED;
    int fd = shm_open(name, O_RDWR | (make ? O_CREAT | O_EXCL : 0), 0600);
    if (fd < 0)
        return NULL;
    if (!make || posix_fallocate(fd, 0, (off_t)size) == 0)
        memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (make && memory == MAP_FAILED)
        shm_unlink(name);
    return memory == MAP_FAILED ? NULL : memory;
}

static void forget(shared_memory *m)
{
    if (m->base && m->lock)
        m->lock(m->base, 0);
    if (m->base)
        munmap(m->base, m->size);
    m->base = NULL;
}

static void make_room(shared_memory *m, size_t size)
{
    static int number;
    int rank, here, all;
    long pid = getpid();
    char name[64];
    if (!m->near || (m->size >= size && m->size))
        return;
    forget(m);
    m->size = size;
    MPI_Comm_rank(m->host, &rank);
    MPI_Bcast(&pid, 1, MPI_LONG, 0, m->host);
    snprintf(name, sizeof name, "/kinbench-%ld-%d", pid, number++);
    if (rank == 0)
        m->base = map(name, size, 1);
    here = m->base != NULL;
    MPI_Bcast(&here, 1, MPI_INT, 0, m->host);
    if (!here)
        return;
    if (rank)
        m->base = map(name, size, 0);
    here = m->base != NULL;
    MPI_Allreduce(&here, &all, 1, MPI_INT, MPI_MIN, m->host);
    if (rank == 0)
        shm_unlink(name);
    if (!all)
        forget(m);
    else if (m->lock)
        m->lock(m->base, size);
}

void shared_room(shared_memory *m, size_t size)
{
    make_room(m, size);
    m->used = m->base != NULL;
    MPI_Bcast(&m->used, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

void shared_end(shared_memory *m)
{
    forget(m);
    free(m->all_near);
    MPI_Comm_free(&m->host);
    if (m->far != MPI_COMM_NULL)
        MPI_Comm_free(&m->far);
}
