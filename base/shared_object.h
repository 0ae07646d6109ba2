/* SPDX-License-Identifier: MIT
 *
 * Shared objects that are built for one mechanism and opened by name.
 */
#pragma once

#include <stdbool.h>

#include "base/error.h"

/* what: its name in messages, "solvers"; file: build/mech/NAME/<file>; symbol: the function without
 * arguments that returns a pointer to the interface, whose first member is an int: its version. */
typedef struct {
    const char *what, *file, *symbol;
    int version; /* that this program needs */
} kb_shared_object;

/* The interface of the object that name says: a mechanism, or a path that ends in .so. NULL on
 * failure: no such file (with the command that builds it), no such object, another version. The
 * object stays open until the program ends: its tables are used everywhere. */
const void *kb_shared_open(const kb_shared_object *wanted, const char *name, kb_error *err);

/* Has this processor the instructions that the object of this path needs? True also if it cannot be
 * loaded: kb_shared_open says why. */
bool kb_shared_runs(const char *path);

/* `path` if it is there, seen from the current folder; otherwise the same below the folder above
 * the program's (build/..), if it is there; otherwise `path`. Caller frees. */
char *kb_find_in_tree(const char *path);

/* The path of a file in the folder of the program that runs; caller frees */
char *kb_beside_program(const char *file);
