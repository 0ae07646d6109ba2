/* SPDX-License-Identifier: MIT
 *
 * The numbers that count what is done with them (solvers/portable/counted.h), in straight-line
 * code: no operation counts that a compiler would leave out, and each other one counts once.
 */
#include <cmath>
#include <cstddef>
#include <cstdint>
#include "tests/test.h"
#include "solvers/portable/lane.h"

static const lane x = {3, true}, y = {5, true}, two = 2, one = 1, zero = 0;

/* operations of the expression, which was not done before */
#define COUNT(expression)                                                                         \
    (operations = {}, operations_done.clear(), (void)(expression),                                \
     operations.simple + 100 * operations.divide)

TEST(by_constants)
{
    assert_true(COUNT(x + y) == 1 && COUNT(x - y) == 1 && COUNT(x * y) == 1 && COUNT(x / y) == 100);
    assert_true(COUNT(x + two) == 1 && COUNT(two * x) == 1 && COUNT(x * two) == 1);
    assert_true(COUNT(two + two) == 0 && COUNT(two * two) == 0 && COUNT(two / two) == 0);
    assert_true(COUNT(x + zero) == 0 && COUNT(x * zero) == 0 && COUNT(zero * x) == 0);
    assert_true(COUNT(x * one) == 0 && COUNT(one * x) == 0 && COUNT(x * -one) == 0);
    assert_true(COUNT(x + one) == 1);
}

/* what depends on a number that varies, varies */
TEST(varies)
{
    assert_true((x * two).varies && (two * x).varies && (x * y).varies && (x + zero).varies);
    assert_true((zero + x).varies && (x / two).varies && (-x).varies && vexp(x).varies);
    assert_true(vlog(x).varies && vsqrt(x).varies && vabs(x).varies && vinverse(x).varies);
    assert_false((x * zero).varies || (zero * x).varies || (two * two).varies);
    assert_false((two + two).varies || vexp(two).varies || (-two).varies || vabs(two).varies);
    assert_true(COUNT((x * two) + two) == 2 && COUNT((x * zero) + two) == 0);
    assert_true((x * two).v == 6 && (x - y).v == -2 && (x / two).v == 1.5 && (-x).v == -3);
}

TEST(once)
{
    assert_true(COUNT((x + y) * (x + y)) == 2 && COUNT((x + y) * (y + x)) == 2);
    assert_true(COUNT((x - y) + (y - x)) == 3 && COUNT((x * y) - (y * x)) == 2);
    assert_true(COUNT(x / y + y / x) == 201);
    lane sum = x;
    assert_true(COUNT((sum += y, sum *= two, sum -= y, sum /= two)) == 103 && sum.v == 5.5);
}

TEST(functions)
{
    COUNT(vexp(x) + vexp(x) + vexp(y) + vlog(x) + vsqrt(x) + vexp(two) + vinverse(y));
    assert_true(operations.exp == 2 && operations.log == 1 && operations.sqrt == 1);
    assert_true(operations.divide == 1 && operations.simple == 6);
}

TESTS(NULL, NULL)
