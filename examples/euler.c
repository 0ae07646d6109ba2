/* SPDX-License-Identifier: MIT
 *
 * A solver of your own for bench: explicit Euler in equal substeps.
 *
 *     cc -shared -fPIC -I<kinbench> examples/euler.c -o euler.so
 *     make bench MECH=h2 SOLVERS=cvode,rodas4,./euler.so:steps=2000
 */
#include <math.h>

#include "solvers/plugin_api.h"

enum { STEPS };
static const kb_plugin_option options[] = {{"steps", "equal substeps of dt", 1000}, {0}};

static int integrate(void *self, const kb_plugin_job *job, kb_plugin_ode *ode, double *y,
                     kb_plugin_work *work)
{
    double dy[ode->unknowns], h = job->dt / job->options[STEPS];
    (void)self;
    for (long k = 0; k < (long)job->options[STEPS] && !*job->stop; k++) {
        int bad = ode->rhs(ode, y, dy);
        work->rhs++;
        if (bad)
            return bad;
        for (int i = 0; i < ode->unknowns; i++)
            y[i] += h * dy[i];
        work->attempted++;
        work->accepted++;
    }
    return isfinite(y[0]) ? KB_PLUGIN_OK : KB_PLUGIN_NOT_FINITE;
}

static const kb_plugin_solver solver = {
    .name = "euler", .summary = "explicit Euler, equal substeps", .source = "Euler 1768",
    .rtol = 1, .atol = 1, .options = options, .integrate = integrate};

const kb_plugin_list *kb_plugin_get(void)
{
    static const kb_plugin_list list = {KB_PLUGIN_VERSION, 1, &solver};
    return &list;
}
