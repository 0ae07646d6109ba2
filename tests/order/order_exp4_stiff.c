/* SPDX-License-Identifier: MIT */
#define KB_PROBLEM "tests/order/problem_kaps.h"
#define METHOD exp4
#include "solvers/methods/exp4.h"
#include "tests/order/order_exponential.h"

/* Order 4 where eps/h is large; 3 in the limit, by the stiff order conditions; less between the
 * two. The approximant is exact in the limit, where scaling and squaring loses digits. */
static void order(void **state)
{
    (void)state;
    check_order("exp4, Kaps 1e-1", 4, 16, 1e-1, to_rounding);
    check_order("exp4, Kaps 1e-4", 2, 8, 1e-4, rational);
    check_order("exp4, Kaps 1e-10", 3, 4, 1e-10, rational);
}

static void step_control(void **state)
{
    (void)state;
    for (double eps = 1e-2; eps > 1e-7; eps /= 1000)
        check_control("exp4, Kaps", 1, 5, eps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(order), cmocka_unit_test(step_control)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
