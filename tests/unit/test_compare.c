/* SPDX-License-Identifier: MIT
 *
 * compare: rank tests against values of tables, Benjamini and Hochberg by hand, and alarms over
 * many made-up comparisons with heavy tails.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "base/random.h"
#include "base/rank.h"
#include "base/stats.h"
#include "drivers/compare/verdict.h"

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

/* ---- whole comparisons of made-up samples ---- */

enum { CELLS = 12, REPEATS = 20, ROUNDS = 100 };

/* A time of about 1 with spikes: 3 % either way, one in five is up to 5 times as long, and one in
 * fifty is Pareto's with infinite variance */
static double heavy(kb_random *r)
{
    double u = kb_random_unit(r), time = 1 + 0.06 * (kb_random_unit(r) - 0.5);
    if (u < 0.2)
        time *= 1 + 4 * kb_random_unit(r) * kb_random_unit(r);
    if (u > 0.98)
        time *= pow(1 - kb_random_unit(r), -1 / 1.5);
    return time;
}

/* Tables of one run: error and failed of its cells */
static void start_run(kb_compare_run *run, double error)
{
    *run = (kb_compare_run){0};
    kb_csv_start(&run->cells, "err_p95,failed,status");
    long row = kb_csv_add(&run->cells);
    kb_csv_number(&run->cells, row, "err_p95", error, 6);
    kb_csv_set(&run->cells, row, "failed", "0");
    kb_csv_set(&run->cells, row, "status", "ok");
}

typedef struct {
    kb_compare_run run[2];
    double time[2][CELLS][REPEATS];
    kb_side_cell cell[2][CELLS];
    kb_comparison c;
} made_up;

/* What a process gets of a processor that others use: 6 % either way, one in ten is a quarter
 * faster; all its cells alike */
static double process(kb_random *r)
{
    double speed = 1 + 0.12 * (kb_random_unit(r) - 0.5);
    return kb_random_unit(r) < 0.1 ? speed * 0.75 : speed;
}

typedef enum { OWN, OWN_AND_DRIFT, SHARED } noise;

/* ratio: of the time of B over that of A in the first `slow` cells; OWN: each time has noise of its
 * own; DRIFT: both double in the middle of the run; SHARED: each round of a side is a process */
static void compare(made_up *m, kb_random *r, bool in_turns, int slow, double ratio, noise kind)
{
    double speed[2][REPEATS];
    for (int k = 0; k < 2 * REPEATS; k++)
        speed[k % 2][k / 2] = kind == SHARED                                  ? process(r)
                              : kind == OWN_AND_DRIFT && k / 2 >= REPEATS / 2 ? 2
                                                                              : 1;
    m->c = (kb_comparison){
        .smallest = 0.03, .n = CELLS, .pairs = kb_alloc(CELLS, sizeof *m->c.pairs)};
    for (int i = 0; i < CELLS; i++) {
        for (int k = 0; k < REPEATS; k++)
            for (int side = 0; side < 2; side++)
                m->time[side][i][k] = (kind == SHARED ? 1 + 0.01 * (kb_random_unit(r) - 0.5)
                                                      : heavy(r)) *
                                      (side && i < slow ? ratio : 1) * speed[side][k];
        for (int side = 0; side < 2; side++)
            m->cell[side][i] = (kb_side_cell){
                .run = &m->run[side], .identity = "x", .n = REPEATS, .time = m->time[side][i]};
        kb_cell_pair *p = &m->c.pairs[i];
        *p = (kb_cell_pair){.a = &m->cell[0][i], .b = &m->cell[1][i], .in_turns = in_turns};
        kb_pair_times(p, m->time[0][i], REPEATS, m->time[1][i], REPEATS);
    }
    kb_compare_judge(&m->c);
}

/* Of ROUNDS comparisons, how many have an alarm (slower or faster); found: slow cells in all */
static int alarms(bool in_turns, int slow, double ratio, noise kind, long *found)
{
    made_up *m = kb_alloc(1, sizeof *m);
    kb_random r = {7};
    int any = 0;
    *found = 0;
    start_run(&m->run[0], 1e-4);
    start_run(&m->run[1], 1e-4);
    for (int k = 0; k < ROUNDS; k++) {
        compare(m, &r, in_turns, slow, ratio, kind);
        any += m->c.count[KB_IS_SLOWER] + m->c.count[KB_IS_FASTER] > 0;
        *found += m->c.count[KB_IS_SLOWER];
        kb_comparison_free(&m->c);
    }
    for (int i = 0; i < 2; i++)
        kb_csv_free(&m->run[i].cells);
    free(m);
    return any;
}

TEST(few_false_alarms)
{
    long found;
    for (int turns = 0; turns < 2; turns++)
        for (noise kind = OWN; kind <= SHARED; kind++)
            assert_true(alarms(turns, 0, 1, kind, &found) <= 0.05 * ROUNDS);
}

TEST(a_tenth_is_found)
{
    long found;
    assert_true(alarms(false, 3, 1.1, OWN, &found) >= 0.9 * ROUNDS);
    assert_true(found >= 0.75 * 3 * ROUNDS);
    assert_true(alarms(true, 3, 1.1, OWN_AND_DRIFT, &found) >= 0.9 * ROUNDS);
    assert_true(alarms(true, 3, 1.1, SHARED, &found) >= 0.9 * ROUNDS);
    assert_true(found >= 0.9 * 3 * ROUNDS);
}

TEST(other_errors_are_no_times)
{
    made_up *m = kb_alloc(1, sizeof *m);
    kb_random r = {7};
    start_run(&m->run[0], 1e-4);
    start_run(&m->run[1], 1.6e-4);
    compare(m, &r, false, CELLS, 1.5, OWN);
    assert_int_equal(m->c.count[KB_IS_OTHER], CELLS);
    kb_comparison_free(&m->c);
    for (int i = 0; i < 2; i++)
        kb_csv_free(&m->run[i].cells);
    free(m);
}

/* Cell 0 alternates between 1 and 10, which makes a large noise; cell 1 takes twice the time, which
 * is less; cell 2 is the same. A slow-down that only the noise hides is undecided. */
TEST(noise_hides_no_slow_down)
{
    kb_compare_run run;
    double time[2][3][REPEATS];
    kb_side_cell cell[3];
    kb_comparison c = {.smallest = 0.03, .n = 3, .pairs = kb_alloc(3, sizeof *c.pairs)};
    start_run(&run, 1e-4);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < REPEATS; k++) {
            time[0][i][k] = (i ? 1 : k % 2 ? 10 : 1) * (1 + 1e-4 * k);
            time[1][i][k] = time[0][i][k] * (i == 1 ? 2 : 1);
        }
        cell[i] = (kb_side_cell){.run = &run, .identity = "x", .n = REPEATS};
        kb_cell_pair *p = &c.pairs[i];
        *p = (kb_cell_pair){.a = &cell[i], .b = &cell[i]};
        kb_pair_times(p, time[0][i], REPEATS, time[1][i], REPEATS);
        kb_bootstrap_ratio(p->ta, p->na, p->tb, p->nb, &p->lo, &p->hi);
    }
    kb_compare_judge(&c);
    assert_int_equal(c.count[KB_IS_UNCLEAR], 2);
    assert_int_equal(c.count[KB_IS_SAME], 1);
    assert_int_equal(c.undecided, 1);
    assert_int_equal(c.more, 0);
    for (int i = 0; i < 3; i++)
        assert_true(c.pairs[i].undecided == (c.pairs[i].a == &cell[1]));
    kb_comparison_free(&c);
    kb_csv_free(&run.cells);
}

TEST(known_ratios)
{
    double a[20], b[20], lo, hi;
    kb_cell_pair p = {0}, q = {.in_turns = true};
    for (int i = 0; i < 20; i++) {
        a[i] = 1 + 0.001 * i;
        b[i] = 1.25 * a[i];
    }
    kb_pair_times(&p, a, 20, b, 20);
    NEAR(p.ratio, 1.25);
    NEAR(p.p, 2.0 / 137846528820); /* of the ways to choose 20 of 40 */
    kb_bootstrap_ratio(p.ta, 20, p.tb, 20, &lo, &hi);
    assert_true(lo > 1.23 && lo < 1.25 && hi > 1.25 && hi < 1.27);
    NEAR(kb_self_effect(a, 20), log(1.01 / 1.009) / sqrt(2));
    assert_true(isnan(kb_self_effect(a, 3)));
    for (int i = 0; i < 20; i++) { /* the machine becomes ten times slower */
        a[i] *= i < 9 ? 1 : 10;
        b[i] *= i < 9 ? 1 : 10;
    }
    kb_pair_times(&q, a, 20, b, 20);
    assert_true(fabs(q.ratio - 1.25) < 0.01 && q.p < 1e-5);
    for (kb_cell_pair *used = &p; used; used = used == &p ? &q : NULL) {
        free(used->ta);
        free(used->tb);
    }
}

TESTS(NULL, NULL)
