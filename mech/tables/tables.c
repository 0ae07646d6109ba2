/* SPDX-License-Identifier: MIT */
#include "mech/tables/build.h"

#include <math.h>
#include <string.h>

static bool small_integers(const kb_term *t, int n, int *molecules)
{
    *molecules = 0;
    for (int k = 0; k < n; k++) {
        if (t[k].value != floor(t[k].value) || t[k].value < 0)
            return false;
        *molecules += (int)t[k].value;
    }
    return *molecules <= 3;
}

static void classify(kb_step *s)
{
    int nf, nr = 0;
    bool fits = small_integers(s->forward, s->nforward, &nf);
    if (s->reversible)
        fits = small_integers(s->reverse, s->nreverse, &nr) && fits;
    /* explicit orders break 1/Kc = product over the slots */
    if (s->reversible && (s->forward != s->lhs || s->reverse != s->rhs))
        fits = false;
    s->general = !fits;
    s->range = (s->three_body ? 2 : 0) + (fits && (nf > 2 || nr > 2) ? 1 : 0);
}

/* none: what stands for a forward direction that is left out */
static kb_step forward_step(const kb_reaction *r, int entry, const kb_term *none)
{
    kb_step s = {.r = r, .entry = entry,
              .reversible = r->reversible && !r->has_reverse && !r->no_reverse,
              .three_body = r->type == KB_THREE_BODY, .kf = r->kf,
              .lhs = r->reactants, .nlhs = r->nreactants, .rhs = r->products, .nrhs = r->nproducts};
    s.forward = r->nforward_orders ? r->forward_orders : r->reactants;
    s.nforward = r->nforward_orders ? r->nforward_orders : r->nreactants;
    s.reverse = r->nreverse_orders ? r->reverse_orders : r->products;
    s.nreverse = r->nreverse_orders ? r->nreverse_orders : r->nproducts;
    if (r->no_forward) {
        s.forward = none;
        s.nforward = 1;
    }
    classify(&s);
    return s;
}

/* the reverse direction of an entry with an explicit reverse rate, as a step of its own */
static kb_step reverse_step(const kb_step *f)
{
    kb_step s = *f;
    s.kf = f->r->kr;
    s.lhs = f->rhs;
    s.nlhs = f->nrhs;
    s.rhs = f->lhs;
    s.nrhs = f->nlhs;
    s.forward = f->reverse;
    s.nforward = f->nreverse;
    s.reverse = NULL;
    s.nreverse = 0;
    classify(&s);
    return s;
}

static int collect_steps(const kb_mech *m, const kb_term *none, kb_step *steps, kb_error *err)
{
    int n = 0;
    for (int k = 0; k < m->nreactions; k++) {
        const kb_reaction *r = &m->reactions[k];
        kb_step forward = forward_step(r, k, none);
        if (!r->no_forward || forward.reversible)
            steps[n++] = forward;
        if (!r->has_reverse || r->kr.A == 0 || r->no_reverse)
            continue;
        if (r->type != KB_ELEMENTARY && r->type != KB_THREE_BODY) {
            kb_fail_at(err, r->file, r->line, NULL, "give the reverse as a reaction of its own",
                       "an explicit reverse rate on a pressure-dependent reaction");
            return -1;
        }
        steps[n++] = reverse_step(&forward);
    }
    return n;
}

/* net coefficients of a step; nu [nall] must be zero before and is left so by clear_nu */
static int net_nu(const kb_step *s, double *nu, int *list)
{
    int n = 0;
    const kb_term *side[2] = {s->lhs, s->rhs};
    int size[2] = {s->nlhs, s->nrhs};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < size[k]; i++) {
            int sp = side[k][i].species, seen = 0;
            for (int j = 0; j < n; j++)
                seen |= list[j] == sp;
            if (!seen)
                list[n++] = sp;
            nu[sp] += k ? side[k][i].value : -side[k][i].value;
        }
    return n;
}

static void build_stoichiometry(const kb_tables *t, const kb_step *steps, kb_stoichiometry *st)
{
    double *nu = kb_alloc(t->nall, sizeof *nu);
    int *list = kb_alloc(t->nall + 64, sizeof *list);
    kb_add_i(&st->start, 0);
    for (int r = 0; r < t->nrx; r++) {
        int n = net_nu(&steps[r], nu, list);
        for (int k = 0; k < n; k++) {
            if (nu[list[k]] != 0) {
                kb_add_i(&st->sp, list[k]);
                kb_add_r(&st->nu, nu[list[k]]);
            }
            nu[list[k]] = 0;
        }
        kb_add_i(&st->start, st->sp.n);
    }
    free(nu);
    free(list);
}

/* see kb_step */
static int kind_of_rate(const kb_step *s)
{
    if (s->r->type == KB_FALLOFF || s->r->type == KB_ACTIVATED)
        return 2;
    return s->general || s->r->blowers_masel ||
           (s->r->type != KB_ELEMENTARY && s->r->type != KB_THREE_BODY);
}

static int by_range(const void *a, const void *b)
{
    const kb_step *x = a, *y = b;
    if (x->range != y->range)
        return x->range - y->range;
    if (x->kind != y->kind)
        return x->kind - y->kind;
    return x->entry != y->entry ? x->entry - y->entry : (x->lhs != x->r->reactants) -
                                                            (y->lhs != y->r->reactants);
}

/* where the kinds of range c end; unsorted, at its begin */
static void find_kinds(kb_tables *t, const kb_step *steps, int c)
{
    int k = t->range[c];
    while (t->sorted && k < t->range[c + 1] && steps[k].kind == 0)
        k++;
    t->plain[c] = k;
    while (t->sorted && k < t->range[c + 1] && steps[k].kind == 1)
        k++;
    t->other[c] = k;
}

/* the first two molecules of each side of a step, as its slots have them */
static void first_species(const kb_tables *t, const kb_step *s, int at[4])
{
    const kb_term *side[2] = {s->forward, s->reverse};
    int n[2] = {s->nforward, s->reversible ? s->nreverse : 0};
    for (int k = 0; k < 2; k++) {
        int found = 0;
        at[2 * k] = n[k] > 0 ? t->nall : t->nall + 1;
        at[2 * k + 1] = t->nall;
        for (int i = 0; i < n[k]; i++)
            for (int c = 0; c < (int)side[k][i].value && found < 2; c++)
                at[2 * k + found++] = side[k][i].species;
    }
}

/* how many reads of step s wait for those of the others, [n][4], in one of 8 banks */
static int waits_for(const int (*others)[4], int n, const int at[4])
{
    int waits = 0;
    for (int o = 0; o < 4; o++)
        for (int k = 0; k < n; k++)
            waits += others[k][o] != at[o] && others[k][o] % 8 == at[o] % 8;
    return waits;
}

/* Orders the steps [first, last) so that what eight neighbouring threads of a team read together
 * lies in different banks as far as may be: next comes the one that waits for the fewest. */
static void order_by_banks(const kb_tables *t, kb_step *steps, int first, int last)
{
    int group[8][4];
    for (int k = first; k < last; k++) {
        int n = (k - first) % 8, best = k, least = -1;
        for (int q = k; q < last && least != 0; q++) {
            int at[4];
            first_species(t, &steps[q], at);
            int waits = waits_for((const int(*)[4])group, n, at);
            if (least < 0 || waits < least) {
                least = waits;
                best = q;
            }
        }
        kb_step next = steps[best];
        memmove(steps + k + 1, steps + k, (best - k) * sizeof *steps);
        steps[k] = next;
        first_species(t, &next, group[n]);
    }
}

/* A compiler takes no inf and no nan. */
static int check_reals(const kb_mech *m, const char *table, const kb_reals *a, kb_error *err)
{
    for (int k = 0; k < a->n; k++)
        if (!isfinite(a->v[k]))
            return kb_fail(err, KB_INVALID, "%s: number %d of table %s is %g in kmol, m, s, K",
                           m->name, k, table, a->v[k]);
    return KB_OK;
}

static int check_finite(const kb_tables *t, kb_error *err)
{
    int code = KB_OK;
#define KB_CHECK(name, comment) code = code ? code : check_reals(t->m, #name, &t->name, err);
#define KB_NOTHING_TO_DO(name, comment)
    KB_TABLE_LIST(KB_NOTHING_TO_DO, KB_CHECK)
#undef KB_CHECK
#undef KB_NOTHING_TO_DO
    return code;
}

int kb_tables_build(const kb_mech *m, const kb_layout *layout, kb_tables *t, kb_error *err)
{
    *t = (kb_tables){.m = m, .sorted = layout->sorted, .team = layout->team, .nsp = m->nspecies,
                     .nall = m->nspecies + m->nsteady};
    memcpy(t->bytes, layout->bytes, sizeof layout->bytes);
    t->none = (kb_term){t->nall + 1, 1};
    kb_tables_species(t);
    kb_step *steps = kb_alloc(2 * (size_t)m->nreactions, sizeof *steps);
    t->nrx = collect_steps(m, &t->none, steps, err);
    if (t->nrx < 0) {
        free(steps);
        return KB_INVALID;
    }
    for (int k = 0; t->team > 1 && k < t->nrx; k++)
        steps[k].kind = kind_of_rate(&steps[k]);
    if (t->sorted)
        qsort(steps, t->nrx, sizeof *steps, by_range);
    for (int k = 0; k < t->nrx; k++)
        for (int c = t->sorted ? steps[k].range + 1 : 1; c <= 4; c++)
            t->range[c]++;
    for (int c = 0; c < 2; c++)
        find_kinds(t, steps, c);
    for (int c = 0; t->team > 1 && c < 2; c++)
        order_by_banks(t, steps, t->range[c], t->plain[c]);
    kb_stoichiometry st = {0};
    build_stoichiometry(t, steps, &st);
    kb_tables_rates(t, steps, &st);
    kb_sparse_build(m, layout->team, layout->head, &t->lu);
    kb_tables_matrix(t, &st);
    free(st.start.v);
    free(st.sp.v);
    free(st.nu.v);
    free(steps);
    return check_finite(t, err);
}

void kb_tables_free(kb_tables *t)
{
    kb_sparse_free(&t->lu);
#define KB_FREE(name, comment) free(t->name.v);
    KB_TABLE_LIST(KB_FREE, KB_FREE)
#undef KB_FREE
    *t = (kb_tables){0};
}
