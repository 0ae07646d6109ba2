/* SPDX-License-Identifier: MIT */
#define KB_PROBLEM "tests/order/problem_smooth.h"
#define METHOD exprb43
#include "solvers/methods/exprb43.h"
#include "tests/order/order_exponential.h"

static void order(void **state)
{
    (void)state;
    check_order("exprb43", 4, 16, 0, to_rounding);
    check_order("exprb43", 4, 32, 0, to_rounding);
    check_order("exprb43, approximant", 4, 8, 0, rational);
}

static void error_estimate(void **state)
{
    (void)state;
    check_estimate("exprb43", 4, 0.05, embedded, to_rounding);
}

static void step_control(void **state)
{
    (void)state;
    check_control("exprb43", 1, 5, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(order), cmocka_unit_test(error_estimate),
                                       cmocka_unit_test(step_control)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
