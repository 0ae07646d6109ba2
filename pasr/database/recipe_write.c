/* SPDX-License-Identifier: MIT */
#include <sha2.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json.h"
#include "base/owned.h"
#include "pasr/database/database.h"
#include "pasr/database/origin.h"
#include "pasr/database/recipe.h"

static json_t *axis(const kb_axis *a)
{
    json_t *list = json_array();
    for (int i = 0; i < a->n; i++)
        json_array_append_new(list, json_real(a->v[i]));
    return list;
}

/* NULL: not given */
static json_t *value_of(const kb_field *f, const void *at)
{
    const char *text;
    switch (f->type) {
    case KB_FIELD_TEXT:
        text = *(char *const *)at;
        return text ? json_string(text) : NULL;
    case KB_FIELD_NUMBER:
        return f->optional && *(const double *)at == 0 ? NULL : json_real(*(const double *)at);
    case KB_FIELD_WHOLE:
        return f->optional && *(const long *)at == 0 ? NULL : json_integer(*(const long *)at);
    case KB_FIELD_AXIS: return axis(at);
    case KB_FIELD_CHOICE: return json_string(f->choices[*(const int *)at]);
    }
    return NULL;
}

json_t *kb_recipe_parameters(const kb_recipe_form *form, const void *r)
{
    json_t *o = json_object();
    for (const kb_field *f = form->fields; f->key; f++) {
        json_t *value = value_of(f, (const char *)r + f->offset);
        if (value)
            json_object_set_new(o, f->key, value);
    }
    return o;
}

void kb_recipe_hash(const kb_recipe_form *form, const void *r, const char *mech_sha256, char *out)
{
    json_auto_t *p = kb_recipe_parameters(form, r);
    kb_owned char *raw = json_dumps(p, JSON_COMPACT | JSON_REAL_PRECISION(17));
    kb_owned char *all = kb_format("%s %d %s %s", form->generator, form->version, mech_sha256, raw);
    SHA256Data((const uint8_t *)all, strlen(all), out);
}

char *kb_beside(const char *path, const char *ending)
{
    size_t n = strlen(path) - (kb_ends_in(path, ".npy") ? 4 : 0);
    return kb_format("%.*s%s", (int)n, path, ending);
}

static bool is_same(const struct stat *x, const struct stat *y)
{
    return x->st_dev == y->st_dev && x->st_ino == y->st_ino;
}

/* returns the name behind the last '/'; its folder is looked at, all 0 if there is none */
static const char *look_around(const char *path, struct stat *folder)
{
    const char *last = strrchr(path, '/'), *name = last ? last + 1 : path;
    kb_owned char *place = kb_format("%.*s.", (int)(name - path), path);
    if (stat(place, folder))
        memset(folder, 0, sizeof *folder);
    return name;
}

bool kb_same_file(const char *a, const char *b)
{
    struct stat x, y;
    if (!stat(a, &x))
        return !S_ISCHR(x.st_mode) && !stat(b, &y) && is_same(&x, &y);
    const char *name_a = look_around(a, &x), *name_b = look_around(b, &y);
    return !strcmp(a, b) || (x.st_ino && !strcmp(name_a, name_b) && is_same(&x, &y));
}

bool kb_is_of_mechanism(const kb_mech *m, const char *path)
{
    int i = 0;
    while (i < m->nfiles && !kb_same_file(m->files[i], path))
        i++;
    return i < m->nfiles;
}

int kb_aux_read(const char *path, long n, const json_t *names, int *columns, double **aux,
                kb_error *err)
{
    long rows, count = (long)json_array_size(names);
    kb_owned char *beside = kb_beside(path, ".aux.npy");
    int code = kb_npy_read(beside, &rows, columns, aux, err);
    if (!code && (rows != n || *columns != count))
        code = kb_fail(err, KB_INVALID, "%s: %ld x %d numbers, expected %ld rows and the %ld "
                       "columns of the .json", beside, rows, *columns, n, count);
    return code;
}

static json_t *names(int n, const char *const *text)
{
    json_t *list = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(list, json_string(text[i]));
    return list;
}

/* T range and hash go before the generator's own results */
static json_t *results(const kb_solvers *s, const kb_output *o, const char *sha256, long repaired)
{
    double low = o->states[0], high = o->states[0];
    for (long i = 0; i < o->n; i++) {
        double T = o->states[i * (s->nsp + 2)];
        low = T < low ? T : low;
        high = T > high ? T : high;
    }
    json_t *all = json_pack("{s:s, s:I, s:f, s:f}", "database_sha256", sha256, "rows",
                            (json_int_t)o->n, "T_min_K", low, "T_max_K", high);
    if (repaired)
        json_object_set_new(all, "repaired_rows", json_integer(repaired));
    if (o->results)
        json_object_update(all, o->results);
    return all;
}

static json_t *record(const kb_recipe_form *form, const void *r, const kb_solvers *s,
                      const kb_output *o, const char *sha256, long repaired)
{
    json_t *root = json_pack("{s:s, s:i, s:o, s:s, s:s, s:s, s:o}", "generator", form->generator,
                             "version", form->version, "parameters",
                             kb_recipe_parameters(form, r), "mech", s->mech, "mech_sha256",
                             s->sha256, "method", o->method ? o->method : "", "results",
                             results(s, o, sha256, repaired));
    if (*o->kind.name)
        json_object_set_new(root, "states", json_string(o->kind.name));
    if (o->kind.dt > 0)
        json_object_set_new(root, "states_dt_s", json_real(o->kind.dt));
    if (o->naux)
        json_object_set_new(root, "aux", names(o->naux, o->aux_names));
    json_object_set_new(root, "species", names(s->nsp, s->species));
    kb_origin_reading(root);
    return root;
}

int kb_recipe_save(const kb_recipe_form *form, const void *r, const kb_solvers *s,
                   const kb_output *o, const char *path, kb_error *err)
{
    kb_owned char *json = kb_beside(path, ".json"), *aux = kb_beside(path, ".aux.npy");
    char hash[65];
    long repaired = 0;
    int code = kb_states_check(path, o->n, s->nsp + 2, o->states, &repaired, err);
    if (!code && o->naux)
        code = kb_npy_write(aux, o->n, o->naux, o->aux, err);
    if (!code) {
        kb_npy_sha256(o->n, s->nsp + 2, o->states, hash);
        json_auto_t *root = record(form, r, s, o, hash, repaired);
        code = kb_json_write(json, root, 17, err);
    }
    return code ? code : kb_npy_write(path, o->n, s->nsp + 2, o->states, err);
}

void kb_output_free(kb_output *o)
{
    free(o->states);
    free(o->aux);
    json_decref(o->results);
    memset(o, 0, sizeof *o);
}
