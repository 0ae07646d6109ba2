/* SPDX-License-Identifier: MIT
 *
 * Rates, exact Jacobian and sparse LU of one ODE on the scalar engine, for plug-ins; CVODE's Newton
 * matrix serves them.
 */
#include <math.h>
#include <stdlib.h>

#include "solvers/problem.h"
#include "solvers/cvode/linear_solver.h"
#include "solvers/plugin_ode.h"

#define ODE_FIELDS(ARRAY, ROWS, PART) PART(newton, newton) PART(kb_jacobian, w)
typedef struct {
    KB_MEMBERS(ODE_FIELDS)
    int reactor;
    double fixed; /* p [Pa] or rho [kg/m^3] */
    double gi;
    kb_plugin_ode ode;
} workspace;
KB_PLACED(workspace, ODE_FIELDS)

/* 0, or why nothing can be evaluated there */
static int refused(const double *y)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += y[i];
    if (!isfinite(sum))
        return KB_PLUGIN_NOT_FINITE;
    return y[0] >= KB_T_LOW && y[0] <= KB_T_HIGH ? KB_PLUGIN_OK : KB_PLUGIN_BOUNDS;
}

static int rhs(kb_plugin_ode *ode, const double *y, double *dy)
{
    workspace *a = ode->self;
    int code = refused(y);
    if (!code)
        kin_rhs(a->reactor, a->fixed, y, dy, &a->w.k);
    return code;
}

static int evaluate(workspace *a, const double *y)
{
    double dy[N];
    int code = refused(y);
    if (!code)
        jac_rhs(a->reactor, a->fixed, y, dy, a->newton.J, &a->w.k, &a->w.s);
    return code;
}

static int jacobian(kb_plugin_ode *ode, const double *y, double *J)
{
    workspace *a = ode->self;
    int code = evaluate(a, y);
    if (code)
        return code;
    a->newton.gi = 0;
    a->newton.dense = J;
    newton_fill_dense(&a->newton); /* -J */
    a->newton.dense = NULL;
    a->newton.gi = a->gi;
    for (int k = 0; k < N * N; k++)
        J[k] = -J[k];
    return KB_PLUGIN_OK;
}

static int factor(kb_plugin_ode *ode, const double *y, double gamma)
{
    workspace *a = ode->self;
    int code = y ? evaluate(a, y) : KB_PLUGIN_OK;
    a->gi = 1 / gamma;
    return code ? code : newton_factor(&a->newton, gamma);
}

static int solve(kb_plugin_ode *ode, const double *b, double *x)
{
    workspace *a = ode->self;
    return newton_solve(&a->newton, b, x);
}

static kb_plugin_ode *make(void)
{
    workspace *a = KB_NEW_WORK(workspace, 1);
    if (!a)
        return NULL;
    newton_start(&a->newton, NEWTON_SPARSE);
    a->ode = (kb_plugin_ode){.unknowns = N, .species = NSP, .W = kb_W, .rhs = rhs,
                             .jacobian = jacobian, .factor = factor, .solve = solve, .self = a};
    return &a->ode;
}

static void end(kb_plugin_ode *ode)
{
    if (!ode)
        return;
    workspace *a = ode->self;
    newton_end(&a->newton);
    free(a);
}

static int load(kb_plugin_ode *ode, kb_reactor reactor, const double *state, double *y)
{
    workspace *a = ode->self;
    y[0] = state[0];
    memcpy(y + 1, state + 2, NSP * sizeof *y);
    a->reactor = reactor == KB_CONST_V;
    a->fixed = a->reactor ? kin_density(state[0], state[1], state + 2) : state[1];
    if (!isfinite(state[1]))
        return KB_PLUGIN_NOT_FINITE;
    int code = refused(y);
    return code || state[1] > 0 ? code : KB_PLUGIN_BOUNDS;
}

const kb_plugin_odes kb_plugin_odes_here = {make, end, load};
