/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "drivers/claims/judge.h"
#include "drivers/report/html.h"
#include "drivers/report/report.h"
#include "rows/template.h"

/* " Rows: run/table:line ..." of the lines "FILE:LINE: VALUE run/table:line" of this LINE */
static char *rows_of_line(const char *sources, int line)
{
    char *all;
    size_t length;
    const char *head = " Rows:";
    FILE *to = kb_open_text(&all, &length);
    for (const char *s = sources; s && *s; s += strcspn(s, "\n") + (strchr(s, '\n') != NULL)) {
        int n = (int)strcspn(s, "\n"), at = n;
        const char *number = memchr(s, ':', (size_t)n);
        if (!number || atoi(number + 1) != line)
            continue;
        while (at && s[at - 1] != ' ')
            at--;
        fprintf(to, "%s %.*s", head, n - at, s + at);
        head = "";
    }
    kb_close_text(to);
    return all;
}

/* The line of a claim in FOLDER/causes.tsv with its values, and the rows behind them: its third
 * field up to the line's end */
static char *because(const kb_claims_of *c, const char *id)
{
    kb_owned char *head = kb_format("\n%s\t", id);
    const char *at = c->causes ? strstr(c->causes, head) : NULL;
    int line = 2;
    for (const char *s = c->causes; at && s < at; s++)
        line += *s == '\n';
    at = at ? strchr(at + strlen(head), '\t') : NULL;
    kb_owned char *rows = at ? rows_of_line(c->rows, line) : NULL;
    return at ? kb_format("; %.*s%s", (int)strcspn(at + 1, "\n"), at + 1, rows) : kb_strdup("");
}

static void write_claim(const kb_claims_of *c, long row, FILE *to)
{
    const kb_csv *t = &c->verdicts;
    const char *verdict = kb_csv_get(t, row, "verdict"), *cause = kb_csv_get(t, row, "cause");
    const char *id = kb_csv_get(t, row, "id");
    const kb_claim *claim = kb_ledger_find(&c->ledger, KB_ID, id);
    double lo = kb_csv_value(t, row, "lo"), hi = kb_csv_value(t, row, "hi");
    double value = kb_csv_value(t, row, "value");
    fprintf(to, "<tr class=\"%s\">",
            !strcmp(verdict, "holds")           ? "confirmed"
            : !strcmp(verdict, "does not hold") ? "contradicted"
                                                : "other");
    kb_html_taken_cell(to, kb_format(*cause ? "%s (%s)" : "%s", verdict, cause), false);
    kb_html_cell(to, id, false);
    kb_html_cell(to, claim ? claim->field[KB_QUANTITY] : "", false);
    kb_html_cell(to, claim ? claim->field[KB_PRINTED] : "", false);
    kb_html_taken_cell(to, isnan(value) ? kb_strdup("") : kb_format("%.3g", value), true);
    kb_html_taken_cell(to, isnan(lo) ? kb_strdup("") : kb_format("%.3g–%.3g", lo, hi), true);
    kb_owned char *reason = because(c, id);
    kb_html_taken_cell(to, kb_format("%s%s", kb_csv_get(t, row, "why"), reason), false);
    kb_html_cell(to, kb_csv_get(t, row, "class"), false);
    kb_html_cell(to, claim ? claim->field[KB_WHERE] : "", false);
    char *repeat = kb_html_is_word(id) ? kb_format("make claims CLAIM=%s", id) : kb_strdup("");
    kb_html_taken_cell(to, repeat, false);
    fprintf(to, "</tr>\n");
}

void kb_claims_table(const kb_claims_of *c, const char *paper, FILE *to)
{
    static const char *const heads[] = {"verdict", "claim", "quantity", "printed", "here",
                                        "95 % interval", "why", "class", "where", "repeat"};
    const kb_csv *t = &c->verdicts;
    kb_html_table_begin(to, "sorted filtered", "Claims by verdict", heads, 10);
    for (int v = 0; v < KB_VERDICTS; v++)
        for (long i = 0; i < t->nrows; i++) {
            const kb_claim *claim = kb_ledger_find(&c->ledger, KB_ID, kb_csv_get(t, i, "id"));
            if (!strcmp(kb_csv_get(t, i, "verdict"), kb_verdict_names[v]) &&
                (!paper || (claim && !strcmp(claim->field[KB_PAPER], paper))))
                write_claim(c, i, to);
        }
    kb_html_table_end(to);
}

/* class NULL: of all */
static void write_total(const kb_csv *t, const char *class, FILE *to)
{
    fprintf(to, "<tr>");
    kb_html_cell(to, !class ? "all" : *class ? class : "without a query", false);
    for (int v = 0; v < KB_VERDICTS; v++) {
        long n = 0;
        for (long i = 0; i < t->nrows; i++)
            n += !strcmp(kb_csv_get(t, i, "verdict"), kb_verdict_names[v]) &&
                 (!class || !strcmp(kb_csv_get(t, i, "class"), class));
        kb_html_taken_cell(to, kb_format("%ld", n), true);
    }
    fprintf(to, "</tr>\n");
}

void kb_claims_totals(const kb_claims_of *c, FILE *to)
{
    const char *heads[KB_VERDICTS + 1] = {"class"};
    for (int v = 0; v < KB_VERDICTS; v++)
        heads[v + 1] = kb_verdict_names[v];
    kb_html_table_begin(to, NULL, "Verdicts by what a value is made of", heads, KB_VERDICTS + 1);
    for (int k = 0; k < KB_CLASSES; k++)
        write_total(&c->verdicts, kb_class_names[k], to);
    write_total(&c->verdicts, NULL, to);
    kb_html_table_end(to);
}

/* FOLDER/causes.tsv with its values; as it stands if the results lack a row; NULL without one */
static void fill_causes(kb_claims_of *c, const char *folder)
{
    kb_results r = {0};
    kb_owned char *path = kb_format("%s/causes.tsv", folder);
    size_t length;
    if (!access(path, F_OK) && !kb_results_open(&r, folder, NULL)) {
        FILE *to = kb_open_text(&c->causes, &length), *from = kb_open_text(&c->rows, &length);
        int code = kb_template_fill(&r, path, to, from, NULL);
        kb_close_text(to);
        kb_close_text(from);
        if (code) {
            free(c->causes);
            c->causes = kb_file_read(path, &length, NULL);
        }
    }
    kb_results_free(&r);
}

int kb_claims_open(kb_claims_of *c, const kb_report_of *r, bool *any, kb_error *err)
{
    *c = (kb_claims_of){0};
    kb_owned char *path = kb_format("%s/claims.csv", r->folder);
    *any = !access(path, F_OK);
    int code = *any ? kb_csv_read(&c->verdicts, path, err) : KB_OK;
    if (*any && !code) {
        code = kb_ledger_read(&c->ledger, r->claims, err);
        fill_causes(c, r->folder);
    }
    return code;
}

void kb_claims_close(kb_claims_of *c)
{
    kb_csv_free(&c->verdicts);
    kb_ledger_free(&c->ledger);
    free(c->causes);
    free(c->rows);
}

int kb_report_claims(const kb_report_of *r, FILE *to, bool *any, kb_error *err)
{
    kb_claims_of c;
    int code = kb_claims_open(&c, r, any, err);
    if (*any && !code) {
        fprintf(to, "<h2 id=\"claims\">Claims of the papers</h2>\n<p>docs/results-format.md says "
                    "what the verdicts mean.</p>\n");
        kb_claims_totals(&c, to);
        fprintf(to, "<details><summary>All %ld claims</summary>\n", c.verdicts.nrows);
        kb_claims_table(&c, NULL, to);
        fprintf(to, "</details>\n");
    }
    kb_claims_close(&c);
    return code;
}
