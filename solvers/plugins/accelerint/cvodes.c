/* SPDX-License-Identifier: MIT
 *
 * accelerint-cvodes: accelerInt's cvodes/ (cvodes_init.c, solver_cvodes.c), which needs SUNDIALS 2,
 * written again for SUNDIALS 6: BDF with Newton's method, pyJac's Jacobian, a dense LU (SUNDIALS'
 * own in place of LAPACK's), CVODE started anew on each ODE.
 */
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <omp.h>
#include <stdlib.h>
#include <sundials/sundials_types.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <header.h>
#include "solvers/plugins/accelerint/solver_options.h"

enum { MAX_STEPS = 200000 };

void kb_dydt(double t, double p, const double *y, double *dy);
void kb_eval_jacob(double t, double p, const double *y, double *jac);
void check_error(int i, int code);

/* one thread's */
typedef struct {
    SUNContext context;
    N_Vector y;
    SUNMatrix J;
    SUNLinearSolver linear;
    void *cvode;
    double pressure;
} integrator;
static integrator *integrators;

static int rhs(realtype t, N_Vector y, N_Vector dy, void *self)
{
    kb_dydt(t, ((integrator *)self)->pressure, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
    return 0;
}

static int jacobian(realtype t, N_Vector y, N_Vector dy, SUNMatrix J, void *self, N_Vector a,
                    N_Vector b, N_Vector c)
{
    (void)dy, (void)a, (void)b, (void)c;
    kb_eval_jacob(t, ((integrator *)self)->pressure, N_VGetArrayPointer(y), SUNDenseMatrix_Data(J));
    return 0;
}

void initialize_solver(int threads)
{
    integrators = calloc((size_t)threads, sizeof *integrators);
    for (int i = 0; i < threads; i++) {
        integrator *s = &integrators[i];
        SUNContext_Create(NULL, &s->context);
        s->y = N_VNew_Serial(NSP, s->context);
        N_VConst(0, s->y);
        s->J = SUNDenseMatrix(NSP, NSP, s->context);
        s->linear = SUNLinSol_Dense(s->y, s->J, s->context);
        s->cvode = CVodeCreate(CV_BDF, s->context);
        CVodeInit(s->cvode, rhs, 0, s->y);
        CVodeSStolerances(s->cvode, RTOL, ATOL);
        CVodeSetLinearSolver(s->cvode, s->linear, s->J);
        CVodeSetJacFn(s->cvode, jacobian);
        CVodeSetMaxNumSteps(s->cvode, MAX_STEPS);
        CVodeSetMaxHnilWarns(s->cvode, 1);
        CVodeSetMaxErrTestFails(s->cvode, 5);
        CVodeSetErrFile(s->cvode, NULL);
        CVodeSetUserData(s->cvode, s);
    }
}

void cleanup_solver(int threads)
{
    for (int i = 0; i < threads; i++) {
        integrator *s = &integrators[i];
        CVodeFree(&s->cvode);
        SUNLinSolFree(s->linear);
        SUNMatDestroy(s->J);
        N_VDestroy(s->y);
        SUNContext_Free(&s->context);
    }
    free(integrators);
}

void intDriver(const int NUM, const double t, const double t_end, const double *pressure, double *y)
{
#pragma omp parallel for
    for (int i = 0; i < NUM; i++) {
        integrator *s = &integrators[omp_get_thread_num()];
        double *own = N_VGetArrayPointer(s->y), reached = t;
        s->pressure = pressure[i];
        for (int k = 0; k < NSP; k++)
            own[k] = y[i + k * NUM];
        CVodeReInit(s->cvode, t, s->y);
        CVodeSetStopTime(s->cvode, t_end);
        int flag = CVode(s->cvode, t_end, s->y, &reached, CV_NORMAL);
        check_error(i, flag < 0 || reached != t_end);
        for (int k = 0; k < NSP; k++)
            y[i + k * NUM] = own[k];
    }
}
