/* SPDX-License-Identifier: MIT
 *
 * States and results of accelerInt's integrators, on cores and on a GPU: a batch has T and pyJac's
 * species without the last, by columns, y [NSP x n]. Included after pyJac's header.h and
 * mass_mole.h (or .cuh), in C and in C++.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <weights.h>

#include "solvers/plugin_api.h"

/* kinbench's atomic weights are newer than pyJac's: moles are kept, not masses, so that states at
 * rest stay at rest (`weights`: kinbench's, in its order). Y [NSP] in kinbench's order, y [NSP - 1]
 * in pyJac's, without the last */
static void to_theirs(const double *Y, double *y)
{
    double X[NSP], sum = 0;
    for (int k = 0; k < NSP; k++)
        sum += X[k] = Y[k] / weights[k];
    for (int k = 0; k < NSP; k++)
        X[k] /= sum;
    apply_mask(X);
    mole2mass(X, y);
}

static void from_theirs(const double *y, double *Y)
{
    double sum = 0, mass = 0;
    mass2mole(y, Y);
    for (int k = 0; k < NSP - 1; k++)
        sum += Y[k];
    Y[NSP - 1] = 1 - sum;
    apply_reverse_mask(Y);
    for (int k = 0; k < NSP; k++)
        mass += Y[k] *= weights[k];
    for (int k = 0; k < NSP; k++)
        Y[k] /= mass;
}

/* state i of a job into a batch */
static void take_state(const kb_plugin_job *job, long i, double *y, double *pressure)
{
    const double *state = job->states + i * (NSP + 2);
    double theirs[NSP];
    to_theirs(state + 2, theirs);
    pressure[i] = state[1];
    y[i] = state[0];
    for (int k = 1; k < NSP; k++)
        y[i + k * job->n] = theirs[k - 1];
}

/* ODE i of a batch of n: own [NSP + 1], as the result of a plug-in */
static void give_state(const double *y, long n, long i, double *own)
{
    double theirs[NSP];
    own[0] = y[i];
    for (int k = 1; k < NSP; k++)
        theirs[k - 1] = y[i + k * n];
    from_theirs(theirs, own + 1);
}

/* a code of radau2a, exp4 and exprb43 */
static int status_of_code(int code)
{
    static const int status[] = {KB_PLUGIN_OK, KB_PLUGIN_NEWTON, KB_PLUGIN_TOO_MANY,
                                 KB_PLUGIN_STEP_SMALL, KB_PLUGIN_NEWTON};
    return code >= 0 && code < 5 ? status[code] : KB_PLUGIN_NEWTON;
}

/* what accelerInt calls a solution, but is none, has no code of its own; y [NSP + 1] */
static int status_of_solution(const double *y)
{
    bool bounded = y[0] > 0 && y[0] < 1e5;
    for (int k = 0; k <= NSP; k++) {
        if (!isfinite(y[k]))
            return KB_PLUGIN_NOT_FINITE;
        bounded = bounded && (!k || (y[k] > -0.5 && y[k] < 1.5));
    }
    return bounded ? KB_PLUGIN_OK : KB_PLUGIN_BOUNDS;
}
