/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "pasr/database/recipe.h"

static const struct {
    const char *kind, *words;
} kinds[] = {{"before", "before reaction"},
             {"after", "after reaction"},
             {"both", "before and after reaction"},
             {"flow", "of a flow, before reaction"},
             {"path", "of a reactor in time"}};
/* of records without "states" */
static const struct {
    const char *generator, *kind;
} made_by[] = {{"pasr", "after"},    {"lem", "before"}, {"flamelet", "before"},
               {"ignition", "path"}, {"flow", "flow"}};
#define COUNT(table) (sizeof table / sizeof *table)

/* a kind of the table; "" where the record has none or another word */
static const char *kind_of(const json_t *record)
{
    const char *kind = json_string_value(json_object_get(record, "states"));
    const char *generator = json_string_value(json_object_get(record, "generator"));
    for (size_t i = 0; i < COUNT(made_by) && !kind && generator; i++)
        if (!strcmp(generator, made_by[i].generator))
            return made_by[i].kind;
    for (size_t i = 0; i < COUNT(kinds) && kind; i++)
        if (!strcmp(kind, kinds[i].kind))
            return kinds[i].kind;
    return "";
}

kb_states_kind kb_states_kind_read(const char *path)
{
    kb_states_kind kind = {.dt = 0};
    char *beside = kb_beside(path, ".json");
    json_auto_t *record = access(beside, R_OK) ? NULL : kb_json_read(beside, NULL, NULL);
    snprintf(kind.name, sizeof kind.name, "%s", kind_of(record));
    kind.dt = json_number_value(json_object_get(record, "states_dt_s"));
    free(beside);
    return kind;
}

char *kb_states_kind_text(const kb_states_kind *k)
{
    const char *words = "";
    for (size_t i = 0; i < COUNT(kinds); i++)
        words = strcmp(k->name, kinds[i].kind) ? words : kinds[i].words;
    return k->dt > 0 ? kb_format("%s%sstep %g s", words, *words ? ", " : "", k->dt)
                     : kb_strdup(words);
}
