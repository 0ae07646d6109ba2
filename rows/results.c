/* SPDX-License-Identifier: MIT */
#include "rows/results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/owned.h"
#include "base/stats.h"
#include "rows/columns.h"
#include "rows/ranking.h"
#include "rows/select.h"

#define BUSY 64 /* ODEs a thread, from which on to start threads costs little */

int kb_results_open(kb_results *r, const char *folder, kb_error *err)
{
    struct stat is;
    *r = (kb_results){0};
    if (stat(folder, &is) || !S_ISDIR(is.st_mode))
        return kb_fail(err, KB_INVALID, "%s: no such folder of results (RESULTS=results/gpu)",
                       folder);
    r->folder = kb_strdup(folder);
    return KB_OK;
}

void kb_results_free(kb_results *r)
{
    for (int i = 0; i < r->count; i++) {
        kb_csv_free(&r->of[i]->csv);
        free(r->of[i]->run);
        free(r->of[i]->table);
        free(r->of[i]);
    }
    free(r->of);
    free(r->folder);
    *r = (kb_results){0};
}

int kb_results_table(kb_results *r, const char *run, const char *table, const kb_run_table **t,
                     kb_error *err)
{
    kb_run_table *new = NULL;
    for (int i = 0; i < r->count && !new; i++)
        if (!strcmp(r->of[i]->run, run) && !strcmp(r->of[i]->table, table))
            new = r->of[i];
    if (!new) {
        new = kb_alloc(1, sizeof *new);
        new->run = kb_strdup(run);
        new->table = kb_strdup(table);
        r->of = kb_realloc(r->of, (size_t)r->count + 1, sizeof *r->of);
        r->of[r->count++] = new;
        kb_owned char *path = kb_format("%s/%s/%s.csv", r->folder, run, table);
        new->there = access(path, F_OK) == 0;
        int code = new->there ? kb_rows_read(&new->csv, path, err) : KB_OK;
        if (code)
            return code;
    }
    *t = new->there ? new : NULL;
    return KB_OK;
}

/* the same in all rows of a run */
static bool of_whole_run(const char *column)
{
    static const char *const columns[] = {"machine", "git", "dirty", "mech", "mech_sha256", "nsp",
                                          "nrxn", "database", "db_sha256"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (!strcmp(columns[i], column))
            return true;
    return false;
}

const char *kb_results_field(kb_results *r, const kb_run_table *t, long row, const char *column)
{
    const char *text = kb_row_text(&t->csv, row, column);
    const kb_run_table *cells;
    if (text || !of_whole_run(column) || kb_results_table(r, t->run, "cells", &cells, NULL) ||
        !cells || !cells->csv.nrows)
        return text;
    return kb_row_text(&cells->csv, 0, column);
}

/* What solvers are built from at the row's commit; NULL: not known; the caller frees it */
static json_t *sources(kb_results *r, const kb_run_table *t, long row)
{
    kb_owned char *path = kb_format("%s/%s/environment.json", r->folder, t->run);
    json_auto_t *environment = kb_json_read(path, NULL, NULL);
    const char *git = json_string_value(json_object_get(environment, "git"));
    const char *of_row = kb_results_field(r, t, row, "git");
    json_t *all = json_object_get(environment, "sources");
    bool known = git && of_row && !strcmp(git, of_row) && json_object_size(all);
    return known ? json_incref(all) : NULL;
}

bool kb_same_sources(kb_results *r, const kb_run_table *a, long i, const kb_run_table *b, long k)
{
    json_auto_t *of_a = sources(r, a, i), *of_b = sources(r, b, k);
    return of_a && of_b && json_equal(of_a, of_b);
}

/* ---- numbers ---- */

static bool is_time(const char *column)
{
    return !strcmp(column, "time_s") || !strcmp(column, "us") ||
           !strcmp(column, "us_per_system") || !strcmp(column, "ns_per_cell_step");
}

/* falls as the time grows */
static bool is_rate(const char *column)
{
    return !strcmp(column, "ode_per_s") || !strcmp(column, "gflops") ||
           !strcmp(column, "bandwidth_GBs") || !strcmp(column, "cell_steps_per_s") ||
           !strncmp(column, "speedup_", 8);
}

bool kb_column_timed(const char *column)
{
    size_t n = strlen(column);
    return is_time(column) || is_rate(column) || !strcmp(column, "outside") ||
           !strncmp(column, "ns_per_", 7) || !strcmp(column, "kernel_us") ||
           (n > 2 && !strcmp(column + n - 2, "_s") && strcmp(column, "dt_s"));
}

bool kb_column_counted(const char *column)
{
    size_t n = strlen(column);
    return !strncmp(column, "D_", 2) || (n > 5 && !strcmp(column + n - 5, "_mean")) ||
           (n > 4 && !strcmp(column + n - 4, "_max"));
}

static double number(const kb_csv *t, long row, const char *column)
{
    const char *text = kb_row_text(t, row, column);
    char *end;
    double value = text ? strtod(text, &end) : NAN;
    return !text || end == text || *end ? NAN : value;
}

/* columns of the time that a row was measured by, and of its interval */
typedef struct {
    const char *median, *lo, *hi;
} clock_columns;

static const clock_columns *clock_of(const kb_run_table *t)
{
    static const clock_columns batch = {"time_s", "time_lo_s", "time_hi_s"};
    static const clock_columns step = {"ns_per_cell_step", "ns_lo", "ns_hi"};
    return strcmp(t->table, "flow") ? &batch : &step;
}

static double computed(const kb_run_table *table, long row, const char *column)
{
    const kb_csv *t = &table->csv;
    if (!strcmp(column, "us") && !strcmp(table->table, "flow"))
        return 1e-3 * number(t, row, "ns_per_cell_step");
    if (!strcmp(column, "us"))
        return 1e6 * number(t, row, "time_s") / number(t, row, "n");
    if (!strcmp(column, "kernel_us"))
        return 1e6 * number(t, row, "kernel_s") / number(t, row, "n");
    if (!strcmp(column, "err_over_rtol"))
        return number(t, row, "err_max") / number(t, row, "rtol");
    if (!strcmp(column, "rank_error"))
        return kb_rank_error(t, row);
    if (!strcmp(column, "thread_use"))
        return kb_thread_use(t, row);
    if (!strcmp(column, "outside"))
        return 1 - number(t, row, "kernel_s") / number(t, row, "time_s");
    if (!strcmp(column, "moved_s"))
        return number(t, row, "copy_in_s") + number(t, row, "copy_out_s");
    return number(t, row, column);
}

const char *kb_row_computed(const kb_run_table *t, long row, const char *column, char *text)
{
    double v = computed(t, row, column);
    if (isnan(v))
        return NULL;
    snprintf(text, 32, "%.17g", v);
    return text;
}

bool kb_row_point(const kb_run_table *t, long row, const char *column, kb_point *p)
{
    const kb_csv *c = &t->csv;
    const clock_columns *clock = clock_of(t);
    double v = computed(t, row, column), time = number(c, row, clock->median), lo = NAN, hi = NAN;
    if (is_time(column)) {
        lo = v * number(c, row, clock->lo) / time;
        hi = v * number(c, row, clock->hi) / time;
    } else if (is_rate(column)) {
        lo = v * time / number(c, row, clock->hi);
        hi = v * time / number(c, row, clock->lo);
    } else if (!strcmp(column, "err_p50") || !strcmp(column, "err_p95")) {
        kb_owned char *low = kb_format("%s_lo", column), *high = kb_format("%s_hi", column);
        lo = number(c, row, low);
        hi = number(c, row, high);
    }
    p->v = v;
    p->lo = isnan(lo) ? v : lo;
    p->hi = isnan(hi) ? v : hi;
    p->work = number(c, row, "rhs_mean");
    if (!(p->work > 0) || !kb_column_timed(column))
        p->work = 0;
    return !isnan(v);
}

bool kb_same_but_n(const kb_csv *c, long a, long b)
{
    for (int i = 0; i < kb_which_columns.count; i++) {
        const char *name = kb_which_columns.column[i].name;
        const char *x = kb_row_text(c, a, name), *y = kb_row_text(c, b, name);
        if (strcmp(name, "n") && x && y && strcmp(x, y))
            return false;
    }
    return true;
}

double kb_thread_use(const kb_csv *t, long row)
{
    double threads = number(t, row, "threads"), largest = 0, last = 0;
    long count = 0;
    const char *engine = kb_row_text(t, row, "engine");
    if (!kb_row_text(t, row, "one_thread_s") || strncmp(engine, "cpu-", 4) || !(threads > 1) ||
        number(t, row, "ranks") > 1)
        return 1;
    kb_owned double *use = kb_alloc((size_t)t->nrows, sizeof *use);
    for (long i = 0; i < t->nrows; i++) {
        double n = number(t, i, "n"), one = number(t, i, "one_thread_s");
        if (!(one > 0) || !kb_same_but_n(t, i, row))
            continue;
        double here = one / (threads * number(t, i, "time_s"));
        last = n > largest ? here : last;
        largest = fmax(n, largest);
        if (n >= BUSY * threads)
            use[count++] = here;
    }
    return count ? kb_median(use, count) : last;
}

double kb_host_use(kb_results *r, const kb_run_table *t, long row)
{
    const kb_run_table *host;
    const char *machine = kb_results_field(r, t, row, "machine");
    double use = 0;
    if (kb_results_table(r, "e1-h2-ignition", "cells", &host, NULL) || !host || !machine)
        return 1;
    const kb_csv *c = &host->csv;
    for (long i = 0; i < c->nrows && use == 0; i++) {
        const char *on = kb_results_field(r, host, i, "machine");
        if (on && !strcmp(on, machine) && !strcmp(kb_row_text(c, i, "solver"), "rkck") &&
            !strcmp(kb_row_text(c, i, "engine"), "cpu-scalar") &&
            number(c, i, "threads") == number(&t->csv, row, "threads"))
            use = kb_thread_use(c, i);
    }
    return use > 0 ? fmin(use, 1) : 1;
}

/* [s] that a run of some of the row's ODEs took at least; 0: not known */
static double ended_at(const kb_csv *c, long row)
{
    const char *why = kb_row_text(c, row, "why");
    double limit;
    long ran, substeps;
    bool ended = why && (sscanf(why, KB_TOOK_LONGER, &ran, &limit) == 2 ||
                         sscanf(why, KB_NOT_ENDED("%lg"), &ran, &substeps, &limit) == 3);
    return ended && (double)ran <= number(c, row, "n") ? limit : 0;
}

/* the same, also by the row of fewer ODEs that it was spared for */
static double least_run(const kb_csv *c, long row)
{
    const char *why = kb_row_text(c, row, "why");
    double least = ended_at(c, row), rtol;
    long n;
    if (least > 0 || !why || sscanf(why, KB_AS_WITH("%lg"), &rtol, &n) != 2)
        return least;
    for (long i = 0; i < c->nrows && least == 0; i++)
        if (number(c, i, "n") == (double)n && (double)n <= number(c, row, "n") &&
            kb_same_but_n(c, i, row))
            least = ended_at(c, i);
    return least;
}

bool kb_row_least(const kb_run_table *t, long row, const char *column, kb_point *p)
{
    const kb_csv *c = &t->csv;
    const char *steps = kb_row_text(c, row, "steps");
    double n = number(c, row, "n"), limit = least_run(c, row), count = steps ? atof(steps) : 0;
    if (!(limit > 0) || count < 1 || (strcmp(column, "us") && strcmp(column, "time_s")))
        return false;
    double least = limit / count; /* a time is the mean of the global steps */
    *p = (kb_point){.v = strcmp(column, "us") ? least : 1e6 * least / n};
    p->lo = p->v;
    p->hi = INFINITY;
    return true;
}
