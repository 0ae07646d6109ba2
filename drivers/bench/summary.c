/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arguments.h"
#include "base/file.h"
#include "base/table.h"
#include "drivers/bench/columns.h"
#include "drivers/bench/identity.h"
#include "drivers/bench/print.h"
#include "drivers/bench/ranking.h"

#define MOST_TABLES 4 /* on the screen */
#define COLUMNS 10

typedef struct {
    const kb_record *r;
    const kb_matrix *m;
    kb_identity id;
    kb_sample_index samples;
} summary;

static bool is(const kb_csv *t, long row, const char *column, const char *text)
{
    return !strcmp(kb_csv_get(t, row, column), text);
}

/* ---- the fastest at each error ---- */

/* 95 % interval of the ratio of the time of `slow` to that of `fast`, "3.1-3.4"; caller frees */
static char *ratio_interval(const summary *s, long slow, long fast)
{
    double lo, hi;
    kb_samples_ratio(&s->samples, &s->id, &s->r->cells, slow, fast, &lo, &hi);
    return isnan(lo) ? kb_strdup("-") : kb_format("%.3g-%.3g", lo, hi);
}

static void add_fastest(kb_table *out, const summary *s, const kb_contest *c, double error)
{
    const kb_csv *t = &s->r->cells;
    long best = kb_fastest(t, c, error, NULL, false), cvode = kb_fastest(t, c, error, NULL, true);
    char *f[COLUMNS];
    int n = 0;
    f[n++] = kb_format("%.0e", error);
    if (best < 0) {
        f[n++] = kb_strdup("none so accurate");
        while (n < COLUMNS)
            f[n++] = kb_strdup("-");
        kb_table_add(out, f);
        return;
    }
    double us = 1e6 / kb_csv_value(t, best, "n"), time = kb_csv_value(t, best, "time_s");
    f[n++] = kb_strdup(kb_csv_get(t, best, "solver"));
    f[n++] = kb_strdup(kb_csv_get(t, best, "engine"));
    f[n++] = kb_strdup(kb_csv_get(t, best, "rtol"));
    f[n++] = kb_format("%s%.4g", kb_is_wide(t, best) ? "~" : "", us * time);
    f[n++] = kb_format("%.4g-%.4g", us * kb_csv_value(t, best, "time_lo_s"),
                       us * kb_csv_value(t, best, "time_hi_s"));
    f[n++] = kb_format("%.0e", kb_csv_value(t, best, "err_p95"));
    f[n++] = cvode < 0 ? kb_strdup("-") : kb_format("%.4g", us * kb_csv_value(t, cvode, "time_s"));
    f[n++] = cvode < 0 ? kb_strdup("-")
                       : kb_format("%.3g", kb_csv_value(t, cvode, "time_s") / time);
    f[n++] = cvode < 0 ? kb_strdup("-") : ratio_interval(s, cvode, best);
    kb_table_add(out, f);
}

static void print_contest(const summary *s, const kb_contest *c, int step)
{
    static const char *const heads[COLUMNS] = {"error <=", "fastest",      "engine",  "rtol",
                                               "us/ODE",   "95% interval", "err p95", "CVODE",
                                               "ratio",    "95% interval"};
    kb_table out = {.ncolumns = COLUMNS, .heads = heads, .left = 3};
    for (int k = 2; k <= 8; k += step)
        add_fastest(&out, s, c, pow(10, -k));
    printf("\ndt %s s, %s ODEs in %s order\n", c->dt, c->n, c->order);
    kb_table_print(&out);
    kb_table_free(&out);
}

/* Does the cell's contest have the most ODEs of its dt, in the first order of the run, and was it
 * not shown before? */
static bool is_shown(const summary *s, int i)
{
    const kb_cell *c = &s->m->cells[i];
    bool first = !strcmp(c->order, s->m->cells[0].order) && kb_record_row(s->r, c) >= 0;
    for (int k = 0; k < s->m->count && first; k++) {
        const kb_cell *o = &s->m->cells[k];
        if (o->dt == c->dt && !strcmp(o->order, c->order) &&
            (o->n > c->n || (o->n == c->n && k < i && kb_record_row(s->r, o) >= 0)))
            first = false;
    }
    return first;
}

static void print_fastest(const summary *s)
{
    int all = 0, shown = 0;
    for (int i = 0; i < s->m->count; i++)
        all += is_shown(s, i);
    for (int i = 0; i < s->m->count && shown < MOST_TABLES; i++)
        if (is_shown(s, i)) {
            kb_contest c = kb_contest_of(&s->r->cells, kb_record_row(s->r, &s->m->cells[i]));
            *c.on = 0;
            print_contest(s, &c, all > 2 ? 2 : 1);
            shown++;
        }
    if (all > shown)
        printf("... and %d more in table.txt\n", all - shown);
}

/* ---- pairs of cells that differ in one choice ---- */

/* Rows a and b are equal but in `column`; threads of a CPU and of a GPU are not compared */
static bool alike_but(const kb_csv *t, long a, long b, const char *column, bool threads)
{
    for (int i = 0; i < kb_which_columns.count; i++) {
        const char *name = kb_which_columns.column[i].name;
        bool skipped = !strcmp(name, column) || (!threads && !strcmp(name, "threads"));
        if (!skipped && strcmp(kb_csv_get(t, a, name), kb_csv_get(t, b, name)))
            return false;
    }
    return true;
}

typedef struct {
    int n;
    double time, D_a, D_b; /* geometric mean of time of a over b, means of D_rhs */
} pairs;

/* Rows with column == a against the fastest like it with column == b; engine, schedule: "" any */
static pairs compare(const kb_csv *t, const char *column, const char *a, const char *b,
                     const char *engine, const char *schedule)
{
    pairs p = {0};
    for (long i = 0; i < t->nrows; i++) {
        if (!is(t, i, column, a) || !kb_is_sound(t, i) ||
            (*engine && !is(t, i, "engine", engine)) ||
            (*schedule && !is(t, i, "schedule", schedule)))
            continue;
        long best = -1;
        for (long k = 0; k < t->nrows; k++)
            if (is(t, k, column, b) && kb_is_sound(t, k) &&
                alike_but(t, i, k, column, !strncmp(a, "gpu", 3) == !strncmp(b, "gpu", 3)) &&
                (best < 0 || kb_csv_value(t, k, "time_s") < kb_csv_value(t, best, "time_s")))
                best = k;
        if (best < 0)
            continue;
        p.n++;
        p.time += log(kb_csv_value(t, i, "time_s") / kb_csv_value(t, best, "time_s"));
        p.D_a += kb_csv_value(t, i, "D_rhs");
        p.D_b += kb_csv_value(t, best, "D_rhs");
    }
    return (pairs){p.n, exp(p.time / p.n), p.D_a / p.n, p.D_b / p.n};
}

/* Engines of the run but `but`, each once */
static kb_words engines_of(const kb_csv *t, const char *but)
{
    kb_words w = {0};
    for (long i = 0; i < t->nrows; i++)
        if (strcmp(kb_csv_get(t, i, "engine"), but))
            kb_words_add(&w, kb_csv_get(t, i, "engine"));
    return w;
}

static void print_engines(const kb_csv *t)
{
    kb_words engines = engines_of(t, "cpu-scalar");
    bool any = false;
    for (int i = 0; i < engines.count; i++) {
        pairs p = compare(t, "engine", engines.word[i], "cpu-scalar", "", "");
        if (p.n)
            printf("%s %s %.3g times as fast", any ? "," : "engines:   ", engines.word[i],
                   1 / p.time);
        any |= p.n > 0;
    }
    if (any)
        printf(" as cpu-scalar with the same solver (geometric mean)\n");
    kb_words_free(&engines);
}

static void print_shuffling(const kb_csv *t)
{
    static const char *const schedules[] = {"static", "refill"};
    kb_words engines = engines_of(t, "cpu-scalar"); /* one lane waits for none */
    bool any = false;
    for (int i = 0; i < engines.count; i++)
        for (int k = 0; k < 2; k++) {
            pairs p = compare(t, "order", "shuffled", "generated", engines.word[i], schedules[k]);
            if (p.n && !any)
                printf(
                    "divergence: D of warps is %.2f as generated, %.2f shuffled; shuffling takes\n"
                    "           ",
                    p.D_b, p.D_a);
            if (p.n)
                printf("%s x%.2f on %s %s", any ? "," : "", p.time, engines.word[i], schedules[k]);
            any |= p.n > 0;
        }
    if (any)
        printf("\n");
    kb_words_free(&engines);
}

/* ---- what went wrong ---- */

static void print_failures(const summary *s)
{
    const kb_csv *t = &s->r->cells;
    long failed = 0, wrong = 0, cells = 0, skipped = 0, broken = 0, wide = 0, worst = -1;
    for (int i = 0; i < s->m->count; i++) {
        long row = kb_record_row(s->r, &s->m->cells[i]);
        if (row < 0)
            continue;
        double f = kb_csv_value(t, row, "failed"), w = kb_csv_value(t, row, "wrong");
        failed += f > 0 ? (long)f : 0;
        wrong += w > 0 ? (long)w : 0;
        cells += f > 0 || w > 0;
        worst = f > 0 && (worst < 0 || f > kb_csv_value(t, worst, "failed")) ? row : worst;
        broken += is(t, row, "status", "failed");
        skipped += !is(t, row, "status", "ok") && !is(t, row, "status", "failed");
        wide += kb_is_wide(t, row);
    }
    printf("failed:     %ld ODEs", failed);
    if (wrong)
        printf(", %ld wrong", wrong);
    if (cells)
        printf(", in %ld of %d cells", cells, s->m->count);
    else
        printf(" in %d cells", s->m->count);
    if (worst >= 0)
        printf(" (most: %s %s rtol %s: %s)", kb_csv_get(t, worst, "solver"),
               kb_csv_get(t, worst, "engine"), kb_csv_get(t, worst, "rtol"),
               kb_csv_get(t, worst, "failed"));
    printf("%s\n", skipped + broken ? "" : "; every cell was measured");
    if (skipped + broken)
        printf("no result:  %ld cells skipped, %ld ended by an error; `why` in cells.csv says for "
               "each\n", skipped, broken);
    if (wide)
        printf("noise:      for %ld cells (~) the interval is wider than %.0f %% of the time: a "
               "quieter machine,\n            or PRECISION=2%% BUDGET=300, would help\n",
               wide, 100 * KB_WIDE);
}

static void print_files(const summary *s)
{
    const kb_record *r = s->r;
    printf("\nfiles:      %s/\n            table.txt: every cell; cells.csv, samples.csv, "
           "environment.json\n",
           r->folder);
    if (!strncmp(r->folder, "results/", 8))
        printf("next:       make report                     this run as a page with pictures\n"
               "            make bench FULL=1 MECH=%-8s  every method, engine and schedule\n"
               "            make compare A=%s B=...\n",
               r->solvers->mech, r->folder);
}

void kb_print_summary(const kb_record *r, const kb_matrix *m)
{
    const kb_csv *tables[] = {&r->cells, &r->samples};
    summary s = {.r = r, .m = m, .id = kb_identity_of(tables, 2)};
    kb_samples_index(&s.samples, &r->samples, &s.id);
    char *placement = kb_placement();
    printf("%s (%d species) on %s, states of %s\n%s\nerror: 95th percentile over ODEs of max |y - "
           "ref| "
           "/ (|ref| + 1e-6); ratio: the fastest CVODE\nas accurate over the fastest\n",
           r->solvers->mech, r->solvers->nsp, r->env->machine, r->database, placement);
    free(placement);
    print_fastest(&s);
    printf("\n");
    print_failures(&s);
    print_engines(&r->cells);
    print_shuffling(&r->cells);
    print_files(&s);
    kb_samples_free(&s.samples);
}

/* ---- table.txt ---- */

int kb_print_tables(const kb_record *r, const kb_matrix *m, kb_error *err)
{
    char *text = NULL, *path = kb_format("%s/table.txt", r->folder);
    size_t length;
    FILE *f = open_memstream(&text, &length);
    int code = f ? KB_OK : kb_fail(err, KB_INVALID, "no memory for %s", path);
    if (f) {
        kb_print_results(r, m, f);
        kb_print_agreement(r, m, f);
        code = kb_print_slow_down(r, m, f, err);
        fclose(f);
    }
    code = code ? code : kb_file_write_text(path, text, err);
    if (!code && r->set->table)
        fputs(text, stdout);
    free(text);
    free(path);
    return code;
}
