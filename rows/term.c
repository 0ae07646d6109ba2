/* SPDX-License-Identifier: MIT
 *
 * A term of a query: the rows that its selectors leave, one for each value of the joining column.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/owned.h"
#include "rows/evaluate.h"
#include "rows/ranking.h"
#include "rows/select.h"

#define SMALLEST_ERROR 1e-10 /* below it an error is as much the reference's */

typedef struct {
    const kb_select *of[2 * KB_SELECTORS];
    int which[2 * KB_SELECTORS]; /* the alternative in use */
    int count, extreme;
} chosen;

static void choose_all(chosen *c, const kb_selects *own, const kb_selects *where,
                       const char *table)
{
    *c = (chosen){.extreme = own->extreme ? own->extreme : where->extreme};
    for (int i = 0; i < own->count; i++)
        c->of[c->count++] = &own->of[i];
    for (int i = 0; i < where->count; i++)
        if (!kb_selects_find(own, where->of[i].key) && kb_column_known(table, where->of[i].key))
            c->of[c->count++] = &where->of[i];
}

/* threads=all: as many as the machine has cores, which stand in its name (intel-xeon-16c-...) */
static bool all_threads(const char *machine, const char *threads)
{
    for (const char *p = machine; p && (p = strchr(p, '-')); p++) {
        char *end;
        long cores = strtol(p + 1, &end, 10);
        if (cores > 0 && *end == 'c' && (end[1] == '-' || !end[1]))
            return cores == atol(threads);
    }
    return false;
}

static bool holds_for(kb_inquiry *e, const kb_select *s, int which, const kb_run_table *t,
                      long row)
{
    char number[32];
    bool run = !strcmp(s->key, "run");
    const char *text = run ? t->run : kb_results_field(e->results, t, row, s->key);
    if (!text)
        text = kb_row_computed(t, row, s->key, number);
    if (text && !strcmp(s->key, "threads") && !strcmp(s->any.word[which], "all"))
        return all_threads(kb_results_field(e->results, t, row, "machine"), text);
    return text && kb_select_holds(s, which, text);
}

/* The first alternatives that the row holds, into first; returns how many selectors it holds before
 * the first one that it does not */
static int first_held(kb_inquiry *e, const chosen *c, const kb_run_table *t, long row,
                      chosen *first)
{
    *first = *c;
    for (int i = 0; i < c->count; i++) {
        int *which = &first->which[i];
        for (*which = 0; !holds_for(e, c->of[i], *which, t, row);)
            if (++*which == c->of[i]->any.count)
                return i;
    }
    return c->count;
}

/* Is there such a selector, but for !=? */
static bool names(const chosen *c, const char *key)
{
    for (int i = 0; i < c->count; i++)
        if (!strcmp(c->of[i]->key, key) && c->of[i]->compare != KB_NOT)
            return true;
    return false;
}

/* A method without error control counts only where a selector names it: its error is none that was
 * asked for */
static bool is_named(const chosen *c, const char *solver)
{
    return kb_controls_error(solver) || names(c, "solver");
}

/* below 0: a comes before b, for the first selector in which they differ */
static int compare_choices(const chosen *a, const chosen *b)
{
    for (int i = 0; i < a->count; i++)
        if (a->which[i] != b->which[i])
            return a->which[i] - b->which[i];
    return 0;
}

static bool of_errors(const char *column)
{
    return !strcmp(column, "failed") || !strcmp(column, "wrong") || !strncmp(column, "err", 3);
}

static void use(kb_inquiry *e, const kb_run_table *t, long row, bool solved)
{
    for (int i = 0; i < e->nused; i++)
        if (e->used[i].table == t && e->used[i].row == row) {
            e->used[i].solved |= solved;
            return;
        }
    e->used = kb_realloc(e->used, (size_t)e->nused + 1, sizeof *e->used);
    e->used[e->nused++] = (kb_used){t, row, solved};
}

/* "threads 6, 16" for the columns in which two rows of the same x differ */
static int two_rows(kb_inquiry *e, const kb_node *term, const kb_used *a, const kb_used *b)
{
    static const char *const keys[] = {
        "run", "mech", "database", "order", "n", "dt_s", "solver", "engine", "schedule", "threads",
        "rtol", "atol", "steps", "chain", "sample", "kernel", "layout", "precision", "matrix", "m",
        "segments", "block", "measure", "histogram", "lo", "part", "case", "nx", "ny", "scheme",
        "riemann", "variables", "cfl", "chemistry", "splitting"};
    char text[300] = "";
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *one = kb_results_field(e->results, a->table, a->row, keys[i]);
        const char *two = kb_results_field(e->results, b->table, b->row, keys[i]);
        size_t n = strlen(text);
        if (one && two && strcmp(one, two))
            snprintf(text + n, sizeof text - n, "%s%s %s and %s", n ? ", " : "", keys[i], one, two);
    }
    return kb_no_value(e, false,
                       "two rows for %s at column %d of the query: %s:%ld and %s:%ld (%s)",
                       term->name, term->at, a->table->run, a->row + 2, b->table->run, b->row + 2,
                       text);
}

typedef struct {
    kb_value value;
    kb_used *rows; /* beside value.p */
    double log_err;
    int nerr;
    bool unusable;
    bool spoilt; /* the row that could not be used was to be measured: neither skipped nor beside */
    bool bounded; /* a time is known only to be longer than a budget */
    chosen choice; /* of the rows */
    chosen lost;   /* the first of the rows that could not be used */
    char reason[200]; /* of the last one of these */
    bool there;       /* the table, in any run */
    int held;         /* most selectors that a row holds, from the first on */
} found;

/* A row that cannot be used: it does not count, or has an empty field, with the reason */
static void refuse(kb_inquiry *e, const kb_run_table *t, long row, const chosen *first, found *f)
{
    const char *fault = kb_row_fault(&t->csv, row);
    if (!fault && !is_named(first, kb_csv_get(&t->csv, row, "solver")))
        fault = "of a method without error control, which solver= does not name";
    const char *why = kb_results_field(e->results, t, row, "why");
    int later = f->unusable ? compare_choices(first, &f->lost) : -1;
    bool spoilt = kb_row_fault(&t->csv, row) ? strcmp(fault, "skipped") != 0 : !fault;
    if (later > 0 || (!later && f->spoilt && !spoilt))
        return;
    f->unusable = true;
    f->spoilt = spoilt;
    f->lost = *first;
    snprintf(f->reason, sizeof f->reason, "%s:%ld is %s%s%.100s", t->run, row + 2,
             fault ? fault : "empty", why && *why ? ": " : "",
             why ? why : "");
}

/* Does the row count for this term? Of a skipped one its counts do, of one with failed or wrong
 * ODEs the number of these, of one with a status that is asked for its n; an error that is asked
 * for judges wrong ODEs by its own rule. */
static bool is_measured(const kb_node *term, const chosen *c, const kb_csv *t, long row)
{
    const char *fault = kb_row_fault(t, row);
    if (!fault)
        return is_named(c, kb_csv_get(t, row, "solver"));
    if (names(c, "status"))
        return !strcmp(term->name, "n");
    if (!strcmp(fault, "skipped"))
        return kb_column_counted(term->name) && !(kb_csv_value(t, row, "failed") > 0);
    if (!strcmp(term->name, "failed") || !strcmp(term->name, "wrong"))
        return strstr(fault, "ODEs") != NULL;
    return (names(c, "rank_error") || names(c, "wrong")) && kb_is_sound(t, row);
}

/* The row's number, or where a run was ended at its budget the least it can be; false: none */
static bool point_of(const kb_node *term, const chosen *c, const kb_run_table *t, long row,
                     kb_point *p, bool *bounded)
{
    bool measured = is_measured(term, c, &t->csv, row);
    *bounded = false;
    *p = (kb_point){0};
    if (kb_row_point(t, row, term->name, p))
        return measured;
    const char *fault = kb_row_fault(&t->csv, row);
    return *bounded = fault && !strcmp(fault, "skipped") && kb_row_least(t, row, term->name, p);
}

static void add_row(kb_inquiry *e, const kb_query *q, const kb_node *term, const kb_run_table *t,
                    long row, kb_point p, found *f)
{
    const char *x = kb_results_field(e->results, t, row, q->by);
    const char *error = kb_results_field(e->results, t, row, "err_p95");
    double err = error ? atof(error) : 0;
    if (kb_column_timed(term->name) && err > 0) {
        f->log_err += log(fmax(err, SMALLEST_ERROR));
        f->nerr++;
    }
    p.x = x ? atof(x) : 0;
    kb_value *v = &f->value;
    v->p = kb_realloc(v->p, (size_t)v->n + 1, sizeof *v->p);
    f->rows = kb_realloc(f->rows, (size_t)v->n + 1, sizeof *f->rows);
    v->p[v->n] = p;
    f->rows[v->n++] = (kb_used){t, row, false};
    v->database = kb_results_field(e->results, t, row, "db_sha256");
    if (!v->database)
        v->database = kb_results_field(e->results, t, row, "mech_sha256");
}

/* Keeps the rows that hold the first alternatives that any row holds */
static void look_at(kb_inquiry *e, const kb_query *q, const kb_node *term, const kb_run_table *t,
                    long row, found *f)
{
    chosen first;
    kb_point p;
    bool bounded;
    int held = first_held(e, &f->choice, t, row, &first);
    f->held = held > f->held ? held : f->held;
    if (held < first.count)
        return;
    if (!point_of(term, &first, t, row, &p, &bounded)) {
        refuse(e, t, row, &first, f);
        return;
    }
    int later = f->value.n ? compare_choices(&first, &f->choice) : -1;
    if (later > 0)
        return;
    if (later < 0) {
        f->value.n = f->nerr = 0;
        f->log_err = 0;
        f->bounded = false;
        f->choice = first;
    }
    f->bounded |= bounded;
    add_row(e, q, term, t, row, p, f);
}

/* The runs of the inquiry, or without any those of run= */
static const kb_words *runs_of(const kb_inquiry *e, const chosen *c)
{
    const kb_words *runs = &e->runs;
    for (int i = 0; i < c->count && !e->runs.count; i++)
        if (!strcmp(c->of[i]->key, "run") && c->of[i]->compare == KB_EQUAL)
            runs = &c->of[i]->any;
    return runs;
}

static int collect(kb_inquiry *e, const kb_query *q, const kb_node *term, found *f, kb_error *err)
{
    const kb_words *runs = runs_of(e, &f->choice);
    for (int r = 0; r < runs->count; r++) {
        const kb_run_table *t;
        if (kb_results_table(e->results, runs->word[r], term->table, &t, err))
            return KB_INVALID;
        f->there |= t != NULL;
        for (long row = 0; t && row < t->csv.nrows; row++)
            look_at(e, q, term, t, row, f);
    }
    if (f->unusable && f->value.n && compare_choices(&f->lost, &f->choice) > 0)
        f->unusable = false;
    return KB_OK;
}

static bool same_alternatives(const kb_select *a, const kb_select *b)
{
    bool same = !strcmp(a->key, b->key) && a->any.count == b->any.count;
    for (int i = 0; same && i < a->any.count; i++)
        same = !strcmp(a->any.word[i], b->any.word[i]);
    return same;
}

static int keep_choice(kb_inquiry *e, const kb_select *s, int which)
{
    for (int i = 0; i < e->nchoices; i++)
        if (same_alternatives(e->choice[i], s))
            return e->which[i] == which
                       ? KB_OK
                       : kb_no_value(e, true, "%s %s on one side and %s on the other", s->key,
                                     s->any.word[e->which[i]], s->any.word[which]);
    if (e->nchoices == KB_CHOICES)
        return kb_no_value(e, false, "more than %d different lists of alternatives, from %s=%s|...",
                           KB_CHOICES, s->key, s->any.word[0]);
    e->choice[e->nchoices] = s;
    e->which[e->nchoices++] = which;
    size_t n = strlen(e->note);
    if (which)
        snprintf(e->note + n, sizeof e->note - n, "%s%s %s in place of %s", n ? ", " : "", s->key,
                 s->any.word[which], s->any.word[0]);
    return KB_OK;
}

/* The same alternatives are decided alike in every term */
static int keep_choices(kb_inquiry *e, const chosen *c)
{
    int code = KB_OK;
    for (int i = 0; i < c->count && !code; i++)
        if (c->of[i]->any.count > 1)
            code = keep_choice(e, c->of[i], c->which[i]);
    return code;
}

typedef struct {
    kb_point p;
    kb_used from;
} pair;

static int by_x_and_row(const void *a, const void *b)
{
    const pair *one = a, *two = b;
    double x = one->p.x, y = two->p.x;
    return x != y ? (x > y) - (x < y)
                  : (one->from.row > two->from.row) - (one->from.row < two->from.row);
}

/* Sorts the points by x, with their rows */
static void sort_rows(found *f)
{
    int n = f->value.n;
    kb_owned pair *all = kb_alloc((size_t)n, sizeof *all);
    for (int i = 0; i < n; i++)
        all[i] = (pair){f->value.p[i], f->rows[i]};
    qsort(all, (size_t)n, sizeof *all, by_x_and_row);
    for (int i = 0; i < n; i++) {
        f->value.p[i] = all[i].p;
        f->rows[i] = all[i].from;
    }
}

/* Of the rows of each x the one with the least or largest value */
static void keep_extreme(found *f)
{
    kb_value *v = &f->value;
    int n = 0;
    sort_rows(f);
    for (int i = 0; i < v->n; i++) {
        bool same = n && v->p[n - 1].x == v->p[i].x;
        if (same && f->choice.extreme * (v->p[i].v - v->p[n - 1].v) <= 0)
            continue;
        n += !same;
        v->p[n - 1] = v->p[i];
        f->rows[n - 1] = f->rows[i];
    }
    v->n = n;
}

/* the guard of a time on several threads */
static void use_threads(kb_inquiry *e, const kb_used *u)
{
    double use = kb_thread_use(&u->table->csv, u->row);
    double host = use < 1 ? kb_host_use(e->results, u->table, u->row) : 1;
    e->thread_use = fmin(e->thread_use, use / host);
    if (host < e->host_use) {
        e->host_use = host;
        e->threads = atoi(kb_row_text(&u->table->csv, u->row, "threads"));
    }
}

/* Each x once; the rows count as used */
static int accept(kb_inquiry *e, const kb_node *term, found *f)
{
    kb_value *v = &f->value;
    if (f->choice.extreme)
        keep_extreme(f);
    for (int i = 0; i < v->n; i++) {
        const kb_used *u = &f->rows[i];
        use(e, u->table, u->row, !of_errors(term->name));
        if (kb_column_timed(term->name) && !strcmp(term->table, "cells"))
            use_threads(e, u);
    }
    sort_rows(f);
    for (int i = 1; i < v->n; i++)
        if (v->p[i].x == v->p[i - 1].x)
            return two_rows(e, term, &f->rows[i - 1], &f->rows[i]);
    v->err = f->nerr ? exp(f->log_err / f->nerr) : 0;
    return KB_OK;
}

/* one value: the joining column is fixed by the term */
static bool is_single(const chosen *c, const char *by)
{
    for (int i = 0; i < c->count; i++)
        if (!strcmp(c->of[i]->key, by) && c->of[i]->compare == KB_EQUAL)
            return true;
    return false;
}

/* "threads=6|all"; caller frees */
static char *select_text(const kb_select *s)
{
    static const char *const signs[] = {"=", "!=", "<", "<=", ">", ">="};
    char *text = kb_format("%s%s", s->key, signs[s->compare]);
    for (int i = 0; i < s->any.count; i++) {
        char *longer = kb_format("%s%s%s", text, i ? "|" : "", s->any.word[i]);
        free(text);
        text = longer;
    }
    return text;
}

/* Without rows, or where what one n takes is known only to be long and what others take is not.
 * Names the first selector that no row holds of those that hold the selectors before it. */
static int no_rows(kb_inquiry *e, const kb_node *term, const found *f)
{
    const chosen *c = &f->choice;
    if (f->unusable)
        return kb_no_value(e, true, "%s", f->reason);
    kb_owned char *runs = kb_words_join(runs_of(e, c));
    char text[200] = "";
    const char *where = *runs ? runs : "(no run named)";
    kb_owned char *last = f->held < c->count ? select_text(c->of[f->held]) : NULL;
    for (int i = 0; i < term->selects.count; i++) {
        size_t n = strlen(text);
        snprintf(text + n, sizeof text - n, "%s%s", i ? " " : "",
                 term->selects.of[i].any.word[0]);
    }
    if (f->there)
        kb_no_value(e, true, "no row for %s{%s} in %s%s%s%s", term->name, text, where,
                    last ? ": " : "", last ? last : "", last ? " leaves none" : "");
    else
        kb_no_value(e, true, "no row for %s{%s}: there is no %s.csv in %s", term->name, text,
                    term->table, where);
    return KB_NOTHING;
}

int kb_term_rows(kb_inquiry *e, const kb_query *q, const kb_node *term, kb_value *out,
                 kb_error *err)
{
    found f = {0};
    choose_all(&f.choice, &term->selects, &q->where, term->table);
    if (f.choice.extreme && kb_column_timed(term->name) && names(&f.choice, "err_p95"))
        return kb_no_value(e, false, "the fastest is by rank_error, not by err_p95");
    int code = collect(e, q, term, &f, err);
    if (!code && (!f.value.n || (f.bounded && f.unusable)))
        code = no_rows(e, term, &f);
    e->bounded |= f.bounded;
    if (!code)
        code = keep_choices(e, &f.choice);
    if (!code)
        code = accept(e, term, &f);
    if (!code && f.spoilt && !f.choice.extreme && !compare_choices(&f.lost, &f.choice))
        code = kb_no_value(e, true, "%s", f.reason);
    f.value.curve = !is_single(&f.choice, q->by);
    if (!f.value.curve && f.value.n == 1)
        f.value.p->x = 0;
    free(f.rows);
    if (code)
        kb_value_free(&f.value);
    *out = f.value;
    return code;
}
