/* SPDX-License-Identifier: MIT */
#include "drivers/claims/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/shown.h"
#include "base/table.h"
#include "drivers/claims/causes.h"

static const char header[] = "id,verdict,value,lo,hi,rows,runs,git,why,machine,class,cause";

static char *interval(const kb_judgement *j)
{
    return isnan(j->value) || (j->lo == j->value && j->hi == j->value)
               ? kb_strdup("-")
               : kb_format("%.3g-%.3g", j->lo, j->hi);
}

static void print_line(const char *head, int count, const int *total)
{
    printf("%d %s:", count, head);
    for (int v = 0; v < KB_VERDICTS; v++)
        printf("%s %d %s", v ? "," : "", total[v], kb_verdict_names[v]);
    printf("\n");
}

static void print_totals(const kb_ledger *l, const kb_judgement *j)
{
    int total[KB_CLASSES + 1][KB_VERDICTS] = {{0}}, count[KB_CLASSES] = {0};
    for (int i = 0; i < l->count; i++) {
        total[j[i].class][j[i].verdict]++;
        total[KB_CLASSES][j[i].verdict]++;
        count[j[i].class]++;
    }
    print_line("claims", l->count, total[KB_CLASSES]);
    for (int k = 0; k < KB_CLASSES; k++)
        if (count[k])
            print_line(k == KB_NO_CLASS ? "without a query" : kb_class_names[k], count[k],
                       total[k]);
}

void kb_claims_print(const kb_ledger *l, const kb_judgement *j)
{
    static const char *const heads[] = {"claim", "verdict", "class", "printed",
                                        "value", "interval", "why"};
    kb_table t = {.ncolumns = 7, .heads = heads, .left = 3, .last_left = true};
    for (int i = 0; i < l->count; i++) {
        const char *printed = l->of[i].field[KB_PRINTED];
        char *fields[] = {kb_strdup(l->of[i].field[KB_ID]),
                          kb_strdup(kb_verdict_names[j[i].verdict]),
                          kb_strdup(kb_class_names[j[i].class]),
                          kb_format("%.20s%s", printed, strlen(printed) > 20 ? "..." : ""),
                          kb_shown("%.4g", j[i].value), interval(&j[i]), kb_strdup(j[i].why)};
        kb_table_add(&t, fields);
    }
    kb_table_print(&t);
    kb_table_free(&t);
    print_totals(l, j);
}

/* ---- claims.csv ---- */

static long find(const kb_csv *t, const char *id)
{
    for (long i = 0; i < t->nrows; i++)
        if (!strcmp(kb_csv_get(t, i, "id"), id))
            return i;
    return -1;
}

static void fill(kb_csv *t, long row, const kb_claim *c, const kb_judgement *j)
{
    const double values[] = {j->value, j->lo, j->hi};
    static const char *const columns[] = {"value", "lo", "hi"};
    kb_csv_set(t, row, "id", c->field[KB_ID]);
    kb_csv_set(t, row, "verdict", kb_verdict_names[j->verdict]);
    kb_csv_set(t, row, "class", kb_class_names[j->class]);
    kb_csv_set(t, row, "cause", kb_cause_names[c->cause]);
    for (int i = 0; i < 3; i++)
        kb_csv_number(t, row, columns[i], values[i], 6);
    kb_csv_set(t, row, "rows", j->rows);
    kb_csv_set(t, row, "runs", j->runs);
    kb_csv_set(t, row, "git", j->git);
    kb_csv_set(t, row, "why", j->why);
    kb_csv_set(t, row, "machine", j->machine);
}

static int differences(const kb_csv *old, const kb_ledger *l, const kb_judgement *j)
{
    int count = 0;
    for (int i = 0; i < l->count; i++) {
        long row = find(old, l->of[i].field[KB_ID]);
        const char *was = row < 0 ? NULL : kb_csv_get(old, row, "verdict");
        const char *is = kb_verdict_names[j[i].verdict];
        if (was && strcmp(was, is) && ++count)
            fprintf(stderr, "claims: %s was '%s', is '%s': %s\n", l->of[i].field[KB_ID], was, is,
                    j[i].why);
    }
    return count;
}

static bool any_judged(const kb_ledger *l, const kb_judgement *j)
{
    for (int i = 0; i < l->count; i++)
        if (j[i].verdict < KB_CANNOT_SAY)
            return true;
    return false;
}

static int read_old(kb_csv *t, const char *path, kb_error *err)
{
    static const char *const added[] = {"class", "cause"}; /* since the first claims.csv */
    kb_csv_start(t, header);
    if (access(path, F_OK))
        return KB_OK;
    kb_csv_free(t);
    int code = kb_csv_read(t, path, err);
    for (int i = 0; i < 2 && !code; i++)
        kb_csv_add_column(t, added[i], "");
    return code;
}

int kb_claims_write(const kb_ledger *l, const kb_judgement *j, const char *folder, bool accept,
                    kb_error *err)
{
    kb_owned char *path = kb_format("%s/claims.csv", folder);
    kb_csv t;
    int code = read_old(&t, path, err), differ = code ? 0 : differences(&t, l, j);
    if (!code && differ && !accept)
        code = kb_fail(err, KB_DIFFERS, "%d verdicts differ from %s, which stays as it is "
                       "(ACCEPT=1 writes the new ones)", differ, path);
    else if (!code && !any_judged(l, j))
        code = kb_fail(err, KB_NOTHING, "none of these claims can be judged by %s", folder);
    for (int i = 0; i < l->count && !code; i++) {
        long row = find(&t, l->of[i].field[KB_ID]);
        fill(&t, row < 0 ? kb_csv_add(&t) : row, &l->of[i], &j[i]);
    }
    if (!code && !(code = kb_csv_write(&t, path, err)))
        printf("%s written\n", path);
    kb_csv_free(&t);
    return code;
}
