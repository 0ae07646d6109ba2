/* SPDX-License-Identifier: MIT */
#include "rows/evaluate.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
    e->err_ratio = e->work_ratio = e->thread_use = 1;
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

/* All rows are of one commit */
static int check_rows(kb_inquiry *e)
{
    const char *git = NULL;
    for (int i = 0; i < e->nused; i++) {
        const kb_used *u = &e->used[i];
        const char *here = kb_results_field(e->results, u->table, u->row, "git");
        if (here && git && strcmp(git, here))
            return kb_no_value(e, false, "rows of two commits: %.7s and %.7s", git, here);
        git = here ? here : git;
    }
    return KB_OK;
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
        code = check_rows(e);
    if (code)
        kb_value_free(out);
    return code;
}
