/* SPDX-License-Identifier: MIT
 *
 * claims: judges what the papers claim by the rows of a results folder.
 */
#include <string.h>

#include "base/options.h"
#include "drivers/claims/causes.h"
#include "drivers/claims/report.h"

typedef struct {
    const char *claims, *results;
    kb_words papers, ids;
    bool accept;
} settings;

#define AT(member) offsetof(settings, member)

static const kb_program_option options[] = {
    {"claims", 0, "FILE", KB_OPT_TEXT, AT(claims), 0, 0, "datasets/claims.tsv", 0, "the claims"},
    {"results", 0, "FOLDER", KB_OPT_TEXT, AT(results), 0, 0, "results/gpu", 0,
     "results of a machine"},
    {"paper", 0, "LIST", KB_OPT_WORDS, AT(papers), 0, 0, 0, 0, "only the claims of these papers"},
    {"claim", 0, "LIST", KB_OPT_WORDS, AT(ids), 0, 0, 0, 0, "only these claims"},
    {"accept", 0, 0, KB_OPT_SWITCH, AT(accept), 0, 0, 0, 0,
     "write verdicts even if they differ from FOLDER/claims.csv"},
    {0}};

static const kb_program claims = {
    options, NULL,
    "Judges the claims of the papers by measured rows: each claim is a query "
    "(docs/results-format.md). Prints a table and writes FOLDER/claims.csv.\v"
    "Exit codes: 0 the verdicts agree with FOLDER/claims.csv, or there was none, and with "
    "FOLDER/causes.tsv; 1 some differ; 2 invalid use or input; 3 nothing could be judged.\n\n"
    "Example: build/claims --results results/gpu"};

static int judge_all(const settings *s, const kb_ledger *l, kb_results *r, kb_error *err)
{
    kb_owned kb_judgement *j = kb_alloc((size_t)l->count, sizeof *j);
    int code = KB_OK;
    for (int i = 0; i < l->count && !code; i++)
        code = kb_judge(r, &l->of[i], &j[i], err);
    if (!code) {
        kb_claims_print(l, j);
        code = kb_claims_write(l, j, s->results, s->accept, err);
    }
    if (!code)
        code = kb_causes_check(l, j, err);
    for (int i = 0; i < l->count; i++)
        kb_judgement_free(&j[i]);
    return code;
}

static int run_claims(const settings *s, kb_error *err)
{
    kb_results r = {0};
    kb_ledger l = {0};
    int code = kb_ledger_read(&l, s->claims, err);
    if (!code)
        code = kb_causes_read(&l, s->results, err);
    if (!code)
        code = kb_ledger_choose(&l, &s->papers, &s->ids, err);
    if (!code)
        code = kb_results_open(&r, s->results, err);
    if (!code)
        code = judge_all(s, &l, &r, err);
    kb_results_free(&r);
    kb_ledger_free(&l);
    return code;
}

int main(int argc, char **argv)
{
    settings s = {0};
    kb_error err = {0};
    kb_program_parse(&claims, argc, argv, &s);
    int code = run_claims(&s, &err);
    if (code)
        kb_report("claims", &err);
    kb_words_free(&s.papers);
    kb_words_free(&s.ids);
    return code;
}
