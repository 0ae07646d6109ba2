/* SPDX-License-Identifier: MIT
 *
 * Formulas of case files: values against C's, what binds how, and what is refused with its place.
 */
#include "tests/test.h"

#include "drivers/flow/formula.h"

static const char *const names[] = {"x", "y", "long_name"};
static const double at[] = {0.7, -3, 40};

static void check(const char *text, double expected)
{
    kb_error err = {0};
    kb_formula *f = kb_formula_read("'p'", text, names, 3, &err);
    if (!f)
        fail_msg("%s: %s", text, err.text);
    double value = kb_formula_at(f, at);
    if (value != expected)
        fail_msg("%s: %.17g, expected %.17g", text, value, expected);
    kb_formula_free(f);
}

TEST(values)
{
    check("3", 3);
    check(" 1.5e2 ", 150);
    check("x + y * long_name", 0.7 - 3 * 40.0);
    check("x - y - long_name", 0.7 + 3 - 40);
    check("long_name / 2 / 5", 4);
    check("(x - y) * -2", (0.7 + 3) * -2);
    check("-y ^ 2", -9);
    check("2 ^ 3 ^ 2", 512);
    check("2 ^ -1", 0.5);
    check("--y", -3);
    check("x ^ 2", 0.7 * 0.7);
    check("x ^ 3", pow(0.7, 3));
    check("sin(pi * x) + cos(x) * exp(y)", sin(M_PI * 0.7) + cos(0.7) * exp(-3));
    check("sqrt(long_name) - log(x) / tanh(y)", sqrt(40) - log(0.7) / tanh(-3));
    check("max(x, abs(y)) + min(x, floor(y + 0.5))", 3 - 3);
    check("((((((((((1))))))))))", 1);
}

TEST(numbers)
{
    kb_formula *f = kb_formula_of(2.5);
    assert_true(kb_formula_is_number(f) && kb_formula_at(f, NULL) == 2.5);
    kb_formula_free(f);
    f = kb_formula_read("'p'", "x", names, 3, NULL);
    assert_true(!kb_formula_is_number(f));
    kb_formula_free(f);
}

TEST(refused)
{
    static const struct { const char *text, *why; } list[] = {
        {"", "'p': a value is missing at the end"}, {"1 +", "a value is missing at the end"},
        {"1 2", "an operator is missing at '2'"}, {"(1", "a ')' is missing at the end"},
        {"1)", "an operator is missing at ')'"}, {"sin x", "a '(' is missing at 'x'"},
        {"max(1)", "a second value is missing at ')'"}, {"z", "(there are x y long_name abs cos"},
        {"sine(x)", "at 'sine(x)'"}, {"1e999", "a number beyond 1.8e308"}, {"x ** 2", "at '* 2'"},
        {"1 + $", "at '$' of \"1 + $\""}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        kb_error err = {0};
        assert_null(kb_formula_read("'p'", list[k].text, names, 3, &err));
        if (err.code != KB_INVALID || !strstr(err.text, list[k].why))
            fail_msg("'%s': '%s' does not say '%s'", list[k].text, err.text, list[k].why);
    }
}

/* as deep as a text goes, none overflows a stack */
TEST(deep)
{
    static const char *const open[] = {"(", "-", "1+(", "2^", "max(1,"};
    for (int k = 0; k < 5; k++) {
        char text[6000] = "";
        kb_error err = {0};
        for (int i = 0; i < 900; i++)
            strcat(text, open[k]);
        strcat(text, "1");
        assert_null(kb_formula_read("'p'", text, names, 3, &err));
        assert_non_null(strstr(err.text, "too many brackets in brackets"));
    }
}

/* whether n times open, 1 and n times close is read */
static bool is_read(const char *open, const char *close, int n)
{
    char text[1000] = "";
    for (int i = 0; i < n; i++)
        strcat(text, open);
    strcat(text, "1");
    for (int i = 0; i < n; i++)
        strcat(text, close);
    kb_formula *f = kb_formula_read("'p'", text, names, 3, &(kb_error){0});
    kb_formula_free(f);
    return f;
}

/* 40 in each other, or 40 values that wait for their operators, the innermost one with them */
TEST(deepest)
{
    static const struct { const char *open, *close; int most; } list[] = {
        {"(", ")", 39}, {"-", "", 39}, {"1+(", ")", 39}, {"2^", "", 39}, {"max(1,", ")", 39},
        {"abs(", ")", 39}, {"", "+1", 60}, {"1+2*(", ")", 19}, {"1+2*3^(", ")", 13},
        {"abs(1)+2*3^(", ")", 13}, {"-1+2*3^(", ")", 13}, {"max(1,1)+2*3^(", ")", 13}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        for (int n = 0; n < 60; n++)
            if (is_read(list[k].open, list[k].close, n) != (n <= list[k].most))
                fail_msg("%d of %s, at most %d", n, list[k].open, list[k].most);
}

TESTS(NULL, NULL)
