/* SPDX-License-Identifier: MIT */
#define KB_PROBLEM "tests/problem_kaps.h"
#include "order_radau2a.h"

/* Order 5 where eps is large against h and in the differential-algebraic limit; between the two the
 * error of y1 is O(h^3) times eps. */
static void order(void **state)
{
    (void)state;
    check_order("radau2a, Kaps 1e-2", 5, 16, 1e-2, iterate_to_the_end);
    check_order("radau2a, Kaps 1e-10", 5, 4, 1e-10, iterate_to_the_end);
}

static void step_control(void **state)
{
    (void)state;
    for (double eps = 1e-2; eps > 1e-7; eps /= 1000)
        check_control("radau2a, Kaps", 0.7, 3, eps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(order), cmocka_unit_test(step_control)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
