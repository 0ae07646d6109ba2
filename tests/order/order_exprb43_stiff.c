/* SPDX-License-Identifier: MIT */
#define KB_PROBLEM "tests/order/problem_kaps.h"
#define METHOD exprb43
#include "solvers/methods/exprb43.h"
#include "tests/order/order_exponential.h"

/* Order 4 where eps/h is large; 3 in the limit, by the stiff order conditions; less between the
 * two. The approximant is exact in the limit, where scaling and squaring loses digits. */
static void order(void **state)
{
    (void)state;
    check_order("exprb43, Kaps 1e-1", 4, 16, 1e-1, to_rounding);
    check_order("exprb43, Kaps 1e-4", 2, 8, 1e-4, rational);
    check_order("exprb43, Kaps 1e-10", 3, 4, 1e-10, rational);
}

/* the linear part is nearly all of this problem: errors are far below the tolerance */
static void step_control(void **state)
{
    (void)state;
    for (double eps = 1e-2; eps > 1e-7; eps /= 1000)
        for (double rtol = 1e-3; rtol > 2e-8; rtol /= 100) {
            double steps, e = adaptive(rtol, eps, &steps);
            print_message("exprb43, Kaps %g, %d lanes: rtol %g: %.0f attempts, error %.1e\n", eps,
                          KB_LANES, rtol, steps, e);
            assert_true(e <= rtol);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(order), cmocka_unit_test(step_control)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
