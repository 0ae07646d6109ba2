/* SPDX-License-Identifier: MIT */
#include "mech/tables/likeness.h"

#include <sha2.h>
#include <string.h>

#include "mech/tables/tables.h"

static int by_species(const void *a, const void *b)
{
    const kb_term *x = a, *y = b;
    return x->species - y->species;
}

static void sort_terms(kb_term *terms, int n)
{
    if (n > 0)
        qsort(terms, (size_t)n, sizeof *terms, by_species);
}

/* a copy with the terms of each list in the order of their species */
static kb_reaction sorted_reaction(const kb_reaction *r)
{
    kb_reaction s = kb_reaction_copy(*r);
    sort_terms(s.reactants, s.nreactants);
    sort_terms(s.products, s.nproducts);
    sort_terms(s.forward_orders, s.nforward_orders);
    sort_terms(s.reverse_orders, s.nreverse_orders);
    sort_terms(s.efficiencies, s.nefficiencies);
    return s;
}

static void put_ints(FILE *f, const kb_ints *a)
{
    for (int i = 0; i < a->n; i++)
        fprintf(f, " %d", a->v[i]);
    fputc('\n', f);
}

/* nine digits: what other units and other sums leave of a number is the same */
static void put_reals(FILE *f, const kb_reals *a)
{
    for (int i = 0; i < a->n; i++)
        fprintf(f, " %.8e", a->v[i] + 0);
    fputc('\n', f);
}

static void put_tables(FILE *f, const kb_tables *t)
{
    for (int i = 0; i < t->nsp; i++)
        fprintf(f, "%s\n", t->m->species[i].name);
#define KB_PUT_SIZE(name, value) fprintf(f, " %d", value);
#define KB_PUT_INTS(name, comment) put_ints(f, &t->name);
#define KB_PUT_REALS(name, comment) put_reals(f, &t->name);
    KB_SIZE_LIST(KB_PUT_SIZE)
    KB_TABLE_LIST(KB_PUT_INTS, KB_PUT_REALS)
    fprintf(f, "%.8e %.8e\n", t->data_from, t->data_to);
}

char *kb_mech_likeness(const kb_mech *m)
{
    const kb_layout layout = {.sorted = true, .team = 1, .bytes = {16, 16}};
    kb_mech sorted = *m;
    kb_tables t = {0};
    char *text, hash[65] = "";
    size_t size;
    sorted.reactions = kb_alloc((size_t)m->nreactions, sizeof *sorted.reactions);
    for (int i = 0; i < m->nreactions; i++)
        sorted.reactions[i] = sorted_reaction(&m->reactions[i]);
    FILE *f = kb_open_text(&text, &size);
    bool fits = kb_tables_build(&sorted, &layout, &t, NULL) == KB_OK;
    if (fits)
        put_tables(f, &t);
    kb_close_text(f);
    SHA256Data((const uint8_t *)text, size, hash);
    free(text);
    kb_tables_free(&t);
    for (int i = 0; i < m->nreactions; i++)
        kb_reaction_free(&sorted.reactions[i]);
    free(sorted.reactions);
    return fits ? kb_format("%d %d %s", m->nspecies, m->nreactions, hash) : kb_strdup("");
}
