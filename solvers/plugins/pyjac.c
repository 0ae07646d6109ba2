/* SPDX-License-Identifier: MIT
 *
 * pyjac: CVODE of SUNDIALS on the C code that pyJac writes of a mechanism (Niemeyer, Curtis, Sung,
 * Comput. Phys. Commun. 215 (2017) 188): its dydt and its analytical, dense Jacobian, with the
 * dense LU of SUNDIALS, a cold start on each ODE. Its state is T and the mass fractions without the
 * last species, which is 1 less their sum. Linked for a mechanism with that code (drivers/peers/
 * peers.mk), whose last species is KB_LAST in the order of the mechanism.
 */
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "solvers/cvode/own_linear.h"
#include "solvers/plugin_api.h"

/* pyJac's code, which its header.h limits to constant pressure; J [NSP][NSP] by columns */
void dydt(double t, double p, const double *y, double *dy);
void eval_jacob(double t, double p, const double *y, double *J);

/* one thread's CVODE */
typedef struct {
    double p;
    kb_plugin_work *work;
    SUNContext context;
    void *cvode;
    N_Vector vector;
    SUNMatrix matrix;
    SUNLinearSolver linear;
    int trouble; /* 1: f was not finite */
} solver;

typedef struct {
    int threads;
    solver of[];
} team;

static int rhs(realtype t, N_Vector y, N_Vector dy, void *user)
{
    solver *a = user;
    double sum = 0, *d = NV_DATA_S(dy);
    a->work->rhs++;
    dydt(t, a->p, NV_DATA_S(y), d);
    for (long i = 0; i < NV_LENGTH_S(dy); i++)
        sum += d[i];
    a->trouble |= !(sum - sum == 0);
    return sum - sum == 0 ? 0 : 1;
}

static int jacobian(realtype t, N_Vector y, N_Vector fy, SUNMatrix J, void *user, N_Vector u,
                    N_Vector v, N_Vector w)
{
    solver *a = user;
    (void)fy, (void)u, (void)v, (void)w;
    a->work->jac++;
    eval_jacob(t, a->p, NV_DATA_S(y), SM_DATA_D(J));
    return 0;
}

static void free_solver(solver *a)
{
    if (a->cvode)
        CVodeFree(&a->cvode);
    if (a->linear)
        SUNLinSolFree(a->linear);
    if (a->matrix)
        SUNMatDestroy(a->matrix);
    if (a->vector)
        N_VDestroy(a->vector);
    if (a->context)
        SUNContext_Free(&a->context);
}

/* reasons go to stderr */
static int is_possible(const kb_plugin_job *job)
{
    if (job->species != KB_SPECIES)
        fprintf(stderr, "pyjac: built for %d species, not the %d of the mechanism\n", KB_SPECIES,
                job->species);
    else if (job->constant_volume)
        fprintf(stderr, "pyjac: its code is for constant pressure\n");
    else
        return 1;
    return 0;
}

static int make(solver *a, const kb_plugin_job *job)
{
    if (SUNContext_Create(NULL, &a->context) ||
        !(a->vector = N_VNew_Serial(job->species, a->context)))
        return -1;
    N_VConst(1, a->vector);
    a->cvode = CVodeCreate(CV_BDF, a->context);
    a->matrix = SUNDenseMatrix(job->species, job->species, a->context);
    a->linear = a->matrix ? SUNLinSol_Dense(a->vector, a->matrix, a->context) : NULL;
    void *k = a->cvode;
    return k && a->linear && !CVodeInit(k, rhs, 0, a->vector) &&
                   !CVodeSetErrHandlerFn(k, kb_own_silent, NULL) && !CVodeSetUserData(k, a) &&
                   !CVodeSStolerances(k, job->rtol, job->atol) &&
                   !CVodeSetLinearSolver(k, a->linear, a->matrix) &&
                   !CVodeSetJacFn(k, jacobian) && !CVodeSetMaxHnilWarns(k, -1) &&
                   !CVodeSetMaxNumSteps(k, job->max_substeps) ? 0 : -1;
}

/* one for each thread */
static void finish(void *self)
{
    team *all = self;
    for (int i = 0; i < all->threads; i++)
        free_solver(&all->of[i]);
    free(all);
}

static void *start(const kb_plugin_job *job, kb_plugin_ode *ode)
{
    size_t threads = (size_t)job->threads;
    team *all = is_possible(job) ? calloc(1, sizeof *all + threads * sizeof *all->of) : NULL;
    int good = all != NULL;
    (void)ode;
    for (int i = 0; good && i < job->threads; i++) {
        all->threads = i + 1;
        good = !make(&all->of[i], job);
    }
    if (all && !good)
        finish(all);
    return good ? all : NULL;
}

static int status_of(const solver *a, int flag)
{
    switch (flag) {
    case CV_SUCCESS:
    case CV_TSTOP_RETURN: return KB_PLUGIN_OK;
    case CV_TOO_MUCH_WORK: return KB_PLUGIN_TOO_MANY;
    case CV_ERR_FAILURE:
    case CV_TOO_MUCH_ACC:
    case CV_TOO_CLOSE: return KB_PLUGIN_STEP_SMALL;
    default: return a->trouble ? KB_PLUGIN_NOT_FINITE : KB_PLUGIN_NEWTON;
    }
}

static void count(solver *a)
{
    long steps = 0, errors = 0, failures = 0, setups = 0, iterations = 0;
    CVodeGetNumSteps(a->cvode, &steps);
    CVodeGetNumErrTestFails(a->cvode, &errors);
    CVodeGetNumNonlinSolvConvFails(a->cvode, &failures);
    CVodeGetNumLinSolvSetups(a->cvode, &setups);
    CVodeGetNumNonlinSolvIters(a->cvode, &iterations);
    a->work->accepted = (int32_t)steps;
    a->work->rejected = (int32_t)(errors + failures);
    a->work->attempted = a->work->accepted + a->work->rejected;
    a->work->lu = (int32_t)setups;
    a->work->solve = (int32_t)iterations;
}

/* state: T, p, Y; y: T, Y */
static int integrate_one(solver *a, const kb_plugin_job *job, const double *state, double *y,
                         kb_plugin_work *work)
{
    double *v = NV_DATA_S(a->vector), sum = 0;
    realtype t = 0;
    int n = job->species;
    *work = (kb_plugin_work){0};
    a->work = work;
    a->trouble = 0;
    a->p = state[1];
    v[0] = state[0];
    for (int i = 1; i < n; i++)
        v[i] = state[i <= KB_LAST ? i + 1 : i + 2];
    int flag = CVodeReInit(a->cvode, 0, a->vector);
    flag = flag ? flag : CVodeSetStopTime(a->cvode, job->dt);
    flag = flag ? flag : CVode(a->cvode, job->dt, a->vector, &t, CV_NORMAL);
    count(a);
    y[0] = v[0];
    for (int i = 1; i < n; i++) {
        y[i <= KB_LAST ? i : i + 1] = v[i];
        sum += v[i];
    }
    y[KB_LAST + 1] = 1 - sum;
    return status_of(a, flag);
}

static int integrate(void *self, const kb_plugin_job *job, double *y, kb_plugin_work *work,
                     int32_t *status, char *why, int size)
{
    team *all = self;
    size_t columns = (size_t)job->species + 2;
    (void)why, (void)size;
#pragma omp parallel for num_threads(job->threads) schedule(dynamic, 1)
    for (long i = 0; i < job->n; i++)
        if (!*job->stop)
            status[i] = integrate_one(&all->of[omp_get_thread_num()], job,
                                      job->states + (size_t)i * columns,
                                      y + (size_t)i * (columns - 1), &work[i]);
    return 0;
}

const kb_plugin_list *kb_plugin_get(void)
{
    static const kb_plugin_solver solver = {
        .name = "pyjac", .summary = "CVODE on the rates and the Jacobian of pyJac",
        .source = "Niemeyer, Curtis, Sung, Comput. Phys. Commun. 215 (2017) 188", .rtol = 1e-6,
        .atol = 1e-12, .start = start, .finish = finish, .integrate_batch = integrate};
    static const kb_plugin_list list = {KB_PLUGIN_VERSION, 1, &solver};
    return &list;
}
