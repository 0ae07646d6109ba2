/* SPDX-License-Identifier: MIT
 *
 * accelerint-NAME on cores: an integrator of accelerInt (Curtis, Niemeyer, Sung, Combust. Flame 179
 * (2017) 312; github.com/SLACKHA/accelerInt) on the rates and the Jacobian that pyJac writes. Its
 * own loop over the ODEs is timed. KB_SOLVER is the name; compiled by drivers/peers/build.
 */
/* accelerInt's files are compiled with these, for the counted ones below */
#undef dydt
#undef eval_jacob
#include <header.h>

#include <dydt.h>
#ifndef KB_RATES_ONLY
#include <jacob.h>
#endif
#include <mass_mole.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/plugin_api.h"
#include "solvers/plugins/accelerint/solver_options.h"
#include "solvers/plugins/accelerint/states.h"

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

/* without a Jacobian of pyJac: accelerInt's own by differences has this name, and counts as rhs */
#ifndef KB_RATES_ONLY
void kb_eval_jacob(const double t, const double p, const double *y, double *jac)
{
    counter.jac++;
    eval_jacob(t, p, y, jac);
}
#endif

/* accelerInt calls it when ODE i has ended, and would end the program at the first failure */
void check_error(int i, int code)
{
    works[i] = counter;
    statuses[i] = status_of_code(code);
    memset(&counter, 0, sizeof counter);
}

/* a batch: species in pyJac's order without the last */
typedef struct {
    int threads;
    double *y, *pressure; /* [NSP x n], [n] */
} batch;

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
    for (long i = 0; i < job->n; i++)
        take_state(job, i, b->y, b->pressure);
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
        give_state(b->y, job->n, i, y + i * (NSP + 1));
        if (!status[i])
            status[i] = status_of_solution(y + i * (NSP + 1));
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
