/* SPDX-License-Identifier: MIT */
#include "drivers/ranks/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/shared_object.h"

/* what launchers say: Open MPI, MPICH and its kin, srun. Tasks of srun without MPI are programs of
 * their own, which is told: with Open MPI that is srun's default on many a machine. */
static int launched_ranks(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (value)
            return atoi(value);
    }
    const char *tasks = getenv("SLURM_STEP_NUM_TASKS"), *task = getenv("SLURM_PROCID");
    if (!tasks || getenv("PMIX_RANK") || getenv("PMI_RANK"))
        return tasks ? atoi(tasks) : 1;
    if (atoi(tasks) > 1 && task && atoi(task) == 0)
        fprintf(stderr, "note: the %s tasks of srun are not ranks but programs of their own: srun "
                "--mpi=pmix makes them ranks (srun --mpi=list)\n", tasks);
    return 1;
}

int kb_ranks_open(kb_ranks **ranks, kb_error *err)
{
    static const kb_shared_object object = {"ranks", "ranks.so", "kb_ranks_get", KB_RANKS_VERSION};
    int n = launched_ranks();
    *ranks = NULL;
    if (n < 2)
        return KB_OK;
    kb_ranks *opened = NULL;
    char *path = kb_beside_program("ranks.so");
    if (access(path, R_OK))
        kb_fail(err, KB_INVALID, "started with %d ranks, but %s is not there: built without MPI "
                "(no mpicc; make says so)", n, path);
    else
        opened = (kb_ranks *)kb_shared_open(&object, path, err);
    free(path);
    if (!opened || opened->start(err))
        return KB_INVALID;
    if (opened->ranks < 2) {
        opened->end();
        return kb_fail(err, KB_INVALID, "started as one of %d ranks, but the MPI that ranks.so was "
                       "built with knows of one: its own mpirun starts them, or srun --mpi=pmix "
                       "for Open MPI and --mpi=pmi2 for MPICH", n);
    }
    *ranks = opened;
    return KB_OK;
}
