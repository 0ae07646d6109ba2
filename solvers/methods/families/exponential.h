/* SPDX-License-Identifier: MIT
 *
 * One step of an exponential Rosenbrock method: y' = f(y0) + J (y - y0) + the remainder of f, the
 * linear part by phi functions of the exact Jacobian at y0. One Jacobian for each attempt, and a
 * Krylov space for f and for each remainder.
 *
 * A method's file defines, and then includes this one, once in a program:
 *   PHI_PARTS, PHI_LAST   (phi.h)
 *   EXPONENTIAL_STAGES    vectors that phi functions act on: f and the remainders
 *   EXPONENTIAL_VECTORS   how many vectors w->k has
 *   exponential_part      part of h that the phi functions of a stage are for
 * and then defines exponential_stage.
 *
 * Chosen where the papers are silent: the first substep is dt (`h0`); the next one 0.9 h
 * err^(-1/4), between 0.1 h and 6 h, after a rejection at most h. Where the largest basis does not
 * suffice for f, h is halved at once, with the basis at hand; where it does not for a remainder,
 * the attempt is rejected and h halved; 40 such rejections in a row end an ODE.
 * Counters: solve counts vectors of Krylov bases, lu sets of phi functions.
 */
#pragma once
#define KB_FAMILY_EXPONENTIAL /* tests/order/estimate.h asks */

#include "solvers/methods/families/step_control.h"
#include "solvers/methods/families/krylov.h"

enum { EXPONENTIAL_FAILURES = 40 };

#define EXPONENTIAL_FIELDS(ARRAY, ROWS, PART)                                                      \
    ARRAY(lane, y, N) ARRAY(lane, y0, N) ARRAY(lane, f, N) /* f(y0) */                             \
    ARRAY(lane, u, N) /* displacement of a stage */                                                \
    ARRAY(lane, d, N) /* its remainder, then the error estimate */                                 \
    ROWS(lane, k, EXPONENTIAL_VECTORS)                                                             \
    ARRAY(lane, A, NNZ) /* -J */                                                                   \
    PART(krylov_work, krylov)
KB_WORK(exponential_work, EXPONENTIAL_FIELDS)

typedef struct {
    kb_flag rejected; /* the attempt before was rejected: the step may not grow at once */
    kb_scalar failures; /* attempts in a row without a converged basis */
} exponential_persistent;

/* Takes what it needs of the space of stage s, whose phi functions are for exponential_part[s] h.
 * Leaves the next stage's displacement in w->u; the last stage leaves the candidate in w->y and the
 * error estimate in w->d. */
kb_fn void exponential_stage(exponential_work *w, const krylov_space *space, int s, lane h);

kb_fn void exponential_init(const kb_run *run, kb_ode *o, exponential_persistent *persistent,
                            exponential_work *w, mask starting)
{
    (void)run, (void)w;
    o->h = vselect(starting, splat(-1), o->h); /* step chooses it, when f is known */
    persistent->rejected = persistent->rejected & not_(starting);
    persistent->failures = vselect(starting, splat(0), persistent->failures);
}

/* w->d = f(y0 + u) - f(y0) - J u where on; false where y0 + u is outside the window. Other lanes
 * evaluate f at y0. */
kb_fn mask exponential_remainder(const kb_run *run, kb_ode *o, exponential_work *w, mask on)
{
    each(i, N) w->y[i] = w->y0[i] + w->u[i];
    team_sync();
    mask valid = on & problem_valid(w->y);
    team_sync();
    each(i, N) w->y[i] = vselect(valid, w->y[i], w->y0[i]);
    problem_multiply(w->A, w->u, w->d);
    problem_rhs(run, o, w->y, w->u, &w->krylov.phi.u.problem.k);
    each(i, N) w->d[i] = w->u[i] - w->f[i] - w->d[i];
    o->rhs += lane_count(valid);
    return valid;
}

/* The attempt of size h, which may shrink. False where a basis was too small or a stage left the
 * window. */
kb_fn mask exponential_stages(const kb_run *run, kb_ode *o, exponential_work *w, lane *h)
{
    mask fine = o->active;
    each(i, N) w->d[i] = w->f[i];
    for (int s = 0; s < EXPONENTIAL_STAGES; s++) {
        if (s > 0)
            fine = exponential_remainder(run, o, w, fine);
        lane part = *h * exponential_part[s];
        krylov_space space = krylov_build(run, o, &w->krylov, w->A, w->d, &part, fine, s == 0);
        *h = s == 0 ? part : *h;
        fine = space.fine;
        exponential_stage(w, &space, s, *h);
    }
    return fine;
}

kb_fn void exponential_next_step(kb_ode *o, exponential_persistent *persistent, lane h, lane err,
                                 mask fine, mask accept)
{
    lane factor = 0.9 * vpow(vmax(err, splat(1e-8)), splat(-0.25));
    factor = vmin(vmax(factor, splat(0.1)), splat(6));
    factor = vselect(is_finite(factor), factor, splat(0.1));
    factor = vselect(accept & not_(persistent->rejected), factor, vmin(factor, splat(1)));
    factor = vselect(accept, factor, vmin(factor, splat(0.5)));
    o->h = h * vselect(fine, factor, splat(0.5));
    persistent->rejected = not_(accept);
    persistent->failures = vselect(fine, splat(0), persistent->failures + 1.0);
    ode_fail(o, persistent->failures >= (double)EXPONENTIAL_FAILURES, KB_ODE_NEWTON);
}

kb_fn void exponential_step(const kb_run *run, kb_ode *o, exponential_persistent *persistent,
                            exponential_work *w)
{
    each(i, N) w->y0[i] = w->y[i];
    problem_jacobian(run, o, w->y0, w->f, w->A, &w->krylov.phi.u.problem);
    krylov_scale(run, &w->krylov, w->y0);
    o->rhs += lane_count(o->active);
    o->jac += lane_count(o->active);
    first_substep(run, o, run->opt[KRYLOV_H0], FIRST_CHANGE, w->f, w->y0);
    lane h = clip_step(run, o);
    mask fine = exponential_stages(run, o, w, &h);
    lane err = error_norm(run, w->d, w->y0, w->y);
    mask accept = fine & (err <= 1.0) & problem_valid(w->y);
    exponential_next_step(o, persistent, h, err, fine, accept);
    finish_step(run, o, h, accept, w->y, w->y0, N);
}

#define EXPONENTIAL_OPTIONS                                                                        \
    {{"h0", "first substep as a fraction of dt; 0: 4 sqrt(2)/||f||", 1, 0, 1, KB_REAL},            \
     {"krylov_max", "most vectors of a Krylov basis", KRYLOV_MAX, 2, KRYLOV_MAX, KB_WHOLE},        \
     {"krylov_tol", "error of a Krylov projection, in units of the tolerance", 0.1, 1e-16, 10,     \
      KB_REAL},                                                                                    \
     {"phi", "0: rational approximant, Pade where that is wrong; 1: as the paper; 2: Pade alone",  \
      0, 0, 2, KB_WHOLE},                                                                          \
     KB_PASS_OPTION, KB_ATOLT_OPTION, {}}

/* Of both methods: order 4 where eps/h is large, 3 in the limit, by the stiff order conditions,
 * less between the two. phi=1, the approximant, is exact in the limit, where phi=2 loses digits. */
#define EXPONENTIAL_ORDERS                                                                         \
    {{0, 4, 16, "krylov_tol=1e-15:phi=2"},                                                         \
     {0, 4, 32, "krylov_tol=1e-15:phi=2"},                                                         \
     {0, 4, 8, "krylov_tol=1e-15:phi=1"},                                                          \
     {1e-1, 4, 16, "krylov_tol=1e-15:phi=2"},                                                      \
     {1e-4, 2, 8, "krylov_tol=1e-15:phi=1"},                                                       \
     {1e-10, 3, 4, "krylov_tol=1e-15:phi=1"}}
#define EXPONENTIAL_INEXACT {0, 2, 256, "krylov_tol=1e-15:phi=2"}
