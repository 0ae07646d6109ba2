/* SPDX-License-Identifier: MIT */
#include "base/arguments.h"

#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/owned.h"

/* ---- values ---- */

int kb_read_whole(const char *option, const char *text, long least, long most, long *value,
                  kb_error *err)
{
    char *end;
    errno = 0;
    *value = strtol(text, &end, 10);
    if (end != text && !*end && !errno && *value >= least && *value <= most)
        return KB_OK;
    kb_owned char *range = least == LONG_MIN  ? kb_strdup("")
                           : most == LONG_MAX ? kb_format(" of at least %ld", least)
                                              : kb_format(" from %ld to %ld", least, most);
    return kb_fail(err, KB_INVALID, "%s: '%s' is not a whole number%s", option, text, range);
}

int kb_read_number(const char *option, const char *text, double *value, kb_error *err)
{
    char *end;
    *value = strtod(text, &end);
    if (end == text || *end || !isfinite(*value))
        return kb_fail(err, KB_INVALID, "%s: '%s' is not a number", option, text);
    return KB_OK;
}

int kb_read_choice(const char *option, const char *text, const char *const *choices, int *index,
                   kb_error *err)
{
    kb_words all = {0};
    for (*index = 0; choices[*index] && strcmp(text, choices[*index]); ++*index)
        kb_words_add(&all, choices[*index]);
    kb_owned char *names = kb_words_join(&all);
    int code = choices[*index]
                   ? KB_OK
                   : kb_fail(err, KB_INVALID, "%s: '%s' is none of %s", option, text, names);
    kb_words_free(&all);
    return code;
}

void kb_argument(struct argp_state *state, const char **to, const char *text, const char *what)
{
    if (*to)
        argp_error(state, "one %s at a time; '%s' is the second", what, text);
    if (!*text)
        argp_error(state, "the name of the %s is empty", what);
    *to = text;
}

/* ---- lists ---- */

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
        kb_owned char *word = kb_format("%.*s", (int)strcspn(p, ","), p);
        kb_words_add(w, word);
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
        if (!*end && v > 1e15)
            code = kb_fail(err, KB_INVALID, "--%s: '%s' is more than 1e15", option, w.word[i]);
        else if (*end || !(v > 0) || (whole && v != floor(v)))
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

char *kb_shell_word(const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_@%+=:,./-";
    if (*text && !text[strspn(text, plain)])
        return kb_strdup(text);
    char *word = kb_alloc(4 * strlen(text) + 3, 1), *to = word;
    *to++ = '\'';
    for (; *text; text++)
        to = *text == '\'' ? stpcpy(to, "'\\''") : stpncpy(to, text, 1);
    strcpy(to, "'");
    return word;
}

char *kb_command_line(int argc, char **argv)
{
    char *line = kb_shell_word(argv[0]);
    for (int i = 1; i < argc; i++) {
        char *word = kb_shell_word(argv[i]), *longer = kb_format("%s %s", line, word);
        free(word);
        free(line);
        line = longer;
    }
    return line;
}
