/* SPDX-License-Identifier: MIT
 *
 * compare on whole runs that are made up: which cells meet, which were measured in turns, what
 * counts as another error, the order of the rows.
 */
#include "tests/test.h"
#include "drivers/compare/verdict.h"

enum { REPEATS = 10 };

typedef struct {
    const char *n;                   /* which cell it is */
    double time, error, begin, each; /* of the first repeat; from one to the next */
    const char *status;
} cell;

static void add(kb_compare_run *run, const cell *c)
{
    long row = kb_csv_add(&run->cells);
    kb_csv_set(&run->cells, row, "n", c->n);
    kb_csv_set(&run->cells, row, "failed", "0");
    kb_csv_set(&run->cells, row, "status", c->status ? c->status : "ok");
    kb_csv_number(&run->cells, row, "err_p95", c->error, 6);
    for (int i = 0; i < REPEATS && !c->status; i++) {
        row = kb_csv_add(&run->samples);
        kb_csv_set(&run->samples, row, "n", c->n);
        kb_csv_number(&run->samples, row, "time_s", c->time * (1 + 1e-4 * i), 9);
        kb_csv_number(&run->samples, row, "begin_s", c->begin + i * c->each, 9);
    }
}

/* one run of these cells */
static kb_side side(const cell *cells, int n)
{
    kb_side s = {.folder = "x", .one_run = true, .nruns = 1, .column = "time_s"};
    s.runs = kb_alloc(1, sizeof *s.runs);
    s.runs->folder = kb_strdup("x");
    kb_csv_start(&s.runs->cells, "n,err_p95,failed,status");
    kb_csv_start(&s.runs->samples, "n,time_s,begin_s");
    for (int i = 0; i < n; i++)
        add(s.runs, &cells[i]);
    return s;
}

typedef struct {
    kb_side a, b;
    kb_comparison c;
} comparison;

static comparison *compare(const cell *a, int na, const cell *b, int nb)
{
    comparison *x = kb_alloc(1, sizeof *x);
    x->a = side(a, na);
    x->b = side(b, nb);
    kb_compare(&x->c, &x->a, &x->b, 0.03);
    return x;
}

static void release(comparison *x)
{
    kb_comparison_free(&x->c);
    kb_side_free(&x->a);
    kb_side_free(&x->b);
    free(x);
}

/* verdict of one cell whose errors are these */
static kb_change verdict(double error_of_a, double error_of_b)
{
    const cell a = {"1", 1, error_of_a, 0, 2, NULL}, b = {"1", 1, error_of_b, 1, 2, NULL};
    comparison *x = compare(&a, 1, &b, 1);
    kb_change v = x->c.pairs[0].verdict;
    release(x);
    return v;
}

/* at every tolerance, down to the error of the reference itself */
TEST(errors_are_compared)
{
    for (double error = 1e-2; error > 1e-10; error /= 10) {
        assert_int_equal(verdict(error, 1.4 * error), KB_IS_SAME);
        assert_int_equal(verdict(error, 1.6 * error), KB_IS_OTHER);
        assert_int_equal(verdict(1.6 * error, error), KB_IS_OTHER);
    }
    assert_int_equal(verdict(1e-13, 9e-12), KB_IS_SAME);
    assert_int_equal(verdict(1e-13, 2e-11), KB_IS_OTHER);
    assert_int_equal(verdict(2, 3), KB_IS_SAME); /* just as much is none */
    assert_int_equal(verdict(INFINITY, INFINITY), KB_IS_SAME);
    assert_int_equal(verdict(1, INFINITY), KB_IS_OTHER);
}

static bool in_turns(double begin_of_b, double each_of_a, double each_of_b)
{
    const cell a = {"1", 1, 1e-6, 0, each_of_a, NULL};
    const cell b = {"1", 1, 1e-6, begin_of_b, each_of_b, NULL};
    comparison *x = compare(&a, 1, &b, 1);
    bool turns = x->c.pairs[0].in_turns;
    release(x);
    return turns;
}

TEST(turns_are_seen)
{
    assert_true(in_turns(1, 2, 2) && in_turns(-1, 2, 2));
    assert_false(in_turns(2, 2, 2));   /* B when A begins the next */
    assert_false(in_turns(100, 2, 2)); /* one run, then the other */
    assert_false(in_turns(1, 2, 1));   /* the last of B before the last of A begins */
    assert_false(in_turns(NAN, 2, 2)); /* nobody knows */
}

/* drift is taken out of what was measured in turns alone */
TEST(one_after_the_other_is_no_turn)
{
    const cell a[] = {{"1", 1, 1e-6, 0, 2, NULL}, {"2", 1, 1e-6, 0, 2, NULL}};
    const cell b[] = {{"1", 2, 1e-6, 1, 2, NULL}, {"2", 2, 1e-6, 50, 2, NULL}};
    comparison *x = compare(a, 2, b, 2);
    for (long i = 0; i < 2; i++) {
        const kb_cell_pair *p = &x->c.pairs[i];
        assert_true(fabs(p->ratio - 2) < 0.01);
        assert_true(p->in_turns == !strcmp(kb_side_text(p->a, "n"), "1"));
        assert_true((p->ta[0] == p->a->time[0]) == !p->in_turns);
    }
    release(x);
}

/* The first cell of B is a cell like the others: it meets that of A, wherever that stands, and it
 * says how it ended. */
TEST(the_first_cell_of_b)
{
    const cell a[] = {{"1", 1, 1e-6, 0, 2, NULL}, {"2", 1, 1e-6, 0, 2, NULL}};
    const cell b[] = {{"2", 1, 1e-6, 1, 2, NULL}, {"1", 1, 1e-6, 1, 2, NULL}};
    const cell ended[] = {{"2", 0, 0, 0, 0, "skipped"}, {"1", 1, 1e-6, 1, 2, NULL}};
    comparison *x = compare(a, 2, b, 2);
    assert_int_equal(x->c.n, 2);
    assert_int_equal(x->c.count[KB_IS_SAME], 2);
    release(x);
    x = compare(a, 2, ended, 2);
    assert_int_equal(x->c.n, 2);
    assert_true(x->c.lost == 1 && x->c.count[KB_IS_MISSING] == 1);
    for (long i = 0; i < 2; i++) {
        const kb_cell_pair *p = &x->c.pairs[i];
        assert_true((p->verdict == KB_IS_MISSING) == (p->ended != NULL));
        assert_true(!p->ended || !strcmp(kb_side_text(p->ended, "n"), "2"));
    }
    release(x);
}

/* within a verdict the largest effect comes first, up or down; equal ones by their names */
TEST(rows_by_size)
{
    static const char *const order[] = {"4", "1", "2", "3", "5"};
    const cell a[] = {{"1", 1, 1e-6, 0, 2, NULL}, {"2", 1, 1e-6, 0, 2, NULL},
                      {"3", 1, 1e-6, 0, 2, NULL}, {"4", 1, 1e-6, 0, 2, NULL},
                      {"5", 1, 1e-6, 0, 2, NULL}};
    const cell b[] = {{"1", 2, 1e-6, 1, 2, NULL}, {"2", 2, 1e-6, 1, 2, NULL},
                      {"3", 1.5, 1e-6, 1, 2, NULL}, {"4", 4, 1e-6, 1, 2, NULL},
                      {"5", 1.2, 1e-6, 1, 2, NULL}};
    for (int turned = 0; turned < 2; turned++) { /* A and B exchanged: all are faster */
        comparison *x = turned ? compare(b, 5, a, 5) : compare(a, 5, b, 5);
        assert_int_equal(x->c.count[turned ? KB_IS_FASTER : KB_IS_SLOWER], 5);
        for (int i = 0; i < 5; i++)
            assert_string_equal(kb_side_text(x->c.pairs[i].a, "n"), order[i]);
        release(x);
    }
}

TESTS(NULL, NULL)
