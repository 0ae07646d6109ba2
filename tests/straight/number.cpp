/* SPDX-License-Identifier: MIT
 *
 * exp, log and 1/x of straight-line code against long double, also for NaN, infinity and arguments
 * out of range.
 */
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include "tests/test.h"
#include "solvers/portable/branch_free.h"

static const int SAMPLES = 1000000;
static const double ULP = 2.2204460492503131e-16;

static double uniform(double low, double high) { return low + (high - low) * drand48(); }

static double apart(double value, long double exact)
{
    return (double)std::abs((value - exact) / exact) / ULP;
}

TEST(test_exponential)
{
    double worst = 0;
    for (int i = 0; i < SAMPLES; i++) {
        double x = uniform(-700, 700);
        worst = std::max(worst, apart(exponential(x), expl(x)));
    }
    assert_true(worst < 1);
    for (double x = -1e5; x <= 1e5; x += 1)
        if (fabs(x) < 700)
            assert_true(exponential_finite(x) == exponential(x));
        else
            assert_true(x < 0 ? exponential_finite(x) < 1e-303 && exponential_finite(x) > 0
                              : exponential_finite(x) > 1e303 &&
                                    std::isfinite(exponential_finite(x)));
    assert_true(exponential(-1e30) < 1e-300 && exponential(-1e30) > 0);
    assert_true(exponential(1e30) > 1e300 && std::isfinite(exponential(1e30)));
    assert_true(std::isnan(exponential(NAN)));
}

TEST(test_logarithm)
{
    double worst = 0;
    for (int i = 0; i < SAMPLES; i++) {
        double x = i % 2 ? 1 + uniform(-0.5, 0.5) * uniform(0, 1) : exp(uniform(-690, 690));
        worst = std::max(worst, apart(logarithm(x), logl(x)));
    }
    assert_true(worst < 1);
    assert_true(logarithm(1) == 0);
    assert_true(std::isnan(logarithm(0)) && std::isnan(logarithm(-1)) &&
                std::isnan(logarithm(NAN)));
}

TEST(test_inverse)
{
    double worst = 0;
    for (int i = 0; i < SAMPLES; i++) {
        double x = (i % 2 ? -1 : 1) * exp(uniform(-690, 690));
        worst = std::max(worst, apart(inverse(x), 1 / (long double)x));
    }
    assert_true(worst < 1);
    assert_false(std::isfinite(inverse(0)));
    assert_true(std::isnan(inverse(NAN)));
}

TESTS(NULL, NULL)
