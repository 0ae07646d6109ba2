/* SPDX-License-Identifier: MIT */
#include "rows/ranking.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solvers/engine_names.h"

kb_contest kb_contest_of(const kb_csv *t, long row)
{
    kb_contest c = {kb_csv_get(t, row, "dt_s"),  kb_csv_get(t, row, "order"),
                    kb_csv_get(t, row, "n"),     kb_csv_get(t, row, "sample"),
                    kb_csv_get(t, row, "steps"), "GPU"};
    const char *threads = kb_csv_get(t, row, "threads");
    if (!kb_on_gpu(kb_csv_get(t, row, "engine")))
        snprintf(c.on, sizeof c.on, "%.8s CPU thread%s", threads, strcmp(threads, "1") ? "s" : "");
    return c;
}

bool kb_contest_has(const kb_contest *c, const kb_csv *t, long row)
{
    return !strcmp(c->dt, kb_csv_get(t, row, "dt_s")) && !strcmp(c->n, kb_csv_get(t, row, "n")) &&
           !strcmp(c->order, kb_csv_get(t, row, "order")) &&
           !strcmp(c->sample, kb_csv_get(t, row, "sample")) &&
           !strcmp(c->steps, kb_csv_get(t, row, "steps")) &&
           (!*c->on || !strcmp(c->on, kb_contest_of(t, row).on));
}

kb_contest kb_contest_anywhere(const kb_csv *t, long row)
{
    kb_contest c = kb_contest_of(t, row);
    *c.on = 0;
    return c;
}

bool kb_contest_begins(const kb_contest *c, const kb_csv *t, long row)
{
    for (long i = 0; i < row; i++)
        if (kb_contest_has(c, t, i))
            return false;
    return true;
}

bool kb_is_cvode(const kb_csv *t, long row)
{
    return !strncmp(kb_csv_get(t, row, "solver"), "cvode", 5) &&
           !kb_ends_in(kb_csv_get(t, row, "engine"), "-plugin");
}

/* ---- which rows count ---- */

/* Why a row is no measurement, NULL: it is one */
static const char *unsound(const kb_csv *t, long row)
{
    static const char *const times[] = {"time_s", "us_per_ode", "us_per_system", "ns_per_ode",
                                        "ns_per_cell_step"};
    const char *status = kb_csv_has(t, "status") ? kb_csv_get(t, row, "status") : "ok";
    if (strcmp(status, "ok"))
        return *status ? status : "without a status";
    if (kb_csv_has(t, "failed") && kb_csv_value(t, row, "failed") != 0)
        return *kb_csv_get(t, row, "failed") ? "of failed ODEs" : "without a number of failed ODEs";
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        double time = kb_csv_value(t, row, times[i]);
        if (kb_csv_has(t, times[i]) && !(time > 0 && isfinite(time)))
            return "without a time";
    }
    return NULL;
}

bool kb_is_sound(const kb_csv *t, long row) { return !unsound(t, row); }

const char *kb_row_fault(const kb_csv *t, long row)
{
    const char *fault = unsound(t, row);
    return fault ? fault : kb_csv_value(t, row, "wrong") > 0 ? "of wrong ODEs" : NULL;
}

/* ---- reading ---- */

/* What more than half of the rows have in the column; "": they are not agreed */
static const char *most_have(const kb_csv *t, const char *column)
{
    const char *most = "";
    long best = 0;
    for (long i = 0; i < t->nrows; i++) {
        const char *here = kb_csv_get(t, i, column);
        long count = 0;
        for (long k = 0; strcmp(here, most) && k < t->nrows; k++)
            count += !strcmp(kb_csv_get(t, k, column), here);
        most = count > best ? here : most;
        best = count > best ? count : best;
    }
    return 2 * best > t->nrows ? most : "";
}

void kb_rows_mark(kb_csv *t)
{
    static const char *const one[][2] = {{"git", "of another commit"},
                                         {"machine", "of another machine"},
                                         {"mech_sha256", "of another mechanism"}};
    for (size_t k = 0; k < sizeof one / sizeof *one; k++) {
        const char *most = kb_csv_has(t, one[k][0]) ? most_have(t, one[k][0]) : NULL;
        for (long i = 0; most && i < t->nrows; i++)
            if (strcmp(kb_csv_get(t, i, one[k][0]), most)) {
                kb_csv_add_column(t, "status", "ok");
                kb_csv_set(t, i, "status", one[k][1]);
            }
    }
}

int kb_rows_read(kb_csv *t, const char *path, kb_error *err)
{
    int code = kb_csv_read(t, path, err);
    if (!code)
        kb_rows_mark(t);
    return code;
}

/* ---- which is the fastest ---- */

bool kb_controls_error(const char *solver)
{
    static const char fixed[] = "point_implicit";
    return strncmp(solver, fixed, strlen(fixed)) || !strchr(":", solver[strlen(fixed)]);
}

double kb_active_p95(const kb_csv *t, long row)
{
    double active = kb_csv_value(t, row, "err_p95_active");
    return isnan(active) ? kb_csv_value(t, row, "err_p95") : active;
}

double kb_rank_error(const kb_csv *t, long row)
{
    double p95 = kb_active_p95(t, row), most = kb_csv_value(t, row, "err_max");
    if (!kb_is_sound(t, row) || !kb_controls_error(kb_csv_get(t, row, "solver")) || isnan(p95))
        return INFINITY;
    return fmax(p95, most / KB_LARGEST);
}

static bool same_method(const char *a, const char *b)
{
    size_t n = strcspn(a, ":");
    return n == strcspn(b, ":") && !strncmp(a, b, n);
}

static long fastest(const kb_csv *t, const kb_contest *c, double error, const char *but, bool cvode)
{
    long best = -1;
    for (long i = 0; i < t->nrows; i++) {
        if (!kb_contest_has(c, t, i) || (cvode && !kb_is_cvode(t, i)) ||
            !(kb_rank_error(t, i) <= error) ||
            (but && same_method(kb_csv_get(t, i, "solver"), but)))
            continue;
        if (best < 0 || kb_csv_value(t, i, "time_s") < kb_csv_value(t, best, "time_s"))
            best = i;
    }
    return best;
}

long kb_fastest(const kb_csv *t, const kb_contest *c, double error, const char *but)
{
    return fastest(t, c, error, but, false);
}

long kb_fastest_cvode(const kb_csv *t, const kb_contest *c, double error)
{
    kb_contest place = *c;
    if (!strcmp(c->on, "GPU"))
        *place.on = 0;
    return fastest(t, &place, error, NULL, true);
}

double kb_level_of(const kb_csv *t, long row)
{
    double error = kb_rank_error(t, row), level = KB_LEAST_LEVEL;
    for (int k = 7; level < error && k >= -300; k--)
        level = pow(10, -k);
    return level;
}

bool kb_is_wide(const kb_csv *t, long row)
{
    double width = kb_csv_value(t, row, "time_hi_s") - kb_csv_value(t, row, "time_lo_s");
    return width > KB_WIDE * kb_csv_value(t, row, "time_s");
}
