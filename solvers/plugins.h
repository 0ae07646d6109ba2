/* SPDX-License-Identifier: MIT
 *
 * Plug-ins (plugin_api.h) beside the solvers of a mechanism: each becomes a kb_solver on the engine
 * cpu-plugin or gpu-plugin, whose runs are made by the program plugin_host, in a process of their
 * own.
 */
#pragma once

#include "base/arguments.h"
#include "solvers/plugin_ode.h"

/* Adds the plug-ins that a list of solvers names: words with a file that ends in .so. *list is
 * replaced by one with their names (and options) in place of files, which go to `files`. limit [s]:
 * a run that takes longer is ended. Returns s when there are none. A plug-in that cannot be loaded
 * becomes a solver of the file's name whose runs fail with the reason; NULL when plugin_host is not
 * there, or two files have solvers of one name. */
const kb_solvers *kb_plugins_add(const kb_solvers *s, const char **list, kb_words *files,
                                 double limit, kb_error *err);

/* Frees what kb_plugins_add made of s, and the list that it wrote; nothing if it made nothing */
void kb_plugins_drop(const kb_solvers *all, const kb_solvers *s, const char *list);

/* [s] of all processors that the runs of plug-ins have taken so far, in their processes */
double kb_plugins_cpu(void);

/* ---- what bench and plugin_host share: memory behind a file descriptor ---- */

enum { KB_PLUGIN_SOLVERS = 8, KB_PLUGIN_OPTIONS = 16 };

typedef struct {
    char name[64], summary[256], source[256];
    double rtol, atol;
    int on_gpu, noptions;
    struct {
        char name[32], help[160];
        double value;
    } option[KB_PLUGIN_OPTIONS];
} kb_plugin_description;

/* Of a run: followed by states [n x (nsp + 2)], count [n], y [n x (nsp + 1)] */
typedef struct {
    char error[1024]; /* of the host: why it ended with a code that is not 0 */
    int nsolvers;
    kb_plugin_description solver[KB_PLUGIN_SOLVERS];
    int which, nsp, reactor, threads;
    long n, max_substeps;
    double dt, rtol, atol, options[KB_PLUGIN_OPTIONS];
    volatile int stop;
    volatile int finished; /* of the host: it came to its end */
    double total; /* [s] */
    double cpu;   /* [s] of all processors meanwhile, of the host and processes that it started */
} kb_plugin_call;

static inline double *kb_plugin_states(kb_plugin_call *c) { return (double *)(c + 1); }
static inline kb_count *kb_plugin_counts(kb_plugin_call *c)
{
    return (kb_count *)(kb_plugin_states(c) + c->n * (c->nsp + 2));
}
static inline double *kb_plugin_y(kb_plugin_call *c)
{
    return (double *)(kb_plugin_counts(c) + c->n);
}
