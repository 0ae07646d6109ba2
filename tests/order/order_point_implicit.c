/* SPDX-License-Identifier: MIT */
#define KB_PROBLEM "tests/order/problem_smooth.h"
#define METHOD point_implicit
#include "tests/test.h"
#include "solvers/methods/point_implicit.h"
#include "tests/order/order.h"

/* the option alone sets the steps, whatever the tolerance */
TEST(equal_steps)
{
    for (int n = 0; n <= 49; n += 7) {
        drive d = start(1, 1e-12, 1e-12, 0);
        d.run.opt[0] = n;
        METHOD_init(&d.run, &d.o, &d.persistent, d.w, all_lanes());
        for (int k = 0; k < (n ? n : 1); k++) {
            METHOD_step(&d.run, &d.o, &d.persistent, d.w);
            assert_true(fabs(lane_get(d.o.t, 0) * (n ? n : 1) - (k + 1)) < 1e-9);
        }
        for (int l = 0; l < KB_LANES; l++)
            assert_true(lane_get(d.o.accepted, l) == (n ? n : 1));
        finish(&d);
    }
}

/* a lane whose state becomes impossible keeps the old one and says why; its neighbours go on */
TEST(failure)
{
    drive d = start(1, 1e-6, 1e-6, 0);
    METHOD_init(&d.run, &d.o, &d.persistent, d.w, all_lanes());
    lane_put(&d.w->y[1], 0, NAN);
    METHOD_step(&d.run, &d.o, &d.persistent, d.w);
    for (int l = 0; l < KB_LANES; l++) {
        assert_true(lane_get(d.o.status, l) == (l ? 0 : KB_ODE_NOT_FINITE));
        assert_true(lane_get(d.o.accepted, l) == (l ? 1 : 0));
    }
    free(d.w);
}

TESTS(NULL, NULL)
