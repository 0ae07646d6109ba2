/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "drivers/claims/judge.h"
#include "drivers/claims/ledger.h"
#include "drivers/report/html.h"
#include "drivers/report/report.h"

static const kb_claim *claim_of(const kb_ledger *l, const char *id)
{
    for (int i = 0; i < l->count; i++)
        if (!strcmp(l->of[i].field[KB_ID], id))
            return &l->of[i];
    return NULL;
}

static void write_claim(const kb_csv *t, long row, const kb_claim *claim, FILE *to)
{
    const char *verdict = kb_csv_get(t, row, "verdict");
    double lo = kb_csv_value(t, row, "lo"), hi = kb_csv_value(t, row, "hi");
    fprintf(to, "<tr class=\"%s\">",
            !strcmp(verdict, "holds")           ? "confirmed"
            : !strcmp(verdict, "does not hold") ? "contradicted"
                                                : "other");
    kb_html_cell(to, verdict, 0);
    kb_html_cell(to, claim ? claim->field[KB_PAPER] : "", 0);
    kb_html_cell(to, claim ? claim->field[KB_QUANTITY] : kb_csv_get(t, row, "id"), 0);
    kb_html_cell(to, claim ? claim->field[KB_PRINTED] : "", 0);
    char *range = isnan(lo) ? kb_strdup("") : kb_format("%.3g–%.3g", lo, hi);
    char *value = *kb_csv_get(t, row, "value") ? kb_format("%.3g", kb_csv_value(t, row, "value"))
                                               : kb_strdup("");
    kb_html_cell(to, value, 1);
    kb_html_cell(to, range, 1);
    kb_html_cell(to, kb_csv_get(t, row, "why"), 0);
    const char *id = kb_csv_get(t, row, "id");
    char *command = kb_html_is_word(id) ? kb_format("make claims CLAIM=%s", id) : kb_strdup("");
    kb_html_cell(to, command, 0);
    fprintf(to, "</tr>\n");
    free(command);
    free(value);
    free(range);
}

static void write_all(const kb_csv *t, const kb_ledger *l, FILE *to)
{
    static const char *const heads[] = {"verdict", "paper",         "quantity", "printed",
                                        "here",    "95 % interval", "why",      "repeat"};
    long count[KB_VERDICTS] = {0};
    for (long i = 0; i < t->nrows; i++)
        for (int v = 0; v < KB_VERDICTS; v++)
            count[v] += !strcmp(kb_csv_get(t, i, "verdict"), kb_verdict_names[v]);
    fprintf(to, "<h2 id=\"claims\">Claims of the papers</h2>\n<p>");
    for (int v = 0; v < KB_VERDICTS; v++)
        fprintf(to, "%s%s: %ld", v ? ", " : "", kb_verdict_names[v], count[v]);
    fprintf(to,
            "; docs/claims.md says what these mean.</p>\n<details open><summary>All %ld claims"
            "</summary>\n",
            t->nrows);
    kb_html_table_begin(to, "sorted filtered", "Claims by verdict", heads, 8);
    for (int v = 0; v < KB_VERDICTS; v++)
        for (long i = 0; i < t->nrows; i++)
            if (!strcmp(kb_csv_get(t, i, "verdict"), kb_verdict_names[v]))
                write_claim(t, i, claim_of(l, kb_csv_get(t, i, "id")), to);
    kb_html_table_end(to);
    fprintf(to, "</details>\n");
}

int kb_report_claims(const kb_report_of *r, FILE *to, bool *any, kb_error *err)
{
    kb_csv t;
    kb_ledger l = {0};
    char *path = kb_format("%s/claims.csv", r->folder);
    *any = !access(path, F_OK);
    int code = *any ? kb_csv_read(&t, path, err) : KB_OK;
    if (*any && !code) {
        code = kb_ledger_read(&l, r->claims, err);
        if (!code)
            write_all(&t, &l, to);
        kb_csv_free(&t);
    }
    kb_ledger_free(&l);
    free(path);
    return code;
}
