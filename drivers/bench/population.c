/* SPDX-License-Identifier: MIT */
#include "drivers/bench/population.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SHOWN 12 /* lines on the screen */

static bool same_work(const kb_csv *t, long a, long b)
{
    static const char *const columns[] = {"solver", "engine", "dt_s", "rtol", "atol", "steps",
                                          "sample"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (strcmp(kb_csv_get(t, a, columns[i]), kb_csv_get(t, b, columns[i])))
            return false;
    return true;
}

/* Row of the largest n with the same work, or -1 where the cell was not run */
static long largest(const kb_csv *t, long row)
{
    long best = -1;
    for (long i = 0; i < t->nrows; i++)
        if (kb_csv_value(t, i, "rhs_mean") > 0 && same_work(t, i, row) &&
            (best < 0 || kb_csv_value(t, i, "n") > kb_csv_value(t, best, "n")))
            best = i;
    return best;
}

void kb_population_fill(kb_csv *t)
{
    for (long row = 0; row < t->nrows; row++) {
        double work = kb_csv_value(t, row, "rhs_mean");
        long all = work > 0 ? largest(t, row) : -1;
        if (all >= 0)
            kb_csv_number(t, row, "work_ratio", work / kb_csv_value(t, all, "rhs_mean"), 4);
        else
            kb_csv_set(t, row, "work_ratio", "");
    }
}

static bool is_broken(const kb_csv *t, long row)
{
    return fabs(kb_csv_value(t, row, "work_ratio") - 1) > KB_POPULATION_WITHIN;
}

/* Is the row the first of its work and n? */
static bool is_first(const kb_csv *t, const long *rows, long i)
{
    for (long k = 0; k < i; k++)
        if (is_broken(t, rows[k]) && same_work(t, rows[k], rows[i]) &&
            !strcmp(kb_csv_get(t, rows[k], "n"), kb_csv_get(t, rows[i], "n")))
            return false;
    return true;
}

void kb_population_print(const kb_csv *t, const long *rows, long n, FILE *to)
{
    long found = 0;
    for (long i = 0; i < n; i++) {
        if (!is_broken(t, rows[i]) || !is_first(t, rows, i))
            continue;
        if (found++ == 0)
            fprintf(to, "\nnot the same work at every n: evaluations of the right-hand side of an "
                    "ODE over those at the largest n\n(beyond %.0f %%; a curve over n mixes size "
                    "with difficulty there)\n", 100 * KB_POPULATION_WITHIN);
        if (found <= SHOWN)
            fprintf(to, "  %s rtol %s, dt %s s, n %s: %s\n", kb_csv_get(t, rows[i], "solver"),
                    kb_csv_get(t, rows[i], "rtol"), kb_csv_get(t, rows[i], "dt_s"),
                    kb_csv_get(t, rows[i], "n"), kb_csv_get(t, rows[i], "work_ratio"));
    }
    if (found > SHOWN)
        fprintf(to, "  and %ld more: work_ratio in cells.csv\n", found - SHOWN);
}
