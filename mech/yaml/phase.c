/* SPDX-License-Identifier: MIT
 *
 * Elements and species of one phase, with NASA-7 thermodynamics.
 */
#include "mech/yaml/node.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int add_element(kb_yaml *y, const yaml_node_t *root, const yaml_node_t *node)
{
    const char *symbol = kb_yaml_name(node);
    kb_mech *m = y->m;
    if (!symbol || strlen(symbol) >= sizeof m->elements[0].name)
        return kb_yaml_fail(y, node, kb_yaml_scalar(node), "1 to 7 letters",
                            "not an element symbol");
    if (kb_find_element(m, symbol) >= 0)
        return kb_yaml_fail(y, node, symbol, NULL, "element declared twice");
    if (m->nelements == KB_MAX_ELEMENTS)
        return kb_yaml_fail(y, node, symbol, NULL, "more than %d elements at", KB_MAX_ELEMENTS);
    double weight = kb_element_weight(symbol);
    const yaml_node_t *section = kb_yaml_get(y, root, "elements");
    if (!kb_yaml_is(section, YAML_SEQUENCE_NODE))
        section = NULL;
    for (int i = 0; i < kb_yaml_count(section); i++) {
        const yaml_node_t *own = kb_yaml_item(y, section, i);
        const char *name = kb_yaml_scalar(kb_yaml_get(y, own, "symbol"));
        const yaml_node_t *value = kb_yaml_get(y, own, "atomic-weight");
        if (name && value && strcmp(name, symbol) == 0 &&
            kb_yaml_number(y, value, "atomic-weight", &weight))
            return KB_INVALID;
    }
    if (!(weight > 0))
        return kb_yaml_fail(y, node, symbol, "give its atomic-weight in a section 'elements'",
                            "element without a weight");
    kb_element *e = &m->elements[m->nelements++];
    strcpy(e->name, symbol);
    e->weight = weight;
    return KB_OK;
}

/* The phase's `elements`: symbols, or {section: symbols}. */
static int read_elements(kb_yaml *y, const yaml_node_t *root, const yaml_node_t *list)
{
    for (int i = 0; i < kb_yaml_count(list); i++) {
        const yaml_node_t *item = kb_yaml_item(y, list, i);
        if (!kb_yaml_is(item, YAML_MAPPING_NODE)) {
            if (add_element(y, root, item))
                return KB_INVALID;
            continue;
        }
        const yaml_node_t *inner =
            kb_yaml_count(item) == 1 ? kb_yaml_value(y, item, 0) : NULL;
        if (!kb_yaml_is(inner, YAML_SEQUENCE_NODE))
            return kb_yaml_fail(y, item, NULL, "[H, O, N]", "elements: symbols are expected");
        for (int k = 0; k < kb_yaml_count(inner); k++) {
            if (add_element(y, root, kb_yaml_item(y, inner, k)))
                return KB_INVALID;
        }
    }
    return KB_OK;
}

static int read_row(kb_yaml *y, const yaml_node_t *row, double *a)
{
    if (!kb_yaml_is(row, YAML_SEQUENCE_NODE) || kb_yaml_count(row) != 7)
        return kb_yaml_fail(y, row, NULL, NULL, "NASA7: a row of data has %d numbers, not 7",
                            kb_yaml_count(row));
    for (int i = 0; i < 7; i++) {
        if (kb_yaml_number(y, kb_yaml_item(y, row, i), "a NASA-7 coefficient", &a[i]))
            return KB_INVALID;
    }
    return KB_OK;
}

/* One range is stored as two with the same coefficients, as a CHEMKIN file has it. */
static double one_range_Tmid(double Tlow, double Thigh)
{
    return Tlow < 1000 && 1000 < Thigh ? 1000 : (Tlow + Thigh) / 2;
}

static int read_ranges(kb_yaml *y, const yaml_node_t *thermo, kb_species *s)
{
    const yaml_node_t *ranges = kb_yaml_get(y, thermo, "temperature-ranges");
    const yaml_node_t *data = kb_yaml_get(y, thermo, "data");
    int n = kb_yaml_count(ranges) - 1;
    if (!kb_yaml_is(ranges, YAML_SEQUENCE_NODE) || n < 1 || n > 2)
        return kb_yaml_fail(y, ranges ? ranges : thermo, s->name, "[Tlow, Tmid, Thigh]",
                            "NASA7: temperature-ranges must hold 2 or 3 temperatures for species");
    if (!kb_yaml_is(data, YAML_SEQUENCE_NODE) || kb_yaml_count(data) != n)
        return kb_yaml_fail(y, data ? data : thermo, s->name, NULL,
                            "NASA7: %d rows of data are needed for species", n);
    double T[3] = {0};
    for (int i = 0; i <= n; i++) {
        if (kb_yaml_number(y, kb_yaml_item(y, ranges, i), "temperature", &T[i]))
            return KB_INVALID;
        if (i && !(T[i] > T[i - 1]))
            return kb_yaml_fail(y, ranges, s->name, NULL, "temperature-ranges must ascend for");
    }
    s->Tlow = T[0];
    s->Thigh = T[n];
    s->Tmid = n == 2 ? T[1] : one_range_Tmid(s->Tlow, s->Thigh);
    return read_row(y, kb_yaml_item(y, data, 0), s->lo) ||
           read_row(y, kb_yaml_item(y, data, n - 1), s->hi);
}

static int read_thermo(kb_yaml *y, const yaml_node_t *node, const kb_units *u, kb_species *s)
{
    const yaml_node_t *thermo = kb_yaml_get(y, node, "thermo");
    const char *model = kb_yaml_scalar(kb_yaml_get(y, thermo, "model"));
    kb_units own = *u;
    if (!model)
        return kb_yaml_fail(y, node, s->name, "thermo: {model: NASA7, ...}",
                            "no thermo model for species");
    if (strcmp(model, "NASA7") != 0)
        return kb_yaml_fail(y, thermo, model, "only NASA7 is read",
                            "species %s has another thermo model:", s->name);
    if (kb_yaml_units(y, thermo, &own))
        return KB_INVALID;
    const yaml_node_t *p = kb_yaml_get(y, thermo, "reference-pressure");
    s->p_ref = KB_ATM;
    if (p && kb_yaml_pressure(y, p, &own, &s->p_ref))
        return KB_INVALID;
    if (!(s->p_ref > 0))
        return kb_yaml_fail(y, p, s->name, NULL, "reference-pressure must be above 0 for species");
    return read_ranges(y, thermo, s);
}

/* all_elements: undeclared elements join the phase (it has no `elements` list). */
static int read_composition(kb_yaml *y, const yaml_node_t *root, const yaml_node_t *node,
                            bool all_elements, kb_species *s, bool *skip)
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
        if (all_elements && kb_find_element(y->m, symbol) < 0 && add_element(y, root, key))
            return KB_INVALID;
        int e = kb_find_element(y->m, symbol);
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

static int add_species(kb_yaml *y, const yaml_node_t *root, const yaml_node_t *node,
                       bool all_elements, const kb_units *u)
{
    kb_mech *m = y->m;
    const char *name = kb_yaml_name(kb_yaml_get(y, node, "name"));
    if (!name)
        return kb_yaml_fail(y, node, NULL, "a name has no blanks and no control characters",
                            "species without a usable name");
    if (kb_find_species(m, name) >= 0)
        return kb_yaml_fail(y, node, name, NULL, "species declared twice");
    kb_species *s = &m->species[m->nspecies];
    memset(s, 0, sizeof *s);
    s->file = y->file;
    s->line = (int)node->start_mark.line + 1;
    s->name = kb_strdup(name);
    kb_units own = *u;
    bool skip = false;
    int rc = kb_yaml_units(y, node, &own);
    if (!rc)
        rc = read_composition(y, root, node, all_elements, s, &skip);
    if (!rc && !skip)
        rc = read_thermo(y, node, &own, s);
    if (rc || skip)
        free(s->name);
    else
        m->nspecies++;
    return rc;
}

static bool is_units_item(kb_yaml *y, const yaml_node_t *node)
{
    return kb_yaml_count(node) == 1 && kb_yaml_get(y, node, "units");
}

/* Walks a section of species; wanted NULL: all of them. */
static int add_from(kb_yaml *y, const yaml_node_t *root, const yaml_node_t *section,
                    const yaml_node_t *wanted, bool all_elements, const kb_units *u)
{
    const char *name = kb_yaml_scalar(wanted);
    kb_units own = *u;
    y->m->species = kb_realloc(y->m->species,
                               (size_t)(y->m->nspecies + kb_yaml_count(section) + 1),
                               sizeof *y->m->species);
    for (int i = 0; i < kb_yaml_count(section); i++) {
        const yaml_node_t *item = kb_yaml_item(y, section, i);
        if (is_units_item(y, item)) {
            if (kb_yaml_units(y, item, &own))
                return KB_INVALID;
            continue;
        }
        const char *own_name = kb_yaml_scalar(kb_yaml_get(y, item, "name"));
        if (name && own_name && strcmp(name, own_name) == 0)
            return add_species(y, root, item, all_elements, &own);
        if (!wanted && add_species(y, root, item, all_elements, &own))
            return KB_INVALID;
    }
    if (wanted)
        return kb_yaml_fail(y, wanted, name, NULL, "species without a definition");
    return KB_OK;
}

/* One list of names, or the word `all`, out of a section. */
static int read_list(kb_yaml *y, const yaml_node_t *root, const yaml_node_t *section_name,
                     const yaml_node_t *list, bool all_elements, const kb_units *u)
{
    const char *name = section_name ? kb_yaml_scalar(section_name) : "species";
    const yaml_node_t *section = name ? kb_yaml_get(y, root, name) : NULL;
    const char *word = kb_yaml_scalar(list);
    if (name && strchr(name, '/'))
        return kb_yaml_fail(y, section_name, name, "put the species into this file",
                            "species of another file are not read:");
    if (!kb_yaml_is(section, YAML_SEQUENCE_NODE))
        return kb_yaml_fail(y, section_name ? section_name : root, name, NULL,
                            "no such section of species:");
    if (!list || (word && strcmp(word, "all") == 0))
        return add_from(y, root, section, NULL, all_elements, u);
    if (!kb_yaml_is(list, YAML_SEQUENCE_NODE))
        return kb_yaml_fail(y, list, word, "a list of names, or all", "not a list of species:");
    for (int i = 0; i < kb_yaml_count(list); i++) {
        if (add_from(y, root, section, kb_yaml_item(y, list, i), all_elements, u))
            return KB_INVALID;
    }
    return KB_OK;
}

int kb_yaml_phase(kb_yaml *y, const yaml_node_t *root, const yaml_node_t *phase)
{
    kb_units u = kb_units_si();
    if (kb_yaml_units(y, root, &u))
        return KB_INVALID;
    const yaml_node_t *elements = kb_yaml_get(y, phase, "elements");
    bool all_elements = !kb_yaml_is(elements, YAML_SEQUENCE_NODE);
    if (!all_elements && read_elements(y, root, elements))
        return KB_INVALID;
    if (kb_yaml_flag(y, phase, "skip-undeclared-elements", &y->skip_elements) ||
        kb_yaml_flag(y, phase, "skip-undeclared-third-bodies", &y->skip_colliders))
        return KB_INVALID;
    const yaml_node_t *list = kb_yaml_get(y, phase, "species");
    if (!kb_yaml_is(list, YAML_SEQUENCE_NODE) || !kb_yaml_count(list) ||
        !kb_yaml_is(kb_yaml_item(y, list, 0), YAML_MAPPING_NODE))
        return read_list(y, root, NULL, list, all_elements, &u);
    for (int i = 0; i < kb_yaml_count(list); i++) {
        const yaml_node_t *item = kb_yaml_item(y, list, i);
        if (!kb_yaml_is(item, YAML_MAPPING_NODE) || kb_yaml_count(item) != 1)
            return kb_yaml_fail(y, item, NULL, "{section: all}", "species: a section is expected");
        if (read_list(y, root, kb_yaml_key(y, item, 0), kb_yaml_value(y, item, 0), all_elements,
                      &u))
            return KB_INVALID;
    }
    return KB_OK;
}
