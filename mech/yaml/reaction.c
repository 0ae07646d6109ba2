/* SPDX-License-Identifier: MIT
 *
 * Reactions of one phase: sections, types, orders, third bodies.
 */
#include "mech/yaml/node.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    kb_rate_type type;
} types[] = {{"elementary", KB_ELEMENTARY},
             {"Arrhenius", KB_ELEMENTARY},
             {"three-body", KB_THREE_BODY},
             {"three-body-Arrhenius", KB_THREE_BODY},
             {"falloff", KB_FALLOFF},
             {"chemically-activated", KB_ACTIVATED},
             {"pressure-dependent-Arrhenius", KB_PLOG},
             {"Chebyshev", KB_CHEBYSHEV}};

static int read_type(kb_yaml *y, const yaml_node_t *node, kb_reaction *r)
{
    const yaml_node_t *type = kb_yaml_get(y, node, "type");
    const char *name = kb_yaml_scalar(type);
    if (!type)
        return KB_OK; /* elementary, or three-body when the equation has + M */
    for (size_t i = 0; name && i < sizeof types / sizeof *types; i++) {
        if (strcmp(name, types[i].name) == 0) {
            r->type = types[i].type;
            return KB_OK;
        }
    }
    return kb_yaml_fail(y, type, name,
                        "known: elementary, three-body, falloff, chemically-activated, "
                        "pressure-dependent-Arrhenius, Chebyshev", "unknown reaction type");
}

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

/* `type: three-body` without M: the one species that stands on both sides is the collider. */
static int named_collider(kb_yaml *y, const yaml_node_t *node, kb_reaction *r)
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
    if (count != 1)
        return kb_yaml_fail(y, node, kb_yaml_scalar(kb_yaml_get(y, node, "equation")),
                            "add + M to both sides", "three-body reaction without a third body");
    r->collider = found;
    take_term(r->reactants, &r->nreactants, found, 1);
    take_term(r->products, &r->nproducts, found, 1);
    if (r->nreactants == 0 || r->nproducts == 0)
        return kb_yaml_fail(y, node, NULL, NULL, "three-body reaction of nothing but its collider");
    return KB_OK;
}

/* Brings type and third body of the equation together. */
static int settle_type(kb_yaml *y, const yaml_node_t *node, kb_equation_kind kind, kb_reaction *r)
{
    const char *equation = kb_yaml_scalar(kb_yaml_get(y, node, "equation"));
    bool pressure = r->type == KB_FALLOFF || r->type == KB_ACTIVATED;
    if (r->type == KB_ELEMENTARY && kind == KB_PLAIN_M)
        r->type = KB_THREE_BODY;
    if (r->type == KB_THREE_BODY && kind == KB_NO_COLLIDER)
        return named_collider(y, node, r);
    if (pressure && kind != KB_PAREN)
        return kb_yaml_fail(y, node, equation, "(+M) on both sides", "falloff without a collider");
    if (r->type == KB_CHEBYSHEV && kind == KB_PAREN && r->collider < 0)
        return KB_OK; /* old files write (+M), which means nothing here */
    if (!pressure && kind == KB_PAREN)
        return kb_yaml_fail(y, node, equation, "type: falloff",
                            "(+M) in a reaction of another type");
    if ((r->type == KB_PLOG || r->type == KB_CHEBYSHEV) && kind == KB_PLAIN_M)
        return kb_yaml_fail(y, node, equation, "leave M out",
                            "a third body in a pressure-dependent reaction");
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
    if (list && !colliders)
        return kb_yaml_fail(y, list, "efficiencies", NULL, "a reaction without a third body has");
    if (other && kb_yaml_number(y, other, "default-efficiency", &r->default_efficiency))
        return KB_INVALID;
    r->efficiencies = kb_alloc((size_t)kb_yaml_count(list), sizeof *r->efficiencies);
    for (int i = 0; i < kb_yaml_count(list); i++) {
        const yaml_node_t *key = kb_yaml_key(y, list, i);
        const char *name = kb_yaml_scalar(key);
        double value;
        if (kb_yaml_number(y, kb_yaml_value(y, list, i), "an efficiency", &value))
            return KB_INVALID;
        int species = name ? kb_find_species(y->m, name) : -1;
        if (species < 0 && y->skip_colliders)
            continue;
        if (species < 0)
            return kb_yaml_fail(y, key, name, NULL, "efficiency of an unknown species");
        if (r->collider >= 0 && (species != r->collider || value != 1))
            return kb_yaml_fail(y, key, name, "write + M instead",
                                "efficiency with the collider %s:",
                                y->m->species[r->collider].name);
        for (int k = 0; k < r->nefficiencies; k++) {
            if (r->efficiencies[k].species == species)
                return kb_yaml_fail(y, key, name, NULL, "two efficiencies of one species");
        }
        r->efficiencies[r->nefficiencies++] = (kb_term){species, value};
    }
    if (r->collider >= 0) {
        r->nefficiencies = 0;
        r->default_efficiency = 1;
    }
    return KB_OK;
}

static int set_order(kb_yaml *y, const yaml_node_t *key, const yaml_node_t *value, bool nonreactant,
                     bool negative, kb_reaction *r)
{
    const char *name = kb_yaml_scalar(key);
    int species = name ? kb_find_species(y->m, name) : -1;
    double order;
    if (species < 0)
        return kb_yaml_fail(y, key, name, NULL, "order of an unknown species");
    if (kb_yaml_number(y, value, "an order", &order))
        return KB_INVALID;
    if (order < 0 && !negative)
        return kb_yaml_fail(y, key, name, "negative-orders: true", "negative order of");
    for (int i = 0; i < r->nforward_orders; i++) {
        if (r->forward_orders[i].species == species) {
            r->forward_orders[i].value = order;
            return KB_OK;
        }
    }
    if (!nonreactant)
        return kb_yaml_fail(y, key, name, "nonreactant-orders: true", "order of a non-reactant");
    r->forward_orders[r->nforward_orders++] = (kb_term){species, order};
    return KB_OK;
}

/* Orders replace the stoichiometric ones of the species that they name. */
static int read_orders(kb_yaml *y, const yaml_node_t *node, kb_reaction *r)
{
    const yaml_node_t *list = kb_yaml_get(y, node, "orders");
    bool nonreactant = false, negative = false;
    if (kb_yaml_flag(y, node, "nonreactant-orders", &nonreactant) ||
        kb_yaml_flag(y, node, "negative-orders", &negative))
        return KB_INVALID;
    if (!list)
        return KB_OK;
    if (!kb_yaml_is(list, YAML_MAPPING_NODE))
        return kb_yaml_fail(y, list, "orders", "{CH4: 0.5}", "not a mapping:");
    r->forward_orders = kb_alloc((size_t)(r->nreactants + kb_yaml_count(list)),
                                 sizeof *r->forward_orders);
    memcpy(r->forward_orders, r->reactants, (size_t)r->nreactants * sizeof *r->reactants);
    r->nforward_orders = r->nreactants;
    for (int i = 0; i < kb_yaml_count(list); i++) {
        if (set_order(y, kb_yaml_key(y, list, i), kb_yaml_value(y, list, i), nonreactant, negative,
                      r))
            return KB_INVALID;
    }
    return KB_OK;
}

/* *keep becomes false for a reaction with undeclared species that is to be left out. */
static int read_reaction(kb_yaml *y, const yaml_node_t *node, const kb_units *u, kb_reaction *r,
                         bool *keep)
{
    kb_units own = *u;
    kb_equation_kind kind = KB_NO_COLLIDER;
    bool undeclared = false;
    const yaml_node_t *equation = kb_yaml_get(y, node, "equation");
    r->file = y->file;
    r->line = (int)node->start_mark.line + 1;
    r->default_efficiency = 1;
    r->collider = -1;
    if (!equation)
        return kb_yaml_fail(y, node, "equation", NULL, "a reaction without");
    if (kb_yaml_equation(y, equation, r, &kind, &undeclared))
        return KB_INVALID;
    *keep = !undeclared;
    if (undeclared)
        return KB_OK;
    return kb_yaml_units(y, node, &own) || read_type(y, node, r) ||
           settle_type(y, node, kind, r) || read_efficiencies(y, node, r) ||
           kb_yaml_flag(y, node, "duplicate", &r->duplicate) || read_orders(y, node, r) ||
           kb_yaml_rate(y, node, &own, r);
}

static void drop_last(kb_mech *m)
{
    kb_reaction *r = &m->reactions[--m->nreactions];
    free(r->reactants);
    free(r->products);
}

static int read_section(kb_yaml *y, const yaml_node_t *section, const kb_units *u)
{
    kb_mech *m = y->m;
    kb_units own = *u;
    int count = kb_yaml_count(section);
    m->reactions =
        kb_realloc(m->reactions, (size_t)(m->nreactions + count + 1), sizeof *m->reactions);
    for (int i = 0; i < count; i++) {
        const yaml_node_t *item = kb_yaml_item(y, section, i);
        if (kb_yaml_count(item) == 1 && kb_yaml_get(y, item, "units")) {
            if (kb_yaml_units(y, item, &own))
                return KB_INVALID;
            continue;
        }
        kb_reaction *r = &m->reactions[m->nreactions++];
        memset(r, 0, sizeof *r);
        bool keep = true;
        if (read_reaction(y, item, &own, r, &keep))
            return KB_INVALID;
        if (!keep)
            drop_last(m);
    }
    return KB_OK;
}

/* rule: all, declared-species or none (NULL: all) */
static int read_named(kb_yaml *y, const yaml_node_t *root, const yaml_node_t *where,
                      const char *name, const char *rule, const kb_units *u)
{
    if (name && strchr(name, '/'))
        return kb_yaml_fail(y, where, name, "put the reactions into this file",
                            "reactions of another file are not read:");
    if (rule && strcmp(rule, "none") == 0)
        return KB_OK;
    y->skip_reactions = rule && strcmp(rule, "declared-species") == 0;
    if (rule && !y->skip_reactions && strcmp(rule, "all") != 0)
        return kb_yaml_fail(y, where, rule, "all, declared-species or none",
                            "unknown rule for reactions");
    const yaml_node_t *section = name ? kb_yaml_get(y, root, name) : NULL;
    if (!kb_yaml_is(section, YAML_SEQUENCE_NODE))
        return kb_yaml_fail(y, where, name, NULL, "no such section of reactions:");
    return read_section(y, section, u);
}

int kb_yaml_reactions(kb_yaml *y, const yaml_node_t *root, const yaml_node_t *phase,
                      const kb_units *u)
{
    const yaml_node_t *list = kb_yaml_get(y, phase, "reactions");
    if (!list && !kb_yaml_get(y, root, "reactions"))
        return KB_OK;
    if (!kb_yaml_get(y, phase, "kinetics")) {
        kb_add_warning(y->m, "%s:%d: no 'kinetics' in the phase, so that it has no reactions",
                       y->file, (int)phase->start_mark.line + 1);
        return KB_OK;
    }
    if (!list || kb_yaml_scalar(list))
        return read_named(y, root, list, "reactions", kb_yaml_scalar(list), u);
    for (int i = 0; i < kb_yaml_count(list); i++) {
        const yaml_node_t *item = kb_yaml_is(list, YAML_SEQUENCE_NODE)
                                      ? kb_yaml_item(y, list, i) : list;
        const yaml_node_t *name = item, *rule = NULL;
        if (kb_yaml_is(item, YAML_MAPPING_NODE)) {
            if (kb_yaml_count(item) != 1)
                return kb_yaml_fail(y, item, NULL, "{section: all}", "one section is expected");
            name = kb_yaml_key(y, item, 0);
            rule = kb_yaml_value(y, item, 0);
        }
        if (read_named(y, root, item, kb_yaml_scalar(name), kb_yaml_scalar(rule), u))
            return KB_INVALID;
    }
    return KB_OK;
}
