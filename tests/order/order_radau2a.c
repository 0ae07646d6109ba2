/* SPDX-License-Identifier: MIT */
#define KB_PROBLEM "tests/order/problem_smooth.h"
#include "tests/order/order_radau2a.h"

static void order(void **state)
{
    (void)state;
    check_order("radau2a", 5, 8, 0, iterate_to_the_end);
    check_order("radau2a", 5, 16, 0, iterate_to_the_end);
}

/* the filtered estimate of Hairer and Wanner, Eq. IV.8.19 */
static void embedded(drive *d, double h, const radau2a_work *before, lane *e)
{
    (void)h, (void)before;
    memcpy(e, d->w->g[0], sizeof d->w->g[0]);
}

static void error_estimate(void **state)
{
    (void)state;
    check_estimate("radau2a", 4, 0.05, embedded, iterate_to_the_end);
}

/* error against RTOL' = 0.1 rtol^(2/3), and against rtol itself */
static void step_control(void **state)
{
    (void)state;
    check_control("radau2a", 0.7, 3, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(order), cmocka_unit_test(error_estimate),
                                       cmocka_unit_test(step_control)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
