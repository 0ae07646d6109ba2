/* SPDX-License-Identifier: MIT */
#define KB_PROBLEM "tests/problem_smooth.h"
#define METHOD rkf45
#include "solvers/rkf45.h"
#include "order.h"

static void order(void **state)
{
    (void)state;
    check_order("rkf45", 4, 16, 0, NULL);
    check_order("rkf45", 4, 32, 0, NULL);
}

static void embedded(drive *d, double h, const rkf45_work *before, lane *e)
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
    check_estimate("rkf45", 5, 0.05, embedded, NULL);
}

static void step_control(void **state)
{
    (void)state;
    check_control("rkf45", 0.8, 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(order), cmocka_unit_test(error_estimate),
                                       cmocka_unit_test(step_control)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
