/* SPDX-License-Identifier: MIT
 *
 * Duplicate reactions: unmarked ones, and marks without a twin.
 */
#include "mech/check_duplicates.h"

#include <math.h>

static double amount(const kb_term *terms, int n, int species)
{
    for (int i = 0; i < n; i++)
        if (terms[i].species == species)
            return terms[i].value;
    return 0;
}

static bool same_terms(const kb_term *a, int na, const kb_term *b, int nb)
{
    if (na != nb)
        return false;
    for (int i = 0; i < na; i++)
        if (amount(b, nb, a[i].species) != a[i].value)
            return false;
    return true;
}

bool kb_same_reaction(const kb_reaction *a, const kb_reaction *b)
{
    return same_terms(a->reactants, a->nreactants, b->reactants, b->nreactants) &&
           same_terms(a->products, a->nproducts, b->products, b->nproducts);
}

static bool same_reversed(const kb_reaction *a, const kb_reaction *b)
{
    return same_terms(a->reactants, a->nreactants, b->products, b->nproducts) &&
           same_terms(a->products, a->nproducts, b->reactants, b->nreactants);
}

bool kb_same_either_way(const kb_reaction *a, const kb_reaction *b)
{
    return kb_same_reaction(a, b) || ((a->reversible || b->reversible) && same_reversed(a, b));
}

static bool has_third_body(const kb_reaction *r)
{
    return r->type == KB_THREE_BODY || r->type == KB_FALLOFF || r->type == KB_ACTIVATED;
}

static double efficiency(const kb_reaction *r, int species)
{
    if (r->collider >= 0)
        return species == r->collider;
    for (int i = 0; i < r->nefficiencies; i++)
        if (r->efficiencies[i].species == species)
            return r->efficiencies[i].value;
    return r->default_efficiency;
}

/* A species that is a third body of both, or -1 */
static int common_third_body(const kb_mech *m, const kb_reaction *a, const kb_reaction *b)
{
    for (int k = 0; k < m->nspecies; k++)
        if (efficiency(a, k) != 0 && efficiency(b, k) != 0)
            return k;
    return -1;
}

static bool whole(const kb_term *terms, int n, double *sum)
{
    *sum = 0;
    for (int i = 0; i < n; i++) {
        if (terms[i].value != floor(terms[i].value))
            return false;
        *sum += terms[i].value;
    }
    return true;
}

/* An elementary reaction that Cantera takes for a three-body one: three whole molecules on a side,
 * and one species on both. That species, or -1 */
static int implicit_collider(const kb_reaction *r)
{
    double left, right;
    int found = -1, count = 0;
    if (r->type != KB_ELEMENTARY || !whole(r->reactants, r->nreactants, &left) ||
        !whole(r->products, r->nproducts, &right) || (left != 3 && right != 3))
        return -1;
    for (int i = 0; i < r->nreactants; i++)
        if (amount(r->products, r->nproducts, r->reactants[i].species) > 0) {
            found = r->reactants[i].species;
            count++;
        }
    return count == 1 ? found : -1;
}

/* r with its collider taken out of both sides; the caller frees the two lists */
static kb_reaction without_collider(const kb_reaction *r, int collider)
{
    kb_reaction v = *r;
    kb_term **side[] = {&v.reactants, &v.products};
    int *n[] = {&v.nreactants, &v.nproducts};
    for (int s = 0; s < 2; s++) {
        const kb_term *from = *side[s];
        int count = *n[s];
        *side[s] = kb_alloc((size_t)count + 1, sizeof **side[s]);
        *n[s] = 0;
        for (int i = 0; i < count; i++) {
            double value = from[i].value - (from[i].species == collider);
            if (value != 0)
                (*side[s])[(*n[s])++] = (kb_term){from[i].species, value};
        }
    }
    v.collider = collider;
    v.type = KB_THREE_BODY;
    return v;
}

/* The same reaction twice: kind and third body agree too */
static bool is_duplicate(const kb_mech *m, const kb_reaction *a, const kb_reaction *b)
{
    return a->type == b->type && a->collider == b->collider && kb_same_either_way(a, b) &&
           (!has_third_body(a) || common_third_body(m, a, b) >= 0);
}

static double net(const kb_reaction *r, int species)
{
    return amount(r->products, r->nproducts, species) -
           amount(r->reactants, r->nreactants, species);
}

static bool same_net_of(const kb_reaction *a, const kb_term *terms, int n, const kb_reaction *b,
                        int sign)
{
    for (int i = 0; i < n; i++)
        if (net(a, terms[i].species) != sign * net(b, terms[i].species))
            return false;
    return true;
}

/* A partner that justifies the mark DUPLICATE: the same change of species, with any third body */
static bool is_twin(const kb_reaction *a, const kb_reaction *b)
{
    for (int sign = -1; sign <= 1; sign += 2)
        if (same_net_of(a, a->reactants, a->nreactants, b, sign) &&
            same_net_of(a, a->products, a->nproducts, b, sign) &&
            same_net_of(b, b->reactants, b->nreactants, a, sign) &&
            same_net_of(b, b->products, b->nproducts, a, sign))
            return true;
    return false;
}

/* Equal for both directions and for added third bodies */
static uint32_t fingerprint(const kb_reaction *r)
{
    uint32_t h = 0;
    for (int i = 0; i < r->nreactants + r->nproducts; i++) {
        const kb_term *t = i < r->nreactants ? &r->reactants[i] : &r->products[i - r->nreactants];
        double n = fabs(net(r, t->species));
        if (n > 0 && !(i >= r->nreactants && amount(r->reactants, r->nreactants, t->species) > 0))
            h += (t->species + 1) * 2654435761u ^ (uint32_t)fmod(n * 1024, 4294967296.0);
    }
    return h;
}

static int by_print(const void *a, const void *b)
{
    const kb_fingerprint *x = a, *y = b;
    if (x->print != y->print)
        return x->print < y->print ? -1 : 1;
    return x->reaction - y->reaction;
}

kb_fingerprint *kb_fingerprints(const kb_reaction *r, int n)
{
    kb_fingerprint *list = kb_alloc(n, sizeof *list);
    for (int i = 0; i < n; i++)
        list[i] = (kb_fingerprint){fingerprint(&r[i]), i};
    qsort(list, n, sizeof *list, by_print);
    return list;
}

static int fail_duplicate(const kb_mech *m, const kb_reaction *a, const kb_reaction *b,
                          kb_error *err)
{
    char *text = kb_equation(m, b);
    int code = kb_fail_at(err, b->file, b->line, text, "mark both with DUPLICATE, or delete one",
                          "the reaction of line %d stands here again, unmarked:", a->line);
    free(text);
    return code;
}

/* A reaction with M, and its like with one collider that M counts too */
static int overlap(kb_mech *m, kb_reaction *mixture, const kb_reaction *named, kb_error *err)
{
    const char *name = m->species[named->collider].name;
    if (efficiency(mixture, named->collider) == 0)
        return KB_OK;
    if (m->overlap == KB_OVERLAP_ERROR)
        return fail_duplicate(m, mixture, named, err);
    if (m->overlap == KB_OVERLAP_WARN) {
        char *text = kb_equation(m, named);
        kb_add_warning(m,
                       "!%s:%d: '%s' stands beside the reaction with M of line %d, in which %s "
                       "counts too (explicit-third-body-duplicates chooses)",
                       named->file, named->line, text, mixture->line, name);
        free(text);
    }
    if (m->overlap != KB_OVERLAP_MODIFY)
        return KB_OK;
    int n = mixture->nefficiencies;
    for (int i = 0; i < n; i++)
        if (mixture->efficiencies[i].species == named->collider) {
            mixture->efficiencies[i].value = 0;
            return KB_OK;
        }
    mixture->efficiencies = kb_realloc(mixture->efficiencies, (size_t)n + 1, sizeof(kb_term));
    mixture->efficiencies[mixture->nefficiencies++] = (kb_term){named->collider, 0};
    return KB_OK;
}

static int check_overlap(kb_mech *m, kb_reaction *a, kb_reaction *b, kb_error *err)
{
    int ia = implicit_collider(a), ib = implicit_collider(b), code = KB_OK;
    kb_reaction x = *a, y = *b;
    if (ia >= 0)
        x = without_collider(a, ia);
    if (ib >= 0)
        y = without_collider(b, ib);
    if (has_third_body(&x) && x.type == y.type && (x.collider < 0) != (y.collider < 0) &&
        kb_same_either_way(&x, &y))
        code = x.collider < 0 ? overlap(m, a, &y, err) : overlap(m, b, &x, err);
    if (ia >= 0) {
        free(x.reactants);
        free(x.products);
    }
    if (ib >= 0) {
        free(y.reactants);
        free(y.products);
    }
    return code;
}

/* All pairs within list[from, to), whose fingerprints agree */
static int check_group(kb_mech *m, const kb_fingerprint *list, int from, int to, bool *twin,
                       kb_error *err)
{
    for (int i = from; i < to; i++)
        for (int j = i + 1; j < to; j++) {
            kb_reaction *a = &m->reactions[list[i].reaction];
            kb_reaction *b = &m->reactions[list[j].reaction];
            if (a->duplicate && b->duplicate) {
                bool both = is_twin(a, b);
                twin[list[i].reaction] |= both;
                twin[list[j].reaction] |= both;
            } else if (is_duplicate(m, a, b)) {
                return fail_duplicate(m, a, b, err);
            } else if (check_overlap(m, a, b, err)) {
                return KB_INVALID;
            }
        }
    return KB_OK;
}

static int check_lone(const kb_mech *m, const bool *twin, kb_error *err)
{
    for (int i = 0; i < m->nreactions; i++) {
        const kb_reaction *r = &m->reactions[i];
        if (!r->duplicate || twin[i])
            continue;
        char *text = kb_equation(m, r);
        int code = kb_fail_at(err, r->file, r->line, text, "delete the mark, or add its twin",
                              "DUPLICATE, but no other marked reaction is like");
        free(text);
        return code;
    }
    return KB_OK;
}

int kb_check_duplicates(kb_mech *m, kb_error *err)
{
    kb_fingerprint *list = kb_fingerprints(m->reactions, m->nreactions);
    bool *twin = kb_alloc(m->nreactions, sizeof *twin);
    int code = KB_OK;
    for (int from = 0, to; from < m->nreactions && !code; from = to) {
        for (to = from + 1; to < m->nreactions && list[to].print == list[from].print; to++)
            ;
        code = check_group(m, list, from, to, twin, err);
    }
    if (!code)
        code = check_lone(m, twin, err);
    free(list);
    free(twin);
    return code;
}
