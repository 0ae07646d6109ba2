/* SPDX-License-Identifier: MIT
 *
 * Reactions of the canonical form. YAML has no explicit reverse rate, so that a reaction with one
 * becomes two one-way reactions (one when the reverse A is 0).
 */
#include "base/number.h"
#include "mech/check_duplicates.h"
#include "mech/reverse.h"
#include "mech/yaml/write.h"

#include <math.h>
#include <string.h>

static double cal_to_theta(double E, double unused)
{
    (void)unused;
    return kb_theta_from_cal(E);
}

static double atm_to_Pa(double p, double unused)
{
    (void)unused;
    return p * KB_ATM;
}

static double log10_to_SI(double x, double order) { return x + log10(kb_A_to_SI(1, order)); }

static void format_A(double A, double order, char *out, size_t size)
{
    char number[KB_NUMBER_SIZE];
    if (kb_shortest_through(A, A / kb_A_to_SI(1, order), kb_A_to_SI, order, number)) {
        snprintf(out, size, "%s", number);
        return;
    }
    kb_shortest(A, number);
    snprintf(out, size, "%s m^%.12g*kmol^%.12g/s", number, 3 * (order - 1), 1 - order);
}

static void format_Ea(double theta, char *out, size_t size)
{
    char number[KB_NUMBER_SIZE];
    if (kb_shortest_through(theta, theta / kb_theta_from_cal(1), cal_to_theta, 0, number)) {
        snprintf(out, size, "%s", number);
        return;
    }
    kb_shortest(theta, number);
    snprintf(out, size, "%s K", number);
}

static void format_p(double p, char *out, size_t size)
{
    char number[KB_NUMBER_SIZE];
    bool atm = kb_shortest_through(p, p / KB_ATM, atm_to_Pa, 0, number);
    if (!atm)
        kb_shortest(p, number);
    snprintf(out, size, "%s %s", number, atm ? "atm" : "Pa");
}

static void write_rate(kb_text *o, const char *head, const kb_arrhenius *k, double order)
{
    char A[160], b[KB_NUMBER_SIZE], Ea[64];
    format_A(k->A, order, A, sizeof A);
    kb_shortest(k->b, b);
    format_Ea(k->theta, Ea, sizeof Ea);
    fprintf(o->f, "%sA: %s, b: %s, Ea: %s}\n", head, A, b, Ea);
}

/* head behind the indentation of the reaction, or of one collider */
static void write_rate_in(kb_text *o, const char *head, const kb_arrhenius *k, double order)
{
    fputs(o->indent, o->f);
    write_rate(o, head, k, order);
}

static void write_list_in(kb_text *o, const char *head, const double *values, int n)
{
    char *first = kb_format("%s%s", o->indent, head), *next = kb_format("%s  ", o->indent);
    kb_text_numbers(o, first, next, values, n);
    free(first);
    free(next);
}

static void write_blend(kb_text *o, const kb_reaction *r)
{
    const kb_blend_form *form = &kb_blend_forms[r->blending];
    char number[KB_NUMBER_SIZE];
    if (r->blending == KB_LINDEMANN)
        return;
    fprintf(o->f, "%s%s: {", o->indent, form->name);
    for (int i = 0; i < r->nblend; i++) {
        kb_shortest(r->blend[i], number);
        fprintf(o->f, "%s%s: %s", i ? ", " : "", form->keys[i], number);
    }
    fprintf(o->f, "}\n");
}

static void write_plog(kb_text *o, const kb_reaction *r, double n)
{
    char p[64], head[96];
    fprintf(o->f, "%srate-constants:\n", o->indent);
    for (int i = 0; i < r->nplog; i++) {
        format_p(r->plog[i].p, p, sizeof p);
        snprintf(head, sizeof head, "- {P: %s, ", p);
        write_rate_in(o, head, &r->plog[i].k, n);
    }
}

static void write_chebyshev(kb_text *o, const kb_reaction *r, double n)
{
    const kb_chebyshev *c = &r->cheb;
    char low[64], high[64], first[KB_NUMBER_SIZE];
    const double T[] = {c->Tmin, c->Tmax};
    bool cgs = kb_shortest_through(c->coef[0], c->coef[0] - log10(kb_A_to_SI(1, n)), log10_to_SI, n,
                                   first);
    if (!cgs)
        fprintf(o->f, "%sunits: {length: m, quantity: kmol}\n", o->indent);
    write_list_in(o, "temperature-range: ", T, 2);
    format_p(c->pmin, low, sizeof low);
    format_p(c->pmax, high, sizeof high);
    fprintf(o->f, "%spressure-range: [%s, %s]\n%sdata:\n", o->indent, low, high, o->indent);
    for (int i = 0; i < c->nT; i++) {
        double row[c->np];
        memcpy(row, c->coef + (size_t)i * (size_t)c->np, sizeof row);
        if (i == 0 && cgs)
            row[0] = strtod(first, NULL);
        write_list_in(o, "- ", row, c->np);
    }
}

static void write_blowers_masel(kb_text *o, const kb_reaction *r, double order)
{
    char A[160], b[KB_NUMBER_SIZE], E0[64], w[64];
    format_A(r->kf.A, order, A, sizeof A);
    kb_shortest(r->kf.b, b);
    format_Ea(r->kf.theta, E0, sizeof E0);
    format_Ea(r->bond, w, sizeof w);
    fprintf(o->f, "%srate-constant: {A: %s, b: %s, Ea0: %s, w: %s}\n", o->indent, A, b, E0, w);
}

static void write_parameters(kb_text *o, const kb_reaction *r, double n);

static const char *type_name(const kb_reaction *r)
{
    static const char *const types[] = {[KB_ELEMENTARY] = NULL,
                                        [KB_THREE_BODY] = "three-body",
                                        [KB_FALLOFF] = "falloff",
                                        [KB_ACTIVATED] = "chemically-activated",
                                        [KB_CHEBYSHEV] = "Chebyshev",
                                        [KB_PLOG] = "pressure-dependent-Arrhenius",
                                        [KB_LINEAR_BURKE] = "linear-Burke"};
    if (r->blowers_masel)
        return r->type == KB_THREE_BODY ? "three-body-Blowers-Masel" : "Blowers-Masel";
    return types[r->type];
}

static void write_burke(kb_text *o, const kb_reaction *r, double n)
{
    fprintf(o->f, "%scolliders:\n", o->indent);
    for (int i = 0; i < r->ncolliders; i++) {
        const kb_burke *c = &r->colliders[i];
        char *name = kb_yaml_quoted(i ? o->m->species[c->species].name : "M"), number[64];
        fprintf(o->f, "%s- name: %s\n", o->indent, name);
        free(name);
        o->indent = "    ";
        if (i) {
            kb_shortest(c->eps.A, number);
            fprintf(o->f, "%sefficiency: {A: %s, ", o->indent, number);
            kb_shortest(c->eps.b, number);
            fprintf(o->f, "b: %s, ", number);
            format_Ea(c->eps.theta, number, sizeof number);
            fprintf(o->f, "Ea: %s}\n", number);
        }
        if (c->own) {
            fprintf(o->f, "%stype: %s\n", o->indent, type_name(&c->rate));
            write_parameters(o, &c->rate, n);
        }
        o->indent = "  ";
    }
}

/* n: the forward order */
static void write_parameters(kb_text *o, const kb_reaction *r, double n)
{
    bool activated = r->type == KB_ACTIVATED;
    double order = r->type == KB_THREE_BODY ? n + 1 : n;
    switch (r->type) {
    case KB_FALLOFF:
    case KB_ACTIVATED:
        write_rate_in(o, "low-P-rate-constant: {", &r->low, activated ? n : n + 1);
        write_rate_in(o, "high-P-rate-constant: {", &r->kf, activated ? n - 1 : n);
        write_blend(o, r);
        break;
    case KB_PLOG: write_plog(o, r, n); return;
    case KB_CHEBYSHEV: write_chebyshev(o, r, n); return;
    case KB_LINEAR_BURKE: write_burke(o, r, n); return;
    default:
        if (r->blowers_masel)
            write_blowers_masel(o, r, order);
        else
            write_rate_in(o, "rate-constant: {", &r->kf, order);
    }
    if (r->kf.A < 0 || r->low.A < 0)
        fprintf(o->f, "%snegative-A: true\n", o->indent);
}

static void write_orders(kb_text *o, const kb_reaction *r)
{
    bool negative = false;
    /* no YAML reader has them: kb_yaml_write refuses, the hash counts them */
    if (r->reverse_orders)
        kb_text_terms(o, "  reverse-orders: ", "    ", r->reverse_orders, r->nreverse_orders);
    if (!r->forward_orders)
        return;
    kb_text_terms(o, "  orders: ", "    ", r->forward_orders, r->nforward_orders);
    for (int i = 0; i < r->nforward_orders; i++)
        negative = negative || r->forward_orders[i].value < 0;
    if (negative)
        fprintf(o->f, "  negative-orders: true\n");
    if (r->nforward_orders > r->nreactants)
        fprintf(o->f, "  nonreactant-orders: true\n");
}

static void write_entry(kb_text *o, const kb_reaction *r)
{
    char number[KB_NUMBER_SIZE], *equation = kb_equation(o->m, r);
    bool odd = strpbrk(equation, ":#,'\"{}[]&!|%@`\\") || strchr("*?-<>=~+.", equation[0]);
    char *quoted = odd ? kb_yaml_quoted(equation) : kb_strdup(equation);
    fprintf(o->f, "- equation: %s\n", quoted);
    free(quoted);
    free(equation);
    if (r->duplicate)
        fprintf(o->f, "  duplicate: true\n");
    if (type_name(r))
        fprintf(o->f, "  type: %s\n", type_name(r));
    write_parameters(o, r, kb_forward_order(r));
    if (r->nefficiencies)
        kb_text_terms(o, "  efficiencies: ", "    ", r->efficiencies, r->nefficiencies);
    if (r->default_efficiency != 1) {
        kb_shortest(r->default_efficiency, number);
        fprintf(o->f, "  default-efficiency: %s\n", number);
    }
    write_orders(o, r);
}

/* All entries as they are written; the caller frees the array, not what its entries point to. */
static kb_reaction *expand(const kb_mech *m, int *count)
{
    kb_reaction *all = kb_alloc(2 * (size_t)m->nreactions, sizeof *all);
    int n = 0;
    for (int i = 0; i < m->nreactions; i++) {
        const kb_reaction *r = &m->reactions[i];
        all[n] = *r;
        if (r->has_reverse)
            all[n].reversible = all[n].has_reverse = false;
        n++;
        if (r->has_reverse && r->kr.A != 0)
            all[n++] = kb_reverse_half(r);
    }
    *count = n;
    return all;
}

/* Splitting moves the twins of duplicates, so that the marks are set again when anything was split:
 * kept where a twin is left, added to two like halves of one type. */
static void mark_duplicates(kb_reaction *r, int n)
{
    bool *mark = kb_alloc((size_t)n, sizeof *mark);
    kb_fingerprint *list = kb_fingerprints(r, n);
    for (int i = 0; i < n; i++)
        for (int k = i - 1; k >= 0 && list[k].print == list[i].print; k--) {
            const kb_reaction *a = &r[list[i].reaction], *b = &r[list[k].reaction];
            if (((a->duplicate && b->duplicate) || a->type == b->type) && kb_same_either_way(a, b))
                mark[list[i].reaction] = mark[list[k].reaction] = true;
        }
    for (int i = 0; i < n; i++)
        r[i].duplicate = mark[i];
    free(list);
    free(mark);
}

void kb_text_reactions(kb_text *o)
{
    int n;
    kb_reaction *all = expand(o->m, &n);
    bool split = false;
    for (int i = 0; i < o->m->nreactions; i++)
        split = split || o->m->reactions[i].has_reverse;
    if (split)
        mark_duplicates(all, n);
    for (int i = 0; i < n; i++)
        write_entry(o, &all[i]);
    free(all);
}
