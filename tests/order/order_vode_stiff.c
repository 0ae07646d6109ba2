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

TESTS(NULL, NULL)
