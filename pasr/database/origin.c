/* SPDX-License-Identifier: MIT */
#include "pasr/database/origin.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/owned.h"
#include "pasr/database/recipe.h"
#include "pasr/database/word_list.h"

static const char *text(const json_t *o, const char *key)
{
    const char *found = json_string_value(json_object_get(o, key));
    return found ? found : "";
}

/* ---- what a mechanism was read with ---- */

static const struct {
    const char *key, *variable, *option;
} readings[] = {{"qss", "KB_QSS", "QSS"}, {"phase", "KB_PHASE", "PHASE"},
                {"ideal", "KB_IDEAL", "IDEAL"}};
enum { READINGS = sizeof readings / sizeof *readings };

/* a file in this folder by its name there, so that a record is the same in every clone */
static const char *relative(const char *path)
{
    char here[PATH_MAX];
    size_t n = getcwd(here, sizeof here) ? strlen(here) : 0;
    return n && !strncmp(path, here, n) && path[n] == '/' ? path + n + 1 : path;
}

void kb_origin_reading(json_t *record)
{
    for (int i = 0; i < READINGS; i++) {
        const char *given = getenv(readings[i].variable);
        if (given && *given)
            json_object_set_new(record, readings[i].key, json_string(relative(given)));
        else
            json_object_del(record, readings[i].key);
    }
}

void kb_origin_read_as(const json_t *record)
{
    for (int i = 0; i < READINGS; i++) {
        const char *given = text(record, readings[i].key);
        if (*given)
            setenv(readings[i].variable, given, 0);
    }
}

int kb_origin_is_reading(const char *key)
{
    for (int i = 0; i < READINGS; i++)
        if (!strcmp(key, readings[i].key))
            return 1;
    return 0;
}

/* " with QSS=names.qss" for a message, or nothing; caller frees */
static char *reading_of(const json_t *record)
{
    char *all = kb_strdup("");
    for (int i = 0; i < READINGS; i++) {
        const char *given = text(record, readings[i].key);
        if (!*given)
            continue;
        char *more = kb_format("%s%s%s=%s", all, *all ? " " : " with ", readings[i].option, given);
        free(all);
        all = more;
    }
    return all;
}

/* ---- what the user says ---- */

static int compare_names(const kb_origin *o, const char *list, kb_error *err)
{
    int n = 0;
    for (const char *at = list; *(at += strspn(at, ", \t\r\n")); n++) {
        size_t length = kb_word_length(at);
        const char *own = n < o->nspecies ? o->species[n] : "";
        if (strlen(own) != length || strncmp(own, at, length))
            return kb_fail(err, KB_INVALID, "%s: species %d is %.*s there and %s in mechanism %s: "
                           "`dbimport --species` makes a database of it", o->path, n,
                           (int)length, at, *own ? own : "none", o->mech);
        at += length;
    }
    if (n < o->nspecies)
        return kb_fail(err, KB_INVALID, "%s: %d names of species, but mechanism %s has %d", o->path,
                       n, o->mech, o->nspecies);
    return KB_OK;
}

/* Where the folder cannot be written, it is asked for again next time. */
static void keep(const kb_origin *o, const char *beside, json_t *record)
{
    json_t *species = json_array(), *fresh = record ? json_incref(record) : json_object();
    for (int i = 0; i < o->nspecies; i++)
        json_array_append_new(species, json_string(o->species[i]));
    json_auto_t *more = json_pack("{s:s, s:s, s:{s:s}, s:o}", "mech", o->mech, "mech_sha256",
                                  o->mech_sha256, "results", "database_sha256", o->states_sha256,
                                  "species", species);
    json_object_update(fresh, more);
    kb_origin_reading(fresh);
    kb_json_write(beside, fresh, 17, NULL);
    json_decref(fresh);
}

/* why: nothing of use is recorded */
static int ask(const kb_origin *o, const char *beside, json_t *record, const char *why,
               kb_error *err)
{
    if (!o->said)
        return kb_fail(err, KB_INVALID, "%s: %s: say once which species its columns are: --species "
                       "H2,O2,... in their order, a file of names, or `" KB_ORIGIN_SAME "` if "
                       "they are the species of %s in its order", o->path, why, o->mech);
    int code = KB_OK;
    if (strcmp(o->said, KB_ORIGIN_SAME)) {
        kb_owned char *list = kb_word_list(o->said, err);
        code = list ? compare_names(o, list, err) : KB_INVALID;
    }
    if (!code)
        keep(o, beside, record);
    return code;
}

/* ---- what is recorded ---- */

static int compare(const kb_origin *o, const char *beside, json_t *record, kb_error *err)
{
    const char *own = text(record, "mech_sha256"), *name = text(record, "mech");
    const char *states = text(json_object_get(record, "results"), "database_sha256");
    if (*states && strcmp(states, o->states_sha256))
        return kb_fail(err, KB_INVALID, "%s: the .json beside it is of other states (sha256 %.12s, "
                       "not %.12s): make the database again, or move the .json away", o->path,
                       states, o->states_sha256);
    if (!*own)
        return ask(o, beside, record, "the .json beside it names no mechanism by its hash", err);
    if (!strcmp(own, o->mech_sha256))
        return KB_OK;
    kb_owned char *there = reading_of(record);
    json_auto_t *now = json_object();
    kb_origin_reading(now);
    kb_owned char *here = reading_of(now);
    return kb_fail(err, KB_INVALID, "%s: its states were made for mechanism %s%s (sha256 %.12s), "
                   "not for %s%s (sha256 %.12s): give that mechanism, or make a database for this "
                   "one", o->path, name, there, own, o->mech, here, o->mech_sha256);
}

int kb_origin_check(const kb_origin *o, kb_error *err)
{
    kb_owned char *beside = kb_beside(o->path, ".json");
    if (access(beside, F_OK))
        return ask(o, beside, NULL, "no .json beside it", err);
    json_auto_t *record = kb_json_read(beside, "mend or delete the file", err);
    return record ? compare(o, beside, record, err) : KB_INVALID;
}
