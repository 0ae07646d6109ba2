/* SPDX-License-Identifier: MIT */
#include "mech/tables/build.h"

#include <math.h>

static int x_index(kb_tables *t, double b, double theta)
{
    if (theta == 0 && b == floor(b) && fabs(b) <= 3)
        return (int)b + 3;
    for (int k = 0; k < t->x_b.n; k++)
        if (t->x_b.v[k] == b && t->x_theta.v[k] == theta)
            return KB_NPOW + k;
    kb_add_r(&t->x_b, b);
    kb_add_r(&t->x_theta, theta);
    return KB_NPOW + t->x_b.n - 1;
}

/* fills up to three slots of one side from integer powers */
static void fill_slots(int *slot, const kb_term *term, int n, int stride, int r)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int c = 0; c < (int)term[i].value; c++)
            slot[k++ * stride + r] = term[i].species;
}

static double order_of(const kb_term *term, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += term[k].value;
    return sum;
}

static void add_reactions(kb_tables *t, const kb_step *steps)
{
    int nrx = t->nrx;
    kb_fill_i(&t->slot, KB_SLOTS * nrx, t->nall);
    for (int k = 0; k < nrx; k++) {
        const kb_step *s = &steps[k];
        bool tabled = s->r->type != KB_PLOG && s->r->type != KB_CHEBYSHEV &&
                      s->r->type != KB_LINEAR_BURKE;
        kb_add_i(&t->entry, s->entry);
        if (!t->sorted)
            kb_add_i(&t->range_of, s->range);
        kb_add_r(&t->A, tabled ? s->kf.A : 0);
        kb_add_r(&t->b, tabled ? s->kf.b : 0);
        double theta = s->r->blowers_masel ? 0 : s->kf.theta;
        kb_add_r(&t->theta, tabled ? theta : 0);
        kb_add_i(&t->x_index, tabled ? x_index(t, s->kf.b, theta) : 3);
        double forward = order_of(s->forward, s->nforward);
        double reverse = s->reversible ? order_of(s->reverse, s->nreverse) : 0;
        kb_add_r(&t->one_minus_forward_order, s->general ? 1 : 1 - forward);
        kb_add_r(&t->one_minus_reverse_order, s->general ? 1 : 1 - reverse);
        if (s->general || !s->reversible)
            t->slot.v[3 * nrx + k] = t->nall + 1;
        if (!s->general) {
            fill_slots(t->slot.v, s->forward, s->nforward, nrx, k);
            if (s->reversible)
                fill_slots(t->slot.v + 3 * nrx, s->reverse, s->nreverse, nrx, k);
        }
    }
}

static int same_mset(const kb_tables *t, int k, double base, const kb_term *term, int n)
{
    int a = t->mset_start.v[k];
    if (t->mset_base.v[k] != base || t->mset_start.v[k + 1] - a != n)
        return 0;
    for (int i = 0; i < n; i++)
        if (t->mset_species.v[a + i] != term[i].species || t->mset_coef.v[a + i] != term[i].value)
            return 0;
    return 1;
}

static int by_species(const void *a, const void *b)
{
    return ((const kb_term *)a)->species - ((const kb_term *)b)->species;
}

static int mset_index(kb_tables *t, const kb_reaction *r, kb_term *terms)
{
    double base;
    int n = kb_third_body(t->m, r, &base, terms);
    qsort(terms, n, sizeof *terms, by_species);
    for (int k = 0; k < t->mset_base.n; k++)
        if (same_mset(t, k, base, terms, n))
            return k;
    kb_add_r(&t->mset_base, base);
    for (int i = 0; i < n; i++) {
        kb_add_i(&t->mset_species, terms[i].species);
        kb_add_r(&t->mset_coef, terms[i].value);
    }
    kb_add_i(&t->mset_start, t->mset_species.n);
    return t->mset_base.n - 1;
}

/* in the tables: Tsang's form stands among Troe's */
static int kind_of(const kb_reaction *r)
{
    return r->blending == KB_TSANG ? KB_TROE : (int)r->blending;
}

/* a, 1/T***, 1/T*, T** as in the tables. A time constant of 0 means that the term is not there, as
 * a huge one means exp(0). T** is only so large that the term and its slope are 0 at every T. */
static void troe_terms(const kb_reaction *x, double v[4])
{
    double T3 = x->blend[1], T1 = x->blend[2], T2 = x->nblend > 3 ? x->blend[3] : 0;
    v[0] = x->blend[0];
    v[1] = fabs(T3) < 1e-3 ? 1e3 : 1 / T3;
    v[2] = fabs(T1) < 1e-3 ? 1e3 : 1 / T1;
    v[3] = T2 == 0 ? 1e7 : fmin(T2, 1e7);
}

static void add_falloff(kb_tables *t, const kb_step *s, int r, kb_term *terms)
{
    const kb_reaction *x = s->r;
    int among[] = {0, t->troe_a.n, t->sri.n / 5}, kind = kind_of(x);
    bool tsang = x->blending == KB_TSANG;
    if (!t->sorted) {
        kb_add_i(&t->falloff_kind, kind);
        kb_add_i(&t->falloff_number, among[kind]);
    }
    if (x->type == KB_ACTIVATED)
        kb_add_i(&t->activated, t->falloff_A.n);
    kb_add_i(&t->mreaction_rx, r);
    kb_add_i(&t->mreaction_mset, mset_index(t, x, terms));
    kb_add_r(&t->falloff_A, x->low.A);
    /* without one of the limits k is 0, and nothing of Pr is used */
    double ratio = x->kf.A ? x->low.A / x->kf.A : 0;
    kb_add_r(&t->falloff_rA, ratio);
    kb_add_r(&t->falloff_lnA, log(fmax(ratio, 1e-300)));
    kb_add_i(&t->falloff_x, x_index(t, x->low.b, x->low.theta));
    kb_add_r(&t->falloff_db, ratio ? x->low.b - x->kf.b : 0);
    kb_add_r(&t->falloff_dtheta, ratio ? x->low.theta - x->kf.theta : 0);
    if (tsang) { /* Troe's terms are those of no term, below */
        kb_add_r(&t->troe_a, 0);
        kb_add_r(&t->troe_rT3, 1e3);
        kb_add_r(&t->troe_rT1, 1e3);
        kb_add_r(&t->troe_T2, 1e7);
        t->ntsang++;
    } else if (x->blending == KB_TROE) {
        double v[4];
        troe_terms(x, v);
        kb_add_r(&t->troe_a, v[0]);
        kb_add_r(&t->troe_rT3, v[1]);
        kb_add_r(&t->troe_rT1, v[2]);
        kb_add_r(&t->troe_T2, v[3]);
    } else if (x->blending == KB_SRI) {
        for (int k = 0; k < 5; k++)
            kb_add_r(&t->sri, k < x->nblend ? x->blend[k] : k == 3 ? 1 : 0);
    }
    if (kind == KB_TROE) {
        kb_add_r(&t->troe_F0, tsang ? x->blend[0] : 0);
        kb_add_r(&t->troe_F1, tsang ? x->blend[1] : 0);
    }
}

static bool is_falloff(const kb_step *s)
{
    return s->r->type == KB_FALLOFF || s->r->type == KB_ACTIVATED;
}

static void add_pressure_dependence(kb_tables *t, const kb_step *steps)
{
    kb_term *terms = kb_alloc(t->nsp + 1, sizeof *terms);
    kb_add_i(&t->mset_start, 0);
    for (int k = 0; k < t->nrx; k++) {
        if (!t->sorted)
            kb_add_i(&t->mreaction_of, steps[k].three_body ? t->mreaction_rx.n : 0);
        if (!steps[k].three_body)
            continue;
        kb_add_i(&t->mreaction_rx, k);
        kb_add_i(&t->mreaction_mset, mset_index(t, steps[k].r, terms));
    }
    t->ntb = t->mreaction_rx.n;
    int *count[3] = {&t->nlind, &t->ntroe, &t->nsri};
    for (int blend = KB_LINDEMANN; blend <= KB_SRI; blend++)
        for (int k = 0; k < t->nrx; k++) {
            int listed = t->sorted ? kind_of(steps[k].r) : KB_LINDEMANN;
            if (!is_falloff(&steps[k]) || listed != blend)
                continue;
            add_falloff(t, &steps[k], k, terms);
            ++*count[blend];
        }
    free(terms);
}

/* r: table reaction; -1: of a collider of one */
static void add_plog(kb_tables *t, const kb_reaction *x, int r)
{
    if (r >= 0)
        kb_add_i(&t->plog_rx, r);
    for (int k = 0; k < x->nplog; k++) {
        if (k == 0 || x->plog[k].p != x->plog[k - 1].p) {
            kb_add_r(&t->plog_lnp, log(x->plog[k].p));
            kb_add_i(&t->plog_term, t->plog_lnA.n);
        }
        if (x->plog[k].k.A == 0) /* another one of this pressure is not 0 */
            continue;
        kb_add_r(&t->plog_lnA, log(fabs(x->plog[k].k.A)));
        kb_add_r(&t->plog_sign, x->plog[k].k.A < 0 ? -1 : 1);
        kb_add_r(&t->plog_b, x->plog[k].k.b);
        kb_add_r(&t->plog_theta, x->plog[k].k.theta);
    }
    kb_add_i(&t->plog_start, t->plog_lnp.n);
}

/* r: as add_plog */
static void add_chebyshev(kb_tables *t, const kb_chebyshev *c, int r)
{
    double range[4] = {1 / c->Tmin, 1 / c->Tmax, log10(c->pmin), log10(c->pmax)};
    if (r >= 0)
        kb_add_i(&t->cheb_rx, r);
    for (int k = 0; k < 4; k++)
        kb_add_r(&t->cheb_range, range[k]);
    kb_add_i(&t->cheb_size, c->nT);
    kb_add_i(&t->cheb_size, c->np);
    kb_add_i(&t->cheb_start, t->cheb_coef.n);
    for (int k = 0; k < c->nT * c->np; k++)
        kb_add_r(&t->cheb_coef, c->coef[k]);
}

static void add_burke_falloff(kb_tables *t, const kb_reaction *x)
{
    double v[10] = {x->kf.A, x->kf.b, x->kf.theta, x->low.A, x->low.b, x->low.theta};
    troe_terms(x, v + 6);
    for (int k = 0; k < 10; k++)
        kb_add_r(&t->burke_falloff, v[k]);
}

/* a rate of its own stands behind those of reactions */
static void add_collider(kb_tables *t, const kb_burke *c)
{
    int kind = KB_BURKE_OF_M, number = 0;
    kb_add_i(&t->burke_species, c->species < 0 ? t->nall : c->species);
    kb_add_r(&t->burke_A, c->eps.A);
    kb_add_r(&t->burke_b, c->eps.b);
    kb_add_r(&t->burke_theta, c->eps.theta);
    if (c->own && c->rate.type == KB_PLOG) {
        kind = KB_BURKE_PLOG;
        number = t->plog_start.n - 1;
        add_plog(t, &c->rate, -1);
    } else if (c->own && c->rate.type == KB_CHEBYSHEV) {
        kind = KB_BURKE_CHEBYSHEV;
        number = t->cheb_start.n;
        add_chebyshev(t, &c->rate.cheb, -1);
    } else if (c->own) {
        kind = KB_BURKE_FALLOFF;
        number = t->burke_falloff.n / 10;
        add_burke_falloff(t, &c->rate);
    }
    kb_add_i(&t->burke_kind, kind);
    kb_add_i(&t->burke_number, number);
}

static void add_linear_burke(kb_tables *t, const kb_step *steps)
{
    kb_add_i(&t->burke_start, 0);
    for (int k = 0; k < t->nrx; k++) {
        if (steps[k].r->type != KB_LINEAR_BURKE)
            continue;
        kb_add_i(&t->burke_rx, k);
        for (int c = 0; c < steps[k].r->ncolliders; c++)
            add_collider(t, &steps[k].r->colliders[c]);
        kb_add_i(&t->burke_start, t->burke_species.n);
    }
}

static void add_tabulated(kb_tables *t, const kb_step *steps)
{
    kb_add_i(&t->plog_start, 0);
    for (int k = 0; k < t->nrx; k++) {
        if (steps[k].r->type == KB_PLOG)
            add_plog(t, steps[k].r, k);
        if (steps[k].r->type == KB_CHEBYSHEV)
            add_chebyshev(t, &steps[k].r->cheb, k);
    }
    add_linear_burke(t, steps);
    kb_add_i(&t->plog_term, t->plog_lnA.n);
    if (t->plog_lnp.n == 1) /* law_plog_weight: a compiler refuses the neighbour of the only one */
        kb_add_r(&t->plog_lnp, t->plog_lnp.v[0]);
}

static void add_blowers_masel(kb_tables *t, const kb_step *steps, const kb_stoichiometry *st)
{
    kb_add_i(&t->blowers_masel_start, 0);
    for (int k = 0; k < t->nrx; k++) {
        if (!steps[k].r->blowers_masel)
            continue;
        kb_add_i(&t->blowers_masel_rx, k);
        kb_add_r(&t->blowers_masel_theta, steps[k].kf.theta);
        kb_add_r(&t->blowers_masel_theta, steps[k].r->bond);
        for (int i = st->start.v[k]; i < st->start.v[k + 1]; i++) {
            kb_add_i(&t->blowers_masel_species, st->sp.v[i]);
            kb_add_r(&t->blowers_masel_nu, st->nu.v[i]);
        }
        kb_add_i(&t->blowers_masel_start, t->blowers_masel_species.n);
    }
}

static void add_general(kb_tables *t, const kb_step *steps, const kb_stoichiometry *st)
{
    kb_add_i(&t->general_start, 0);
    kb_add_i(&t->general_kc_start, 0);
    for (int r = 0; r < t->nrx; r++) {
        const kb_step *s = &steps[r];
        if (!s->general)
            continue;
        kb_add_i(&t->general_rx, r);
        for (int side = 0; side < 2; side++) {
            const kb_term *term = side ? s->reverse : s->forward;
            int n = side ? (s->reversible ? s->nreverse : 0) : s->nforward;
            for (int k = 0; k < n; k++)
                if (term[k].value != 0) {
                    kb_add_i(&t->general_species, term[k].species);
                    kb_add_r(&t->general_order, term[k].value);
                }
            kb_add_i(&t->general_start, t->general_species.n);
        }
        for (int k = st->start.v[r]; s->reversible && k < st->start.v[r + 1]; k++) {
            kb_add_i(&t->general_kc_species, st->sp.v[k]);
            kb_add_r(&t->general_kc_nu, st->nu.v[k]);
        }
        kb_add_i(&t->general_kc_start, t->general_kc_species.n);
    }
}

static void add_gather(kb_tables *t, const kb_stoichiometry *st)
{
    kb_by_row c = kb_sort_by_row(t, st, NULL, 0, t->nrx, NULL, 0);
    for (int i = 0; i < t->nall; i++) {
        kb_add_i(&t->species_start, t->species_rx.n);
        for (int k = c.start[i]; k < c.start[i + 1]; k++) {
            kb_add_i(&t->species_rx, c.item[k]);
            kb_add_r(&t->species_nu, c.nu[k]);
        }
    }
    kb_add_i(&t->species_start, t->species_rx.n);
    kb_by_row_free(&c);
}

void kb_tables_rates(kb_tables *t, const kb_step *steps, const kb_stoichiometry *st)
{
    add_reactions(t, steps);
    add_pressure_dependence(t, steps);
    add_tabulated(t, steps);
    add_blowers_masel(t, steps, st);
    add_general(t, steps, st);
    add_gather(t, st);
    kb_tables_steady_rates(t, steps, st);
}
