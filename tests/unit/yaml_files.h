/* SPDX-License-Identifier: MIT
 *
 * What the tests of YAML share: a file of their own, and the comparison of two mechanisms.
 */
#pragma once

#include <unistd.h>

#include "mech/mech.h"
#include "tests/test.h"

#define FEATURES "tests/corpus/yaml/features.yaml"

static char folder[64], file[96];

static inline int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/kb-yaml-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(file, sizeof file, "%s/a.yaml", folder);
    return 0;
}

static inline int remove_folder(void **state)
{
    (void)state;
    remove(file);
    return rmdir(folder); /* fails when a test left a file behind */
}

static inline void put(const char *text)
{
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static inline kb_mech read_good(const char *path)
{
    kb_mech m;
    assert_works(kb_yaml_read(&m, path, &err));
    return m;
}

static inline kb_mech load_good(const char *path, const char *thermo)
{
    kb_mech m;
    assert_works(kb_mech_load(&m, path, thermo, &err));
    return m;
}

static inline kb_mech through_file(const kb_mech *m)
{
    assert_works(kb_yaml_write(m, file, &err));
    return read_good(file);
}

static inline void same_bytes(const void *a, const void *b, size_t size)
{
    assert_memory_equal(a, b, size);
}

static inline void same_terms(const kb_term *a, int na, const kb_term *b, int nb)
{
    assert_int_equal(na, nb);
    assert_int_equal(!a, !b);
    for (int i = 0; i < na; i++) {
        assert_int_equal(a[i].species, b[i].species);
        assert_true(a[i].value == b[i].value);
    }
}

static inline void same_species(const kb_species *a, const kb_species *b)
{
    assert_string_equal(a->name, b->name);
    same_bytes(a->atoms, b->atoms, sizeof a->atoms);
    same_bytes(a->lo, b->lo, sizeof a->lo);
    same_bytes(a->hi, b->hi, sizeof a->hi);
    assert_true(a->weight == b->weight && a->p_ref == b->p_ref);
    assert_true(a->model == b->model && a->nranges == b->nranges);
    if (a->nranges) {
        same_bytes(a->T_ends, b->T_ends, ((size_t)a->nranges + 1) * sizeof *a->T_ends);
        same_bytes(a->coef, b->coef, 9 * (size_t)a->nranges * sizeof *a->coef);
    }
    assert_true(a->Tlow == b->Tlow && a->Tmid == b->Tmid && a->Thigh == b->Thigh);
}

static inline void same_chebyshev(const kb_chebyshev *a, const kb_chebyshev *b)
{
    assert_true(a->nT == b->nT && a->np == b->np);
    assert_true(a->Tmin == b->Tmin && a->Tmax == b->Tmax);
    assert_true(a->pmin == b->pmin && a->pmax == b->pmax);
    if (a->coef)
        same_bytes(a->coef, b->coef, (size_t)a->nT * (size_t)a->np * sizeof *a->coef);
}

/* PLOG and Chebyshev reactions have no kf; a CHEMKIN file keeps one there that means nothing. */
static inline void same_rate(const kb_reaction *a, const kb_reaction *b)
{
    assert_int_equal(a->type, b->type);
    if (a->type != KB_PLOG && a->type != KB_CHEBYSHEV)
        same_bytes(&a->kf, &b->kf, sizeof a->kf);
    same_bytes(&a->low, &b->low, sizeof a->low);
    assert_true(a->blending == b->blending && a->nblend == b->nblend);
    same_bytes(a->blend, b->blend, sizeof a->blend);
    assert_int_equal(a->nplog, b->nplog);
    for (int i = 0; i < a->nplog; i++)
        same_bytes(&a->plog[i], &b->plog[i], sizeof a->plog[i]);
    same_chebyshev(&a->cheb, &b->cheb);
}

static inline void same_colliders(const kb_reaction *a, const kb_reaction *b)
{
    assert_int_equal(a->ncolliders, b->ncolliders);
    for (int i = 0; i < a->ncolliders; i++) {
        const kb_burke *x = &a->colliders[i], *y = &b->colliders[i];
        assert_true(x->species == y->species && x->own == y->own);
        same_bytes(&x->eps, &y->eps, sizeof x->eps);
        if (x->own)
            same_rate(&x->rate, &y->rate);
    }
}

static inline void same_reaction(const kb_reaction *a, const kb_reaction *b)
{
    assert_true(a->reversible == b->reversible && a->duplicate == b->duplicate);
    assert_true(a->collider == b->collider && a->default_efficiency == b->default_efficiency);
    same_terms(a->reactants, a->nreactants, b->reactants, b->nreactants);
    same_terms(a->products, a->nproducts, b->products, b->nproducts);
    same_terms(a->forward_orders, a->nforward_orders, b->forward_orders, b->nforward_orders);
    assert_int_equal(a->nefficiencies, b->nefficiencies);
    for (int i = 0; i < a->nefficiencies; i++)
        same_terms(&a->efficiencies[i], 1, &b->efficiencies[i], 1);
    same_rate(a, b);
    same_colliders(a, b);
    assert_true(a->blowers_masel == b->blowers_masel && a->bond == b->bond);
}

static inline void same_mech(const kb_mech *a, const kb_mech *b)
{
    assert_int_equal(a->nelements, b->nelements);
    assert_int_equal(a->nspecies, b->nspecies);
    assert_int_equal(a->nreactions, b->nreactions);
    for (int i = 0; i < a->nelements; i++)
        assert_true(a->elements[i].weight == b->elements[i].weight);
    for (int i = 0; i < a->nspecies; i++)
        same_species(&a->species[i], &b->species[i]);
    for (int i = 0; i < a->nreactions; i++)
        same_reaction(&a->reactions[i], &b->reactions[i]);
}

/* Reading back what was written gives the same tables and the same text. */
static inline void round_trip(const kb_mech *m)
{
    kb_mech again = through_file(m);
    same_mech(m, &again);
    char *a = kb_yaml_text(m, true), *b = kb_yaml_text(&again, true);
    assert_string_equal(a, b);
    free(a);
    free(b);
    kb_mech_free(&again);
}

static inline void close_to(double value, double expected, double relative)
{
    if (!(fabs(value - expected) <= relative * fabs(expected)))
        fail_msg("%.17g instead of %.17g", value, expected);
}
