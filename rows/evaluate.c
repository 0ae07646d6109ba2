/* SPDX-License-Identifier: MIT */
#include "rows/evaluate.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/stats.h"
#include "rows/identity.h"
#include "rows/ranking.h"
#include "rows/select.h"

#define MOST_SAMPLES 1000 /* of a cell */
#define KB_NO_SOLUTION 0.1 /* err_p95 above which a row is no solution */

int kb_no_value(kb_inquiry *e, bool missing, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(e->why, sizeof e->why, format, args);
    va_end(args);
    e->missing = missing;
    return KB_NOTHING;
}

void kb_inquiry_clear(kb_inquiry *e)
{
    free(e->used);
    e->used = NULL;
    e->nused = e->nchoices = 0;
    e->err_ratio = e->work_ratio = e->thread_use = e->host_use = 1;
    e->why[0] = e->note[0] = 0;
    e->missing = e->bounded = false;
}

static int evaluate(kb_inquiry *e, const kb_query *q, const kb_node *node, kb_value *out,
                    kb_error *err);

static int operation(kb_inquiry *e, const kb_query *q, const kb_node *node, kb_value *out,
                     kb_error *err)
{
    kb_value a = {0}, b = {0};
    int code = evaluate(e, q, node->argument[0], &a, err);
    if (!code)
        code = evaluate(e, q, node->argument[1], &b, err);
    if (!code && a.database && b.database && strcmp(a.database, b.database))
        code = kb_no_value(e, false, "rows of two databases (%.12s, %.12s) on the two sides of %c",
                           a.database, b.database, node->operation);
    if (!code) {
        kb_combine(node->operation, &a, &b, out);
        if (node->operation == '/' && a.err > 0 && b.err > 0)
            e->err_ratio = fmax(e->err_ratio, fmax(a.err / b.err, b.err / a.err));
        if (!out->n)
            code = kb_no_value(e, true, "no %s that both sides of %c have", q->by,
                               node->operation);
    }
    kb_value_free(&a);
    kb_value_free(&b);
    return code;
}

/* Are the points of its curve rows (not items of a list)? */
static bool over_rows(const kb_node *node)
{
    if (node->kind == KB_OPERATION)
        return over_rows(node->argument[0]) || over_rows(node->argument[1]);
    return node->kind == KB_TERM && strcmp(node->table, "mech");
}

/* "max at n = 4096 of 6", "mean of 3 n from 4096 to 65536" into the note: a row that is missing
 * shows in the number */
static void name_places(kb_inquiry *e, const kb_query *q, const kb_node *node, const kb_value *of,
                        const kb_value *out)
{
    size_t length = strlen(e->note);
    const char *comma = length ? ", " : "", *name = node->name;
    bool one = !strcmp(name, "max") || !strcmp(name, "min") || !strcmp(name, "first") ||
               !strcmp(name, "last");
    if (!of->curve || !of->n || !over_rows(node->argument[0]))
        return;
    for (int i = 0; one && i < of->n; i++)
        if (of->p[i].v == out->p->v) {
            snprintf(e->note + length, sizeof e->note - length, "%s%s at %s = %.8g of %d", comma,
                     name, q->by, of->p[i].x, of->n);
            return;
        }
    if (!one)
        snprintf(e->note + length, sizeof e->note - length, "%s%s of %d %s from %.8g to %.8g",
                 comma, name, of->n, q->by, of->p[0].x, of->p[of->n - 1].x);
}

static int call(kb_inquiry *e, const kb_query *q, const kb_node *node, kb_value *out,
                kb_error *err)
{
    kb_value argument[KB_ARGUMENTS + 1] = {{0}};
    int code = KB_OK;
    for (int i = 0; i < node->narguments && !code; i++)
        code = evaluate(e, q, node->argument[i], &argument[i], err);
    if (!code) {
        double spread;
        const char *wrong = kb_reduce(node->name, argument, out, &spread);
        e->work_ratio = fmax(e->work_ratio, spread);
        if (wrong)
            code = kb_no_value(e, true, "%s(): %s", node->name, wrong);
        else
            name_places(e, q, node, &argument[0], out);
    }
    for (int i = 0; i < node->narguments; i++)
        kb_value_free(&argument[i]);
    return code;
}

static int evaluate(kb_inquiry *e, const kb_query *q, const kb_node *node, kb_value *out,
                    kb_error *err)
{
    switch (node->kind) {
    case KB_NUMBER:
        *out = kb_single(node->number, node->number, node->number);
        return KB_OK;
    case KB_TERM:
        return strcmp(node->table, "mech") ? kb_term_rows(e, q, node, out, err)
                                           : kb_term_mech(e, node, out, err);
    case KB_CALL: return call(e, q, node, out, err);
    case KB_OPERATION: return operation(e, q, node, out, err);
    }
    return KB_INVALID;
}

/* ---- what the rows of one value have in common ---- */

static bool selects(const kb_selects *s, const char *key)
{
    return kb_selects_find(s, key) != NULL;
}

static bool term_selects(const kb_node *node, const char *key)
{
    bool found = node->kind == KB_TERM && selects(&node->selects, key);
    for (int i = 0; i < node->narguments && !found; i++)
        found = term_selects(node->argument[i], key);
    return found;
}

static const char *field(const kb_inquiry *e, const kb_used *u, const char *column)
{
    const char *text = kb_results_field(e->results, u->table, u->row, column);
    return text ? text : "";
}

/* What two rows have to have in common, where they have `of` in common (without the options of a
 * solver). Of cells: unless the query names the column, rtol for atol. Commits of the same sources
 * are one. */
static const struct {
    const char *column, *of, *what;
    bool cells;
} common[] = {
    {"git", NULL, "commits", false},
    {"machine", NULL, "machines", false},
    {"mech_sha256", "mech", "files of one mechanism", false},
    {"steps", "db_sha256", "numbers of global steps", true},
    {"chain", "db_sha256", "chains of steps", true},
    {"sample", "db_sha256", "samples", true},
    {"rtol", "solver", "rtol of one solver", true},
    {"atol", "solver", "atol of one solver", true},
};

static bool may_differ(const kb_query *q, const char *column)
{
    return selects(&q->where, column) || term_selects(q->root, column) ||
           (!strcmp(column, "atol") && may_differ(q, "rtol"));
}

static bool same_subject(const kb_inquiry *e, const char *of, const kb_used *a, const kb_used *b)
{
    const char *x = of ? field(e, a, of) : "", *y = of ? field(e, b, of) : "";
    size_t n = strcspn(x, ":");
    return n == strcspn(y, ":") && !strncmp(x, y, n);
}

static bool of_cells(const kb_run_table *t)
{
    return !strcmp(t->table, "cells") || !strcmp(t->table, "divergence");
}

static int check_pair(kb_inquiry *e, const kb_query *q, const kb_used *a, const kb_used *b)
{
    bool cells = of_cells(a->table) && of_cells(b->table);
    for (size_t i = 0; i < sizeof common / sizeof *common; i++) {
        const char *column = common[i].column, *x = field(e, a, column), *y = field(e, b, column);
        bool free = common[i].cells && (!cells || may_differ(q, column));
        if (*x && *y && strcmp(x, y) && !free && same_subject(e, common[i].of, a, b) &&
            (strcmp(column, "git") ||
             !kb_same_sources(e->results, a->table, a->row, b->table, b->row)))
            return kb_no_value(e, false, "rows of two %s: %.12s (%s:%ld) and %.12s (%s:%ld)",
                               common[i].what, x, a->table->run, a->row + 2, y, b->table->run,
                               b->row + 2);
    }
    return KB_OK;
}

static bool same_cell(const kb_identity *id, const kb_csv *a, long i, const kb_csv *b, long k)
{
    for (int c = 0; c < id->count; c++)
        if (strcmp(kb_csv_get(a, i, id->column[c]), kb_csv_get(b, k, id->column[c])))
            return false;
    return true;
}

/* The cells and the samples of the row's run; false: it lacks one of them */
static bool run_samples(kb_inquiry *e, const kb_used *u, const kb_csv **cells,
                        const kb_csv **samples)
{
    const kb_run_table *c, *s;
    if (kb_results_table(e->results, u->table->run, "cells", &c, NULL) ||
        kb_results_table(e->results, u->table->run, "samples", &s, NULL) || !c || !s)
        return false;
    *cells = &c->csv;
    *samples = &s->csv;
    return true;
}

/* Does each sound cell of the run have samples? One that has none is of changed fields, and may be
 * missing among those that a query selects. Samples are in the order of cells. */
static int check_run(kb_inquiry *e, const kb_used *u)
{
    const kb_csv *cells, *samples;
    if (!run_samples(e, u, &cells, &samples))
        return KB_OK;
    const kb_csv *both[] = {cells, samples};
    kb_identity id = kb_identity_of(both, 2);
    long at = 0, passed;
    for (long row = 0; row < cells->nrows; row++) {
        if (!kb_is_sound(cells, row))
            continue;
        for (passed = 0; passed < samples->nrows && !same_cell(&id, cells, row, samples, at);
             passed++)
            at = (at + 1) % samples->nrows;
        if (passed == samples->nrows)
            return kb_no_value(e, false, "%s:%ld has no sample in samples.csv", u->table->run,
                               row + 2);
    }
    return KB_OK;
}

/* Is the time of a cell the median of its samples? */
static int check_time(kb_inquiry *e, const kb_used *u)
{
    const kb_csv *cells, *samples;
    double time = kb_csv_value(&u->table->csv, u->row, "time_s"), times[MOST_SAMPLES];
    long n = 0;
    if (strcmp(u->table->table, "cells") || isnan(time) || !run_samples(e, u, &cells, &samples))
        return KB_OK;
    const kb_csv *both[] = {cells, samples};
    kb_identity id = kb_identity_of(both, 2);
    for (long i = 0; i < samples->nrows && n < MOST_SAMPLES; i++)
        if (same_cell(&id, cells, u->row, samples, i))
            times[n++] = kb_csv_value(samples, i, "time_s");
    double median = n ? kb_median(times, n) : NAN;
    if (n && !(fabs(median / time - 1) <= 1e-4))
        return kb_no_value(e, false, "%s:%ld has the time %g s, its samples the median %g s",
                           u->table->run, u->row + 2, time, median);
    return KB_OK;
}

/* A row is of clean sources, and a time is one of a solution */
static int check_row(kb_inquiry *e, const kb_used *u)
{
    const char *dirty = field(e, u, "dirty");
    double error = atof(field(e, u, "err_p95"));
    if (*dirty && strcmp(dirty, "0") && strcmp(dirty, "false"))
        return kb_no_value(e, false, "%s:%ld is of sources that no commit has (dirty)",
                           u->table->run, u->row + 2);
    if (u->solved && error > KB_NO_SOLUTION)
        return kb_no_value(e, false, "%s:%ld has err_p95 = %g: no solution", u->table->run,
                           u->row + 2, error);
    return KB_OK;
}

static int check_rows(kb_inquiry *e, const kb_query *q)
{
    int code = KB_OK;
    for (int i = 0; i < e->nused && !code; i++) {
        code = check_row(e, &e->used[i]);
        if (!code)
            code = check_time(e, &e->used[i]);
        if (!code && (!i || e->used[i].table != e->used[i - 1].table))
            code = check_run(e, &e->used[i]);
        for (int k = 0; k < i && !code; k++)
            code = check_pair(e, q, &e->used[k], &e->used[i]);
    }
    return code;
}

int kb_evaluate(kb_inquiry *e, const kb_query *q, kb_value *out, kb_error *err)
{
    *out = (kb_value){0};
    kb_inquiry_clear(e);
    int code = evaluate(e, q, q->root, out, err);
    if (!code && out->n != 1)
        code = kb_no_value(e, false, "%d values: reduce the curve (max, at, last ...)", out->n);
    if (!code && isnan(out->p->v))
        code = kb_no_value(e, false, "the value is not a number");
    if (!code)
        code = check_rows(e, q);
    if (code)
        kb_value_free(out);
    return code;
}
