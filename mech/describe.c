/* SPDX-License-Identifier: MIT */
#include "mech/describe.h"

#include <math.h>
#include <string.h>

static bool noninteger(const kb_term *terms, int n)
{
    for (int i = 0; i < n; i++) {
        if (terms[i].value != floor(terms[i].value))
            return true;
    }
    return false;
}

static bool negative_A(const kb_reaction *r)
{
    for (int i = 0; i < r->nplog; i++) {
        if (r->plog[i].k.A < 0)
            return true;
    }
    return r->kf.A < 0 || r->low.A < 0 || (r->has_reverse && r->kr.A < 0);
}

static void count_type(const kb_reaction *r, kb_summary *s)
{
    int *blending[] = {&s->lindemann, &s->troe, &s->sri, &s->tsang};
    switch (r->type) {
    case KB_ELEMENTARY: s->elementary++; break;
    case KB_THREE_BODY: s->three_body++; break;
    case KB_FALLOFF: ++*blending[r->blending]; break;
    case KB_ACTIVATED: s->activated++; break;
    case KB_PLOG: s->plog++; break;
    case KB_CHEBYSHEV: s->chebyshev++; break;
    case KB_LINEAR_BURKE:
        s->linear_burke++;
    }
    s->blowers_masel += r->blowers_masel;
}

static void count_reaction(const kb_reaction *r, kb_summary *s)
{
    count_type(r, s);
    bool zero = r->has_reverse && r->kr.A == 0;
    s->reversible += r->reversible;
    s->explicit_reverse += r->has_reverse;
    s->reverse_zero += zero;
    s->oneway += r->reversible && !zero ? 2 : 1;
    s->duplicate += r->duplicate;
    s->efficiencies += r->nefficiencies > 0;
    s->collider += r->collider >= 0;
    s->noninteger += noninteger(r->reactants, r->nreactants) ||
                     noninteger(r->products, r->nproducts);
    s->negative_A += negative_A(r);
    s->forward_orders += r->forward_orders != NULL;
    s->reverse_orders += r->reverse_orders != NULL;
}

static void count_thermo(const kb_species *p, kb_summary *s)
{
    s->nasa7 += p->model == KB_NASA7;
    s->nasa9 += p->model == KB_NASA9;
    s->shomate += p->model == KB_SHOMATE;
    s->Tlow_min = fmin(s->Tlow_min, p->Tlow);
    s->Tlow_max = fmax(s->Tlow_max, p->Tlow);
    s->Thigh_min = fmin(s->Thigh_min, p->Thigh);
    s->Thigh_max = fmax(s->Thigh_max, p->Thigh);
    if (p->Tmid == 1000)
        return;
    s->Tmid_other++;
    s->Tmid_min = fmin(s->Tmid_min, p->Tmid);
    s->Tmid_max = fmax(s->Tmid_max, p->Tmid);
}

void kb_mech_count(const kb_mech *m, kb_summary *s)
{
    *s = (kb_summary){.Tlow_min = INFINITY, .Thigh_min = INFINITY, .Tmid_min = INFINITY};
    for (int i = 0; i < m->nreactions; i++)
        count_reaction(&m->reactions[i], s);
    for (int i = 0; i < m->nspecies + m->nsteady; i++)
        count_thermo(&m->species[i], s);
}

static void row(FILE *f, const char *name, int value)
{
    fprintf(f, "  %-28s %10d\n", name, value);
}

/* Rows of features that do not occur are left out. */
static void row_if(FILE *f, const char *name, int value)
{
    if (value)
        row(f, name, value);
}

static void print_head(FILE *f, const kb_mech *m)
{
    fprintf(f, "%-14s %s\n", "mechanism", m->name);
    const char *head = "description", *line = m->description ? m->description : "";
    while (*line) {
        size_t n = strcspn(line, "\n");
        fprintf(f, "%-14s %.*s\n", head, (int)n, line);
        head = "";
        line += n + (line[n] == '\n');
    }
    if (m->sha256[0])
        fprintf(f, "%-14s %s\n", "sha256", m->sha256);
    fprintf(f, "%-14s %d:", "elements", m->nelements);
    for (int e = 0; e < m->nelements; e++)
        fprintf(f, " %s", m->elements[e].name);
    fprintf(f, "\n%-14s %d\n", "species", m->nspecies);
    if (m->nsteady)
        fprintf(f, "%-14s %d:", "steady state", m->nsteady);
    for (int k = 0; k < m->nsteady; k++)
        fprintf(f, " %s%s", m->species[m->nspecies + k].name, k + 1 < m->nsteady ? "" : "\n");
}

static void print_reactions(FILE *f, const kb_mech *m, const kb_summary *s)
{
    fprintf(f, "%-14s %d\n", "reactions", m->nreactions);
    row(f, "elementary", s->elementary);
    row(f, "three-body", s->three_body);
    row(f, "falloff, Lindemann", s->lindemann);
    row(f, "falloff, Troe", s->troe);
    row_if(f, "falloff, SRI", s->sri);
    row_if(f, "falloff, Tsang", s->tsang);
    row_if(f, "chemically activated (HIGH)", s->activated);
    row_if(f, "PLOG", s->plog);
    row_if(f, "Chebyshev", s->chebyshev);
    row_if(f, "linear-Burke", s->linear_burke);
    fprintf(f, "features\n");
    row(f, "reversible", s->reversible);
    row(f, "irreversible", m->nreactions - s->reversible);
    row(f, "one-way after splitting", s->oneway);
    row_if(f, "explicit reverse (REV)", s->explicit_reverse);
    row_if(f, "  of these with A = 0", s->reverse_zero);
    row_if(f, "Blowers-Masel", s->blowers_masel);
    row_if(f, "duplicates", s->duplicate);
    row_if(f, "with efficiencies", s->efficiencies);
    row_if(f, "named collider", s->collider);
    row_if(f, "non-integer coefficients", s->noninteger);
    row_if(f, "negative A", s->negative_A);
    row_if(f, "explicit orders (FORD)", s->forward_orders);
    row_if(f, "reverse orders (RORD)", s->reverse_orders);
}

static void print_thermo(FILE *f, const kb_summary *s)
{
    fprintf(f, "%-14s NASA-7 of %d species", "thermo", s->nasa7);
    if (s->nasa9)
        fprintf(f, ", NASA-9 of %d", s->nasa9);
    if (s->shomate)
        fprintf(f, ", Shomate of %d", s->shomate);
    fputc('\n', f);
    fprintf(f, "  %-28s %10g - %g K\n", "valid for some species", s->Tlow_min, s->Thigh_max);
    fprintf(f, "  %-28s %10g - %g K\n", "valid for every species", s->Tlow_max, s->Thigh_min);
    fprintf(f, "  %-28s %10d", "Tmid other than 1000 K", s->Tmid_other);
    if (s->Tmid_other)
        fprintf(f, "   (%g - %g K)", s->Tmid_min, s->Tmid_max);
    fputc('\n', f);
}

void kb_summary_print(FILE *f, const kb_mech *m)
{
    kb_summary s;
    kb_mech_count(m, &s);
    print_head(f, m);
    print_reactions(f, m, &s);
    print_thermo(f, &s);
}
