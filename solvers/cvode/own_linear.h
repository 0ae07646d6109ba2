/* SPDX-License-Identifier: MIT
 *
 * A direct linear solver of our own for integrators of SUNDIALS 6 and 7: the matrix is a name
 * alone, since the system is set up and factored in the integrator's linear-system function.
 */
#pragma once

#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

static inline SUNLinearSolver_Type kb_own_type(SUNLinearSolver s)
{
    (void)s;
    return SUNLINEARSOLVER_DIRECT;
}

static inline SUNLinearSolver_ID kb_own_id(SUNLinearSolver s)
{
    (void)s;
    return SUNLINEARSOLVER_CUSTOM;
}

static inline SUNMatrix_ID kb_own_matrix_id(SUNMatrix m)
{
    (void)m;
    return SUNMATRIX_CUSTOM;
}

static inline int kb_own_setup(SUNLinearSolver s, SUNMatrix m)
{
    (void)s, (void)m;
    return 0;
}

#if SUNDIALS_VERSION_MAJOR < 7
/* an error handler that prints nothing */
static inline void kb_own_silent(int code, const char *module, const char *function, char *text,
                                 void *data)
{
    (void)code, (void)module, (void)function, (void)text, (void)data;
}
#endif

/* linear and matrix, which the caller frees (SUNLinSolFreeEmpty, SUNMatFreeEmpty); content: what
 * solve finds as its solver's content. Returns 0, or -1 where there is no memory. */
static inline int kb_own_linear(SUNContext context, void *content,
                                int (*solve)(SUNLinearSolver, SUNMatrix, N_Vector, N_Vector,
                                             sunrealtype),
                                SUNLinearSolver *linear, SUNMatrix *matrix)
{
    *linear = SUNLinSolNewEmpty(context);
    *matrix = SUNMatNewEmpty(context);
    if (!*linear || !*matrix)
        return -1;
    (*linear)->content = content;
    (*linear)->ops->gettype = kb_own_type;
    (*linear)->ops->getid = kb_own_id;
    (*linear)->ops->setup = kb_own_setup;
    (*linear)->ops->solve = solve;
    (*matrix)->ops->getid = kb_own_matrix_id;
    return 0;
}
