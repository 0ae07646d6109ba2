/* SPDX-License-Identifier: MIT
 *
 * rows: rows of results for scripts: the value of a query, or a table of the docs.
 */
#include <argp.h>
#include <stdio.h>

#include "rows/evaluate.h"
#include "rows/template.h"

typedef struct {
    const char *results, *query, *fill;
    kb_words runs;
    bool sources;
} settings;

enum { RESULTS = 256, RUN, FILL, SOURCES };

static const struct argp_option options[] = {
    {"results", RESULTS, "FOLDER", 0, "results of a machine (default results/h200)", 0},
    {"run", RUN, "LIST", 0, "the runs to look in (default: run= of the query)", 0},
    {"fill", FILL, "FILE", 0, "print a template with its values (docs/blocks)", 0},
    {"sources", SOURCES, 0, 0, "with --fill: the rows behind each value instead", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    settings *s = state->input;
    switch (key) {
    case RESULTS: s->results = kb_option_text(state, key, arg); break;
    case RUN: kb_words_split(&s->runs, kb_option_text(state, key, arg)); break;
    case FILL: s->fill = kb_option_text(state, key, arg); break;
    case SOURCES: s->sources = true; break;
    case ARGP_KEY_ARG: kb_argument(state, &s->query, arg, "query"); break;
    case ARGP_KEY_END:
        if (!s->query == !s->fill)
            argp_error(state, "a query or --fill is needed, and not both");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp argp = {
    .options = options, .parser = parse, .args_doc = "[QUERY]",
    .doc = "Prints the value of a query over rows of results (docs/claims.md) and its interval, or "
           "fills a template.\vExit codes: 0 fine, 2 invalid use or input, 3 no value.\n\n"
           "Example: build/rows 'us{run=gri30-pair rodas4 gpu-block n=16384 dt=1e-6 rtol=1e-4 "
           "schedule=refill order=shuffled}'"};

static int print_value(const settings *s, kb_results *r, kb_error *err)
{
    kb_query q;
    kb_value v;
    int code = kb_query_parse(&q, s->query, "query", 0, err);
    if (code)
        return code;
    kb_inquiry e = {.results = r, .runs = s->runs};
    code = kb_evaluate(&e, &q, &v, err);
    if (code == KB_NOTHING)
        kb_fail(err, KB_NOTHING, "no value: %s", e.why);
    if (!code) {
        printf("%.6g %.6g %.6g\n", v.p->v, v.p->lo, v.p->hi);
        kb_value_free(&v);
    }
    kb_inquiry_clear(&e);
    kb_query_free(&q);
    return code;
}

static int print_template(const settings *s, kb_results *r, kb_error *err)
{
    char *text, *sources;
    size_t length;
    FILE *to = kb_open_text(&text, &length), *from = kb_open_text(&sources, &length);
    int code = kb_template_fill(r, s->fill, to, from, err);
    kb_close_text(to);
    kb_close_text(from);
    if (!code)
        fputs(s->sources ? sources : text, stdout);
    free(text);
    free(sources);
    return code;
}

int main(int argc, char **argv)
{
    settings s = {.results = "results/h200"};
    kb_results r = {0};
    kb_error err = {0};
    argp_err_exit_status = KB_INVALID;
    argp_parse(&argp, argc, argv, 0, NULL, &s);
    int code = kb_results_open(&r, s.results, &err);
    if (!code)
        code = s.fill ? print_template(&s, &r, &err) : print_value(&s, &r, &err);
    if (code)
        kb_report("rows", &err);
    kb_results_free(&r);
    kb_words_free(&s.runs);
    return code;
}
