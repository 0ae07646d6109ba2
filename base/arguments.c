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

static int wrong_option(const kb_solver_info *info, const char *text, const char *place,
                        kb_error *err)
{
    kb_words names = {0};
    for (const kb_option *o = info->options; o && o->name; o++)
        kb_words_add(&names, o->name);
    char *list = kb_words_join(&names);
    kb_fail(err, KB_INVALID, "--solvers: wrong option at '%s' in '%s' (name=number; %s on %s "
            "has rtol, atol%s%s)", place, text, info->name, info->engine,
            *list ? ", " : "", list);
    free(list);
    kb_words_free(&names);
    return KB_INVALID;
}

/* Where the value of the option called name [length] goes; NULL if there is none of that name */
static double *option_place(const kb_solver_info *info, kb_choice *c, const char *name,
                            size_t length)
{
    if (length == 4 && !strncmp(name, "rtol", 4))
        return &c->rtol;
    if (length == 4 && !strncmp(name, "atol", 4))
        return &c->atol;
    for (int i = 0; info->options && info->options[i].name; i++)
        if (!strncmp(info->options[i].name, name, length) && !info->options[i].name[length])
            return &c->options[i];
    return NULL;
}

/* Adds ":option=value" to the text that names the solver in the results; tolerances have columns
 * there */
static void add_option(const kb_choice *c, const double *place, char **text, const char *option)
{
    if (place == &c->rtol || place == &c->atol)
        return;
    char *longer = kb_format("%s:%.*s", *text, (int)strcspn(option, ":"), option);
    free(*text);
    *text = longer;
}

int kb_solver_options(const kb_solver_info *info, const char *text, kb_choice *c, kb_error *err)
{
    int count = 0;
    while (info->options && info->options[count].name)
        count++;
    c->options = kb_alloc((size_t)count, sizeof *c->options);
    for (int i = 0; i < count; i++)
        c->options[i] = info->options[i].value;
    c->text = kb_strdup(info->name);
    for (const char *p = strchr(text, ':'); p; p = strchr(p + 1, ':')) {
        size_t length = strcspn(p + 1, "=:");
        double *place = option_place(info, c, p + 1, length);
        char *end = NULL;
        if (place && p[1 + length] == '=')
            *place = strtod(p + 2 + length, &end);
        if (!end || end == p + 2 + length || (*end && *end != ':'))
            return wrong_option(info, text, p + 1, err);
        add_option(c, place, &c->text, p + 1);
    }
    if (!(c->rtol > 0 && c->atol > 0))
        return kb_fail(err, KB_INVALID, "--solvers: '%s': tolerances must be positive", text);
    return KB_OK;
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
