/* SPDX-License-Identifier: MIT */
#include "drivers/ranks/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/plugin.h"

/* what launchers say: Open MPI, MPICH and its kin, srun */
static int launched_ranks(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (value)
            return atoi(value);
    }
    const char *tasks = getenv("SLURM_STEP_NUM_TASKS");
    return tasks && (getenv("PMIX_RANK") || getenv("PMI_RANK")) ? atoi(tasks) : 1;
}

int kb_ranks_open(kb_ranks **ranks, kb_error *err)
{
    static const kb_plugin plugin = {"ranks", "ranks.so", "kb_ranks_get", KB_RANKS_VERSION};
    char path[4096];
    int n = launched_ranks();
    *ranks = NULL;
    if (n < 2)
        return KB_OK;
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 16);
    path[length < 0 ? 0 : length] = 0;
    char *slash = strrchr(path, '/');
    snprintf(slash ? slash : path, 16, "/ranks.so");
    if (access(path, R_OK))
        return kb_fail(err, KB_INVALID, "started with %d ranks, but %s is not there: built without "
                       "MPI (no mpicc; make says so)", n, path);
    *ranks = (kb_ranks *)kb_plugin_open(&plugin, path, err);
    return *ranks ? (*ranks)->start(err) : KB_INVALID;
}
