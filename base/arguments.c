/* SPDX-License-Identifier: MIT */
#include "base/arguments.h"

#include <math.h>
#include <string.h>

int kb_words_find(const kb_words *w, const char *word)
{
    for (int i = 0; i < w->count; i++)
        if (!strcmp(w->word[i], word))
            return i;
    return -1;
}

void kb_words_add(kb_words *w, const char *word)
{
    if (!*word || kb_words_find(w, word) >= 0)
        return;
    w->word = kb_realloc(w->word, (size_t)w->count + 1, sizeof *w->word);
    w->word[w->count++] = kb_strdup(word);
}

void kb_words_split(kb_words *w, const char *text)
{
    *w = (kb_words){0};
    for (const char *p = text; *p; p += strcspn(p, ","), p += *p == ',') {
        char *word = kb_format("%.*s", (int)strcspn(p, ","), p);
        kb_words_add(w, word);
        free(word);
    }
}

void kb_words_free(kb_words *w)
{
    for (int i = 0; i < w->count; i++)
        free(w->word[i]);
    free(w->word);
    *w = (kb_words){0};
}

char *kb_words_join(const kb_words *w)
{
    char *line = kb_strdup("");
    for (int i = 0; i < w->count; i++) {
        char *longer = kb_format("%s%s%s", line, i ? ", " : "", w->word[i]);
        free(line);
        line = longer;
    }
    return line;
}

int kb_list_numbers(const char *option, const char *text, int whole, double **values, int *count,
                    kb_error *err)
{
    kb_words w;
    int code = KB_OK;
    kb_words_split(&w, text);
    *values = kb_alloc((size_t)w.count, sizeof **values);
    *count = w.count;
    for (int i = 0; i < w.count && !code; i++) {
        char *end;
        double v = (*values)[i] = strtod(w.word[i], &end);
        if (*end || !(v > 0) || !isfinite(v) || (whole && v != floor(v)) || v > 1e15)
            code = kb_fail(err, KB_INVALID, "--%s: '%s' is not a positive %snumber", option,
                           w.word[i], whole ? "whole " : "");
    }
    kb_words_free(&w);
    if (code) {
        free(*values);
        *values = NULL;
    }
    return code;
}

char *kb_command_line(int argc, char **argv)
{
    char *line = kb_strdup(argv[0]);
    for (int i = 1; i < argc; i++) {
        char *longer = kb_format("%s %s", line, argv[i]);
        free(line);
        line = longer;
    }
    return line;
}
