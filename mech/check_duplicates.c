/* SPDX-License-Identifier: MIT
 *
 * Duplicate reactions: unmarked ones, and marks without a twin.
 */
#include "mech/check_duplicates.h"

#include <math.h>
#include <stdint.h>

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

/* The same reaction twice: kind and third body agree too */
static bool is_duplicate(const kb_reaction *a, const kb_reaction *b)
{
    return a->type == b->type && a->collider == b->collider && kb_same_either_way(a, b);
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
        if (n > 0 && !(i >= r->nreactants &&
                       amount(r->reactants, r->nreactants, t->species) > 0))
            h += (t->species + 1) * 2654435761u ^ (uint32_t)fmod(n * 1024, 4294967296.0);
    }
    return h;
}

typedef struct {
    uint32_t print;
    int reaction;
} entry;

static int by_print(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->print != y->print)
        return x->print < y->print ? -1 : 1;
    return x->reaction - y->reaction;
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

/* All pairs within list[from, to), whose fingerprints agree */
static int check_group(const kb_mech *m, const entry *list, int from, int to, bool *twin,
                       kb_error *err)
{
    for (int i = from; i < to; i++)
        for (int j = i + 1; j < to; j++) {
            const kb_reaction *a = &m->reactions[list[i].reaction];
            const kb_reaction *b = &m->reactions[list[j].reaction];
            if (a->duplicate && b->duplicate) {
                bool both = is_twin(a, b);
                twin[list[i].reaction] |= both;
                twin[list[j].reaction] |= both;
            } else if (is_duplicate(a, b)) {
                return fail_duplicate(m, a, b, err);
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

int kb_check_duplicates(const kb_mech *m, kb_error *err)
{
    entry *list = kb_alloc(m->nreactions, sizeof *list);
    bool *twin = kb_alloc(m->nreactions, sizeof *twin);
    for (int i = 0; i < m->nreactions; i++)
        list[i] = (entry){fingerprint(&m->reactions[i]), i};
    qsort(list, m->nreactions, sizeof *list, by_print);
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
