/* SPDX-License-Identifier: MIT
 *
 * Third bodies: what type, equation and efficiencies of a reaction say together (as in Cantera).
 */
#include "mech/yaml/node.h"

#include <string.h>

static double take_term(kb_term *terms, int *n, int species, double value)
{
    for (int i = 0; i < *n; i++) {
        if (terms[i].species != species)
            continue;
        terms[i].value -= value;
        if (terms[i].value == 0)
            memmove(&terms[i], &terms[i + 1], (size_t)(--*n - i) * sizeof *terms);
        return value;
    }
    return 0;
}

/* A third body without M: the one species that stands on both sides, or the one that efficiencies
 * name among several; -1: none, or more than one. */
static int species_on_both_sides(kb_yaml *y, const yaml_node_t *node, const kb_reaction *r)
{
    const yaml_node_t *list = kb_yaml_get(y, node, "efficiencies");
    const char *only = kb_yaml_count(list) == 1 ? kb_yaml_scalar(kb_yaml_key(y, list, 0)) : NULL;
    int found = -1, count = 0;
    for (int i = 0; i < r->nreactants; i++) {
        int species = r->reactants[i].species;
        bool both = false;
        for (int k = 0; k < r->nproducts; k++)
            both = both || r->products[k].species == species;
        if (!both || (only && strcmp(only, y->m->species[species].name) != 0))
            continue;
        found = species;
        count++;
    }
    return count == 1 ? found : -1;
}

static int named_collider(kb_yaml *y, const yaml_node_t *node, kb_reaction *r)
{
    const char *equation = kb_yaml_scalar(kb_yaml_get(y, node, "equation"));
    r->collider = species_on_both_sides(y, node, r);
    if (r->collider < 0)
        return kb_yaml_fail(y, node, equation, "add + M to both sides",
                            "three-body reaction without a third body");
    take_term(r->reactants, &r->nreactants, r->collider, 1);
    take_term(r->products, &r->nproducts, r->collider, 1);
    if (r->nreactants == 0 || r->nproducts == 0)
        return kb_yaml_fail(y, node, NULL, NULL, "three-body reaction of nothing but its collider");
    return KB_OK;
}

/* An equation without M has a third body, too, when the type or efficiencies say so. */
static int settle_plain(kb_yaml *y, const yaml_node_t *node, kb_reaction *r)
{
    const char *type = kb_yaml_scalar(kb_yaml_get(y, node, "type"));
    const yaml_node_t *list = kb_yaml_get(y, node, "efficiencies");
    if (!list)
        list = kb_yaml_get(y, node, "default-efficiency");
    if (r->type == KB_ELEMENTARY && list && (!type || strcmp(type, "elementary") != 0) &&
        species_on_both_sides(y, node, r) >= 0)
        r->type = KB_THREE_BODY;
    if (r->type == KB_THREE_BODY)
        return named_collider(y, node, r);
    if (list)
        return kb_yaml_fail(y, list, kb_yaml_scalar(kb_yaml_get(y, node, "equation")),
                            "add + M to both sides", "efficiencies without a third body in");
    return KB_OK;
}

/* Brings type and third body of the equation together. */
static int settle_type(kb_yaml *y, const yaml_node_t *node, kb_equation_kind kind, kb_reaction *r)
{
    const char *equation = kb_yaml_scalar(kb_yaml_get(y, node, "equation"));
    bool pressure = r->type == KB_FALLOFF || r->type == KB_ACTIVATED;
    bool table = r->type == KB_PLOG || r->type == KB_CHEBYSHEV || r->type == KB_LINEAR_BURKE;
    if (r->type == KB_ELEMENTARY && kind == KB_PLAIN_M) {
        const char *type = kb_yaml_scalar(kb_yaml_get(y, node, "type"));
        if (type && strcmp(type, "elementary") == 0)
            return kb_yaml_fail(y, node, equation, "type: three-body", "elementary, but + M in");
        r->type = KB_THREE_BODY;
    }
    if (pressure && kind != KB_PAREN)
        return kb_yaml_fail(y, node, equation, "(+M) on both sides", "falloff without a collider");
    if (kind == KB_NO_COLLIDER)
        return settle_plain(y, node, r);
    if (r->collider < 0 && (r->type == KB_CHEBYSHEV ||
                            (r->type == KB_LINEAR_BURKE && kind == KB_PAREN)))
        return KB_OK; /* M or (+M) of the equation means nothing here */
    if (!pressure && kind == KB_PAREN)
        return kb_yaml_fail(y, node, equation, table ? "leave it out" : "type: falloff",
                            "(+M) in a reaction of another type");
    if (table && kind == KB_PLAIN_M)
        return kb_yaml_fail(y, node, equation, "leave M out",
                            "a third body in a pressure-dependent reaction");
    return KB_OK;
}

/* Efficiencies of a reaction whose collider is one species: its own, and no other's */
static int check_collider(kb_yaml *y, const yaml_node_t *node, const yaml_node_t *list,
                          kb_reaction *r)
{
    const char *name = y->m->species[r->collider].name;
    bool only = r->nefficiencies == 1 && r->efficiencies[0].species == r->collider;
    if (list && !only)
        return kb_yaml_fail(y, list, name, "write + M instead",
                            "efficiencies of other species with the collider");
    if (kb_yaml_get(y, node, "default-efficiency") && r->default_efficiency != 0)
        return kb_yaml_fail(y, node, name, "leave it out",
                            "a default-efficiency beside the collider");
    r->default_efficiency = 0;
    if (only && r->efficiencies[0].value != 1) {
        r->collider = -1; /* M with an efficiency of this species alone */
        return KB_OK;
    }
    r->nefficiencies = 0;
    r->default_efficiency = 1;
    return KB_OK;
}

static int add_efficiency(kb_yaml *y, const yaml_node_t *key, const yaml_node_t *number,
                          kb_reaction *r)
{
    const char *name = kb_yaml_scalar(key);
    int species = name ? kb_yaml_find(y, name) : -1;
    double value;
    if (kb_yaml_number(y, number, "an efficiency", &value))
        return KB_INVALID;
    if (species >= 0)
        r->efficiencies[r->nefficiencies++] = (kb_term){species, value};
    else if (!y->skip_colliders)
        return kb_yaml_fail(y, key, name, "skip-undeclared-third-bodies: true in the phase",
                            "efficiency of an unknown species");
    return KB_OK;
}

static int read_efficiencies(kb_yaml *y, const yaml_node_t *node, kb_reaction *r)
{
    const yaml_node_t *list = kb_yaml_get(y, node, "efficiencies");
    const yaml_node_t *other = kb_yaml_get(y, node, "default-efficiency");
    bool colliders =
        r->type == KB_THREE_BODY || r->type == KB_FALLOFF || r->type == KB_ACTIVATED;
    if (list && !kb_yaml_is(list, YAML_MAPPING_NODE))
        return kb_yaml_fail(y, list, "efficiencies", "{H2O: 6.0}", "not a mapping:");
    if ((list || other) && !colliders)
        return kb_yaml_fail(y, list ? list : other, "efficiencies", NULL,
                            "a reaction without a third body has");
    if (other && kb_yaml_number(y, other, "default-efficiency", &r->default_efficiency))
        return KB_INVALID;
    r->efficiencies = kb_alloc((size_t)kb_yaml_count(list), sizeof *r->efficiencies);
    for (int i = 0; i < kb_yaml_count(list); i++)
        if (add_efficiency(y, kb_yaml_key(y, list, i), kb_yaml_value(y, list, i), r))
            return KB_INVALID;
    return r->collider >= 0 ? check_collider(y, node, list, r) : KB_OK;
}

int kb_yaml_third_body(kb_yaml *y, const yaml_node_t *node, kb_equation_kind kind, kb_reaction *r)
{
    return settle_type(y, node, kind, r) || read_efficiencies(y, node, r);
}
