/* SPDX-License-Identifier: MIT
 *
 * SEULEX: extrapolation of the linearly implicit Euler method, Hairer and Wanner, Solving Ordinary
 * Differential Equations II (1996), section IV.9, and their code SEULEX with OpenFOAM's constants.
 * Column k (from 0) of a substep H takes n_k = 2, 3, 4, 6, 8, 12, ... steps h = H/n_k,
 *   (1/h I - J) (y_(m+1) - y_m) = f(y_m),   T_k0 the result,
 *   T_k,l+1 = T_kl + (T_kl - T_k-1,l)/(n_k/n_(k-l-1) - 1),
 * and T_kk, of order k + 1, is the solution with the error estimate T_kk - T_k,k-1. Each column has
 * factors of its own, from one exact Jacobian. Order and H are chosen together: what a column
 * has cost so far over the H that it allows is least. J is kept while theta, which measures how a
 * simplified Newton iteration of the first step would contract, is small; a theta above 1 ends the
 * attempt.
 *
 * Not as in OpenFOAM: theta is relative to max(1, first increment), as Hairer and Wanner have it,
 * and not to the smaller of both; f(y) is evaluated once for all columns, f of the stability check
 * serves the step too, norms are root mean squares, and the norm of the error has the larger |y|
 * of before and after. An attempt is one H. Lanes go through the columns together, each until it
 * accepts or gives up. The first column has the nearest pole: its pivots decide about growth
 * (docs/methods.md).
 */
#pragma once
#define KB_FAMILY_SEULEX /* tests/order/estimate.h asks */

#include "solvers/methods/families/stages.h"
#include "solvers/methods/families/step_control.h"

enum { SEULEX_LAST = 12 }; /* column; the target is one before it at most */
enum { SEULEX_H0, SEULEX_COLUMNS, SEULEX_THETA };

#define SEULEX_GROWTH 0.23 /* of the first column: up to it two grow at exp's rate to 2 % */

/* n_k, and the cost of the columns 0 ... k where f, LU and a solve cost 1 and J 5 */
KB_TABLE double seulex_n[SEULEX_LAST + 3] = {2,  3,  4,  6,  8,  12,  16, 24,
                                             32, 48, 64, 96, 128, 192, 256};
KB_TABLE double seulex_cost[SEULEX_LAST + 1] = {10,  15,  22,  33,  48,  71, 102,
                                                149, 212, 307, 434, 625, 880};

#define SEULEX_FIELDS(ARRAY, ROWS, PART)                                                           \
    ARRAY(lane, y, N) ARRAY(lane, y0, N) ARRAY(lane, f, N) /* f(y0) */                             \
    ARRAY(lane, d, N) ARRAY(lane, g, N)    /* increment; f(y_m), then the error estimate */        \
    ARRAY(lane, z, N)                      /* T_kk of each lane's own last column */               \
    ARRAY(lane, E, NNZ)                    /* factors of (1/h I - J) */                            \
    stage_rows(ROWS, u, SEULEX_LAST + 1) /* T_k0 ... T_kk of the last column */                    \
    PART(kb_kept_jacobian, kept)                                                                   \
    PART(kb_jacobian, problem)
KB_WORK(seulex_work, SEULEX_FIELDS)

typedef struct {
    kb_scalar target; /* column in which the error is expected to be small enough */
    kb_scalar theta;
    kb_flag first;    /* no step accepted yet */
    kb_flag rejected; /* the attempt before was rejected */
    kb_flag current;  /* J is that of y */
    kb_growth growth;
} seulex_persistent;

/* what one attempt finds out; of several columns the last, the one before it, ... */
typedef struct {
    lane h, err, limit;      /* limit: of the error, beyond which the columns diverge */
    lane size[3], effort[3]; /* the H that a column allows; its cost over that */
    lane next;               /* H of the next attempt; half of h where nothing decides */
    mask on, accept, last;   /* last: it ends at dt */
    mask outside;            /* it left the window of states */
} seulex_attempt;

kb_fn void seulex_init(const kb_run *run, kb_ode *o, seulex_persistent *persistent, seulex_work *w,
                       mask starting)
{
    (void)w;
    double digits = floor(0.5 - 0.6 * log10(run->rtol + run->atol));
    double target = fmax(1, fmin(SEULEX_LAST - 1, digits));
    o->h = vselect(starting, splat(-1), o->h); /* step chooses it, when f is known */
    persistent->target = vselect(starting, splat(target), persistent->target);
    persistent->theta = vselect(starting, splat(1), persistent->theta);
    persistent->first = persistent->first | starting;
    persistent->rejected = persistent->rejected & not_(starting);
    persistent->current = persistent->current & not_(starting);
    growth_start(&persistent->growth, starting);
}

/* f at y0, with J for the lanes that need it */
kb_fn void seulex_linearise(const kb_run *run, kb_ode *o, seulex_persistent *persistent,
                            seulex_work *w)
{
    double most = fmin(run->opt[SEULEX_THETA], run->rtol);
    mask stale = persistent->first | persistent->rejected | (persistent->theta > most);
    mask jac = o->active & stale & not_(persistent->current), rest = o->active & not_(jac);
    if (lane_any(rest))
        problem_rhs(run, o, w->y0, w->f, &w->problem.k);
    if (lane_any(jac)) {
        int aside = KB_SCRATCH_GLOBAL || lane_any(rest);
        lane *J = problem_kept_jacobian(o, &w->kept), *A = aside ? w->E : J;
        problem_jacobian(run, o, w->y0, w->d, A, &w->problem);
        each(i, N) w->f[i] = vselect(jac, w->d[i], w->f[i]);
        if (aside)
            each(i, NNZ) J[i] = vselect(jac, w->E[i], J[i]);
    }
    persistent->current = persistent->current | jac;
    o->rhs += lane_count(o->active);
    o->jac += lane_count(jac);
}

/* E of column k. The first column's also says where H may be used; where growth is asked about, E
 * is first that of the question. */
kb_fn void seulex_factor(kb_ode *o, seulex_persistent *persistent, seulex_work *w,
                         seulex_attempt *a, int k)
{
    const lane *J = problem_kept_jacobian(o, &w->kept);
    lane gi = seulex_n[k] / a->h, reach = splat(0); /* reach: of the question, or INFINITY */
    mask asked = k == 0 ? a->on & growth_asks(&persistent->growth, a->h) : mask_none();
    mask serve = mask_none();
    KB_NO_UNROLL for (int question = lane_any(asked) != 0; question >= 0; question--)
    {
        each(i, NNZ) w->E[i] = J[i];
        lane own = problem_factor(w->E, question ? SEULEX_GROWTH * gi : gi);
        o->lu += lane_count(question ? asked : a->on);
        serve = factors_reach(own, gi, SEULEX_GROWTH);
        reach = question ? own : vselect(serve, reach, splat(INFINITY));
    }
    if (k > 0)
        return;
    a->on = a->on & growth_serves(&persistent->growth, a->on, asked, reach, a->h, serve);
    a->next = vselect(a->on, 0.5 * a->h, a->next);
}

/* norm of v by the tolerances at y0 */
kb_fn lane seulex_norm(const kb_run *run, const seulex_work *w, const lane *v)
{
    return error_norm(run, v, w->y0, w->y0);
}

/* theta from the first increment d and f behind it in g; d is spent. Where it is at most 1 */
kb_fn mask seulex_contracts(const kb_run *run, kb_ode *o, seulex_persistent *persistent,
                            seulex_work *w, const seulex_attempt *a, lane gi)
{
    lane first = seulex_norm(run, w, w->d);
    each(i, N) w->d[i] = w->g[i] - gi * w->d[i];
    problem_solve(w->E, w->d, w->d);
    lane theta = seulex_norm(run, w, w->d) / vmax(first, splat(1));
    persistent->theta = vselect(a->on, theta, persistent->theta);
    o->solve += lane_count(a->on);
    return theta <= 1.0;
}

/* T_k0 - y_(n-1) into d, y_(n-1) into y, from factors of column k. Lanes that are not on, or leave
 * the window of states, stay at y0. */
kb_fn void seulex_euler(const kb_run *run, kb_ode *o, seulex_persistent *persistent,
                        seulex_work *w, seulex_attempt *a, int k)
{
    int n = (int)seulex_n[k];
    each(i, N)
    {
        w->d[i] = w->f[i];
        w->y[i] = w->y0[i];
    }
    KB_NO_UNROLL for (int m = 1;; m++)
    {
        problem_solve(w->E, w->d, w->d);
        o->solve += lane_count(a->on);
        if (m == n || !lane_any(a->on))
            return;
        each(i, N) w->y[i] = vselect(a->on, w->y[i] + w->d[i], w->y0[i]);
        team_sync();
        mask valid = problem_valid(w->y);
        a->outside = a->outside | (a->on & not_(valid));
        a->on = a->on & valid;
        problem_rhs(run, o, w->y, w->g, &w->problem.k);
        o->rhs += lane_count(a->on);
        if (m == 1 && k <= 1)
            a->on = a->on & seulex_contracts(run, o, persistent, w, a, n / a->h);
        each(i, N) w->d[i] = w->g[i];
    }
}

/* row k of the table; T_kk into z, its error estimate into g */
kb_fn void seulex_extrapolate(seulex_work *w, const seulex_attempt *a, int k)
{
    double c[SEULEX_LAST + 1];
    for (int l = 0; l < k; l++)
        c[l] = 1 / (seulex_n[k] / seulex_n[k - l - 1] - 1);
    each(i, N)
    {
        lane t = w->y[i] + w->d[i], change = t;
        for (int l = 0; l < k; l++) {
            lane before = w->u[l][i];
            w->u[l][i] = t;
            change = (t - before) * c[l];
            t += change;
        }
        w->u[k][i] = t;
        w->z[i] = vselect(a->on, t, w->z[i]);
        w->g[i] = change;
    }
}

/* the H that would have made the error of column k what it should be, and what it costs */
kb_fn void seulex_sizes(seulex_attempt *a, int k)
{
    lane part = splat(1.0 / (k + 1)), least = vpow(splat(0.1), part);
    lane err = vmin(vmax(a->err * (1 / 0.6), splat(1e-30)), splat(1e30));
    lane factor = 0.93 / vpow(err, part);
    factor = vmax(0.25 * least, vmin(1.0 / least, factor));
    for (int j = 2; j > 0; j--) {
        a->size[j] = a->size[j - 1];
        a->effort[j] = a->effort[j - 1];
    }
    a->size[0] = a->h * factor;
    a->effort[0] = seulex_cost[k] / a->size[0];
}

/* of column `column`, which is k, k - 1 or k - 2 */
kb_fn lane seulex_of(const lane *x, lane column, int k)
{
    return vselect(column == (double)k, x[0], vselect(column == k - 1.0, x[1], x[2]));
}

/* the column to aim at after column k has been accepted */
kb_fn lane seulex_best(const seulex_persistent *persistent, const seulex_attempt *a, int k)
{
    const lane *e = a->effort;
    double more = k + 1 < SEULEX_LAST ? k + 1 : SEULEX_LAST - 1;
    if (k == 1)
        return splat(2);
    lane best = vselect(e[0] < 0.9 * e[1], splat(more), splat(k));
    best = vselect(e[1] < 0.7 * e[0], splat(k - 1), best);
    lane late = splat(k - 1), least = e[1]; /* one column more than aimed at */
    if (k > 2) {
        late = vselect(e[2] < 0.7 * e[1], splat(k - 2), late);
        least = vselect(e[2] < 0.7 * e[1], e[2], least);
    }
    late = vselect(e[0] < 0.9 * least, splat(fmin(k, more)), late);
    return vselect(persistent->target < (double)k, late, best);
}

/* order and H after column k has been accepted */
kb_fn void seulex_accept(seulex_persistent *persistent, seulex_attempt *a, mask done, int k)
{
    lane best = seulex_best(persistent, a, k), at = vmin(best, splat(k));
    lane next = seulex_of(a->size, at, k);
    mask early = (persistent->target > (double)k) & (a->effort[0] < 0.9 * a->effort[1]);
    double cost = seulex_cost[k < SEULEX_LAST ? k + 1 : k];
    double more = seulex_cost[k + 1 < SEULEX_LAST ? k + 2 : SEULEX_LAST];
    lane longer = next * vselect(early, splat(more), splat(cost)) / seulex_cost[k];
    next = vselect(best > (double)k, longer, next);
    mask again = persistent->rejected;
    a->next = vselect(done, vselect(again, vmin(a->h, seulex_of(a->size, at, k)), next), a->next);
    persistent->target = vselect(done, vselect(again, at, best), persistent->target);
    a->accept = a->accept | done;
}

/* order and H after column k has shown that the error will stay too large */
kb_fn void seulex_give_up(seulex_persistent *persistent, seulex_attempt *a, mask up, int k)
{
    lane at = vmin(persistent->target, splat(k));
    mask was = at == (double)k;
    lane here = vselect(was, a->effort[0], a->effort[1]);
    lane below = vselect(was, a->effort[1], a->effort[2]);
    at -= lane_count((at > 1.0) & (below < 0.7 * here));
    a->next = vselect(up, seulex_of(a->size, at, k), a->next);
    persistent->target = vselect(up, at, persistent->target);
}

/* what column k, 1 or more, decides */
kb_fn void seulex_judge(const kb_run *run, seulex_persistent *persistent, seulex_attempt *a, int k)
{
    mask fits = a->err <= 1.0, plain = not_(persistent->rejected | persistent->first | a->last);
    mask at = persistent->target == (double)k, above = persistent->target < (double)k;
    mask below = persistent->target == k + 1.0;
    int fixed = run->opt[SEULEX_COLUMNS] > 0;
    mask diverges = not_(a->err < a->limit);
    a->limit = vmax(4.0 * a->err, splat(1));
    seulex_sizes(a, k);
    mask early = persistent->first | a->last | (plain & below);
    mask hopeless = plain & below & (a->err > 4 * seulex_n[k + 1] * seulex_n[k + 2]);
    hopeless = hopeless | (at & (a->err > 2 * seulex_n[k + 1])) | above;
    if (fixed) {
        early = mask_none();
        hopeless = at;
    }
    a->on = a->on & not_(diverges);
    mask done = a->on & fits & (at | above | early), up = a->on & not_(fits) & hopeless;
    a->on = a->on & not_(done | up);
    if (lane_any(done))
        seulex_accept(persistent, a, done, k);
    if (lane_any(up))
        seulex_give_up(persistent, a, up, k);
    if (fixed)
        a->next = vselect(done | up, a->size[0], a->next);
}

/* before the first column */
kb_fn void seulex_begin(const kb_run *run, kb_ode *o, seulex_persistent *persistent,
                        seulex_attempt *a)
{
    a->h = clip_step(run, o);
    a->last = a->h >= run->dt - o->t;
    a->on = o->active;
    a->accept = a->outside = mask_none();
    a->limit = splat(1e15);
    a->next = KB_REFUSED * a->h;
    a->size[0] = 0.1 * a->h;
    a->effort[0] = splat(1e300); /* the first column alone is never chosen */
    a->size[1] = a->size[2] = a->effort[1] = a->effort[2] = splat(0);
    if (run->opt[SEULEX_COLUMNS] > 0)
        persistent->target = splat(fmax(1, run->opt[SEULEX_COLUMNS] - 1));
}

/* z is what the columns have come to */
kb_fn void seulex_end(const kb_run *run, kb_ode *o, seulex_persistent *persistent, seulex_work *w,
                      const seulex_attempt *a)
{
    each(i, N) w->y[i] = w->z[i];
    team_sync();
    mask valid = problem_valid(w->y), accept = a->accept & valid;
    o->h = vselect(valid, a->next, 0.5 * a->h);
    persistent->rejected = not_(accept);
    persistent->first = persistent->first & not_(accept);
    persistent->current = persistent->current & not_(accept);
    ode_fail(o, a->outside & not_(o->h > 1e-16 * run->dt), KB_ODE_BOUNDS);
    finish_step(run, o, a->h, accept, w->y, w->y0, N);
}

kb_fn void seulex_step(const kb_run *run, kb_ode *o, seulex_persistent *persistent, seulex_work *w)
{
    stage_storage(w, SEULEX_LAST + 1);
    seulex_attempt a;
    each(i, N) w->y0[i] = w->z[i] = w->y[i];
    seulex_linearise(run, o, persistent, w);
    first_substep(run, o, run->opt[SEULEX_H0], FIRST_CHANGE, w->f, w->y0);
    seulex_begin(run, o, persistent, &a);
    KB_NO_UNROLL for (int k = 0; k <= SEULEX_LAST && lane_any(a.on); k++)
    {
        seulex_factor(o, persistent, w, &a, k);
        if (!lane_any(a.on))
            break;
        seulex_euler(run, o, persistent, w, &a, k);
        seulex_extrapolate(w, &a, k);
        if (k > 0) {
            a.err = error_norm(run, w->g, w->y0, w->z);
            seulex_judge(run, persistent, &a, k);
        }
    }
    seulex_end(run, o, persistent, w, &a);
}

#define SEULEX_OPTIONS                                                                             \
    {{"h0", "first substep as a fraction of dt; 0: 4 sqrt(2)/||f||", 1, 0, 1, KB_REAL},            \
     {"columns", "of each substep, 2 at least, which are its order; 0: as many as pay", 0, 0,      \
      SEULEX_LAST + 1, KB_WHOLE},                                                                  \
     {"theta", "J is kept while a Newton iteration contracts by this and by rtol", 1e-4, 0, 1,     \
      KB_REAL},                                                                                    \
     KB_PASS_OPTION, KB_ATOLT_OPTION, {}}
#define SEULEX_INFO                                                                                \
    .source = "Hairer and Wanner, Solving ODEs II (1996), IV.9, code SEULEX",                      \
    .summary = "extrapolated linearly implicit Euler, exact sparse Jacobian", .order = 13,         \
    .rtol = 1e-4, .atol = 1e-10,                                                                   \
    .promise = {.kind = KB_EXTRAPOLATION,                                                          \
                .error = 4e-4, /* n columns have order n, also where Kaps is stiffest */           \
                .orders = {{0, 2, 32, "columns=2:theta=0"}, {0, 3, 16, "columns=3:theta=0"},       \
                           {0, 5, 8, "columns=5:theta=0"}, {1e-10, 3, 8, "columns=3:theta=0"},     \
                           {1e-10, 5, 16, "columns=5:theta=0"}},                                   \
                .inexact = {0, 5, 8, "columns=5:theta=0"}, .estimate = 2, .estimate_h = 0.02,      \
                .control = {1, 3, 1}, .stiff = {1, 6, 1}}
