/* SPDX-License-Identifier: MIT */
#define KB_PROBLEM "tests/order/problem_kaps.h"
#define METHOD rkc
#include "tests/test.h"
#include "solvers/methods/rkc.h"
#include "tests/order/order.h"

/* a method of order 2: the global error goes with the tolerance to 2/3 */
TEST(step_control)
{
    for (double eps = 1; eps > 1e-5; eps /= 100)
        check_control("rkc, Kaps", (kb_control){2.0 / 3, 10, 1}, eps);
}

TESTS(NULL, NULL)
