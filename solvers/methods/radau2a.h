/* SPDX-License-Identifier: MIT
 *
 * Radau IIA: implicit Runge-Kutta method of order 5, three stages, stiffly accurate, L-stable;
 * Hairer and Wanner, Solving Ordinary Differential Equations II (1996), section IV.8 and the code
 * RADAU5, as Sewerin and Rigopoulos (2015) and Curtis et al. (2017) use it. The stage increments
 * z = (T x I) w, with inv(T) inv(A) T = Lambda and A the method's matrix, solve
 *   (Lambda/h x I) w = (inv(T) x I) f(y0 + z)
 * by simplified Newton iterations, which fall into a real system (gamma/h I - J) and a complex one
 * ((alpha + i beta)/h I - J).
 *
 * From RADAU5: the start by extrapolation of the last collocation polynomial, the contraction test
 * theta with its prediction of failure, the filtered error estimate, and the control of h with its
 * limits. J is kept while theta <= 0.001, the factors while h is kept too. Chosen where the papers
 * are silent: Gustafsson's predictive controller (`predictive`) and the transformation of the
 * tolerances, RTOL' = 0.1 RTOL^(2/3), ATOL' = RTOL' ATOL/RTOL (`transform`), are on, as in RADAU5;
 * the first substep is dt (`h0`), as all ODEs of Sewerin and Rigopoulos take one step at 1e-6 s;
 * J is exact; LU is without pivoting; 40 failures of Newton's iteration in a row end an ODE.
 *
 * Lanes iterate in lockstep. Where one lane needs J or factors, all compute; a lane that keeps both
 * gets the same factors again, to the bit. Counters: rhs 3 for each iteration; lu 1 for both
 * systems, and 1 more where growth is asked about; solve 1 for both, and 1 for each error estimate.
 */
#pragma once
#define KB_FAMILY_RADAU2A /* tests/order/estimate.h asks */

#include "solvers/methods/families/step_control.h"

#define KB_FLOATS_SERVE
enum { RADAU2A_STAGES = 3, RADAU2A_FAILURES = 40 };
/* eigenvalues of the inverse of the method's matrix: gamma, alpha +- i beta */
#define RADAU2A_GAMMA 3.637834252744496
#define RADAU2A_ALPHA 2.681082873627752
#define RADAU2A_BETA 3.050430199247411
#define RADAU2A_C1 0.1550510257216822
#define RADAU2A_C2 0.6449489742783178
#define RADAU2A_SAFETY 0.9

/* T, row by row, and its inverse */
KB_TABLE double radau2a_T[3][3] = {
    {0.09123239487089294, -0.1412552950209542, -0.03002919410514742},
    {0.2417179327071070, 0.2041293522937999, 0.3829421127572619},
    {0.9660481826150929, 1, 0},
};
KB_TABLE double radau2a_invT[3][3] = {
    {4.325579890063155, 0.3391992518158099, 0.5417705399358749},
    {-4.178718591551905, -0.3276828207610624, 0.4766235545005504},
    {-0.5028726349457869, 2.571926949855605, -0.5960392048282249},
};
/* weights of z in the error estimate */
KB_TABLE double radau2a_e[3] = {-10.04880939982742, 1.382142733160749, -1.0 / 3};

enum { RADAU2A_H0, RADAU2A_TRANSFORM, RADAU2A_PREDICTIVE, RADAU2A_THETA, RADAU2A_ITERATIONS,
       RADAU2A_NEWTON };

#define RADAU2A_FIELDS(ARRAY, ROWS, PART)                                                          \
    ARRAY(lane, y, N) ARRAY(lane, y0, N) ARRAY(lane, f, N) /* f(y0) */                             \
    ROWS(lane, z, 3)                                                                               \
    ROWS(lane, g, 3)      /* right-hand sides, then the solutions, increments of w */              \
    ROWS(kb_stored, p, 3) /* divided differences of the last collocation polynomial */             \
    ARRAY(lane, scale, N) /* 1/(ATOL + RTOL |y0|) */                                               \
    /* real factors; complex factors */                                                            \
    ARRAY(kb_stored, E, NNZ) ARRAY(kb_stored, R, NNZ) ARRAY(kb_stored, M, NNZ)                     \
    PART(kb_kept_jacobian, kept)                                                                   \
    PART(kb_jacobian, problem)
KB_WORK(radau2a_work, RADAU2A_FIELDS)

typedef struct {
    kb_scalar h_lu, h_old, err_old;  /* step of the factors; size and error of the accepted step */
    kb_scalar contraction, failures; /* theta/(1 - theta); Newton failures in a row */
    kb_flag first;                   /* no step accepted yet */
    kb_flag rejected;                /* the attempt before was rejected */
    kb_flag new_jac, new_f;          /* A, f are not those of y any more and have to be */
    kb_flag current;                 /* A is that of y */
    kb_flag serve;                   /* the real factors may be used (method.h) */
    kb_growth growth;
} radau2a_persistent;

/* what one attempt finds out */
typedef struct {
    lane h, theta, iterations, err;
    lane shrink;    /* of h, where Newton's iteration failed */
    mask converged;
    mask outside;   /* a stage left the window of states */
} radau2a_attempt;

kb_fn void radau2a_init(const kb_run *run, kb_ode *o, radau2a_persistent *persistent,
                        radau2a_work *w, mask starting)
{
    (void)w;
    o->h = vselect(starting, run->opt[RADAU2A_H0] * (run->dt - o->t), o->h);
    persistent->h_lu = vselect(starting, splat(0), persistent->h_lu);
    persistent->contraction = vselect(starting, splat(1), persistent->contraction);
    persistent->failures = vselect(starting, splat(0), persistent->failures);
    persistent->h_old = vselect(starting, splat(1), persistent->h_old); /* for nothing but to */
    persistent->err_old = vselect(starting, splat(1), persistent->err_old); /* divide by */
    persistent->first = persistent->first | starting;
    persistent->rejected = persistent->rejected & not_(starting);
    persistent->new_jac = persistent->new_jac | starting;
    persistent->new_f = persistent->new_f & not_(starting);
    persistent->current = persistent->current & not_(starting);
    growth_start(&persistent->growth, starting);
}

/* RTOL' */
kb_fn double radau2a_rtol(const kb_run *run)
{
    return run->opt[RADAU2A_TRANSFORM] > 0 ? 0.1 * pow(run->rtol, 2.0 / 3) : run->rtol;
}

/* J and f at y0 for the lanes that need them, and the scale of the norms */
kb_fn void radau2a_linearise(const kb_run *run, kb_ode *o, radau2a_persistent *persistent,
                             radau2a_work *w)
{
    double rtol = radau2a_rtol(run), part = rtol / run->rtol;
    mask jac = persistent->new_jac & o->active, f = persistent->new_f & not_(jac) & o->active;
    each(i, N) w->scale[i] = 1.0 / (part * atol_of(run, i) + rtol * vabs(w->y0[i]));
    if (lane_any(jac)) {
        mask kept = o->active & not_(jac);
        int aside = KB_SCRATCH_GLOBAL || lane_any(kept);
        kb_stored *J = problem_kept_jacobian(o, &w->kept), *A = aside ? w->E : J;
        lane *dy = aside ? w->g[0] : w->f;
        problem_jacobian(run, o, w->y0, dy, A, &w->problem);
        if (aside) {
            each(i, NNZ) J[i] = vselect(jac, w->E[i], J[i]);
            each(i, N) w->f[i] = vselect(jac, w->g[0][i], w->f[i]);
        }
    }
    if (lane_any(f)) {
        problem_rhs(run, o, w->y0, w->g[0], &w->problem.k);
        each(i, N) w->f[i] = vselect(f, w->g[0][i], w->f[i]);
    }
    persistent->current = persistent->current | jac;
    o->rhs += lane_count(jac | f);
    o->jac += lane_count(jac);
}

#define RADAU2A_SEEN 0.011 /* the error of a step before, from which on it shows growth */

/* E and R for h. Where growth is asked about, E is first that of the question. */
kb_fn void radau2a_factor(kb_ode *o, radau2a_persistent *persistent, radau2a_work *w, lane h)
{
    mask changed = o->active & (persistent->new_jac | (h != persistent->h_lu));
    if (!lane_any(changed))
        return;
    const kb_stored *J = problem_kept_jacobian(o, &w->kept);
    lane rh = 1.0 / h, gi = RADAU2A_GAMMA * rh;
    mask unseen = persistent->first | (persistent->err_old < RADAU2A_SEEN);
    mask asked = changed & unseen & growth_asks(&persistent->growth, h);
    lane reach = splat(0); /* of the question; INFINITY where the own factors do not serve */
    KB_NO_UNROLL for (int question = lane_any(asked) != 0; question >= 0; question--)
    {
        each(i, NNZ) w->E[i] = J[i];
        lane own = problem_factor(w->E, question ? KB_GROWTH * gi : gi);
        o->lu += lane_count(question ? asked : changed);
        persistent->serve = factors_reach(own, gi, KB_GROWTH);
        reach = question ? own : vselect(persistent->serve, reach, splat(INFINITY));
    }
    each(i, NNZ) w->R[i] = J[i];
    problem_factor_complex(w->R, w->M, RADAU2A_ALPHA * rh, RADAU2A_BETA * rh);
    persistent->serve = growth_serves(&persistent->growth, changed, asked, reach, h,
                                      persistent->serve);
    persistent->h_lu = h;
}

/* z from the polynomial of the last accepted step; 0 before there is one */
kb_fn void radau2a_start(const kb_ode *o, const radau2a_persistent *persistent, radau2a_work *w,
                         lane h)
{
    mask known = o->active & not_(persistent->first);
    lane s = h / persistent->h_old, x[3] = {RADAU2A_C1 * s, RADAU2A_C2 * s, s};
    for (int k = 0; k < 3; k++) {
        each(i, N)
        {
            lane q = w->p[1][i] + (x[k] + (1 - RADAU2A_C1)) * w->p[2][i];
            lane z = x[k] * (w->p[0][i] + (x[k] + (1 - RADAU2A_C2)) * q);
            w->z[k][i] = vselect(known, z, splat(0));
        }
    }
}

/* weighted norm of the first n vectors of g */
kb_fn lane radau2a_norm(const radau2a_work *w, int n) { return scaled_norm(w->scale, w->g, n); }

/* inv(T) v, row k */
kb_fn lane radau2a_transformed(int k, lane v0, lane v1, lane v2)
{
    const double *t = radau2a_invT[k];
    return t[0] * v0 + t[1] * v1 + t[2] * v2;
}

/* One Newton increment of w into g. False where a stage has left the window; lanes that are not on
 * evaluate f at y0. */
kb_fn mask radau2a_increment(const kb_run *run, kb_ode *o, radau2a_work *w, mask on, lane h)
{
    lane rh = 1.0 / h, c = RADAU2A_GAMMA * rh, a = RADAU2A_ALPHA * rh, b = RADAU2A_BETA * rh;
    mask valid = on;
    for (int k = 0; k < 3; k++) {
        each(i, N) w->y[i] = w->y0[i] + vselect(on, w->z[k][i], splat(0));
        team_sync();
        valid = valid & problem_valid(w->y);
        problem_rhs(run, o, w->y, w->g[k], &w->problem.k);
    }
    each(i, N)
    {
        lane f0 = w->g[0][i], f1 = w->g[1][i], f2 = w->g[2][i];
        lane z0 = w->z[0][i], z1 = w->z[1][i], z2 = w->z[2][i];
        lane w0 = radau2a_transformed(0, z0, z1, z2), w1 = radau2a_transformed(1, z0, z1, z2),
             w2 = radau2a_transformed(2, z0, z1, z2);
        w->g[0][i] = radau2a_transformed(0, f0, f1, f2) - c * w0;
        w->g[1][i] = radau2a_transformed(1, f0, f1, f2) - (a * w1 - b * w2);
        w->g[2][i] = radau2a_transformed(2, f0, f1, f2) - (a * w2 + b * w1);
    }
    problem_solve_both(w->E, w->R, w->M, w->g[0], w->g[1], w->g[2], w->g[0], w->g[1], w->g[2]);
    o->rhs += 3.0 * lane_count(on);
    o->solve += lane_count(on);
    return valid;
}

/* z += T g where on */
kb_fn void radau2a_update(radau2a_work *w, mask on)
{
    const double(*t)[3] = radau2a_T;
    each(i, N)
    {
        lane g0 = vselect(on, w->g[0][i], splat(0)), g1 = vselect(on, w->g[1][i], splat(0)),
             g2 = vselect(on, w->g[2][i], splat(0));
        w->z[0][i] += t[0][0] * g0 + t[0][1] * g1 + t[0][2] * g2;
        w->z[1][i] += t[1][0] * g0 + t[1][1] * g1 + t[1][2] * g2;
        w->z[2][i] += t[2][0] * g0 + g1;
    }
}

/* How Newton's increments contract, from the second on. */
typedef struct {
    double tolerance;
    int most;           /* iterations */
    lane size, quotient; /* of the increment before */
} radau2a_newton_state;

/* Updates theta and the contraction; false where the iteration diverges or will be too slow */
kb_fn mask radau2a_contracts(radau2a_persistent *persistent, radau2a_attempt *s,
                             const radau2a_newton_state *n, lane *quotient, mask on, lane size,
                             int iteration)
{
    *quotient = size / n->size;
    lane theta = iteration == 2 ? *quotient : vsqrt(*quotient * n->quotient);
    mask fine = theta < 0.99; /* else nothing is made of `left` */
    lane left = theta / vmax(1.0 - theta, splat(0.005));
    lane predicted = left * size * (1 / n->tolerance);
    for (int k = iteration; k < n->most - 1; k++)
        predicted *= theta;
    s->theta = vselect(on, theta, s->theta);
    persistent->contraction = vselect(on & fine, left, persistent->contraction);
    mask late = on & fine & (predicted >= 1.0);
    lane q = vmax(splat(1e-4), vmin(splat(20), predicted));
    lane shrink = 0.8 * vpow(q, splat(-1.0 / (3 + n->most - iteration)));
    s->shrink = vselect(late, shrink, s->shrink);
    return fine & not_(late);
}

kb_fn void radau2a_newton(const kb_run *run, kb_ode *o, radau2a_persistent *persistent,
                          radau2a_work *w, radau2a_attempt *s)
{
    double rtol = radau2a_rtol(run), given = run->opt[RADAU2A_NEWTON];
    radau2a_newton_state n = {given > 0 ? given : fmax(2.2e-15 / rtol, fmin(0.03, sqrt(rtol))),
                              (int)run->opt[RADAU2A_ITERATIONS], splat(1), splat(1)};
    mask on = o->active & persistent->serve;
    s->theta = splat(run->opt[RADAU2A_THETA]);
    s->shrink = vselect(persistent->serve, splat(0.5), splat(KB_REFUSED));
    s->iterations = splat(0);
    s->converged = s->outside = mask_none();
    persistent->contraction = vpow(vmax(persistent->contraction, splat(2.2e-16)), splat(0.8));
    for (int iteration = 1; iteration <= n.most && lane_any(on); iteration++) {
        mask fine = radau2a_increment(run, o, w, on, s->h);
        lane size = radau2a_norm(w, 3), quotient = splat(1);
        s->outside = s->outside | (on & not_(fine));
        on = on & fine & is_finite(size);
        if (iteration > 1 && iteration < n.most)
            on = on & radau2a_contracts(persistent, s, &n, &quotient, on, size, iteration);
        n.size = vmax(size, splat(2.2e-16));
        n.quotient = quotient;
        radau2a_update(w, on);
        mask done = on & (persistent->contraction * size <= n.tolerance);
        s->iterations = vselect(done, splat(iteration), s->iterations);
        s->converged = s->converged | done;
        on = on & not_(done);
    }
}

/* g[0] = (gamma/h I - J)^-1 (f(y0) + e.z/h); on first or repeated steps, where that is too large,
 * once more with f(y0 + g[0]) */
kb_fn void radau2a_estimate(const kb_run *run, kb_ode *o, const radau2a_persistent *persistent,
                            radau2a_work *w, radau2a_attempt *s)
{
    lane rh = 1.0 / s->h;
    const double *e = radau2a_e;
    each(i, N)
    {
        w->g[1][i] = rh * (e[0] * w->z[0][i] + e[1] * w->z[1][i] + e[2] * w->z[2][i]);
        w->g[0][i] = w->g[1][i] + w->f[i];
    }
    problem_solve(w->E, w->g[0], w->g[0]);
    s->err = radau2a_norm(w, 1);
    o->solve += lane_count(s->converged);
    mask again = s->converged & (s->err >= 1.0) & (persistent->first | persistent->rejected);
    if (!lane_any(again))
        return;
    each(i, N) w->y[i] = w->y0[i] + vselect(again, w->g[0][i], splat(0));
    team_sync();
    mask valid = problem_valid(w->y);
    problem_rhs(run, o, w->y, w->g[0], &w->problem.k);
    each(i, N) w->g[0][i] += w->g[1][i];
    problem_solve(w->E, w->g[0], w->g[0]);
    s->err = vselect(again & valid, radau2a_norm(w, 1), s->err);
    o->rhs += lane_count(again);
    o->solve += lane_count(again);
}

/* the collocation polynomial and the history of the step size, where accepted */
kb_fn void radau2a_remember(radau2a_persistent *persistent, radau2a_work *w,
                            const radau2a_attempt *s, mask accept)
{
    each(i, N)
    {
        lane z0 = w->z[0][i], z1 = w->z[1][i], z2 = w->z[2][i];
        lane p0 = (z1 - z2) / (RADAU2A_C2 - 1), d = (z0 - z1) / (RADAU2A_C1 - RADAU2A_C2);
        lane p1 = (d - p0) / (RADAU2A_C1 - 1);
        lane p2 = p1 - (d - z0 / RADAU2A_C1) / RADAU2A_C2;
        w->p[0][i] = vselect(accept, p0, w->p[0][i]);
        w->p[1][i] = vselect(accept, p1, w->p[1][i]);
        w->p[2][i] = vselect(accept, p2, w->p[2][i]);
    }
    persistent->h_old = vselect(accept, s->h, persistent->h_old);
    persistent->err_old = vselect(accept, vmax(splat(1e-2), s->err), persistent->err_old);
}

/* the next step of the lanes that converged: h over a quotient between 1/8 and 5 */
kb_fn lane radau2a_next_step(const kb_run *run, const radau2a_persistent *persistent,
                             const radau2a_attempt *s, mask accept)
{
    double most = 2 * (int)run->opt[RADAU2A_ITERATIONS];
    lane err = vmax(s->err, splat(1e-10));
    lane safety = vmin(splat(RADAU2A_SAFETY), RADAU2A_SAFETY * (1 + most) / (s->iterations + most));
    lane quotient = vmax(splat(0.125), vmin(splat(5), vsqrt(vsqrt(err)) / safety));
    lane trend = persistent->h_old / s->h * vsqrt(err * vsqrt(1.0 / persistent->err_old)) *
                 (1 / RADAU2A_SAFETY);
    trend = vmax(splat(0.125), vmin(splat(5), trend));
    mask use = accept & not_(persistent->first) & (splat(run->opt[RADAU2A_PREDICTIVE]) > 0.0);
    quotient = vselect(use, vmax(quotient, trend), quotient);
    return s->h / vselect(is_finite(quotient), quotient, splat(10));
}

/* the next step and whether J and the factors are kept for it */
kb_fn void radau2a_control(const kb_run *run, kb_ode *o, radau2a_persistent *persistent,
                           const radau2a_attempt *s, mask accept)
{
    lane h = s->h, next = radau2a_next_step(run, persistent, s, accept);
    mask good = s->theta <= run->opt[RADAU2A_THETA];
    mask repeated = s->converged & not_(accept);
    lane accepted = vselect(persistent->rejected, vmin(next, h), next);
    mask keep = good & (accepted >= h) & (accepted <= 1.2 * h) & (accepted < run->dt - (o->t + h));
    accepted = vselect(keep, h, accepted);
    o->h = vselect(accept, accepted, h * s->shrink);
    o->h = vselect(repeated, vselect(persistent->first, 0.1 * h, vmin(next, 0.9 * h)), o->h);
    persistent->new_jac = (accept & not_(good)) | (not_(accept) & not_(persistent->current));
    persistent->new_f = accept;
    persistent->current = persistent->current & not_(accept);
    persistent->first = persistent->first & not_(accept);
    persistent->rejected = not_(accept);
    persistent->failures = vselect(s->converged, splat(0), persistent->failures + 1.0);
    mask stuck = persistent->failures >= (double)RADAU2A_FAILURES;
    ode_fail(o, s->outside & (stuck | not_(o->h > 1e-16 * run->dt)), KB_ODE_BOUNDS);
    ode_fail(o, stuck, KB_ODE_NEWTON);
}

kb_fn void radau2a_step(const kb_run *run, kb_ode *o, radau2a_persistent *persistent,
                        radau2a_work *w)
{
    radau2a_attempt s;
    each(i, N) w->y0[i] = w->y[i];
    radau2a_linearise(run, o, persistent, w);
    s.h = clip_step(run, o);
    radau2a_factor(o, persistent, w, s.h);
    radau2a_start(o, persistent, w, s.h);
    radau2a_newton(run, o, persistent, w, &s);
    s.err = splat(INFINITY);
    if (lane_any(s.converged))
        radau2a_estimate(run, o, persistent, w, &s);
    each(i, N) w->y[i] = w->y0[i] + w->z[2][i];
    team_sync();
    mask accept = s.converged & (s.err < 1.0) & problem_valid(w->y);
    radau2a_control(run, o, persistent, &s, accept);
    radau2a_remember(persistent, w, &s, accept);
    finish_step(run, o, s.h, accept, w->y, w->y0, N);
}

#define RADAU2A_OPTIONS                                                                            \
    {{"h0", "first substep as a fraction of dt", 1, 1e-12, 1, KB_REAL},                            \
     {"transform", "1: RTOL' = 0.1 RTOL^(2/3) as RADAU5; 0: tolerances as given", 1, 0, 1,         \
      KB_WHOLE},                                                                                   \
     {"predictive", "1: Gustafsson's predictive step control; 0: the classical one", 1, 0, 1,      \
      KB_WHOLE},                                                                                   \
     {"theta", "J is kept while Newton's iteration contracts by this or better", 0.001, 0, 1,      \
      KB_REAL},                                                                                    \
     {"iterations", "most Newton iterations of a substep", 7, 1, 100, KB_WHOLE},                   \
     {"newton", "where Newton's iteration stops, in units of the tolerance; 0: as RADAU5", 0,      \
      0, 1, KB_REAL},                                                                              \
     KB_PASS_OPTION, KB_ATOLT_OPTION, {}}
/* Newton's iteration far below the error of the step */
#define RADAU2A_TO_THE_END "transform=0:iterations=30:newton=1e-14"
#define RADAU2A_INFO                                                                               \
    .source = "Hairer and Wanner, Solving ODEs II (1996), IV.8, code RADAU5; Sewerin and "         \
              "Rigopoulos 2015, Curtis et al. 2017",                                               \
    .summary = "implicit Runge-Kutta, Radau IIA, real and complex sparse LU", .order = 5,          \
    .rtol = 1e-8, .atol = 1e-15,                                                                   \
    .promise = {.kind = KB_NEWTON,                                                                 \
                .error = 2e-6,                                                                     \
                /* 5 where eps/h is large or small; between the two a term O(eps h^3) */           \
                .orders = {{0, 5, 8, RADAU2A_TO_THE_END}, {0, 5, 16, RADAU2A_TO_THE_END},          \
                           {1e-1, 5, 16, RADAU2A_TO_THE_END},                                      \
                           {1e-4, 3, 16, RADAU2A_TO_THE_END}, {1e-10, 5, 4, RADAU2A_TO_THE_END}},  \
                .inexact = {0, 5, 8, RADAU2A_TO_THE_END},                                          \
                /* with RTOL' = 0.1 rtol^(2/3) */                                                  \
                .estimate = 4, .estimate_h = 0.05, .control = {0.7, 3, 1}, .stiff = {0.8, 3, 0}}
