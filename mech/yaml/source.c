/* SPDX-License-Identifier: MIT
 *
 * Sections: lists of this file, or of another one that stands beside it.
 */
#include "mech/yaml/node.h"

#include <string.h>
#include <sys/stat.h>

/* "other.yaml" beside "folder/this.yaml" is "folder/other.yaml". */
static char *beside(const char *file, const char *name)
{
    const char *slash = strrchr(file, '/');
    if (!slash || *name == '/')
        return kb_strdup(name);
    return kb_format("%.*s/%s", (int)(slash - file), file, name);
}

static int open_other(kb_yaml *y, const yaml_node_t *where, const char *name, const char *slash,
                      kb_yaml *from)
{
    char *file = kb_format("%.*s", (int)(slash - name), name), *path = beside(y->file, file);
    kb_error err = {0};
    from->file = kb_add_file(y->m, path);
    from->err = &err;
    struct stat what;
    bool device = !stat(path, &what) && !S_ISREG(what.st_mode); /* may never end */
    int rc = device ? kb_fail(&err, KB_INVALID, "%s: no file", path) : kb_yaml_open(from, path);
    from->err = y->err;
    if (rc)
        kb_yaml_fail(y, where, name, NULL, "%s; named in section", err.text);
    free(path);
    free(file);
    return rc;
}

const yaml_node_t *kb_yaml_section(kb_yaml *y, const yaml_node_t *where, const char *name,
                                   kb_yaml *from)
{
    const char *slash = name ? strrchr(name, '/') : NULL;
    *from = *y;
    if (!name) {
        kb_yaml_fail(y, where, NULL, "{section: all}", "the name of a section is expected");
        return NULL;
    }
    if (slash && open_other(y, where, name, slash, from))
        return NULL;
    const yaml_node_t *list = kb_yaml_get(from, from->root, slash ? slash + 1 : name);
    if (kb_yaml_is(list, YAML_SEQUENCE_NODE))
        return list;
    kb_yaml_leave(y, from);
    kb_yaml_fail(y, where, name, NULL, list ? "no list is section" : "there is no section");
    return NULL;
}

void kb_yaml_leave(const kb_yaml *y, kb_yaml *from)
{
    if (from->file != y->file)
        kb_yaml_close(from);
}

int kb_yaml_list_units(kb_yaml *y, const yaml_node_t *list, kb_units *u, int *first)
{
    const yaml_node_t *item = kb_yaml_count(list) ? kb_yaml_item(y, list, 0) : NULL;
    *first = kb_yaml_count(item) == 1 && kb_yaml_get(y, item, "units");
    return *first ? kb_yaml_units(y, item, u) : KB_OK;
}
