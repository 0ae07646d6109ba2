/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arguments.h"
#include "base/file.h"
#include "base/shared_object.h"
#include "base/stats.h"
#include "base/table.h"
#include "drivers/bench/divergence.h"
#include "drivers/bench/print.h"
#include "drivers/bench/rows.h"
#include "drivers/env/meter.h"
#include "rows/columns.h"
#include "rows/standing.h"
#include "solvers/engine_names.h"

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

/* three digits, never an exponent for a large number; caller frees */
static char *digits(double x) { return kb_format(x < 999.5 ? "%.3g" : "%.0f", x); }

/* "3.1-3.4", "1760-2900"; caller frees */
static char *range_text(double lo, double hi)
{
    kb_owned char *a = digits(lo), *b = digits(hi);
    return kb_format("%s-%s", a, b);
}

static void add_fastest(kb_table *out, const summary *s, const kb_contest *c, double error)
{
    const kb_csv *t = &s->r->cells;
    kb_standing to = kb_standing_of(t, &s->samples, &s->id, c, error);
    long best = to.row;
    if (best < 0) {
        char *none[COLUMNS] = {kb_format("%.0e", error), kb_strdup("none so accurate")};
        for (int n = 2; n < COLUMNS; n++)
            none[n] = kb_strdup("-");
        kb_table_add(out, none);
        return;
    }
    char *f[COLUMNS] = {
        kb_format("%.0e", error), kb_strdup(kb_csv_get(t, best, "solver")),
        kb_strdup(kb_csv_get(t, best, "engine")), kb_strdup(kb_csv_get(t, best, "rtol")),
        kb_format(to.us < 1e4 ? "%s%.4g" : "%s%.0f", kb_is_wide(t, best) ? "~" : "", to.us),
        range_text(to.lo, to.hi), kb_format("%.0e", kb_active_p95(t, best)),
        to.cvode < 0 ? kb_strdup("-") : kb_format("%.4g", to.cvode_us),
        to.cvode < 0 ? kb_strdup("-") : kb_format("%.3g", to.ratio),
        isnan(to.ratio_lo) ? kb_strdup("-") : range_text(to.ratio_lo, to.ratio_hi)};
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
    bool first = !strcmp(c->order, s->m->cells[0].order) && kb_row_find(&s->r->cells, c) >= 0;
    for (int k = 0; k < s->m->count && first; k++) {
        const kb_cell *o = &s->m->cells[k];
        if (o->dt == c->dt && !strcmp(o->order, c->order) &&
            (o->n > c->n || (o->n == c->n && k < i && kb_row_find(&s->r->cells, o) >= 0)))
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
            long row = kb_row_find(&s->r->cells, &s->m->cells[i]);
            kb_contest c = kb_contest_anywhere(&s->r->cells, row);
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
    double time, lo, hi; /* geometric mean of time of a over b, its 95 % interval */
    double D_a, D_b;     /* means of D_rhs */
} pairs;

/* The samples of the rows a and b; those are owned */
static kb_sample_pair samples_of(const summary *s, long a, long b)
{
    kb_owned char *of_a = kb_identity_text(&s->id, &s->r->cells, a);
    kb_owned char *of_b = kb_identity_text(&s->id, &s->r->cells, b);
    kb_sample_pair p;
    p.b = kb_samples_times(&s->samples, of_a, &p.nb); /* a ratio is of b to a there */
    p.a = kb_samples_times(&s->samples, of_b, &p.na);
    return p;
}

/* Rows with column == a against the fastest like it with column == b; engine, schedule: "" any */
static pairs compare(const summary *s, const char *column, const char *a, const char *b,
                     const char *engine, const char *schedule)
{
    const kb_csv *t = &s->r->cells;
    kb_sample_pair *samples = NULL;
    pairs p = {0};
    for (long i = 0; i < t->nrows; i++) {
        if (!is(t, i, column, a) || !kb_is_sound(t, i) ||
            (*engine && !is(t, i, "engine", engine)) ||
            (*schedule && !is(t, i, "schedule", schedule)))
            continue;
        long best = -1;
        for (long k = 0; k < t->nrows; k++)
            if (is(t, k, column, b) && kb_is_sound(t, k) &&
                alike_but(t, i, k, column, kb_on_gpu(a) == kb_on_gpu(b)) &&
                (best < 0 || kb_csv_value(t, k, "time_s") < kb_csv_value(t, best, "time_s")))
                best = k;
        if (best < 0)
            continue;
        samples = kb_realloc(samples, (size_t)p.n + 1, sizeof *samples);
        samples[p.n++] = samples_of(s, i, best);
        p.time += log(kb_csv_value(t, i, "time_s") / kb_csv_value(t, best, "time_s"));
        p.D_a += kb_csv_value(t, i, "D_rhs");
        p.D_b += kb_csv_value(t, best, "D_rhs");
    }
    kb_bootstrap_mean_ratio(samples, p.n, &p.lo, &p.hi);
    for (int i = 0; i < p.n; i++) {
        free((double *)samples[i].a);
        free((double *)samples[i].b);
    }
    free(samples);
    return (pairs){p.n, exp(p.time / p.n), p.lo, p.hi, p.D_a / p.n, p.D_b / p.n};
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

/* ---- lines that are broken at items ---- */

enum { INDENT = 12, WIDTH = 98 };

typedef struct {
    int at, items; /* columns that are filled, items that were printed */
} line;

static void put_text(line *l, const char *text) { l->at += printf("%s", text); }

/* takes the item */
static void put_item(line *l, char *item)
{
    bool fits = l->at + 2 + (int)strlen(item) < WIDTH;
    printf("%s%s", l->items++ ? "," : "", fits ? " " : "\n");
    l->at = fits ? l->at + 2 : printf("%*s", INDENT, "");
    put_text(l, item);
    free(item);
}

/* the head, too, before the first */
static void put_under(line *l, const char *head, char *item)
{
    if (!l->at)
        put_text(l, head);
    put_item(l, item);
}

static void print_engines(const summary *s)
{
    kb_words engines = engines_of(&s->r->cells, "cpu-scalar");
    line l = {0, 0};
    for (int i = 0; i < engines.count; i++) {
        pairs p = compare(s, "engine", engines.word[i], "cpu-scalar", "", "");
        if (p.n)
            put_under(&l, "engines:    times as fast as cpu-scalar (geometric mean, 95 %):",
                      kb_format("%s %.3g (%.3g-%.3g)", engines.word[i], 1 / p.time, 1 / p.hi,
                                1 / p.lo));
    }
    if (l.at)
        printf("\n");
    kb_words_free(&engines);
}

static char *times_text(const pairs *p)
{
    return p->n ? kb_format("%.2f (%.2f-%.2f)", p->time, p->lo, p->hi) : kb_strdup("-");
}

static void print_shuffling(const summary *s)
{
    kb_words engines = engines_of(&s->r->cells, "cpu-scalar"); /* one lane waits for none */
    line l = {0, 0};
    for (int i = 0; i < engines.count; i++) {
        const char *engine = engines.word[i];
        pairs fixed = compare(s, "order", "shuffled", "generated", engine, "static");
        pairs refill = compare(s, "order", "shuffled", "generated", engine, "refill");
        const pairs *known = fixed.n ? &fixed : &refill;
        if (!known->n)
            continue;
        if (!l.at)
            printf("divergence: D of warps is %.2f as generated, %.2f shuffled; that takes times "
                   "(static, refill)",
                   known->D_b, known->D_a);
        l.at = l.at ? l.at : WIDTH; /* items begin below */
        kb_owned char *a = times_text(&fixed), *b = times_text(&refill);
        put_item(&l, kb_format("%s %s, %s", engine, a, b));
    }
    if (l.at)
        printf("\n");
    kb_words_free(&engines);
}

/* Of the first sound cell of the run: the fastest of its contest at 1e-4, or itself; -1: none */
static long shown_row(const summary *s)
{
    const kb_csv *t = &s->r->cells;
    for (int i = 0; i < s->m->count; i++) {
        long row = kb_row_find(&s->r->cells, &s->m->cells[i]);
        if (row < 0 || !kb_is_sound(t, row))
            continue;
        kb_contest c = kb_contest_anywhere(t, row);
        long best = kb_fastest(t, &c, 1e-4, NULL);
        return best < 0 ? row : best;
    }
    return -1;
}

/* the cell like that of row but with refill */
static long refilled(const kb_csv *t, long row)
{
    for (long k = 0; k < t->nrows; k++)
        if (is(t, k, "schedule", "refill") && kb_is_sound(t, k) &&
            alike_but(t, row, k, "schedule", true))
            return k;
    return -1;
}

static double expected(const summary *s, const char *schedule, long row)
{
    for (int i = 0; i < s->m->count; i++)
        if (kb_row_find(&s->r->cells, &s->m->cells[i]) == row)
            return kb_csv_value(&s->r->divergence,
                                kb_divergence_row(&s->r->divergence, &s->m->cells[i], "rhs"),
                                schedule);
    return NAN;
}

/* How much longer static lanes take than lanes that refill, as measured and as counted: an item, or
 * NULL without such cells */
static char *static_text(const summary *s, const char *engine)
{
    const kb_csv *t = &s->r->cells;
    double measured = 0, counted = 0;
    int n = 0;
    for (long i = 0; i < t->nrows; i++) {
        bool still = is(t, i, "engine", engine) && is(t, i, "schedule", "static") &&
                     kb_csv_value(t, i, "passed") == 0; /* which are in no group of lanes */
        long k = still && kb_is_sound(t, i) ? refilled(t, i) : -1;
        double ratio = k < 0 ? NAN : expected(s, "slow_down", i) /
                                         expected(s, "slow_down_refill", k);
        if (isnan(ratio))
            continue;
        measured += log(kb_csv_value(t, i, "time_s") / kb_csv_value(t, k, "time_s"));
        counted += log(ratio);
        n++;
    }
    return n ? kb_format("%s %.2f (by counts %.2f)", engine, exp(measured / n), exp(counted / n))
             : NULL;
}

static void print_waiting(const summary *s)
{
    const kb_csv *t = &s->r->cells;
    long row = shown_row(s);
    if (row < 0)
        return;
    printf("lockstep:   attempts of groups of 8, 32, all: %.3g, %.3g, %.3g times (%s rtol %s)\n",
           kb_csv_value(t, row, "wait_8"), kb_csv_value(t, row, "wait_32"),
           kb_csv_value(t, row, "wait_all"), kb_csv_get(t, row, "solver"),
           kb_csv_get(t, row, "rtol"));
    kb_words engines = engines_of(t, "cpu-scalar");
    line l = {0, 0};
    for (int i = 0; i < engines.count; i++) {
        char *item = static_text(s, engines.word[i]);
        if (item)
            put_under(&l, "schedule:   time of static over refill:", item);
    }
    if (l.at)
        printf("\n");
    kb_words_free(&engines);
}

#define ENERGY_ERROR 1e-3

/* The row with an error of at most ENERGY_ERROR that takes least energy in a scope; -1: none */
static long least_energy(const kb_csv *t, const char *scope)
{
    long best = -1;
    for (long i = 0; i < t->nrows; i++)
        if (is(t, i, "energy_scope", scope) && kb_is_sound(t, i) &&
            kb_active_p95(t, i) <= ENERGY_ERROR &&
            (best < 0 ||
             kb_csv_value(t, i, "j_per_million") < kb_csv_value(t, best, "j_per_million")))
            best = i;
    return best;
}

static void print_energy(const summary *s)
{
    const kb_csv *t = &s->r->cells;
    const char *const scopes[] = {kb_meter_scope(true), kb_meter_scope(false)};
    line l = {0, 0};
    for (int i = 0; i < 2; i++) {
        long row = least_energy(t, scopes[i]);
        if (row >= 0)
            put_under(&l, "energy:     least for a million ODEs at error 1e-3:",
                      kb_format("%s %s %.3g J (%s; idle %s W)", kb_csv_get(t, row, "solver"),
                                kb_csv_get(t, row, "engine"),
                                kb_csv_value(t, row, "j_per_million"), scopes[i],
                                kb_csv_get(t, row, "idle_w")));
    }
    if (l.at)
        printf("\n");
}

/* The row with the largest number in a column; -1: none has one */
static long largest(const kb_csv *t, const char *column)
{
    long best = -1;
    for (long i = 0; i < t->nrows; i++)
        if (kb_csv_value(t, i, column) > (best < 0 ? 0 : kb_csv_value(t, best, column)))
            best = i;
    return best;
}

static void print_memory(const summary *s)
{
    static const char *const column[] = {"peak_bytes_host", "peak_bytes_device"};
    static const char *const of[] = {"the host", "the GPU"};
    const kb_csv *t = &s->r->cells;
    line l = {0, 0};
    for (int i = 0; i < 2; i++) {
        long row = largest(t, column[i]);
        if (row < 0)
            continue;
        kb_owned char *mb = digits(kb_csv_value(t, row, column[i]) * 1e-6);
        put_under(&l, "memory:     largest of a cell:",
                  kb_format("%s MB of %s (%s %s)", mb, of[i], kb_csv_get(t, row, "solver"),
                            kb_csv_get(t, row, "engine")));
    }
    if (l.at)
        printf("\n");
}

/* ---- what went wrong ---- */

static void print_failures(const summary *s)
{
    const kb_csv *t = &s->r->cells;
    long failed = 0, wrong = 0, cells = 0, skipped = 0, broken = 0, wide = 0, worst = -1;
    for (int i = 0; i < s->m->count; i++) {
        long row = kb_row_find(&s->r->cells, &s->m->cells[i]);
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
               "each\n",
               skipped, broken);
    if (wide)
        printf("noise:      %ld cells (~) have an interval wider than %.0f %% of the time; "
               "PRECISION=2%% BUDGET=300 helps\n",
               wide, 100 * KB_WIDE);
}

static void print_files(const summary *s)
{
    const kb_record *r = s->r;
    const char *typed = getenv("KB_COMMAND"); /* with the path of a mechanism, where it has one */
    printf("\nfiles:      %s/ (table.txt: every cell)\n", r->folder);
    if (strncmp(r->folder, "results/", 8))
        return;
    kb_owned char *pictures = kb_find_in_tree("plots/draw"); /* not of the Python package */
    if (access(pictures, R_OK)) {
        printf("next:       kinbench report %s: this run as a page\n"
               "            kinbench compare %s OTHER\n", r->folder, r->folder);
        return;
    }
    printf("next:       make report: this run as a page with pictures\n");
    if (typed && !strstr(typed, "FULL="))
        printf("            %s FULL=1: every method, engine and schedule\n", typed);
    printf("            make compare A=%s B=...\n", r->folder);
}

void kb_print_summary(const kb_record *r, const kb_matrix *m)
{
    const kb_csv *tables[] = {&r->cells, &r->samples};
    summary s = {.r = r, .m = m, .id = kb_identity_of(tables, 2)};
    kb_samples_index(&s.samples, &r->samples, &s.id);
    kb_owned char *placement = kb_placement(), *kind = kb_states_kind_text(&r->kind);
    printf("%s (%d species) on %s, states of %s%s%s\n%s\nerror: 95th percentile of max |y - ref| / "
           "(|ref| + 1e-6) over ODEs that react\nratio: CVODE as accurate over the fastest\n",
           r->solvers->mech, r->solvers->nsp, r->env->machine, r->database, *kind ? ", " : "", kind,
           placement);
    print_fastest(&s);
    printf("\n");
    print_failures(&s);
    print_engines(&s);
    print_shuffling(&s);
    print_waiting(&s);
    print_energy(&s);
    print_memory(&s);
    print_files(&s);
    kb_samples_free(&s.samples);
}

/* ---- table.txt ---- */

int kb_print_tables(const kb_record *r, const kb_matrix *m, kb_error *err)
{
    kb_owned char *text = NULL, *path = kb_format("%s/table.txt", r->folder);
    size_t length;
    FILE *f = kb_open_text(&text, &length);
    kb_print_results(r, m, f);
    kb_print_agreement(r, m, f);
    int code = kb_print_slow_down(r, m, f, err);
    kb_close_text(f);
    code = code ? code : kb_file_write_text(path, text, err);
    if (!code && r->set->table)
        fputs(text, stdout);
    return code;
}
