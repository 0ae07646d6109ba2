/* SPDX-License-Identifier: MIT
 *
 * The engines for the gas of a mechanism: build/mech/NAME/flow.so exports kb_flow_engines_get().
 */
#pragma once

#include "base/error.h"
#include "flow/engines/engine.h"

#define KB_FLOW_VERSION 7

typedef struct {
    int version;
    const char *mech, *sha256;
    int n;
    const kb_flow_engine *const *engines;
} kb_flow_engines;

const kb_flow_engines *kb_flow_engines_get(void); /* the one exported symbol */

/* opens build/mech/<name>/flow.so, or a path that ends in .so; NULL with a message */
const kb_flow_engines *kb_flow_engines_open(const char *name, kb_error *err);
/* a scheme of that gas; NULL with a message */
const kb_flow_engine *kb_flow_mechanism_engine(const kb_flow_engines *e, const char *scheme,
                                               const char *engine, kb_error *err);
