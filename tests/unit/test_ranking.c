/* SPDX-License-Identifier: MIT
 *
 * The fastest cells at an error, and the CVODE that a ratio is to: on made-up rows.
 */
#include "tests/test.h"
#include "base/error.h"
#include "rows/columns.h"
#include "rows/identity.h"
#include "rows/ranking.h"
#include "rows/results.h"

static kb_csv rows;
static const char *most = ""; /* err_max of the rows that come */

/* row numbers are those of the calls */
static long add(const char *solver, const char *engine, const char *threads, double time,
                double error, const char *wrong)
{
    long row = kb_csv_add(&rows);
    const char *const fields[][2] = {{"solver", solver}, {"engine", engine}, {"threads", threads},
                                     {"dt_s", "1e-06"},  {"n", "64"},        {"order", "shuffled"},
                                     {"status", "ok"},   {"failed", "0"},    {"wrong", wrong},
                                     {"err_max", most}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        kb_csv_set(&rows, row, fields[i][0], fields[i][1]);
    kb_csv_number(&rows, row, "time_s", time, 6);
    kb_csv_number(&rows, row, "err_p95", error, 6);
    return row;
}

FIXTURE(start)
{
    kb_csv_start(&rows, "solver,engine,threads,dt_s,n,order,sample,steps,status,failed,wrong,"
                        "time_s,err_p95,err_max");
    most = "";
    return 0;
}

FIXTURE(end)
{
    kb_csv_free(&rows);
    return 0;
}

TEST_WITH(the_cvode_of_a_ratio, start, end)
{
    long ours = add("rodas4", "cpu-simd", "2", 1, 3e-7, "0");
    long gpu = add("rodas4", "gpu-block", "0", 0.1, 3e-5, "0");
    long loose = add("cvode", "cpu-scalar", "2", 2, 5e-5, "0");
    long tight = add("cvode", "cpu-scalar", "2", 4, 9e-7, "0");
    long one = add("cvode", "cpu-scalar", "1", 3, 2e-7, "0");
    kb_csv_set(&rows, add("cvode", "cpu-scalar", "2", 0.5, 1e-9, "0"), "failed", "3");
    kb_contest on_two = kb_contest_of(&rows, ours), on_gpu = kb_contest_of(&rows, gpu);
    /* as accurate as asked for, on as many threads, with no failed ODE; on a GPU on any number */
    assert_int_equal(kb_fastest_cvode(&rows, &on_two, 1e-4), loose);
    assert_int_equal(kb_fastest_cvode(&rows, &on_two, 1e-6), tight);
    assert_int_equal(kb_fastest_cvode(&rows, &on_two, 1e-7), -1);
    assert_int_equal(kb_fastest_cvode(&rows, &on_gpu, 1e-4), loose);
    assert_int_equal(kb_fastest_cvode(&rows, &on_gpu, 1e-6), one);
    /* at the level of the row the table has the ratio of the screen */
    assert_true(kb_level_of(&rows, ours) == 1e-6 && kb_level_of(&rows, gpu) == 1e-4);
    assert_int_equal(kb_fastest_cvode(&rows, &on_two, kb_level_of(&rows, ours)), tight);
    assert_int_equal(kb_fastest(&rows, &on_two, 1e-6, NULL), ours);
    assert_int_equal(kb_fastest(&rows, &on_two, 1e-6, "rodas4:x=1"), tight);
}

TEST_WITH(levels_are_decades, start, end)
{
    assert_true(kb_level_of(&rows, add("a", "cpu-simd", "1", 1, 1e-4, "0")) == 1e-4);
    assert_true(kb_level_of(&rows, add("a", "cpu-simd", "1", 1, 1.01e-4, "0")) == 1e-3);
    assert_true(kb_level_of(&rows, add("a", "cpu-simd", "1", 1, 1e-13, "0")) == 1e-8);
    assert_true(kb_level_of(&rows, add("a", "cpu-simd", "1", 1, 0, "0")) == 1e-8);
    assert_true(kb_level_of(&rows, add("a", "cpu-simd", "1", 1, 0.3, "0")) == 1);
    assert_true(kb_level_of(&rows, add("a", "cpu-simd", "1", 1, 42, "0")) == 100);
}

TEST_WITH(a_row_without_a_time_is_none, start, end)
{
    static const char *const times[] = {"0", "-1", "-inf", "inf", "nan", ""};
    long row = add("a", "cpu-simd", "1", 1, 1e-4, "0");
    (void)state;
    assert_true(kb_is_sound(&rows, row) && !kb_row_fault(&rows, row));
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        kb_csv_set(&rows, row, "time_s", times[i]);
        assert_string_equal(kb_row_fault(&rows, row), "without a time");
    }
}

/* of two rows that differ in one of these columns neither is faster than the other */
TEST_WITH(rows_of_other_odes_do_not_compete, start, end)
{
    static const char *const columns[] = {"dt_s", "n", "order", "sample", "steps", "threads"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        long slow = add("a", "cpu-simd", "1", 2, 1e-6, "0");
        long quick = add("b", "cpu-simd", "1", 1, 1e-6, "0");
        kb_contest c = kb_contest_of(&rows, slow);
        assert_true(kb_contest_begins(&c, &rows, slow) && !kb_contest_begins(&c, &rows, quick));
        assert_int_equal(kb_fastest(&rows, &c, 1e-4, NULL), quick);
        kb_csv_set(&rows, quick, columns[i], "7");
        assert_true(kb_contest_has(&c, &rows, slow) && !kb_contest_has(&c, &rows, quick));
        kb_contest other = kb_contest_of(&rows, quick);
        assert_true(kb_contest_begins(&other, &rows, quick));
        assert_int_equal(kb_fastest(&rows, &c, 1e-4, NULL), slow);
        end(NULL);
        start(NULL);
    }
}

/* p95 <= E and largest <= 1000 E, whatever the tolerance and the ODEs that are wrong */
TEST_WITH(rows_that_may_be_the_fastest, start, end)
{
    most = "1.8e-3";
    long cvode = add("cvode", "cpu-scalar", "2", 9.5, 1.3e-5, "1");
    assert_true(kb_rank_error(&rows, cvode) == 1.3e-5);
    most = "0.22"; /* of a loose tolerance, where nothing is wrong */
    long loose = add("rodas4", "cpu-scalar", "2", 3, 9e-5, "0");
    assert_true(fabs(kb_rank_error(&rows, loose) - 2.2e-4) < 1e-18);
    kb_contest c = kb_contest_of(&rows, cvode);
    assert_int_equal(kb_fastest(&rows, &c, 1e-4, NULL), cvode);
    assert_int_equal(kb_fastest_cvode(&rows, &c, 1e-4), cvode);
    assert_int_equal(kb_fastest(&rows, &c, 1e-3, NULL), loose);
    assert_true(kb_level_of(&rows, loose) == 1e-3);
    most = "0.1"; /* the ends of both belong to them */
    long last = add("ros3", "cpu-scalar", "2", 2, 1e-4, "0");
    assert_int_equal(kb_fastest(&rows, &c, 1e-4, NULL), last);
    most = "1e-9";
    static const char *const fixed[] = {"point_implicit", "point_implicit:steps=4"};
    for (int i = 0; i < 2; i++)
        assert_true(isinf(kb_rank_error(&rows, add(fixed[i], "cpu-scalar", "2", 1, 1e-9, "0"))));
    assert_int_equal(kb_fastest(&rows, &c, 1e-4, NULL), last);
    assert_true(kb_controls_error("point_implicit2") && kb_controls_error("rodas4:x=1"));
    most = "inf";
    assert_true(isinf(kb_rank_error(&rows, add("exp4", "cpu-scalar", "2", 1, 1e-9, "0"))));
}

/* Where a table says which ODEs are active, their percentile counts, else the one over all */
TEST_WITH(active_odes_decide, start, end)
{
    end(NULL);
    kb_csv_start(&rows, "solver,engine,threads,dt_s,n,order,sample,steps,status,failed,wrong,"
                        "time_s,err_p95,err_p95_active,err_max");
    most = "1e-3";
    long fast = add("ros3", "cpu-simd", "2", 1, 1e-9, "0");
    long slow = add("rodas4", "cpu-simd", "2", 2, 1e-8, "0");
    long idle = add("rodas5p", "cpu-simd", "2", 3, 1e-7, "0");
    kb_csv_set(&rows, fast, "err_p95_active", "2e-4");
    kb_csv_set(&rows, slow, "err_p95_active", "3e-5");
    assert_true(kb_rank_error(&rows, fast) == 2e-4 && kb_active_p95(&rows, idle) == 1e-7);
    kb_contest c = kb_contest_of(&rows, fast);
    assert_int_equal(kb_fastest(&rows, &c, 1e-4, NULL), slow);
    assert_int_equal(kb_fastest(&rows, &c, 1e-3, NULL), fast);
    assert_int_equal(kb_fastest(&rows, &c, 1e-6, NULL), idle);
    kb_csv_set(&rows, slow, "err_p95_active", "inf");
    assert_true(isinf(kb_rank_error(&rows, slow)));
}

/* Some columns say which cell a row is about. Two rows that differ in one of these are two cells;
 * only if that column is n do the rows count as the same cell at two n. */
TEST(rows_that_differ_in_one_column)
{
    kb_csv t;
    const kb_csv *tables[] = {&t};
    int count = kb_which_columns.count;
    kb_columns_start(&t, &kb_which_columns);
    for (int row = 0; row <= count; row++) {
        kb_csv_add(&t);
        for (int i = 0; i < count; i++)
            kb_csv_set(&t, row, t.names[i], i + 1 == row ? "1" : "0");
    }
    kb_identity id = kb_identity_of(tables, 1);
    assert_int_equal(id.count, count);
    kb_owned char *first = kb_identity_text(&id, &t, 0);
    for (int row = 1; row <= count; row++) {
        kb_owned char *other = kb_identity_text(&id, &t, row);
        assert_string_not_equal(first, other);
        assert_int_equal(kb_same_but_n(&t, 0, row), !strcmp(t.names[row - 1], "n"));
        assert_true(kb_same_but_n(&t, row, row));
    }
    kb_csv_free(&t);
}

/* Time of one thread over threads times their time: the median over the n with 64 ODEs a thread for
 * which both are known, otherwise of the most ODEs */
TEST(rows_of_two_machines)
{
    static const struct { const char *machine[3], *status[3]; } tables[] = {
        {{"a", "b", "a"}, {"ok", "of another machine", "ok"}},
        {{"a", "b"}, {"of another machine", "of another machine"}}, /* neither is the run's */
        {{"a", "a"}, {"ok", "ok"}},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        kb_csv t;
        kb_csv_start(&t, "machine,status");
        for (int k = 0; k < 3 && tables[i].machine[k]; k++) {
            long row = kb_csv_add(&t);
            kb_csv_set(&t, row, "machine", tables[i].machine[k]);
            kb_csv_set(&t, row, "status", "ok");
        }
        kb_rows_mark(&t);
        for (long k = 0; k < t.nrows; k++)
            assert_string_equal(kb_csv_get(&t, k, "status"), tables[i].status[k]);
        kb_csv_free(&t);
    }
}

TEST(use_of_threads)
{
    static const struct {
        const char *engine, *threads, *ranks, *n, *one, *time, *solver;
        double use;
    } list[] = {{"cpu-simd", "4", "1", "1", "8", "4", "c", 0.5},
                {"cpu-simd", "4", "1", "100", "8", "4", "a", 0.9},
                {"cpu-simd", "4", "1", "1000", "6", "2", "a", 0.9},
                {"cpu-simd", "4", "1", "300", "7.2", "2", "a", 0.9},
                {"cpu-simd", "4", "1", "500", "8", "2", "a", 0.9},
                {"cpu-simd", "4", "1", "10000", "", "3", "a", 0.9},
                {"cpu-simd", "4", "1", "10", "9", "9", "a", 0.9},
                {"cpu-simd", "2", "", "100", "0.5", "4", "a", 0.0625},
                {"cpu-simd", "1", "1", "100", "8", "4", "a", 1},
                {"cpu-simd", "4", "2", "100", "8", "4", "b", 1},
                {"cpu-simd", "4", "1", "20000", "0", "4", "a", 0.9},
                {"cpu-simd", "4", "1", "100", "", "4", "d", 0},
                {"gpu-warp", "4", "1", "5000", "8", "4", "a", 1},
                {"cpu-scalar", "4", "1", "5000", "8", "4", "a", 0.5}};
    enum { N = sizeof list / sizeof *list };
    kb_csv t;
    kb_csv_start(&t, "solver,engine,threads,n,ranks,one_thread_s,time_s");
    for (int i = 0; i < N; i++) {
        const char *const fields[][2] = {
            {"solver", list[i].solver}, {"engine", list[i].engine}, {"threads", list[i].threads},
            {"n", list[i].n},           {"ranks", list[i].ranks},   {"one_thread_s", list[i].one},
            {"time_s", list[i].time}};
        kb_csv_add(&t);
        for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
            kb_csv_set(&t, i, fields[k][0], fields[k][1]);
    }
    for (int i = 0; i < N; i++)
        if (kb_thread_use(&t, i) != list[i].use)
            fail_msg("row %d: %g, expected %g", i, kb_thread_use(&t, i), list[i].use);
    strcpy(t.names[5], "unknown");
    assert_true(kb_thread_use(&t, 0) == 1);
    kb_csv_free(&t);
}

TESTS(NULL, NULL)
