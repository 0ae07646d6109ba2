/* SPDX-License-Identifier: MIT
 *
 * Reactions of one phase: sections, types, orders, third bodies.
 */
#include "mech/yaml/node.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PRESSURE_KEYS "low-P-rate-constant|high-P-rate-constant|negative-A"

static const struct {
    const char *name;
    kb_rate_type type;
    const char *keys; /* of its rate */
} types[] = {{"elementary", KB_ELEMENTARY, "rate-constant|negative-A"},
             {"Arrhenius", KB_ELEMENTARY, "rate-constant|negative-A"},
             {"three-body", KB_THREE_BODY, "rate-constant|negative-A"},
             {"three-body-Arrhenius", KB_THREE_BODY, "rate-constant|negative-A"},
             {"falloff", KB_FALLOFF, PRESSURE_KEYS "|Troe|SRI|Tsang"},
             {"chemically-activated", KB_ACTIVATED, PRESSURE_KEYS "|Troe|SRI|Tsang"},
             {"pressure-dependent-Arrhenius", KB_PLOG, "rate-constants"},
             {"Chebyshev", KB_CHEBYSHEV, "temperature-range|pressure-range|data"},
             {"Blowers-Masel", KB_ELEMENTARY, "rate-constant|negative-A"},
             {"three-body-Blowers-Masel", KB_THREE_BODY, "rate-constant|negative-A"},
             {"linear-Burke", KB_LINEAR_BURKE, "colliders"}};

/* Keys that belong to the rates of some type; one that is not of the reaction's own is an error. */
static const char rate_keys[] =
    PRESSURE_KEYS "|Troe|SRI|Tsang|rate-constant|rate-constants|temperature-range|pressure-range|"
    "data|colliders|sticking-coefficient|coverage-dependencies|Motz-Wise|beta|"
    "exchange-current-density-formulation|sticking-species|rate-multiplier";

static int check_keys(kb_yaml *y, const yaml_node_t *node, const char *type, const char *rate)
{
    char *known = kb_format("equation|type|%s|units|duplicate|orders|negative-orders|"
                            "nonreactant-orders|efficiencies|default-efficiency", rate);
    char *hint = kb_format("it is no key of a reaction of type %s", type);
    kb_yaml_keys keys = {.what = "reaction", .known = known, .refused = rate_keys, .hint = hint,
                         .noted = "id|note|rate-units|reference|source|comment"};
    int rc = kb_yaml_check_keys(y, node, &keys);
    free(hint);
    free(known);
    return rc;
}

static int read_type(kb_yaml *y, const yaml_node_t *node, kb_reaction *r)
{
    const yaml_node_t *type = kb_yaml_get(y, node, "type");
    /* elementary, or three-body when the equation has + M */
    const char *name = type ? kb_yaml_scalar(type) : "Arrhenius";
    for (size_t i = 0; name && i < sizeof types / sizeof *types; i++) {
        if (strcmp(name, types[i].name) == 0) {
            r->type = types[i].type;
            r->blowers_masel = strstr(name, "Blowers-Masel") != NULL;
            return check_keys(y, node, name, types[i].keys);
        }
    }
    return kb_yaml_fail(y, type, name,
                        "known: elementary, three-body, falloff, chemically-activated, "
                        "pressure-dependent-Arrhenius, Chebyshev, Blowers-Masel, linear-Burke",
                        "unknown reaction type");
}

static int set_order(kb_yaml *y, const yaml_node_t *key, const yaml_node_t *value, bool nonreactant,
                     bool negative, kb_reaction *r)
{
    const char *name = kb_yaml_scalar(key);
    int species = name ? kb_yaml_find(y, name) : -1;
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
    if (r->reversible)
        return kb_yaml_fail(y, list, "orders", "write => and the reverse on its own",
                            "a reversible reaction cannot have");
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

/* Whether a reaction of rule declared-species names a species in its orders that is not there */
static bool unknown_order(kb_yaml *y, const yaml_node_t *node)
{
    const yaml_node_t *list = kb_yaml_get(y, node, "orders");
    bool unknown = false;
    for (int i = 0; kb_yaml_is(list, YAML_MAPPING_NODE) && i < kb_yaml_count(list); i++) {
        const char *name = kb_yaml_scalar(kb_yaml_key(y, list, i));
        unknown = unknown || (name && kb_yaml_find(y, name) < 0);
    }
    return unknown;
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
    *keep = !undeclared && !(y->skip_reactions && unknown_order(y, node));
    if (!*keep)
        return KB_OK;
    return kb_yaml_units(y, node, &own) || read_type(y, node, r) ||
           kb_yaml_third_body(y, node, kind, r) ||
           kb_yaml_flag(y, node, "duplicate", &r->duplicate) || read_orders(y, node, r) ||
           kb_yaml_rate(y, node, &own, r);
}

static int read_section(kb_yaml *y, const yaml_node_t *section)
{
    kb_mech *m = y->m;
    kb_units u = kb_units_si();
    int first, count = kb_yaml_count(section);
    if (kb_yaml_units(y, y->root, &u) || kb_yaml_list_units(y, section, &u, &first))
        return KB_INVALID;
    m->reactions =
        kb_realloc(m->reactions, (size_t)(m->nreactions + count + 1), sizeof *m->reactions);
    for (int i = first; i < count; i++) {
        kb_reaction *r = &m->reactions[m->nreactions++];
        memset(r, 0, sizeof *r);
        bool keep = true;
        if (read_reaction(y, kb_yaml_item(y, section, i), &u, r, &keep))
            return KB_INVALID;
        if (!keep)
            kb_reaction_free(&m->reactions[--m->nreactions]);
    }
    return KB_OK;
}

/* rule: all, declared-species or none (NULL: all) */
static int read_named(kb_yaml *y, const yaml_node_t *where, const char *name, const char *rule)
{
    if (rule && strcmp(rule, "none") == 0)
        return KB_OK;
    y->skip_reactions = rule && strcmp(rule, "declared-species") == 0;
    if (rule && !y->skip_reactions && strcmp(rule, "all") != 0)
        return kb_yaml_fail(y, where, rule, "all, declared-species or none",
                            "unknown rule for reactions");
    kb_yaml from;
    const yaml_node_t *section = kb_yaml_section(y, where, name, &from);
    if (!section)
        return KB_INVALID;
    int rc = read_section(&from, section);
    kb_yaml_leave(y, &from);
    return rc;
}

/* One entry of the phase's list: a section, or {section: rule} */
static int read_entry(kb_yaml *y, const yaml_node_t *item)
{
    if (!kb_yaml_is(item, YAML_MAPPING_NODE))
        return read_named(y, item, kb_yaml_scalar(item), NULL);
    const yaml_node_t *rule = kb_yaml_count(item) == 1 ? kb_yaml_value(y, item, 0) : NULL;
    if (!kb_yaml_is(rule, YAML_SCALAR_NODE))
        return kb_yaml_fail(y, item, NULL, "{section: all}", "reactions: one section is expected");
    return read_named(y, item, kb_yaml_scalar(kb_yaml_key(y, item, 0)), kb_yaml_scalar(rule));
}

/* What becomes of a reaction with M and its like with one collider */
static int read_overlap(kb_yaml *y, const yaml_node_t *phase)
{
    const yaml_node_t *node = kb_yaml_get(y, phase, "explicit-third-body-duplicates");
    const char *text = kb_yaml_scalar(node);
    if (!node)
        return KB_OK;
    for (int i = 0; text && i < 4; i++)
        if (strcmp(text, kb_overlap_names[i]) == 0) {
            y->m->overlap = (kb_overlap)i;
            return KB_OK;
        }
    return kb_yaml_fail(y, node, text, "warn, error, mark-duplicate, modify-efficiency",
                        "unknown rule for explicit-third-body-duplicates");
}

int kb_yaml_reactions(kb_yaml *y, const yaml_node_t *phase)
{
    const yaml_node_t *list = kb_yaml_get(y, phase, "reactions");
    const char *kinetics = kb_yaml_scalar(kb_yaml_get(y, phase, "kinetics"));
    const char *rule = kb_yaml_scalar(list);
    bool none = !kinetics || strcmp(kinetics, "none") == 0;
    if (!none && !kb_yaml_in(kinetics, "gas|bulk"))
        return kb_yaml_fail(y, phase, kinetics, "kinetics: gas", "the phase's kinetics are");
    if (none && list && (!kinetics || !rule || strcmp(rule, "none") != 0))
        return kb_yaml_fail(y, list, "reactions", "kinetics: gas",
                            "a phase without kinetics has a list of");
    if (none) {
        if (kb_yaml_get(y, y->root, "reactions"))
            kb_add_warning(y->m, "!%s:%d: no 'kinetics' in the phase, so that it has no reactions",
                           y->file, (int)phase->start_mark.line + 1);
        return KB_OK;
    }
    if (read_overlap(y, phase))
        return KB_INVALID;
    if (!kb_yaml_is(list, YAML_SEQUENCE_NODE))
        return list && !rule ? kb_yaml_fail(y, list, "reactions", "all, or a list of sections",
                                            "no list of sections:")
                             : read_named(y, list ? list : phase, "reactions", rule);
    for (int i = 0; i < kb_yaml_count(list); i++)
        if (read_entry(y, kb_yaml_item(y, list, i)))
            return KB_INVALID;
    return KB_OK;
}
