/* SPDX-License-Identifier: MIT
 *
 * A solver of yours for bench: SOLVERS=./mine.so. Compile a file that defines kb_plugin_get with
 * `cc -shared -fPIC -I<kinbench> mine.c -o mine.so`; nothing of kinbench is linked.
 * examples/euler.c is a whole one; docs/adding.md.
 *
 * bench runs it in a process of its own, one for each measurement: a crash, an endless loop, a
 * write outside the arrays, negative counters, or with status ok NaN, T outside 0 to 1e5 K or Y
 * outside -0.5 to 1.5 are a failed row. Processes that it starts and leaves in its process group
 * end with it. What is timed is the loop over the ODEs.
 */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KB_PLUGIN_VERSION 1

/* how an ODE ended; bench prints them as those of its own solvers */
enum {
    KB_PLUGIN_OK,
    KB_PLUGIN_TOO_MANY,   /* substeps */
    KB_PLUGIN_STEP_SMALL,
    KB_PLUGIN_NEWTON,     /* an iteration failed */
    KB_PLUGIN_NOT_FINITE,
    KB_PLUGIN_BOUNDS      /* T out of its window */
};

/* What the ODE took; leave 0 what is not counted */
typedef struct {
    int32_t attempted, accepted, rejected, rhs, jac, lu, solve;
} kb_plugin_work;

/* One ODE, dy/dt = f(y), y = (T [K], Y) of `unknowns` numbers, and what can be asked of it. Each
 * thread has one of its own. Functions return 0, or the status of a state where they cannot be
 * evaluated (T out of its window, not finite); f and J of such a state are not written. */
typedef struct kb_plugin_ode {
    int unknowns, species;
    const double *W; /* [species] [kg/kmol] */
    int (*rhs)(struct kb_plugin_ode *ode, const double *y, double *dy);
    /* J [unknowns x unknowns] by columns: J[i + j unknowns] = df_i/dy_j, exact */
    int (*jacobian)(struct kb_plugin_ode *ode, const double *y, double *J);
    /* Factors I - gamma J in sparse form. y: where J is evaluated; NULL: J as it was last */
    int (*factor)(struct kb_plugin_ode *ode, const double *y, double gamma);
    /* x = (I - gamma J)^-1 b, with the factors; x may be b */
    int (*solve)(struct kb_plugin_ode *ode, const double *b, double *x);
    void *self;
} kb_plugin_ode;

typedef struct {
    long n;
    const double *states;  /* n x (species + 2): T [K], p [Pa], Y */
    double dt, rtol, atol; /* dt [s] */
    int constant_volume;   /* 0: constant pressure */
    int threads;
    long max_substeps;     /* of one ODE */
    const double *options; /* in the order of the solver's table */
    int species;
    const volatile int *stop; /* not 0: end now */
} kb_plugin_job;

/* An option, given as SOLVERS=./mine.so:name=value; a table ends with name NULL */
typedef struct {
    const char *name, *help;
    double value; /* default */
} kb_plugin_option;

/* A solver has `integrate`, which takes one ODE at a time and is called by job->threads threads, or
 * `integrate_batch`, which takes all of them. */
typedef struct {
    const char *name;    /* in tables and figures: letters, digits, - and _ */
    const char *summary, *source; /* one line; paper */
    double rtol, atol;   /* defaults */
    int on_gpu;          /* 1: its engine is called gpu-plugin, not cpu-plugin */
    const kb_plugin_option *options; /* or NULL */
    /* Memory of one thread, or (ode NULL) of a batch, not timed; NULL on failure. Both may be
     * NULL. */
    void *(*start)(const kb_plugin_job *job, kb_plugin_ode *ode);
    void (*finish)(void *self);
    /* y: the initial state, to be replaced by that at dt. Returns a status. */
    int (*integrate)(void *self, const kb_plugin_job *job, kb_plugin_ode *ode, double *y,
                     kb_plugin_work *work);
    /* y [n x (species + 1)], work [n] and status [n]. Returns 0, or 1 with why [size] filled. */
    int (*integrate_batch)(void *self, const kb_plugin_job *job, double *y, kb_plugin_work *work,
                           int32_t *status, char *why, int size);
} kb_plugin_solver;

typedef struct {
    int version; /* KB_PLUGIN_VERSION */
    int nsolvers;
    const kb_plugin_solver *solvers;
} kb_plugin_list;

/* The one symbol of a plug-in. */
const kb_plugin_list *kb_plugin_get(void);

#ifdef __cplusplus
}
#endif
