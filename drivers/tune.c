/* SPDX-License-Identifier: MIT
 *
 * tune: the tables of the solver `auto`: of times (datasets/tuned.def), with how far its choices
 * are from the best of every matrix, and of errors (datasets/held.def).
 */
#include <stdio.h>
#include <string.h>

#include "base/options.h"
#include "base/owned.h"
#include "base/table.h"
#include "drivers/tune/tune.h"

typedef struct {
    const char *results, *accuracy, *out;
    bool check;
} settings;

#define AT(member) offsetof(settings, member)

static const kb_program_option options[] = {
    {"results", 0, "FOLDER", KB_OPT_TEXT, AT(results), 0, 0, "results/auto", 0, "runs of bench"},
    {"accuracy", 0, "FOLDER", KB_OPT_TEXT, AT(accuracy), 0, 0, 0, 0,
     "the table of errors instead, from these runs of make accuracy"},
    {"out", 0, "FILE", KB_OPT_TEXT, AT(out), 0, 0,
     ": datasets/tuned.def; of errors datasets/held.def", 0, "the table"},
    {"check", 0, 0, KB_OPT_SWITCH, AT(check), 0, 0, 0, 0,
     "write nothing: do the results give this table?"},
    {0}};

static const kb_program tune = {
    options, NULL,
    "Writes the table by which the solver auto chooses, from the runs of bench that are matrices "
    "(docs/methods.md), and says how far its choices are from the best of each; or the table of "
    "the errors that methods hold.\v"
    "Exit codes: 0 fine; 1 with --check, the table is another one; 2 invalid use or input; 3 there "
    "is no matrix.\n\nExample: build/tune --results results/auto"};

static void add_line(kb_table *out, const char *name, const kb_tune_verdict *v)
{
    char *f[] = {kb_strdup(name),
                 kb_format("%d", v->judged),
                 kb_format("%d", v->within),
                 kb_format("%d", v->inaccurate),
                 kb_format("%d", v->unmeasured),
                 v->judged ? kb_format("%.2f", v->worst) : kb_strdup("-"),
                 kb_format("%d of %d", v->apart_within, v->apart)};
    kb_table_add(out, f);
    if (*v->where && v->within < v->judged)
        printf("%s, %s: %.2f of the least time\n", name, v->where, v->worst);
}

static void judge_all(const kb_tune *t)
{
    static const char *const heads[] = {"matrix",       "choices", "within 10 %",   "inaccurate",
                                        "not measured", "worst",   "by other cells"};
    kb_table out = {.ncolumns = 7, .heads = heads, .left = 1};
    for (int i = 0; i < t->nmatrices; i++) {
        kb_tune_verdict v = kb_tune_judge(t, &t->matrix[i]);
        add_line(&out, t->matrix[i].name, &v);
    }
    kb_table_print(&out);
    kb_table_free(&out);
}

static int give(const settings *s, const char *out, const char *text, kb_error *err)
{
    out = s->out ? s->out : out;
    return s->check ? kb_tune_compare(out, text, err) : kb_tune_write(out, text, err);
}

static int tune_errors(const settings *s, kb_error *err)
{
    kb_owned char *text = NULL;
    int code = kb_tune_held(s->accuracy, &text, err);
    return code ? code : give(s, "datasets/held.def", text, err);
}

static int tune_times(const settings *s, kb_error *err)
{
    kb_tune t = {0};
    int code = kb_tune_read(&t, s->results, err);
    if (!code) {
        kb_owned char *text = kb_tune_text(&t);
        code = give(s, "datasets/tuned.def", text, err);
        if (!code || code == KB_DIFFERS)
            judge_all(&t);
    }
    kb_tune_free(&t);
    return code;
}

int main(int argc, char **argv)
{
    settings s = {0};
    kb_error err = {0};
    kb_program_parse(&tune, argc, argv, &s);
    int code = s.accuracy ? tune_errors(&s, &err) : tune_times(&s, &err);
    return code ? kb_report("tune", &err) : KB_OK;
}
