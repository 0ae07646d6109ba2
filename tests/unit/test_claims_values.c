/* SPDX-License-Identifier: MIT
 *
 * Values of claims' queries: intervals of operations and functions worked out by hand, functions
 * that join points of different work, numbers in selectors.
 */
#include "tests/test.h"
#include "rows/evaluate.h"
#include "rows/results.h"
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

TEST(intervals_of_operations)
{
    const kb_point a = {.v = 6, .lo = 4, .hi = 8}, b = {.v = 2, .lo = 1, .hi = 4};
    const kb_point below = {.v = -2, .lo = -4, .hi = -1};
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

/* A value is of a database, and a time has an error, until it is divided by another such one */
TEST(databases_and_errors_of_operations)
{
    kb_point six = {.v = 6, .lo = 6, .hi = 6};
    for (const char *op = "+-*/^"; *op; op++)
        for (int which = 0; which < 16; which++) {
            kb_value a = {.n = 1, .p = &six}, b = a, out;
            a.database = which & 1 ? "a" : NULL;
            b.database = which & 2 ? "b" : NULL;
            a.err = which & 4 ? 1e-5 : 0;
            b.err = which & 8 ? 2e-5 : 0;
            kb_combine(*op, &a, &b, &out);
            const char *database = *op == '/' && (which & 3) == 3 ? NULL
                                   : a.database ? a.database : b.database;
            double err = *op == '/' && (which & 12) == 12 ? 0 : a.err > 0 ? a.err : b.err;
            assert_ptr_equal(out.database, database);
            assert_true(out.err == err && out.n == 1 && !out.curve);
            kb_value_free(&out);
        }
}

/* a quotient by an interval that holds 0 may be anything, also where 0 is one of its ends */
TEST(division_by_an_interval_through_zero)
{
    const kb_point a = {.v = 6, .lo = 4, .hi = 8};
    const kb_point through[] = {{.v = 1, .lo = -1, .hi = 2}, {.v = 1, .lo = 0, .hi = 2},
                                {.v = -1, .lo = -2, .hi = 0}};
    for (int i = 0; i < 3; i++) {
        kb_point p = combined('/', a, through[i]);
        assert_true(p.v == 6 / through[i].v && p.lo == -INFINITY && p.hi == INFINITY);
    }
}

/* Twice the time at four times the n is a slope of 1/2. The upper end of the slope comes from the
 * lower end of the first time and the upper one of the second. */
TEST(interval_of_a_slope)
{
    kb_point p[] = {{.x = 1, .v = 1, .lo = 0.5, .hi = 2}, {.x = 4, .v = 2, .lo = 1, .hi = 8}};
    kb_point n[] = {{.v = 2, .lo = 2, .hi = 2}, {.v = 8, .lo = 8, .hi = 8}};
    kb_value one[] = {{.curve = true, .n = 2, .p = p}, {0}, {0}};
    kb_value over_list[] = {{.curve = true, .n = 2, .p = p}, {.curve = true, .n = 2, .p = n}, {0}};
    kb_value out;
    double spread;
    assert_null(kb_reduce("slope", one, &out, &spread));
    is(out.p, 0.5, -0.5, 2);
    kb_value_free(&out);
    assert_null(kb_reduce("slope", over_list, &out, &spread));
    is(out.p, 0.5, -0.5, 2);
    kb_value_free(&out);
}

/* Each function of a curve whose ends of an interval come from other rows than its value, and
 * whether what it gives is still of the curve's database */
TEST(intervals_of_functions)
{
    static const struct {
        const char *name;
        double argument[2];
        int arguments; /* besides the curve */
        double v, lo, hi;
        bool keeps;
    } all[] = {
        {"max", {0}, 0, 8, 7, 12, true},
        {"min", {0}, 0, 3, 1, 5, true},
        {"mean", {0}, 0, 5, 10 / 3.0, 26 / 3.0, true},
        {"sum", {0}, 0, 15, 10, 26, true},
        {"first", {0}, 0, 4, 2, 5, true},
        {"last", {0}, 0, 8, 7, 9, true},
        {"at", {2}, 1, 3, 1, 12, true},
        {"near", {1.5}, 1, 3, 1, 12, true},
        {"near", {1.4}, 1, 4, 2, 5, true},
        {"near", {5.99}, 1, 8, 7, 9, true}, /* a factor of 1.5 */
        {"cross", {0}, 0, 1, 0, 4, false}, /* above 1 */
        {"cross", {6}, 1, 4, 1, 4, false},
        {"cross", {7.5}, 1, 4, 1, INFINITY, false},
        {"cross", {8}, 1, INFINITY, 1, INFINITY, false},
        {"cross", {9}, 1, INFINITY, 4, INFINITY, false},
        {"rise", {0}, 0, 0.75, 0.2, 6, false},
        {"fall", {0}, 0, 8 / 3.0, 7 / 12.0, 9, false},
        {"trend", {0}, 0, 2, 1.4, 4.5, false},
        {"mode", {0}, 0, 4, 4, 4, false},
        {"xmin", {0}, 0, 1, 1, 1, false},
        {"xmax", {0}, 0, 4, 4, 4, false},
        {"share", {2, 4}, 2, 0.2, 0.2, 0.2, false},
        {"share", {1, 2}, 2, 4 / 15.0, 4 / 15.0, 4 / 15.0, false},
        {"sqrt", {0}, 0, 2, sqrt(2), sqrt(5), true},
        {"floor", {0}, 0, 4, 2, 5, true},
        {"log", {0}, 0, log(4), log(2), log(5), false},
    };
    kb_point p[] = {{.x = 1, .v = 4, .lo = 2, .hi = 5}, {.x = 2, .v = 3, .lo = 1, .hi = 12},
                    {.x = 4, .v = 8, .lo = 7, .hi = 9}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        kb_point more[2] = {{.v = all[i].argument[0]}, {.v = all[i].argument[1]}};
        kb_value in[] = {{.curve = true, .n = 3, .p = p, .database = "db", .err = 1e-3},
                         {.n = all[i].arguments > 0, .p = &more[0]},
                         {.n = all[i].arguments > 1, .p = &more[1]}, {0}}, out;
        double spread;
        assert_null(kb_reduce(all[i].name, in, &out, &spread));
        const kb_point *is = out.p;
        if (!(is->v == all[i].v || fabs(is->v - all[i].v) < 1e-12) ||
            !(is->lo == all[i].lo || fabs(is->lo - all[i].lo) < 1e-12) ||
            !(is->hi == all[i].hi || fabs(is->hi - all[i].hi) < 1e-12))
            fail_msg("%s, %zu: %g, %g to %g", all[i].name, i, is->v, is->lo, is->hi);
        assert_true(!!out.database == all[i].keeps && (out.err > 0) == all[i].keeps);
        assert_true(spread == 1); /* of no work */
        kb_value_free(&out);
    }
}

/* the first of equals, and what a function cannot do */
TEST(functions_at_their_ends)
{
    kb_point p[] = {{.x = 1, .v = 2, .lo = 2, .hi = 2}, {.x = 2, .v = 2, .lo = 2, .hi = 2}};
    kb_point two = {.v = 2}, three = {.v = 3.001};
    static const struct { const char *name, *why; int n; } all[] = {
        {"mode", NULL, 2}, {"cross", "a crossing needs two rows", 1},
        {"slope", "a slope needs two rows", 1}, {"rise", "needs two rows", 1},
        {"trend", "needs two rows", 1}, {"near", "no row near", 2}, {"at", "no row there", 1},
        {"list", "a list of single values: reduce the curve first", 2}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        kb_value in[] = {{.curve = true, .n = all[i].n, .p = p},
                         {.n = 1, .p = strcmp(all[i].name, "near") ? &two : &three}, {0}}, out;
        double spread;
        if (!strcmp(all[i].name, "slope"))
            in[1].n = 0;
        const char *why = kb_reduce(all[i].name, in, &out, &spread);
        assert_true(why ? all[i].why && !strcmp(why, all[i].why) : !all[i].why);
        if (!why)
            assert_true(out.p->v == 1);
        kb_value_free(&out);
    }
}

/* Two curves meet at each x, a value at all of them; a ratio is of no database, and of no error */
TEST(curves_and_values)
{
    kb_point p[] = {{.x = 1, .v = 1, .work = 3}, {.x = 2, .v = 2}, {.x = 4, .v = 4}};
    kb_point twenty = {.v = 20};
    kb_point q[] = {{.x = 2, .v = 10, .work = 5}, {.x = 4, .v = 20}, {.x = 8, .v = 40}};
    kb_value a = {.curve = true, .n = 3, .p = p, .database = "db", .err = 1},
             b = {.curve = true, .n = 3, .p = q, .database = "other", .err = 2},
             one = {.n = 1, .p = &twenty}, out;
    kb_combine('+', &a, &b, &out);
    assert_true(out.curve && out.n == 2 && out.p[0].x == 2 && out.p[0].v == 12);
    assert_true(out.p[0].work == 5 && out.p[1].x == 4 && out.p[1].v == 24);
    assert_true(!strcmp(out.database, "db") && out.err == 1);
    kb_value_free(&out);
    kb_combine('/', &a, &b, &out);
    assert_true(out.n == 2 && out.p[1].v == 0.2 && !out.database && out.err == 0);
    kb_value_free(&out);
    for (int turn = 0; turn < 2; turn++) { /* the database of the only one that has any */
        kb_combine('/', turn ? &one : &b, turn ? &b : &one, &out);
        assert_true(out.curve && out.n == 3 && !strcmp(out.database, "other") && out.err == 2);
        assert_true(out.p[2].x == 8 && out.p[2].v == (turn ? 0.5 : 2) && out.p[0].work == 5);
        kb_value_free(&out);
    }
    kb_combine('*', &one, &one, &out);
    assert_true(!out.curve && out.n == 1 && out.p->v == 400 && !out.database);
    kb_value_free(&out);
}

/* the places of a list are 1, 2, ...: log 0 is no place */
TEST(slope_of_a_list)
{
    kb_point ten = {.v = 10, .lo = 10, .hi = 10}, twenty = {.v = 20, .lo = 20, .hi = 20};
    kb_value parts[] = {{.n = 1, .p = &ten, .database = "db", .err = 1e-3},
                        {.n = 1, .p = &twenty}, {0}}, list, out;
    double spread;
    assert_null(kb_reduce("list", parts, &list, &spread));
    assert_true(list.curve && list.n == 2 && list.p[0].x == 1 && list.p[1].x == 2);
    assert_true(!list.database && list.err == 0); /* of several, which may be of others */
    kb_value argument[] = {list, {0}, {0}};
    assert_null(kb_reduce("slope", argument, &out, &spread));
    is(out.p, 1, 1, 1);
    kb_value_free(&out);
    kb_value_free(&list);
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
TEST(numbers_in_selectors)
{
    assert_true(holds("n=1000", "1000") && holds("n=1000", "1e3") && holds("dt=1e-6", "1e-06"));
    assert_true(holds("n=1000", "1000.0000005") && !holds("n=1000", "1000.000002"));
    assert_false(holds("n=1000", "1001") || holds("n=1000", "999"));
    assert_true(holds("n!=1000", "1001") && !holds("n!=1000", "1000.0000005"));
    assert_true(holds("n<1000", "999") && !holds("n<1000", "1000") && !holds("n<1000", "1001"));
    assert_true(holds("n<=1000", "1000") && !holds("n<=1000", "1001"));
    assert_true(holds("n>1000", "1001") && !holds("n>1000", "1000") && !holds("n>1000", "999"));
    assert_true(holds("n>=1000", "1000") && !holds("n>=1000", "999"));
    assert_true(!holds("n<1000", "few") && !holds("n>1000", "") && holds("solver=a", "a"));
    assert_false(holds("n=1000", "1000x") || holds("n=1000x", "1000") || holds("n=1000x", "1e3"));
    assert_true(holds("n=1000x", "1000x"));
}

TEST(columns_of_counts)
{
    const char *counted[] = {"D_rhs", "substeps_mean", "x_mean", "substeps_max", "x_max"};
    const char *other[] = {"_mean", "_max", "mean", "max", "D", "a_meant", "substeps", "a_maxi"};
    for (int i = 0; i < 5; i++)
        assert_true(kb_column_counted(counted[i]));
    for (int i = 0; i < 8; i++)
        assert_false(kb_column_counted(other[i]));
}

/* How many arguments each takes; whether it puts points of several x together, of which the guard
 * "work" asks that they are alike: not if it takes one of them out or works on each; whether its
 * value is still one of a database, with an error. */
TEST(functions_of_the_language)
{
    static const struct {
        const char *name;
        int least, most;
        bool joins, keeps;
    } all[] = {
        {"max", 1, 1, true, true}, {"min", 1, 1, true, true}, {"mean", 1, 1, true, true},
        {"sum", 1, 1, true, true}, {"first", 1, 1, false, true}, {"last", 1, 1, false, true},
        {"at", 2, 2, false, true}, {"cross", 1, 2, true, false}, {"slope", 1, 2, true, false},
        {"rise", 1, 1, true, false}, {"fall", 1, 1, true, false}, {"trend", 1, 1, true, false},
        {"mode", 1, 1, false, false}, {"xmin", 1, 1, false, false}, {"xmax", 1, 1, false, false},
        {"share", 3, 3, false, false}, {"near", 2, 2, false, true},
        {"list", 1, KB_ARGUMENTS, false, false}, {"sqrt", 1, 1, false, true},
        {"floor", 1, 1, false, true}, {"log", 1, 1, false, false}};
    kb_point one = {.v = 1, .lo = 1, .hi = 1};
    kb_point p[] = {{.x = 1, .v = 1, .lo = 1, .hi = 1, .work = 10},
                    {.x = 4, .v = 2, .lo = 2, .hi = 2, .work = 0}, /* not known */
                    {.x = 8, .v = 4, .lo = 4, .hi = 4, .work = 15}};
    int least, most;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        int n = strcmp(all[i].name, "list") ? 3 : 1; /* of single values */
        kb_value out, argument[] = {{n > 1, n, p, "database", 0.5}, {0}, {0}, {0}};
        double spread;
        assert_true(kb_function_known(all[i].name, &least, &most));
        for (int k = 1; k < least; k++)
            argument[k] = (kb_value){.n = 1, .p = &one};
        const char *wrong = kb_reduce(all[i].name, argument, &out, &spread);
        if (wrong)
            fail_msg("%s: %s", all[i].name, wrong);
        if (least != all[i].least || most != all[i].most || spread != (all[i].joins ? 1.5 : 1) ||
            !out.database == all[i].keeps || out.err != (all[i].keeps ? 0.5 : 0))
            fail_msg("%s: %d to %d arguments, spread %g, %s of a database, error %g", all[i].name,
                     least, most, spread, out.database ? "still" : "no more", out.err);
        kb_value_free(&out);
    }
    assert_true(!kb_function_known("maximum", &least, &most) && least == 0 && most == 0);
}

/* what one query left is not said of the next */
TEST(an_inquiry_begins_anew)
{
    kb_inquiry e = {.missing = true, .bounded = true, .why = "no row", .note = "a note"};
    kb_inquiry_clear(&e);
    assert_true(!*e.why && !*e.note && !e.missing && !e.bounded);
}

TESTS(NULL, NULL)
