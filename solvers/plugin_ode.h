/* SPDX-License-Identifier: MIT
 *
 * The ODE of a mechanism for plug-ins (plugin_api.h): part of its solvers.so.
 */
#pragma once

#include "solvers/plugin_api.h"
#include "solvers/solver.h"

typedef struct kb_plugin_odes {
    kb_plugin_ode *(*make)(void); /* NULL: no memory */
    void (*end)(kb_plugin_ode *ode);
    /* state: T, p, Y; fills y. Returns the status of a state that cannot be started from. */
    int (*load)(kb_plugin_ode *ode, kb_reactor reactor, const double *state, double *y);
} kb_plugin_odes;

extern const kb_plugin_odes kb_plugin_odes_here;
