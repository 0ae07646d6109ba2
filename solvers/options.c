/* SPDX-License-Identifier: MIT */
#include "solvers/options.h"

#include <math.h>
#include <string.h>

#include "base/arguments.h"
#include "solvers/engine_names.h"

static int wrong_option(const kb_solver_info *info, const char *text, const char *place,
                        kb_error *err)
{
    if (!strncmp(place, "drop=", 5) && info->promise.jac && !(info->promise.inexact.order > 0))
        return kb_fail(err, KB_INVALID, "'%s': %s falls to order 1 with an inexact matrix and has "
                       "no drop; on a CPU rodas4p2, rodas5p and cvode have it", text, info->name);
    kb_words names = {0};
    for (const kb_option *o = info->options; o && o->name; o++)
        kb_words_add(&names, o->name);
    char *list = kb_words_join(&names);
    kb_fail(err, KB_INVALID, "wrong option at '%s' in '%s' (name=number; %s on %s has rtol, "
            "atol%s%s)", place, text, info->name, info->engine, *list ? ", " : "", list);
    free(list);
    kb_words_free(&names);
    return KB_INVALID;
}

bool kb_option_allows(const kb_option *o, double value)
{
    return value >= o->low && value <= o->high && (o->kind != KB_WHOLE || value == rint(value));
}

/* Mass fractions are 1 at most: with more, no error would count */
static int check_tolerance(const char *text, const char *name, double value, kb_error *err)
{
    if (value > 0 && value <= 1)
        return KB_OK;
    return kb_fail(err, KB_INVALID, "'%s': %s = %g, expected more than 0 and 1 at most",
                   text, name, value);
}

/* The table's ranges; an option that is not written has its default */
static int check_ranges(const kb_solver_info *info, const char *text, const kb_choice *c,
                        kb_error *err)
{
    for (int i = 0; info->options && info->options[i].name; i++) {
        const kb_option *o = &info->options[i];
        double value = c->options[i];
        if (!kb_option_allows(o, value))
            return kb_fail(err, KB_INVALID, "'%s': %s = %g, expected %s from %g to %g", text,
                           o->name, value, o->kind == KB_WHOLE ? "a whole number" : "a number",
                           o->low, o->high);
    }
    return KB_OK;
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

/* whether the option at `option` ("name=...") is there once more behind it */
static bool stands_again(const char *option)
{
    size_t length = strcspn(option, "=:") + 1;
    for (const char *p = strchr(option, ':'); p; p = strchr(p + 1, ':'))
        if (!strncmp(p + 1, option, length))
            return true;
    return false;
}

/* values of the engine's options; 0 if the table has none of that name */
static double value_named(const kb_solver_info *info, const double *values, const char *name)
{
    for (int i = 0; info->options && info->options[i].name; i++)
        if (!strcmp(info->options[i].name, name))
            return values[i];
    return 0;
}

int kb_options_agree(const kb_solver_info *info, const double *values, const char *text,
                     kb_error *err)
{
    static const char *const cut[] = {"slice", "cycles"};
    double host = kb_on_gpu(info->engine) ? value_named(info, values, "host") : 0;
    for (int k = 0; k < 2; k++) {
        double value = value_named(info, values, cut[k]);
        if (host > 0 && value != 0)
            return kb_fail(err, KB_INVALID, "'%s': host = %g and %s = %g: host is for a batch in "
                           "one slice, which the engine chooses itself", text, host, cut[k],
                           value);
    }
    return KB_OK;
}

static int count_options(const kb_solver_info *info)
{
    int count = 0;
    while (info->options && info->options[count].name)
        count++;
    return count;
}

/* the values that stand in text */
static int read_values(const kb_solver_info *info, const char *text, kb_choice *c, kb_error *err)
{
    for (const char *p = strchr(text, ':'); p; p = strchr(p + 1, ':')) {
        size_t length = strcspn(p + 1, "=:");
        double *place = option_place(info, c, p + 1, length);
        char *end = NULL;
        if (place && p[1 + length] == '=')
            *place = strtod(p + 2 + length, &end);
        if (!end || end == p + 2 + length || (*end && *end != ':') || !isfinite(*place))
            return wrong_option(info, text, p + 1, err);
        if (stands_again(p + 1))
            return kb_fail(err, KB_INVALID, "'%s': %.*s stands twice", text,
                           (int)length, p + 1);
        if (c->text)
            add_option(c, place, &c->text, p + 1);
    }
    return KB_OK;
}

bool kb_options_known(const kb_solver_info *info, const char *text)
{
    kb_choice c = {.options = kb_alloc((size_t)count_options(info), sizeof *c.options)};
    bool known = !read_values(info, text, &c, NULL);
    free(c.options);
    return known;
}

int kb_solver_options(const kb_solver_info *info, const char *text, kb_choice *c, kb_error *err)
{
    int count = count_options(info);
    c->options = kb_alloc((size_t)count, sizeof *c->options);
    for (int i = 0; i < count; i++)
        c->options[i] = info->options[i].value;
    c->text = kb_strdup(info->name);
    int code = read_values(info, text, c, err);
    code = code ? code : check_tolerance(text, "rtol", c->rtol, err);
    code = code ? code : check_tolerance(text, "atol", c->atol, err);
    code = code ? code : check_ranges(info, text, c, err);
    return code ? code : kb_options_agree(info, c->options, text, err);
}
