/* SPDX-License-Identifier: MIT
 *
 * Loading: a mechanism from a file of either format, checked and hashed.
 */
#include <sha2.h>
#include <string.h>
#include <strings.h>

#include "mech/check.h"
#include "mech/mech.h"
#include "mech/steady.h"

static bool is_yaml(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (!strcasecmp(dot, ".yaml") || !strcasecmp(dot, ".yml"));
}

int kb_mech_load(kb_mech *m, const char *path, const char *thermo, kb_error *err)
{
    int code;
    if (is_yaml(path) && thermo)
        code = kb_fail_at(err, path, 0, thermo, "leave THERMO= out",
                          "a YAML mechanism holds its own thermo data and takes no separate file");
    else if (is_yaml(path))
        code = kb_yaml_read(m, path, err);
    else
        code = kb_chemkin_read(m, path, thermo, err);
    if (code) {
        *m = (kb_mech){0};
        return code;
    }
    const char *steady = getenv("KB_QSS");
    if (steady && *steady)
        code = kb_steady_read(m, steady, err);
    if (!code)
        code = kb_mech_check(m, err);
    if (code) {
        kb_mech_free(m);
        return code;
    }
    char *text = kb_yaml_text(m, false);
    SHA256Data((const uint8_t *)text, strlen(text), m->sha256);
    free(text);
    return KB_OK;
}
