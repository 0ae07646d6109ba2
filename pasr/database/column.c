/* SPDX-License-Identifier: MIT */
#include "pasr/database/column.h"

#include <libgen.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/owned.h"
#include "pasr/database/recipe.h"

static char *beside(const kb_database *db, const char *what, const char *ending)
{
    kb_owned char *all = kb_format(".%s.%s", what, ending);
    return kb_beside(db->path, all);
}

char *kb_column_path(const kb_database *db, const char *what)
{
    return beside(db, what, "npy");
}

bool kb_column_writable(const kb_database *db)
{
    kb_owned char *path = kb_strdup(db->path);
    return access(dirname(path), W_OK) == 0;
}

static int read_facts(const kb_database *db, const char *path, char **about, kb_error *err)
{
    if (access(path, F_OK))
        return kb_fail(err, KB_NOTHING, "%s: not there", path);
    json_auto_t *facts = kb_json_read(path, "delete the file, it is made again", err);
    if (!facts)
        return KB_INVALID;
    const char *sha256 = json_string_value(json_object_get(facts, "database_sha256"));
    const char *text = json_string_value(json_object_get(facts, "about"));
    int code = KB_OK;
    if (!sha256 || !text)
        code = kb_fail(err, KB_INVALID, "%s: without 'database_sha256' and 'about' (delete the "
                       "file, it is made again)", path);
    else if (strcmp(sha256, db->sha256))
        code = kb_fail(err, KB_NOTHING, "%s: for a database with sha256 %.12s, not %.12s", path,
                       sha256, db->sha256);
    else if (about)
        *about = kb_strdup(text);
    return code;
}

static int read_values(const kb_database *db, const char *path, int64_t *values, kb_error *err)
{
    kb_npy a;
    int code = kb_npy_load(path, "<i8", 1, 1, &a, err);
    if (!code && a.shape[0] != db->n)
        code = kb_fail(err, KB_INVALID, "%s: %ld numbers, expected %ld, one for each state", path,
                       a.shape[0], db->n);
    if (!code)
        memcpy(values, a.data, (size_t)db->n * sizeof *values);
    free(a.data);
    return code;
}

int kb_column_read(const kb_database *db, const char *what, int64_t *values, char **about,
                   kb_error *err)
{
    kb_owned char *json = beside(db, what, "json"), *npy = beside(db, what, "npy"), *text = NULL;
    int code = read_facts(db, json, &text, err);
    if (!code)
        code = read_values(db, npy, values, err);
    if (!code && about) {
        *about = text;
        text = NULL;
    }
    return code;
}

/* The old facts go first and the new ones come last, so that an interruption leaves no facts beside
 * the numbers of another time. */
int kb_column_write(const kb_database *db, const char *what, const int64_t *values,
                    const char *about, kb_error *err)
{
    kb_npy a = {1, {db->n}, (void *)values};
    kb_owned char *json = beside(db, what, "json"), *npy = beside(db, what, "npy");
    json_auto_t *facts = json_pack("{s:s, s:s}", "database_sha256", db->sha256, "about", about);
    remove(json);
    int code = kb_npy_save(npy, "<i8", &a, err);
    return code ? code : kb_json_write(json, facts, 17, err);
}
