/* SPDX-License-Identifier: MIT
 *
 * From the text of a query to its tree, by recursive descent.
 */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/owned.h"
#include "rows/query.h"
#include "rows/select.h"

#define DEEPEST 50
_Static_assert(KB_PARTS == 1000, "as a message says");

typedef struct {
    const char *text, *at;
    const char *file;
    int line, depth, parts;
    kb_query *query;
    kb_error *err;
} parser;

static int refuse(parser *p, const char *at, size_t length, const char *hint, const char *what)
{
    kb_owned char *word = kb_format("%.*s", (int)length, at);
    return kb_fail_at(p->err, p->file, p->line, *word ? word : "(end)", hint,
                      "query, column %d: %s", (int)(at - p->text) + 1, what);
}

static void skip(parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

static size_t name_length(const char *s)
{
    size_t n = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_')
        n++;
    return n;
}

/* A part of the query at the place where the parser stands. A query of too many parts is refused:
 * operations lie as deep in the tree as there are of them. */
static int new_node(parser *p, kb_node_kind kind, kb_node **out)
{
    if (p->parts++ == KB_PARTS)
        return refuse(p, p->at, 1, "write two claims, or select more rows with one term",
                      "more than 1000 numbers, terms and operations, from");
    *out = kb_alloc(1, sizeof **out);
    (*out)->kind = kind;
    (*out)->at = (int)(p->at - p->text) + 1;
    return KB_OK;
}

static void free_node(kb_node *node)
{
    if (!node)
        return;
    for (int i = 0; i < node->narguments; i++)
        free_node(node->argument[i]);
    kb_selects_free(&node->selects);
    free(node->name);
    free(node->table);
    free(node);
}

void kb_query_free(kb_query *q)
{
    free_node(q->root);
    kb_selects_free(&q->where);
    free(q->by);
    *q = (kb_query){0};
}

static int expression(parser *p, kb_node **out);

static int selectors(parser *p, const char *table, kb_selects *out, const char *stop)
{
    for (;;) {
        skip(p);
        if (!*p->at || strchr(stop, *p->at))
            return KB_OK;
        size_t n = strcspn(p->at, " \t}");
        if (*stop == 0 && n == 2 && !strncmp(p->at, "by", 2))
            return KB_OK;
        const char *what = kb_select_add(out, table, p->at, n);
        if (what)
            return refuse(p, p->at, n, "docs/results-format.md has the columns", what);
        p->at += n;
    }
}

/* name or table:name, with {selectors} */
static int term(parser *p, size_t n, kb_node **out)
{
    const char *start = p->at, *name = start;
    int code = new_node(p, KB_TERM, out);
    if (code)
        return code;
    kb_node *t = *out;
    if (start[n] == ':') {
        t->table = kb_format("%.*s", (int)n, start);
        if (!kb_table_known(t->table))
            return refuse(p, start, n, "docs/results-format.md has them",
                          "no such table");
        name += n + 1;
        n = name_length(name);
    } else {
        t->table = kb_strdup("cells");
    }
    t->name = kb_format("%.*s", (int)n, name);
    if (!kb_column_known(t->table, t->name))
        return refuse(p, name, n, "a column and {selectors}, or a function",
                      "no such column or function");
    p->at = name + n;
    if (*p->at != '{')
        return refuse(p, name, n, "write column{selectors}", "a column without selectors");
    p->at++;
    code = selectors(p, t->table, &t->selects, "}");
    if (!code && *p->at != '}')
        return refuse(p, name, n, "close the selectors with }", "no end of");
    p->at += !code;
    return code;
}

static int add_argument(parser *p, kb_node *call, int most)
{
    skip(p);
    if (call->narguments >= most)
        return refuse(p, p->at, 1, NULL, "too many arguments");
    int code = expression(p, &call->argument[call->narguments]);
    call->narguments += call->argument[call->narguments] != NULL;
    return code;
}

static int call(parser *p, size_t n, kb_node **out)
{
    const char *start = p->at;
    int least, most, code = new_node(p, KB_CALL, out);
    if (code)
        return code;
    kb_node *c = *out;
    c->name = kb_format("%.*s", (int)n, start);
    if (!kb_function_known(c->name, &least, &most))
        return refuse(p, start, n, "docs/results-format.md has them", "no such function");
    p->at = strchr(start, '(');
    do {
        p->at++;
        if ((code = add_argument(p, c, most)))
            return code;
    } while (*p->at == ',');
    if (*p->at != ')')
        return refuse(p, p->at, *p->at != 0, "expected , or )", "unexpected");
    p->at++;
    if (c->narguments < least)
        return refuse(p, start, n, NULL, "too few arguments for");
    return KB_OK;
}

static int operand(parser *p, kb_node **out)
{
    skip(p);
    char *end;
    size_t n = name_length(p->at);
    if (*p->at == '(') {
        p->at++;
        int code = expression(p, out);
        if (!code && *p->at != ')')
            return refuse(p, p->at, *p->at != 0, "expected )", "unexpected");
        p->at += !code;
        return code;
    }
    if (isdigit((unsigned char)*p->at) || *p->at == '.') {
        int code = new_node(p, KB_NUMBER, out);
        if (code)
            return code;
        (*out)->number = strtod(p->at, &end);
        p->at = end;
        return KB_OK;
    }
    if (!n)
        return refuse(p, p->at, *p->at != 0, "a number, column{selectors} or function(...)",
                      "unexpected");
    const char *after = p->at + n;
    while (isspace((unsigned char)*after))
        after++;
    return *after == '(' ? call(p, n, out) : term(p, n, out);
}

/* one level of the operations: a op b op c, from the left, and the blanks behind it */
static int level(parser *p, kb_node **out, const char *operations,
                 int (*deeper)(parser *p, kb_node **out))
{
    int code = deeper(p, out);
    for (skip(p); !code && *p->at && strchr(operations, *p->at); skip(p)) {
        kb_node *both;
        if ((code = new_node(p, KB_OPERATION, &both)))
            return code;
        both->operation = *p->at++;
        both->argument[0] = *out;
        both->narguments = 1;
        *out = both;
        code = deeper(p, &both->argument[1]);
        both->narguments += both->argument[1] != NULL;
    }
    return code;
}

static int power(parser *p, kb_node **out) { return level(p, out, "^", operand); }

static int product(parser *p, kb_node **out) { return level(p, out, "*/", power); }

static int expression(parser *p, kb_node **out)
{
    if (p->depth >= DEEPEST)
        return refuse(p, p->at, 1, NULL, "too deep");
    p->depth++;
    int code = level(p, out, "+-", product);
    p->depth--;
    return code;
}

static bool keyword(parser *p, const char *word)
{
    size_t n = strlen(word);
    skip(p);
    if (strncmp(p->at, word, n) || !isspace((unsigned char)p->at[n]))
        return false;
    p->at += n;
    return true;
}

static int clauses(parser *p)
{
    kb_query *q = p->query;
    int code = KB_OK;
    if (keyword(p, "where"))
        code = selectors(p, NULL, &q->where, "");
    if (!code && keyword(p, "by")) {
        skip(p);
        size_t n = name_length(p->at);
        free(q->by);
        q->by = kb_format("%.*s", (int)n, p->at);
        if (!kb_column_known(NULL, q->by))
            return refuse(p, p->at, n, NULL, "no such column");
        p->at += n;
        skip(p);
    }
    if (!code && *p->at)
        code = refuse(p, p->at, strcspn(p->at, " "), "an operation, where or by", "unexpected");
    return code;
}

int kb_query_parse(kb_query *q, const char *text, const char *file, int line, kb_error *err)
{
    *q = (kb_query){.by = kb_strdup("n")};
    parser p = {.text = text, .at = text, .file = file, .line = line, .query = q, .err = err};
    int code = expression(&p, &q->root);
    if (!code)
        code = clauses(&p);
    if (code)
        kb_query_free(q);
    return code;
}
