/* SPDX-License-Identifier: MIT */
#define KB_PROBLEM "tests/order/problem_kaps.h"
#define METHOD rodas4
#include "solvers/methods/rodas4.h"
#include "tests/order/order.h"

/* Stiffly accurate, and of order 4 in the differential-algebraic limit too. Between the two the
 * error has a term O(eps h^2). */
static void order(void **state)
{
    (void)state;
    check_order("rodas4, Kaps 1e-2", 4, 16, 1e-2, NULL);
    check_order("rodas4, Kaps 1e-5", 2, 16, 1e-5, NULL);
    check_order("rodas4, Kaps 1e-10", 4, 16, 1e-10, NULL);
}

static void step_control(void **state)
{
    (void)state;
    for (double eps = 1e-2; eps > 1e-7; eps /= 1000)
        check_control("rodas4, Kaps", 1, 3, eps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(order), cmocka_unit_test(step_control)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
