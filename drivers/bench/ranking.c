/* SPDX-License-Identifier: MIT */
#include "drivers/bench/ranking.h"

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

static bool same_odes(const kb_contest *a, const kb_contest *b)
{
    return !strcmp(a->dt, b->dt) && !strcmp(a->order, b->order) && !strcmp(a->n, b->n) &&
           !strcmp(a->sample, b->sample) && !strcmp(a->steps, b->steps);
}

bool kb_contest_has(const kb_contest *c, const kb_csv *t, long row)
{
    kb_contest other = kb_contest_of(t, row);
    return same_odes(c, &other) && (!*c->on || !strcmp(c->on, other.on));
}

bool kb_contest_begins(const kb_csv *t, long row)
{
    kb_contest c = kb_contest_of(t, row);
    for (long i = 0; i < row; i++)
        if (kb_contest_has(&c, t, i))
            return false;
    return true;
}

bool kb_is_cvode(const kb_csv *t, long row)
{
    return !strncmp(kb_csv_get(t, row, "solver"), "cvode", 5) &&
           !kb_ends_in(kb_csv_get(t, row, "engine"), "-plugin");
}

bool kb_is_sound(const kb_csv *t, long row)
{
    return !strcmp(kb_csv_get(t, row, "status"), "ok") && kb_csv_value(t, row, "failed") == 0;
}

bool kb_controls_error(const char *solver)
{
    static const char fixed[] = "point_implicit";
    return strncmp(solver, fixed, strlen(fixed)) || !strchr(":", solver[strlen(fixed)]);
}

double kb_rank_error(const kb_csv *t, long row)
{
    double p95 = kb_csv_value(t, row, "err_p95"), most = kb_csv_value(t, row, "err_max");
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
        if (!(kb_rank_error(t, i) <= error) || (cvode && !kb_is_cvode(t, i)) ||
            !kb_contest_has(c, t, i) || (but && same_method(kb_csv_get(t, i, "solver"), but)))
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
