/* SPDX-License-Identifier: MIT
 *
 * ARKODE of SUNDIALS 6 (Reynolds et al., ACM TOMS 49 (2023) 19) as a plug-in, cold start on each
 * ODE:
 *   arkode-dirk  the implicit half of the additive pairs ARK3(2)4L[2]SA, ARK4(3)6L[2]SA and
 *                ARK5(4)8L[2]SA (Kennedy and Carpenter, Appl. Numer. Math. 44 (2003) 139), with the
 *                exact Jacobian and the sparse LU of kinbench
 *   arkode-erk   explicit: ARKODE's own pair of each order
 */
#include <arkode/arkode_arkstep.h>
#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/cvode/own_linear.h"
#include "solvers/plugin_api.h"

enum { ORDER, NONLIN_COEF };
static const kb_plugin_option dirk_options[] = {
    [ORDER] = {"order", "of the pair: 3, 4 or 5", 4},
    [NONLIN_COEF] = {"nonlin_coef", "Newton stops at this part of the tolerated error", 0.1},
    {0}};
static const kb_plugin_option erk_options[] = {[ORDER] = {"order", "of the pair: 2 to 8", 4}, {0}};

/* one thread's ARKODE */
typedef struct {
    kb_plugin_ode *ode;
    kb_plugin_work *work;
    SUNContext context;
    void *arkode;
    N_Vector vector;
    SUNMatrix matrix;       /* empty: the factors are kinbench's */
    SUNLinearSolver linear;
    int trouble;            /* why the right-hand side refused a state last */
} solver;

static int rhs(realtype t, N_Vector y, N_Vector dy, void *user)
{
    solver *a = user;
    (void)t;
    int bad = a->ode->rhs(a->ode, NV_DATA_S(y), NV_DATA_S(dy));
    a->work->rhs++;
    a->trouble = bad ? bad : a->trouble;
    return bad ? 1 : 0; /* ARKODE takes a smaller step */
}

/* evaluates J unless the old one is good enough, and factors I - gamma J */
static int linear_system(realtype t, N_Vector y, N_Vector fy, SUNMatrix A, SUNMatrix M,
                         booleantype jac_ok, booleantype *jac_current, realtype gamma, void *user,
                         N_Vector tmp1, N_Vector tmp2, N_Vector tmp3)
{
    solver *a = user;
    (void)t, (void)fy, (void)A, (void)M, (void)tmp1, (void)tmp2, (void)tmp3;
    *jac_current = !jac_ok;
    a->work->jac += !jac_ok;
    a->work->lu++;
    return a->ode->factor(a->ode, jac_ok ? NULL : NV_DATA_S(y), gamma) ? 1 : 0;
}

static int linear_solve(SUNLinearSolver s, SUNMatrix A, N_Vector x, N_Vector b, realtype tol)
{
    solver *a = s->content;
    (void)A, (void)tol;
    a->work->solve++;
    return a->ode->solve(a->ode, NV_DATA_S(b), NV_DATA_S(x)) ? 1 : 0;
}

static void finish(void *self)
{
    solver *a = self;
    if (a->arkode && a->matrix)
        ARKStepFree(&a->arkode);
    else if (a->arkode)
        ERKStepFree(&a->arkode);
    SUNLinSolFreeEmpty(a->linear);
    SUNMatFreeEmpty(a->matrix);
    if (a->vector)
        N_VDestroy(a->vector);
    SUNContext_Free(&a->context);
    free(a);
}

static solver *new_solver(kb_plugin_ode *ode)
{
    solver *a = calloc(1, sizeof *a);
    if (a && !SUNContext_Create(NULL, &a->context)) {
        a->ode = ode;
        a->vector = N_VNew_Serial(ode->unknowns, a->context);
        if (a->vector) {
            N_VConst(1, a->vector);
            return a;
        }
        SUNContext_Free(&a->context);
    }
    free(a);
    return NULL;
}

static int make_linear(solver *a)
{
    return kb_own_linear(a->context, a, linear_solve, &a->linear, &a->matrix);
}

/* order 3, 4, 5 */
static const ARKODE_DIRKTableID implicit_table[] = {
    ARKODE_ARK324L2SA_DIRK_4_2_3, ARKODE_ARK436L2SA_DIRK_6_3_4, ARKODE_ARK548L2SA_DIRK_8_4_5};

static void *start_dirk(const kb_plugin_job *job, kb_plugin_ode *ode)
{
    int order = (int)job->options[ORDER];
    solver *a = order >= 3 && order <= 5 ? new_solver(ode) : NULL;
    if (!a)
        return NULL;
    void *k = a->arkode = ARKStepCreate(NULL, rhs, 0, a->vector, a->context);
    if (k && !make_linear(a) && !ARKStepSetErrHandlerFn(k, kb_own_silent, NULL) &&
        !ARKStepSStolerances(k, job->rtol, job->atol) && !ARKStepSetUserData(k, a) &&
        !ARKStepSetTableNum(k, implicit_table[order - 3], ARKODE_ERK_NONE) &&
        !ARKStepSetLinearSolver(k, a->linear, a->matrix) &&
        !ARKStepSetLinSysFn(k, linear_system) && !ARKStepSetMaxHnilWarns(k, -1) &&
        !ARKStepSetNonlinConvCoef(k, job->options[NONLIN_COEF]) &&
        !ARKStepSetMaxNumSteps(k, job->max_substeps))
        return a;
    finish(a);
    return NULL;
}

static void *start_erk(const kb_plugin_job *job, kb_plugin_ode *ode)
{
    int order = (int)job->options[ORDER];
    solver *a = order >= 2 && order <= 8 ? new_solver(ode) : NULL;
    if (!a)
        return NULL;
    void *k = a->arkode = ERKStepCreate(rhs, 0, a->vector, a->context);
    if (k && !ERKStepSetErrHandlerFn(k, kb_own_silent, NULL) && !ERKStepSetUserData(k, a) &&
        !ERKStepSStolerances(k, job->rtol, job->atol) && !ERKStepSetOrder(k, order) &&
        !ERKStepSetMaxHnilWarns(k, -1) && !ERKStepSetMaxNumSteps(k, job->max_substeps))
        return a;
    finish(a);
    return NULL;
}

static int status_of(const solver *a, int flag)
{
    switch (flag) {
    case ARK_SUCCESS:
    case ARK_TSTOP_RETURN: return KB_PLUGIN_OK;
    case ARK_TOO_MUCH_WORK: return KB_PLUGIN_TOO_MANY;
    case ARK_ERR_FAILURE:
    case ARK_TOO_MUCH_ACC:
    case ARK_TOO_CLOSE: return KB_PLUGIN_STEP_SMALL;
    case ARK_RHSFUNC_FAIL:
    case ARK_FIRST_RHSFUNC_ERR:
    case ARK_REPTD_RHSFUNC_ERR:
    case ARK_UNREC_RHSFUNC_ERR: return a->trouble ? a->trouble : KB_PLUGIN_NOT_FINITE;
    default: return KB_PLUGIN_NEWTON;
    }
}

static void begin(solver *a, const double *y, kb_plugin_work *work)
{
    a->work = work;
    a->trouble = 0;
    memcpy(NV_DATA_S(a->vector), y, (size_t)a->ode->unknowns * sizeof *y);
}

/* what ARKStep and ERKStep name differently */
typedef struct {
    int (*stop_at)(void *arkode, realtype t);
    int (*evolve)(void *arkode, realtype t, N_Vector y, realtype *reached, int task);
    int (*attempted)(void *arkode, long *n);
    int (*accepted)(void *arkode, long *n);
} calls;

/* from the vector over dt, into y; flag: of what came before */
static int evolve(solver *a, const calls *call, int flag, double dt, double *y)
{
    realtype t;
    long attempted = 0, accepted = 0;
    flag = flag ? flag : call->stop_at(a->arkode, dt);
    flag = flag ? flag : call->evolve(a->arkode, dt, a->vector, &t, ARK_NORMAL);
    call->attempted(a->arkode, &attempted);
    call->accepted(a->arkode, &accepted);
    memcpy(y, NV_DATA_S(a->vector), (size_t)a->ode->unknowns * sizeof *y);
    a->work->attempted = (int32_t)attempted;
    a->work->accepted = (int32_t)accepted;
    a->work->rejected = (int32_t)(attempted - accepted);
    return status_of(a, flag);
}

static int integrate_dirk(void *self, const kb_plugin_job *job, kb_plugin_ode *ode, double *y,
                          kb_plugin_work *work)
{
    static const calls call = {ARKStepSetStopTime, ARKStepEvolve, ARKStepGetNumStepAttempts,
                               ARKStepGetNumSteps};
    solver *a = self;
    (void)ode;
    begin(a, y, work);
    return evolve(a, &call, ARKStepReInit(a->arkode, NULL, rhs, 0, a->vector), job->dt, y);
}

static int integrate_erk(void *self, const kb_plugin_job *job, kb_plugin_ode *ode, double *y,
                         kb_plugin_work *work)
{
    static const calls call = {ERKStepSetStopTime, ERKStepEvolve, ERKStepGetNumStepAttempts,
                               ERKStepGetNumSteps};
    solver *a = self;
    (void)ode;
    begin(a, y, work);
    return evolve(a, &call, ERKStepReInit(a->arkode, rhs, 0, a->vector), job->dt, y);
}

#define SOURCE "ARKODE of SUNDIALS 6: Reynolds et al., ACM TOMS 49 (2023) 19"
static const kb_plugin_solver solvers[] = {
    {.name = "arkode-dirk", .summary = "implicit half of ARK4(3)6L[2]SA, sparse LU",
     .source = SOURCE, .rtol = 1e-6, .atol = 1e-12, .options = dirk_options, .start = start_dirk,
     .finish = finish, .integrate = integrate_dirk},
    {.name = "arkode-erk", .summary = "explicit Runge-Kutta pair of ARKODE", .source = SOURCE,
     .rtol = 1e-6, .atol = 1e-12, .options = erk_options, .start = start_erk, .finish = finish,
     .integrate = integrate_erk}};

const kb_plugin_list *kb_plugin_get(void)
{
    static const kb_plugin_list list = {KB_PLUGIN_VERSION, 2, solvers};
    return &list;
}
