/* SPDX-License-Identifier: MIT
 *
 * Species of one phase: lists, compositions.
 */
#include "mech/yaml/node.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int kb_yaml_find(const kb_yaml *y, const char *name)
{
    return kb_names_find(y->names, y->m, name, strlen(name));
}

static int read_composition(kb_yaml *y, const yaml_node_t *node, kb_species *s, bool *skip)
{
    const yaml_node_t *list = kb_yaml_get(y, node, "composition");
    if (!kb_yaml_is(list, YAML_MAPPING_NODE))
        return kb_yaml_fail(y, node, s->name, "composition: {H: 2, O: 1}",
                            "no composition for species");
    for (int i = 0; i < kb_yaml_count(list); i++) {
        const yaml_node_t *key = kb_yaml_key(y, list, i);
        const char *symbol = kb_yaml_scalar(key);
        double atoms;
        if (!symbol || kb_yaml_number(y, kb_yaml_value(y, list, i), "number of atoms", &atoms))
            return symbol ? KB_INVALID : kb_yaml_fail(y, key, s->name, NULL, "bad composition of");
        if (y->any_element && kb_yaml_element(y, symbol) < 0 && kb_yaml_add_element(y, key))
            return KB_INVALID;
        int e = kb_yaml_element(y, symbol);
        if (e < 0 && y->skip_elements)
            *skip = true;
        else if (e < 0)
            return kb_yaml_fail(y, key, symbol, "add it to the phase's elements",
                                "species %s has an undeclared element:", s->name);
        else
            s->atoms[e] += atoms;
    }
    for (int e = 0; e < y->m->nelements; e++)
        s->weight += s->atoms[e] * y->m->elements[e].weight;
    if (!*skip && !(s->weight > 0))
        return kb_yaml_fail(y, list, s->name, NULL, "no mass in the composition of species");
    return KB_OK;
}

static int read_species(kb_yaml *y, const yaml_node_t *node, const kb_units *u, kb_species *s,
                        bool *skip)
{
    static const kb_yaml_keys keys = {
        .what = "species", .known = "name|composition|thermo|units",
        .noted = "note|transport|equation-of-state|critical-parameters|sites|size|charge|id|"
                 "Debye-Huckel|electrical-conductivity|molecular-weight|reference|source|comment"};
    kb_units own = *u;
    if (kb_yaml_check_keys(y, node, &keys) || kb_yaml_units(y, node, &own) ||
        read_composition(y, node, s, skip))
        return KB_INVALID;
    return *skip ? KB_OK : kb_yaml_thermo(y, node, &own, s);
}

static int add_species(kb_yaml *y, const yaml_node_t *node, const kb_units *u)
{
    kb_mech *m = y->m;
    const char *name = kb_yaml_name(kb_yaml_get(y, node, "name"));
    if (!name)
        return kb_yaml_fail(y, node, NULL, "a name has no blanks and no control characters",
                            "species without a usable name");
    if (kb_yaml_find(y, name) >= 0)
        return kb_yaml_fail(y, node, name, NULL, "species declared twice");
    kb_species *s = &m->species[m->nspecies];
    *s = (kb_species){.name = kb_strdup(name), .file = y->file,
                      .line = (int)node->start_mark.line + 1};
    bool skip = false;
    int rc = read_species(y, node, u, s, &skip);
    if (rc || skip)
        kb_species_free(s);
    else
        kb_names_add(y->names, m, m->nspecies++);
    return rc;
}

/* The item of a section with the name, looked for from `start` on and round; -1: none */
static int named(kb_yaml *y, const yaml_node_t *section, const char *wanted, int start)
{
    int n = kb_yaml_count(section);
    for (int i = 0; i < n; i++) {
        int at = (start + i) % n;
        const char *name = kb_yaml_scalar(kb_yaml_get(y, kb_yaml_item(y, section, at), "name"));
        if (name && strcmp(name, wanted) == 0)
            return at;
    }
    return -1;
}

/* No species of a section is defined twice, whether the phase lists it or not: as in Cantera */
static int check_twins(kb_yaml *y, const yaml_node_t *section)
{
    int n = kb_yaml_count(section);
    const yaml_node_t **names = kb_alloc((size_t)n + 1, sizeof *names);
    for (int i = 0; i < n; i++)
        names[i] = kb_yaml_get(y, kb_yaml_item(y, section, i), "name");
    int rc = kb_yaml_check_twins(y, names, n, "the species of line %d is defined here again:");
    free(names);
    return rc;
}

/* names: a list, of the file y, or NULL for all of the section, which is of `from` */
static int add_from(kb_yaml *y, kb_yaml *from, const yaml_node_t *section,
                    const yaml_node_t *names)
{
    kb_units u = kb_units_si();
    int first = 0, rc = check_twins(from, section) || kb_yaml_units(from, from->root, &u) ||
                    kb_yaml_list_units(from, section, &u, &first) ? KB_INVALID : KB_OK;
    int count = kb_yaml_count(names ? names : section);
    y->m->species = kb_realloc(y->m->species, (size_t)(y->m->nspecies + count + 1),
                               sizeof *y->m->species);
    for (int i = first; i < count && !names && !rc; i++)
        rc = add_species(from, kb_yaml_item(from, section, i), &u);
    for (int i = 0, at = -1; i < count && names && !rc; i++) {
        const yaml_node_t *name = kb_yaml_item(y, names, i);
        const char *wanted = kb_yaml_scalar(name);
        at = wanted ? named(from, section, wanted, at + 1) : -1;
        rc = at < 0 ? kb_yaml_fail(y, name, wanted, NULL, "species without a definition")
                    : add_species(from, kb_yaml_item(from, section, at), &u);
    }
    return rc;
}

/* One list of names, or the word `all`, out of a section (NULL: `species`) */
static int read_list(kb_yaml *y, const yaml_node_t *where, const char *section_name,
                     const yaml_node_t *list)
{
    const char *word = kb_yaml_scalar(list);
    bool all = !list || (word && strcmp(word, "all") == 0);
    if (word && strcmp(word, "none") == 0)
        return KB_OK;
    if (!all && !kb_yaml_is(list, YAML_SEQUENCE_NODE))
        return kb_yaml_fail(y, list, word, "a list of names, or all", "not a list of species:");
    kb_yaml from;
    const yaml_node_t *section = kb_yaml_section(y, where, section_name, &from);
    if (!section)
        return KB_INVALID;
    int rc = add_from(y, &from, section, all ? NULL : list);
    kb_yaml_leave(y, &from);
    return rc;
}

int kb_yaml_species(kb_yaml *y, const yaml_node_t *phase)
{
    const yaml_node_t *list = kb_yaml_get(y, phase, "species");
    if (!kb_yaml_is(list, YAML_SEQUENCE_NODE) || !kb_yaml_count(list) ||
        !kb_yaml_is(kb_yaml_item(y, list, 0), YAML_MAPPING_NODE))
        return read_list(y, list ? list : phase, "species", list);
    for (int i = 0; i < kb_yaml_count(list); i++) {
        const yaml_node_t *item = kb_yaml_item(y, list, i);
        if (!kb_yaml_is(item, YAML_MAPPING_NODE) || kb_yaml_count(item) != 1)
            return kb_yaml_fail(y, item, NULL, "{section: all}", "species: a section is expected");
        if (read_list(y, item, kb_yaml_scalar(kb_yaml_key(y, item, 0)), kb_yaml_value(y, item, 0)))
            return KB_INVALID;
    }
    return KB_OK;
}
