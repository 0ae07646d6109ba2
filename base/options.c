/* SPDX-License-Identifier: MIT */
#include "base/options.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const kb_program *program;
    char *settings;
} parsing;

typedef struct {
    double low, high;
    bool above;     /* low itself is out */
    char other[16]; /* a word that serves, too; "": none */
} bounds;

static bool is_row(const kb_program_option *o) { return o->name || o->help; }

/* what argp knows it by */
static int key_of(const kb_program_option *options, const kb_program_option *o)
{
    return o->key ? o->key : 0x1000 + (int)(o - options);
}

static bounds bounds_of(const kb_program_option *o)
{
    bounds b = {.low = -INFINITY, .high = INFINITY};
    const char *text = o->range ? o->range : "", *other = strstr(text, ", or ");
    if (sscanf(text, "more than %lf, at most %lf", &b.low, &b.high) >= 1)
        b.above = true;
    else if (sscanf(text, "from %lf", &b.low) != 1)
        sscanf(text, "%lf to %lf", &b.low, &b.high);
    if (other)
        snprintf(b.other, sizeof b.other, "%s", other + 5);
    return b;
}

/* ---- values ---- */

static int read_long(const kb_program_option *o, const char *what, const char *text, long *value,
                     kb_error *err)
{
    bounds b = bounds_of(o);
    long most = o->kind == KB_OPT_INT ? INT_MAX : LONG_MAX;
    return kb_read_whole(what, text, b.low > -INFINITY ? (long)b.low : LONG_MIN,
                         b.high < INFINITY ? (long)b.high : most, value, err);
}

static int read_number(const kb_program_option *o, const char *what, const char *text,
                       double *value, kb_error *err)
{
    bounds b = bounds_of(o);
    char *plain = kb_strdup(text), *sign = strchr(plain, '%');
    if (sign && !sign[1] && o->unit && !strcmp(o->unit, "%"))
        *sign = '\0';
    int code = kb_read_number(what, plain, value, err);
    free(plain);
    if (!code && *value >= b.low && *value <= b.high && !(b.above && *value <= b.low))
        return KB_OK;
    return !o->range ? code
                     : kb_fail(err, KB_INVALID, "%s: '%s' is not a number %s%s", what, text,
                               *o->range == 'f' || *o->range == 'm' ? "" : "from ", o->range);
}

static int read_word(const kb_program_option *o, const char *what, const char *text, int *index,
                     kb_error *err)
{
    const char *at = o->range;
    size_t n = strlen(text);
    for (*index = 0; *at; ++*index, at += strspn(at, ", ")) {
        size_t length = strcspn(at, ",");
        if (length == n && !strncmp(at, text, n))
            return KB_OK;
        at += length;
    }
    return kb_fail(err, KB_INVALID, "%s: '%s' is none of %s", what, text, o->range);
}

static int check_list(const kb_program_option *o, const char *what, const char *text, kb_error *err)
{
    kb_words w;
    bounds b = bounds_of(o);
    int code = KB_OK;
    kb_words_split(&w, text);
    for (int i = 0; i < w.count && !code; i++)
        if (o->kind == KB_OPT_LIST)
            code = read_word(o, what, w.word[i], &(int){0}, err);
        else if (strcmp(w.word[i], b.other))
            code = o->kind == KB_OPT_COUNTS ? read_long(o, what, w.word[i], &(long){0}, err)
                                        : read_number(o, what, w.word[i], &(double){0}, err);
    kb_words_free(&w);
    return code;
}

static int check_text(const kb_program_option *o, const char *what, const char *text, kb_error *err)
{
    size_t n = strlen(text);
    if (!n)
        return kb_fail(err, KB_INVALID, "%s: the value is empty", what);
    if (!strcmp(o->arg, "LIST") && (*text == ',' || text[n - 1] == ',' || strstr(text, ",,")))
        return kb_fail(err, KB_INVALID, "%s: '%s' has an empty word", what, text);
    if (o->kind == KB_OPT_NAME && (strchr(text, '/') || !strcmp(text, ".") || !strcmp(text, "..")))
        return kb_fail(err, KB_INVALID, "%s: '%s' is not the name of a folder (no slash, not . or "
                       "..)", what, text);
    if (o->range && o->kind == KB_OPT_TEXT)
        return read_word(o, what, text, &(int){0}, err);
    return o->range ? check_list(o, what, text, err) : KB_OK;
}

static int store(const kb_program_option *o, const char *what, const char *text, void *to,
                 kb_error *err)
{
    int code;
    long whole;
    switch (o->kind) {
    case KB_OPT_SWITCH: *(bool *)to = true; return KB_OK;
    case KB_OPT_WORD: return read_word(o, what, text, to, err);
    case KB_OPT_NUMBER: return read_number(o, what, text, to, err);
    case KB_OPT_LONG: return read_long(o, what, text, to, err);
    case KB_OPT_INT:
        code = read_long(o, what, text, &whole, err);
        *(int *)to = code ? 0 : (int)whole;
        return code;
    case KB_OPT_WORDS:
        kb_words_free(to);
        code = check_text(o, what, text, err);
        kb_words_split(to, text);
        return code;
    default: *(const char **)to = text; return check_text(o, what, text, err);
    }
}

int kb_program_option_set(const kb_program_option *o, const char *text, void *settings,
                          kb_error *err)
{
    char *what = kb_format("--%s", o->name);
    int code = store(o, what, text, (char *)settings + o->to, err);
    free(what);
    return code;
}

/* what is no row */
static int call_rest(const parsing *p, int key, char *arg, struct argp_state *state)
{
    const kb_program *program = p->program;
    const char **argument = (const char **)(p->settings + program->argument);
    if (key == ARGP_KEY_ARG && !program->words)
        argp_error(state, "unexpected word '%s'", arg);
    if (key == ARGP_KEY_ARG && program->what) {
        kb_argument(state, argument, arg, program->what);
        return 0;
    }
    for (const kb_program_option *o = program->options; key == ARGP_KEY_END && is_row(o); o++)
        if (o->usual && *o->usual == '!' && !*(const char **)(p->settings + o->to))
            argp_error(state, "--%s %s is missing", o->name, o->arg);
    if (key == ARGP_KEY_END && program->what && !*argument && *program->words != '[')
        argp_error(state, "%s is missing", program->words);
    return program->rest ? program->rest(key, arg, state, p->settings) : ARGP_ERR_UNKNOWN;
}

static void set(const kb_program_option *o, const char *text, struct argp_state *state,
                char *settings)
{
    kb_error err;
    if (kb_program_option_set(o, text, settings, &err))
        argp_error(state, "%s", err.text);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    const parsing *p = state->input;
    for (const kb_program_option *o = p->program->options; is_row(o); o++)
        if (key == ARGP_KEY_INIT && o->usual && o->kind != KB_OPT_OTHER &&
            !strchr(":!", *o->usual)) {
            set(o, o->usual, state, p->settings);
        } else if (o->name && o->kind != KB_OPT_OTHER && key_of(p->program->options, o) == key) {
            if (p->program->given)
                ((const char **)(p->settings + p->program->given))[o->group] = o->name;
            set(o, arg, state, p->settings);
            return 0;
        }
    return call_rest(p, key, arg, state);
}

/* ---- help ---- */

/* "help [unit] (range; default usual)"; caller frees */
static char *make_doc(const kb_program_option *o)
{
    char *text;
    size_t length;
    FILE *to = kb_open_text(&text, &length);
    fputs(o->help, to);
    if (o->unit)
        fprintf(to, " [%s]", o->unit);
    if (o->range || o->usual)
        fprintf(to, " (%s%s%s%s)", o->range ? o->range : "", o->range && o->usual ? "; " : "",
                !o->usual || *o->usual == '!' ? "" : *o->usual == ':' ? "default" : "default ",
                !o->usual ? "" : *o->usual == '!' ? "needed" : o->usual);
    kb_close_text(to);
    return text;
}

/* with the exit codes of most programs, where the text has none; caller frees */
static char *make_text(const char *doc)
{
    const char *example = strstr(doc, "Exit codes: ") ? NULL : strstr(doc, "Example: ");
    return !example ? kb_strdup(doc)
                    : kb_format("%.*sExit codes: 0 fine, 2 invalid use or input, 130 interrupted."
                                "\n\n%s", (int)(example - doc), doc, example);
}

void kb_program_parse(const kb_program *program, int argc, char **argv, void *settings)
{
    int n = 0;
    while (is_row(&program->options[n]))
        n++;
    struct argp_option *list = kb_alloc((size_t)n + 1, sizeof *list);
    for (int i = 0; i < n; i++) {
        const kb_program_option *o = &program->options[i];
        list[i] = (struct argp_option){.name = o->name, .arg = o->arg, .group = o->group,
                                       .key = o->name ? key_of(program->options, o) : 0,
                                       .doc = make_doc(o)};
    }
    char *text = make_text(program->doc);
    struct argp argp = {.options = list, .parser = parse, .args_doc = program->words, .doc = text};
    argp_err_exit_status = KB_INVALID;
    argp_parse(&argp, argc, argv, 0, NULL, &(parsing){program, settings});
    for (int i = 0; i < n; i++)
        free((char *)list[i].doc);
    free(list);
    free(text);
}
