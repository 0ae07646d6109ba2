/* SPDX-License-Identifier: MIT */
#include "solvers/solver.h"

#include <stdint.h>
#include <string.h>

#include "base/shared_object.h"

const kb_solvers *kb_solvers_open(const char *path, kb_error *err)
{
    static const kb_shared_object object = {"solvers", "solvers.so", "kb_solvers_get",
                                            KB_SOLVERS_VERSION};
    return kb_shared_open(&object, path, err);
}

const kb_solver *kb_solver_find(const kb_solvers *s, const char *name, const char *engine)
{
    for (int i = 0; i < s->nsolvers; i++)
        if (!strcmp(s->solvers[i]->info.name, name) && !strcmp(s->solvers[i]->info.engine, engine))
            return s->solvers[i];
    return NULL;
}

void *kb_solvers_alloc(const kb_solvers *s, size_t n, size_t size)
{
    void *memory = n <= SIZE_MAX / size ? s->memory_new(n * size) : NULL;
    return memset(kb_must(memory, n, size), 0, n * size);
}

long kb_states_beyond(const kb_solvers *s, const double *states, long n)
{
    long beyond = 0;
    for (long i = 0; i < n; i++) {
        double T = states[i * (s->nsp + 2)];
        beyond += T < s->data_from || T > s->data_to;
    }
    return beyond;
}
