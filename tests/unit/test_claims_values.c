/* SPDX-License-Identifier: MIT
 *
 * Values of claims' queries: intervals of operations and functions worked out by hand, functions
 * that join points of different work, numbers in selectors.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "rows/select.h"
#include "rows/value.h"

#define NEAR(a, b) assert_true(fabs((a) - (b)) <= 1e-12 * fabs(b))

static void is(const kb_point *p, double v, double lo, double hi)
{
    NEAR(p->v, v);
    NEAR(p->lo, lo);
    NEAR(p->hi, hi);
}

static kb_point combined(char op, kb_point a, kb_point b)
{
    kb_value out, x = {.n = 1, .p = &a}, y = {.n = 1, .p = &b};
    kb_combine(op, &x, &y, &out);
    kb_point p = out.p[0];
    kb_value_free(&out);
    return p;
}

static void intervals_of_operations(void **state)
{
    const kb_point a = {.v = 6, .lo = 4, .hi = 8}, b = {.v = 2, .lo = 1, .hi = 4};
    const kb_point below = {.v = -2, .lo = -4, .hi = -1};
    (void)state;
    kb_point p = combined('+', a, b);
    is(&p, 8, 5, 12);
    p = combined('-', a, b);
    is(&p, 4, 0, 7);
    p = combined('*', a, below);
    is(&p, -12, -32, -4);
    p = combined('/', a, b);
    is(&p, 3, 1, 8);
    p = combined('/', a, below);
    is(&p, -3, -8, -1);
    p = combined('^', a, b);
    is(&p, 36, 4, 4096);
}

/* a quotient by an interval that holds 0 may be anything, also where 0 is one of its ends */
static void division_by_an_interval_through_zero(void **state)
{
    const kb_point a = {.v = 6, .lo = 4, .hi = 8};
    const kb_point through[] = {{.v = 1, .lo = -1, .hi = 2}, {.v = 1, .lo = 0, .hi = 2},
                                {.v = -1, .lo = -2, .hi = 0}};
    (void)state;
    for (int i = 0; i < 3; i++) {
        kb_point p = combined('/', a, through[i]);
        assert_true(p.v == 6 / through[i].v && p.lo == -INFINITY && p.hi == INFINITY);
    }
}

/* Twice the time at four times the n is a slope of 1/2. The upper end of the slope comes from the
 * lower end of the first time and the upper one of the second. */
static void interval_of_a_slope(void **state)
{
    kb_point p[] = {{.x = 1, .v = 1, .lo = 0.5, .hi = 2}, {.x = 4, .v = 2, .lo = 1, .hi = 8}};
    kb_point n[] = {{.v = 2, .lo = 2, .hi = 2}, {.v = 8, .lo = 8, .hi = 8}};
    kb_value one[] = {{.curve = true, .n = 2, .p = p}, {0}, {0}};
    kb_value over_list[] = {{.curve = true, .n = 2, .p = p}, {.curve = true, .n = 2, .p = n}, {0}};
    kb_value out;
    double spread;
    (void)state;
    assert_null(kb_reduce("slope", one, &out, &spread));
    is(out.p, 0.5, -0.5, 2);
    kb_value_free(&out);
    assert_null(kb_reduce("slope", over_list, &out, &spread));
    is(out.p, 0.5, -0.5, 2);
    kb_value_free(&out);
}

/* the places of a list are 1, 2, ...: log 0 is no place */
static void slope_of_a_list(void **state)
{
    kb_point ten = {.v = 10, .lo = 10, .hi = 10}, twenty = {.v = 20, .lo = 20, .hi = 20};
    kb_value parts[] = {{.n = 1, .p = &ten}, {.n = 1, .p = &twenty}, {0}}, list, out;
    double spread;
    (void)state;
    assert_null(kb_reduce("list", parts, &list, &spread));
    assert_true(list.curve && list.n == 2 && list.p[0].x == 1 && list.p[1].x == 2);
    kb_value argument[] = {list, {0}, {0}};
    assert_null(kb_reduce("slope", argument, &out, &spread));
    is(out.p, 1, 1, 1);
    kb_value_free(&out);
    kb_value_free(&list);
}

/* The guard "work" looks at the functions that put points of several x together: all but those that
 * take one of them out or work on each. */
static void work_of_points_that_are_joined(void **state)
{
    static const char *const joining[] = {"max", "min", "mean", "sum", "cross", "slope", "rise",
                                          "fall", "trend"};
    static const char *const others[] = {"first", "last", "mode", "xmin", "xmax", "sqrt", "floor",
                                         "log"};
    kb_point p[] = {{.x = 1, .v = 1, .lo = 1, .hi = 1, .work = 10},
                    {.x = 4, .v = 2, .lo = 2, .hi = 2, .work = 0}, /* not known */
                    {.x = 8, .v = 4, .lo = 4, .hi = 4, .work = 15}};
    kb_value argument[] = {{.curve = true, .n = 3, .p = p}, {0}, {0}}, out;
    double spread;
    (void)state;
    for (size_t i = 0; i < sizeof joining / sizeof *joining; i++) {
        assert_null(kb_reduce(joining[i], argument, &out, &spread));
        NEAR(spread, 1.5);
        kb_value_free(&out);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_null(kb_reduce(others[i], argument, &out, &spread));
        assert_true(spread == 1);
        kb_value_free(&out);
    }
}

static bool holds(const char *selector, const char *text)
{
    kb_selects s = {0};
    const char *wrong = kb_select_add(&s, "cells", selector, strlen(selector));
    if (wrong)
        fail_msg("%s: %s", selector, wrong);
    bool answer = kb_select_holds(&s.of[0], 0, text);
    kb_selects_free(&s);
    return answer;
}

/* numbers are equal within 1e-9 of the one asked for, however they are written */
static void numbers_in_selectors(void **state)
{
    (void)state;
    assert_true(holds("n=1000", "1000") && holds("n=1000", "1e3") && holds("dt=1e-6", "1e-06"));
    assert_true(holds("n=1000", "1000.0000005") && !holds("n=1000", "1000.000002"));
    assert_false(holds("n=1000", "1001") || holds("n=1000", "999"));
    assert_true(holds("n!=1000", "1001") && !holds("n!=1000", "1000.0000005"));
    assert_true(holds("n<1000", "999") && !holds("n<1000", "1000") && !holds("n<1000", "1001"));
    assert_true(holds("n<=1000", "1000") && !holds("n<=1000", "1001"));
    assert_true(holds("n>1000", "1001") && !holds("n>1000", "1000") && !holds("n>1000", "999"));
    assert_true(holds("n>=1000", "1000") && !holds("n>=1000", "999"));
    assert_true(!holds("n<1000", "few") && !holds("n>1000", "") && holds("solver=a", "a"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_of_operations),
        cmocka_unit_test(division_by_an_interval_through_zero),
        cmocka_unit_test(interval_of_a_slope),
        cmocka_unit_test(slope_of_a_list),
        cmocka_unit_test(work_of_points_that_are_joined),
        cmocka_unit_test(numbers_in_selectors)};
    return cmocka_run_group_tests_name("claims, values", tests, NULL, NULL);
}
