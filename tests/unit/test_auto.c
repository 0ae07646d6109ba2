/* SPDX-License-Identifier: MIT
 *
 * What `auto` chooses from made-up tables; and that the tables of make tune can be used.
 */
#include "tests/test.h"
#include "base/error.h"
#include "solvers/auto.h"

#define ROW(nsp, dt, n, error, solver, engine, threads, us)                                        \
    {                                                                                              \
        nsp, dt, n, error, solver, engine, KB_REFILL, 1e-4, 1e-10, threads, us                     \
    }

/* a copy of n elements; one of this solver that would be chosen stands behind them, so that a table
 * ends where it says */
static kb_tuned *rows_of(const kb_tuned *row, int n, const char *behind)
{
    static kb_tuned copy[128];
    memcpy(copy, row, (size_t)n * sizeof *row);
    copy[n] = *row;
    copy[n].solver = behind;
    copy[n].error = copy[n].us = 1e-12;
    return copy;
}

/* the solver that auto chooses of an array of rows */
#define CHOICE(rows, request)                                                                      \
    kb_auto_choose(&(kb_tuned_table){rows_of(rows, sizeof rows / sizeof *rows, "behind"),          \
                                     sizeof rows / sizeof *rows},                                  \
                   &(request))                                                                     \
        ->solver

static const kb_tuned rows[] = {
    ROW(10, 1e-6, 1000, 1e-3, "loose", "cpu-simd", 16, 1.0),
    ROW(10, 1e-6, 1000, 1e-6, "tight", "cpu-simd", 16, 3.0),
    ROW(10, 1e-6, 1000, 1e-4, "tight", "gpu-thread", 0, 2.0),
    ROW(10, 1e-6, 100000, 1e-4, "large", "gpu-thread", 0, 0.1),
    ROW(10, 1e-4, 1000, 1e-4, "long", "gpu-thread", 0, 5.0),
    ROW(80, 1e-6, 100000, 1e-4, "wide", "gpu-block", 0, 9.0),
};
enum { ROWS = sizeof rows / sizeof *rows };

/* context: the engines that are there, NULL: all */
static bool listed(const void *context, const kb_tuned *row)
{
    return !context || strstr(context, row->engine);
}

static const char *chosen(int nsp, double dt, long n, double error, int threads, const char *there)
{
    kb_request r = {nsp, dt, n, error, threads, listed, there};
    const kb_tuned *t = kb_auto_choose(&(kb_tuned_table){rows_of(rows, ROWS, "behind"), ROWS}, &r);
    return t ? t->solver : "none";
}

TEST(fastest_that_is_accurate)
{
    assert_string_equal(chosen(10, 1e-6, 1000, 1e-3, 16, NULL), "loose");
    assert_string_equal(chosen(10, 1e-6, 1000, 1e-4, 16, "cpu-simd"), "tight");
    assert_string_equal(chosen(10, 1e-6, 1000, 1e-9, 16, NULL), "none");
}

/* a quarter of the threads, four times the time */
TEST(threads_that_there_are)
{
    kb_request r = {10, 1e-6, 1000, 1e-3, 4, listed, NULL};
    const kb_tuned_table table = {rows, ROWS};
    assert_string_equal(kb_auto_choose(&table, &r)->engine, "gpu-thread");
    r.threads = 16;
    assert_string_equal(kb_auto_choose(&table, &r)->engine, "cpu-simd");
}

TEST(nearest_cell)
{
    assert_string_equal(chosen(12, 3e-7, 40000, 1e-4, 16, NULL), "large");
    assert_string_equal(chosen(10, 3e-5, 1000, 1e-4, 16, NULL), "long");
    assert_string_equal(chosen(53, 1e-6, 1000, 1e-4, 16, NULL), "wide"); /* size before n */
    assert_string_equal(chosen(53, 1e-6, 100000, 1e-4, 16, "cpu-simd"), "tight");
    assert_string_equal(chosen(53, 1e-6, 100000, 1e-4, 16, "cpu-scalar"), "none");
}

/* at 10,000 expected: low 1 us, high 0.5 (of 0.05 at 100,000, with the slope of low), few 1.2, cpu
 * 4; the larger error of low */
TEST(between_cells)
{
    static const kb_tuned ends[] = {
        ROW(20, 1e-6, 1000, 1e-6, "low", "gpu-thread", 0, 10),
        ROW(20, 1e-6, 1000, 1e-4, "few", "gpu-thread", 0, 12),
        ROW(20, 1e-6, 1000, 1e-6, "cpu", "cpu-simd", 16, 4),
        ROW(20, 1e-6, 100000, 1e-4, "low", "gpu-thread", 0, 0.1),
        ROW(20, 1e-6, 100000, 1e-3, "high", "gpu-block", 0, 0.05),
        ROW(20, 1e-6, 100000, 1e-6, "cpu", "cpu-simd", 16, 4),
    };
    kb_request r = {20, 1e-6, 10000, 1e-3, 16, listed, NULL};
    assert_string_equal(CHOICE(ends, r), "high");
    r.error = 1e-4;
    assert_string_equal(CHOICE(ends, r), "low");
    r.error = 1e-5;
    assert_string_equal(CHOICE(ends, r), "cpu");
    r.n = 1500; /* low 6.7, few 8, cpu 4 */
    r.error = 1e-4;
    assert_string_equal(CHOICE(ends, r), "cpu");
    r.n = 1000; /* a cell itself: its own errors */
    r.error = 1e-5;
    r.context = "gpu-thread";
    assert_string_equal(CHOICE(ends, r), "low");
    r.n = 10000;
    r.error = 1e-4;
    kb_tuned faster[6];
    memcpy(faster, ends, sizeof ends);
    faster[1].us = 9; /* 0.9 */
    assert_string_equal(CHOICE(faster, r), "few");
    faster[0].error = 1e-4; /* both ends as large as what is asked for */
    faster[1].us = 12;
    assert_string_equal(CHOICE(faster, r), "low");
}

/* of an engine of a GPU without a slope the time itself, up to half the way to the next cell */
TEST(half_the_way)
{
    static const kb_tuned ends[] = {
        ROW(20, 1e-6, 1000, 1e-6, "one", "gpu-thread", 0, 1),
        ROW(20, 1e-6, 1000, 1e-6, "cpu", "cpu-simd", 16, 2),
        ROW(20, 1e-6, 100000, 1e-6, "cpu", "cpu-simd", 16, 2),
    };
    kb_request r = {20, 1e-6, 10000, 1e-3, 16, listed, NULL};
    assert_string_equal(CHOICE(ends, r), "one");
    r.n = 10001;
    assert_string_equal(CHOICE(ends, r), "cpu");
}

/* a choice that only a cell farther off has: at 1000 "pass" is expected to take 5 us (0.5, tenfold
 * as "cpu") and counts a quarter more; "other" has no slope of its engine */
TEST(farther_cells)
{
    static const kb_tuned of[] = {
        ROW(20, 1e-6, 1000, 1e-6, "cpu", "cpu-simd", 16, 10),
        ROW(20, 1e-6, 10000, 1e-6, "cpu", "cpu-simd", 16, 2),
        ROW(20, 1e-6, 100000, 1e-6, "cpu", "cpu-simd", 16, 1),
        ROW(20, 1e-6, 100000, 1e-6, "pass", "cpu-simd", 16, 0.5),
        ROW(20, 1e-6, 100000, 1e-6, "other", "gpu-block", 0, 0.1),
    };
    kb_request r = {20, 1e-6, 1000, 1e-3, 16, listed, NULL};
    assert_string_equal(CHOICE(of, r), "pass");
    r.n = 100; /* below all: as at 1000 */
    assert_string_equal(CHOICE(of, r), "pass");
    r.n = 100000;
    assert_string_equal(CHOICE(of, r), "other");
    kb_tuned slower[5];
    memcpy(slower, of, sizeof of);
    slower[3].us = 0.85; /* 10.6 us at 1000 with the quarter */
    r.n = 1000;
    assert_string_equal(CHOICE(slower, r), "cpu");
    slower[3].us = 0.75; /* 9.4 */
    assert_string_equal(CHOICE(slower, r), "pass");
    slower[4].threads = 16; /* of an engine of a CPU without a slope: the same time at any n */
    assert_string_equal(CHOICE(slower, r), "other");
    slower[4].us = 7.6; /* 9.5 us with the quarter */
    assert_string_equal(CHOICE(slower, r), "pass");
    /* at a cell itself, below which the engine has no slope */
    static const kb_tuned above[] = {
        ROW(20, 1e-6, 1000, 1e-6, "cpu", "cpu-simd", 16, 10),
        ROW(20, 1e-6, 10000, 1e-6, "cpu", "cpu-simd", 16, 2),
        ROW(20, 1e-6, 10000, 1e-6, "wide", "gpu-block", 0, 4),
        ROW(20, 1e-6, 100000, 1e-6, "wide", "gpu-block", 0, 0.4),
        ROW(20, 1e-6, 100000, 1e-6, "large", "gpu-block", 0, 0.1),
    };
    r.n = 10000;
    assert_string_equal(CHOICE(above, r), "large"); /* 1.25 us */
}

/* The first that there is room for: of cells, rows of one cell, and engines beside the two that are
 * any on a GPU and any on cores. Each row is faster than those before it. */
TEST(rows_that_there_is_room_for)
{
    static char name[520][8];
    static kb_tuned of[520];
    static const struct {
        int rows, n, engines;
        const char *chosen;
    } as[] = {{70, 1, 0, "s63"}, {520, 0, 0, "s511"}, {40, 0, 1, "s29"}};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < as[k].rows; i++) {
            snprintf(name[i], sizeof *name, "s%d", i);
            of[i] = (kb_tuned)ROW(20, 1e-6, 1000 + i * as[k].n, 1e-6, name[i],
                                  as[k].engines ? name[i] : "cpu-simd", 16, 1 - 1e-4 * i);
        }
        kb_request r = {20, 1e-6, 2000, 1e-3, 16, listed, NULL};
        const kb_tuned_table all = {of, as[k].rows};
        assert_string_equal(kb_auto_choose(&all, &r)->solver, as[k].chosen);
    }
}

/* The slope of an engine is the mean of its choices': "far", of 1000 ODEs alone, is expected to
 * take a tenth at 10,000, since one choice takes as long there and the other a hundredth; from
 * there on nothing is known of the engine */
TEST(mean_slopes)
{
    kb_tuned of[] = {
        ROW(20, 1e-6, 1000, 1e-6, "same", "gpu-thread", 0, 9),
        ROW(20, 1e-6, 1000, 1e-6, "steep", "gpu-thread", 0, 900),
        ROW(20, 1e-6, 1000, 1e-6, "far", "gpu-thread", 0, 8),
        ROW(20, 1e-6, 10000, 1e-6, "same", "gpu-thread", 0, 9),
        ROW(20, 1e-6, 10000, 1e-6, "steep", "gpu-thread", 0, 9),
        ROW(20, 1e-6, 10000, 1e-6, "cpu", "cpu-simd", 16, 1.01),
        ROW(20, 1e-6, 100000, 1e-6, "cpu", "cpu-simd", 16, 1.01),
    };
    kb_request r = {20, 1e-6, 10000, 1e-3, 16, listed, NULL};
    assert_string_equal(CHOICE(of, r), "far"); /* 0.8 us, with the quarter 1.0 */
    of[2].us = 8.2;
    assert_string_equal(CHOICE(of, r), "cpu");
}

/* a choice of 1000 ODEs alone at larger n, by one of its engine, too inexact, with a slope of -1:
 * at 10,000 "alone" is expected to take 5 us and counts a quarter more, at 31,623 1.6, at 100,000
 * and beyond 0.5 */
TEST(farther_above)
{
    static const struct {
        long n;
        double less, more; /* [us] of the other, which is chosen or not */
    } as[] = {{10000, 6.1, 6.4}, {31623, 1.9, 2.1}, {100000, 0.61, 0.64}, {10000000, 0.61, 0.64}};
    for (int threads = 0; threads < 2; threads++)
        for (int i = 0; i < 4; i++) {
            kb_tuned of[] = {
                ROW(20, 1e-6, 1000, 1e-2, "ends", "one", threads, 100),
                ROW(20, 1e-6, 1000, 1e-6, "alone", "one", threads, 50),
                ROW(20, 1e-6, 10000, 1e-6, "other", "two", threads, 1),
                ROW(20, 1e-6, 100000, 1e-2, "ends", "one", threads, 1),
                ROW(20, 1e-6, 100000, 1e-6, "other", "two", threads, 1),
            };
            kb_request r = {20, 1e-6, as[i].n, 1e-3, 1, listed, NULL};
            of[2].us = of[4].us = as[i].less;
            assert_string_equal(CHOICE(of, r), "other");
            of[2].us = of[4].us = as[i].more;
            assert_string_equal(CHOICE(of, r), "alone");
        }
}

/* what was measured nearer counts alone: "twice" would be expected to take 1.25 us at 10,000, where
 * it took 9, since the slopes of its engine are opposite */
TEST(nearer_rows)
{
    static const kb_tuned of[] = {
        ROW(20, 1e-6, 1000, 1e-6, "twice", "one", 0, 1),
        ROW(20, 1e-6, 1000, 1e-6, "steep", "one", 0, 90),
        ROW(20, 1e-6, 10000, 1e-6, "twice", "one", 0, 9),
        ROW(20, 1e-6, 10000, 1e-6, "steep", "one", 0, 10),
        ROW(20, 1e-6, 10000, 1e-6, "other", "two", 0, 5),
        ROW(20, 1e-6, 100000, 1e-6, "other", "two", 0, 5),
    };
    kb_request r = {20, 1e-6, 10000, 1e-3, 16, listed, NULL};
    assert_string_equal(CHOICE(of, r), "other");
    kb_tuned down[6]; /* and at 1000 */
    for (int i = 0; i < 6; i++) {
        down[i] = of[i];
        down[i].n = of[i].n == 1000 ? 10000 : 1000;
    }
    down[5].n = 10000;
    r.n = 1000;
    assert_string_equal(CHOICE(down, r), "other");
}

/* the sequence of rows decides between equals alone, for the first */
TEST(sequence_of_rows)
{
    kb_tuned of[] = {
        ROW(20, 1e-6, 1000, 1e-6, "small", "one", 0, 1),
        ROW(20, 1e-6, 1000, 1e-6, "large", "two", 16, 9),
        ROW(20, 1e-6, 10000, 1e-6, "small", "one", 0, 4),
        ROW(20, 1e-6, 10000, 1e-6, "large", "two", 16, 3),
        ROW(20, 1e-6, 100000, 1e-6, "large", "two", 16, 2),
    };
    kb_request r = {20, 1e-6, 1000, 1e-3, 16, listed, NULL};
    for (int k = 0; k < 24; k++) {
        r.n = 3000; /* small 1.9 us, large 5.3 */
        assert_string_equal(CHOICE(of, r), "small");
        r.n = 30000; /* 10, 2.5 */
        assert_string_equal(CHOICE(of, r), "large");
        kb_tuned first = of[0]; /* all rows move on, then two change places */
        memmove(of, of + 1, 4 * sizeof *of);
        of[4] = of[k % 4];
        of[k % 4] = first;
    }
    static const kb_tuned equal[] = {ROW(10, 1e-6, 1000, 1e-6, "first", "one", 0, 1),
                                     ROW(10, 1e-6, 1000, 1e-6, "second", "two", 0, 1),
                                     ROW(40, 1e-6, 1000, 1e-6, "third", "one", 0, 1)};
    r = (kb_request){20, 1e-6, 1000, 1e-3, 16, listed, NULL};
    assert_string_equal(CHOICE(equal, r), "first");
}

/* on cores alone 1000 ODEs of one thread are as 16,000 of 16 */
TEST(odes_of_a_thread)
{
    static const kb_tuned of[] = {
        ROW(20, 1e-6, 1000, 1e-6, "few", "cpu-scalar", 16, 1),
        ROW(20, 1e-6, 1000, 1e-6, "many", "cpu-simd", 16, 2),
        ROW(20, 1e-6, 16000, 1e-6, "few", "cpu-scalar", 16, 1),
        ROW(20, 1e-6, 16000, 1e-6, "many", "cpu-simd", 16, 0.5),
    };
    kb_request r = {20, 1e-6, 1000, 1e-3, 16, listed, NULL};
    assert_string_equal(CHOICE(of, r), "few");
    r.threads = 1;
    assert_string_equal(CHOICE(of, r), "many");
    kb_tuned other[4]; /* a GPU has the ODEs of none, and the most threads count */
    memcpy(other, of, sizeof of);
    other[0].threads = 0;
    assert_string_equal(CHOICE(other, r), "few");
    other[0].threads = 64;
    other[0].us = 1e9;
    r.threads = 16;
    r.n = 4000; /* as 16,000 of 64 */
    assert_string_equal(CHOICE(other, r), "many");
}

/* where some rows are of states before reaction, others give slopes alone */
TEST(states_before_reaction)
{
    kb_tuned of[] = {
        ROW(20, 1e-6, 1000, 1e-6, "calm", "cpu-simd", 16, 2),
        ROW(20, 1e-6, 100000, 1e-6, "calm", "cpu-simd", 16, 1),
        ROW(20, 1e-6, 100000, 1e-6, "true", "cpu-simd", 16, 3),
    };
    kb_request r = {20, 1e-6, 1000, 1e-3, 16, listed, NULL};
    assert_string_equal(CHOICE(of, r), "calm");
    of[2].before = true;
    assert_string_equal(CHOICE(of, r), "true");
    r.n = 100000;
    assert_string_equal(CHOICE(of, r), "true");
}

/* ends that were measured on 4 and on 16 threads: at 10,000 on 16 threads cpu takes 1 us at either
 * end and so between, and gpu 2 */
TEST(between_cells_of_other_threads)
{
    static const kb_tuned ends[] = {
        ROW(20, 1e-6, 1000, 1e-6, "cpu", "cpu-simd", 4, 4),
        ROW(20, 1e-6, 1000, 1e-6, "gpu", "gpu-thread", 0, 2),
        ROW(20, 1e-6, 100000, 1e-6, "cpu", "cpu-simd", 16, 1),
        ROW(20, 1e-6, 100000, 1e-6, "gpu", "gpu-thread", 0, 2),
    };
    kb_request r = {20, 1e-6, 10000, 1e-3, 16, listed, NULL};
    assert_string_equal(CHOICE(ends, r), "cpu");
    r.threads = 6; /* 2.7 us */
    assert_string_equal(CHOICE(ends, r), "gpu");
}

/* ---- what holds an error ---- */

static const kb_held errors[] = {
    {10, 1e-6, "rodas4", 1e-4, 1e-10, 2e-4, 5},
    {10, 1e-6, "rodas4", 1e-5, 1e-11, 2e-5, 10},
    {10, 1e-6, "rodas4", 1e-6, 1e-12, 2e-6, 20},
    {10, 1e-6, "rodas4:float=1", 1e-4, 1e-10, 2e-4, 5},
    {10, 1e-6, "rodas4:float=1", 1e-6, 1e-12, 5e-4, 20},
    {10, 1e-6, "rodas4:pass=1", 1e-4, 1e-10, 2e-3, 5},
    {10, 1e-6, "rodas4:float=1:pass=1", 1e-4, 1e-10, 3e-5, 5},
    {10, 1e-6, "rodas", 1e-2, 1e-8, 1e-9, 1},
    {10, 1e-6, "rodas4", 1e-2, 1e-8, 1e-12, 1}, /* behind the table */
};
static const kb_held_table held = {errors, sizeof errors / sizeof *errors - 1};

/* the rows at this error; returns how many */
static int hold(const kb_tuned *t, int count, double error, kb_tuned *out)
{
    return kb_auto_hold(&(kb_tuned_table){rows_of(t, count, "rodas"), count}, &held, error, out);
}

/* calm states: an error of 1e-9 at rtol 1e-4 is none that the tolerance holds */
TEST(tolerance_that_holds)
{
    static const kb_tuned calm[] = {ROW(10, 1e-6, 1000, 1e-9, "rodas4", "cpu-simd", 16, 1)};
    kb_tuned row;
    assert_int_equal(hold(calm, 1, 1e-3, &row), 1);
    assert_true(row.rtol == 1e-4 && row.atol == 1e-10 && row.us == 1 && row.error == 2e-4);
    assert_int_equal(hold(calm, 1, 2e-5, &row), 1);
    assert_true(row.rtol == 1e-5 && row.atol == 1e-11 && row.us == 2 && row.error == 2e-5);
    assert_int_equal(hold(calm, 1, 2e-6, &row), 1);
    assert_true(row.rtol == 1e-6 && row.atol == 1e-12 && row.us == 4);
    assert_int_equal(hold(calm, 1, 1e-6, &row), 0);
}

/* between two measured tolerances: half an error takes half the tolerance, in two digits, and
 * substeps as on a line of logarithms; a row that lies between two has theirs, too */
TEST(tolerance_between_two)
{
    kb_tuned calm[] = {ROW(10, 1e-6, 1000, 1e-9, "rodas4", "cpu-simd", 16, 1)};
    kb_tuned row;
    assert_int_equal(hold(calm, 1, 1e-5, &row), 1);
    assert_true(row.rtol == 5e-6 && row.atol == 5e-12 && row.error == 1e-5);
    assert_true(fabs(row.us - 2 * pow(2, log10(2))) < 1e-12);
    calm->rtol = 5e-6;
    assert_int_equal(hold(calm, 1, 1e-5, &row), 1);
    assert_true(fabs(row.us - 1) < 1e-12);
    calm->rtol = 1e-2; /* looser and tighter than any: the next one's */
    assert_int_equal(hold(calm, 1, 2e-5, &row), 1);
    assert_true(fabs(row.us - 2) < 1e-12);
    calm->rtol = 1e-9;
    assert_int_equal(hold(calm, 1, 2e-5, &row), 1);
    assert_true(fabs(row.us - 0.5) < 1e-12);
}

/* an error that the row itself had is no smaller */
TEST(rows_that_know_worse)
{
    static const kb_tuned worse[] = {ROW(10, 1e-6, 1000, 1e-2, "rodas4", "cpu-simd", 16, 1)};
    kb_tuned row;
    assert_int_equal(hold(worse, 1, 2e-4, &row), 1);
    assert_true(row.rtol == 2.3e-5); /* of 2e-5 at 1e-5 and 1e-2 at 1e-4 */
    assert_int_equal(hold(worse, 1, 1e-2, &row), 1);
    assert_true(row.rtol == 1e-4 && row.error == 1e-2);
}

/* the pass and factors in floats have errors of their own, on a GPU as on cores; other options have
 * none that was measured */
TEST(variants_have_their_errors)
{
    static const kb_tuned one[] = {
        ROW(10, 1e-6, 1000, 1e-9, "rodas4", "gpu-pair-float", 0, 1),
        ROW(10, 1e-6, 1000, 1e-9, "rodas4:float=1", "cpu-simd", 16, 1),
        ROW(10, 1e-6, 1000, 1e-9, "rodas4:pass=1", "cpu-simd", 16, 1),
        ROW(10, 1e-6, 1000, 1e-9, "rodas4:costly_first=0:pass=1", "gpu-thread", 0, 1),
        ROW(10, 1e-6, 1000, 1e-9, "rodas4:h0=1", "cpu-simd", 16, 1),
        ROW(10, 1e-6, 1000, 1e-9, "rodas4:costly_first=0", "gpu-thread", 0, 1),
        ROW(10, 1e-6, 1000, 1e-9, "cvode", "cpu-scalar", 16, 1),
        ROW(10, 1e-6, 1000, 1e-9, "rodas4:pass=1:float=1", "cpu-simd", 16, 1),
        ROW(10, 1e-6, 1000, 1e-9, "rodas4:pass=1", "gpu-pair-float", 0, 1),
    };
    static const double least[] = {2e-4, 2e-4, 2e-3, 2e-3, INFINITY, 2e-6, INFINITY, 3e-5, 3e-5};
    for (int i = 0; i < 9; i++) {
        kb_tuned row;
        kb_request r = {.there = listed};
        const kb_tuned_table of = {rows_of(&one[i], 1, "rodas"), 1};
        assert_true(kb_auto_least(&of, &held, &r) == least[i]);
        assert_int_equal(hold(&one[i], 1, least[i] * 0.9, &row), 0);
        assert_int_equal(hold(&one[i], 1, least[i], &row), !isinf(least[i]));
    }
}

/* of two tolerances of one choice the row that was measured nearer to what is handed on */
TEST(nearest_tolerance)
{
    kb_tuned two[] = {ROW(10, 1e-6, 1000, 1e-9, "rodas4", "cpu-simd", 16, 1),
                      ROW(10, 1e-6, 1000, 1e-9, "rodas4", "cpu-simd", 16, 9)};
    kb_tuned row[2];
    two[1].rtol = 1e-6;
    assert_int_equal(hold(two, 2, 2e-6, row), 1);
    assert_true(row->us == 9 && row->rtol == 1e-6);
    assert_int_equal(hold(two, 2, 1e-3, row), 1);
    assert_true(row->us == 1 && row->rtol == 1e-4);
    /* the second is behind the table */
    assert_int_equal(kb_auto_hold(&(kb_tuned_table){two, 1}, &held, 2e-6, row), 1);
}

TEST(least_of_what_is_there)
{
    static const kb_tuned two[] = {ROW(10, 1e-6, 1000, 1e-9, "rodas4", "cpu-simd", 16, 1),
                                   ROW(10, 1e-6, 1000, 1e-9, "rodas4:pass=1", "gpu-thread", 0, 1)};
    const kb_tuned_table t = {two, 2};
    kb_request r = {.there = listed};
    assert_true(kb_auto_least(&t, &held, &r) == 2e-6);
    assert_true(kb_auto_least(&t, &(kb_held_table){errors, 1}, &r) == 2e-4); /* the first alone */
    r.context = "gpu-thread";
    assert_true(kb_auto_least(&t, &held, &r) == 2e-3);
    r.context = "nothing";
    assert_true(isinf(kb_auto_least(&t, &held, &r)));
}

TEST(names)
{
    assert_true(kb_is_auto("auto") && kb_is_auto("auto:rtol=1e-3"));
    assert_false(kb_is_auto("autos") || kb_is_auto("aut"));
}

static int no_card(kb_error *err)
{
    (void)err;
    return KB_NOTHING;
}
static int a_card(kb_error *err)
{
    (void)err;
    return KB_OK;
}

TEST(cards)
{
    assert_false(kb_gpu_there(&(kb_solvers){0}));
    assert_false(kb_gpu_there(&(kb_solvers){.gpu_available = no_card}));
    assert_true(kb_gpu_there(&(kb_solvers){.gpu_available = a_card}));
}

/* sizes 10, 53 and 100, steps 1e-6 and 1e-4 s; "part" was not measured everywhere */
static const kb_held cells[] = {
    {10, 1e-6, "all", 1e-4, 1e-10, 1e-4, 2},  {10, 1e-6, "part", 1e-4, 1e-10, 1e-5, 2},
    {10, 1e-4, "all", 1e-4, 1e-10, 3e-4, 8},  {10, 1e-4, "all", 1e-5, 1e-11, 3e-5, 9},
    {53, 1e-6, "all", 1e-4, 1e-10, 2e-4, 4},  {53, 1e-4, "all", 1e-4, 1e-10, 1e-4, 4},
    {100, 1e-6, "all", 1e-4, 1e-10, 1e-4, 8}, {100, 1e-4, "all", 1e-4, 1e-10, 7e-4, 8},
    {53, 1e-6, "all", 1e-4, 1e-10, 1, 90},    {53, 1e-4, "all", 1e-4, 1e-10, 1, 90}, /* behind */
};
static const kb_held_table in_cells = {cells, sizeof cells / sizeof *cells - 2};

/* "all" alone is there, with this error and these substeps */
static void check_held(int nsp, double dt, double error, double substeps)
{
    kb_held of[8];
    assert_int_equal(kb_held_for(&in_cells, nsp, dt, of), 1);
    assert_string_equal(of->solver, "all");
    assert_true(fabs(of->error / error - 1) < 1e-12 && fabs(of->substeps - substeps) < 1e-12);
}

/* up to 53 species the larger error of 10 and 53, of these two a third towards their own, above of
 * 53 and 100; between two steps of both, beyond them of the last one */
TEST(errors_of_sizes_and_steps)
{
    double step[2];
    check_held(10, 1e-6, 2e-4 * pow(0.5, 1.0 / 3), sqrt(8));
    check_held(10, 1e-4, 3e-4, sqrt(32));
    check_held(53, 1e-4, 3e-4 * pow(1.0 / 3, 1.0 / 3), sqrt(32));
    check_held(53, 1e-5, 3e-4 * pow(2.0 / 3, 1.0 / 3), 4);
    check_held(20, 1e-5, 3e-4, 4);
    check_held(5, 1e-8, 2e-4, sqrt(8));
    check_held(100, 1e-6, 2e-4, sqrt(32));
    check_held(54, 1e-2, 7e-4, sqrt(32));
    static const kb_held two[] = {{10, 1e-6, "all", 1e-4, 1e-10, 1e-4, 2},
                                  {100, 1e-6, "all", 1e-4, 1e-10, 1e-4, 2}};
    kb_held of[2];
    for (int rows = 1; rows < 3; rows++) /* of the second size alone */
        assert_int_equal(kb_held_for(&(kb_held_table){two, rows}, 100, 1e-6, of), rows - 1);
    kb_held_steps(&in_cells, 1e-5, step);
    assert_true(step[0] == 1e-6 && step[1] == 1e-4);
    kb_held_steps(&in_cells, 1e-8, step);
    assert_true(step[0] == 1e-6 && step[1] == 1e-6);
    static const kb_held ends[] = {{10, 1e-6, "all", 1e-4, 1e-10, 1e-4, 2},
                                   {10, 1e-8, "all", 1e-4, 1e-10, 1e-4, 2}};
    kb_held_steps(&(kb_held_table){ends, 1}, 1e-8, step); /* of the first alone */
    assert_true(step[0] == 1e-6 && step[1] == 1e-6);
    kb_held_steps(&in_cells, 1, step);
    assert_true(step[0] == 1e-4 && step[1] == 1e-4);
}

/* the rows at this error for a mechanism over dt */
static kb_tuned *held_rows(const kb_tuned *of, double error, kb_tuned_table *t)
{
    kb_tuned *rows = kb_alloc((size_t)kb_tuned_here.count, sizeof *rows);
    kb_owned kb_held *near = kb_alloc((size_t)kb_held_here.count, sizeof *near);
    kb_held_table errors = {near, kb_held_for(&kb_held_here, of->nsp, of->dt, near)};
    *t = (kb_tuned_table){rows, kb_auto_hold(&kb_tuned_here, &errors, error, rows)};
    return rows;
}

/* each row is what is chosen for itself, or is no faster than that where it is of the same n; of
 * USC II no tolerance holds 1e-8 */
static void check_rows(const kb_tuned *of, double error)
{
    kb_tuned_table t;
    kb_owned kb_tuned *rows = held_rows(of, error, &t);
    assert_true(t.count > 50 || (of->nsp > 53 && error < 1e-6));
    for (int i = 0; i < t.count; i++) {
        const kb_tuned *a = &t.row[i];
        kb_request r = {a->nsp, a->dt, a->n, error, a->threads ? a->threads : 16, listed, NULL};
        if (a->nsp != of->nsp || a->dt != of->dt)
            continue;
        const kb_tuned *c = kb_auto_choose(&t, &r);
        assert_true(c->nsp == a->nsp && c->dt == a->dt && c->error <= error);
        assert_true(c->n != a->n || c->us <= a->us);
    }
}

TEST(measured_tables)
{
    assert_true(kb_tuned_here.count > 100 && kb_held_here.count > 100);
    for (int i = 0; i < kb_tuned_here.count; i++) {
        const kb_tuned *a = &kb_tuned_here.row[i];
        for (double error = 1e-2; error > 0.5e-8; error /= 10)
            if (!i || a->nsp != a[-1].nsp || a->dt != a[-1].dt)
                check_rows(a, error);
    }
}

TESTS(NULL, NULL)
