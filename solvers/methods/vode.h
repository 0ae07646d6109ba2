/* SPDX-License-Identifier: MIT
 *
 * VODE: backward differentiation formulas of orders 1 to 5 with variable coefficients and a fixed
 * leading one; Brown, Byrne and Hindmarsh, SIAM J. Sci. Stat. Comput. 10 (1989) 1038, as Stone and
 * Niemeyer (2014) use it. The correction e of the predicted state (nordsieck.h) solves
 *   h pi'(t_n) + S_q e = h f(y_n)
 * by simplified Newton iterations with (1/gamma I - J), gamma = h/S_q.
 *
 * From DVODE: the local errors at orders q - 1, q, q + 1 and the next step from them, the tests of
 * Newton's iteration, when J and the factors are renewed, and what follows a failure. Chosen:
 *   - the first step is `first_step` sqrt(2/|y''|), where the error of order 1 is a part of the
 *     tolerance, with y'' from one difference of f over the step that moves y by the tolerance.
 *     DVODE's iteration takes up to four, and is held back by species that are absent at the start.
 *   - J is exact, LU without pivoting; f(predicted y) comes with J where J is renewed there.
 *   - J is at most `jac_every` = 20 steps old, as with the solver cvode; DVODE: 50.
 *   - a Newton iteration that fails with an old J ends the attempt; the next has the same step and
 *     a new J. 10 failures of Newton's iteration or 7 of the error test in one step end the ODE.
 *   - the last step goes beyond dt and is interpolated, as VODE does; but one that would grow grows
 *     to dt at most. This saves both a factorisation and a growth that may fail for nothing.
 *   - tolerances by default those of Stone and Niemeyer for ethylene.
 *
 * Lanes iterate in lockstep. Where one needs J or factors, all compute; a lane that keeps both gets
 * the same factors again, to the bit.
 */
#pragma once

#include "solvers/methods/families/nordsieck.h"

enum { VODE_ITERATIONS = 3, VODE_NEWTON_FAILURES = 10, VODE_ERROR_FAILURES = 7,
       VODE_RESTART = 3 /* failures of the error test before order 1 */ };

enum { VODE_MAX_ORDER, VODE_NONLIN_COEF, VODE_SETUP_EVERY, VODE_JAC_EVERY, VODE_GAMMA_CHANGE,
       VODE_STOP_AT_END, VODE_FIRST_STEP };

kb_fn void vode_init(const kb_run *run, kb_ode *o, vode_persistent *persistent, vode_work *w,
                     mask starting)
{
    (void)run, (void)w;
    o->h = vselect(starting, splat(-1), o->h); /* chosen when f is known */
    persistent->q = vselect(starting, splat(1), persistent->q);
    persistent->wait = vselect(starting, splat(2), persistent->wait);
    persistent->growth_limit = vselect(starting, splat(1e4), persistent->growth_limit);
    persistent->newton_failures = vselect(starting, splat(0), persistent->newton_failures);
    persistent->error_failures = vselect(starting, splat(0), persistent->error_failures);
    persistent->old = vselect(starting, splat(1), persistent->old);
    KB_UNROLL for (int j = 0; j < VODE_Q; j++)
        persistent->tau[j] = vselect(starting, splat(0), persistent->tau[j]);
    persistent->fresh = persistent->fresh | starting;
}

/* J at w->y for the lanes under jac; dy [N] for all. The factors in E are gone after it. */
kb_fn void vode_jacobian(const kb_run *run, kb_ode *o, vode_persistent *persistent, vode_work *w,
                         mask jac, lane *dy)
{
    int aside = KB_SCRATCH_GLOBAL || lane_any(o->active & not_(jac));
    lane *J = problem_kept_jacobian(o, &w->kept), *A = aside ? w->E : J;
    problem_jacobian(run, o, w->y, dy, A, &w->problem);
    if (aside)
        each(i, NNZ) J[i] = vselect(jac, w->E[i], J[i]);
    persistent->evaluated = vselect(jac, o->accepted, persistent->evaluated);
    o->jac += lane_count(jac);
}

/* first step of the lanes under first, from f(y) in p[0] */
kb_fn void vode_first_step(const kb_run *run, kb_ode *o, vode_work *w, mask first)
{
    lane d = 1.0 / vmax(vode_norm(w, w->p[0]), splat(1e-300));
    d = vselect(d < run->dt, d, splat(run->dt));
    each(i, N) w->y[i] = w->z[0][i] + vselect(first, d * w->p[0][i], splat(0));
    problem_rhs(run, o, w->y, w->p[1], &w->problem.k);
    each(i, N) w->p[1][i] = (w->p[1][i] - w->p[0][i]) / d;
    lane h = run->opt[VODE_FIRST_STEP] * vsqrt(2.0 / vmax(vode_norm(w, w->p[1]), splat(1e-300)));
    h = vselect((h < run->dt) & (h > 0.0), h, splat(run->dt));
    o->h = vselect(first, h, o->h);
    o->rhs += lane_count(first);
}

/* z of order 1 from f(y) for the lanes that start, or start again */
kb_fn void vode_start(const kb_run *run, kb_ode *o, vode_persistent *persistent, vode_work *w)
{
    mask fresh = persistent->fresh & o->active, first = fresh & (o->h < 0.0);
    if (!lane_any(fresh))
        return;
    vode_jacobian(run, o, persistent, w, fresh, w->p[0]);
    if (lane_any(first))
        vode_first_step(run, o, w, first);
    each(i, N)
    {
        w->z[1][i] = vselect(fresh, o->h * w->p[0][i], w->z[1][i]);
        for (int j = 2; j <= VODE_Q; j++)
            w->z[j][i] = vselect(fresh, splat(0), w->z[j][i]);
    }
    persistent->h_z = vselect(fresh, o->h, persistent->h_z);
    persistent->gi = vselect(fresh, splat(0), persistent->gi);
    persistent->new_lu = persistent->new_lu & not_(fresh);
    persistent->new_jac = persistent->new_jac & not_(fresh);
    persistent->fresh = mask_none();
    o->rhs += lane_count(fresh);
}

/* the iterate into y, the old state where not on; true where it lies in the window of states */
kb_fn mask vode_iterate(vode_work *w, mask on)
{
    each(i, N) w->y[i] = vselect(on, w->p[0][i] + w->e[i], w->z[0][i]);
    team_sync();
    return problem_valid(w->y);
}

/* the lanes that need factors, and of them those that need J */
kb_fn mask vode_needs(const kb_run *run, const kb_ode *o, const vode_persistent *persistent,
                      const vode_attempt *s, mask *jac)
{
    lane change = vabs(s->gamma * persistent->gi - 1.0);
    mask late = o->accepted >= persistent->factored + run->opt[VODE_SETUP_EVERY];
    mask aged = o->accepted >= persistent->evaluated + run->opt[VODE_JAC_EVERY];
    mask none = not_(persistent->gi > 0.0), far = not_(change <= run->opt[VODE_GAMMA_CHANGE]);
    mask lu = o->active & (persistent->new_lu | persistent->new_jac | none | far | late);
    *jac = lu & (persistent->new_jac | aged);
    return lu;
}

/* J at y, with f into g, and factors for the lanes that need them */
kb_fn void vode_setup(const kb_run *run, kb_ode *o, vode_persistent *persistent, vode_work *w,
                      vode_attempt *s, mask lu, mask jac)
{
    if (lane_any(jac)) {
        vode_jacobian(run, o, persistent, w, jac, w->e);
        each(i, N)
        {
            w->g[i] = vselect(jac, w->e[i], w->g[i]);
            w->e[i] = splat(0);
        }
    }
    if (lane_any(lu)) {
        persistent->gi = vselect(lu, 1.0 / s->gamma, persistent->gi);
        persistent->rate = vselect(lu, splat(1), persistent->rate);
        persistent->factored = vselect(lu, o->accepted, persistent->factored);
        const lane *J = problem_kept_jacobian(o, &w->kept);
        each(i, NNZ) w->E[i] = J[i];
        lane gi = persistent->gi;
        persistent->serve = factors_reach(problem_factor(w->E, gi), gi, KB_GROWTH);
        o->lu += lane_count(lu);
    }
    s->ratio = s->gamma * persistent->gi;
}

/* e += the increment from f(y) in g where on, which is corrected for factors of another gamma;
 * returns its norm */
kb_fn lane vode_increment(kb_ode *o, vode_work *w, const vode_attempt *s, mask on)
{
    lane rh = 1.0 / s->h, l1 = s->l[1], back = 2.0 * s->ratio / (1.0 + s->ratio);
    each(i, N) w->g[i] -= rh * (w->p[1][i] + l1 * w->e[i]);
    problem_solve(w->E, w->g, w->g);
    each(i, N) w->e[i] += vselect(on, back * w->g[i], splat(0));
    o->solve += lane_count(on);
    return back * vode_norm(w, w->g);
}

kb_fn void vode_newton(const kb_run *run, kb_ode *o, vode_persistent *persistent, vode_work *w,
                       vode_attempt *s)
{
    mask on = o->active, jac, lu = vode_needs(run, o, persistent, s, &jac), rhs = on & not_(jac);
    lane before = splat(1);
    s->converged = s->outside = mask_none();
    s->err = splat(INFINITY);
    s->ratio = splat(1);
    for (int m = 1; m <= VODE_ITERATIONS && lane_any(on); m++) {
        mask valid = vode_iterate(w, on);
        s->outside = s->outside | (on & not_(valid));
        on = on & valid;
        if (m > 1 || lane_any(rhs))
            problem_rhs(run, o, w->y, w->g, &w->problem.k);
        if (m == 1) {
            vode_setup(run, o, persistent, w, s, lu, jac);
            on = on & persistent->serve;
        }
        o->rhs += lane_count(on);
        lane size = vode_increment(o, w, s, on), norm = size;
        if (m > 1) {
            lane nought = vmax(1e-30 * size, splat(1e-300)), last = vmax(before, nought);
            persistent->rate = vselect(on, vmax(0.3 * persistent->rate, size / last),
                                       persistent->rate);
        }
        lane left = size * vmin(splat(1), persistent->rate) * s->same / run->opt[VODE_NONLIN_COEF];
        mask done = on & (left <= 1.0);
        if (m > 1 && lane_any(done))
            norm = vode_norm(w, w->e);
        s->err = vselect(done, norm * s->same, s->err);
        s->converged = s->converged | done;
        on = on & not_(done) & is_finite(size);
        if (m > 1)
            on = on & (size <= 2.0 * before);
        before = size;
    }
}

/* step over the last one that makes a local error of err (in tolerances) bias times too small */
kb_fn lane vode_growth(double bias, lane err, lane order)
{
    lane size = vmin(vmax(bias * err, splat(1e-60)), splat(1e60));
    return 1.0 / (vpow(size, 1.0 / order) + 1e-6);
}

kb_fn double vode_max_order(const kb_run *run)
{
    return fmax(1.0, fmin((double)VODE_Q, floor(run->opt[VODE_MAX_ORDER])));
}

/* the change of order that lets the step grow most, where test; growth becomes that of the order */
kb_fn lane vode_choose_order(const kb_run *run, const vode_persistent *persistent, vode_work *w,
                             const vode_attempt *s, mask test, lane *growth)
{
    lane q = persistent->q, c = s->old / persistent->old * vpow(s->h / persistent->tau[0], q + 1.0);
    each(i, N) w->g[i] = vode_highest(w, q, i);
    lane down = vode_growth(6, s->down * vode_norm(w, w->g), q);
    each(i, N) w->g[i] = w->e[i] - c * w->e_old[i];
    lane up = vode_growth(10, s->up * vode_norm(w, w->g), q + 2.0);
    down = vselect(test & (q > 1.0), down, splat(0));
    up = vselect(test & (q < vode_max_order(run)), up, splat(0));
    mask lower = (down > *growth) & (down >= up), higher = (up > *growth) & not_(lower);
    *growth = vselect(lower, down, vselect(higher, up, *growth));
    return vselect(lower, splat(-1), vselect(higher, splat(1), splat(0)));
}

/* next step and order of the lanes that accept */
kb_fn void vode_accept(const kb_run *run, kb_ode *o, vode_persistent *persistent, vode_work *w,
                       const vode_attempt *s, mask accept)
{
    mask held = accept & (persistent->growth_limit <= 1.0);
    persistent->wait = vselect(accept, persistent->wait - 1.0, persistent->wait);
    persistent->wait = vselect(held, vmax(persistent->wait, splat(2)), persistent->wait);
    mask test = accept & (persistent->wait <= 0.0), keep = accept & (persistent->wait == 1.0);
    lane growth = vode_growth(6, s->err, persistent->q + 1.0), change = splat(0);
    if (lane_any(test))
        change = vode_choose_order(run, persistent, w, s, test, &growth);
    mask grow = accept & not_(held) & (growth >= 1.5);
    mask changed = grow & (change != 0.0);
    change = vselect(changed, change, splat(0));
    if (lane_any(changed))
        vode_change_order(persistent, w, s, change);
    persistent->q += change;
    persistent->wait = vselect(test, vselect(changed, persistent->q + 1.0, splat(2)),
                               persistent->wait);
    if (lane_any(keep))
        each(i, N) w->e_old[i] = vselect(keep, w->e[i], w->e_old[i]);
    persistent->old = vselect(keep, s->old, persistent->old);
    KB_UNROLL for (int j = VODE_Q - 1; j > 0; j--)
        persistent->tau[j] = vselect(accept, persistent->tau[j - 1], persistent->tau[j]);
    persistent->tau[0] = vselect(accept, s->h, persistent->tau[0]);
    o->h = vselect(accept, s->h * vselect(grow, vmin(growth, persistent->growth_limit), splat(1)),
                   o->h);
    persistent->growth_limit = vselect(accept, splat(10), persistent->growth_limit);
    persistent->newton_failures = vselect(accept, splat(0), persistent->newton_failures);
    persistent->error_failures = vselect(accept, splat(0), persistent->error_failures);
}

/* what the lanes that do not accept try next */
kb_fn void vode_reject(const kb_run *run, kb_ode *o, vode_persistent *persistent,
                       const vode_attempt *s, mask reject)
{
    mask missed = reject & s->converged, failed = reject & not_(s->converged);
    mask current = persistent->evaluated == o->accepted, close = vabs(s->ratio - 1.0) < 0.2;
    mask stale = failed & not_(s->outside) & not_(current & (vabs(s->ratio - 1.0) < 1e-8));
    failed = failed & not_(stale);
    persistent->new_jac = failed | (stale & not_(current) & close);
    persistent->new_lu = stale | missed;
    persistent->newton_failures += lane_count(failed);
    persistent->error_failures += lane_count(missed);
    lane k = persistent->error_failures, smaller = vode_growth(6, s->err, persistent->q + 1.0);
    smaller = vmin(vselect(is_finite(smaller), vmax(smaller, splat(0.1)), splat(0.1)), splat(0.75));
    smaller = vselect(k >= 2.0, vmin(smaller, splat(0.2)), smaller);
    persistent->fresh = missed & (k >= (double)VODE_RESTART);
    smaller = vselect(persistent->fresh, splat(0.1), smaller);
    persistent->q = vselect(persistent->fresh, splat(1), persistent->q);
    persistent->wait = vselect(persistent->fresh, splat(10), persistent->wait);
    persistent->growth_limit = vselect(failed | missed, splat(1), persistent->growth_limit);
    o->h = vselect(missed, s->h * smaller, vselect(failed, 0.25 * s->h, o->h));
    mask stuck = persistent->newton_failures >= (double)VODE_NEWTON_FAILURES;
    mask small = not_(o->h > 1e-16 * run->dt);
    ode_fail(o, failed & s->outside & (stuck | small), KB_ODE_BOUNDS);
    ode_fail(o, failed & stuck, KB_ODE_NEWTON);
    ode_fail(o, missed & (k >= (double)VODE_ERROR_FAILURES), KB_ODE_STEP_SMALL);
}

/* the step, which grows to dt at most; one that would pass dt as it is stays, with its factors */
kb_fn lane vode_clip(const kb_run *run, const kb_ode *o, const vode_persistent *persistent)
{
    lane end = run->dt - o->t;
    if (!(run->opt[VODE_STOP_AT_END] > 0))
        end = vmax(end, persistent->h_z);
    return vselect(o->h * (1 + 1e-10) >= end, end, o->h);
}

kb_fn void vode_step(const kb_run *run, kb_ode *o, vode_persistent *persistent, vode_work *w)
{
    vode_attempt s;
    each(i, N)
    {
        w->z[0][i] = w->y[i];
        w->scale[i] = 1.0 / (atol_of(run, i) + run->rtol * vabs(w->y[i]));
    }
    vode_start(run, o, persistent, w);
    s.h = vode_clip(run, o, persistent);
    vode_coefficients(persistent, &s);
    vode_predict(persistent, w, s.h);
    vode_newton(run, o, persistent, w, &s);
    vode_state(run, o, w, &s);
    mask accept = o->active & s.converged & (s.err <= 1.0) & problem_valid(w->y);
    if (lane_any(accept)) {
        vode_advance(w, &s, accept);
        vode_accept(run, o, persistent, w, &s, accept);
    }
    vode_reject(run, o, persistent, &s, o->active & not_(accept));
    finish_step(run, o, s.h, accept, w->y, w->z[0], N);
}

#define VODE_OPTIONS                                                                               \
    {{"max_order", "highest order", 5, 1, 5, KB_WHOLE},                                            \
     {"nonlin_coef", "Newton stops at this part of the tolerated error", 0.1, 1e-9, 10, KB_REAL},  \
     {"setup_every", "most substeps on one factorisation", 20, 1, 1e6, KB_WHOLE},                  \
     {"jac_every", "most substeps on one Jacobian; DVODE: 50", 20, 1, 1e6, KB_WHOLE},              \
     {"gamma_change", "factor again when gamma changed by this part", 0.3, 1e-9, 10, KB_REAL},     \
     {"stop_at_end", "1: the last substep ends at dt; 0: it may go beyond, interpolated", 0, 0, 1, \
      KB_WHOLE},                                                                                   \
     {"first_step", "first substep in units of sqrt(2/|y''|), where its error would reach the "    \
                    "tolerance", 0.5, 1e-6, 1e6, KB_REAL},                                         \
     KB_PASS_OPTION, KB_ATOLT_OPTION, {}}
#define VODE_INFO                                                                                  \
    .source = "Brown, Byrne and Hindmarsh, SIAM J. Sci. Stat. Comput. 10 (1989) 1038; Stone and "  \
              "Niemeyer 2014",                                                                     \
    .summary = "BDF 1 to 5, fixed leading coefficient, exact sparse Jacobian", .order = 5,         \
    .rtol = 1e-10, .atol = 1e-13,                                                                  \
    .promise = {.kind = KB_MULTISTEP,                                                              \
                .error = 3e-5, .control = {0.8, 3, 1}, .stiff = {0.8, 3, 1}}
