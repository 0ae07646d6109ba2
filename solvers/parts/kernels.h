/* SPDX-License-Identifier: MIT
 *
 * Linear algebra on its own: many independent systems A x = b of one size, solved by each of the
 * kernels of a mechanism's kernels.so (build/mech/<name>/kernels.so, one exported symbol).
 */
#pragma once

#include <stddef.h>
#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* n systems made from `distinct` different ones: number s is that of index s % distinct */
typedef struct {
    int m;           /* unknowns */
    long n, distinct;
    const double *A; /* [distinct][m][m] row major */
    const double *b; /* [distinct][m] */
    const double *packed; /* [distinct][nnz] -J in the storage of lu.h; NULL: no Newton matrices */
    double gi;       /* 1/(gamma h) [1/s] of Newton matrices A = gi I - J */
    int segments;    /* parts of n/segments systems, each stored and solved by one launch */
    int block;       /* GPU: threads of a block; 0: the kernel's choice */
} kb_systems;

/* Of one system, from the loops of the kernel. A request is one load or store of a warp, a sector
 * is 32 bytes. Bytes are those that threads load and store in global or local memory, from a cache
 * or not. 0: not known (CPU: sectors, requests). */
typedef struct {
    double flops;    /* a division counts 1 */
    double bytes;
    double requests, sectors; /* of a warp, divided by the systems it solves */
    double shared;   /* shared memory of a block [bytes] */
    double storage;  /* memory of a system [bytes] */
} kb_kernel_counts;

typedef struct kb_kernel {
    const char *name;      /* "dense", "rows", "sparse", "pivoted" */
    const char *engine;    /* "cpu-scalar", "cpu-simd", "gpu-thread", "gpu-block" */
    const char *layout;    /* "contiguous", "interleaved" */
    const char *precision; /* "double", "float" */
    int newton;            /* only for Newton matrices of the mechanism */
    void (*count)(const struct kb_kernel *self, const kb_systems *s, kb_kernel_counts *c);
    /* Allocates; *run goes to the calls below, also to close after a failure. */
    int (*open)(const struct kb_kernel *self, const kb_systems *s, void **run, kb_error *err);
    /* Stores the n systems again (not timed) and solves them: seconds */
    int (*pass)(void *run, double *seconds, kb_error *err);
    int (*solution)(void *run, double *x, kb_error *err); /* x [n][m] of the last pass */
    void (*close)(void *run);
} kb_kernel;

/* the GPU, as found */
typedef struct {
    char name[64];
    size_t memory;        /* free [bytes] */
    size_t shared;        /* of a block at most [bytes] */
    int multiprocessors;
    double copy;          /* a copy kernel's bytes read and written [1/s], median of 15 */
    size_t copy_bytes;    /* that it read */
} kb_kernel_device;

typedef struct {
    int version; /* KB_KERNELS_VERSION */
    const char *mech, *sha256, *flags;
    int nsp, nnz, nkernels;
    const kb_kernel *const *kernels;
    /* n Newton matrices gi I - J at n states [nsp + 2]: T, p, Y; constant p. A [n][m][m], b
     * [n][m] = gi dy/dt, packed [n][nnz]; m = nsp + 1 */
    int (*newton)(const double *states, long n, double gi, double *A, double *b, double *packed);
    /* NULL when built without CUDA. KB_NOTHING with a message: no device. */
    int (*device)(kb_kernel_device *d, kb_error *err);
} kb_kernels;

#define KB_KERNELS_VERSION 1
const kb_kernels *kb_kernels_get(void);

#ifdef __cplusplus
}
#endif
