/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memfd_create */
#include "drivers/ranks/mpi/shared.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

void shared_start(shared_memory *m, MPI_Comm host)
{
    int rank, ranks, first;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    first = rank;
    m->host = host;
    m->pid = getpid();
    MPI_Bcast(&first, 1, MPI_INT, 0, host);
    MPI_Bcast(&m->pid, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    m->near = first == 0;
    m->all_near = rank ? NULL : kb_alloc((size_t)ranks, sizeof *m->all_near);
    MPI_Gather(&m->near, 1, MPI_INT, m->all_near, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank && m->near ? MPI_UNDEFINED : 0, rank, &m->far);
}

/* adds the file that is open as fd, mapped and page-locked; NULL: it cannot be mapped */
static void *add(shared_memory *m, const shared_name *name, int fd)
{
    void *base = mmap(NULL, name->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (base == MAP_FAILED)
        return NULL;
    m->blocks = kb_realloc(m->blocks, (size_t)m->nblocks + 1, sizeof *m->blocks);
    m->blocks[m->nblocks++] = (shared_block){*name, base};
    if (m->lock)
        m->lock(base, name->size);
    return base;
}

static void drop(shared_memory *m, int k)
{
    shared_block *b = &m->blocks[k];
    if (m->lock)
        m->lock(b->base, 0);
    munmap(b->base, b->name.size);
    if (b->name.fd >= 0)
        close(b->name.fd);
    *b = m->blocks[--m->nblocks];
}

void shared_end(shared_memory *m)
{
    while (m->nblocks > 0)
        drop(m, 0);
    free(m->blocks);
    m->blocks = NULL;
    free(m->all_near);
    MPI_Comm_free(&m->host);
    if (m->far != MPI_COMM_NULL)
        MPI_Comm_free(&m->far);
}

/* ---- rank 0 ---- */

void *shared_new(shared_memory *m, size_t size)
{
    static long number;
    struct stat info;
    int fd = size > 0 ? memfd_create("kinbench", MFD_CLOEXEC) : -1;
    if (fd < 0)
        return NULL;
    void *memory = NULL;
    /* fallocate: without room now, not when it is written to */
    if (posix_fallocate(fd, 0, (off_t)size) == 0 && fstat(fd, &info) == 0) {
        shared_name name = {++number, fd, info.st_dev, info.st_ino, size};
        memory = add(m, &name, fd);
    }
    if (!memory)
        close(fd);
    return memory;
}

static int block_of(const shared_memory *m, const void *p)
{
    uintptr_t at = (uintptr_t)p;
    for (int k = 0; k < m->nblocks; k++) {
        uintptr_t base = (uintptr_t)m->blocks[k].base;
        if (at >= base && at - base < m->blocks[k].name.size)
            return k;
    }
    return -1;
}

long shared_free(shared_memory *m, const void *memory)
{
    int k = block_of(m, memory);
    long number = k < 0 ? 0 : m->blocks[k].name.number;
    if (k >= 0)
        drop(m, k);
    return number;
}

shared_place shared_find(const shared_memory *m, const void *p, size_t size)
{
    int k = block_of(m, p);
    if (k < 0)
        return (shared_place){.block.number = 0};
    size_t offset = (size_t)((const char *)p - m->blocks[k].base);
    if (size > m->blocks[k].name.size - offset)
        return (shared_place){.block.number = 0};
    return (shared_place){m->blocks[k].name, offset};
}

/* ---- ranks near it ---- */

static void *map(shared_memory *m, const shared_name *name)
{
    char path[64];
    struct stat info;
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", m->pid, name->fd);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    shared_name here = *name;
    void *memory = NULL;
    here.fd = -1;
    if (fstat(fd, &info) == 0 && info.st_dev == name->device && info.st_ino == name->file &&
        (size_t)info.st_size == name->size)
        memory = add(m, &here, fd);
    close(fd);
    return memory;
}

void *shared_reach(shared_memory *m, const shared_place *place)
{
    char *base = NULL;
    if (!place->block.number)
        return NULL;
    for (int k = 0; k < m->nblocks && !base; k++)
        if (m->blocks[k].name.number == place->block.number)
            base = m->blocks[k].base;
    base = base ? base : map(m, &place->block);
    return base ? base + place->offset : NULL;
}

void shared_forget(shared_memory *m, long number)
{
    for (int k = 0; k < m->nblocks; k++)
        if (m->blocks[k].name.number == number) {
            drop(m, k);
            return;
        }
}
