/* SPDX-License-Identifier: MIT
 *
 * Which n states of a database are run: nested, one in each part, the same means, the same rows
 * from the same seed.
 */
#include "tests/test.h"
#include "base/random.h"
#include "pasr/database/selection.h"

/* A made-up reactor: 5 conditions one after another, in each T rises with the row and scatters;
 * columns T, p, Y. The number of rows is no power of two. */
enum { N = 5003, C = 4 };
static double rows[N * C];
static const kb_database db = {.n = N, .columns = C, .states = rows};

FIXTURE(fill)
{
    kb_random r = {3};
    for (long i = 0; i < N; i++) {
        double *s = rows + i * C, along = (double)(i % 1001) / 1001;
        s[0] = 400 + 1500 * along + 600 * kb_random_unit(&r);
        s[1] = 1e5 * (double)(1 + i / 1001);
        s[2] = along * along;
        s[3] = 1 - s[2];
    }
    return 0;
}

static int rising(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

TEST(is_permutation)
{
    static long row[N], again[N];
    kb_selection_make("even", 1, &db, N, row);
    kb_selection_make("even", 1, &db, N, again);
    assert_memory_equal(row, again, sizeof row);
    kb_selection_make("even", 2, &db, N, again);
    assert_memory_not_equal(row, again, 64 * sizeof *row);
    qsort(row, N, sizeof *row, rising);
    for (long i = 0; i < N; i++)
        assert_int_equal(row[i], i);
}

/* the first n of a longer sequence are those of n, also where n is no power of two */
TEST(is_nested)
{
    static const long sizes[] = {1, 2, 3, 64, 100, 777, 1024, 4999};
    static long all[N], row[N];
    kb_selection_make("even", 9, &db, N, all);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        kb_selection_make("even", 9, &db, sizes[k], row);
        assert_memory_equal(row, all, (size_t)sizes[k] * sizeof *row);
    }
}

/* at most one more or less in the halves of the database, two in its eighths ... at every n */
TEST(parts_are_even)
{
    static long row[N];
    kb_selection_make("even", 4, &db, N, row);
    long lower = 0;
    for (long n = 1; n <= N; n++) {
        lower += row[n - 1] < N / 2;
        assert_true(labs(2 * lower - n) <= 2);
    }
}

/* The first four rows: one in each half by T of each half by place, worked out here by sorting */
static double median_T(long a, long b)
{
    double T[N];
    long n = b - a;
    for (long i = 0; i < n; i++)
        T[i] = rows[(a + i) * C];
    for (long i = 1; i < n; i++) /* insertion */
        for (long k = i; k > 0 && T[k] < T[k - 1]; k--) {
            double swap = T[k];
            T[k] = T[k - 1];
            T[k - 1] = swap;
        }
    return T[n / 2];
}

TEST(quarters_by_place_and_T)
{
    enum { M = 4096 };
    const kb_database even = {.n = M, .columns = C, .states = rows};
    double cut[2] = {median_T(0, M / 2), median_T(M / 2, M)};
    for (unsigned long long seed = 0; seed < 50; seed++) {
        long row[4], seen[4] = {0};
        kb_selection_make("even", seed, &even, 4, row);
        for (int i = 0; i < 4; i++) {
            int half = row[i] >= M / 2;
            seen[2 * half + (rows[row[i] * C] >= cut[half])]++;
        }
        for (int i = 0; i < 4; i++)
            assert_int_equal(seen[i], 1);
    }
}

/* Means of T, p and Y keep to those of all, and the closer the larger n is, compared with what rows
 * drawn at random leave (sd / sqrt n): the average over 20 seeds */
TEST(means_are_those_of_all)
{
    static const double bound[] = {0.4, 0.25, 0.15};
    static long row[N];
    double mean[3] = {0}, square[3] = {0};
    for (long i = 0; i < N; i++) {
        const double *s = rows + i * C;
        double x[3] = {s[0], s[1], s[2]};
        for (int k = 0; k < 3; k++) {
            mean[k] += x[k] / N;
            square[k] += x[k] * x[k] / N;
        }
    }
    for (long n = 64, at = 0; n <= 1024; n *= 4, at++)
        for (int k = 0; k < 3; k++) {
            double sum = 0, sd = sqrt(square[k] - mean[k] * mean[k]);
            for (unsigned long long seed = 0; seed < 20; seed++) {
                double own = 0;
                kb_selection_make("even", seed, &db, n, row);
                for (long i = 0; i < n; i++)
                    own += rows[row[i] * C + k] / (double)n;
                sum += (own - mean[k]) * (own - mean[k]) / 20;
            }
            assert_true(sqrt(sum) < bound[at] * sd / sqrt((double)n));
        }
}

/* every row is as likely as another: over many seeds the first row is anywhere */
TEST(first_row_is_anywhere)
{
    enum { ROUNDS = 800, BINS = 10 };
    kb_database few = {.n = 999, .columns = C, .states = rows};
    long row, bin[BINS] = {0};
    double chi = 0;
    for (unsigned long long seed = 0; seed < ROUNDS; seed++) {
        kb_selection_make("even", seed, &few, 1, &row);
        bin[row * BINS / few.n]++;
    }
    for (int k = 0; k < BINS; k++)
        chi += pow((double)bin[k] - (double)ROUNDS / BINS, 2) * BINS / ROUNDS;
    assert_true(chi < 27.9); /* 9 degrees of freedom, one in a thousand */
}

TEST(orders_of_selected_rows)
{
    const long row[4] = {7, 2, 5, 0}, order[8] = {6, 5, 4, 0, 7, 3, 2, 1};
    const long expected[4] = {2, 3, 0, 1}; /* rows 5, 0, 7, 2 */
    long place[4];
    kb_selection_order(row, 4, order, 8, place);
    assert_memory_equal(place, expected, sizeof place);
    long first[3];
    kb_selection_make("first", 1, &db, 3, first);
    for (long i = 0; i < 3; i++)
        assert_int_equal(first[i], i);
}

TEST(names)
{
    assert_string_equal(kb_selection_name("even"), "even");
    assert_string_equal(kb_selection_name("first"), "first");
    assert_null(kb_selection_name("odd"));
}

TESTS(fill, NULL)
