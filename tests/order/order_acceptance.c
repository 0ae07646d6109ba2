/* SPDX-License-Identifier: MIT
 *
 * A step of RODAS4 is accepted where its error estimate is at most the tolerance, and not where it
 * is three times as large.
 */
#define KB_PROBLEM "tests/order/problem_smooth.h"
#define METHOD rodas4
#include "tests/test.h"
#include "solvers/methods/rodas4.h"
#define OPTIONS RODAS4_OPTIONS
#include "tests/order/order.h"

enum { H0 };

/* one step over all of dt */
static drive first_step(double tolerance)
{
    drive d = start(0.3, tolerance, tolerance, 0);
    d.run.opt[H0] = 1;
    METHOD_step(&d.run, &d.o, &d.persistent, d.w);
    return d;
}

/* is that step of lane l accepted at this tolerance? */
static int accepted(double tolerance, int l)
{
    drive d = first_step(tolerance);
    assert_true(lane_get(d.o.attempted, l) == 1);
    int yes = lane_get(d.o.accepted, l) == 1;
    free(d.w);
    return yes;
}

TEST(at_its_estimate)
{
    drive d = first_step(1);
    lane estimate = error_norm(&d.run, rosenbrock_error(d.w), d.w->y0, d.w->y);
    free(d.w);
    for (int l = 0; l < KB_LANES; l++) {
        double e = lane_get(estimate, l);
        assert_true(e > 1e-9 && e < 1);
        assert_true(accepted(1.1 * e, l));
        assert_false(accepted(e / 1.1, l));
        assert_false(accepted(e / 3, l));
    }
}

TESTS(NULL, NULL)
