/* SPDX-License-Identifier: MIT
 *
 * Prints the environment that bench would record: env [--json] [MECHANISM]
 */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "drivers/env/environment.h"

static void print_plain(const json_t *o)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)o, name, value) {
        char *text = json_is_string(value)
                         ? kb_strdup(json_string_value(value))
                         : json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
        printf("%-16s %s\n", name, *text ? text : "-");
        free(text);
    }
}

int main(int argc, char **argv)
{
    kb_error err = {0};
    kb_environment e;
    int code = KB_OK;
    bool json = argc > 1 && !strcmp(argv[1], "--json");
    const char *mech = argc > 1 + json ? argv[1 + json] : NULL;
    if (argc > 2 + json || (mech && *mech == '-')) {
        fprintf(stderr, "usage: env [--json] [MECHANISM]\n");
        return KB_INVALID;
    }
    const kb_solvers *s = mech ? kb_solvers_open(mech, &err) : NULL;
    if (mech && !s)
        return kb_report("env", &err);
    kb_environment_read(&e);
    json_t *o = kb_environment_json(&e, s), *now = kb_environment_now();
    json_object_update(o, now);
    if (json)
        code = kb_json_print(stdout, o, 6, &err);
    else
        print_plain(o);
    json_decref(now);
    json_decref(o);
    kb_environment_free(&e);
    return code ? kb_report("env", &err) : KB_OK;
}
