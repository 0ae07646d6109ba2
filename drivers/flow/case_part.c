/* SPDX-License-Identifier: MIT */
#include "drivers/flow/case_part.h"

#include <string.h>

#include "base/arguments.h"
#include "base/file.h"

kb_case_part kb_case_inside(const kb_case_part *p, const char *key, int k)
{
    kb_case_part inside = *p;
    inside.object = json_object_get(p->object, key);
    inside.object = k < 0 ? inside.object : json_array_get(inside.object, (size_t)k);
    inside.list = key;
    inside.index = k;
    return inside;
}

const char *kb_case_key(const kb_case_part *p, const char *key)
{
    static const char *const plain[] = {"x", "y", "end", "gravity", "T", "p", "u", "v", NULL};
    for (const char *const *k = plain; p->ideal && *k; k++)
        if (!strncmp(key, *k, strlen(*k)) && key[strlen(*k)] == '_')
            return *k;
    return key;
}

/* from text on, "key" in its quotes; text itself where it is not there */
static const char *find_key(const char *text, const char *key)
{
    kb_owned char *quoted = kb_format("\"%s\"", key);
    const char *found = strstr(text, quoted);
    return found ? found : text;
}

/* 0: not known */
static int line_of(const kb_case_part *p, const char *key)
{
    size_t length;
    kb_owned char *text = kb_file_read(p->path, &length, NULL);
    if (!text)
        return 0;
    const char *at = p->list ? find_key(text, p->list) : text;
    for (int k = 0; p->list && k <= p->index; k++) {
        const char *next = strchr(at + 1, '{');
        at = next ? next : at;
    }
    at = key ? find_key(at, key) : at;
    int line = 1;
    for (const char *c = text; c < at; c++)
        line += *c == '\n';
    return line;
}

int kb_case_wrong(const kb_case_part *p, const char *key, const char *hint, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    kb_owned char *text = kb_format_list(format, args);
    va_end(args);
    kb_owned char *where = !p->list         ? kb_strdup("")
                           : p->index < 0 ? kb_format("%s: ", p->list)
                                          : kb_format("%s[%d]: ", p->list, p->index);
    return kb_fail_at(p->err, p->path, line_of(p, key), NULL, hint, "%s%s", where, text);
}

int kb_case_check_keys(const kb_case_part *p, const char *known)
{
    const char *key;
    json_t *value;
    if (!json_is_object(p->object))
        return kb_case_wrong(p, NULL, NULL, "expected an object");
    json_object_foreach((json_t *)p->object, key, value) {
        const char *at = strstr(known, key);
        size_t n = strlen(key);
        while (at && ((at[n] != ',' && at[n]) || (at > known && at[-1] != ' ')))
            at = strstr(at + 1, key);
        if (!n || !at) {
            kb_owned char *hint = kb_format("known: %s", known);
            return kb_case_wrong(p, key, hint, "unknown key '%s'", key);
        }
    }
    return KB_OK;
}

int kb_case_numbers(const kb_case_part *p, const char *key, int least, int most, double low,
                    double high, double *to, int *n)
{
    const json_t *value = json_object_get(p->object, key);
    *n = json_is_array(value) ? (int)json_array_size(value) : value != NULL;
    if (*n < least && !value)
        return kb_case_wrong(p, NULL, NULL, "'%s' is missing", key);
    if (value && (*n < (least ? least : 1) || *n > most))
        return kb_case_wrong(p, key, NULL, "'%s' has %d numbers, expected %d to %d", key, *n,
                             least ? least : 1, most);
    for (int i = 0; i < *n; i++) {
        const json_t *x = json_is_array(value) ? json_array_get(value, (size_t)i) : value;
        to[i] = json_number_value(x);
        if (!json_is_number(x) || !(to[i] >= low && to[i] <= high))
            return kb_case_wrong(p, key, NULL, "'%s' is not a number from %g to %g", key, low,
                                 high);
    }
    return KB_OK;
}

int kb_case_number(const kb_case_part *p, const char *key, double low, double high, double *to)
{
    int n;
    return kb_case_numbers(p, key, 0, 1, low, high, to, &n);
}

int kb_case_text(const kb_case_part *p, const char *key, const char **to)
{
    const json_t *value = json_object_get(p->object, key);
    if (value && !json_is_string(value))
        return kb_case_wrong(p, key, NULL, "'%s' is not a string", key);
    if (value)
        *to = json_string_value(value);
    return KB_OK;
}

int kb_case_choice(const kb_case_part *p, const char *key, const char *const *choices, int *to)
{
    const char *word = NULL;
    kb_error why = {0};
    int code = kb_case_text(p, key, &word);
    if (code || !word)
        return code;
    kb_owned char *what = kb_format("'%s'", key);
    code = kb_read_choice(what, word, choices, to, &why);
    return code ? kb_case_wrong(p, key, NULL, "%s", why.text) : KB_OK;
}

int kb_case_list(const kb_case_part *p, const char *key, const json_t **to, int *n)
{
    *to = json_object_get(p->object, key);
    *n = (int)json_array_size(*to);
    return *to && !json_is_array(*to) ? kb_case_wrong(p, key, NULL, "'%s' is not a list", key)
                                      : KB_OK;
}
