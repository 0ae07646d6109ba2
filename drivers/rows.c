/* SPDX-License-Identifier: MIT
 *
 * rows: rows of results for scripts: the value of a query, a table of the docs, rows of a figure,
 * CSV between tabs and back.
 */
#include <stdio.h>
#include <string.h>

#include "base/options.h"
#include "base/owned.h"
#include "rows/evaluate.h"
#include "rows/pick.h"
#include "rows/template.h"

typedef struct {
    const char *results, *fill, *table, *select;
    kb_words runs, columns;
    char **argument; /* the query, or what --select reads */
    int narguments;
    bool sources, csv;
} settings;

enum { SELECT = 256 };
#define AT(member) offsetof(settings, member)

static const kb_program_option options[] = {
    {"results", 0, "FOLDER", KB_OPT_TEXT, AT(results), 0, 0, "results/gpu", 0,
     "results of a machine"},
    {"run", 0, "LIST", KB_OPT_WORDS, AT(runs), 0, 0, ": run= of the query", 0,
     "the runs to look in"},
    {"fill", 0, "FILE", KB_OPT_TEXT, AT(fill), 0, 0, 0, 0,
     "print a template with its values (docs/blocks)"},
    {"sources", 0, 0, KB_OPT_SWITCH, AT(sources), 0, 0, 0, 0,
     "with --fill: the rows behind each value instead"},
    {"select", SELECT, "SELECTORS", KB_OPT_OTHER, 0, 0, 0, 0, 0,
     "print rows of tables between tabs; before each FILE may stand experiment=NAME and run=NAME "
     "(rows/pick.h)"},
    {"table", 0, "FILE", KB_OPT_TEXT, AT(table), 0, 0, 0, 0,
     "print a table between tabs, as it is"},
    {"columns", 0, "LIST", KB_OPT_WORDS, AT(columns), 0, 0, 0, 0,
     "with --table: these columns alone, without their names"},
    {"csv", 0, 0, KB_OPT_SWITCH, AT(csv), 0, 0, 0, 0,
     "print the lines of stdin, between tabs, as CSV"},
    {0}};

static int rest(int key, char *arg, struct argp_state *state, void *set)
{
    settings *s = set;
    int modes;
    switch (key) {
    case SELECT: s->select = arg; break;
    case ARGP_KEY_ARGS:
        s->argument = state->argv + state->next;
        s->narguments = state->argc - state->next;
        break;
    case ARGP_KEY_END:
        modes = !!s->fill + !!s->table + !!s->select + s->csv;
        if (modes > 1 || (!s->select && modes + s->narguments != 1))
            argp_error(state, "one query, --fill, --select, --table or --csv is needed");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const kb_program rows = {
    options, "[QUERY]\n--select SELECTORS [FILE...]",
    "Prints the value of a query over rows of results (docs/results-format.md) and its interval, "
    "or fills a template.\vExit codes: 0 fine, 2 invalid use or input, 3 no value.\n\n"
    "A query: 'us{run=gri30-pair rodas4 gpu-block n=16384 dt=1e-6 rtol=1e-4 schedule=refill "
    "order=shuffled}'\n\n"
    "Example: build/rows --fill docs/blocks/speed --sources", .rest = rest};

/* results/gpu/h2/, as a shell completes it, is the run h2 */
static void leave_folder(char *run, const char *results)
{
    size_t n = strlen(results), length = strlen(run);
    if (length > 1 && run[length - 1] == '/')
        run[--length] = '\0';
    if (!strncmp(run, results, n) && run[n] == '/' && run[n + 1])
        memmove(run, run + n + 1, length - n);
}

static int print_value(const settings *s, kb_results *r, kb_error *err)
{
    kb_query q;
    kb_value v;
    int code = kb_query_parse(&q, *s->argument, "query", 0, err);
    if (code)
        return code;
    for (int i = 0; i < s->runs.count; i++)
        leave_folder(s->runs.word[i], s->results);
    kb_inquiry e = {.results = r, .runs = s->runs};
    code = kb_evaluate(&e, &q, &v, err);
    if (code == KB_NOTHING)
        kb_fail(err, KB_NOTHING, "no value: %s", e.why);
    if (!code) {
        printf("%.9g %.9g %.9g\n", v.p->v, v.p->lo, v.p->hi);
        kb_value_free(&v);
    }
    kb_inquiry_clear(&e);
    kb_query_free(&q);
    return code;
}

static int print_template(const settings *s, kb_results *r, kb_error *err)
{
    kb_owned char *text = NULL, *sources = NULL;
    size_t length;
    FILE *to = kb_open_text(&text, &length), *from = kb_open_text(&sources, &length);
    int code = kb_template_fill(r, s->fill, to, from, err);
    kb_close_text(to);
    kb_close_text(from);
    if (!code)
        fputs(s->sources ? sources : text, stdout);
    return code;
}

/* experiment=, run= and tables, as they come */
static int print_selected(const settings *s, kb_error *err)
{
    kb_pick p = {0};
    const char *experiment = "", *run = NULL;
    int code = KB_OK;
    for (int i = 0; i < s->narguments && !code; i++) {
        const char *text = s->argument[i];
        if (!strncmp(text, "experiment=", 11))
            experiment = text + 11;
        else if (!strncmp(text, "run=", 4))
            run = text + 4;
        else
            code = kb_pick_add(&p, text, experiment, run, err);
    }
    code = code ? code : kb_pick_select(&p, s->select, err);
    if (!code)
        kb_pick_print(&p, stdout);
    kb_pick_free(&p);
    return code;
}

static int print_table(const settings *s, kb_error *err)
{
    kb_csv t;
    int code = kb_csv_read(&t, s->table, err);
    bool chosen = s->columns.count;
    int n = chosen ? s->columns.count : t.ncolumns;
    char **names = chosen ? s->columns.word : t.names;
    for (long i = chosen ? 0 : -1; !code && i < t.nrows; i++)
        for (int k = 0; k < n; k++)
            kb_tabbed(i < 0 ? names[k] : kb_csv_get(&t, i, names[k]), k + 1 < n ? '\t' : '\n',
                      stdout);
    if (!code)
        kb_csv_free(&t);
    return code;
}

static int print_csv(void)
{
    kb_owned char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) >= 0) {
        line[strcspn(line, "\n")] = 0;
        for (char *p = line, *end; p; p = end) {
            if ((end = strchr(p, '\t')))
                *end++ = 0;
            kb_csv_put(stdout, p);
            putchar(end ? ',' : '\n');
        }
    }
    return KB_OK;
}

static int run_rows(const settings *s, kb_results *r, kb_error *err)
{
    if (s->csv)
        return print_csv();
    if (s->table)
        return print_table(s, err);
    if (s->select)
        return print_selected(s, err);
    int code = kb_results_open(r, s->results, err);
    if (code)
        return code;
    return s->fill ? print_template(s, r, err) : print_value(s, r, err);
}

int main(int argc, char **argv)
{
    settings s = {0};
    kb_results r = {0};
    kb_error err = {0};
    kb_program_parse(&rows, argc, argv, &s);
    int code = run_rows(&s, &r, &err);
    if (code)
        kb_report("rows", &err);
    kb_results_free(&r);
    kb_words_free(&s.runs);
    kb_words_free(&s.columns);
    return code;
}
