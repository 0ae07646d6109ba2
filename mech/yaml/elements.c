/* SPDX-License-Identifier: MIT
 *
 * Elements of a phase and their weights, by Cantera's rules: a list of symbols takes a weight of
 * the file's section `elements` first and the standard one else; {section: symbols} takes those of
 * that section alone; a phase without a list takes standard weights for what its species name.
 */
#include "mech/yaml/node.h"

#include <stdio.h>
#include <string.h>

int kb_yaml_element(const kb_yaml *y, const char *symbol)
{
    for (int e = 0; e < y->m->nelements; e++)
        if (strcmp(y->m->elements[e].name, symbol) == 0)
            return e;
    return -1;
}

/* *weight of a section's entry for the symbol; unchanged if there is none */
static int own_weight(kb_yaml *y, const yaml_node_t *section, const char *symbol, double *weight)
{
    static const kb_yaml_keys keys = {.what = "element", .known = "symbol|atomic-weight",
                                      .noted = "atomic-number|entropy298|note"};
    for (int i = 0; i < kb_yaml_count(section); i++) {
        const yaml_node_t *own = kb_yaml_item(y, section, i);
        const char *name = kb_yaml_scalar(kb_yaml_get(y, own, "symbol"));
        const yaml_node_t *value = kb_yaml_get(y, own, "atomic-weight");
        if (!name || strcmp(name, symbol) != 0)
            continue;
        if (kb_yaml_check_keys(y, own, &keys))
            return KB_INVALID;
        if (!value)
            return kb_yaml_fail(y, own, symbol, NULL, "no atomic-weight for element");
        return kb_yaml_number(y, value, "atomic-weight", weight);
    }
    return KB_OK;
}

static int check_symbol(kb_yaml *y, const yaml_node_t *node, const char *symbol)
{
    kb_mech *m = y->m;
    if (!symbol || strlen(symbol) >= sizeof m->elements[0].name)
        return kb_yaml_fail(y, node, kb_yaml_scalar(node), "1 to 7 letters",
                            "not an element symbol");
    if (kb_find_element(m, symbol) >= 0)
        return kb_yaml_fail(y, node, symbol, NULL, kb_yaml_element(y, symbol) >= 0
                            ? "element declared twice" : "elements that differ by case only:");
    if (m->nelements == KB_MAX_ELEMENTS)
        return kb_yaml_fail(y, node, symbol, NULL, "more than %d elements at", KB_MAX_ELEMENTS);
    return KB_OK;
}

/* section: of the file `from`, or NULL */
static int add(kb_yaml *y, kb_yaml *from, const yaml_node_t *node, const yaml_node_t *section,
               bool standard)
{
    const char *symbol = kb_yaml_name(node);
    if (check_symbol(y, node, symbol))
        return KB_INVALID;
    const char *known = kb_element_symbol(symbol);
    bool same = known && strcmp(known, symbol) == 0;
    double weight = same && standard ? kb_element_weight(symbol) : 0;
    char hint[64];
    if (own_weight(from, section, symbol, &weight))
        return KB_INVALID;
    snprintf(hint, sizeof hint, known && !same ? "did you mean %s?"
             : "give its atomic-weight in a section 'elements'", known);
    if (!(weight > 0))
        return kb_yaml_fail(y, node, symbol, hint, "element without a weight");
    kb_element *e = &y->m->elements[y->m->nelements++];
    strcpy(e->name, symbol);
    e->weight = weight;
    return KB_OK;
}

static int add_all(kb_yaml *y, kb_yaml *from, const yaml_node_t *symbols,
                   const yaml_node_t *section, bool standard)
{
    if (!kb_yaml_is(symbols, YAML_SEQUENCE_NODE))
        return kb_yaml_fail(y, symbols, NULL, "[H, O, N]", "elements: symbols are expected");
    for (int i = 0; i < kb_yaml_count(symbols); i++)
        if (add(y, from, kb_yaml_item(y, symbols, i), section, standard))
            return KB_INVALID;
    return KB_OK;
}

/* {section: [H, O]}; "default" stands for the standard weights */
static int add_section(kb_yaml *y, const yaml_node_t *item)
{
    if (kb_yaml_count(item) != 1)
        return kb_yaml_fail(y, item, NULL, "{section: [H, O]}",
                            "elements: one section is expected");
    const char *name = kb_yaml_scalar(kb_yaml_key(y, item, 0));
    const yaml_node_t *symbols = kb_yaml_value(y, item, 0);
    if (name && strcmp(name, "default") == 0 && !kb_yaml_get(y, y->root, name))
        return add_all(y, y, symbols, NULL, true);
    kb_yaml from;
    const yaml_node_t *section = kb_yaml_section(y, item, name, &from);
    if (!section)
        return KB_INVALID;
    int rc = add_all(y, &from, symbols, section, false);
    kb_yaml_leave(y, &from);
    return rc;
}

int kb_yaml_add_element(kb_yaml *y, const yaml_node_t *node)
{
    return add(y, y, node, NULL, true);
}

int kb_yaml_elements(kb_yaml *y, const yaml_node_t *phase)
{
    const yaml_node_t *list = kb_yaml_get(y, phase, "elements");
    const yaml_node_t *own = kb_yaml_get(y, y->root, "elements");
    y->any_element = !list;
    if (!list)
        return KB_OK;
    bool sections = kb_yaml_is(list, YAML_SEQUENCE_NODE) && kb_yaml_count(list) &&
                    kb_yaml_is(kb_yaml_item(y, list, 0), YAML_MAPPING_NODE);
    if (!sections)
        return add_all(y, y, list, kb_yaml_is(own, YAML_SEQUENCE_NODE) ? own : NULL, true);
    for (int i = 0; i < kb_yaml_count(list); i++)
        if (add_section(y, kb_yaml_item(y, list, i)))
            return KB_INVALID;
    return KB_OK;
}
