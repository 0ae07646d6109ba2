/* SPDX-License-Identifier: MIT
 *
 * exp, log and 1/x of lanes against long double, also for NaN, infinity and 0 where methods may
 * meet them.
 */
#include <stdlib.h>
#include "tests/test.h"
#include "solvers/portable/denormals.h"
#include "solvers/portable/lane.h"

static const int SAMPLES = 300000;
static const double ULP = 2.2204460492503131e-16;

static double uniform(double low, double high) { return low + (high - low) * drand48(); }

/* the largest error of f [ulp], of arguments that draw returns, each lane with another one */
static double worst(lane (*f)(lane), long double (*exact)(long double), double (*draw)(void))
{
    double most = 0;
    for (int k = 0; k < SAMPLES; k += KB_LANES) {
        lane x = splat(0), y;
        for (int l = 0; l < KB_LANES; l++)
            lane_put(&x, l, draw());
        y = f(x);
        for (int l = 0; l < KB_LANES; l++) {
            long double e = exact((long double)lane_get(x, l));
            most = fmax(most, (double)fabsl(((long double)lane_get(y, l) - e) / e) / ULP);
        }
    }
    return most;
}

static lane exponential(lane x) { return vexp(x); }
static lane in_units(lane x) { return vexp_units(x); }
static long double in_units_exact(long double x)
{
    return KB_EXP_UNIT == 1 ? expl(x) : exp2l(x);
}
static lane decay(lane x) { return vexp_decay(x); }
static lane logarithm(lane x) { return vlog(x); }
static lane reciprocal(lane x) { return vinverse(x); }
static long double reciprocal_exact(long double x) { return 1 / x; }

static double of_exponential(void) { return uniform(-700, 700); }
static double of_decay(void) { return uniform(-690, 0); }
static double of_logarithm(void) { return exp(uniform(-690, 690)); }
static double near_one(void) { return 1 + uniform(-0.5, 0.5) * drand48(); }
static double of_reciprocal(void)
{
    return (drand48() < 0.5 ? -1 : 1) * exp(uniform(-690, 690));
}

static double first(lane (*f)(lane), double x) { return lane_get(f(splat(x)), 0); }

TEST(test_exponential)
{
    assert_true(worst(exponential, expl, of_exponential) < 2);
    assert_true(first(exponential, 0) == 1);
    assert_true(first(exponential, -1e30) == 0 && first(exponential, -INFINITY) == 0);
    assert_true(isinf(first(exponential, 1e30)) && isinf(first(exponential, INFINITY)));
    assert_true(isnan(first(exponential, NAN)));
    assert_true(worst(in_units, in_units_exact, of_exponential) < 2);
    assert_true(first(in_units, 0) == 1 && isnan(first(in_units, NAN)));
    assert_true(worst(decay, in_units_exact, of_decay) < 2);
    assert_true(fabs(first(decay, -1e30)) < 1e-300 && fabs(first(decay, -1e6)) < 1e-300);
    assert_true(isnan(first(decay, NAN)));
}

TEST(test_logarithm)
{
    assert_true(worst(logarithm, logl, of_logarithm) < 2);
    assert_true(worst(logarithm, logl, near_one) < 3);
    assert_true(first(logarithm, 1) == 0);
    assert_true(first(logarithm, 0) == -INFINITY && first(logarithm, INFINITY) == INFINITY);
    assert_true(isnan(first(logarithm, -1)) && isnan(first(logarithm, NAN)));
}

TEST(test_reciprocal)
{
    assert_true(worst(reciprocal, reciprocal_exact, of_reciprocal) < 2);
    assert_false(isfinite(first(reciprocal, 0)));
    assert_true(isnan(first(reciprocal, NAN)));
}

TEST(test_chosen)
{
    const double a[] = {1, 2, 3}, b[] = {-1, -2, -3};
    lane x = splat(0);
    for (int l = 0; l < KB_LANES; l++)
        lane_put(&x, l, l);
    for (int i = 0; i < 3; i++) {
        lane y = vchosen(x > 0.5 * KB_LANES, a, b, i);
        for (int l = 0; l < KB_LANES; l++)
            assert_true(lane_get(y, l) == (l > 0.5 * KB_LANES ? a : b)[i]);
    }
}

/* between the two calls alone what is smaller counts as 0, as an operand and as a result */
TEST(test_denormals)
{
#ifdef __SSE2__
    volatile float least = 1.2e-38f, tiny = 1e-40f;
    for (int k = 0; k < 2; k++) {
        unsigned before = kb_flush_denormals();
        assert_true(0.1f * least == 0 && 1e10f * tiny == 0 && 2 * least > 0);
        kb_restore_denormals(before);
        assert_true(0.1f * least > 0 && 1e10f * tiny > 0);
    }
#endif
}

#if KB_VECTOR
TEST(test_chained_sum)
{
    for (int n = 0; n < 12; n++) {
        lane sum = chained_sum(i, n, splat(i + 1));
        for (int l = 0; l < KB_LANES; l++)
            assert_true(lane_get(sum, l) == n * (n + 1) / 2);
    }
}
#endif

TESTS(NULL, NULL)
