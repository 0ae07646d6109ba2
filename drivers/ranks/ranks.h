/* SPDX-License-Identifier: MIT
 *
 * bench over MPI ranks: rank 0 measures as ever, with solvers whose batches go to all ranks; the
 * others serve. flow over ranks: each has rows of the grid. MPI is called in build/ranks.so alone
 * (drivers/ranks/mpi), which is opened when an MPI launcher started the program; without mpicc
 * there is none.
 */
#pragma once

#include "drivers/ranks/distribution.h"
#include "flow/run/halo.h"
#include "solvers/solver.h"

#define KB_RANKS_VERSION 3

typedef struct {
    int version; /* KB_RANKS_VERSION */
    int rank, ranks, hosts; /* after start */
    /* Starts MPI. A rank with GPUs on its host takes number (rank on its host) modulo their number,
     * by CUDA_VISIBLE_DEVICES. */
    int (*start)(kb_error *err);
    /* rank 0, while the others serve: have all of them these solvers, of the same mechanism and in
     * the same sequence? Error: one has not, and which. */
    int (*agree)(const kb_solvers *s, kb_error *err);
    /* rank 0: the same solvers over all ranks. result->total is the time at rank 0 from the states
     * to the results, copy_in that of handing states out, kernel that in place (from when all
     * ranks have their states until the last is done), copy_out that of collecting. */
    const kb_solvers *(*wrap)(const kb_solvers *s, kb_deal deal);
    /* the others: until rank 0 calls end. Not 0: s is NULL, and rank 0 has asked for solvers. */
    int (*serve)(const kb_solvers *s);
    /* on every rank, before the program ends */
    void (*end)(void);
    int alike;           /* set it where no rank serves: all do the same */
    kb_flow_world world; /* for that */
} kb_ranks;

/* NULL with code KB_OK: no launcher started this program, or one with one rank. Error: a launcher
 * did, and build/ranks.so is not there, MPI does not start, or it is not that of the launcher. */
int kb_ranks_open(kb_ranks **ranks, kb_error *err);
