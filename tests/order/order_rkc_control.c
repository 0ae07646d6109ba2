/* SPDX-License-Identifier: MIT */
#define KB_PROBLEM "tests/order/problem_kaps.h"
#define METHOD rkc
#include "solvers/methods/rkc.h"
#include "tests/order/order.h"

/* a method of order 2: the global error goes with the tolerance to 2/3 */
static void step_control(void **state)
{
    (void)state;
    for (double eps = 1; eps > 1e-5; eps /= 100)
        check_control("rkc, Kaps", (kb_control){2.0 / 3, 10, 1}, eps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(step_control)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
