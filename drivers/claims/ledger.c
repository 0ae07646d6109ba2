/* SPDX-License-Identifier: MIT */
#include "drivers/claims/ledger.h"

#include <stdio.h>
#include <string.h>

#include "rows/line_reader.h"
#include "rows/select.h"

static const char *const names[KB_FIELDS] = {
    "id", "paper", "where", "quantity", "printed", "printed_lo", "printed_hi", "kind", "portable",
    "experiment", "query", "direction", "band", "guard", "note"};
static const char judged_kinds[] = " ratio ordering absolute size-limit crossover distribution ";
static const char other_kinds[] = " cited context flow hardware ";

bool kb_claim_beyond(const kb_claim *c) { return kb_has_word(other_kinds, c->field[KB_KIND]); }

static void free_claim(kb_claim *c)
{
    for (int i = 0; i < KB_FIELDS; i++)
        free(c->field[i]);
    for (int i = 0; i < KB_SOURCES; i++)
        kb_query_free(&c->query[i]);
    kb_query_free(&c->bound);
    kb_query_free(&c->least);
    kb_query_free(&c->most);
}

void kb_ledger_free(kb_ledger *l)
{
    for (int i = 0; i < l->count; i++)
        free_claim(&l->of[i]);
    free(l->of);
    free(l->path);
    free(l->causes);
    *l = (kb_ledger){0};
}

static bool given(const char *text) { return strcmp(text, "-") != 0; }

static int read_direction(kb_claim *c, const char *path, kb_error *err)
{
    const char *text = c->field[KB_DIRECTION];
    size_t n = strspn(text, "<>=");
    if (!given(text))
        return KB_OK;
    if (!strcmp(text, "exists"))
        return strcpy(c->direction, "is"), KB_OK;
    if (n < 1 || n > 2 || text[0] == '=' || (n == 2 && text[1] != '='))
        return kb_fail_at(err, path, c->line, text, "> < >= <= and a number, exists, or -",
                          "no such direction");
    memcpy(c->direction, text, n);
    return kb_query_parse(&c->bound, text + n, path, c->line, err);
}

static int read_band(kb_claim *c, const char *path, kb_error *err)
{
    char *text = c->field[KB_BAND], *dots = strstr(text, "..");
    if (!given(text))
        return KB_OK;
    if (!dots)
        return kb_fail_at(err, path, c->line, text, "least..most, or -", "no such band");
    kb_owned char *least = kb_format("%.*s", (int)(dots - text), text);
    int code = kb_query_parse(&c->least, least, path, c->line, err);
    return code ? code : kb_query_parse(&c->most, dots + 2, path, c->line, err);
}

/* "err=100 work=0.1 interval=0.2", or the words alone */
static int read_guard(kb_claim *c, const char *path, kb_error *err)
{
    static const struct { const char *name; double usual; } guards[] = {
        {"interval", 0.4}, {"err", 100}, {"work", 0.1}};
    double *value[] = {&c->guard.interval, &c->guard.err, &c->guard.work};
    const char *p = c->field[KB_GUARD];
    while (given(c->field[KB_GUARD]) && *p) {
        size_t n = strcspn(p, " "), name = strcspn(p, " =");
        int i = 0;
        while (i < 3 && (strlen(guards[i].name) != name || strncmp(guards[i].name, p, name)))
            i++;
        char *word = kb_format("%.*s", (int)n, p), *end = NULL;
        if (i < 3)
            *value[i] = name == n ? guards[i].usual : strtod(word + name + 1, &end);
        bool wrong = i == 3 || !(*value[i] > 0) || (end && *end);
        if (wrong)
            kb_fail_at(err, path, c->line, word, "interval, err, work, each with =number or not",
                       "no such guard");
        free(word);
        if (wrong)
            return KB_INVALID;
        p += n + strspn(p + n, " ");
    }
    return KB_OK;
}

static int check_fields(const kb_claim *c, const char *path, kb_error *err)
{
    for (int i = 0; i < KB_FIELDS; i++)
        if (!*c->field[i])
            return kb_fail_at(err, path, c->line, names[i], "write -", "empty field");
    if (!kb_has_word(judged_kinds, c->field[KB_KIND]) && !kb_claim_beyond(c))
        return kb_fail_at(err, path, c->line, c->field[KB_KIND], "ratio ordering absolute "
                          "size-limit crossover distribution cited context flow hardware",
                          "no such kind");
    if (!kb_has_word(" yes direction existence no ", c->field[KB_PORTABLE]))
        return kb_fail_at(err, path, c->line, c->field[KB_PORTABLE],
                          "yes direction existence no", "no such portability");
    if (kb_claim_beyond(c) && given(c->field[KB_QUERY]))
        return kb_fail_at(err, path, c->line, c->field[KB_KIND], "its query is -",
                          "nothing can be asked for a claim of kind");
    return KB_OK;
}

/* query || query: one for each source of rows */
static int read_queries(kb_claim *c, const char *path, kb_error *err)
{
    int code = KB_OK;
    const char *p = c->field[KB_QUERY];
    while (given(c->field[KB_QUERY]) && p && !code) {
        const char *end = strstr(p, "||");
        if (c->nqueries == KB_SOURCES)
            return kb_fail_at(err, path, c->line, NULL, NULL, "more than %d queries", KB_SOURCES);
        /* blanks keep the columns of the message those of the field */
        kb_owned char *text = kb_format("%*s%.*s", (int)(p - c->field[KB_QUERY]), "",
                                        (int)(end ? end - p : (long)strlen(p)), p);
        code = kb_query_parse(&c->query[c->nqueries++], text, path, c->line, err);
        p = end ? end + 2 : NULL;
    }
    return code;
}

static int read_claim(kb_claim *c, const char *path, kb_error *err)
{
    int code = check_fields(c, path, err);
    if (!code)
        code = read_queries(c, path, err);
    if (!code)
        code = read_direction(c, path, err);
    if (!code)
        code = read_band(c, path, err);
    return code ? code : read_guard(c, path, err);
}

static int split(char *text, char **field)
{
    int n = 0;
    for (char *word; (word = strsep(&text, "\t")); n++)
        if (n < KB_FIELDS)
            field[n] = kb_strdup(word);
    return n;
}

kb_claim *kb_ledger_find(const kb_ledger *l, kb_claim_field field, const char *value)
{
    for (int i = 0; i < l->count; i++)
        if (!strcmp(l->of[i].field[field], value))
            return &l->of[i];
    return NULL;
}

static int add_line(kb_ledger *l, char *text, int line, kb_error *err)
{
    l->of = kb_realloc(l->of, (size_t)l->count + 1, sizeof *l->of);
    kb_claim *c = &l->of[l->count++];
    *c = (kb_claim){.line = line};
    text[strcspn(text, "\r\n")] = 0;
    int n = split(text, c->field);
    if (n != KB_FIELDS)
        return kb_fail_at(err, l->path, line, NULL, "fields are between tabs",
                          "%d fields in place of %d", n, KB_FIELDS);
    if (line == 1) {
        for (int i = 0; i < KB_FIELDS; i++)
            if (strcmp(c->field[i], names[i]))
                return kb_fail_at(err, l->path, 1, c->field[i], names[i], "column %d is not",
                                  i + 1);
        l->count--;
        free_claim(c);
        return KB_OK;
    }
    if (kb_ledger_find(l, KB_ID, c->field[KB_ID]) != c)
        return kb_fail_at(err, l->path, line, c->field[KB_ID], NULL, "a second claim");
    return read_claim(c, l->path, err);
}

int kb_ledger_read(kb_ledger *l, const char *path, kb_error *err)
{
    *l = (kb_ledger){.path = kb_strdup(path)};
    kb_line_reader in;
    int code = KB_OK;
    kb_line_reader_open(&in, path, err);
    while (!code && kb_line_reader_next(&in, err))
        code = add_line(l, in.text, in.number, err);
    int read = kb_line_reader_close(&in);
    code = code ? code : read;
    if (!code && !l->count)
        code = kb_fail(err, KB_INVALID, "%s: no claims", path);
    if (code)
        kb_ledger_free(l);
    return code;
}

/* ---- a choice of them ---- */

/* with the papers that there are, or the claims of each */
static int no_such(const kb_ledger *l, const char *what, const char *word, kb_error *err)
{
    char text[600] = "";
    bool papers = !strcmp(what, "paper");
    for (int i = 0; i < l->count; i++) {
        const char *const *f = (const char *const *)l->of[i].field;
        bool first = !i || strcmp(l->of[i - 1].field[KB_PAPER], f[KB_PAPER]);
        bool last = i + 1 == l->count || strcmp(l->of[i + 1].field[KB_PAPER], f[KB_PAPER]);
        size_t n = strlen(text);
        if (first)
            snprintf(text + n, sizeof text - n, "%s%s", n ? ", " : "",
                     f[papers ? KB_PAPER : KB_ID]);
        else if (last && !papers)
            snprintf(text + n, sizeof text - n, " to %s", f[KB_ID]);
    }
    return kb_fail(err, KB_INVALID, "no %s '%s': there are %s", what, word, text);
}

int kb_ledger_choose(kb_ledger *l, const kb_words *papers, const kb_words *ids, kb_error *err)
{
    for (int i = 0; i < papers->count; i++)
        if (!kb_ledger_find(l, KB_PAPER, papers->word[i]))
            return no_such(l, "paper", papers->word[i], err);
    for (int i = 0; i < ids->count; i++)
        if (!kb_ledger_find(l, KB_ID, ids->word[i]))
            return no_such(l, "claim", ids->word[i], err);
    int kept = 0;
    for (int i = 0; i < l->count; i++) {
        kb_claim *c = &l->of[i];
        if ((papers->count && kb_words_find(papers, c->field[KB_PAPER]) < 0) ||
            (ids->count && kb_words_find(ids, c->field[KB_ID]) < 0))
            free_claim(c);
        else
            l->of[kept++] = *c;
    }
    l->count = kept;
    return kept ? KB_OK : kb_fail(err, KB_INVALID, "no claim is both of that paper and that id");
}
