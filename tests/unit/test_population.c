/* SPDX-License-Identifier: MIT
 *
 * Is an ODE as much work at every n? work_ratio of made-up cells, and what the screen says of it.
 */
#include "tests/test.h"
#include "drivers/bench/population.h"

static kb_csv cells;

/* the row of a cell: all that its work depends on, then n, what it took and who ran it */
static long add(const char *work, double n, double rhs, const char *order)
{
    static const char *const columns[] = {"solver", "engine", "dt_s",  "rtol",
                                          "atol",   "steps",  "sample"};
    char *words = strdup(work), *rest = words;
    long row = kb_csv_add(&cells);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        kb_csv_set(&cells, row, columns[i], strsep(&rest, " "));
    kb_csv_number(&cells, row, "n", n, 0);
    if (rhs >= 0)
        kb_csv_number(&cells, row, "rhs_mean", rhs, 6);
    kb_csv_set(&cells, row, "order", order);
    free(words);
    return row;
}

static const char usual[] = "ros4 cpu 1e-6 1e-4 1e-10 1 even";

FIXTURE(begin)
{
    kb_csv_start(&cells, "solver,engine,dt_s,rtol,atol,steps,sample,n,rhs_mean,order,work_ratio");
    return 0;
}

FIXTURE(end)
{
    kb_csv_free(&cells);
    return 0;
}

static void ratio_is(long row, const char *ratio)
{
    assert_string_equal(kb_csv_get(&cells, row, "work_ratio"), ratio);
}

TEST_WITH(the_largest_n_of_the_same_work_counts, begin, end)
{
    add(usual, 10, 9, "generated");
    add(usual, 1000, 8, "generated");
    add(usual, 1000, 6, "shuffled"); /* the first of as many */
    add(usual, 100, 8.12345678, "shuffled");
    add(usual, 1e6, -1, "generated"); /* not run */
    add(usual, 1e5, 0, "generated");
    add("one_more cpu 1e-6 1e-4 1e-10 1 even", 5, 3, "generated");
    kb_population_fill(&cells);
    static const char *const ratios[] = {"1.125", "1", "0.75", "1.015", "", "", "1"};
    for (long i = 0; i < 7; i++)
        ratio_is(i, ratios[i]);
}

TEST_WITH(each_word_is_another_work, begin, end)
{
    static const char *const others[] = {
        "ros3 cpu 1e-6 1e-4 1e-10 1 even", "ros4 gpu 1e-6 1e-4 1e-10 1 even",
        "ros4 cpu 1e-5 1e-4 1e-10 1 even", "ros4 cpu 1e-6 1e-5 1e-10 1 even",
        "ros4 cpu 1e-6 1e-4 1e-11 1 even", "ros4 cpu 1e-6 1e-4 1e-10 2 even",
        "ros4 cpu 1e-6 1e-4 1e-10 1 first"};
    long first = add(usual, 10, 20, "generated");
    for (int i = 0; i < 7; i++)
        add(others[i], 100, 10, "generated");
    kb_population_fill(&cells);
    for (int i = 0; i < 8; i++)
        ratio_is(i, "1");
    add(usual, 100, 10, "generated");
    kb_population_fill(&cells);
    ratio_is(first, "2");
}

static void prints(long rows, const char *wanted)
{
    long row[40];
    kb_owned char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    for (long i = 0; i < rows; i++)
        row[i] = i;
    kb_population_print(&cells, row, rows, to);
    fclose(to);
    assert_string_equal(text, wanted);
}

#define HEAD                                                                                       \
    "\nnot the same work at every n: evaluations of the right-hand side of an ODE over those at "  \
    "the largest n\n(beyond 10 %; a curve over n mixes size with difficulty there)\n"

TEST_WITH(what_is_beyond_a_tenth_is_said_once, begin, end)
{
    add(usual, 1000, 10, "generated");
    add(usual, 100, 10.9, "generated");
    add(usual, 20, 9, "generated");
    kb_population_fill(&cells);
    prints(3, "");
    add(usual, 10, 11.1, "generated");
    add(usual, 10, 11.1, "shuffled");
    add(usual, 5, 8.9, "generated");
    add(usual, 7, -1, "generated");
    add("ros3 gpu 1e-5 1e-3 1e-9 1 even", 10, 30, "generated");
    add("ros3 gpu 1e-5 1e-3 1e-9 1 even", 100, 20, "generated");
    kb_population_fill(&cells);
    prints(3, "");
    prints(9, HEAD "  ros4 rtol 1e-4, dt 1e-6 s, n 10: 1.11\n"
                   "  ros4 rtol 1e-4, dt 1e-6 s, n 5: 0.89\n"
                   "  ros3 rtol 1e-3, dt 1e-5 s, n 10: 1.5\n");
}

TEST_WITH(twelve_are_shown, begin, end)
{
    char wanted[2000] = HEAD;
    add(usual, 1000, 10, "generated");
    for (int n = 1; n <= 14; n++) {
        add(usual, n, 20, "generated");
        if (n <= 12)
            snprintf(wanted + strlen(wanted), 100, "  ros4 rtol 1e-4, dt 1e-6 s, n %d: 2\n", n);
    }
    kb_population_fill(&cells);
    prints(13, wanted);
    strcat(wanted, "  and 2 more: work_ratio in cells.csv\n");
    prints(15, wanted);
}

TESTS(NULL, NULL)
