/* SPDX-License-Identifier: MIT */
#include "rows/template.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "rows/evaluate.h"
#include "rows/line_reader.h"
#include "rows/ranking.h"
#include "rows/select.h"

#define MOST 64 /* values of a line */

typedef struct {
    double v;
    kb_used from; /* table NULL: no row, or several */
} line_value;

typedef struct {
    kb_results *results;
    const char *path;
    int line;
    char *where; /* of the last line with % */
    line_value value[MOST];
    int nvalues;
    FILE *to, *sources;
    kb_error *err;
} template;

static int refuse(template *t, const char *query, const char *why)
{
    return kb_fail_at(t->err, t->path, t->line, NULL, NULL, "%s: [[%s]]", why, query);
}

/* ---- a value as text ---- */

/* 1e-4 for 1e-04 */
static void shorten(char *text)
{
    char *zero = strstr(text, "e-0");
    if (zero)
        memmove(zero + 2, zero + 3, strlen(zero + 3) + 1);
}

/* v of a column; caller frees */
static char *number_text(double v, const char *column)
{
    bool error = (!strncmp(column, "err_p", 5) || !strncmp(column, "err_max", 7)) && v < 1;
    bool choice = !error && kb_has_word(" rtol atol dt_s n failed wrong ", column);
    char *text = error || (choice && v > 0 && v <= 1e-3) ? kb_format("%.0e", v)
                 : choice                        ? kb_format("%g", v)
                 : v >= 99.5                     ? kb_format("%.0f", v)
                 : v >= 9.95                     ? kb_format("%.1f", v)
                 : v >= 0.995                    ? kb_format("%.2f", v)
                                                 : kb_format("%#.2g", v);
    if (error || choice)
        shorten(text);
    return text;
}

static char *ratio_text(double v) { return kb_format(v >= 9.95 ? "%.0f" : "%.1f", v); }

/* The name without gpu-, and its options in words: "rodas4+float"; caller frees */
static char *name_text(const char *name)
{
    static const struct { const char *option, *word; } words[] = {
        {":float=1", "+float"}, {":pass=1", "+pass"}, {":host=", "+host"}};
    char *text = kb_strdup(name + (strncmp(name, "gpu-", 4) ? 0 : 4));
    for (int i = 0; i < 3; i++) {
        char *at = strstr(text, words[i].option);
        if (!at)
            continue;
        const char *rest = at + strlen(words[i].option);
        char *longer = kb_format("%.*s%s%s", (int)(at - text), text, words[i].word,
                                 i < 2 ? rest : rest + strspn(rest, "0123456789"));
        free(text);
        text = longer;
    }
    return text;
}

/* ---- the forms of a query ---- */

static int add_value(template *t, double v, const kb_used *from, const char *query)
{
    if (t->nvalues == MOST)
        return refuse(t, query, "more than 64 values of a line");
    t->value[t->nvalues++] = (line_value){v, from ? *from : (kb_used){0}};
    return KB_OK;
}

/* @k, from 1; NULL with a message */
static const line_value *value_of(template *t, int k, bool of_row, const char *query)
{
    if (k >= 1 && k <= t->nvalues && (!of_row || t->value[k - 1].from.table))
        return &t->value[k - 1];
    refuse(t, query, of_row ? "no value before it of one row" : "no such value before it");
    return NULL;
}

static double us_of(const kb_used *u)
{
    kb_point p = {.v = NAN};
    kb_row_point(u->table, u->row, "us", &p);
    return p.v;
}

/* Does the row take an ODE no less time than the row of the next smaller n? */
static bool is_settled(const kb_used *u)
{
    const kb_csv *c = &u->table->csv;
    kb_used best = {u->table, -1, false};
    for (long i = 0; i < c->nrows; i++)
        if (!kb_row_fault(c, i) && kb_same_but_n(c, i, u->row) &&
            kb_csv_value(c, i, "n") < kb_csv_value(c, u->row, "n") &&
            (best.row < 0 || kb_csv_value(c, i, "n") > kb_csv_value(c, best.row, "n")))
            best.row = i;
    return best.row >= 0 && us_of(u) >= 0.95 * us_of(&best);
}

static int answer_column(template *t, const char *query, const char *column, int k, char **out)
{
    const line_value *v = value_of(t, k, true, query);
    if (!v)
        return KB_INVALID;
    if (!strcmp(column, "settled"))
        return *out = kb_strdup(is_settled(&v->from) ? "" : "*"), KB_OK;
    kb_used from = v->from;
    if (!kb_csv_has(&from.table->csv, column))
        return refuse(t, query, "no such column");
    const char *text = kb_csv_get(&from.table->csv, from.row, column);
    double number = kb_csv_value(&from.table->csv, from.row, column);
    if (!strncmp(column, "err", 3) && add_value(t, number, &from, query))
        return KB_INVALID;
    *out = isnan(number) ? *text ? name_text(text) : kb_strdup("none")
                         : number_text(number, column);
    return KB_OK;
}

static int answer_ratio(template *t, const char *query, int above, int below, char **out)
{
    const line_value *a = value_of(t, above, false, query);
    const line_value *b = a ? value_of(t, below, false, query) : NULL;
    if (!b)
        return KB_INVALID;
    *out = ratio_text(a->v / b->v);
    return KB_OK;
}

/* "H200" of intel-xeon-16c-nvidia-h200, the machine of a run's rows */
static int answer_card(template *t, const char *query, const char *run, char **out)
{
    const kb_run_table *rows;
    int code = kb_results_table(t->results, run, "cells", &rows, t->err);
    if (!code && !rows)
        code = kb_results_table(t->results, run, "flow", &rows, t->err);
    const char *machine = code || !rows ? NULL : kb_results_field(t->results, rows, 0, "machine");
    const char *card = machine ? strstr(machine, "nvidia-") : NULL;
    if (code || !card)
        return code ? code : refuse(t, query, "no rows of a GPU in that run");
    card += strlen("nvidia-");
    *out = kb_format("%.*s", (int)strcspn(card, "-"), card);
    for (char *c = *out; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    return KB_OK;
}

/* "12.3 run/cells:45" for each row that the last value rests on */
static void name_sources(const template *t, const kb_inquiry *e, const char *text)
{
    for (int i = 0; t->sources && i < e->nused; i++)
        fprintf(t->sources, "%s:%d: %s %s/%s:%ld\n", t->path, t->line, text,
                e->used[i].table->run, e->used[i].table->table, e->used[i].row + 2);
}

static int answer_query(template *t, const char *query, char **out)
{
    char *text = kb_format("%s%s%s", query, *t->where ? " where " : "", t->where);
    kb_inquiry e = {.results = t->results};
    kb_query q;
    kb_value v = {0};
    int code = kb_query_parse(&q, text, t->path, t->line, t->err);
    free(text);
    if (code)
        return code;
    code = kb_evaluate(&e, &q, &v, t->err);
    if (code == KB_NOTHING)
        code = refuse(t, query, e.why);
    else if (!code)
        code = add_value(t, v.p->v, e.nused == 1 ? e.used : NULL, query);
    if (!code) {
        *out = number_text(v.p->v, q.root->kind == KB_TERM ? q.root->name : "");
        name_sources(t, &e, *out);
    }
    kb_value_free(&v);
    kb_inquiry_clear(&e);
    kb_query_free(&q);
    return code;
}

static int answer(template *t, const char *query, char **out)
{
    char column[64], run[64];
    int k, below, end = 0;
    double v;
    if (sscanf(query, "card %63[a-zA-Z0-9._-]%n", run, &end) == 1 && !query[end])
        return answer_card(t, query, run, out);
    if (sscanf(query, "@%d / @%d%n", &k, &below, &end) == 2 && !query[end])
        return answer_ratio(t, query, k, below, out);
    if (sscanf(query, "= %lf%n", &v, &end) == 1 && !query[end])
        return *out = kb_strdup(query + 2), add_value(t, v, NULL, query);
    if (sscanf(query, "%63[a-zA-Z0-9_] @%d%n", column, &k, &end) == 2 && !query[end])
        return answer_column(t, query, column, k, out);
    return answer_query(t, query, out);
}

/* ---- lines ---- */

/* What Markdown or HTML would take for its own is no word of a table */
static bool is_plain(const char *text)
{
    return !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_.:,=+*%@ ()/-")];
}

static int fill_line(template *t, char *line)
{
    t->nvalues = 0;
    for (char *begin; (begin = strstr(line, "[[")) && strstr(begin, "]]");) {
        char *end = strstr(begin, "]]"), *text = NULL;
        *begin = *end = 0;
        int code = answer(t, begin + 2, &text);
        if (!code && !is_plain(text))
            code = refuse(t, begin + 2, "its text is no plain word");
        if (!code)
            fprintf(t->to, "%s%s", line, text);
        free(text);
        if (code)
            return code;
        line = end + 2;
    }
    fputs(line, t->to);
    return KB_OK;
}

int kb_template_fill(kb_results *r, const char *path, FILE *to, FILE *sources, kb_error *err)
{
    template t = {.results = r, .path = path, .to = to, .sources = sources, .err = err};
    kb_line_reader in;
    int code = KB_OK;
    kb_line_reader_open(&in, path, err);
    t.where = kb_strdup("");
    while (!code && kb_line_reader_next(&in, err)) {
        t.line = in.number;
        if (*in.text == '%') {
            in.text[strcspn(in.text, "\n")] = 0;
            free(t.where);
            t.where = kb_strdup(in.text + 1 + strspn(in.text + 1, " "));
        } else {
            code = fill_line(&t, in.text);
        }
    }
    free(t.where);
    int read = kb_line_reader_close(&in);
    return code ? code : read;
}
