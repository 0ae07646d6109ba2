/* SPDX-License-Identifier: MIT
 *
 * Names of the engines, from engines.def: kb_engine_name[ENGINE_gpu_thread] is "gpu-thread"; and
 * which of them, of plug-ins and of the flow solver run on a GPU.
 */
#pragma once

#include <stdbool.h>
#include <string.h>

enum {
#define ENGINE(object, ...) ENGINE_##object,
#include "solvers/engines.def"
#undef ENGINE
};
static const char *const kb_engine_name[] = {
#define ENGINE(object, name, ...) #name,
#include "solvers/engines.def"
#undef ENGINE
};

/* "gpu" and "gpu-...": all other engines run on the CPU */
static inline bool kb_on_gpu(const char *engine) { return !strncmp(engine, "gpu", 3); }
