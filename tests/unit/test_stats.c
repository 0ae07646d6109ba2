/* SPDX-License-Identifier: MIT */
#include "tests/test.h"
#include "base/random.h"
#include "base/stats.h"

#define NEAR(a, b) assert_true(fabs((a) - (b)) <= 1e-12 * fabs(b))

TEST(quantiles)
{
    const double x[] = {7, 1, 3, 5}; /* type 7, as numpy.quantile([7, 1, 3, 5], q) */
    NEAR(kb_median(x, 4), 4.0);
    NEAR(kb_median(x, 3), 3.0);
    NEAR(kb_quantile(x, 4, 0.25), 2.5);
    NEAR(kb_quantile(x, 4, 0.9), 6.4);
    NEAR(kb_quantile(x, 4, 1.0), 7.0);
    NEAR(kb_quantile(x, 1, 0.3), 7.0);
    assert_true(x[0] == 7);
    assert_true(isnan(kb_median(x, 0)));
}

TEST(percentiles_keep_infinite_errors)
{
    double x[20];
    for (int i = 0; i < 20; i++)
        x[i] = i + 1;
    NEAR(kb_percentile(x, 20, 0), 1.0);
    NEAR(kb_percentile(x, 20, 0.5), 10.0);
    NEAR(kb_percentile(x, 20, 0.95), 19.0);
    NEAR(kb_percentile(x, 20, 1.0), 20.0);
    x[3] = NAN;
    kb_sort(x, 20);
    NEAR(kb_percentile(x, 20, 0.95), 20.0);
    assert_true(isinf(kb_percentile(x, 20, 1.0)));
    x[3] = INFINITY; /* 5 before */
    kb_sort(x, 20);
    assert_true(isinf(kb_percentile(x, 20, 0.95)));
    NEAR(kb_percentile(x, 20, 0.5), 12.0);
}

TEST(bootstrap_interval)
{
    double x[101], lo, hi, lo2, hi2;
    for (int i = 0; i < 101; i++)
        x[i] = (i * 37) % 101; /* 0..100 in mixed order: median 50 */
    kb_bootstrap(x, 101, &lo, &hi);
    /* the order statistics that a binomial(101, 1/2) gives for 95 %: ranks 41 and 61, values 40, 60
     * */
    assert_true(lo >= 38 && lo <= 43);
    assert_true(hi >= 57 && hi <= 62);
    kb_bootstrap(x, 101, &lo2, &hi2);
    assert_true(lo == lo2 && hi == hi2);
    kb_bootstrap(x, 1, &lo, &hi);
    assert_true(lo == x[0] && hi == x[0]);
    kb_bootstrap(x, 0, &lo, &hi);
    assert_true(isnan(lo) && isnan(hi));
}

TEST(tukey_fences)
{
    const double x[] = {10, 11, 12, 13, 14, 30, -20};
    int label[7];
    kb_outliers(x, 7, label);
    for (int i = 0; i < 5; i++)
        assert_int_equal(label[i], 0);
    assert_int_equal(label[5], 1);
    assert_int_equal(label[6], -1);
    const double near[] = {10, 11, 12, 13, 14, 18}; /* quartiles 11.25, 13.75: fences 7.5, 17.5 */
    kb_outliers(near, 6, label);
    assert_true(label[5] == 1 && label[0] == 0);
    const double four[] = {10, 11, 12, 40}; /* quartiles 10.75, 19: the fence is at 31.4 */
    kb_outliers(four, 4, label);
    assert_true(label[3] == 1 && label[0] == 0);
    label[0] = 9;
    kb_outliers(x + 4, 3, label);
    assert_int_equal(label[0], 0);
}

TEST(divergence_of_warps)
{
    int32_t d[80];
    for (int i = 0; i < 80; i++)
        d[i] = 5;
    NEAR(kb_divergence(d, 64), 1.0);
    NEAR(kb_divergence(d, 1), 1.0);
    d[0] = 10; /* first warp: (31 * 5 + 10) / (32 * 10) */
    NEAR(kb_divergence(d, 32), 165.0 / 320);
    NEAR(kb_divergence(d, 64), (165.0 / 320 + 1) / 2);
    d[64] = 20; /* 16 ODEs left: (15 * 5 + 20) / (16 * 20), weighted by 16 of 80 */
    NEAR(kb_divergence(d, 80), (32 * 165.0 / 320 + 32 + 95.0 / 20) / 80);
    for (int i = 0; i < 32; i++)
        d[i] = 0;
    NEAR(kb_divergence(d, 32), 1.0);
    assert_true(isnan(kb_divergence(d, 0)));
}

/* Two ODEs side by side, of 10 evaluations in 1 attempt and of 2 in 2: the first attempt takes as
 * long as the slower one, 10, the second 1; 11 with two lanes against 12 with one. Then a third
 * comes after the first: 3 evaluations in its attempt, beside the last one of the second. */
TEST(waiting_within_attempts)
{
    const int32_t d[] = {10, 2, 3}, attempts[] = {1, 2, 1};
    const kb_ode_work two = {.n = 2, .d = d, .attempts = attempts};
    const kb_ode_work three = {.n = 3, .d = d, .attempts = attempts};
    NEAR(kb_static_slow_down(&two, 2), 2 * 11 / 12.0);
    NEAR(kb_refill_slow_down(&two, 2), 2 * 11 / 12.0);
    NEAR(kb_refill_slow_down(&three, 2), 2 * 13 / 15.0);
    NEAR(kb_static_slow_down(&three, 2), (2 * 11 + 3) / 15.0);
    NEAR(kb_refill_slow_down(&three, 1), 1.0);
    const kb_ode_work idle = {.n = 2, .d = (int32_t[]){1, 0}, .attempts = (int32_t[]){1, 1}};
    NEAR(kb_static_slow_down(&idle, 2), 2.0);
    NEAR(kb_refill_slow_down(&idle, 2), 2.0);
    const kb_ode_work light = {.n = 2, .d = (int32_t[]){1, 1}, .attempts = (int32_t[]){4, 4}};
    NEAR(kb_static_slow_down(&light, 2), 1.0);
    /* evaluations of an ODE without attempts are one */
    const kb_ode_work one = {.n = 2, .d = (int32_t[]){4, 6}, .attempts = (int32_t[]){0, 1}};
    NEAR(kb_static_slow_down(&one, 2), 2 * 6 / 10.0);
}

/* ODEs whose first attempt is long, of 9 evaluations beside 1 in the others; the second is shorter
 * than the first. Static groups of two begin together: 9 + 1 + 1, then 9 + 1 + 1. With refill the
 * long attempts meet short ones: 9, 1, 9 (third ODE beside the last attempt of the first), 9
 * (fourth), 1, 1. Spread evenly, 11/3 each and 5 each, refill would seem to cost less. */
TEST(unlike_attempts)
{
    const int32_t each[] = {9, 1, 1, 9, 1, 9, 1, 1, 9, 1, 1}, d[] = {11, 10, 11, 11};
    const int32_t attempts[] = {3, 2, 3, 3};
    const long first[] = {0, 3, 5, 8}, others[] = {5, 0, 3, 8};
    const int32_t d_of_others[] = {11, 11, 10, 11}, attempts_of_others[] = {3, 3, 2, 3};
    kb_ode_work w = {.n = 4, .d = d, .attempts = attempts, .each = each, .first = first};
    NEAR(kb_static_slow_down(&w, 2), 2 * (11 + 11) / 43.0);
    NEAR(kb_refill_slow_down(&w, 2), 2 * (9 + 1 + 9 + 9 + 1 + 1) / 43.0);
    NEAR(kb_refill_slow_down(&w, 1), 1.0);
    /* in another order of the run; the place of an ODE's attempts stays: 9 1 1 | 9 1 1, then 9 1
     * beside 9 1 1 */
    kb_ode_work turned = {.n = 4, .d = d_of_others, .attempts = attempts_of_others, .each = each,
                      .first = others};
    NEAR(kb_static_slow_down(&turned, 2), 2 * (11 + 11) / 43.0);
    NEAR(kb_refill_slow_down(&turned, 2), 2 * (11 + 11) / 43.0);
    /* 7 evaluations more, of which no attempt knows: nobody waits for them */
    const int32_t more[] = {11, 17, 11, 11};
    w.d = more;
    NEAR(kb_static_slow_down(&w, 2), (2 * (11 + 11) + 7) / 50.0);
    NEAR(kb_refill_slow_down(&w, 2), (2 * 30 + 7) / 50.0);
    /* an ODE without attempts, as one that the first pass has done */
    const int32_t none[] = {0, 0, 0, 3};
    w.attempts = none;
    NEAR(kb_static_slow_down(&w, 2), (39 + 2 * 11) / 50.0);
    NEAR(kb_refill_slow_down(&w, 2), (39 + 2 * 11) / 50.0);
}

/* The median of resamples of 0 .. n - 1 is nearly normal with variance n/4: 97.5 % lie below 1.96
 * standard deviations, 31 ranks, 95 % below 26; 2000 resamples leave 1 rank of uncertainty. */
TEST(bootstrap_of_many)
{
    double x[1001], lo, hi;
    for (int i = 0; i < 1001; i++)
        x[i] = i;
    kb_bootstrap(x, 1001, &lo, &hi);
    assert_true(fabs(hi - 500 - 31) < 3 && fabs(500 - lo - 31) < 3);
}

/* ranks from the binomial distribution, as scipy.stats.binom.ppf has them: 41 and 61 of 101 at
 * q 1/2, 90 and 100 of 100 and 949572 and 950428 of 1e6 at q 0.95 */
TEST(means_of_ratios_have_intervals)
{
    const double one[] = {1, 1, 1, 1, 1}, two[] = {2, 2, 2, 2, 2}, eight[] = {8, 8, 8, 8, 8};
    const double wide[] = {4, 6, 8, 10, 12};
    kb_sample_pair same[] = {{one, two, 5, 5}, {one, eight, 5, 5}};
    kb_sample_pair spread[] = {{one, two, 5, 5}, {one, wide, 5, 5}}, none[] = {{one, two, 5, 0}};
    double lo, hi, of_one[2], of_mean[2];
    kb_bootstrap_mean_ratio(same, 2, &lo, &hi); /* sqrt(2 x 8) */
    assert_true(fabs(lo - 4) < 1e-14 && fabs(hi - 4) < 1e-14);
    kb_bootstrap_mean_ratio(spread, 2, &lo, &hi);
    assert_true(lo < 4 && lo >= sqrt(8.0) - 1e-14 && hi > 4 && hi <= sqrt(24.0) + 1e-14);
    kb_bootstrap_mean_ratio(none, 1, &lo, &hi);
    assert_true(isnan(lo) && isnan(hi));
    kb_bootstrap_mean_ratio(NULL, 0, &lo, &hi);
    assert_true(isnan(lo) && isnan(hi));
    kb_bootstrap_ratio(one, 5, wide, 5, &of_one[0], &of_one[1]);
    kb_bootstrap_mean_ratio(&spread[1], 1, &of_mean[0], &of_mean[1]);
    assert_memory_equal(of_one, of_mean, sizeof of_one);
}

/* The intervals themselves, of the same draws: medians, and ratios of median b to median a,
 * where a is drawn first */
TEST(resamples_one_by_one)
{
    enum { N = 400, MORE = 402 }; /* medians take so many values that each resample counts */
    double a[N], b[MORE], draw[MORE], medians[KB_RESAMPLES], ratios[KB_RESAMPLES], lo, hi;
    kb_random values = {7}, alone = {1}, both = {1};
    for (int i = 0; i < N; i++)
        a[i] = 1 + kb_random_unit(&values);
    for (int i = 0; i < MORE; i++)
        b[i] = 3 + kb_random_unit(&values);
    for (int r = 0; r < KB_RESAMPLES; r++) {
        for (int i = 0; i < N; i++)
            draw[i] = a[kb_random_below(&alone, N)];
        medians[r] = kb_median(draw, N);
        for (int i = 0; i < N; i++)
            draw[i] = a[kb_random_below(&both, N)];
        double below = kb_median(draw, N);
        for (int i = 0; i < MORE; i++)
            draw[i] = b[kb_random_below(&both, MORE)];
        ratios[r] = kb_median(draw, MORE) / below;
    }
    kb_bootstrap(a, N, &lo, &hi);
    NEAR(lo, kb_quantile(medians, KB_RESAMPLES, 0.025));
    NEAR(hi, kb_quantile(medians, KB_RESAMPLES, 0.975));
    kb_bootstrap_ratio(a, N, b, MORE, &lo, &hi);
    NEAR(lo, kb_quantile(ratios, KB_RESAMPLES, 0.025));
    NEAR(hi, kb_quantile(ratios, KB_RESAMPLES, 0.975));
}

/* Of three draws from 0, 0, 1 the median is 1 with 7/27, whichever of the three is the 1 */
TEST(every_sample_is_drawn)
{
    double lo, hi;
    for (int one = 0; one < 3; one++) {
        double x[3] = {0, 0, 0};
        x[one] = 1;
        kb_bootstrap(x, 3, &lo, &hi);
        assert_true(lo == 0 && hi == 1);
        const double same[] = {2};
        x[one] = 4;
        for (int i = 0; i < 3; i++)
            x[i] += 1;
        kb_bootstrap_ratio(same, 1, x, 3, &lo, &hi);
        assert_true(lo == 0.5 && hi == 2.5);
        kb_bootstrap_ratio(x, 3, same, 1, &lo, &hi);
        assert_true(lo == 0.4 && hi == 2);
    }
}

/* The interval of a ratio to samples that are all 1 is that of the other side, of 101 values with
 * median 151 as above: ranks 41 and 61, whatever the number of the ones */
TEST(each_side_has_its_own_number_of_draws)
{
    const double ones[] = {1, 1, 1};
    double x[101], lo, hi;
    for (int i = 0; i < 101; i++)
        x[i] = 101 + (i * 37) % 101;
    for (long n = 1; n <= 3; n++) {
        kb_bootstrap_ratio(ones, n, x, 101, &lo, &hi);
        assert_true(lo >= 139 && lo <= 144 && hi >= 158 && hi <= 163);
        kb_bootstrap_ratio(x, 101, ones, n, &lo, &hi);
        assert_true(1 / hi >= 139 && 1 / hi <= 144 && 1 / lo >= 158 && 1 / lo <= 163);
    }
}

TEST(percentile_interval)
{
    long n = 1000000;
    double *x = malloc((size_t)n * sizeof *x), lo, hi;
    for (long i = 0; i < n; i++)
        x[i] = (double)(i * 37 % 101);
    kb_sort(x, 101);
    kb_percentile_interval(x, 101, 0.5, &lo, &hi);
    assert_true(lo == 40 && hi == 60);
    for (long i = 0; i < n; i++)
        x[i] = (double)(n - i);
    kb_sort(x, n);
    kb_percentile_interval(x, 100, 0.95, &lo, &hi);
    assert_true(lo == 90 && hi == 100);
    kb_percentile_interval(x, n, 0.95, &lo, &hi);
    assert_true(lo == 949572 && hi == 950428);
    kb_percentile_interval(x, 1, 0.95, &lo, &hi);
    assert_true(lo == x[0] && hi == x[0]);
    x[19] = INFINITY; /* the largest of 20 bounds their interval */
    kb_percentile_interval(x, 20, 0.95, &lo, &hi);
    assert_true(lo == 17 && isinf(hi));
    /* of 10 draws of probability 0.05 none has 0.60 of all cases, 2 at most 0.988 */
    kb_percentile_interval(x, 10, 0.05, &lo, &hi);
    assert_true(lo == 1 && hi == 3);
    kb_percentile_interval(x, 0, 0.5, &lo, &hi);
    assert_true(isnan(lo) && isnan(hi));
    free(x);
}

TEST(error_of_one_ode)
{
    const double ref[] = {1000, 0.5, 0, 1};
    double y[] = {1001, 0.5, 1e-9, 1e9}; /* the last belongs to the next ODE */
    assert_true(fabs(kb_ode_error(y, ref, 3) - 1e-3) < 1e-9);
    y[0] = 1000;
    NEAR(kb_ode_error(y, ref, 3), 1e-3); /* 1e-9 / 1e-6 */
    y[1] = NAN;
    assert_true(isinf(kb_ode_error(y, ref, 3)));
    y[1] = -INFINITY;
    assert_true(isinf(kb_ode_error(y, ref, 3)));
    assert_true(isinf(kb_ode_error(ref, y, 3)));
}

TESTS(NULL, NULL)
