/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/progress.h"
#include "base/table.h"
#include "drivers/bench/print.h"

static bool is(const kb_csv *t, long row, const char *column, const char *text)
{
    return !strcmp(kb_csv_get(t, row, column), text);
}

/* Time of one run [s] from rows of the same solver, engine, schedule and dt, scaled by n (and
 * preferring the nearest n and the same threads); NAN when there is none */
static double estimate(const kb_csv *t, const kb_cell *c)
{
    double best = INFINITY, time = NAN;
    for (long i = 0; i < t->nrows; i++) {
        double n = kb_csv_value(t, i, "n"), found = kb_csv_value(t, i, "time_s");
        double far = fabs(log(n / (double)c->n)) +
                     (kb_csv_value(t, i, "threads") == c->threads ? 0 : 10) +
                     fabs(log(kb_csv_value(t, i, "rtol") / c->rtol));
        if (isnan(found) || kb_csv_value(t, i, "dt_s") != c->dt || !(far < best) ||
            !is(t, i, "solver", c->solver_text) || !is(t, i, "engine", c->solver->info.engine) ||
            !is(t, i, "schedule", kb_schedule_name(c->schedule)))
            continue;
        best = far;
        time = found * (double)c->n / n;
    }
    return time;
}

double kb_plan_seconds(const kb_record *r, const kb_cell *c)
{
    if (c->state == KB_CELL_CACHED)
        return 0;
    return (1 + r->set->repeats - c->nsamples) * c->steps * estimate(&r->cells, c);
}

static char *state_text(const kb_record *r, const kb_cell *c, double seconds)
{
    char text[32];
    if (c->state == KB_CELL_CACHED)
        return kb_strdup("cached");
    if (isnan(seconds))
        return kb_format("at most %s", kb_duration(2 * r->set->budget, text));
    return kb_format("about %s%s", kb_duration(seconds, text),
                     seconds > r->set->budget ? " (beyond the budget)" : "");
}

void kb_print_plan(const kb_record *r, const kb_matrix *m)
{
    static const char *const heads[] = {"solver", "engine", "schedule", "order", "threads", "n",
                                        "dt [s]", "rtol", "atol", "time"};
    kb_table out = {.ncolumns = 10, .heads = heads, .left = 4};
    double known = 0, unknown = 0;
    int cached = 0;
    char a[32], b[32];
    for (int i = 0; i < m->count; i++) {
        const kb_cell *c = &m->cells[i];
        double s = kb_plan_seconds(r, c);
        if (c->state == KB_CELL_CACHED)
            cached++;
        else if (isnan(s))
            unknown += 2 * r->set->budget;
        else
            known += fmin(s, r->set->budget);
        char *f[] = {kb_strdup(c->solver_text), kb_strdup(c->solver->info.engine),
                     kb_strdup(kb_schedule_name(c->schedule)), kb_strdup(c->order),
                     c->threads ? kb_format("%d", c->threads) : kb_strdup("-"),
                     kb_format("%ld", c->n), kb_format("%g", c->dt), kb_format("%g", c->rtol),
                     kb_format("%g", c->atol), state_text(r, c, s)};
        kb_table_add(&out, f);
    }
    kb_table_print(&out);
    kb_table_free(&out);
    printf("\n%d cells, %d cached, %d to measure: about %s for those seen before, at most %s for "
           "the others,\nand the reference solutions that are missing\n%s\n", m->count, cached,
           m->count - cached, kb_duration(known, a), kb_duration(unknown, b), r->folder);
}
