/* SPDX-License-Identifier: MIT
 *
 * The engines: those for an ideal gas are part of the program, those of a mechanism lie in its flow.so.
 */
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "flow/flow.h"
#include "flow/plugin.h"

/* ---- engines for an ideal gas, from schemes.def ---- */

#define ONE_GAS(name, header, stages, summary) \
    extern const kb_flow_engine kb_flow_##name##_1_scalar, kb_flow_##name##_1_simd;
#define SCHEME(name, header, stages, summary) ONE_GAS(name, header, stages, summary) \
    extern const kb_flow_engine kb_flow_##name##_2_scalar, kb_flow_##name##_2_simd;
#include "flow/schemes.def"
#undef SCHEME
#undef ONE_GAS

static const kb_flow_engine *const engines[] = {
#define ONE_GAS(name, header, stages, summary) &kb_flow_##name##_1_scalar, &kb_flow_##name##_1_simd,
#define SCHEME(name, header, stages, summary) ONE_GAS(name, header, stages, summary) \
    &kb_flow_##name##_2_scalar, &kb_flow_##name##_2_simd,
#include "flow/schemes.def"
#undef SCHEME
#undef ONE_GAS
};

static const kb_flow_engine *find(const kb_flow_engine *const *list, size_t n, const char *scheme,
                                  const char *engine, int nsp, kb_error *err)
{
    bool found = false;
    for (size_t i = 0; i < n; i++) {
        bool same = !strcmp(list[i]->scheme, scheme) && list[i]->nsp == nsp;
        found |= same;
        if (same && !strcmp(list[i]->engine, engine))
            return list[i];
    }
    if (found)
        kb_fail(err, KB_INVALID, "scheme %s has no engine '%s': there are cpu-scalar cpu-simd",
                scheme, engine);
    else
        kb_fail(err, KB_INVALID, "no scheme '%s' for a gas of %d species: there are"
#define SCHEME(name, header, stages, summary) " " #name
#define ONE_GAS(name, header, stages, summary) ", for one gas, " #name
#include "flow/schemes.def"
#undef SCHEME
#undef ONE_GAS
                , scheme, nsp);
    return NULL;
}

const kb_flow_engine *kb_flow_find_engine(const char *scheme, const char *engine, int nsp,
                                          kb_error *err)
{
    return find(engines, sizeof engines / sizeof *engines, scheme, engine, nsp, err);
}

const kb_flow_engine *kb_flow_mechanism_engine(const kb_flow_engines *e, const char *scheme,
                                               const char *engine, kb_error *err)
{
    return find(e->engines, (size_t)e->n, scheme, engine, e->engines[0]->nsp, err);
}

/* ---- flow.so ---- */

static const kb_flow_engines *open_object(const char *path, kb_error *err)
{
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = object ? dlsym(object, "kb_flow_engines_get") : NULL;
    if (!symbol) {
        kb_fail(err, KB_INVALID, "cannot load %s: %s", path, dlerror());
        return NULL;
    }
    const kb_flow_engines *(*get)(void);
    memcpy(&get, &symbol, sizeof get); /* ISO C has no cast from void * to a function */
    const kb_flow_engines *e = get();
    if (e->version != KB_FLOW_VERSION) {
        kb_fail(err, KB_INVALID, "%s: version %d, this program needs %d (build it again)", path,
                e->version, KB_FLOW_VERSION);
        return NULL;
    }
    return e;
}

const kb_flow_engines *kb_flow_engines_open(const char *name, kb_error *err)
{
    int object = kb_ends_in(name, ".so");
    char *path = object ? kb_strdup(name) : kb_format("build/mech/%s/flow.so", name);
    const kb_flow_engines *e = NULL;
    if (access(path, R_OK) == 0)
        e = open_object(path, err);
    else
        kb_fail(err, KB_INVALID, "%s is not there (`make flow-gas MECH=%s` builds it)", path, name);
    free(path);
    return e;
}
