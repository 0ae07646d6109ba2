/* SPDX-License-Identifier: MIT */
#define KB_PROBLEM "tests/order/problem_smooth.h"
#define METHOD rodas5p
#include "solvers/methods/rodas5p.h"
#include "tests/order/order.h"

static void order(void **state)
{
    (void)state;
    check_order("rodas5p", 5, 16, 0, NULL);
    check_order("rodas5p", 5, 32, 0, NULL);
}

static void embedded(drive *d, double h, const rodas5p_work *before, lane *e)
{
    (void)h, (void)before;
    memcpy(e, d->w->u[ROSENBROCK_STAGES - 1], sizeof d->w->u[0]);
}

static void error_estimate(void **state)
{
    (void)state;
    check_estimate("rodas5p", 5, 0.02, embedded, NULL);
}

static void step_control(void **state)
{
    (void)state;
    check_control("rodas5p", 1, 3, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(order), cmocka_unit_test(error_estimate),
                                       cmocka_unit_test(step_control)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
