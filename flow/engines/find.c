/* SPDX-License-Identifier: MIT
 *
 * The engines: those for an ideal gas are part of the program, those of a mechanism lie in its
 * flow.so.
 */
#include <string.h>

#include "base/shared_object.h"
#include "flow/engines/exported.h"

/* ---- engines for an ideal gas, from schemes.def ---- */

#define ONE_GAS(name, header, stages, summary) \
    extern const kb_flow_engine kb_flow_##name##_1_scalar, kb_flow_##name##_1_simd;
#define SCHEME(name, header, stages, summary) ONE_GAS(name, header, stages, summary) \
    extern const kb_flow_engine kb_flow_##name##_2_scalar, kb_flow_##name##_2_simd;
#include "flow/scheme/schemes.def"
#undef SCHEME
#undef ONE_GAS
/* which of them have the engine gpu: written by make */
#define GPU(name) extern const kb_flow_engine kb_flow_##name##_1_gpu;
#include "gpu.def"
#undef GPU

static const kb_flow_engine *const engines[] = {
#define ONE_GAS(name, header, stages, summary) &kb_flow_##name##_1_scalar, &kb_flow_##name##_1_simd,
#define SCHEME(name, header, stages, summary) ONE_GAS(name, header, stages, summary) \
    &kb_flow_##name##_2_scalar, &kb_flow_##name##_2_simd,
#include "flow/scheme/schemes.def"
#undef SCHEME
#undef ONE_GAS
#define GPU(name) &kb_flow_##name##_1_gpu,
#include "gpu.def"
#undef GPU
};

static const kb_flow_engine *find(const kb_flow_engine *const *list, size_t n, const char *scheme,
                                  const char *engine, int nsp, kb_error *err)
{
    char known[128] = "";
    for (size_t i = 0; i < n; i++) {
        if (strcmp(list[i]->scheme, scheme) || list[i]->nsp != nsp)
            continue;
        if (!strcmp(list[i]->engine, engine))
            return list[i];
        strcat(strcat(known, " "), list[i]->engine);
    }
    if (*known)
        kb_fail(err, KB_INVALID, "scheme %s has no engine '%s': there are%s%s", scheme, engine,
                known, strcmp(engine, "gpu") ? ""
                       : " (gpu is built where nvcc and a GPU are, or by CUDA=1)");
    else
        kb_fail(err, KB_INVALID, "no scheme '%s' for a gas of %d species: there are"
#define SCHEME(name, header, stages, summary) " " #name
#define ONE_GAS(name, header, stages, summary) ", for one gas, " #name
#include "flow/scheme/schemes.def"
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

const kb_flow_engines *kb_flow_engines_open(const char *name, kb_error *err)
{
    static const kb_shared_object object = {.what = "flow-gas", .file = "flow.so",
                                            .symbol = "kb_flow_engines_get",
                                            .version = KB_FLOW_VERSION};
    return kb_shared_open(&object, name, err);
}
