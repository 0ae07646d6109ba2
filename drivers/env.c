/* SPDX-License-Identifier: MIT
 *
 * Prints the environment that bench would record.
 */
#include <stdio.h>

#include "base/json.h"
#include "base/options.h"
#include "drivers/env/environment.h"

typedef struct {
    const char *mech;
    bool json;
} settings;

static const kb_program_option options[] = {
    {"json", 0, 0, KB_OPT_SWITCH, offsetof(settings, json), 0, 0, 0, 0,
     "as JSON, for other programs"},
    {0}};

static const kb_program env = {
    options, "[MECHANISM]",
    "Prints what bench records of the machine: processor, GPU, system, commit, load.\v"
    "MECHANISM is a name in build/mech or a path to a solvers.so: then also how its solvers were "
    "built.\n\nExample: build/env --json", "mechanism", offsetof(settings, mech)};

static void print_plain(const json_t *o)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)o, name, value) {
        kb_owned char *text = json_is_string(value)
                                  ? kb_strdup(json_string_value(value))
                                  : json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
        printf("%-16s %s\n", name, *text ? text : "-");
    }
}

int main(int argc, char **argv)
{
    kb_error err = {0};
    kb_environment e;
    settings set = {0};
    int code = KB_OK;
    kb_program_parse(&env, argc, argv, &set);
    const kb_solvers *s = set.mech ? kb_solvers_open(set.mech, &err) : NULL;
    if (set.mech && !s)
        return kb_report("env", &err);
    kb_environment_read(&e);
    json_auto_t *o = kb_environment_json(&e, s), *now = kb_environment_now();
    json_object_set(now, "gpu_now", json_object_get(now, "gpu")); /* the other is its name */
    json_object_del(now, "gpu");
    json_object_update(o, now);
    if (set.json)
        code = kb_json_print(stdout, o, 6, &err);
    else
        print_plain(o);
    kb_environment_free(&e);
    return code ? kb_report("env", &err) : KB_OK;
}
