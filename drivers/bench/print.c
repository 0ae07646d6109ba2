/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/shown.h"
#include "base/table.h"
#include "drivers/bench/population.h"
#include "drivers/bench/print.h"
#include "drivers/bench/rows.h"
#include "rows/ranking.h"

static bool is_ok(const kb_csv *t, long row)
{
    return !strcmp(kb_csv_get(t, row, "status"), "ok");
}

/* Row of the fastest CVODE as accurate, or -1 */
static long yardstick(const kb_csv *t, long row)
{
    kb_contest c = kb_contest_of(t, row);
    return kb_fastest_cvode(t, &c, kb_level_of(t, row));
}

/* four digits, never an exponent for a long time */
static char *time_text(double us) { return kb_shown(us < 1000 ? "%.4g" : "%.0f", us); }

/* a time with a wide interval has a ~ in front; takes text */
static char *marked(char *text, bool wide)
{
    kb_owned char *taken = text;
    return wide ? kb_format("~%s", taken) : kb_strdup(taken);
}

static char *interval(const kb_csv *t, long row, double scale)
{
    double lo = kb_csv_value(t, row, "time_lo_s"), hi = kb_csv_value(t, row, "time_hi_s");
    kb_owned char *a = time_text(lo * scale), *b = time_text(hi * scale);
    return isnan(lo) ? kb_strdup("-") : kb_format("%s-%s", a, b);
}

/* The ratio, and whom it is against or why there is none */
static void ratio(const kb_csv *t, long row, char **value, char **remark)
{
    const char *why = kb_csv_get(t, row, "why"), *status = kb_csv_get(t, row, "status");
    bool fair = isfinite(kb_rank_error(t, row));
    long y = fair ? yardstick(t, row) : -1;
    double gain = y < 0 ? NAN : kb_csv_value(t, y, "time_s") / kb_csv_value(t, row, "time_s");
    *value = kb_shown("%.3g", gain);
    const char *none = kb_controls_error(kb_csv_get(t, row, "solver")) ? "error not known"
                                                                       : "no error control";
    if (!is_ok(t, row))
        *remark = kb_format("%s: %s", status, why);
    else if (y < 0)
        *remark = kb_strdup(fair ? "(none)" : *why ? why : none);
    else
        *remark = kb_format("%s %s rtol %s%s%s", kb_csv_get(t, y, "solver"),
                            kb_csv_get(t, y, "schedule"), kb_csv_get(t, y, "rtol"),
                            *why ? "; " : "", why);
}

static void add_row(kb_table *out, const kb_csv *t, long row)
{
    double us = 1e6 / kb_csv_value(t, row, "n");
    static const char *const copied[] = {"solver", "engine", "schedule", "threads", "rtol", "atol"};
    char *f[14];
    for (int i = 0; i < 6; i++)
        f[i] = kb_strdup(kb_csv_get(t, row, copied[i]));
    f[6] = marked(time_text(us * kb_csv_value(t, row, "time_s")), kb_is_wide(t, row));
    f[7] = interval(t, row, us);
    f[8] = kb_shown("%.1e", kb_active_p95(t, row));
    f[9] = kb_shown("%.1f", kb_csv_value(t, row, "steps_mean"));
    f[10] = kb_shown("%.0f", kb_csv_value(t, row, "failed"));
    f[11] = kb_shown("%.0f", kb_csv_value(t, row, "wrong"));
    ratio(t, row, &f[12], &f[13]);
    kb_table_add(out, f);
}

static const kb_csv *being_sorted;

/* by dt, n, steps, sample and order, then the fastest first and rows without a time last */
static int before(const void *a, const void *b)
{
    static const char *const columns[] = {"dt_s", "n", "steps", "sample", "order", "time_s"};
    long x = *(const long *)a, y = *(const long *)b;
    for (int i = 0; i < 6; i++) {
        double u = kb_csv_value(being_sorted, x, columns[i]);
        double v = kb_csv_value(being_sorted, y, columns[i]);
        int text = i == 3 || i == 4 ? strcmp(kb_csv_get(being_sorted, x, columns[i]),
                                             kb_csv_get(being_sorted, y, columns[i])) : 0;
        if (text || u < v || (!isnan(u) && isnan(v)))
            return text ? text : -1;
        if (u > v || (isnan(u) && !isnan(v)))
            return 1;
    }
    return (x > y) - (x < y);
}

static void print_group(const kb_csv *t, const long *rows, long n, FILE *to)
{
    static const char *const heads[] = {
        "solver", "engine", "schedule", "threads", "rtol", "atol", "us/ODE", "95% interval",
        "err p95", "steps", "failed", "wrong", "ratio", "to the fastest CVODE as accurate"};
    kb_table out = {.ncolumns = 14, .heads = heads, .left = 3, .last_left = true};
    const char *steps = kb_csv_get(t, rows[0], "steps");
    bool chained = strcmp(steps, "1");
    fprintf(to, "\ndt %s s%s%s%s, n %s, %s order%s\n", kb_csv_get(t, rows[0], "dt_s"),
            chained ? " (mean of " : "", chained ? steps : "", chained ? " steps)" : "",
            kb_csv_get(t, rows[0], "n"), kb_csv_get(t, rows[0], "order"),
            strcmp(kb_csv_get(t, rows[0], "sample"), "first") ? "" : ", first rows");
    for (long i = 0; i < n; i++)
        add_row(&out, t, rows[i]);
    kb_table_write(&out, to);
    kb_table_free(&out);
}

/* One line when the machine was too restless for the numbers to be taken at their face */
static void warn_of_noise(const kb_record *r, const long *rows, long n, FILE *to)
{
    const kb_csv *t = &r->cells;
    long wide = 0, timed = 0;
    double load = -1;
    getloadavg(&load, 1);
    for (long i = 0; i < n; i++) {
        timed += !isnan(kb_csv_value(t, rows[i], "time_s"));
        wide += kb_is_wide(t, rows[i]);
    }
    if (wide > 0)
        fprintf(to, "\nwarning: for %ld of %ld cells (~) the 95 %% interval is wider than %.0f %% "
                "of the time; load average %.1f on %d cores\n(a quieter machine or more repeats "
                "would help)\n", wide, timed, 100 * KB_WIDE, load, r->env->cores);
}

void kb_print_results(const kb_record *r, const kb_matrix *m, FILE *to)
{
    const kb_csv *t = &r->cells;
    long *rows = kb_alloc((size_t)m->count, sizeof *rows), n = 0;
    for (int i = 0; i < m->count; i++) {
        long row = kb_row_find(&r->cells, &m->cells[i]);
        if (row >= 0)
            rows[n++] = row;
    }
    being_sorted = t;
    qsort(rows, (size_t)n, sizeof *rows, before);
    char *kind = kb_states_kind_text(&r->kind);
    fprintf(to, "%s on %s, database %s (%s), error against CVODE at rtol 1e-12 over ODEs "
            "that react\n", r->solvers->mech, r->env->machine, r->database, kind);
    free(kind);
    for (long i = 0, end; i < n; i = end) {
        kb_contest c = kb_contest_anywhere(t, rows[i]);
        for (end = i + 1; end < n && kb_contest_has(&c, t, rows[end]);)
            end++;
        print_group(t, rows + i, end - i, to);
    }
    kb_population_print(t, rows, n, to);
    warn_of_noise(r, rows, n, to);
    free(rows);
}
