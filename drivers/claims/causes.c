/* SPDX-License-Identifier: MIT */
#include "drivers/claims/causes.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "rows/line_reader.h"

const char *const kb_cause_names[KB_CAUSES] = {"", "machine", "choice", "paper"};

static kb_cause find_cause(const char *word)
{
    for (int k = 1; k < KB_CAUSES; k++)
        if (!strcmp(kb_cause_names[k], word))
            return (kb_cause)k;
    return KB_NO_CAUSE;
}

/* "id TAB cause TAB why"; text is cut into its fields */
static int read_cause(kb_ledger *l, char *text, int line, kb_error *err)
{
    char *cause = strchr(text, '\t'), *why = cause ? strchr(cause + 1, '\t') : NULL;
    if (!why || !why[1] || strchr(why + 1, '\t'))
        return kb_fail_at(err, l->causes, line, NULL, "id, cause and why, between tabs",
                          "not three fields");
    *cause++ = 0;
    *why = 0;
    kb_claim *c = kb_ledger_find(l, KB_ID, text);
    if (!c)
        return kb_fail_at(err, l->causes, line, text, NULL, "no such claim");
    if (c->cause)
        return kb_fail_at(err, l->causes, line, text, NULL, "a second cause of");
    c->cause = find_cause(cause);
    return c->cause ? KB_OK
                    : kb_fail_at(err, l->causes, line, cause, "machine choice paper",
                                 "no such cause");
}

int kb_causes_read(kb_ledger *l, const char *folder, kb_error *err)
{
    char *path = kb_format("%s/causes.tsv", folder);
    int code = KB_OK, names = 0;
    if (access(path, F_OK))
        return free(path), KB_OK;
    l->causes = path;
    kb_line_reader in;
    kb_line_reader_open(&in, path, err);
    while (!code && kb_line_reader_next(&in, err)) {
        in.text[strcspn(in.text, "\r\n")] = 0;
        if (*in.text != '#' && names++)
            code = read_cause(l, in.text, in.number, err);
    }
    int read = kb_line_reader_close(&in);
    return code ? code : read;
}

int kb_causes_check(const kb_ledger *l, const kb_judgement *j, kb_error *err)
{
    int total[KB_CAUSES] = {0}, wrong = 0;
    if (!l->causes)
        return KB_OK;
    for (int i = 0; i < l->count; i++) {
        bool fails = j[i].verdict == KB_DOES_NOT_HOLD;
        total[l->of[i].cause] += fails;
        if (fails == (l->of[i].cause != KB_NO_CAUSE))
            continue;
        wrong++;
        fprintf(stderr, "claims: %s: '%s' %s\n", l->of[i].field[KB_ID],
                kb_verdict_names[j[i].verdict], fails ? "without a cause" : "with a cause");
    }
    printf("does not hold: %d by the machine, %d by our choice, %d by the paper\n",
           total[KB_BY_MACHINE], total[KB_BY_CHOICE], total[KB_BY_PAPER]);
    return wrong ? kb_fail(err, KB_DIFFERS, "%d claims disagree with %s", wrong, l->causes) : KB_OK;
}
