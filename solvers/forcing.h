/* SPDX-License-Identifier: MIT
 *
 * Engines compiled with KB_FORCED integrate d(T, Y)/dt = f(T, Y) + F with F = o->forcing, constant
 * over a global step, as codes with spectral deferred corrections do. J is as without F. A method
 * evaluates f by these functions of a problem alone, so that F is in all of its evaluations.
 */
#pragma once

#include "solvers/methods/method.h"

kb_fn void forcing_add(const kb_ode *o, lane *dy)
{
    team_sync();
    each(i, N) dy[i] += o->forcing[i];
    team_sync();
}

kb_fn void forced_rhs(const kb_run *run, const kb_ode *o, const lane *y, lane *dy, kb_kinetics *w)
{
    problem_rhs(run, o, y, dy, w);
    forcing_add(o, dy);
}

kb_fn void forced_jacobian(const kb_run *run, const kb_ode *o, const lane *y, lane *dy,
                           kb_stored *A, kb_jacobian *w)
{
    problem_jacobian(run, o, y, dy, A, w);
    forcing_add(o, dy);
}

#if KB_FLOAT_FACTORS
kb_fn void forced_float_jacobian(const kb_run *run, const kb_ode *o, const lane *y, lane *dy,
                                 lane *A, int v, kb_jacobian *w)
{
    problem_float_jacobian(run, o, y, dy, A, v, w);
    forcing_add(o, dy);
}
#define problem_float_jacobian forced_float_jacobian
#endif
#define problem_rhs forced_rhs
#define problem_jacobian forced_jacobian
