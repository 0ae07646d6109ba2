/* SPDX-License-Identifier: MIT */
#define KB_PROBLEM "tests/order/problem_kaps.h"
#define METHOD rodas5p
#include "solvers/methods/rodas5p.h"
#include "tests/order/order.h"

/* Of order 5 in the differential-algebraic limit too; between the two the error has a term O(eps
 * h^2). */
static void order(void **state)
{
    (void)state;
    check_order("rodas5p, Kaps 1e-1", 5, 64, 1e-1, NULL);
    check_order("rodas5p, Kaps 1e-5", 2, 16, 1e-5, NULL);
    check_order("rodas5p, Kaps 1e-12", 5, 4, 1e-12, NULL);
}

static void step_control(void **state)
{
    (void)state;
    for (double eps = 1e-2; eps > 1e-7; eps /= 1000)
        check_control("rodas5p, Kaps", 1, 3, eps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(order), cmocka_unit_test(step_control)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
