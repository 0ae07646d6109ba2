/* SPDX-License-Identifier: MIT
 *
 * A cell of the kernels' measurement: one kernel on one batch of systems, and its row in
 * kernels.csv.
 */
#pragma once

#include <stdbool.h>

#include "base/csv.h"
#include "drivers/env/environment.h"
#include "drivers/kernels/systems.h"

#define KB_KERNELS_SCHEMA 1

typedef struct {
    const kb_kernel *kernel;
    const char *matrix; /* "dominant", "newton" */
    int m, segments, block;
    long n;
    kb_kernel_counts counts;
    kb_system_check check;
    double *samples; /* [s] of a pass over the n systems */
    int nsamples;
    const char *status; /* "ok", "wrong", "skipped", "failed" */
    char *why;          /* NULL for ok */
} kb_kernel_cell;

typedef struct {
    kb_kernel_cell *cells;
    int count;
} kb_kernel_cells;

typedef struct {
    int repeats;     /* timed passes, fewer but at least 3 when the budget does not allow them */
    double budget;   /* [s] of a cell; one predicted to need more is skipped */
    const kb_kernel_device *device; /* NULL: none */
} kb_kernel_limits;

bool kb_kernel_on_gpu(const kb_kernel *k);

/* Measures the kernel on n systems of the set in `segments` launches, and adds the cell. What goes
 * wrong is the cell's status. */
kb_kernel_cell *kb_kernel_measure(kb_kernel_cells *all, const kb_kernel *kernel,
                                  const kb_system_set *set, long n, int segments, int block,
                                  const kb_kernel_limits *limits);
void kb_kernel_cells_free(kb_kernel_cells *all);

/* median of the samples / n; NAN without samples */
double kb_kernel_system_time(const kb_kernel_cell *c);
/* How many times as fast a system as with the named kernel on cpu-scalar or cpu-simd, same
 * matrix and m; NAN: that is not measured */
double kb_kernel_speedup(const kb_kernel_cells *all, const kb_kernel_cell *c, const char *name,
                         const char *engine);

/* path <- one row for each cell. docs/results-format.md documents the columns. */
int kb_kernel_write(const kb_kernel_cells *all, const char *path, const kb_kernels *kernels,
                    const kb_environment *env, const kb_kernel_device *device, kb_error *err);

/* On stdout: each kernel's largest batch of each matrix and size. device NULL: none */
void kb_kernel_print(const kb_kernel_cells *all, const kb_kernel_device *device);
