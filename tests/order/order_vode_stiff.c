/* SPDX-License-Identifier: MIT */
#define KB_PROBLEM "tests/order/problem_kaps.h"
#include "tests/test.h"
#include "tests/order/order_vode.h"

/* BDF keep their order however stiff the problem is, and up to order 5 on a stiff decay. */
TEST(order)
{
    for (double eps = 1e-2; eps > 1e-11; eps /= 1e4)
        for (fixed_order = 1; fixed_order <= VODE_Q; fixed_order++) {
            char what[64];
            snprintf(what, sizeof what, "vode, Kaps %g, order %d", eps, fixed_order);
            check_order(what, fixed_order, 24, eps, begin_at_order);
        }
}

/* An iteration whose increments more than double is given up, here at the second: the matrix
 * belongs to a mild problem, which has become a stiffer one. */
TEST(divergence)
{
    drive d = start(1, 1e-4, 1e-4, 1);
    while (lane_get(d.o.t, 0) < 0.3)
        METHOD_step(&d.run, &d.o, &d.persistent, d.w);
    const vode_work w = *d.w;
    const drive before = d;
    double least = INFINITY;
    for (double eps = 1; eps > 1e-6; eps *= 0.97) {
        d = before;
        *d.w = w;
        d.run.opt[VODE_NONLIN_COEF] = 1e-30; /* nor does it end before */
        d.run.opt[7] = eps;
        METHOD_step(&d.run, &d.o, &d.persistent, d.w);
        for (int l = 0; l < KB_LANES; l++) {
            double rhs = lane_get(d.o.rhs, l) - lane_get(before.o.rhs, l);
            assert_true(rhs == 2 || rhs == 3);
            assert_true(lane_get(d.o.accepted, l) == lane_get(before.o.accepted, l));
            if (rhs == 2) /* rate: of the last two increments */
                least = fmin(least, lane_get(d.persistent.rate, l));
        }
    }
    print_message("given up where increments grow to %.3f times\n", least);
    assert_true(least > 2 && least < 2.2);
    free(d.w);
}

TESTS(NULL, NULL)
