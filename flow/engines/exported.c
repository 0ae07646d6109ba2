/* SPDX-License-Identifier: MIT
 *
 * The table of flow.so.
 */
#include "base/processor_needs.h"
#include "solvers/portable/lane.h" /* KB_TABLE */
#include "constants.h"
#include "flow/engines/exported.h"

#define ONE_GAS(...)
#define SCHEME(name, header, stages, summary) \
    extern const kb_flow_engine kb_flow_##name##_scalar, kb_flow_##name##_simd;
#include "flow/scheme/schemes.def"
#undef SCHEME
/* which of them have the engine gpu: written by make */
#define GPU(name) extern const kb_flow_engine kb_flow_##name##_gpu;
#include "gpu.def"
#undef GPU

static const kb_flow_engine *const engines[] = {
#define SCHEME(name, header, stages, summary) \
    &kb_flow_##name##_scalar, &kb_flow_##name##_simd,
#include "flow/scheme/schemes.def"
#undef SCHEME
#define GPU(name) &kb_flow_##name##_gpu,
#include "gpu.def"
#undef GPU
};

static const kb_flow_engines table = {
    .version = KB_FLOW_VERSION, .mech = KB_MECH_NAME, .sha256 = KB_MECH_SHA256,
    .n = sizeof engines / sizeof *engines, .engines = engines};

__attribute__((visibility("default"))) const kb_flow_engines *kb_flow_engines_get(void)
{
    return &table;
}
