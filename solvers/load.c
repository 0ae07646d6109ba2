/* SPDX-License-Identifier: MIT */
#include "solvers/solver.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

/* The object stays open until the program ends: its tables are used everywhere. */
static const kb_solvers *open_object(const char *path, kb_error *err)
{
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!object) {
        kb_fail(err, KB_INVALID, "cannot load solvers: %s", dlerror());
        return NULL;
    }
    void *symbol = dlsym(object, "kb_solvers_get");
    if (!symbol) {
        kb_fail(err, KB_INVALID, "%s: no symbol kb_solvers_get (not a file of solvers)", path);
        return NULL;
    }
    const kb_solvers *(*get)(void);
    memcpy(&get, &symbol, sizeof get); /* ISO C has no cast from void * to a function */
    const kb_solvers *s = get();
    if (s->version != KB_SOLVERS_VERSION) {
        kb_fail(err, KB_INVALID, "%s: interface version %d, this program needs %d (build it anew)",
                path, s->version, KB_SOLVERS_VERSION);
        return NULL;
    }
    return s;
}

const kb_solvers *kb_solvers_open(const char *path, kb_error *err)
{
    int object = kb_ends_in(path, ".so");
    /* without a slash dlopen would search the library path, not the current folder */
    char *file = object ? kb_format("%s%s", strchr(path, '/') ? "" : "./", path)
                        : kb_format("build/mech/%s/solvers.so", path);
    const kb_solvers *s = NULL;
    if (access(file, R_OK) == 0)
        s = open_object(file, err);
    else if (object)
        kb_fail(err, KB_INVALID, "%s: no such file of solvers", path);
    else
        kb_fail(err, KB_INVALID, "mechanism '%s' has no solvers: %s is not there "
                "(`make solvers MECH=%s` builds it)", path, file, path);
    free(file);
    return s;
}

const kb_solver *kb_solver_find(const kb_solvers *s, const char *name, const char *engine)
{
    for (int i = 0; i < s->nsolvers; i++)
        if (!strcmp(s->solvers[i]->info.name, name) && !strcmp(s->solvers[i]->info.engine, engine))
            return s->solvers[i];
    return NULL;
}
