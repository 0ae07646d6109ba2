/* SPDX-License-Identifier: MIT
 *
 * The machine, the tools and the sources behind a measurement.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "base/owned.h"
#include "solvers/solver.h"

typedef struct {
    char *machine; /* CPU model, cores and GPU: "amd-epyc-7b13-2c"; never a host name */
    char *cpu;
    int cores;     /* that this process may use */
    char *isa;     /* vector instruction sets of the CPU, as in /proc/cpuinfo */
    double memory; /* [GiB] */
    char *kernel, *libc, *governor;
    char *gpu;     /* name, driver; "" without nvidia-smi */
    char *git;     /* commit, or "unknown" */
    bool dirty;
} kb_environment;

void kb_environment_read(kb_environment *e);
void kb_environment_free(kb_environment *e);

/* The fixed part as an object, with compiler and flags of the solvers (which may be NULL) */
json_t *kb_environment_json(const kb_environment *e, const kb_solvers *s);
/* What changes: date (UTC), load average, CPU clocks [MHz]; GPU clocks, temperature and power */
json_t *kb_environment_now(void);

/* Processors this process may use */
int kb_processors(void);
/* "2 processors (0-1), threads may move (OMP_PROC_BIND=true pins them)", and the share that a
 * cgroup allows if it is less; caller frees */
char *kb_placement(void);
/* First line of a command's output, "" when it fails; caller frees */
char *kb_first_line(const char *command);
