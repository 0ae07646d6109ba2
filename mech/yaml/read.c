/* SPDX-License-Identifier: MIT
 *
 * Cantera's YAML: the first ideal-gas phase of a file becomes a mechanism.
 */
#include "mech/yaml/node.h"

#include <stdio.h>
#include <string.h>

static const yaml_node_t *choose_phase(kb_yaml *y, const yaml_node_t *root)
{
    const yaml_node_t *list = kb_yaml_get(y, root, "phases");
    if (!kb_yaml_is(list, YAML_SEQUENCE_NODE) || kb_yaml_count(list) == 0) {
        kb_yaml_fail(y, root, "phases", "is this a Cantera input file?", "the file has no list of");
        return NULL;
    }
    for (int i = 0; i < kb_yaml_count(list); i++) {
        const yaml_node_t *phase = kb_yaml_item(y, list, i);
        const char *model = kb_yaml_scalar(kb_yaml_get(y, phase, "thermo"));
        if (model && strcmp(model, "ideal-gas") == 0)
            return phase;
    }
    const yaml_node_t *first = kb_yaml_item(y, list, 0);
    const char *model = kb_yaml_scalar(kb_yaml_get(y, first, "thermo"));
    if (!kb_yaml_is(first, YAML_MAPPING_NODE)) {
        kb_yaml_fail(y, first, "phases", "- name: gas", "not a mapping: an entry of");
        return NULL;
    }
    kb_add_warning(y->m, "%s:%d: no ideal-gas phase; the first one (%s) is read as an ideal gas",
                   y->file, (int)first->start_mark.line + 1, model ? model : "without thermo");
    return first;
}

static char *trimmed(const char *text)
{
    text = text ? text : "";
    size_t n = strlen(text);
    while (n && strchr(" \t\n", text[n - 1]))
        n--;
    return kb_format("%.*s", (int)n, text);
}

static char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    return kb_format("%.*s", (int)strcspn(base, "."), base);
}

static int read_document(kb_yaml *y, const char *path)
{
    const yaml_node_t *root = yaml_document_get_root_node(&y->doc);
    if (!kb_yaml_is(root, YAML_MAPPING_NODE))
        return kb_yaml_fail(y, root, NULL, "is this a Cantera input file?",
                            "the file is no YAML mapping");
    const yaml_node_t *phase = choose_phase(y, root);
    if (!phase)
        return KB_INVALID;
    const char *name = kb_yaml_name(kb_yaml_get(y, phase, "name"));
    y->m->name = name ? kb_strdup(name) : base_name(path);
    y->m->description = trimmed(kb_yaml_scalar(kb_yaml_get(y, root, "description")));
    kb_units u = kb_units_si();
    if (kb_yaml_phase(y, root, phase) || kb_yaml_units(y, root, &u) ||
        kb_yaml_reactions(y, root, phase, &u))
        return KB_INVALID;
    if (y->m->nspecies == 0)
        return kb_yaml_fail(y, phase, y->m->name, NULL, "no species in phase");
    return KB_OK;
}

int kb_yaml_read(kb_mech *m, const char *path, kb_error *err)
{
    memset(m, 0, sizeof *m);
    kb_yaml y = {.m = m, .err = err, .file = kb_add_file(m, path)};
    int rc = kb_yaml_open(&y, path);
    if (!rc) {
        rc = read_document(&y, path);
        yaml_document_delete(&y.doc);
    }
    if (rc)
        kb_mech_free(m);
    return rc;
}
