/* SPDX-License-Identifier: MIT */
#include "drivers/bench/rows.h"

#include <math.h>
#include <string.h>

#include "base/stats.h"
#include "drivers/bench/divergence.h"
#include "drivers/env/meter.h"

/* What a value of columns_*.def does with the field of that column */
#define COLUMN(name, unit, value, meaning) column = #name; value;
#define TEXT(text) kb_csv_set(t, row, column, text)
#define EXACT(number) kb_csv_number(t, row, column, (double)(number), 0)

/* ---- which cell ---- */

static void fill_cell(kb_csv *t, long row, const kb_cell *c)
{
    const char *column;
#include "rows/columns_which.def"
}

static bool same(const kb_csv *t, long row, const kb_csv *like)
{
    for (int i = 0; i < like->ncolumns; i++)
        if (strcmp(like->names[i], "threads") &&
            strcmp(kb_csv_get(t, row, like->names[i]), like->rows[0][i]))
            return false;
    return true;
}

/* A cell that leaves the threads to the engine has 0 there until it has run */
static bool same_threads(const kb_csv *t, long row, const kb_cell *c)
{
    double threads = kb_csv_value(t, row, "threads");
    return threads == kb_cell_threads(c) || (c->threads == 0 && threads == 0);
}

long kb_row_find(const kb_csv *t, const kb_cell *c)
{
    kb_csv like;
    kb_columns_start(&like, &kb_which_columns);
    fill_cell(&like, kb_csv_add(&like), c);
    long row = 0;
    while (row < t->nrows && !(same(t, row, &like) && same_threads(t, row, c)))
        row++;
    kb_csv_free(&like);
    return row < t->nrows ? row : -1;
}

/* ---- cells.csv ---- */

/* Medians of the samples [s] with the interval of the first; n: how many samples, 0 where the cell
 * did not end well */
typedef struct {
    int n;
    double run, lo, hi, copy_in, kernel, copy_out;
} medians;

static medians medians_of(const kb_cell *c)
{
    medians m = {.n = c->state == KB_CELL_OK ? c->nsamples : 0};
    double *x = kb_alloc((size_t)m.n, 4 * sizeof *x);
    if (m.n == 0)
        return free(x), m;
    for (int i = 0; i < m.n; i++) {
        x[i] = c->samples[i].time;
        x[m.n + i] = c->samples[i].copy_in;
        x[2 * m.n + i] = c->samples[i].kernel;
        x[3 * m.n + i] = c->samples[i].copy_out;
    }
    kb_bootstrap(x, m.n, &m.lo, &m.hi);
    m.run = kb_median(x, m.n);
    m.copy_in = kb_median(x + m.n, m.n);
    m.kernel = kb_median(x + 2 * m.n, m.n);
    m.copy_out = kb_median(x + 3 * m.n, m.n);
    free(x);
    return m;
}

static const char *status_of(const kb_cell *c, int repeats)
{
    if (c->state == KB_CELL_SKIPPED)
        return "skipped";
    if (c->state == KB_CELL_FAILED)
        return "failed";
    return c->nsamples < repeats ? "interrupted" : "ok";
}

/* Why a row has its status, in words; caller frees */
static char *why_of(const kb_cell *c, const char *status, int repeats)
{
    if (!strcmp(status, "interrupted"))
        return kb_format("%d of %d repeats", c->nsamples, repeats);
    return kb_strdup(c->why ? c->why : "");
}

void kb_row_fill(kb_csv *t, long row, const kb_record *r, const kb_cell *c)
{
    const kb_outcome *s = &c->outcome;
    const char *column, *status = status_of(c, r->set->repeats);
    char *why = why_of(c, status, r->set->repeats);
    medians times = medians_of(c);
#define SIX(number) kb_csv_number(t, row, column, number, 6)
#define TIMED(number) times.n > 0 ? SIX(number) : TEXT("")
#define RAN(number) c->warm_s > 0 ? SIX(number) : TEXT("")
#define KNOWN(number) c->warm_s > 0 && (number) > 0 ? SIX(number) : TEXT("")
#define COUNTED(number) c->warm_s > 0 ? EXACT(number) : TEXT("")
#include "rows/columns_cells.def"
    free(why);
}

/* ---- samples.csv ---- */

long kb_row_of_sample(kb_csv *t, const kb_cell *c, int i)
{
    const kb_sample *s = &c->samples[i];
    const char *column;
    long row = kb_csv_add(t);
#define MEASURED(number) kb_csv_number(t, row, column, number, 9)
#include "rows/columns_samples.def"
    return row;
}

kb_sample kb_sample_of_row(const kb_csv *t, long row)
{
    return (kb_sample){.time = kb_csv_value(t, row, "time_s"),
                       .copy_in = kb_csv_value(t, row, "copy_in_s"),
                       .kernel = kb_csv_value(t, row, "kernel_s"),
                       .copy_out = kb_csv_value(t, row, "copy_out_s"),
                       .batch = (int)kb_csv_value(t, row, "batch"),
                       .cpu = kb_csv_value(t, row, "cpu_s"),
                       .begin = kb_csv_value(t, row, "begin_s"),
                       .clock_MHz = kb_csv_value(t, row, "clock_MHz")};
}

void kb_rows_label(kb_csv *t, const kb_cell *c)
{
    static const char *const names[] = {"low", "", "high"};
    int n = c->nsamples, next = 0;
    kb_owned double *x = kb_alloc((size_t)n, sizeof *x);
    kb_owned int *label = kb_alloc((size_t)n, sizeof *label);
    for (int i = 0; i < n; i++)
        x[i] = c->samples[i].time;
    kb_outliers(x, n, label);
    for (long row = 0; row < t->nrows && next < n; row++)
        if (!strcmp(kb_csv_get(t, row, "key"), c->key))
            kb_csv_set(t, row, "outlier", names[label[next++] + 1]);
}

/* ---- timeline.csv ---- */

static void add_slice(kb_csv *t, const kb_cell *c, const kb_slice *s, long i)
{
    const char *column;
    long row = kb_csv_add(t);
#include "rows/columns_timeline.def"
}

void kb_timeline_fill(kb_csv *t, const kb_cell *c, const kb_slice *slices, long n)
{
    kb_divergence_drop(t, c->key);
    for (long i = 0; i < n && i < KB_TIMELINE_MOST; i++)
        add_slice(t, c, &slices[i], i);
}
