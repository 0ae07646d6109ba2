/* SPDX-License-Identifier: MIT
 *
 * compare: alarms over many made-up comparisons with heavy tails.
 */
#include "tests/test.h"
#include "base/random.h"
#include "base/rank.h"
#include "base/stats.h"
#include "drivers/compare/verdict.h"

#define NEAR(a, b) assert_true(fabs((a) - (b)) <= 1e-12 * fabs(b))

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
    kb_owned made_up *m = kb_alloc(1, sizeof *m);
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
    kb_owned made_up *m = kb_alloc(1, sizeof *m);
    kb_random r = {7};
    start_run(&m->run[0], 1e-4);
    start_run(&m->run[1], 1.6e-4);
    compare(m, &r, false, CELLS, 1.5, OWN);
    assert_int_equal(m->c.count[KB_IS_OTHER], CELLS);
    kb_comparison_free(&m->c);
    for (int i = 0; i < 2; i++)
        kb_csv_free(&m->run[i].cells);
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

/* of the rounds from two before to two after one, as far as there are any */
TEST(medians_around_a_round)
{
    static const double a[] = {1, 2, 4, 8, 16, 32, 64}, b[] = {10, 20, 40, 80, 160, 320, 640};
    static const double *const both[] = {a, b};
    static const double of_a[] = {2, 3, 4, 8, 16, 24, 32};
    for (int i = 0; i < 7; i++)
        assert_true(kb_around(both, 1, 7, i) == of_a[i]);
    assert_true(kb_around(both, 2, 7, 0) == 7 && kb_around(both, 2, 7, 3) == 26);
    assert_true(kb_around(both, 2, 7, 6) == 112);
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
