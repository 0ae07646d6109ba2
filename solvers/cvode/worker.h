/* SPDX-License-Identifier: MIT
 *
 * One thread's CVODE: its memory, the functions that it calls back, and the cold start of an ODE.
 */
#pragma once

#include <cvode/cvode.h>
#include <math.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "solvers/cvode/linear_solver.h"
#include "solvers/cvode/nvector.h"
#include "solvers/cvode/own_linear.h"
#include "solvers/methods/first_pass.h"

#define SMALLEST 1e-14 /* substep, as a part of the time to go: t keeps its digits */

enum { MAX_ORDER, NONLIN_COEF, SETUP_EVERY, JAC_EVERY, GAMMA_CHANGE, STOP_AT_END, ATOLT,
       FIRST_STEP, REACH, PASS, DROP };

#define SHARED_OPTIONS                                                                             \
    [MAX_ORDER] = {"max_order", "highest order of BDF", 5, 1, 5, KB_WHOLE},                        \
    [NONLIN_COEF] = {"nonlin_coef", "Newton stops at this part of the tolerated error", 0.1, 1e-9, \
                     10, KB_REAL},                                                                 \
    [SETUP_EVERY] = {"setup_every", "most substeps on one factorisation", 20, 1, 1e6, KB_WHOLE},   \
    [JAC_EVERY] = {"jac_every", "most substeps on one Jacobian; CVODE's default is 51", 20, 1, 1e6,\
                   KB_WHOLE},                                                                      \
    [GAMMA_CHANGE] = {"gamma_change", "factor again when gamma changed by this part", 0.3, 1e-9,   \
                      10, KB_REAL},                                                                \
    [STOP_AT_END] = {"stop_at_end", "1: the last substep ends at dt; 0: interpolate", 1, 0, 1,     \
                     KB_WHOLE},                                                                    \
    [ATOLT] = KB_ATOLT_OPTION,                                                                     \
    [FIRST_STEP] = {"first_step", "first substep in units of sqrt(2/|J f|), where its error would "\
                    "reach the tolerance; 0: CVODE's own estimate", 0.5, 0, 1e6, KB_REAL},         \
    [REACH] = {"reach", "1: refuses a step whose factors tell of growth beyond their pole, as our "\
               "methods do", 0, 0, 1, KB_WHOLE},                                                   \
    [PASS] = KB_PASS_OPTION,

/* of CVODE with our LU; its iteration ends at the same result with an inexact matrix */
static const kb_option options[] = {SHARED_OPTIONS [DROP] = KB_DROP_OPTION, {0}};
static const kb_option other_options[] = {SHARED_OPTIONS {0}};

/* CVODE as it is when nothing is set: the same places, without those that need an exact Jacobian */
static const kb_option default_options[] = {
    [MAX_ORDER] = {"max_order", "highest order of BDF", 5, 1, 5, KB_WHOLE},
    [NONLIN_COEF] = {"nonlin_coef", "Newton stops at this part of the tolerated error", 0.1, 1e-9,
                     10, KB_REAL},
    [SETUP_EVERY] = {"setup_every", "most substeps on one factorisation", 20, 1, 1e6, KB_WHOLE},
    [JAC_EVERY] = {"jac_every", "most substeps on one Jacobian", 51, 1, 1e6, KB_WHOLE},
    [GAMMA_CHANGE] = {"gamma_change", "factor again when gamma changed by this part", 0.3, 1e-9,
                      10, KB_REAL},
    [STOP_AT_END] = {"stop_at_end", "1: the last substep ends at dt; 0: interpolate", 0, 0, 1,
                     KB_WHOLE},
    [ATOLT] = KB_ATOLT_OPTION,
    {0}};

#define WORKER_FIELDS(ARRAY, ROWS, PART)                                                           \
    PART(newton, newton) PART(kb_jacobian, w) PART(pass_work, pass)                                \
    ARRAY(double KB_ALIGNED(64), y, N)                                                             \
    ARRAY(double, f0, N) /* dy/dt at the start, where J is evaluated before CVODE asks for it */
/* one thread's CVODE */
typedef struct {
    KB_MEMBERS(WORKER_FIELDS)
    int reactor;
    double fixed; /* p [Pa] or rho [kg/m^3], see kin_rhs */
    double rtol, atol, atolt, min_step; /* atolt: of T */
    const volatile int *stop;
    int trouble; /* why the right-hand side refused a state last */
    int32_t jac, lu, solve;
    int have_f, have_J; /* the first right-hand side and the first Jacobian are there already */
    SUNContext context;
    void *cvode;
    N_Vector vector;
    SUNMatrix matrix; /* empty, the Newton matrix is in newton; dense: NEWTON_DEFAULT */
    SUNLinearSolver linear;
#ifdef KB_FORCED
    const double *forcing; /* [N] of the ODE, in its row of the job; NULL: 0 */
#endif
} worker;
KB_PLACED(worker, WORKER_FIELDS)

#ifdef KB_FORCED
/* to dy [N] */
static void add_forcing(const worker *a, double *dy)
{
    for (int i = 0; a->forcing && i < N; i++)
        dy[i] += a->forcing[i];
}
#endif

static int rhs(realtype t, N_Vector y, N_Vector dy, void *user)
{
    (void)t;
    worker *a = user;
    const double *Y = NV_DATA_S(y);
    double *dY = NV_DATA_S(dy);
    if (a->stop && *a->stop)
        return -1;
    /* beyond the window CVODE takes a smaller step */
    if (!(Y[0] >= KB_T_LOW && Y[0] <= KB_T_HIGH)) {
        a->trouble = isfinite(Y[0]) ? KB_ODE_BOUNDS : KB_ODE_NOT_FINITE;
        return 1;
    }
    if (a->have_f) {
        a->have_f = 0;
        memcpy(dY, a->f0, N * sizeof *dY);
        return 0;
    }
    kin_rhs(a->reactor, a->fixed, Y, dY, &a->w.k);
#ifdef KB_FORCED
    add_forcing(a, dY);
#endif
    if (isfinite(dY[0])) /* it sums over all species */
        return 0;
    a->trouble = KB_ODE_NOT_FINITE;
    return 1;
}

static int weights(N_Vector y, N_Vector w, void *user)
{
    const worker *a = user;
    const double *Y = NV_DATA_S(y);
    double *W = NV_DATA_S(w), rtol = a->rtol, atol = a->atol, of_T = a->atolt;
    each(i, N) W[i] = 1 / (rtol * fabs(Y[i]) + (i ? atol : of_T));
    return 0;
}

/* CVLsLinSysFn: evaluates J unless CVODE says that the old one is good enough, and factors */
static int linear_system(realtype t, N_Vector y, N_Vector fy, SUNMatrix M, booleantype jac_ok,
                         booleantype *jac_current, realtype gamma, void *user, N_Vector tmp1,
                         N_Vector tmp2, N_Vector tmp3)
{
    (void)t, (void)fy, (void)M, (void)tmp1, (void)tmp2, (void)tmp3;
    worker *a = user;
    *jac_current = !jac_ok;
    if (!jac_ok && !a->have_J) {
        double dy[N];
        jac_rhs(a->reactor, a->fixed, NV_DATA_S(y), dy, a->newton.J, &a->w.k, &a->w.s);
        a->jac++;
    }
    a->have_J = 0;
    a->lu++;
    if (a->newton.drop)
        drop_scales(a->newton.drop, NV_DATA_S(y), a->atol / a->rtol);
    return newton_factor(&a->newton, gamma);
}

static int linear_solve(SUNLinearSolver s, SUNMatrix m, N_Vector x, N_Vector b, realtype tol)
{
    (void)m, (void)tol;
    worker *a = s->content;
    a->solve++;
    /* CVODE takes numbers of its own alone for failures */
    return newton_solve(&a->newton, NV_DATA_S(b), NV_DATA_S(x)) ? SUNLS_PACKAGE_FAIL_REC : 0;
}

static int make_own_linear(worker *a)
{
    return kb_own_linear(a->context, a, linear_solve, &a->linear, &a->matrix);
}

static int make_default_linear(worker *a)
{
    a->matrix = SUNDenseMatrix(N, N, a->context);
    a->linear = a->matrix ? SUNLinSol_Dense(a->vector, a->matrix, a->context) : NULL;
    return a->linear ? 0 : -1;
}

static int is_default(const worker *a)
{
    return a->newton.form == NEWTON_DEFAULT;
}

static int make_objects(worker *a)
{
    if (SUNContext_Create(NULL, &a->context))
        return -1;
    a->vector = N_VMake_Serial(N, a->y, a->context);
    if (!a->vector)
        return -1;
    vector_use(a->vector);
    if (is_default(a) ? make_default_linear(a) : make_own_linear(a))
        return -1;
    a->cvode = CVodeCreate(CV_BDF, a->context);
    return a->cvode ? 0 : -1;
}

/* opt: a value for each entry of options */
static int configure(worker *a, const double *opt, long max_substeps)
{
    void *c = a->cvode;
    a->y[0] = 300;
    int bad = CVodeInit(c, rhs, 0, a->vector) || CVodeSetErrHandlerFn(c, kb_own_silent, NULL) ||
              CVodeSetUserData(c, a) || CVodeWFtolerances(c, weights) ||
              CVodeSetLinearSolver(c, a->linear, a->matrix) ||
              (!is_default(a) && CVodeSetLinSysFn(c, linear_system)) ||
              CVodeSetMaxNumSteps(c, max_substeps) ||
              CVodeSetMaxHnilWarns(c, -1) || CVodeSetMaxOrd(c, (int)opt[MAX_ORDER]) ||
              CVodeSetNonlinConvCoef(c, opt[NONLIN_COEF]) ||
              CVodeSetLSetupFrequency(c, (long)opt[SETUP_EVERY]) ||
              CVodeSetJacEvalFrequency(c, (long)opt[JAC_EVERY]) ||
              CVodeSetDeltaGammaMaxLSetup(c, opt[GAMMA_CHANGE]) || CVodeSetMinStep(c, a->min_step);
    return bad ? -1 : 0;
}

static void worker_free(worker *a)
{
    if (!a)
        return;
    if (a->cvode)
        CVodeFree(&a->cvode);
    if (is_default(a)) {
        SUNLinSolFree(a->linear);
        SUNMatDestroy(a->matrix);
    } else {
        SUNLinSolFreeEmpty(a->linear);
        SUNMatFreeEmpty(a->matrix);
    }
    if (a->vector)
        N_VDestroy(a->vector);
    if (a->context)
        SUNContext_Free(&a->context);
    newton_end(&a->newton);
    free(a);
}

/* From now on the sparse form drops entries (lu_drop.h), none if dropped is 0; returns -1 when
 * memory is out. Before each factorisation drop_scales. */
static int newton_drop(newton *a, double dropped)
{
    a->dropped = dropped;
    a->drop = dropped > 0 ? drop_new() : NULL;
    return a->drop || !(dropped > 0) ? 0 : -1;
}

/* NULL when SUNDIALS or KLU refuse */
static worker *worker_new(newton_form form, double rtol, double atol, const double *opt,
                          double t_end, long max_substeps)
{
    worker *a = KB_NEW_WORK(worker, 1);
    if (!a)
        return NULL;
    a->rtol = rtol;
    a->atol = atol;
    a->atolt = opt[ATOLT] > 0 ? opt[ATOLT] : atol;
    a->min_step = SMALLEST * t_end;
    a->newton.reach = opt[REACH] != 0;
    if (!newton_start(&a->newton, form) && !newton_drop(&a->newton, opt[DROP]) &&
        !make_objects(a) && !configure(a, opt, max_substeps))
        return a;
    worker_free(a);
    return NULL;
}

/* state: T, p, Y. Returns the status of a state that cannot be started from. */
static int load_state(worker *a, kb_reactor reactor, const double *state)
{
    double sigma = kin_moles(state + 2);
    a->y[0] = state[0];
    memcpy(a->y + 1, state + 2, NSP * sizeof *state);
    a->reactor = reactor == KB_CONST_V;
    a->fixed = a->reactor ? kin_density(state[0], state[1], state + 2) : state[1];
    a->jac = a->lu = a->solve = a->have_f = a->have_J = 0;
    a->trouble = KB_ODE_NOT_FINITE;
    if (!isfinite(state[0] + state[1] + sigma))
        return KB_ODE_NOT_FINITE;
    if (state[0] < KB_T_LOW || state[0] > KB_T_HIGH || state[1] <= 0 || sigma <= 0)
        return KB_ODE_BOUNDS;
    return KB_ODE_OK;
}

#ifdef KB_FORCED
/* state and forcing of ODE number i */
static int load_forced(worker *a, const kb_job *job, long i)
{
    int forced = job->reactor != kb_unforced(job->reactor);
    const double *row = job->states + i * (forced ? 2 * N + 1 : N + 1);
    a->forcing = forced ? row + N + 1 : NULL;
    return load_state(a, kb_unforced(job->reactor), row);
}
#endif

/* Cold start at t = 0. The Jacobian at the start gives y'' = J f, and with it the first substep for
 * two evaluations less than CVODE's own estimate takes; it then serves the first Newton matrix.
 * given [s]: the first substep, 0: none. */
static int start(worker *a, double first_step, double t_end, double given)
{
    double y2[N], sum = 0;
    int flag = CVodeReInit(a->cvode, 0, a->vector);
    if (!flag && given > 0)
        return CVodeSetInitStep(a->cvode, given < t_end ? given : t_end);
    if (flag || first_step <= 0)
        return flag ? flag : CVodeSetInitStep(a->cvode, 0);
    jac_rhs(a->reactor, a->fixed, a->y, a->f0, a->newton.J, &a->w.k, &a->w.s);
#ifdef KB_FORCED
    add_forcing(a, a->f0);
#endif
    a->jac++;
    newton_multiply(&a->newton, a->f0, y2);
    for (int i = 0; i < N; i++) {
        double scaled = y2[i] / (a->rtol * fabs(a->y[i]) + (i ? a->atol : a->atolt));
        sum += scaled * scaled;
    }
    double h = fmax(first_step * sqrt(2 / fmax(sqrt(sum / N), 1e-300)), a->min_step);
    if (!isfinite(sum))
        return CVodeSetInitStep(a->cvode, 0);
    a->have_f = a->have_J = 1;
    return CVodeSetInitStep(a->cvode, h < t_end ? h : t_end);
}
