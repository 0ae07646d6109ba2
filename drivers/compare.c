/* SPDX-License-Identifier: MIT
 *
 * compare: two runs of bench, cell by cell: which became slower or faster.
 */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "base/arguments.h"
#include "drivers/compare/print.h"

enum { TEXT, MARKDOWN, JSON, CSV };
enum { FORMAT = 256, SMALLEST, ALL, BY, AS_JSON };

typedef struct {
    const char *a, *b;
    double smallest; /* [%] */
    int format;
    const char *column;
    bool all;
} settings;

static const struct argp_option options[] = {
    {"smallest", SMALLEST, "PERCENT", 0,
     "smallest effect that matters [%] (more than 0, default 3)", 0},
    {"format", FORMAT, "NAME", 0, "text (default), markdown, json or csv", 0},
    {"json", AS_JSON, 0, 0, "the same as --format json", 0},
    {"by", BY, "NAME", 0,
     "what is compared: time (default), or cpu: processor time, for CPU engines "
     "on a busy machine",
     0},
    {"all", ALL, 0, 0, "text and markdown: also the cells that are the same or missing", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    static const char *const formats[] = {
        [TEXT] = "text", [MARKDOWN] = "markdown", [JSON] = "json", [CSV] = "csv", NULL};
    static const char *const by[] = {"time", "cpu", NULL};
    settings *s = state->input;
    switch (key) {
    case AS_JSON: s->format = JSON; break;
    case SMALLEST: s->smallest = kb_option_positive(state, key, arg); break;
    case FORMAT: s->format = kb_option_choice(state, key, arg, formats); break;
    case BY: s->column = kb_option_choice(state, key, arg, by) ? "cpu_s" : "time_s"; break;
    case ALL: s->all = true; break;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_error(state, "two folders, A and B; '%s' is the third", arg);
        *(state->arg_num ? &s->b : &s->a) = arg;
        break;
    case ARGP_KEY_END:
        if (!s->b)
            argp_error(state, "two folders are needed, A and B: runs of bench, or folders of such");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "A B",
    .doc = "Compares two runs of bench, cell by cell: ratio of the times with its interval, and a "
           "verdict.\vA and B are folders with cells.csv and samples.csv, or folders of such "
           "(results/h200). docs/results-format.md has the rules. Exit codes: 0 nothing is "
           "slower, 1 something is, 2 invalid use or input, 3 no cell was measured on both sides, "
           "4 nothing is slower, but cells of A have no result in B or another error, 5 none of "
           "these, but cells could not be decided: more repeats are needed.\n\n"
           "Example: build/compare results/latest results/h200 --format markdown"};

static int write_report(const kb_compare_report *r, int format, kb_error *err)
{
    switch (format) {
    case JSON: return kb_compare_json(r, stdout, err);
    case MARKDOWN: kb_compare_markdown(r, stdout); break;
    case CSV: kb_compare_csv(r, stdout); break;
    default:
        kb_compare_text(r, stdout);
    }
    return KB_OK;
}

static int run(const settings *s, kb_error *err)
{
    kb_side a = {0}, b = {0};
    kb_comparison c = {0};
    int code = kb_side_read(&a, s->a, s->column, err);
    code = code ? code : kb_side_read(&b, s->b, s->column, err);
    if (!code) {
        kb_compare(&c, &a, &b, s->smallest / 100);
        kb_compare_report r = {.c = &c, .a = s->a, .b = s->b, .all = s->all};
        code = write_report(&r, s->format, err);
        if (!code && c.count[KB_IS_MISSING] == c.n)
            code = kb_fail(err, KB_NOTHING,
                           "no cell was measured on both sides: a cell is the same "
                           "one if mechanism, database, n, dt, order, solver, engine, schedule, "
                           "threads and tolerances are");
        else if (!code)
            code = c.count[KB_IS_SLOWER]               ? KB_DIFFERS
                   : c.lost + c.count[KB_IS_OTHER] > 0 ? KB_INCOMPLETE
                   : c.undecided                       ? KB_UNDECIDED
                                                       : KB_OK;
    }
    kb_comparison_free(&c);
    kb_side_free(&a);
    kb_side_free(&b);
    return code;
}

int main(int argc, char **argv)
{
    settings s = {.smallest = 3, .column = "time_s"};
    kb_error err = {0};
    argp_err_exit_status = KB_INVALID;
    argp_parse(&argp, argc, argv, 0, NULL, &s);
    int code = run(&s, &err);
    if (code == KB_INVALID || code == KB_NOTHING)
        kb_report("compare", &err);
    return code;
}
