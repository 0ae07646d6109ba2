/* SPDX-License-Identifier: MIT
 *
 * Names of the engines, from engines.def: kb_engine_name[ENGINE_gpu_thread] is "gpu-thread".
 */
#ifndef KB_ENGINE_NAMES_H
#define KB_ENGINE_NAMES_H

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

#endif
