/* SPDX-License-Identifier: MIT
 *
 * What `auto` chooses from made-up tables; and that the table of make tune can be used.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solvers/auto.h"

#define ROW(nsp, dt, n, error, solver, engine, threads, us)                                        \
    {                                                                                              \
        nsp, dt, n, error, solver, engine, KB_REFILL, 1e-4, 1e-10, threads, us                     \
    }

static const kb_tuned rows[] = {
    ROW(10, 1e-6, 1000, 1e-3, "loose", "cpu-simd", 16, 1.0),
    ROW(10, 1e-6, 1000, 1e-6, "tight", "cpu-simd", 16, 3.0),
    ROW(10, 1e-6, 1000, 1e-4, "tight", "gpu-thread", 0, 2.0),
    ROW(10, 1e-6, 100000, 1e-4, "large", "gpu-thread", 0, 0.1),
    ROW(10, 1e-4, 1000, 1e-4, "long", "gpu-thread", 0, 5.0),
    ROW(80, 1e-6, 100000, 1e-4, "wide", "gpu-block", 0, 9.0),
};
static const kb_tuned_table table = {rows, sizeof rows / sizeof *rows};

/* context: the engines that are there, NULL: all */
static bool listed(const void *context, const kb_tuned *row)
{
    return !context || strstr(context, row->engine);
}

static const char *chosen(int nsp, double dt, long n, double error, int threads, const char *there)
{
    kb_request r = {nsp, dt, n, error, threads, listed, there};
    const kb_tuned *t = kb_auto_choose(&table, &r);
    return t ? t->solver : "none";
}

static void fastest_that_is_accurate(void **state)
{
    (void)state;
    assert_string_equal(chosen(10, 1e-6, 1000, 1e-3, 16, NULL), "loose");
    assert_string_equal(chosen(10, 1e-6, 1000, 1e-4, 16, "cpu-simd"), "tight");
    assert_string_equal(chosen(10, 1e-6, 1000, 1e-9, 16, NULL), "tight"); /* the most accurate */
}

/* a quarter of the threads, four times the time */
static void threads_that_there_are(void **state)
{
    (void)state;
    kb_request r = {10, 1e-6, 1000, 1e-3, 4, listed, NULL};
    assert_string_equal(kb_auto_choose(&table, &r)->engine, "gpu-thread");
    r.threads = 16;
    assert_string_equal(kb_auto_choose(&table, &r)->engine, "cpu-simd");
}

static void nearest_cell(void **state)
{
    (void)state;
    assert_string_equal(chosen(12, 3e-7, 40000, 1e-4, 16, NULL), "large");
    assert_string_equal(chosen(10, 3e-5, 1000, 1e-4, 16, NULL), "long");
    assert_string_equal(chosen(53, 1e-6, 1000, 1e-4, 16, NULL), "wide"); /* size before n */
    assert_string_equal(chosen(53, 1e-6, 100000, 1e-4, 16, "cpu-simd"), "tight");
    assert_string_equal(chosen(53, 1e-6, 100000, 1e-4, 16, "cpu-scalar"), "none");
}

/* at 10,000 expected: low 1 us, high 0.5 (of 0.05 at 100,000, with the slope of low), few 1.2, cpu
 * 4; the larger error of low */
static void between_cells(void **state)
{
    (void)state;
    static const kb_tuned ends[] = {
        ROW(20, 1e-6, 1000, 1e-6, "low", "gpu-thread", 0, 10),
        ROW(20, 1e-6, 1000, 1e-4, "few", "gpu-thread", 0, 12),
        ROW(20, 1e-6, 1000, 1e-6, "cpu", "cpu-simd", 16, 4),
        ROW(20, 1e-6, 100000, 1e-4, "low", "gpu-thread", 0, 0.1),
        ROW(20, 1e-6, 100000, 1e-3, "high", "gpu-block", 0, 0.05),
        ROW(20, 1e-6, 100000, 1e-6, "cpu", "cpu-simd", 16, 4),
    };
    const kb_tuned_table t = {ends, sizeof ends / sizeof *ends};
    kb_request r = {20, 1e-6, 10000, 1e-3, 16, listed, NULL};
    assert_string_equal(kb_auto_choose(&t, &r)->solver, "high");
    r.error = 1e-4;
    assert_string_equal(kb_auto_choose(&t, &r)->solver, "low");
    r.error = 1e-5;
    assert_string_equal(kb_auto_choose(&t, &r)->solver, "cpu");
    r.n = 1500; /* low 6.7, few 8, cpu 4 */
    r.error = 1e-4;
    assert_string_equal(kb_auto_choose(&t, &r)->solver, "cpu");
    r.n = 1000; /* a cell itself: its own errors */
    r.error = 1e-5;
    r.context = "gpu-thread";
    assert_string_equal(kb_auto_choose(&t, &r)->solver, "low");
}

/* ends that were measured on 4 and on 16 threads: at 10,000 on 16 threads cpu takes 1 us at either
 * end and so between, and gpu 2 */
static void between_cells_of_other_threads(void **state)
{
    (void)state;
    static const kb_tuned ends[] = {
        ROW(20, 1e-6, 1000, 1e-6, "cpu", "cpu-simd", 4, 4),
        ROW(20, 1e-6, 1000, 1e-6, "gpu", "gpu-thread", 0, 2),
        ROW(20, 1e-6, 100000, 1e-6, "cpu", "cpu-simd", 16, 1),
        ROW(20, 1e-6, 100000, 1e-6, "gpu", "gpu-thread", 0, 2),
    };
    const kb_tuned_table t = {ends, sizeof ends / sizeof *ends};
    kb_request r = {20, 1e-6, 10000, 1e-3, 16, listed, NULL};
    assert_string_equal(kb_auto_choose(&t, &r)->solver, "cpu");
    r.threads = 6; /* 2.7 us */
    assert_string_equal(kb_auto_choose(&t, &r)->solver, "gpu");
}

static void names(void **state)
{
    (void)state;
    assert_true(kb_is_auto("auto") && kb_is_auto("auto:rtol=1e-3"));
    assert_false(kb_is_auto("autos") || kb_is_auto("aut"));
}

/* each row is what is chosen for itself or is no faster than that */
static void measured_table(void **state)
{
    (void)state;
    assert_true(kb_tuned_here.count > 100);
    for (int i = 0; i < kb_tuned_here.count; i++) {
        const kb_tuned *t = &kb_tuned_here.row[i];
        kb_request r = {t->nsp, t->dt, t->n, t->error, t->threads ? t->threads : 16, listed, NULL};
        const kb_tuned *c = kb_auto_choose(&kb_tuned_here, &r);
        assert_true(c->nsp == t->nsp && c->dt == t->dt && c->n == t->n);
        assert_true(c->us <= t->us && c->error <= t->error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fastest_that_is_accurate),
                                       cmocka_unit_test(threads_that_there_are),
                                       cmocka_unit_test(nearest_cell),
                                       cmocka_unit_test(between_cells),
                                       cmocka_unit_test(between_cells_of_other_threads),
                                       cmocka_unit_test(names),
                                       cmocka_unit_test(measured_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
