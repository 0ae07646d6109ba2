/* SPDX-License-Identifier: MIT
 *
 * The order tests of an embedded explicit Runge-Kutta method of orders 4 and 5. The including file
 * includes the method and defines METHOD, its name, and what it promises:
 *   ORDER            of the solution that it goes on with
 *   FEWEST           steps to t = 1 at which that shows
 *   POWER, LIMIT     of check_control
 */
#include "tests/order/order.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

static void order(void **state)
{
    (void)state;
    check_order(TEXT(METHOD), ORDER, FEWEST, 0, NULL);
    check_order(TEXT(METHOD), ORDER, 2 * FEWEST, 0, NULL);
}

/* h sum_s e_s k_s, the difference of the two solutions */
static void embedded(drive *d, double h, const METHOD_work *before, lane *e)
{
    (void)before;
    for (int i = 0; i < N; i++) {
        e[i] = splat(0);
        for (int s = 0; s < EXPLICIT_STAGES; s++)
            e[i] += h * explicit_e[s] * d->w->k[s][i];
    }
}

static void error_estimate(void **state)
{
    (void)state;
    check_estimate(TEXT(METHOD), 5, 0.05, embedded, NULL);
}

static void step_control(void **state)
{
    (void)state;
    check_control(TEXT(METHOD), POWER, LIMIT, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(order), cmocka_unit_test(error_estimate),
                                       cmocka_unit_test(step_control)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
