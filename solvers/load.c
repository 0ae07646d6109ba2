/* SPDX-License-Identifier: MIT */
#include "solvers/solver.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/shared_object.h"
#include "solvers/run_time.h"

bool kb_is_mechanism_file(const char *path)
{
    static const char *const ends[] = {".yaml", ".yml", ".inp", ".dat", ".txt", ".mech"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (kb_ends_in(path, ends[i]))
            return true;
    return false;
}

static const kb_run_time *open_engines(const char *path, kb_error *err)
{
    static const kb_shared_object object = {"solvers", "solvers.so", "kb_run_time_get",
                                            KB_RUN_TIME_VERSION};
    return kb_shared_open(&object, path, err);
}

void kb_solvers_likeness(const char *engines, const kb_solvers *s, char *text)
{
    open_engines(engines, NULL)->likeness(s, text);
}

const kb_solvers *kb_solvers_read(const char *engines, const char *path, kb_error *err)
{
    const kb_run_time *any = open_engines(engines, err);
    char *text = kb_strdup(path), *thermo = strchr(text, ','), *file = strchr(text, '=');
    char *name = file ? text : NULL;
    file = file ? file : text;
    if (name)
        *file++ = 0;
    if (thermo)
        *thermo++ = 0;
    const kb_solvers *found = any ? any->open(file, thermo, name, err) : NULL;
    free(text);
    return found;
}

/* a mechanism's file with the engines of this tree */
static const kb_solvers *read_here(const char *path, kb_error *err)
{
    const char *given = getenv("KB_ANY");
    char *engines = kb_find_in_tree(given && *given ? given : "build/any/solvers.so");
    const kb_solvers *found = NULL;
    if (access(engines, R_OK))
        kb_fail(err, KB_INVALID, "no engines of any mechanism to read %s with: %s is not there "
                "(`make any` builds it)", path, engines);
    else
        found = kb_solvers_read(engines, path, err);
    free(engines);
    return found;
}

const kb_solvers *kb_solvers_open(const char *path, kb_error *err)
{
    if (kb_is_mechanism_file(path))
        return read_here(path, err);
    static const kb_shared_object object = {"solvers", "solvers.so", "kb_solvers_get",
                                            KB_SOLVERS_VERSION};
    return kb_shared_open(&object, path, err);
}

const kb_solver *kb_solver_find(const kb_solvers *s, const char *name, const char *engine)
{
    const kb_solver *any = NULL;
    size_t n = strlen(engine);
    for (int i = 0; i < s->nsolvers; i++) {
        const kb_solver_info *info = &s->solvers[i]->info;
        if (strcmp(info->name, name) || strncmp(info->engine, engine, n))
            continue;
        if (!info->engine[n])
            return s->solvers[i];
        if (s->tables && !strcmp(info->engine + n, "-any"))
            any = s->solvers[i];
    }
    return any;
}

const kb_solvers *kb_solvers_with(const kb_solvers *s, const kb_solver *const *more, int n)
{
    kb_solvers *all = kb_alloc(1, sizeof *all);
    const kb_solver **list = kb_alloc((size_t)(s->nsolvers + n), sizeof *list);
    memcpy(list, s->solvers, (size_t)s->nsolvers * sizeof *list);
    memcpy(list + s->nsolvers, more, (size_t)n * sizeof *list);
    *all = *s;
    all->solvers = list;
    all->nsolvers = s->nsolvers + n;
    return all;
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
