/* SPDX-License-Identifier: MIT */
#include "pasr/database/recipe.h"
#include "pasr/database/origin.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/arguments.h"
#include "base/json.h"

static void *member(const kb_field *f, const void *r) { return (char *)r + f->offset; }

static const kb_field *find(const kb_recipe_form *form, const char *key)
{
    const kb_field *f = form->fields;
    while (f->key && strcmp(f->key, key))
        f++;
    return f->key ? f : NULL;
}

/* "mech, thermo, fuel ..."; caller frees */
static char *known_keys(const kb_recipe_form *form)
{
    char *all = kb_strdup("");
    for (const kb_field *f = form->fields; f->key; f++) {
        char *longer = kb_format("%s%s%s", all, *all ? ", " : "", f->key);
        free(all);
        all = longer;
    }
    return all;
}

static int check_number(const kb_field *f, const char *what, double x, kb_error *err)
{
    if ((f->optional && x == 0) || (x >= f->low && x <= f->high))
        return KB_OK;
    return kb_fail(err, KB_INVALID, "%s = %g, expected %g to %g", what, x, f->low, f->high);
}

static int check_axis(const kb_field *f, const char *what, const kb_axis *a, kb_error *err)
{
    if (a->n < 1)
        return kb_fail(err, KB_INVALID, "%s: no value", what);
    for (int i = 0; i < a->n; i++)
        if (!(a->v[i] >= f->low && a->v[i] <= f->high))
            return kb_fail(err, KB_INVALID, "%s = %g, expected %g to %g", what, a->v[i], f->low,
                           f->high);
    return KB_OK;
}

static int set_text(char **to, const char *what, const char *text, kb_error *err)
{
    if (!*text)
        return kb_fail(err, KB_INVALID, "%s: the value is empty", what);
    char *fresh = kb_strdup(text);
    free(*to);
    *to = fresh;
    return KB_OK;
}

static int json_axis(const kb_field *f, kb_axis *a, const char *what, const json_t *value,
                     kb_error *err)
{
    size_t n = json_is_array(value) ? json_array_size(value) : 1;
    if (n < 1 || n > KB_AXIS)
        return kb_fail(err, KB_INVALID, "%s has %zu values, expected 1 to %d", what, n, KB_AXIS);
    a->n = (int)n;
    for (size_t i = 0; i < n; i++) {
        const json_t *x = json_is_array(value) ? json_array_get(value, i) : value;
        if (!json_is_number(x))
            return kb_fail(err, KB_INVALID, "%s is not a number or a list of numbers", what);
        a->v[i] = json_number_value(x);
    }
    return check_axis(f, what, a, err);
}

static int set_json(const kb_field *f, void *r, const char *what, const json_t *value,
                    kb_error *err)
{
    void *to = member(f, r);
    switch (f->type) {
    case KB_FIELD_TEXT:
    case KB_FIELD_CHOICE:
        if (!json_is_string(value))
            return kb_fail(err, KB_INVALID, "%s is not a string", what);
        if (f->type == KB_FIELD_CHOICE)
            return kb_read_choice(what, json_string_value(value), f->choices, to, err);
        return set_text(to, what, json_string_value(value), err);
    case KB_FIELD_NUMBER:
        if (!json_is_number(value))
            return kb_fail(err, KB_INVALID, "%s is not a number", what);
        *(double *)to = json_number_value(value);
        return check_number(f, what, *(double *)to, err);
    case KB_FIELD_WHOLE:
        if (!json_is_integer(value))
            return kb_fail(err, KB_INVALID, "%s is not a whole number", what);
        *(long *)to = (long)json_integer_value(value);
        return check_number(f, what, (double)*(long *)to, err);
    case KB_FIELD_AXIS: return json_axis(f, to, what, value, err);
    }
    return KB_INVALID;
}

static int read_parameters(const kb_recipe_form *form, void *r, const char *path,
                           json_t *parameters, kb_error *err)
{
    const char *key;
    json_t *value;
    int code = KB_OK;
    json_object_foreach(parameters, key, value) {
        const kb_field *f = find(form, key);
        if (!f && kb_origin_is_reading(key) && json_is_string(value))
            continue;
        char *what = f ? kb_format("%s: '%s'", path, key) : known_keys(form);
        code = f ? set_json(f, r, what, value, err)
                 : kb_fail(err, KB_INVALID, "%s: unknown parameter '%s' (known: %s)", path, key,
                           what);
        free(what);
        if (code)
            break;
    }
    return code;
}

int kb_recipe_read(const kb_recipe_form *form, void *r, const char *path, kb_error *err)
{
    json_auto_t *root = kb_json_read(path, NULL, err);
    if (!root)
        return KB_INVALID;
    const char *generator = json_string_value(json_object_get(root, "generator"));
    json_t *parameters = json_object_get(root, "parameters");
    int code;
    if (!generator || strcmp(generator, form->generator) || !json_is_object(parameters))
        code = kb_fail(err, KB_INVALID, "%s: not a recipe of this generator (expected "
                       "\"generator\": \"%s\" and an object \"parameters\")", path,
                       form->generator);
    else if (json_integer_value(json_object_get(root, "version")) != form->version)
        code = kb_fail(err, KB_INVALID, "%s: \"version\" is not %d, the version of this generator",
                       path, form->version);
    else
        code = read_parameters(form, r, path, parameters, err);
    if (!code) { /* how the mechanism is read stands beside the parameters, or among them */
        kb_origin_read_as(parameters);
        kb_origin_read_as(root);
    }
    return code;
}

int kb_recipe_same_mech(const char *path, const kb_mech *m, kb_error *err)
{
    json_auto_t *root = kb_json_read(path, NULL, err);
    if (!root)
        return KB_INVALID;
    const char *own = json_string_value(json_object_get(root, "mech_sha256"));
    int code = KB_OK;
    if (own && strcmp(own, m->sha256))
        code = kb_fail(err, KB_INVALID, "%s: made with another mechanism: sha256 %.12s there, "
                       "%.12s of %s now (--mech %s takes it none the less)", path, own, m->sha256,
                       m->name, m->name);
    return code;
}

int kb_axis_parse(kb_axis *a, const char *name, const char *text, kb_error *err)
{
    double first, last;
    int count, used = 0;
    a->n = 0;
    if (sscanf(text, "%lf:%lf:%d%n", &first, &last, &count, &used) == 3 && !text[used] &&
        count >= 2 && count <= KB_AXIS) {
        for (a->n = 0; a->n < count; a->n++)
            a->v[a->n] = first + (last - first) * a->n / (count - 1);
        return KB_OK;
    }
    for (const char *at = text; a->n < KB_AXIS;) {
        char *end;
        double x = strtod(at, &end);
        if (end == at || !isfinite(x) || (*end && *end != ','))
            break;
        a->v[a->n++] = x;
        if (!*end)
            return KB_OK;
        at = end + 1;
    }
    return kb_fail(err, KB_INVALID, "%s: '%s' is neither numbers with commas (1000,1200) nor "
                   "first:last:count (at most %d values)", name, text, KB_AXIS);
}

int kb_recipe_set(const kb_field *f, void *r, const char *what, const char *text, kb_error *err)
{
    void *to = member(f, r);
    switch (f->type) {
    case KB_FIELD_TEXT: return set_text(to, what, text, err);
    case KB_FIELD_CHOICE: return kb_read_choice(what, text, f->choices, to, err);
    case KB_FIELD_NUMBER:
        return kb_read_number(what, text, to, err) ? KB_INVALID
                                                   : check_number(f, what, *(double *)to, err);
    case KB_FIELD_WHOLE:
        if (kb_read_whole(what, text, LONG_MIN, LONG_MAX, to, err))
            return KB_INVALID;
        return check_number(f, what, (double)*(long *)to, err);
    case KB_FIELD_AXIS:
        return kb_axis_parse(to, what, text, err) ? KB_INVALID : check_axis(f, what, to, err);
    }
    return KB_INVALID;
}

int kb_recipe_check(const kb_recipe_form *form, const void *r, kb_error *err)
{
    int code = KB_OK;
    for (const kb_field *f = form->fields; f->key && !code; f++) {
        const void *at = member(f, r);
        if (f->type == KB_FIELD_AXIS)
            code = check_axis(f, f->key, at, err);
        else if (f->type == KB_FIELD_NUMBER)
            code = check_number(f, f->key, *(const double *)at, err);
        else if (f->type == KB_FIELD_WHOLE)
            code = check_number(f, f->key, (double)*(const long *)at, err);
        else if (f->type == KB_FIELD_TEXT && !f->optional && !*(char *const *)at)
            code = kb_fail(err, KB_INVALID, "%s is not given", f->key);
    }
    return code;
}

const char *kb_recipe_text(const kb_recipe_form *form, const void *r, const char *key)
{
    const kb_field *f = find(form, key);
    return f ? *(char **)member(f, r) : NULL;
}

void kb_recipe_free(const kb_recipe_form *form, void *r)
{
    for (const kb_field *f = form->fields; f->key; f++)
        if (f->type == KB_FIELD_TEXT) {
            free(*(char **)member(f, r));
            *(char **)member(f, r) = NULL;
        }
}

int kb_same_mechanism(const kb_mech *m, const kb_solvers *s, kb_error *err)
{
    if (!strcmp(m->sha256, s->sha256))
        return KB_OK;
    return kb_fail(err, KB_INVALID, "the solvers were built for another mechanism: %s has sha256 "
                   "%.12s, the solvers %.12s (build them again)", m->name, m->sha256, s->sha256);
}
