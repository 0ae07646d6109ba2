/* SPDX-License-Identifier: MIT */
#define KB_PROBLEM "tests/order/problem_smooth.h"
#define METHOD exp4
#include "solvers/methods/exp4.h"
#include "tests/order/order_exponential.h"

static void order(void **state)
{
    (void)state;
    check_order("exp4", 4, 16, 0, to_rounding);
    check_order("exp4", 4, 32, 0, to_rounding);
    check_order("exp4, approximant", 4, 8, 0, rational);
}

static void error_estimate(void **state)
{
    (void)state;
    check_estimate("exp4", 4, 0.05, embedded, to_rounding);
}

static void step_control(void **state)
{
    (void)state;
    check_control("exp4", 1, 5, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(order), cmocka_unit_test(error_estimate),
                                       cmocka_unit_test(step_control)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
