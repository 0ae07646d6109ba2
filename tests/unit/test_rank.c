/* SPDX-License-Identifier: MIT
 *
 * Rank tests against values of tables and every choice of ranks, Benjamini and Hochberg by hand and
 * by their definition.
 */
#include "tests/test.h"
#include "base/random.h"
#include "base/rank.h"

#define NEAR(a, b) assert_true(fabs((a) - (b)) <= 1e-12 * fabs(b))

TEST(ranks_of_small_samples)
{
    /* of the 252 ways to choose 5 of 10, one has the least sum and one the largest */
    const double low[] = {1, 2, 3, 4, 5}, high[] = {6, 7, 8, 9, 10}, mixed[] = {1, 3, 5, 7, 9};
    const double even[] = {2, 4, 6, 8, 10};
    NEAR(kb_rank_sum(low, 5, high, 5), 2.0 / 252);
    NEAR(kb_rank_sum(high, 5, low, 5), 2.0 / 252);
    /* W = 25: 87 of the 252 sums are at most that (table of the distribution for 5 and 5) */
    NEAR(kb_rank_sum(mixed, 5, even, 5), 2 * 87.0 / 252);
    NEAR(kb_rank_sum(low, 5, high, 1), 2.0 / 6);
    NEAR(kb_rank_sum(high, 1, low, 5), 2.0 / 6);
    assert_true(kb_rank_sum(low, 0, high, 5) == 1);
}

TEST(ties_have_mean_ranks)
{
    /* 1, 1 | 1, 2: 2 of the ranks 2, 2, 2, 4 have sums 4, 4, 4, 6, 6, 6: all as far */
    const double a[] = {1, 1}, b[] = {1, 2}, same[] = {3, 3, 3, 3};
    NEAR(kb_rank_sum(a, 2, b, 2), 1.0);
    NEAR(kb_rank_sum(same, 4, same, 4), 1.0);
}

TEST(many_values_by_the_normal_distribution)
{
    double x[60], y[60];
    for (int i = 0; i < 60; i++) {
        x[i] = 2 * i;
        y[i] = 2 * i + 1; /* U = 60 * 59 / 2 + ... : z = (W - mean) / sd by hand */
    }
    double sd = sqrt(60.0 * 60 * 121 / 12);
    NEAR(kb_rank_sum(x, 60, y, 60), erfc(30 / sd / sqrt(2)));
}

/* smallest p: 2 of C(na + nb, na) choices; and the repeats with which one cell of so many is below
 * 0.05: 2 * 12 / C(12, 6) = 0.026, 2 * 12 / C(10, 5) = 0.095 */
TEST(what_repeats_can_show)
{
    NEAR(kb_rank_sum_least(3, 3), 2.0 / 20);
    NEAR(kb_rank_sum_least(5, 5), 2.0 / 252);
    NEAR(kb_rank_sum_least(2, 5), 2.0 / 21);
    assert_true(kb_rank_sum_least(0, 5) == 1 && kb_rank_sum_least(1, 1) == 1);
    NEAR(kb_rank_sum_least(4, 1), 2.0 / 5);
    NEAR(kb_rank_sum_least(1, 4), 2.0 / 5);
    assert_true(kb_rank_sum_least(60, 60) > 0 && kb_rank_sum_least(60, 60) < 1e-15);
    for (long n = 1; n <= 5; n++) { /* as the test itself */
        double x[10];
        for (int i = 0; i < 10; i++)
            x[i] = i;
        NEAR(kb_rank_sum_least(n, 5), kb_rank_sum(x, n, x + n, 5));
    }
    assert_int_equal(kb_rank_sum_repeats(1, 0.05), 4);
    assert_int_equal(kb_rank_sum_repeats(12, 0.05), 6);
    assert_int_equal(kb_rank_sum_repeats(300, 0.05), 8);
}

TEST(false_discoveries)
{
    /* Benjamini and Hochberg (1995), 3.2: of these 15 the first four are rejected at 0.05 */
    double p[] = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                  0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0};
    double q[15], other[3] = {0.01, NAN, 0.04};
    kb_false_discovery(p, 15, q);
    for (int i = 0; i < 15; i++)
        assert_true((q[i] <= 0.05) == (i < 4));
    NEAR(q[0], 0.0015);
    NEAR(q[3], 0.0095 * 15 / 4);
    kb_false_discovery(other, 3, other);
    NEAR(other[0], 0.02);
    assert_true(isnan(other[1]));
    NEAR(other[2], 0.04);
}

/* ---- small samples with ties against every choice of na of their n values ---- */

static long twice_rank(const double *x, int n, double of)
{
    long below = 0, same = 0;
    for (int i = 0; i < n; i++) {
        below += x[i] < of;
        same += x[i] == of;
    }
    return 2 * below + same + 1;
}

static double of_all_choices(const double *x, int na, int n)
{
    long all = 0, seen = 0, far = 0, count = 0;
    for (int i = 0; i < n; i++) {
        all += twice_rank(x, n, x[i]);
        seen += i < na ? twice_rank(x, n, x[i]) : 0;
    }
    for (int choice = 0; choice < 1 << n; choice++) {
        long sum = 0;
        if (__builtin_popcount((unsigned)choice) != na)
            continue;
        for (int i = 0; i < n; i++)
            sum += choice >> i & 1 ? twice_rank(x, n, x[i]) : 0;
        count++;
        far += labs(n * sum - na * all) >= labs(n * seen - na * all);
    }
    return (double)far / (double)count;
}

TEST(every_choice_of_ranks)
{
    kb_random random = {5};
    for (int k = 0; k < 300; k++) {
        double x[9];
        int n = 2 + k % 8, na = 1 + (int)kb_random_below(&random, (uint64_t)n - 1);
        for (int i = 0; i < n; i++)
            x[i] = (double)kb_random_below(&random, k % 3 ? 20 : 3);
        NEAR(kb_rank_sum(x, na, x + na, n - na), of_all_choices(x, na, n));
    }
}

/* 80 values are the most that are counted out; beyond, pairs of equal ones have less variance */
TEST(where_the_normal_distribution_begins)
{
    double x[100];
    for (int i = 0; i < 100; i++)
        x[i] = i;
    double choices = 1;
    for (int i = 1; i <= 40; i++)
        choices *= (40.0 + i) / i;
    assert_true(fabs(kb_rank_sum(x, 40, x + 40, 40) * choices / 2 - 1) < 1e-9);
    assert_true(fabs(kb_rank_sum_least(40, 40) * choices / 2 - 1) < 1e-9);
    double far = erfc(41 * 40 / 2.0 / sqrt(41 * 40 * 82 / 12.0) / sqrt(2));
    NEAR(kb_rank_sum(x, 41, x + 41, 40), far);
    NEAR(kb_rank_sum_least(41, 40), far);
    for (int i = 0; i < 100; i++)
        x[i] = i / 2;
    /* of n values with 50 ties of two the variance is na nb (n + 1 - 50 * 6 / (n (n - 1))) / 12 */
    NEAR(kb_rank_sum(x, 50, x + 50, 50),
         erfc(1250 / sqrt(2500 * (101 - 300 / 9900.0) / 12) / sqrt(2)));
    for (int i = 0; i < 100; i++)
        x[i] = 7;
    assert_true(kb_rank_sum(x, 50, x + 50, 50) == 1);
    assert_true(kb_rank_sum(x, 5, x + 5, 0) == 1);
    assert_true(kb_rank_sum_least(5, 0) == 1);
}

TEST(false_discoveries_as_they_are_defined)
{
    kb_random random = {6};
    for (int k = 0; k < 200; k++) {
        double p[12], q[12];
        int n = k % 13, m = 0;
        for (int i = 0; i < n; i++)
            p[i] = kb_random_below(&random, 6) ? (double)kb_random_below(&random, 9) / 8 : NAN;
        for (int i = 0; i < n; i++)
            m += !isnan(p[i]);
        kb_false_discovery(p, n, q);
        for (int i = 0; i < n; i++) {
            double least = 1;
            for (int j = 0; j < n; j++) {
                int up_to = 0;
                for (int l = 0; l < n; l++)
                    up_to += p[l] <= p[j];
                if (p[j] >= p[i])
                    least = fmin(least, p[j] * m / up_to);
            }
            assert_true(isnan(p[i]) ? isnan(q[i]) : fabs(q[i] - least) < 1e-15);
        }
    }
}

TESTS(NULL, NULL)
