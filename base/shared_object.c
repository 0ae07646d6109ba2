/* SPDX-License-Identifier: MIT */
#include "base/shared_object.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "base/owned.h"
#include "base/processor.h"

static int processor_has(const char *feature)
{
#ifdef __x86_64__
#define FEATURE(name, macro)                                                                       \
    if (!strcmp(feature, name))                                                                    \
        return __builtin_cpu_supports(name);
#include "base/processor.def"
#undef FEATURE
#endif
    (void)feature;
    return 0;
}

/* what the object needs and this processor lacks; NULL: nothing */
static const char *lacking(void *object)
{
    const kb_feature *f = dlsym(object, KB_NEEDS_SYMBOL);
    for (; f && *f->name; f++)
        if (f->needed && !processor_has(f->name))
            return f->name;
    return NULL;
}

bool kb_shared_runs(const char *path)
{
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return !object || !lacking(object);
}

static const void *open_object(const kb_shared_object *wanted, const char *path, kb_error *err)
{
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!object) {
        kb_fail(err, KB_INVALID, "cannot load %s: %s", wanted->what, dlerror());
        return NULL;
    }
    void *symbol = dlsym(object, wanted->symbol);
    if (!symbol) {
        kb_fail(err, KB_INVALID, "%s: no symbol %s (not a file of %s)", path, wanted->symbol,
                wanted->what);
        return NULL;
    }
    const char *feature = lacking(object);
    if (feature) {
        kb_fail(err, KB_INVALID, "%s was built for a processor with '%s', which this one lacks "
                "(build it here, or with MARCH=x86-64-v3 or another -march of this machine)", path,
                feature);
        return NULL;
    }
    const void *(*get)(void);
    memcpy(&get, &symbol, sizeof get); /* ISO C has no cast from void * to a function */
    const int *version = get();
    if (*version == wanted->version)
        return version;
    kb_fail(err, KB_INVALID, "%s: interface version %d, this program needs %d (build it again)",
            path, *version, wanted->version);
    return NULL;
}

const void *kb_shared_open(const kb_shared_object *wanted, const char *name, kb_error *err)
{
    int is_path = kb_ends_in(name, ".so");
    /* without a slash dlopen would search the library path, not the current folder */
    kb_owned char *path = is_path ? kb_format("%s%s", strchr(name, '/') ? "" : "./", name)
                                  : kb_format("build/mech/%s/%s", name, wanted->file);
    kb_owned char *there = is_path ? kb_strdup(path) : kb_find_in_tree(path);
    const void *found = NULL;
    if (access(there, R_OK) == 0)
        found = open_object(wanted, there, err);
    else if (is_path)
        kb_fail(err, KB_INVALID, "%s: no such file of %s", name, wanted->what);
    else
        kb_fail(err, KB_INVALID, "mechanism '%s' has no %s: %s is not there "
                "(`make %s MECH=%s` builds it)", name, wanted->what, path, wanted->what, name);
    return found;
}

char *kb_find_in_tree(const char *path)
{
    if (*path == '/' || access(path, R_OK) == 0)
        return kb_strdup(path);
    kb_owned char *above = kb_beside_program(".."), *tree = realpath(above, NULL);
    char *found = kb_format("%s/%s", tree ? tree : "", path);
    if (access(found, R_OK) == 0)
        return found;
    free(found);
    return kb_strdup(path);
}

char *kb_beside_program(const char *file)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n < 0 ? 0 : n] = 0;
    char *slash = strrchr(path, '/');
    return kb_format("%.*s/%s", slash ? (int)(slash - path) : 0, path, file);
}
