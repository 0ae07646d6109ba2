/* SPDX-License-Identifier: MIT
 *
 * What a method and an engine say to each other. A method is one file that defines, for METHOD = its name,
 *
 *   METHOD_work   its vectors, which the team shares; the first member is `lane y[N]`, the state
 *   METHOD_own    its scalars that live between attempts, a copy on each thread; kb_no_own: none
 *   METHOD_init(run, o, own, w, new_)
 *                 prepares the ODEs under the mask new_: they start at t = 0 from w->y
 *   METHOD_step(run, o, own, w)
 *                 attempts one substep of every ODE under o->active, accepts or rejects it, counts, and sets
 *                 o->h for the next; a failure sets o->status
 *   METHOD_INFO, METHOD_OPTIONS   what kb_solver_info says of it
 *
 * and asks of the problem (problem.h) only: N, NNZ, problem_valid, problem_rhs and problem_loss_frequency (with
 * kb_kinetics), problem_jacobian (with kb_jacobian), problem_multiply, problem_factor, problem_solve, and these
 * two for complex numbers.
 */
#ifndef KB_METHOD_H
#define KB_METHOD_H

#include "solvers/portable/lane.h"
#include "solvers/solver.h"

enum { KB_MAX_OPTIONS = 8 };

/* the same for all ODEs of a cell */
typedef struct {
    double dt, rtol, atol, max_substeps;
    double opt[KB_MAX_OPTIONS];
    int reactor;
} kb_run;

/* one ODE on each lane */
typedef struct {
    lane hold;  /* p [Pa] at constant pressure, rho [kg/m^3] at constant volume */
    lane t, h;  /* time reached; next substep [s] */
    lane status; /* kb_ode_status, 0 while all is well */
    lane attempted, accepted, rhs, jac, lu, solve;
    mask active;
    void *scratch; /* of the Jacobian, where it is not part of its work */
} kb_ode;

typedef struct {
    char none;
} kb_no_own;

/* counts one of each for the lanes that are on */
kb_fn lane one(mask on) { return vselect(on, splat(1), splat(0)); }

/* h shortened so that the step ends at dt; a last step shorter than 1e-10 of h is not left over */
kb_fn lane clip_step(const kb_run *run, const kb_ode *o)
{
    lane left = run->dt - o->t;
    return vselect(o->h * (1 + 1e-10) >= left, left, o->h);
}

/* marks the lanes under m that are still without a status */
kb_fn void fail(kb_ode *o, mask m, int status)
{
    o->status = vselect(m & (o->status == 0.0) & o->active, splat(status), o->status);
}

kb_fn mask problem_valid(const lane *y); /* the problem's: may the ODE be in this state? */

/* Accepts or rejects the attempt of size h: t, the counters and the failures common to all methods.
 * accept must be false where the error estimate is not finite. y is the candidate state, y0 the old one; on
 * return y holds what the ODE goes on with. A candidate outside the problem's bounds is never accepted; when it is
 * what keeps the step from being taken, the status says so. */
kb_fn void finish_step(const kb_run *run, kb_ode *o, lane h, mask accept, lane *y, const lane *y0,
                       int n)
{
    mask last = h >= run->dt - o->t, valid = problem_valid(y), finite = is_finite(y[0]);
    accept = accept & o->active & valid;
    team_sync();
    o->t = vselect(accept, vselect(last, splat(run->dt), o->t + h), o->t);
    o->attempted += one(o->active);
    o->accepted += one(accept);
    each(i, n) y[i] = vselect(accept, y[i], y0[i]);
    team_sync();
    mask unfinished = o->active & (o->t < run->dt), small = not_(o->h > 1e-16 * run->dt);
    fail(o, unfinished & (o->attempted >= run->max_substeps), KB_ODE_TOO_MANY);
    fail(o, unfinished & small & not_(valid) & finite, KB_ODE_BOUNDS);
    fail(o, unfinished & small, KB_ODE_STEP_SMALL);
}

#endif
