/* SPDX-License-Identifier: MIT
 *
 * The program around a generator of databases: command line from the recipe's table, mechanism and
 * solvers, files, Ctrl-C. A generator's driver is a kb_generator and a main of three lines.
 */
#pragma once

#include "base/owned.h"
#include "pasr/generators/common/march.h"

typedef struct {
    const kb_mech *m;
    const kb_solvers *s;
    const char *out;          /* the database's path */
    bool quiet;
    int threads;              /* 0: all */
    const volatile int *stop; /* set by SIGINT and SIGTERM; then return KB_INTERRUPTED */
} kb_generation;

typedef struct {
    const char *program; /* "ignite" */
    const char *summary; /* for --help: what it does, \v, what else is to be known */
    const char *example; /* for --help: a command */
    const kb_recipe_form *form;
    bool at_once; /* Ctrl-C ends the program at once: no stop is watched, nothing is to be kept */
    /* One of the two fills o (n, states, aux, results, method). make: progress on stderr unless
     * quiet. march: step by step, with progress, and checkpoints to continue from */
    int (*make)(const void *recipe, const kb_generation *g, kb_output *o, kb_error *err);
    int (*march)(const void *recipe, const kb_generation *g, const kb_march_how *how, kb_output *o,
                 kb_error *err);
} kb_generator;

/* Options: --recipe FILE first, then one for each field, --solvers, --out, --threads, --quiet.
 * recipe holds the defaults; its texts are freed. Returns the exit code. */
int kb_generate(int argc, char **argv, const kb_generator *g, void *recipe);
