/* SPDX-License-Identifier: MIT */
#define KB_PROBLEM "tests/order/problem_kaps.h"
#include "tests/order/order_radau2a.h"

/* Order 5 where eps/h is large or small; between the two the error has a term O(eps h^3). */
static void order(void **state)
{
    (void)state;
    check_order("radau2a, Kaps 1e-1", 5, 16, 1e-1, iterate_to_the_end);
    check_order("radau2a, Kaps 1e-4", 3, 16, 1e-4, iterate_to_the_end);
    check_order("radau2a, Kaps 1e-10", 5, 4, 1e-10, iterate_to_the_end);
}

static void step_control(void **state)
{
    (void)state;
    for (double eps = 1e-2; eps > 1e-7; eps /= 1000)
        for (double rtol = 1e-3; rtol > 1e-10; rtol /= 100) {
            double steps, e = adaptive(rtol, eps, &steps);
            print_message("radau2a, Kaps %g, %d lanes: rtol %g: %.0f attempts, error %.1e\n", eps,
                          KB_LANES, rtol, steps, e);
            assert_true(e <= 3 * pow(rtol, 0.8));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(order), cmocka_unit_test(step_control)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
