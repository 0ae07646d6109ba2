/* SPDX-License-Identifier: MIT
 *
 * Runs one method on a problem with a known solution: fixed steps for the order, the method's own
 * for the step control. The including file defines KB_PROBLEM, METHOD (rkck ...) and includes the
 * method. Assertions print the method, the value and its bound.
 * Lane l starts at time l/10 of the solution, so that no lane does what its neighbour does.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tests/larger.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define METHOD_work JOIN(METHOD, _work)
#define METHOD_persistent JOIN(METHOD, _persistent)
#define METHOD_init JOIN(METHOD, _init)
#define METHOD_step JOIN(METHOD, _step)

typedef struct {
    kb_run run;
    kb_ode o;
    METHOD_persistent persistent;
    METHOD_work *w;
} drive;

/* the including file may define OPTIONS, the method's table, to run with its defaults; else all are
 * 0 */
#ifndef OPTIONS
#define OPTIONS {{}}
#endif
static const kb_option options[] = OPTIONS;

static double start_time(int l) { return 0.1 * l; }

static mask all_lanes(void)
{
    mask m = mask_none();
    for (int l = 0; l < KB_LANES; l++)
        mask_put(&m, l, 1);
    return m;
}

/* lanes that have no ODE are as the first one that has */
__attribute__((unused)) static void park(drive *d)
{
    int from = 0;
    while (from < KB_LANES - 1 && !mask_get(d->o.active, from))
        from++;
    for (int l = 0; l < KB_LANES; l++) {
        if (mask_get(d->o.active, l))
            continue;
        for (int i = 0; i < N; i++)
            lane_put(&d->w->y[i], l, lane_get(d->w->y[i], from));
        lane_put(&d->o.t, l, lane_get(d->o.t, from));
        lane_put(&d->o.h, l, lane_get(d->o.h, from));
    }
}

static drive start(double dt, double rtol, double atol, double parameter)
{
    drive d = {.run = {.dt = dt, .rtol = rtol, .atol = atol, .max_substeps = 1e6}};
    for (int k = 0; options[k].name; k++)
        d.run.opt[k] = options[k].value;
    d.run.opt[7] = parameter;
    size_t size = (sizeof *d.w + 63) / 64 * 64;
    d.w = memset(aligned_alloc(64, size), 0, size);
    d.o.active = all_lanes();
#ifdef KB_FORCED
    static lane forcing[N];
    for (int i = 0; i < N; i++)
        forcing[i] = splat(part[i]);
    d.o.forcing = forcing;
#endif
    for (int l = 0; l < KB_LANES; l++) {
        lane y[N];
        exact(start_time(l), y);
        for (int i = 0; i < N; i++)
            lane_put(&d.w->y[i], l, lane_get(y[i], l));
    }
    METHOD_init(&d.run, &d.o, &d.persistent, d.w, all_lanes());
    return d;
}

/* at the end: the worst error of all lanes and components */
static double finish(drive *d)
{
    double worst = 0;
    for (int l = 0; l < KB_LANES; l++) {
        lane y[N];
        assert_true(lane_get(d->o.t, l) == d->run.dt);
        assert_true(lane_get(d->o.status, l) == 0);
        exact(start_time(l) + d->run.dt, y);
        for (int i = 0; i < N; i++)
            worst = larger(worst, fabs(lane_get(d->w->y[i], l) - lane_get(y[i], l)));
    }
    free(d->w);
    return worst;
}

/* called before each fixed step: what the method needs to take exactly that one */
typedef void (*prepare_step)(drive *d, double h);

/* n equal steps to t = 1, whatever their error */
static inline double fixed_steps(int n, double parameter, prepare_step prepare)
{
    drive d = start(1, 1e20, 1e20, parameter);
    for (int k = 0; k < n; k++) {
        d.o.h = splat(k < n - 1 ? 1.0 / n : 1);
        if (prepare)
            prepare(&d, 1.0 / n);
        METHOD_step(&d.run, &d.o, &d.persistent, d.w);
    }
    for (int l = 0; l < KB_LANES; l++)
        assert_true(lane_get(d.o.attempted, l) == n && lane_get(d.o.accepted, l) == n);
    return finish(&d);
}

/* fails with what was measured and its bound where it is not at least that, or not at most */
static inline void at_least(const char *what, const char *value, double x, double bound)
{
    if (!(x >= bound))
        fail_msg("%s: %s is %.4g, at least %.4g is promised", what, value, x, bound);
}

static inline void at_most(const char *what, const char *value, double x, double bound)
{
    if (!(x <= bound))
        fail_msg("%s: %s is %.4g, at most %.4g is promised", what, value, x, bound);
}

/* error of n steps over that of 2n is 2^order */
static inline void check_order(const char *what, double order, int n, double parameter,
                               prepare_step prepare)
{
    double coarse = fixed_steps(n, parameter, prepare);
    double fine = fixed_steps(2 * n, parameter, prepare), observed = log2(coarse / fine);
    print_message("%s, %d lanes: errors %.2e, %.2e with %d, %d steps: order %.2f\n", what, KB_LANES,
                  coarse, fine, n, 2 * n, observed);
    at_least(what, "the error, which must stay above rounding,", fine, 1e-14);
    at_least(what, "the order", observed, order - 0.2);
}

/* the method's estimate of one step of size h [N], after that step */
typedef void (*estimate_step)(drive *d, double h, const METHOD_work *before, lane *e);

static inline double estimate(double h, estimate_step of, prepare_step prepare)
{
    drive d = start(1, 1e20, 1e20, 0);
    METHOD_work *before = aligned_alloc(64, (sizeof *before + 63) / 64 * 64);
    lane e[N];
    d.o.h = splat(h);
    if (prepare)
        prepare(&d, h);
    memcpy(before, d.w, sizeof *before);
    METHOD_step(&d.run, &d.o, &d.persistent, d.w);
    of(&d, h, before, e);
    double worst = 0;
    for (int l = 0; l < KB_LANES; l++)
        for (int i = 0; i < N; i++)
            worst = larger(worst, fabs(lane_get(e[i], l)));
    free(before);
    free(d.w);
    return worst;
}

/* the estimate of one step falls as h^power, power the order of the estimating method plus one */
static inline void check_estimate(const char *what, double power, double h, estimate_step of,
                                  prepare_step prepare)
{
    double coarse = estimate(h, of, prepare), fine = estimate(h / 2, of, prepare);
    double observed = log2(coarse / fine);
    print_message("%s, %d lanes: estimates %.2e, %.2e: h^%.2f\n", what, KB_LANES, coarse, fine,
                  observed);
    at_most(what, "the power of h less the promised one", fabs(observed - power), 0.2);
}

/* the method's own steps to t = 1 */
static inline double adaptive(double rtol, double parameter, double *steps)
{
    drive d = start(1, rtol, rtol, parameter);
    for (*steps = 0; lane_any(d.o.active) && *steps < 1e5; (*steps)++) {
        METHOD_step(&d.run, &d.o, &d.persistent, d.w);
        d.o.active = d.o.active & (d.o.t < d.run.dt) & (d.o.status == 0.0);
    }
    return finish(&d);
}

/* The global error is at most limit rtol^power; steady: a tolerance 100 times tighter takes it
 * below 0.3 of what it was, or of a hundredth of the tolerance: an error far below that is luck. */
static inline void check_control(const char *what, kb_control c, double parameter)
{
    double before = INFINITY;
    for (double rtol = 1e-3; rtol > (c.steady ? 2e-8 : 1e-10); rtol /= 100) {
        double steps, e = adaptive(rtol, parameter, &steps);
        print_message("%s, %d lanes: rtol %g: %.0f attempts, error %.1e\n", what, KB_LANES, rtol,
                      steps, e);
        at_most(what, "the error", e, c.limit * pow(rtol, c.power));
        if (c.steady)
            at_most(what, "the error at a tolerance 100 times tighter", e, 0.3 * before);
        before = fmax(e, 0.01 * rtol);
    }
}
