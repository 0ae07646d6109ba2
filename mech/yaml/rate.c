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

/* Cantera passes over units there, so that it would have other rates. */
#define UNITS_ELSEWHERE                                                                            \
    .refused = "units", .hint = "units of the reaction, or of a value: A: 1.0e+13 cm^3/mol/s"

/* The parts of {A: , b: , Ea: } or [A, b, Ea]; names: the keys in the order of the list */
static int read_parts(kb_yaml *y, const yaml_node_t *node, const char *const *names, int n,
                      const char *what, const yaml_node_t **part)
{
    bool list = kb_yaml_is(node, YAML_SEQUENCE_NODE);
    if (!list && !kb_yaml_is(node, YAML_MAPPING_NODE))
        return kb_yaml_fail(y, node, what, "{A: 1.0e+13, b: 0.0, Ea: 0.0}", "not a rate:");
    if (list && kb_yaml_count(node) > n)
        return kb_yaml_fail(y, node, what, NULL, "more than %d numbers in", n);
    for (int i = 0; i < n; i++)
        part[i] = !list ? kb_yaml_get(y, node, names[i])
                  : i < kb_yaml_count(node) ? kb_yaml_item(y, node, i) : NULL;
    for (int i = 0; i < 2; i++)
        if (!part[i])
            return kb_yaml_fail(y, node, what, "{A: 1.0e+13, b: 0.0, Ea: 0.0}", "no %s in",
                                names[i]);
    return KB_OK;
}

/* known: the keys that may stand in the mapping; what names the entry in messages */
int kb_yaml_arrhenius(kb_yaml *y, const yaml_node_t *node, const kb_units *u, double order,
                      const char *known, const char *what, kb_arrhenius *k)
{
    static const char *const names[] = {"A", "b", "Ea"};
    const yaml_node_t *part[3] = {NULL};
    kb_yaml_keys keys = {.what = what, .known = known, .closed = true, UNITS_ELSEWHERE};
    *k = (kb_arrhenius){0};
    if (kb_yaml_check_keys(y, node, &keys) || read_parts(y, node, names, 3, what, part) ||
        kb_yaml_prefactor(y, part[0], u, order, &k->A) ||
        kb_yaml_number(y, part[1], "b", &k->b) ||
        (part[2] && kb_yaml_theta(y, part[2], u, &k->theta)))
        return KB_INVALID;
    if (!isfinite(k->A) || !isfinite(k->theta))
        return kb_yaml_fail(y, node, what, NULL, "not finite in kmol, m, s:");
    return KB_OK;
}

static int check_sign(kb_yaml *y, const yaml_node_t *node, const yaml_node_t *rate,
                      const char *key, double A)
{
    bool negative = false;
    if (kb_yaml_flag(y, node, "negative-A", &negative))
        return KB_INVALID;
    if (A < 0 && !negative)
        return kb_yaml_fail(y, rate, key, "negative-A: true allows it", "negative A in");
    return KB_OK;
}

/* The rate under a key; its A must not be negative unless the reaction says negative-A: true. */
static int read_rate(kb_yaml *y, const yaml_node_t *node, const kb_units *u, double order,
                     const char *key, kb_arrhenius *k)
{
    const yaml_node_t *rate = kb_yaml_get(y, node, key);
    if (!rate)
        return kb_yaml_fail(y, node, key, NULL, "the reaction has no");
    return kb_yaml_arrhenius(y, rate, u, order, "A|b|Ea", key, k) ||
           check_sign(y, node, rate, key, k->A);
}

/* {A: , b: , Ea0: , w: } */
static int read_blowers_masel(kb_yaml *y, const yaml_node_t *node, const kb_units *u, double order,
                              kb_reaction *r)
{
    static const char *const names[] = {"A", "b", "Ea0", "w"};
    static const kb_yaml_keys keys = {.what = "rate-constant", .known = "A|b|Ea0|w",
                                      .closed = true, UNITS_ELSEWHERE};
    const yaml_node_t *part[4] = {NULL}, *rate = kb_yaml_get(y, node, "rate-constant");
    if (!rate)
        return kb_yaml_fail(y, node, "rate-constant", NULL, "the reaction has no");
    if (kb_yaml_check_keys(y, rate, &keys) ||
        read_parts(y, rate, names, 4, "rate-constant", part) ||
        kb_yaml_prefactor(y, part[0], u, order, &r->kf.A) ||
        kb_yaml_number(y, part[1], "b", &r->kf.b) ||
        (part[2] && kb_yaml_theta(y, part[2], u, &r->kf.theta)) ||
        (part[3] && kb_yaml_theta(y, part[3], u, &r->bond)))
        return KB_INVALID;
    if (!isfinite(r->kf.A) || !isfinite(r->kf.theta) || !isfinite(r->bond))
        return kb_yaml_fail(y, rate, "rate-constant", NULL, "not finite in kmol, m, s:");
    if (!(r->bond > 0) || !(r->kf.theta >= 0) || r->bond == r->kf.theta)
        return kb_yaml_fail(y, rate, "w", "Ea0 >= 0, w > 0, w other than Ea0",
                            "Blowers-Masel: no activation energy follows from");
    return check_sign(y, node, rate, "rate-constant", r->kf.A);
}

static int read_blend(kb_yaml *y, const yaml_node_t *map, kb_reaction *r)
{
    const kb_blend_form *form = &kb_blend_forms[r->blending];
    for (int i = 0; i < form->most; i++) {
        const yaml_node_t *value = kb_yaml_get(y, map, form->keys[i]);
        if (!value && i >= form->least)
            continue;
        if (!value || (i > r->nblend && i > form->least))
            return kb_yaml_fail(y, map, form->name, NULL, "no %s in",
                                form->keys[value ? i - 1 : i]);
        if (kb_yaml_number(y, value, form->keys[i], &r->blend[i]))
            return KB_INVALID;
        r->nblend = i + 1;
    }
    return KB_OK;
}

static int read_blending(kb_yaml *y, const yaml_node_t *node, kb_reaction *r)
{
    for (kb_blending b = KB_TROE; b <= KB_TSANG; b++) {
        static const char *const known[] = {[KB_TROE] = "A|T3|T1|T2", [KB_SRI] = "A|B|C|D|E",
                                            [KB_TSANG] = "A|B"};
        const char *name = kb_blend_forms[b].name;
        const yaml_node_t *map = kb_yaml_get(y, node, name);
        kb_yaml_keys keys = {.what = name, .known = known[b], .closed = true};
        if (!map)
            continue;
        if (r->blending)
            return kb_yaml_fail(y, map, name, NULL, "two broadenings of one reaction:");
        if (!kb_yaml_is(map, YAML_MAPPING_NODE))
            return kb_yaml_fail(y, map, name, NULL, "no mapping:");
        r->blending = b;
        if (kb_yaml_check_keys(y, map, &keys) || read_blend(y, map, r))
            return KB_INVALID;
        if (b == KB_SRI && r->blend[2] < 0)
            return kb_yaml_fail(y, map, name, "C of 0 or more", "C is below 0 in");
        if (b == KB_SRI && r->nblend == 4)
            return kb_yaml_fail(y, map, name, "D and E come together", "D without E in");
    }
    return KB_OK;
}

static int read_falloff(kb_yaml *y, const yaml_node_t *node, const kb_units *u, double n,
                        kb_reaction *r)
{
    bool activated = r->type == KB_ACTIVATED;
    if (read_rate(y, node, u, activated ? n : n + 1, "low-P-rate-constant", &r->low) ||
        read_rate(y, node, u, activated ? n - 1 : n, "high-P-rate-constant", &r->kf) ||
        read_blending(y, node, r))
        return KB_INVALID;
    if ((r->low.A < 0 && r->kf.A > 0) || (r->low.A > 0 && r->kf.A < 0))
        return kb_yaml_fail(y, node, "high-P-rate-constant", "A of both limits above or below 0",
                            "the limits differ in sign:");
    if (r->blending == KB_TROE && r->nblend == 4 && r->blend[3] == 0) {
        kb_add_warning(y->m, "!%s:%d: Troe T2 of 0 is left out, as Cantera does", y->file, r->line);
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
            kb_yaml_arrhenius(y, item, u, n, "P|A|b|Ea", "rate-constants", &point.k))
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
        if (u ? kb_yaml_pressure(y, item, u, out[i]) : kb_yaml_kelvin(y, item, out[i]))
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

int kb_yaml_rate_of(kb_yaml *y, const yaml_node_t *node, const kb_units *u, double n,
                    kb_reaction *r)
{
    double order = r->type == KB_THREE_BODY ? n + 1 : n;
    switch (r->type) {
    case KB_FALLOFF:
    case KB_ACTIVATED: return read_falloff(y, node, u, n, r);
    case KB_PLOG: return read_plog(y, node, u, n, r);
    case KB_CHEBYSHEV: return read_chebyshev(y, node, u, n, r);
    case KB_LINEAR_BURKE: return kb_yaml_burke(y, node, u, n, r);
    default:
        return r->blowers_masel ? read_blowers_masel(y, node, u, order, r)
                                : read_rate(y, node, u, order, "rate-constant", &r->kf);
    }
}

int kb_yaml_rate(kb_yaml *y, const yaml_node_t *node, const kb_units *u, kb_reaction *r)
{
    return kb_yaml_rate_of(y, node, u, kb_forward_order(r), r);
}
