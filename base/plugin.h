/* SPDX-License-Identifier: MIT
 *
 * Shared objects that are built for one mechanism and opened by name.
 */
#ifndef KB_PLUGIN_H
#define KB_PLUGIN_H

#include "base/error.h"

/* what: its name in messages, "solvers"; file: build/mech/NAME/<file>; symbol: the function without
 * arguments that returns a pointer to the interface, whose first member is an int: its version. */
typedef struct {
    const char *what, *file, *symbol;
    int version; /* that this program needs */
} kb_plugin;

/* The interface of the plugin that name says: a mechanism, or a path that ends in .so. NULL on
 * failure: no such file (with the command that builds it), not such a plugin, another version. The
 * object stays open until the program ends: its tables are used everywhere. */
const void *kb_plugin_open(const kb_plugin *plugin, const char *name, kb_error *err);

/* The path of a file in the folder of the program that runs; caller frees */
char *kb_beside_program(const char *file);

#endif
