/* SPDX-License-Identifier: MIT
 *
 * How many samples a cell wants: by --repeats, --precision and --budget.
 */
#include "tests/test.h"
#include "drivers/bench/cells.h"

/* how many it takes, where the times of one after another are these, again and again */
static int taken(kb_settings set, const double *times, int n, int batch, int steps)
{
    kb_cell c = {.steps = steps};
    while (kb_cell_wants_more(&c, &set) && c.nsamples < 5000)
        kb_cell_add_sample(&c, &(kb_sample){.time = times[c.nsamples % n], .batch = batch});
    int count = c.nsamples;
    free(c.samples);
    return count;
}

/* whether it wants one more after so many of two times */
static int wanted(const kb_settings *set, int count)
{
    kb_cell c = {.steps = 1};
    while (c.nsamples < count)
        kb_cell_add_sample(&c, &(kb_sample){.time = c.nsamples % 2 ? 3 : 1, .batch = 1});
    int more = kb_cell_wants_more(&c, set);
    free(c.samples);
    return more;
}

static const double same[] = {2}, apart[] = {1, 2, 3}, above[] = {2, 2, 2, 3, 3},
                    below[] = {2, 2, 2, 1, 1};

TEST(repeats_are_the_number_without_a_precision)
{
    kb_settings set = {.repeats = 7, .budget = 1e9};
    assert_int_equal(taken(set, apart, 3, 1, 1), 7);
    set.repeats = 1;
    assert_int_equal(taken(set, apart, 3, 1, 1), 1);
    set.repeats = 2000;
    assert_int_equal(taken(set, apart, 3, 1, 1), 2000);
}

TEST(a_precision_wants_more_up_to_a_thousand)
{
    kb_settings set = {.repeats = 5, .budget = 1e9, .precision = 0.4};
    assert_int_equal(taken(set, same, 1, 1, 1), 5);
    assert_int_equal(taken(set, apart, 3, 1, 1), 30);
    assert_int_equal(taken(set, above, 5, 1, 1), 58);
    assert_int_equal(taken(set, below, 5, 1, 1), 58);
    set.precision = 0.5; /* the ends are at exactly that */
    assert_int_equal(taken(set, apart, 3, 1, 1), 5);
    assert_int_equal(taken(set, above, 5, 1, 1), 5);
    assert_int_equal(taken(set, below, 5, 1, 1), 5);
    set.precision = 0.1;
    assert_true(wanted(&set, 6) && wanted(&set, 500) && wanted(&set, 999) && !wanted(&set, 1000));
    set.repeats = 1001;
    assert_true(wanted(&set, 1000) && !wanted(&set, 1001));
}

/* one more is taken if as long as those before, on average, it still fits */
TEST(a_budget_ends_it)
{
    kb_settings set = {.repeats = 5, .budget = 40, .precision = 0.1};
    assert_int_equal(taken(set, apart, 3, 1, 1), 20);
    assert_int_equal(taken(set, apart, 3, 2, 1), 10);
    assert_int_equal(taken(set, apart, 3, 1, 2), 10);
    set.budget = 38.9;
    assert_int_equal(taken(set, apart, 3, 1, 1), 19);
    set.budget = 1e-9;
    assert_int_equal(taken(set, apart, 3, 1, 1), 5);
}

TESTS(NULL, NULL)
