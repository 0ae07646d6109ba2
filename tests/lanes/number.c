/* SPDX-License-Identifier: MIT
 *
 * exp, log and 1/x of lanes against long double, also for NaN, infinity and 0 where methods may
 * meet them.
 */
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
            most = larger(most, (double)fabsl(((long double)lane_get(y, l) - e) / e) / ULP);
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

static lane magnitude(lane x) { return vabs(x); }
static lane root(lane x) { return vsqrt(x); }
static lane whole(lane x) { return vfloor(x); }
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

/* each lane by itself */
TEST(test_masks)
{
    mask none = mask_none(), all = not_(none);
    assert_true(!lane_any(none) && lane_any(all));
    for (int one = 0; one < KB_LANES; one++) {
        mask m = none, off = all;
        mask_put(&m, one, 1);
        mask_put(&off, one, 0);
        assert_true(lane_any(m) && !lane_any(m & off));
        lane v = vselect(m, splat(3), splat(-4));
        for (int l = 0; l < KB_LANES; l++) {
            assert_int_equal(mask_get(m, l), l == one);
            assert_int_equal(mask_get(not_(m), l), l != one);
            assert_int_equal(mask_get(off, l), l != one);
            assert_true(lane_get(v, l) == (l == one ? 3 : -4));
        }
    }
}

/* a NaN in either argument stays one */
TEST(test_of_two)
{
    static const double as[][2] = {{1, 2}, {-1, -2}, {NAN, 1}, {1, NAN}, {INFINITY, 1}, {0, -0.0}};
    for (int k = 0; k < 6; k++) {
        double a = as[k][0], b = as[k][1];
        for (int l = 0; l < KB_LANES; l++) {
            lane x = splat(a), y = splat(b);
            double most = lane_get(vmax(x, y), l), least = lane_get(vmin(x, y), l);
            assert_true(a != a || b != b ? most != most && least != least
                                         : most == fmax(a, b) && least == fmin(a, b));
            assert_true(a != a || lane_get(vabs(x), l) == fabs(a));
            assert_int_equal(mask_get(is_finite(x), l), isfinite(a) ? 1 : 0);
        }
    }
    assert_true(!signbit(first(magnitude, -0.0)) && isnan(first(magnitude, NAN)));
    assert_true(first(root, 2) == sqrt(2) && first(whole, -1.5) == -2 && first(whole, 1.5) == 1);
    assert_true(fabs(lane_get(vpow(splat(2), splat(0.5)), KB_LANES - 1) - sqrt(2)) < 1e-15);
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
