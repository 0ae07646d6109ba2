/* SPDX-License-Identifier: MIT
 *
 * The march of a generator, seen from its program: progress and checkpoints.
 */
#pragma once

#include "drivers/generate/generate.h"

/* runs gen->march */
int kb_march_shown(const kb_generator *gen, const void *recipe, const kb_generation *g,
                   kb_output *o, kb_error *err);
