/* SPDX-License-Identifier: MIT */
#include "drivers/claims/judge.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "rows/select.h"

#define ROUNDING 1e-9 /* of a number that is meant to be equal */
#define THREADS_USED 0.8 /* of what the host gives as many threads: less is a broken yardstick */

const char *const kb_verdict_names[KB_VERDICTS] = {
    "holds", "direction holds", "does not hold", "unclear", "cannot say", "not judged"};

const char *const kb_class_names[KB_CLASSES] = {"measured", "counted", "arithmetic", "stand-in",
                                                ""};

typedef enum { NO, MAYBE, YES } answer;

static answer beyond(const kb_point *p, const char *direction, double bound)
{
    switch (direction[0]) {
    case 'i': return isfinite(p->v) ? YES : NO;
    case '>':
        if (direction[1])
            return p->hi >= bound * (1 - ROUNDING) ? YES : NO;
        return p->lo > bound ? YES : p->hi <= bound ? NO : MAYBE;
    case '<':
        if (direction[1])
            return p->lo <= bound * (1 + ROUNDING) ? YES : NO;
        return p->hi < bound ? YES : p->lo >= bound ? NO : MAYBE;
    default: return YES;
    }
}

static answer inside(const kb_point *p, double least, double most)
{
    least -= ROUNDING * fabs(least);
    most += ROUNDING * fabs(most);
    if (p->lo >= least && p->hi <= most)
        return YES;
    return p->hi < least || p->lo > most ? NO : MAYBE;
}

kb_verdict kb_verdict_of(const kb_point *p, const char *direction, double bound, bool banded,
                         double least, double most)
{
    answer right = beyond(p, direction, bound);
    answer within = banded ? inside(p, least, most) : YES;
    if (!*direction && !banded)
        return KB_NOT_JUDGED;
    if (!*direction)
        return within == YES ? KB_HOLDS : within == NO ? KB_DOES_NOT_HOLD : KB_UNCLEAR;
    if (right != YES)
        return right == NO ? KB_DOES_NOT_HOLD : KB_UNCLEAR;
    return within == YES ? KB_HOLDS : KB_DIRECTION_HOLDS;
}

/* ---- guards ---- */

/* the reason, or false */
static bool guard_fails(const kb_claim *c, const kb_inquiry *e, const kb_point *p, char *why,
                        size_t size)
{
    const kb_guards *g = &c->guard;
    double width = (p->hi - p->lo) / fabs(p->v);
    *why = 0;
    if (e->thread_use == 0)
        snprintf(why, size, "one thread was not measured beside several");
    else if (e->thread_use < THREADS_USED)
        snprintf(why, size, "several threads have %.0f %% of %s, less than %.0f %%",
                 100 * e->thread_use, e->host_use < 1 ? "what this host gives as many"
                                                      : "as many times the rate of one",
                 100 * THREADS_USED);
    else if (g->err > 0 && e->err_ratio > g->err)
        snprintf(why, size, "errors of the two sides are a factor %.3g apart (guard err=%g)",
                 e->err_ratio, g->err);
    else if (g->work > 0 && e->work_ratio > 1 + g->work)
        snprintf(why, size, "mean work of an ODE changes by %.0f %% over the list: another "
                 "population at each n (guard work=%g)", 100 * (e->work_ratio - 1), g->work);
    else if (g->interval > 0 && width > g->interval && !e->bounded)
        snprintf(why, size, "the interval is %.0f %% of the value (guard interval=%g)",
                 100 * width, g->interval);
    return *why;
}

/* ---- what it rests on ---- */

static kb_class class_of(const kb_node *node)
{
    kb_class class = KB_ARITHMETIC;
    if (node->kind == KB_TERM && strcmp(node->table, "mech"))
        class = kb_column_timed(node->name) ? KB_MEASURED : KB_COUNTED;
    for (int i = 0; i < node->narguments; i++) {
        kb_class part = class_of(node->argument[i]);
        class = part < class ? part : class;
    }
    return class;
}

static void append(char **text, const char *separator, const char *more)
{
    char *longer = kb_format("%s%s%s", *text, **text ? separator : "", more);
    free(*text);
    *text = longer;
}

static void name_rows(kb_inquiry *e, kb_judgement *j)
{
    for (int i = 0; i < e->nused; i++) {
        const kb_used *u = &e->used[i];
        const char *key = kb_row_text(&u->table->csv, u->row, "key");
        bool same = i && e->used[i - 1].table == u->table;
        kb_owned char *row = key ? kb_format("%s:%ld", key, u->row + 2)
                                 : kb_format("%ld", u->row + 2);
        kb_owned char *full = kb_format("%s/%s:%s", u->table->run, u->table->table, row);
        append(&j->rows, " ", same ? row : full);
        if (!kb_has_word(j->runs, u->table->run))
            append(&j->runs, " ", u->table->run);
        const char *git = kb_results_field(e->results, u->table, u->row, "git");
        const char *machine = kb_results_field(e->results, u->table, u->row, "machine");
        if (!*j->git && git)
            append(&j->git, "", git);
        if (!*j->machine && machine)
            append(&j->machine, "", machine);
    }
}

/* ---- one claim ---- */

/* Of a run that was ended, the end that is known has to be beyond a bound, also of ">=" and "<=" */
static kb_verdict verdict_of_ended(const kb_point *p, const char *direction, double bound,
                                   bool banded, double least, double most)
{
    bool equal = *direction && direction[1] == '=', up = *direction == '>';
    double at = equal ? bound * (up ? 1 - ROUNDING : 1 + ROUNDING) : bound;
    return kb_verdict_of(p, !equal ? direction : up ? ">" : "<", at, banded, least, most);
}

/* A bound, which may ask for rows of its own; without them NAN, and the reason in e->why */
static double bound_of(kb_inquiry *e, const kb_query *q, kb_error *err)
{
    kb_inquiry own = {.results = e->results, .runs = e->runs};
    kb_value v = {0};
    double value = NAN;
    if (q->root && !kb_evaluate(&own, q, &v, err))
        value = v.p->v;
    else if (q->root)
        snprintf(e->why, sizeof e->why, "no bound: %.200s", own.why);
    kb_value_free(&v);
    kb_inquiry_clear(&own);
    return value;
}

/* Adds to why what it has room for */
static void add_why(kb_judgement *j, const char *format, ...)
{
    va_list args;
    size_t n = strlen(j->why);
    va_start(args, format);
    vsnprintf(j->why + n, sizeof j->why - n, format, args);
    va_end(args);
}

static void decide(kb_inquiry *e, const kb_claim *c, const kb_point *p, kb_judgement *j,
                   kb_error *err)
{
    char reason[300];
    double bound = bound_of(e, &c->bound, err);
    double least = bound_of(e, &c->least, err), most = bound_of(e, &c->most, err);
    bool banded = c->least.root != NULL;
    j->value = p->v;
    j->lo = p->lo;
    j->hi = p->hi;
    *j->why = 0;
    bool failed = guard_fails(c, e, p, reason, sizeof reason);
    if (!failed && ((c->bound.root && isnan(bound)) || (banded && isnan(least + most)))) {
        failed = true;
        snprintf(reason, sizeof reason, "%.299s", e->why);
    }
    j->verdict = !strcmp(c->field[KB_PORTABLE], "no") ? KB_NOT_JUDGED
                 : failed ? KB_CANNOT_SAY
                          : (e->bounded ? verdict_of_ended : kb_verdict_of)(
                                p, c->direction, bound, banded, least, most);
    if (failed)
        add_why(j, "%s", reason);
    else if (j->verdict == KB_NOT_JUDGED)
        add_why(j, "reported: %.300s", c->field[KB_NOTE]);
    else
        add_why(j, "asked: %s%s%s%s", *c->direction ? c->field[KB_DIRECTION] : "",
                *c->direction && banded ? ", " : "", banded ? "in " : "",
                banded ? c->field[KB_BAND] : "");
    if (*e->note)
        add_why(j, "; %s", e->note);
    if (!failed && e->host_use < THREADS_USED)
        add_why(j, "; %d threads of this host have %.0f %% of as many times the rate of one, by "
                "RKCK on H2", e->threads, 100 * e->host_use);
    if (e->bounded)
        add_why(j, "; a run that was ended at its budget counts as at least that long");
}

/* One source of rows, "a+b" or "~a+b", which is of another case: it can show no more than the
 * direction of a banded claim */
static int try_source(kb_inquiry *e, const kb_claim *c, const char *text, size_t length,
                      const kb_query *q, kb_judgement *j, kb_error *err)
{
    bool stands_in = *text == '~';
    char *list = kb_format("%.*s", (int)length - stands_in, text + stands_in);
    for (char *p = list; *p; p++)
        *p = *p == '+' ? ',' : *p;
    kb_words_split(&e->runs, strcmp(list, "-") ? list : "");
    free(list);
    kb_value v = {0};
    j->class = stands_in ? KB_STANDS_IN : class_of(q->root);
    int code = kb_evaluate(e, q, &v, err);
    if (code == KB_NOTHING) {
        j->verdict = KB_CANNOT_SAY;
        snprintf(j->why, sizeof j->why, "%s", e->why);
    }
    if (code == KB_OK)
        decide(e, c, v.p, j, err);
    if (code == KB_OK && e->bounded && j->verdict == KB_UNCLEAR) {
        *j = (kb_judgement){.verdict = KB_CANNOT_SAY, .class = j->class, .value = NAN,
                            .lo = NAN, .hi = NAN, .rows = j->rows, .runs = j->runs, .git = j->git,
                            .machine = j->machine};
        snprintf(j->why, sizeof j->why, "a run that was ended at its budget leaves it open");
        e->missing = true;
        code = KB_NOTHING;
    }
    if (code == KB_OK) {
        name_rows(e, j);
        if (stands_in && j->verdict == KB_HOLDS && c->least.root)
            j->verdict = KB_DIRECTION_HOLDS;
    }
    kb_value_free(&v);
    kb_words_free(&e->runs);
    return code;
}

static int evaluate_claim(kb_results *r, const kb_claim *c, kb_judgement *j, kb_error *err)
{
    kb_inquiry e = {.results = r};
    const char *first = c->field[KB_EXPERIMENT], *p = first;
    int code = KB_NOTHING;
    for (int k = 0; p && code == KB_NOTHING && (!k || e.missing); k++) {
        size_t n = strcspn(p, "|");
        code = try_source(&e, c, p, n, &c->query[k < c->nqueries ? k : c->nqueries - 1], j, err);
        if (code == KB_OK && k)
            add_why(j, "; %.*s %s %.*s", (int)n - (*p == '~'), p + (*p == '~'),
                    *p == '~' ? "stands in for" : "in place of", (int)strcspn(first, "|"), first);
        p = p[n] ? p + n + 1 : NULL;
    }
    kb_inquiry_clear(&e);
    return code == KB_NOTHING ? KB_OK : code;
}

int kb_judge(kb_results *r, const kb_claim *c, kb_judgement *j, kb_error *err)
{
    *j = (kb_judgement){.class = KB_NO_CLASS, .value = NAN, .lo = NAN, .hi = NAN};
    j->rows = kb_strdup("");
    j->runs = kb_strdup("");
    j->git = kb_strdup("");
    j->machine = kb_strdup("");
    if (c->nqueries)
        return evaluate_claim(r, c, j, err);
    j->verdict = kb_claim_beyond(c) ? KB_NOT_JUDGED : KB_CANNOT_SAY;
    snprintf(j->why, sizeof j->why, "%s", c->field[KB_NOTE]);
    return KB_OK;
}

void kb_judgement_free(kb_judgement *j)
{
    free(j->rows);
    free(j->runs);
    free(j->git);
    free(j->machine);
}
