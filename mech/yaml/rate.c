/* SPDX-License-Identifier: MIT
 *
 * Rate parameters of one reaction. The order of a rate coefficient follows Cantera: n is the sum of
 * the forward orders; three-body and low-pressure limits of falloff have n + 1, the high-pressure
 * limit of a chemically activated reaction has n - 1.
 */
#include "mech/yaml/node.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* {A: , b: , Ea: } or [A, b, Ea]; what names the entry in messages */
static int read_arrhenius(kb_yaml *y, const yaml_node_t *node, const kb_units *u, double order,
                          const char *what, kb_arrhenius *k)
{
    static const char *const keys[] = {"A", "b", "Ea"};
    const yaml_node_t *part[3] = {NULL};
    if (kb_yaml_is(node, YAML_SEQUENCE_NODE) && kb_yaml_count(node) == 3) {
        for (int i = 0; i < 3; i++)
            part[i] = kb_yaml_item(y, node, i);
    } else if (kb_yaml_is(node, YAML_MAPPING_NODE)) {
        for (int i = 0; i < 3; i++)
            part[i] = kb_yaml_get(y, node, keys[i]);
    } else {
        return kb_yaml_fail(y, node, what, "{A: 1.0e+13, b: 0.0, Ea: 0.0}", "not a rate:");
    }
    if (!part[0])
        return kb_yaml_fail(y, node, what, "{A: 1.0e+13, b: 0.0, Ea: 0.0}", "no A in");
    *k = (kb_arrhenius){0};
    if (kb_yaml_prefactor(y, part[0], u, order, &k->A) ||
        (part[1] && kb_yaml_number(y, part[1], "b", &k->b)) ||
        (part[2] && kb_yaml_theta(y, part[2], u, &k->theta)))
        return KB_INVALID;
    if (!isfinite(k->A) || !isfinite(k->theta))
        return kb_yaml_fail(y, node, what, NULL, "not finite in kmol, m, s:");
    return KB_OK;
}

/* The rate under a key; its A must not be negative unless the reaction says negative-A: true. */
static int read_rate(kb_yaml *y, const yaml_node_t *node, const kb_units *u, double order,
                     const char *key, kb_arrhenius *k)
{
    const yaml_node_t *rate = kb_yaml_get(y, node, key);
    bool negative = false;
    if (!rate)
        return kb_yaml_fail(y, node, key, NULL, "the reaction has no");
    if (read_arrhenius(y, rate, u, order, key, k) ||
        kb_yaml_flag(y, node, "negative-A", &negative))
        return KB_INVALID;
    if (k->A < 0 && !negative)
        return kb_yaml_fail(y, rate, key, "negative-A: true allows it", "negative A in");
    return KB_OK;
}

static int read_blend(kb_yaml *y, const yaml_node_t *map, kb_reaction *r)
{
    const kb_blend_form *form = &kb_blend_forms[r->blending];
    for (int i = 0; i < form->most; i++) {
        const yaml_node_t *value = kb_yaml_get(y, map, form->keys[i]);
        if (!value && i >= form->least)
            break;
        if (!value)
            return kb_yaml_fail(y, map, form->name, NULL, "no %s in", form->keys[i]);
        if (kb_yaml_number(y, value, form->keys[i], &r->blend[i]))
            return KB_INVALID;
        r->nblend = i + 1;
    }
    return KB_OK;
}

static int read_falloff(kb_yaml *y, const yaml_node_t *node, const kb_units *u, double n,
                        kb_reaction *r)
{
    bool activated = r->type == KB_ACTIVATED;
    if (read_rate(y, node, u, activated ? n : n + 1, "low-P-rate-constant", &r->low) ||
        read_rate(y, node, u, activated ? n - 1 : n, "high-P-rate-constant", &r->kf))
        return KB_INVALID;
    const yaml_node_t *troe = kb_yaml_get(y, node, kb_blend_forms[KB_TROE].name);
    const yaml_node_t *sri = kb_yaml_get(y, node, kb_blend_forms[KB_SRI].name);
    if (troe && sri)
        return kb_yaml_fail(y, sri, "SRI", NULL, "Troe and another broadening in one reaction:");
    r->blending = troe ? KB_TROE : sri ? KB_SRI : KB_LINDEMANN;
    if (sri && kb_yaml_get(y, sri, "D") && !kb_yaml_get(y, sri, "E"))
        return kb_yaml_fail(y, sri, "SRI", "D and E come together", "D without E in");
    if ((troe || sri) && read_blend(y, troe ? troe : sri, r))
        return KB_INVALID;
    if (troe && r->nblend == 4 && r->blend[3] == 0) {
        kb_add_warning(y->m, "%s:%d: Troe T2 of 0 is left out, as Cantera does", y->file, r->line);
        r->nblend = 3;
    }
    return KB_OK;
}

static int read_plog(kb_yaml *y, const yaml_node_t *node, const kb_units *u, double n,
                     kb_reaction *r)
{
    const yaml_node_t *list = kb_yaml_get(y, node, "rate-constants");
    if (!kb_yaml_is(list, YAML_SEQUENCE_NODE) || kb_yaml_count(list) == 0)
        return kb_yaml_fail(y, node, "rate-constants", "- {P: 1 atm, A: , b: , Ea: }",
                            "a pressure-dependent reaction needs a list of");
    r->plog = kb_alloc((size_t)kb_yaml_count(list), sizeof *r->plog);
    for (int i = 0; i < kb_yaml_count(list); i++) {
        const yaml_node_t *item = kb_yaml_item(y, list, i), *P = kb_yaml_get(y, item, "P");
        kb_plog_point point;
        if (!P)
            return kb_yaml_fail(y, item, "P", NULL, "a rate without its pressure");
        if (kb_yaml_pressure(y, P, u, &point.p) ||
            read_arrhenius(y, item, u, n, "rate-constants", &point.k))
            return KB_INVALID;
        if (!(point.p > 0) || !isfinite(point.p))
            return kb_yaml_fail(y, P, kb_yaml_scalar(P), NULL, "pressure must be above 0:");
        int at = r->nplog++;
        for (; at > 0 && r->plog[at - 1].p > point.p; at--)
            r->plog[at] = r->plog[at - 1];
        r->plog[at] = point;
    }
    return KB_OK;
}

static int read_pair(kb_yaml *y, const yaml_node_t *node, const char *key, const kb_units *u,
                     double *low, double *high)
{
    const yaml_node_t *list = kb_yaml_get(y, node, key);
    if (!kb_yaml_is(list, YAML_SEQUENCE_NODE) || kb_yaml_count(list) != 2)
        return kb_yaml_fail(y, list ? list : node, key, "[low, high]",
                            "two numbers are needed for");
    double *out[] = {low, high};
    for (int i = 0; i < 2; i++) {
        const yaml_node_t *item = kb_yaml_item(y, list, i);
        if (u ? kb_yaml_pressure(y, item, u, out[i]) : kb_yaml_number(y, item, key, out[i]))
            return KB_INVALID;
    }
    if (!(*low > 0) || !(*high > *low) || !isfinite(*high))
        return kb_yaml_fail(y, list, key, NULL, "the range must ascend from above 0:");
    return KB_OK;
}

static int read_coefficients(kb_yaml *y, const yaml_node_t *data, kb_chebyshev *c)
{
    const yaml_node_t *first = kb_yaml_count(data) ? kb_yaml_item(y, data, 0) : NULL;
    c->nT = kb_yaml_count(data);
    c->np = kb_yaml_count(first);
    c->coef = kb_alloc((size_t)c->nT * (size_t)c->np, sizeof *c->coef);
    for (int i = 0; i < c->nT; i++) {
        const yaml_node_t *row = kb_yaml_item(y, data, i);
        if (!kb_yaml_is(row, YAML_SEQUENCE_NODE) || kb_yaml_count(row) != c->np)
            return kb_yaml_fail(y, row, NULL, NULL, "Chebyshev: a row of data without %d numbers",
                                c->np);
        for (int j = 0; j < c->np; j++) {
            if (kb_yaml_number(y, kb_yaml_item(y, row, j), "a coefficient",
                               &c->coef[i * c->np + j]))
                return KB_INVALID;
        }
    }
    return KB_OK;
}

static int read_chebyshev(kb_yaml *y, const yaml_node_t *node, const kb_units *u, double n,
                          kb_reaction *r)
{
    kb_chebyshev *c = &r->cheb;
    const yaml_node_t *data = kb_yaml_get(y, node, "data");
    if (read_pair(y, node, "temperature-range", NULL, &c->Tmin, &c->Tmax) ||
        read_pair(y, node, "pressure-range", u, &c->pmin, &c->pmax))
        return KB_INVALID;
    if (!kb_yaml_is(data, YAML_SEQUENCE_NODE) || !kb_yaml_count(data) ||
        !kb_yaml_is(kb_yaml_item(y, data, 0), YAML_SEQUENCE_NODE) ||
        !kb_yaml_count(kb_yaml_item(y, data, 0)))
        return kb_yaml_fail(y, data ? data : node, "data", "rows for T, columns for p",
                            "Chebyshev: no table of");
    if (read_coefficients(y, data, c))
        return KB_INVALID;
    c->coef[0] += kb_units_log10(u, n);
    return KB_OK;
}

int kb_yaml_rate(kb_yaml *y, const yaml_node_t *node, const kb_units *u, kb_reaction *r)
{
    double n = kb_forward_order(r);
    switch (r->type) {
    case KB_THREE_BODY:
        return read_rate(y, node, u, n + 1, "rate-constant", &r->kf);
    case KB_FALLOFF:
    case KB_ACTIVATED:
        return read_falloff(y, node, u, n, r);
    case KB_PLOG:
        return read_plog(y, node, u, n, r);
    case KB_CHEBYSHEV:
        return read_chebyshev(y, node, u, n, r);
    default:
        return read_rate(y, node, u, n, "rate-constant", &r->kf);
    }
}
