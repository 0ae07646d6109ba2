/* SPDX-License-Identifier: MIT
 *
 * The column that SEULEX aims at next: at most one before the last, however much a further one
 * promises, and at least the first that has an estimate. So does the target of a first substep.
 */
#define KB_PROBLEM "tests/order/problem_smooth.h"
#define METHOD seulex
#include "tests/test.h"
#include "solvers/methods/seulex.h"
#include "tests/order/order.h"

/* after column k at this target, where these columns cost as much, the last one first */
static int after_costs(int target, int k, double last, double before, double first)
{
    seulex_persistent p = {.target = splat(target)};
    seulex_attempt a = {.effort = {splat(last), splat(before), splat(first)}};
    lane best = seulex_best(&p, &a, k);
    for (int l = 1; l < KB_LANES; l++)
        assert_true(lane_get(best, l) == lane_get(best, 0));
    return (int)lane_get(best, 0);
}

/* where each column costs `ratio` of the one before it */
static int next_column(int target, int k, double ratio)
{
    return after_costs(target, k, ratio * ratio, ratio, 1);
}

TEST(targets)
{
    assert_int_equal(next_column(1, 1, 0.5), 2);
    for (int k = 2; k < SEULEX_LAST; k++) {
        assert_int_equal(next_column(k, k, 0.5), k + 1 < SEULEX_LAST ? k + 1 : k);
        assert_int_equal(next_column(k, k, 0.95), k);
        assert_int_equal(next_column(k, k, 2), k - 1);
    }
    for (int k = 3; k <= SEULEX_LAST; k++) {
        assert_int_equal(next_column(k - 1, k, 0.5), k < SEULEX_LAST ? k : k - 1);
        assert_int_equal(next_column(k - 1, k, 0.95), k - 1);
        assert_int_equal(next_column(k - 1, k, 2), k - 2);
        /* the last one against the cheaper of those before it */
        assert_int_equal(after_costs(k - 1, k, 0.8, 2, 1), k < SEULEX_LAST ? k : k - 1);
        assert_int_equal(after_costs(k - 1, k, 0.95, 2, 1), k - 2);
    }
}

/* after the first column, H for the next: longer by the cost of one column more, or of two if a
 * substep that aimed further was accepted early and the first column costs much less than it did */
TEST(next_length)
{
    static const struct { double target, effort; int columns; } list[] = {
        {1, 0.1, 1}, {2, 0.95, 1}, {2, 0.85, 2}, {1, 0.85, 1}, {3, 0.1, 2}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        seulex_persistent p = {.target = splat(list[i].target)};
        seulex_attempt a = {.effort = {splat(list[i].effort), splat(1), splat(9)},
                            .size = {splat(2), splat(3), splat(5)}, .h = splat(7)};
        seulex_accept(&p, &a, not_(mask_none()), 1);
        double right = 2 * seulex_cost[1 + list[i].columns] / seulex_cost[1];
        for (int l = 0; l < KB_LANES; l++) {
            assert_true(fabs(lane_get(a.next, l) / right - 1) < 1e-14);
            assert_true(lane_get(p.target, l) == 2 && mask_get(a.accept, l));
        }
    }
}

/* one more for each 1.7 digits of the tolerance, within the same limits */
TEST(first_target)
{
    for (double digits = 0; digits < 24; digits += 0.5) {
        kb_run run = {.rtol = pow(10, -digits)};
        kb_ode o = {0};
        seulex_persistent p = {0};
        seulex_init(&run, &o, &p, NULL, not_(mask_none()));
        double target = fmax(1, fmin(SEULEX_LAST - 1, floor(0.5 + 0.6 * digits)));
        assert_true(fabs(lane_get(p.target, 0) - target) < 1e-12);
    }
}

TESTS(NULL, NULL)
