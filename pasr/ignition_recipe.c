/* SPDX-License-Identifier: MIT
 *
 * Recipes of ignition databases as text. What is read and what is written have one form, so that
 * the file beside a database is the recipe that makes it again.
 */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "ignition.h"

int kb_axis_parse(kb_axis *a, const char *name, const char *text, kb_error *err)
{
    double first, last;
    int count, used = 0;
    a->n = 0;
    if (sscanf(text, "%lf:%lf:%d%n", &first, &last, &count, &used) == 3 && !text[used] &&
        count >= 2 && count <= KB_IGNITION_AXIS) {
        for (a->n = 0; a->n < count; a->n++)
            a->v[a->n] = first + (last - first) * a->n / (count - 1);
        return KB_OK;
    }
    for (const char *at = text; a->n < KB_IGNITION_AXIS;) {
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
                   "first:last:count (at most %d values)", name, text, KB_IGNITION_AXIS);
}

static int read_axis(kb_axis *a, const char *path, const char *key, const json_t *value,
                     kb_error *err)
{
    size_t n = json_is_array(value) ? json_array_size(value) : 1;
    if (n < 1 || n > KB_IGNITION_AXIS)
        return kb_fail(err, KB_INVALID, "%s: '%s' has %zu values, expected 1 to %d", path, key, n,
                       KB_IGNITION_AXIS);
    a->n = (int)n;
    for (size_t i = 0; i < n; i++) {
        const json_t *x = json_is_array(value) ? json_array_get(value, i) : value;
        if (!json_is_number(x))
            return kb_fail(err, KB_INVALID, "%s: '%s' is not a number or a list of numbers", path,
                           key);
        a->v[i] = json_number_value(x);
    }
    return KB_OK;
}

static int read_text(char **out, const char *path, const char *key, const json_t *value,
                     kb_error *err)
{
    if (!json_is_string(value))
        return kb_fail(err, KB_INVALID, "%s: '%s' is not a string", path, key);
    free(*out);
    *out = kb_strdup(json_string_value(value));
    return KB_OK;
}

static int read_number(double *out, const char *path, const char *key, const json_t *value,
                       kb_error *err)
{
    if (!json_is_number(value))
        return kb_fail(err, KB_INVALID, "%s: '%s' is not a number", path, key);
    *out = json_number_value(value);
    return KB_OK;
}

static int read_reactor(kb_reactor *out, const char *path, const json_t *value, kb_error *err)
{
    const char *text = json_is_string(value) ? json_string_value(value) : "";
    int volume = !strcmp(text, "constant volume");
    if (!volume && strcmp(text, "constant pressure"))
        return kb_fail(err, KB_INVALID, "%s: 'reactor' is '%s', expected 'constant pressure' or "
                       "'constant volume'", path, text);
    *out = volume ? KB_CONST_V : KB_CONST_P;
    return KB_OK;
}

static int read_one(kb_ignition *r, const char *path, const char *key,
                    const json_t *value, kb_error *err)
{
    const struct { const char *key; kb_axis *to; } axes[] = {
        {"T0_K", &r->T0}, {"p_atm", &r->p}, {"phi", &r->phi}};
    const struct { const char *key; char **to; } texts[] = {
        {"mech", &r->mech}, {"thermo", &r->thermo}, {"fuel", &r->fuel}, {"oxidizer", &r->oxidizer}};
    const struct { const char *key; double *to; } numbers[] = {
        {"span", &r->span}, {"t_end_s", &r->t_end}, {"spacing_s", &r->spacing},
        {"rtol", &r->rtol}, {"atol", &r->atol}};
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++)
        if (!strcmp(key, axes[i].key))
            return read_axis(axes[i].to, path, key, value, err);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!strcmp(key, texts[i].key))
            return read_text(texts[i].to, path, key, value, err);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!strcmp(key, numbers[i].key))
            return read_number(numbers[i].to, path, key, value, err);
    if (!strcmp(key, "reactor"))
        return read_reactor(&r->reactor, path, value, err);
    if (strcmp(key, "n"))
        return kb_fail(err, KB_INVALID, "%s: unknown parameter '%s' (known: mech, thermo, fuel, "
                       "oxidizer, T0_K, p_atm, phi, reactor, n, span, t_end_s, spacing_s, rtol, atol)", path,
                       key);
    if (!json_is_integer(value) || json_integer_value(value) < 1)
        return kb_fail(err, KB_INVALID, "%s: 'n' is not a whole number >= 1", path);
    r->n = (long)json_integer_value(value);
    return KB_OK;
}

int kb_ignition_read(kb_ignition *r, const char *path, kb_error *err)
{
    json_error_t why;
    const char *key;
    json_t *value, *root = json_load_file(path, JSON_REJECT_DUPLICATES, &why);
    if (!root)
        return kb_fail_at(err, path, why.line, NULL, NULL, "%s", why.text);
    const char *generator = json_string_value(json_object_get(root, "generator"));
    json_t *parameters = json_object_get(root, "parameters");
    int code = KB_OK;
    if (!generator || strcmp(generator, "ignition") || !json_is_object(parameters))
        code = kb_fail(err, KB_INVALID, "%s: not a recipe of an ignition database (expected "
                       "\"generator\": \"ignition\" and an object \"parameters\")", path);
    else if (json_integer_value(json_object_get(root, "version")) != KB_IGNITION_VERSION)
        code = kb_fail(err, KB_INVALID, "%s: \"version\" is not %d, the version of this generator",
                       path, KB_IGNITION_VERSION);
    else
        json_object_foreach(parameters, key, value) {
            code = read_one(r, path, key, value, err);
            if (code)
                break;
        }
    json_decref(root);
    return code;
}

static json_t *axis(const kb_axis *a)
{
    json_t *list = json_array();
    for (int i = 0; i < a->n; i++)
        json_array_append_new(list, json_real(a->v[i]));
    return list;
}

static json_t *parameters(const kb_ignition *r)
{
    json_t *o = json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:s, s:I}", "mech", r->mech, "fuel",
                          r->fuel, "oxidizer", r->oxidizer, "T0_K", axis(&r->T0), "p_atm", axis(&r->p),
                          "phi", axis(&r->phi), "reactor",
                          r->reactor == KB_CONST_P ? "constant pressure" : "constant volume", "n",
                          (json_int_t)r->n);
    if (r->thermo)
        json_object_set_new(o, "thermo", json_string(r->thermo));
    if (r->spacing > 0)
        json_object_set_new(o, "spacing_s", json_real(r->spacing));
    else if (r->t_end > 0)
        json_object_set_new(o, "t_end_s", json_real(r->t_end));
    else
        json_object_set_new(o, "span", json_real(r->span));
    json_object_set_new(o, "rtol", json_real(r->rtol));
    json_object_set_new(o, "atol", json_real(r->atol));
    return o;
}

static json_t *path_object(const kb_ignition_path *p)
{
    return json_pack("{s:f, s:f, s:f, s:o, s:f, s:f, s:f, s:I, s:I}", "T0_K", p->T0, "p_atm", p->p,
                     "phi", p->phi, "ignition_delay_s",
                     isnan(p->delay) ? json_null() : json_real(p->delay), "t_end_s", p->t_end,
                     "spacing_s", p->spacing, "T_max_K", p->T_max, "first_row",
                     (json_int_t)p->first, "rows", (json_int_t)p->n);
}

static json_t *results(const kb_ignition *r, int nsp, const kb_ignition_path *paths,
                       const double *states, const char *sha256)
{
    double low = states[0], high = states[0];
    json_t *list = json_array();
    for (long i = 0; i < r->n; i++) {
        low = fmin(low, states[i * (nsp + 2)]);
        high = fmax(high, states[i * (nsp + 2)]);
    }
    for (int k = 0; k < kb_ignition_reactors(r); k++)
        json_array_append_new(list, path_object(&paths[k]));
    return json_pack("{s:s, s:f, s:f, s:o}", "database_sha256", sha256, "T_min_K", low, "T_max_K",
                     high, "reactors", list);
}

char *kb_ignition_text(const kb_ignition *r, const kb_solvers *s, const kb_ignition_path *paths,
                       const double *states, const char *database_sha256)
{
    json_t *names = json_array();
    for (int i = 0; i < s->nsp; i++)
        json_array_append_new(names, json_string(s->species[i]));
    json_t *root = json_pack("{s:s, s:i, s:o, s:s, s:s, s:s, s:o, s:o}", "generator", "ignition",
                             "version", KB_IGNITION_VERSION, "parameters", parameters(r),
                             "mech", s->mech, "mech_sha256", s->sha256, "method",
                             "CVODE without restarts, dense output", "results",
                             results(r, s->nsp, paths, states, database_sha256), "species", names);
    char *raw = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    char *text = kb_format("%s\n", raw);
    free(raw);
    json_decref(root);
    return text;
}
