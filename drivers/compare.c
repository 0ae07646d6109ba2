/* SPDX-License-Identifier: MIT
 *
 * compare: two runs of bench, cell by cell: which became slower or faster.
 */
#include <stdio.h>
#include <string.h>

#include "base/options.h"
#include "drivers/compare/print.h"

enum { TEXT, MARKDOWN, JSON, CSV };

typedef struct {
    const char *a, *b;
    double smallest; /* [%] */
    int format;
    int cpu; /* the times of processors */
    bool all, json;
} settings;

#define AT(member) offsetof(settings, member)

static const kb_program_option options[] = {
    {"smallest", 0, "PERCENT", KB_OPT_NUMBER, AT(smallest), "more than 0", "%", "3", 0,
     "smallest effect that matters"},
    {"format", 0, "NAME", KB_OPT_WORD, AT(format), "text, markdown, json, csv", 0, "text", 0,
     "what is printed"},
    {"json", 0, 0, KB_OPT_SWITCH, AT(json), 0, 0, 0, 0, "the same as --format json"},
    {"by", 0, "NAME", KB_OPT_WORD, AT(cpu), "time, cpu", 0, "time", 0,
     "what is compared; cpu: processor time, for CPU engines on a busy machine"},
    {"all", 0, 0, KB_OPT_SWITCH, AT(all), 0, 0, 0, 0,
     "text and markdown: also the cells that are the same or missing"},
    {0}};

static int rest(int key, char *arg, struct argp_state *state, void *set)
{
    settings *s = set;
    switch (key) {
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_error(state, "two folders, A and B; '%s' is the third", arg);
        *(state->arg_num ? &s->b : &s->a) = arg;
        break;
    case ARGP_KEY_END:
        if (!s->b)
            argp_error(state, "two folders are needed, A and B: runs of bench, or folders of such");
        s->format = s->json ? JSON : s->format;
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const kb_program compare = {
    options, "A B",
    "Compares two runs of bench, cell by cell: ratio of the times with its interval, and a "
    "verdict.\vA and B are folders with cells.csv and samples.csv, or folders of such "
    "(results/gpu). docs/results-format.md has the rules. Exit codes: 0 nothing is slower, 1 "
    "something is, 2 invalid use or input, 3 no cell was measured on both sides, 4 nothing is "
    "slower, but cells of A have no result in B or another error, 5 none of these, but cells could "
    "not be decided: more repeats are needed.\n\n"
    "Example: build/compare results/latest results/gpu --format markdown", .rest = rest};

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
    const char *column = s->cpu ? "cpu_s" : "time_s";
    int code = kb_side_read(&a, s->a, column, err);
    code = code ? code : kb_side_read(&b, s->b, column, err);
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
    settings s = {0};
    kb_error err = {0};
    kb_program_parse(&compare, argc, argv, &s);
    int code = run(&s, &err);
    if (code == KB_INVALID || code == KB_NOTHING)
        kb_report("compare", &err);
    return code;
}
