/* SPDX-License-Identifier: MIT
 *
 * RKC: stabilised explicit Runge-Kutta-Chebyshev of order 2, as in Niemeyer and Sung, J. Comput.
 * Phys. 256 (2014) 854, Eqs. 18-39, after Sommeijer, Shampine and Verwer, J. Comput. Appl. Math.
 * 88 (1998) 315 (RKC). The printed slips are corrected as that code has them: a_j = 1 - b_j
 * T_j(omega_0) (Eq. 23); b_0 = b_1 = b_2 (Eq. 24 against 27); the integer part in the stage count
 * (Eq. 39); the error of the current step in the last factor of Eq. 34; the rejected step's error
 * in Eq. 35, without the 0.1 floor; weights with |y_n| alone for the first step (Eq. 38). The
 * spectral radius comes from the nonlinear power method (at most 50 iterations, 1 %, safety 1.2),
 * at the start, every 25 accepted steps and after a rejection; its eigenvector is the next start
 * guess within the global step. Its evaluations count as right-hand sides. Where it
 * has not converged after 50, the loss frequencies below take its place. The
 * option spectral=1 takes 1.2 times the largest loss frequency in place of it, at the same times;
 * that counts as a Jacobian. With species in steady state the loss frequencies are no estimate of
 * the spectral radius, and Gershgorin's bound, which holds for every J, takes their place.
 */
#pragma once

#include "solvers/methods/families/step_control.h"

#define RKC_ROUND 2.220446049250313e-16
#define RKC_SQRT_ROUND 1.4901161193847656e-8

#define RKC_FIELDS(ARRAY, ROWS, PART)                                                              \
    ARRAY(lane, y, N) ARRAY(lane, y0, N) ARRAY(lane, f0, N) ARRAY(lane, f, N)                      \
    ARRAY(lane, wj, N) ARRAY(lane, wj1, N) ARRAY(lane, wj2, N) ARRAY(lane, v, N)                   \
    PART(kb_kinetics, problem)
KB_WORK(rkc_work, RKC_FIELDS)

typedef struct {
    kb_scalar sigma, err_old, h_old;
    kb_scalar age; /* accepted steps since the spectral radius was estimated; < 0: must be done */
    kb_flag first, no_history, no_vector;
} rkc_persistent;

kb_fn void rkc_rhs(const kb_run *run, kb_ode *o, const lane *y, lane *f, rkc_work *w, mask on)
{
    problem_rhs(run, o, y, f, &w->problem);
    o->rhs += lane_count(o->active & on);
}

kb_fn lane rkc_length(const lane *v)
{
    lane sum = splat(0);
    each_sum(sum, i, N) sum += v[i] * v[i];
    return vsqrt(team_sum(sum, N));
}

kb_fn void rkc_init(const kb_run *run, kb_ode *o, rkc_persistent *persistent, rkc_work *w,
                    mask starting)
{
    problem_rhs(run, o, w->y, w->f, &w->problem);
    each(i, N) w->f0[i] = vselect(starting, w->f[i], w->f0[i]);
    persistent->age = vselect(starting, splat(-1), persistent->age);
    persistent->first = persistent->first | starting;
    persistent->no_history = persistent->no_history | starting;
    persistent->no_vector = persistent->no_vector | starting;
}

/* start of the power method: wj = y + dy in the direction of the last eigenvector, or of f;
 * returns |dy| */
kb_fn lane rkc_start_vector(rkc_persistent *persistent, rkc_work *w)
{
    each(i, N) w->wj[i] = vselect(persistent->no_vector, w->f0[i], w->v[i]);
    lane ynorm = rkc_length(w->y), vnorm = rkc_length(w->wj);
    lane size = vselect(ynorm > 0.0, ynorm * RKC_SQRT_ROUND, splat(RKC_ROUND));
    mask along = vnorm > 0.0;
    lane scale = size / vselect(along, vnorm, splat(1));
    each(i, N)
    {
        lane d = vselect(along, w->wj[i] * scale, vselect(ynorm > 0.0, w->y[i] * RKC_SQRT_ROUND,
                                                         splat(RKC_ROUND)));
        w->wj[i] = w->y[i] + d;
    }
    return size;
}

/* the spectral radius of the lanes under need from the loss frequency */
kb_fn void rkc_loss(const kb_run *run, kb_ode *o, rkc_persistent *persistent, rkc_work *w,
                    mask need)
{
    need = need & o->active;
    persistent->sigma = vselect(need, 1.2 * problem_loss_frequency(run, o, w->y, &w->problem),
                                persistent->sigma);
    persistent->age = vselect(need, splat(0), persistent->age);
    o->jac += lane_count(need);
}

/* Bound of the spectral radius of the lanes under need by Gershgorin's theorem: the smaller one of
 * the largest sum of |J| over a row and over a column, J by one-sided differences */
kb_fn void rkc_gershgorin(const kb_run *run, kb_ode *o, rkc_persistent *persistent, rkc_work *w,
                          mask need)
{
    need = need & o->active;
    lane columns = splat(0), rows = splat(0);
    each(i, N) w->wj2[i] = splat(0);
    for (int j = 0; j < N; j++) {
        team_sync();
        lane moved = w->y[j] + vsqrt(RKC_ROUND * vmax(splat(1e-5), vabs(w->y[j])));
        lane r = 1.0 / (moved - w->y[j]), sum = splat(0);
        each(i, N) w->wj1[i] = i == j ? moved : w->y[i];
        team_sync();
        rkc_rhs(run, o, w->wj1, w->f, w, need);
        each_sum(sum, i, N)
        {
            lane size = vabs((w->f[i] - w->f0[i]) * r);
            w->wj2[i] += size;
            sum += size;
        }
        columns = vmax(columns, team_sum(sum, N));
    }
    each_max(rows, i, N) rows = vmax(rows, w->wj2[i]);
    rows = team_max(rows, N);
    persistent->sigma = vselect(need, vmin(rows, columns), persistent->sigma);
    persistent->age = vselect(need, splat(0), persistent->age);
}

/* without an iteration */
kb_fn void rkc_bound(const kb_run *run, kb_ode *o, rkc_persistent *persistent, rkc_work *w,
                     mask need)
{
    if (PROBLEM_LOSS_IS_RADIUS && run->opt[0] < 2)
        rkc_loss(run, o, persistent, w, need);
    else
        rkc_gershgorin(run, o, persistent, w, need);
}

/* spectral radius of the lanes under need, by the nonlinear power method */
kb_fn void rkc_power_method(const kb_run *run, kb_ode *o, rkc_persistent *persistent, rkc_work *w,
                            mask need)
{
    need = need & o->active;
    lane size = rkc_start_vector(persistent, w), sigma = splat(0), old;
    mask open = need;
    for (int it = 1; it <= 50 && lane_any(open); it++) {
        rkc_rhs(run, o, w->wj, w->f, w, open);
        each(i, N) w->f[i] -= w->f0[i];
        lane change = rkc_length(w->f);
        old = sigma;
        sigma = vselect(open, change / size, sigma);
        mask done = it == 1 ? mask_none()
                            : vabs(sigma - old) <= 0.01 * vmax(sigma, splat(1 / run->dt));
        mask stuck = not_(change > 0.0); /* no change at all: turn one component round */
        lane scale = size / vselect(stuck, splat(1), change);
        int turn = (it - 1) % N;
        each(i, N)
        {
            lane next = w->y[i] + w->f[i] * scale;
            lane same = i == turn ? 2.0 * w->y[i] - w->wj[i] : w->wj[i];
            w->v[i] = vselect(open & done, w->wj[i] - w->y[i], w->v[i]);
            w->wj[i] = vselect(open & not_(done), vselect(stuck, same, next), w->wj[i]);
        }
        persistent->no_vector = persistent->no_vector & not_(open & done);
        open = open & not_(done);
    }
    persistent->sigma = vselect(need, 1.2 * sigma, persistent->sigma);
    persistent->age = vselect(need, splat(0), persistent->age);
    if (lane_any(open))
        rkc_bound(run, o, persistent, w, open);
}

kb_fn void rkc_spectral_radius(const kb_run *run, kb_ode *o, rkc_persistent *persistent,
                               rkc_work *w, mask need)
{
    if (run->opt[0] > 0)
        rkc_bound(run, o, persistent, w, need);
    else
        rkc_power_method(run, o, persistent, w, need);
}

/* the spectral radius, to divide by: not 0 */
kb_fn lane rkc_sigma(const rkc_persistent *persistent)
{
    return vmax(persistent->sigma, splat(1e-100));
}

/* Eqs. 36-38, where no substep was given to begin with */
kb_fn void rkc_first_step(const kb_run *run, kb_ode *o, rkc_persistent *persistent, rkc_work *w)
{
    mask first = persistent->first & o->active;
    lane h = splat(run->dt);
    h = vselect(persistent->sigma * h > 1.0, 1.0 / rkc_sigma(persistent), h);
    each(i, N) w->wj[i] = w->y[i] + h * w->f0[i];
    rkc_rhs(run, o, w->wj, w->f, w, first);
    each(i, N) w->wj[i] = h * (w->f[i] - w->f0[i]);
    lane root = vsqrt(error_norm(run, w->wj, w->y, w->y));
    h = vselect(0.1 * h < run->dt * root, 0.1 * h / vmax(root, splat(1e-300)), splat(run->dt));
    o->h = vselect(first & not_(o->h > 0.0), h, o->h);
    persistent->first = persistent->first & not_(first);
}

/* Chebyshev polynomials T_j and their two derivatives at omega_0, by recursion (Eq. 26) */
typedef struct {
    lane T, dT, d2T;
} rkc_chebyshev;

kb_fn rkc_chebyshev rkc_next(lane x, rkc_chebyshev a, rkc_chebyshev b)
{
    rkc_chebyshev c;
    c.T = 2.0 * x * a.T - b.T;
    c.dT = 2.0 * a.T + 2.0 * x * a.dT - b.dT;
    c.d2T = 4.0 * a.dT + 2.0 * x * a.d2T - b.d2T;
    return c;
}

kb_fn int rkc_most(lane s, mask on)
{
    int most = 2;
    for (int l = 0; l < KB_LANES; l++)
        if (mask_get(on, l) && lane_get(s, l) > most)
            most = (int)lane_get(s, l);
    return most;
}

/* omega_1 = T_s'/T_s'' at omega_0 for each lane's s (Eq. 25) */
kb_fn lane rkc_omega1(lane x, lane s, int most)
{
    rkc_chebyshev b = {splat(1), splat(0), splat(0)}, a = {x, splat(1), splat(0)};
    lane w1 = splat(1);
    for (int j = 2; j <= most; j++) {
        rkc_chebyshev c = rkc_next(x, a, b);
        w1 = vselect(s == (double)j, c.dT / c.d2T, w1);
        b = a;
        a = c;
    }
    return w1;
}

/* Eqs. 18-25; the new state into w->y. Lanes with fewer stages keep theirs while the others go
 * on. */
kb_fn void rkc_stages(const kb_run *run, kb_ode *o, rkc_work *w, lane h, lane s)
{
    int most = rkc_most(s, o->active);
    lane x = 1.0 + (2.0 / 13) / (s * s), w1 = rkc_omega1(x, s, most);
    rkc_chebyshev b = {splat(1), splat(0), splat(0)}, a = {x, splat(1), splat(0)};
    lane b2 = 1.0 / (4.0 * x * x), bj2 = b2, bj1 = b2; /* b_0 = b_1 = b_2 = T_2''/T_2'^2 */
    lane mu1 = bj1 * w1;
    each(i, N)
    {
        w->wj2[i] = w->y0[i];
        w->wj1[i] = w->y0[i] + mu1 * h * w->f0[i];
    }
    for (int j = 2; j <= most; j++) {
        mask on = s >= (double)j;
        rkc_chebyshev c = rkc_next(x, a, b);
        lane bj = c.d2T / (c.dT * c.dT);
        lane mu = 2.0 * bj * x / bj1, nu = -bj / bj2, mut = 2.0 * bj * w1 / bj1;
        lane gamma = -(1.0 - bj1 * a.T) * mut;
        rkc_rhs(run, o, w->wj1, w->f, w, on);
        each(i, N)
        {
            lane next = (1.0 - mu - nu) * w->y0[i] + mu * w->wj1[i] + nu * w->wj2[i] +
                        mut * h * w->f[i] + gamma * h * w->f0[i];
            w->wj2[i] = w->wj1[i];
            w->wj1[i] = vselect(on, next, w->wj1[i]);
        }
        bj2 = bj1;
        bj1 = bj;
        b = a;
        a = c;
    }
    each(i, N) w->y[i] = w->wj1[i];
}

/* Eqs. 30-32; f of the new state into w->f */
kb_fn lane rkc_error(const kb_run *run, kb_ode *o, rkc_work *w, lane h)
{
    rkc_rhs(run, o, w->y, w->f, w, o->active);
    each(i, N) w->wj[i] = 0.8 * (w->y0[i] - w->y[i]) + 0.4 * h * (w->f0[i] + w->f[i]);
    return error_norm(run, w->wj, w->y0, w->y);
}

/* Eqs. 33-35: the next step from the errors of this and the last accepted one */
kb_fn void rkc_next_step(kb_ode *o, rkc_persistent *persistent, lane h, lane err, mask accept)
{
    lane third = splat(1.0 / 3), root = vpow(vmax(err, splat(1e-30)), third);
    lane plain = 0.8 / root;
    lane history = plain * (vpow(vmax(persistent->err_old, splat(1e-30)), third) * h) /
                   (root * vselect(persistent->no_history, h, persistent->h_old));
    lane grow = vselect(persistent->no_history, plain, history);
    grow = vmin(vmax(grow, splat(0.1)), splat(10));
    lane shrink = vselect((err > 1.0) & is_finite(err), plain, splat(0.1));
    o->h = h * vselect(accept, grow, shrink);
    persistent->err_old = vselect(accept, err, persistent->err_old);
    persistent->h_old = vselect(accept, h, persistent->h_old);
    persistent->no_history = persistent->no_history & not_(accept);
    persistent->age = vselect(accept, persistent->age + 1.0, splat(-1));
}

kb_fn void rkc_step(const kb_run *run, kb_ode *o, rkc_persistent *persistent, rkc_work *w)
{
    mask need = (persistent->age < 0.0) | (persistent->age >= 25.0);
    o->rhs += lane_count(o->active & (o->attempted == 0.0)); /* f0, which init evaluated */
    if (lane_any(need & o->active))
        rkc_spectral_radius(run, o, persistent, w, need);
    if (lane_any(persistent->first & o->active))
        rkc_first_step(run, o, persistent, w);
    each(i, N) w->y0[i] = w->y[i];
    lane h = clip_step(run, o), smax = splat(floor(sqrt(run->rtol / (10 * RKC_ROUND)) + 0.5));
    smax = vmax(smax, splat(2));
    lane s = vmax(1.0 + vfloor(vsqrt(1.0 + 1.54 * h * persistent->sigma)), splat(2));
    h = vselect(s > smax, (smax * smax - 1.0) / (1.54 * rkc_sigma(persistent)), h);
    s = vmin(s, smax);
    s = vselect(o->active & is_finite(s), s, splat(2));
    rkc_stages(run, o, w, h, s);
    lane err = rkc_error(run, o, w, h);
    mask accept = (err <= 1.0) & problem_valid(w->y);
    rkc_next_step(o, persistent, h, err, accept);
    each(i, N) w->f0[i] = vselect(accept & o->active, w->f[i], w->f0[i]);
    finish_step(run, o, h, accept, w->y, w->y0, N);
}

#define RKC_OPTIONS                                                                           \
    {{"spectral", "spectral radius: 0 power method, 1 1.2 times the largest loss frequency, " \
      "2 (and 1 with species in steady state) Gershgorin's bound", 0, 0, 2, KB_WHOLE},        \
     KB_ATOLT_OPTION, {}}
#define RKC_INFO                                                                                   \
    .source = "Niemeyer and Sung, J. Comput. Phys. 256 (2014) 854, Eqs. 18-39",                    \
    .summary = "stabilised explicit Runge-Kutta-Chebyshev of order 2", .order = 2, .rtol = 1e-6,   \
    .atol = 1e-10,                                                                                 \
    .promise = {.kind = KB_STABILIZED,                                                             \
                .error = 5e-3, .control = {2.0 / 3, 10, 1}}
