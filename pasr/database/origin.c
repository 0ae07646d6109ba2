/* SPDX-License-Identifier: MIT */
#include "pasr/database/origin.h"

#include <jansson.h>
#include <string.h>
#include <unistd.h>

#include "pasr/database/recipe.h"

static const char *text(const json_t *o, const char *key)
{
    const char *found = json_string_value(json_object_get(o, key));
    return found ? found : "";
}

static int compare(const char *path, const json_t *record, const char *states_sha256,
                   const char *mech, const char *mech_sha256, kb_error *err)
{
    const char *own = text(record, "mech_sha256"), *name = text(record, "mech");
    const char *states = text(json_object_get(record, "results"), "database_sha256");
    if (!*own)
        return kb_fail(err, KB_NOTHING, "%s: the .json beside it does not say for which mechanism "
                       "the states were made; only their number of columns is known", path);
    if (*states && strcmp(states, states_sha256))
        return kb_fail(err, KB_NOTHING, "%s: the .json beside it is of other states (sha256 %.12s, "
                       "not %.12s); only their number of columns is known", path, states,
                       states_sha256);
    if (!strcmp(own, mech_sha256))
        return KB_OK;
    return kb_fail(err, KB_INVALID, "%s: its states were made for mechanism %s (sha256 %.12s), not "
                   "for %s (sha256 %.12s): give that mechanism, or make a database for this one",
                   path, name, own, mech, mech_sha256);
}

int kb_origin_check(const char *path, const char *states_sha256, const char *mech,
                    const char *mech_sha256, kb_error *err)
{
    char *beside = kb_beside(path, ".json");
    json_error_t why;
    int code;
    if (access(beside, F_OK)) {
        code = kb_fail(err, KB_NOTHING, "%s: no .json beside it says for which mechanism the "
                       "states were made; only their number of columns is known", path);
    } else {
        json_t *record = json_load_file(beside, 0, &why);
        code = record ? compare(path, record, states_sha256, mech, mech_sha256, err)
                      : kb_fail_at(err, beside, why.line, NULL, NULL, "%s", why.text);
        json_decref(record);
    }
    free(beside);
    return code;
}
