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
 * belongs to a mild problem, which has become a stiff one. */
TEST(divergence)
{
    drive d = start(1, 1e-4, 1e-4, 1);
    double before[KB_LANES], accepted[KB_LANES];
    while (lane_get(d.o.t, 0) < 0.3)
        METHOD_step(&d.run, &d.o, &d.persistent, d.w);
    for (int l = 0; l < KB_LANES; l++) {
        before[l] = lane_get(d.o.rhs, l);
        accepted[l] = lane_get(d.o.accepted, l);
    }
    d.run.opt[7] = 1e-6;
    METHOD_step(&d.run, &d.o, &d.persistent, d.w);
    for (int l = 0; l < KB_LANES; l++)
        assert_true(lane_get(d.o.rhs, l) == before[l] + 2 &&
                    lane_get(d.o.accepted, l) == accepted[l]);
    free(d.w);
}

TESTS(NULL, NULL)
