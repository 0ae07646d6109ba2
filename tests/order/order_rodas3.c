/* SPDX-License-Identifier: MIT */
#define KB_PROBLEM "tests/order/problem_smooth.h"
#define METHOD rodas3
#include "solvers/methods/rodas3.h"
#include "tests/order/order.h"

static void order(void **state)
{
    (void)state;
    check_order("rodas3", 3, 64, 0, NULL);
    check_order("rodas3", 3, 128, 0, NULL);
}

static void embedded(drive *d, double h, const rodas3_work *before, lane *e)
{
    (void)h, (void)before;
    memcpy(e, d->w->u[ROSENBROCK_STAGES - 1], sizeof d->w->u[0]);
}

static void error_estimate(void **state)
{
    (void)state;
    check_estimate("rodas3", 3, 0.02, embedded, NULL);
}

static void step_control(void **state)
{
    (void)state;
    check_control("rodas3", 1, 3, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(order), cmocka_unit_test(error_estimate),
                                       cmocka_unit_test(step_control)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
