/* SPDX-License-Identifier: MIT
 *
 * The explicit first pass at its limits, on y_i' = a_i y_i from 1, |a_i| up to lambda: with
 * x = dt lambda it goes 1/sqrt(rtol) of the tolerance at most, its error is x^2/2, and its growth
 * passes where x^2 <= 1 + x + 1e-4 atol.
 */
#define KB_PROBLEM "tests/order/problem_linear.h"
#define METHOD rkc
#include "tests/test.h"
#include "solvers/methods/rkc.h"
#include "solvers/methods/first_pass.h"
#include "tests/order/order.h"

/* does it pass? If it does the end is that of Heun's method, else the start */
static int passes(double x, double rtol, double atol)
{
    kb_run run = {.dt = 0.5, .rtol = rtol, .atol = atol};
    kb_ode o = {.active = all_lanes()};
    kb_owned pass_work *w = aligned_alloc(64, (sizeof *w + 63) / 64 * 64);
    run.opt[7] = -2 * x; /* it grows */
    for (int i = 0; i < N; i++)
        w->y[i] = splat(1);
    mask done = pass_step(&run, &o, w, all_lanes());
    int yes = mask_get(done, 0) != 0;
    for (int l = 0; l < KB_LANES; l++) {
        assert_int_equal(mask_get(done, l) != 0, yes);
        assert_true(lane_get(o.t, l) == (yes ? run.dt : 0));
        assert_true(lane_get(o.accepted, l) == yes && lane_get(o.attempted, l) == yes);
        for (int i = 0; i < N; i++) {
            double z = x * (i + 1) / N, end = yes ? 1 + z + z * z / 2 : 1;
            assert_true(fabs(lane_get(w->y[i], l) - end) <= 1e-14 * end);
        }
    }
    return yes;
}

static void limit(double x, double rtol, double atol)
{
    if (!passes(0.99 * x, rtol, atol) || passes(1.01 * x, rtol, atol))
        fail_msg("rtol %g, atol %g: the limit is not at dt lambda = %g", rtol, atol, x);
}

TEST(limits)
{
    limit((1 + sqrt(5)) / 2, 10, 0); /* growth */
    limit(2, 1e-2, 1e4);             /* growth above the floor */
    limit(0.1, 1e-12, 0.005);        /* error, absolute */
    limit(0.1, 1e-2, 0);             /* how far it goes at all */
}

/* odd lanes, which would go too far, are where they begin when f is evaluated for the others */
TEST(lanes_that_are_left)
{
    kb_run run = {.dt = 0.5, .rtol = 1e-2, .atol = 1, .opt[7] = -2000};
    kb_ode o = {.active = all_lanes()};
    kb_owned pass_work *w = aligned_alloc(64, (sizeof *w + 63) / 64 * 64);
    for (int i = 0; i < N; i++)
        for (int l = 0; l < KB_LANES; l++)
            lane_put(&w->y[i], l, l % 2 ? 1e3 : 1e-3);
    assert_false(lane_any(pass_step(&run, &o, w, all_lanes())));
    for (int l = 0; l < KB_LANES; l++)
        for (int i = 0; i < N; i++)
            assert_true((lane_get(w->g[i], l) == lane_get(w->f[i], l)) == l % 2);
}

TESTS(NULL, NULL)
