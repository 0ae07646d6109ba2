/* SPDX-License-Identifier: MIT
 *
 * Colliders of linear-Burke reactions.
 */
#include "mech/yaml/node.h"

#include <string.h>

/* The efficiency of one collider, or its eigenvalue eig0, which serves as such */
static int read_epsilon(kb_yaml *y, const yaml_node_t *item, const kb_units *u, const char *key,
                        kb_burke *c)
{
    const yaml_node_t *rate = kb_yaml_get(y, item, key);
    if (!rate)
        return kb_yaml_fail(y, item, kb_yaml_scalar(kb_yaml_get(y, item, "name")),
                            "all colliders have eig0, or none", "no %s of collider", key);
    kb_units plain = *u;
    plain.length = plain.quantity = plain.time = 1;
    plain.Ea = u->Ea;
    return kb_yaml_arrhenius(y, rate, &plain, 1, "A|b|Ea", key, &c->eps);
}

/* The collider's own rate, if it has one */
static int read_own_rate(kb_yaml *y, const yaml_node_t *item, const kb_units *u, double n,
                         kb_burke *c)
{
    static const struct {
        const char *name;
        kb_rate_type type;
    } kinds[] = {{"falloff", KB_FALLOFF}, {"Chebyshev", KB_CHEBYSHEV},
                 {"pressure-dependent-Arrhenius", KB_PLOG}};
    const char *type = kb_yaml_scalar(kb_yaml_get(y, item, "type"));
    c->own = type != NULL;
    c->rate.collider = -1;
    c->rate.default_efficiency = 1;
    c->rate.file = y->file;
    c->rate.line = (int)item->start_mark.line + 1;
    for (int i = 0; type && i < 3; i++) {
        if (strcmp(type, kinds[i].name) != 0)
            continue;
        c->rate.type = kinds[i].type;
        if (kb_yaml_rate_of(y, item, u, n, &c->rate))
            return KB_INVALID;
        if (c->rate.type != KB_FALLOFF || c->rate.blending == KB_TROE)
            return KB_OK;
    }
    if (!type && c->species >= 0)
        return KB_OK;
    return kb_yaml_fail(y, item, type ? type : "type", "falloff with Troe, "
                        "pressure-dependent-Arrhenius, Chebyshev", "linear-Burke: a collider's");
}

/* *skip: the collider is no species of the phase, and such ones are left out: M stands for it */
static int read_burke_collider(kb_yaml *y, const yaml_node_t *item, const kb_units *u, double n,
                               kb_reaction *r, bool *skip)
{
    static const kb_yaml_keys keys = {
        .what = "collider", .noted = "note",
        .known = "name|type|efficiency|eig0|units|low-P-rate-constant|high-P-rate-constant|Troe|"
                 "rate-constants|temperature-range|pressure-range|data"};
    kb_burke *c = &r->colliders[r->ncolliders++];
    const char *name = kb_yaml_scalar(kb_yaml_get(y, item, "name"));
    bool first = r->ncolliders == 1;
    kb_units own = *u;
    c->eps = (kb_arrhenius){1, 0, 0};
    c->species = first || !name ? -1 : kb_yaml_find(y, name);
    *skip = name && !first && c->species < 0 && y->skip_colliders;
    if (*skip) {
        r->ncolliders--;
        return kb_yaml_check_keys(y, item, &keys);
    }
    if (!name || (first && strcmp(name, "M") != 0) || (!first && c->species < 0))
        return kb_yaml_fail(y, item, name, first ? "the first one is M"
                            : "skip-undeclared-third-bodies: true in the phase",
                            "linear-Burke: not a collider:");
    for (int i = 1; i < r->ncolliders - 1; i++)
        if (r->colliders[i].species == c->species)
            return kb_yaml_fail(y, item, name, NULL, "linear-Burke: a collider stands twice:");
    return kb_yaml_check_keys(y, item, &keys) || kb_yaml_units(y, item, &own) ||
           read_own_rate(y, item, &own, n, c);
}

/* Efficiencies relative to M: each has one, or each has eig0, M too */
int kb_yaml_burke(kb_yaml *y, const yaml_node_t *node, const kb_units *u, double n, kb_reaction *r)
{
    const yaml_node_t *list = kb_yaml_get(y, node, "colliders");
    if (!kb_yaml_is(list, YAML_SEQUENCE_NODE) || kb_yaml_count(list) == 0)
        return kb_yaml_fail(y, node, "colliders", "- {name: M, type: ...}",
                            "a linear-Burke reaction needs a list of");
    bool eig = kb_yaml_get(y, kb_yaml_item(y, list, 0), "eig0") != NULL;
    r->colliders = kb_alloc((size_t)kb_yaml_count(list), sizeof *r->colliders);
    for (int i = 0; i < kb_yaml_count(list); i++) {
        const yaml_node_t *item = kb_yaml_item(y, list, i);
        kb_burke *c = &r->colliders[r->ncolliders];
        bool skip;
        if (read_burke_collider(y, item, u, n, r, &skip))
            return KB_INVALID;
        if (skip)
            continue;
        if (kb_yaml_get(y, item, eig ? "efficiency" : "eig0"))
            return kb_yaml_fail(y, item, "eig0", "all colliders have eig0, or none",
                                "linear-Burke: efficiency and");
        if ((i || eig || kb_yaml_get(y, item, "efficiency")) &&
            read_epsilon(y, item, u, eig ? "eig0" : "efficiency", c))
            return KB_INVALID;
        if (!(c->eps.A > 0) || (!i && !eig && (c->eps.A != 1 || c->eps.b || c->eps.theta)))
            return kb_yaml_fail(y, item, i ? kb_yaml_scalar(kb_yaml_get(y, item, "name")) : "M",
                                "A above 0; M has 1", "linear-Burke: efficiency of");
    }
    kb_arrhenius M = r->colliders[0].eps;
    for (int i = 0; i < r->ncolliders; i++) {
        kb_arrhenius *e = &r->colliders[i].eps;
        *e = (kb_arrhenius){e->A / M.A, e->b - M.b, e->theta - M.theta};
    }
    return KB_OK;
}
