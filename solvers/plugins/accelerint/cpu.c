/* SPDX-License-Identifier: MIT
 *
 * accelerint-NAME on cores: an integrator of accelerInt (Curtis, Niemeyer, Sung, Combust. Flame 179
 * (2017) 312; github.com/SLACKHA/accelerInt) on the rates and the Jacobian that pyJac writes. Its
 * own loop over the ODEs is timed. KB_SOLVER is the name; compiled by drivers/peers/accelerint.mk.
 */
/* accelerInt's files are compiled with these, for the counted ones below */
#undef dydt
#undef eval_jacob
#include <header.h>

#include <dydt.h>
#include <jacob.h>
#include <mass_mole.h>
#include <weights.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/plugin_api.h"
#include "solvers/plugins/accelerint/solver_options.h"

double kb_accelerint_atol, kb_accelerint_rtol;
/* accelerInt's: integrates NUM ODEs, states by columns; what an integrator prepares */
void intDriver(const int NUM, const double t, const double t_end, const double *pressure,
               double *y);
void initialize_solver(int threads);
void cleanup_solver(int threads);

static _Thread_local kb_plugin_work counter; /* of the ODE that the thread integrates */
static kb_plugin_work *works;
static int32_t *statuses;

/* the integrators call these in place of dydt and eval_jacob */
void kb_dydt(const double t, const double p, const double *y, double *dy)
{
    counter.rhs++;
    dydt(t, p, y, dy);
}

void kb_eval_jacob(const double t, const double p, const double *y, double *jac)
{
    counter.jac++;
    eval_jacob(t, p, y, jac);
}

/* accelerInt calls it when ODE i has ended, and would end the program at the first failure */
void check_error(int i, int code)
{
    static const int status[] = {KB_PLUGIN_OK, KB_PLUGIN_NEWTON, KB_PLUGIN_TOO_MANY,
                                 KB_PLUGIN_STEP_SMALL, KB_PLUGIN_NEWTON};
    works[i] = counter;
    statuses[i] = code >= 0 && code < 5 ? status[code] : KB_PLUGIN_NEWTON;
    memset(&counter, 0, sizeof counter);
}

/* a batch: species in pyJac's order without the last */
typedef struct {
    int threads;
    double *y, *pressure; /* [NSP x n], [n] */
} batch;

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

static void load(batch *b, const kb_plugin_job *job)
{
    for (long i = 0; i < job->n; i++) {
        const double *state = job->states + i * (NSP + 2);
        double y[NSP];
        to_theirs(state + 2, y);
        b->pressure[i] = state[1];
        b->y[i] = state[0];
        for (int k = 1; k < NSP; k++)
            b->y[i + k * job->n] = y[k - 1];
    }
}

static void *start(const kb_plugin_job *job, kb_plugin_ode *ode)
{
    (void)ode;
    if (job->species != NSP || job->constant_volume) {
        fprintf(stderr, "accelerint: pyJac's code is for constant pressure and %d species\n", NSP);
        return NULL;
    }
    batch *b = malloc(sizeof *b);
    *b = (batch){job->threads, malloc((size_t)job->n * NSP * sizeof(double)),
                 malloc((size_t)job->n * sizeof(double))};
    kb_accelerint_atol = job->atol;
    kb_accelerint_rtol = job->rtol;
    omp_set_num_threads(job->threads);
    initialize_solver(job->threads);
    load(b, job);
    return b;
}

static void finish(void *self)
{
    batch *b = self;
    cleanup_solver(b->threads);
    free(b->y);
    free(b->pressure);
    free(b);
}

static void give_back(const batch *b, long n, long i, double *y)
{
    double theirs[NSP];
    y[0] = b->y[i];
    for (int k = 1; k < NSP; k++)
        theirs[k - 1] = b->y[i + k * n];
    from_theirs(theirs, y + 1);
}

/* what accelerInt calls a solution, but is none */
static int judge(const double *y)
{
    int bounded = y[0] > 0 && y[0] < 1e5;
    for (int k = 0; k <= NSP; k++) {
        if (!isfinite(y[k]))
            return KB_PLUGIN_NOT_FINITE;
        bounded = bounded && (!k || (y[k] > -0.5 && y[k] < 1.5));
    }
    return bounded ? KB_PLUGIN_OK : KB_PLUGIN_BOUNDS;
}

static int integrate_batch(void *self, const kb_plugin_job *job, double *y, kb_plugin_work *work,
                           int32_t *status, char *why, int size)
{
    batch *b = self;
    (void)why, (void)size;
    works = work;
    statuses = status;
    intDriver((int)job->n, 0, job->dt, b->pressure, b->y);
#pragma omp parallel for
    for (long i = 0; i < job->n; i++) {
        give_back(b, job->n, i, y + i * (NSP + 1));
        if (!status[i])
            status[i] = judge(y + i * (NSP + 1));
    }
    return 0;
}

const kb_plugin_list *kb_plugin_get(void)
{
    static const kb_plugin_solver solver = {
        .name = "accelerint-" KB_SOLVER,
        .summary = "accelerInt's " KB_SOLVER " on pyJac's rates and Jacobian",
        .source = "Curtis et al., Combust. Flame 179 (2017) 312; github.com/SLACKHA/accelerInt",
        .rtol = 1e-6, .atol = 1e-10, .start = start, .finish = finish,
        .integrate_batch = integrate_batch};
    static const kb_plugin_list list = {KB_PLUGIN_VERSION, 1, &solver};
    return &list;
}
