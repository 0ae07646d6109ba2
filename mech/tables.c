/* SPDX-License-Identifier: MIT */
#include "tables.h"

#include <math.h>
#include <string.h>

static void add_i(kb_ints *a, int x)
{
    if (a->n == a->cap)
        a->v = kb_realloc(a->v, a->cap = a->cap ? 2 * a->cap : 64, sizeof *a->v);
    a->v[a->n++] = x;
}

static void add_r(kb_reals *a, double x)
{
    if (a->n == a->cap)
        a->v = kb_realloc(a->v, a->cap = a->cap ? 2 * a->cap : 64, sizeof *a->v);
    a->v[a->n++] = x;
}

static void fill_i(kb_ints *a, int n, int x)
{
    while (a->n < n)
        add_i(a, x);
}

/* one direction or a reversible pair, before it is sorted into the tables */
typedef struct {
    const kb_reaction *r;
    int entry;
    bool reversible, three_body, general;
    kb_arrhenius kf;
    const kb_term *lhs, *rhs, *forward, *reverse; /* forward, reverse: powers of the two rates */
    int nlhs, nrhs, nforward, nreverse;
    int range;
} step;

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

static void classify(step *s)
{
    int nf, nr = 0;
    bool fits = small_integers(s->forward, s->nforward, &nf);
    if (s->reversible)
        fits = small_integers(s->reverse, s->nreverse, &nr) && fits;
    /* explicit orders break 1/Kc = product over the slots; so do species on both sides with orders */
    if (s->reversible && (s->forward != s->lhs || s->reverse != s->rhs))
        fits = false;
    s->general = !fits;
    s->range = (s->three_body ? 2 : 0) + (fits && (nf > 2 || nr > 2) ? 1 : 0);
}

static step forward_step(const kb_reaction *r, int entry)
{
    step s = {.r = r, .entry = entry, .reversible = r->reversible && !r->has_reverse,
              .three_body = r->type == KB_THREE_BODY, .kf = r->kf,
              .lhs = r->reactants, .nlhs = r->nreactants, .rhs = r->products, .nrhs = r->nproducts};
    s.forward = r->nforward_orders ? r->forward_orders : r->reactants;
    s.nforward = r->nforward_orders ? r->nforward_orders : r->nreactants;
    s.reverse = r->nreverse_orders ? r->reverse_orders : r->products;
    s.nreverse = r->nreverse_orders ? r->nreverse_orders : r->nproducts;
    classify(&s);
    return s;
}

/* the reverse direction of an entry with an explicit reverse rate, as a step of its own */
static step reverse_step(const step *f)
{
    step s = *f;
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

static int collect_steps(const kb_mech *m, step *steps, kb_error *err)
{
    int n = 0;
    for (int k = 0; k < m->nreactions; k++) {
        const kb_reaction *r = &m->reactions[k];
        steps[n++] = forward_step(r, k);
        if (!r->has_reverse || r->kr.A == 0)
            continue;
        if (r->type != KB_ELEMENTARY && r->type != KB_THREE_BODY) {
            kb_fail_at(err, r->file, r->line, NULL, "give the reverse as a reaction of its own",
                       "an explicit reverse rate on a pressure-dependent reaction");
            return -1;
        }
        steps[n] = reverse_step(&steps[n - 1]);
        n++;
    }
    return n;
}

static int x_index(kb_tables *t, double b, double theta)
{
    if (theta == 0 && b == floor(b) && fabs(b) <= 3)
        return (int)b + 3;
    for (int k = 0; k < t->xb.n; k++)
        if (t->xb.v[k] == b && t->xtheta.v[k] == theta)
            return KB_NPOW + k;
    add_r(&t->xb, b);
    add_r(&t->xtheta, theta);
    return KB_NPOW + t->xb.n - 1;
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

static void add_reactions(kb_tables *t, const step *steps)
{
    int nsp = t->nsp, nrx = t->nrx;
    fill_i(&t->slot, KB_SLOTS * nrx, nsp);
    for (int k = 0; k < nrx; k++) {
        const step *s = &steps[k];
        bool tabled = s->r->type != KB_PLOG && s->r->type != KB_CHEBYSHEV;
        add_i(&t->entry, s->entry);
        add_r(&t->A, tabled ? s->kf.A : 0);
        add_r(&t->b, tabled ? s->kf.b : 0);
        add_r(&t->theta, tabled ? s->kf.theta : 0);
        add_i(&t->kx, tabled ? x_index(t, s->kf.b, s->kf.theta) : 3);
        add_r(&t->nf1, s->general ? 1 : 1 - order_of(s->forward, s->nforward));
        add_r(&t->nr1, s->reversible && !s->general ? 1 - order_of(s->reverse, s->nreverse) : 1);
        if (s->general || !s->reversible)
            t->slot.v[3 * nrx + k] = nsp + 1;
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
        if (t->mset_sp.v[a + i] != term[i].species || t->mset_coef.v[a + i] != term[i].value)
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
    add_r(&t->mset_base, base);
    for (int i = 0; i < n; i++) {
        add_i(&t->mset_sp, terms[i].species);
        add_r(&t->mset_coef, terms[i].value);
    }
    add_i(&t->mset_start, t->mset_sp.n);
    return t->mset_base.n - 1;
}

static void add_falloff(kb_tables *t, const step *s, int r, kb_term *terms)
{
    const kb_reaction *x = s->r;
    if (x->type == KB_ACTIVATED)
        add_i(&t->act, t->fo_A.n);
    add_i(&t->mr_r, r);
    add_i(&t->mr_mset, mset_index(t, x, terms));
    add_r(&t->fo_A, x->low.A);
    add_i(&t->fo_x, x_index(t, x->low.b, x->low.theta));
    add_r(&t->fo_db, x->low.b - x->kf.b);
    add_r(&t->fo_dtheta, x->low.theta - x->kf.theta);
    if (x->blending == KB_TROE) {
        /* a time constant of 0 means that the term is not there, as a huge one means exp(0) */
        double T3 = x->blend[1], T1 = x->blend[2], T2 = x->nblend > 3 ? x->blend[3] : 0;
        add_r(&t->troe_a, x->blend[0]);
        add_r(&t->troe_rT3, fabs(T3) < 1e-3 ? 1e3 : 1 / T3);
        add_r(&t->troe_rT1, fabs(T1) < 1e-3 ? 1e3 : 1 / T1);
        add_r(&t->troe_T2, T2 == 0 ? 1e30 : T2);
    } else if (x->blending == KB_SRI) {
        for (int k = 0; k < 5; k++)
            add_r(&t->sri, k < x->nblend ? x->blend[k] : k == 3 ? 1 : 0);
    }
}

static void add_pressure_dependence(kb_tables *t, const step *steps)
{
    kb_term *terms = kb_alloc(t->nsp + 1, sizeof *terms);
    add_i(&t->mset_start, 0);
    for (int k = t->range[2]; k < t->range[4]; k++) {
        add_i(&t->mr_r, k);
        add_i(&t->mr_mset, mset_index(t, steps[k].r, terms));
    }
    t->ntb = t->mr_r.n;
    int count[3] = {0};
    for (int blend = KB_LINDEMANN; blend <= KB_SRI; blend++)
        for (int k = 0; k < t->range[2]; k++) {
            kb_rate_type type = steps[k].r->type;
            if ((type == KB_FALLOFF || type == KB_ACTIVATED) &&
                (int)steps[k].r->blending == blend) {
                add_falloff(t, &steps[k], k, terms);
                count[blend]++;
            }
        }
    t->nlind = count[0];
    t->ntroe = count[1];
    t->nsri = count[2];
    free(terms);
}

static void add_plog(kb_tables *t, const kb_reaction *x, int r)
{
    add_i(&t->plog_r, r);
    for (int k = 0; k < x->nplog; k++) {
        if (k == 0 || x->plog[k].p != x->plog[k - 1].p) {
            add_r(&t->plog_lnp, log(x->plog[k].p));
            add_i(&t->plog_term, t->plog_lnA.n);
        }
        add_r(&t->plog_lnA, log(fabs(x->plog[k].k.A)));
        add_r(&t->plog_sign, x->plog[k].k.A < 0 ? -1 : x->plog[k].k.A > 0);
        add_r(&t->plog_b, x->plog[k].k.b);
        add_r(&t->plog_theta, x->plog[k].k.theta);
    }
    add_i(&t->plog_start, t->plog_lnp.n);
}

static void add_chebyshev(kb_tables *t, const kb_chebyshev *c, int r)
{
    double range[4] = {1 / c->Tmin, 1 / c->Tmax, log10(c->pmin), log10(c->pmax)};
    add_i(&t->cheb_r, r);
    for (int k = 0; k < 4; k++)
        add_r(&t->cheb_range, range[k]);
    add_i(&t->cheb_size, c->nT);
    add_i(&t->cheb_size, c->np);
    add_i(&t->cheb_start, t->cheb_coef.n);
    for (int k = 0; k < c->nT * c->np; k++)
        add_r(&t->cheb_coef, c->coef[k]);
}

static void add_tabulated(kb_tables *t, const step *steps)
{
    add_i(&t->plog_start, 0);
    for (int k = 0; k < t->nrx; k++) {
        if (steps[k].r->type == KB_PLOG)
            add_plog(t, steps[k].r, k);
        if (steps[k].r->type == KB_CHEBYSHEV)
            add_chebyshev(t, &steps[k].r->cheb, k);
    }
    add_i(&t->plog_term, t->plog_lnA.n);
}

/* net coefficients of a step; nu [nsp] must be zero before and is left so by clear_nu */
static int net_nu(const step *s, double *nu, int *list)
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

/* net coefficient of every species in every table reaction, rows as lists */
typedef struct {
    kb_ints start, sp;
    kb_reals nu;
} stoichiometry;

static void build_stoichiometry(const kb_tables *t, const step *steps, stoichiometry *st)
{
    double *nu = kb_alloc(t->nsp, sizeof *nu);
    int *list = kb_alloc(t->nsp + 64, sizeof *list);
    add_i(&st->start, 0);
    for (int r = 0; r < t->nrx; r++) {
        int n = net_nu(&steps[r], nu, list);
        for (int k = 0; k < n; k++) {
            if (nu[list[k]] != 0) {
                add_i(&st->sp, list[k]);
                add_r(&st->nu, nu[list[k]]);
            }
            nu[list[k]] = 0;
        }
        add_i(&st->start, st->sp.n);
    }
    free(nu);
    free(list);
}

static double nu_of(const stoichiometry *st, int r, int sp)
{
    for (int k = st->start.v[r]; k < st->start.v[r + 1]; k++)
        if (st->sp.v[k] == sp)
            return st->nu.v[k];
    return 0;
}

static void add_general(kb_tables *t, const step *steps, const stoichiometry *st)
{
    add_i(&t->gen_start, 0);
    add_i(&t->gen_kstart, 0);
    for (int r = 0; r < t->nrx; r++) {
        const step *s = &steps[r];
        if (!s->general)
            continue;
        add_i(&t->gen_r, r);
        for (int side = 0; side < 2; side++) {
            const kb_term *term = side ? s->reverse : s->forward;
            int n = side ? (s->reversible ? s->nreverse : 0) : s->nforward;
            for (int k = 0; k < n; k++)
                if (term[k].value != 0) {
                    add_i(&t->gen_sp, term[k].species);
                    add_r(&t->gen_order, term[k].value);
                }
            add_i(&t->gen_start, t->gen_sp.n);
        }
        for (int k = st->start.v[r]; s->reversible && k < st->start.v[r + 1]; k++) {
            add_i(&t->gen_ksp, st->sp.v[k]);
            add_r(&t->gen_knu, st->nu.v[k]);
        }
        add_i(&t->gen_kstart, t->gen_ksp.n);
    }
}

static void add_gather(kb_tables *t, const stoichiometry *st)
{
    for (int i = 0; i < t->nsp; i++) {
        add_i(&t->sp_start, t->sp_rx.n);
        for (int r = 0; r < t->nrx; r++) {
            double nu = nu_of(st, r, i);
            if (nu != 0) {
                add_i(&t->sp_rx, r);
                add_r(&t->sp_nu, nu);
            }
        }
    }
    add_i(&t->sp_start, t->sp_rx.n);
}

/* Where the derivative behind each slot (and each power of a general reaction) goes: sorted by the species it
 * is taken by, so that a column of d omega/d C reads from one short run. rx [nslot]: its reaction. */
static void place_slots(kb_tables *t, kb_ints *rx, kb_ints *col)
{
    int total = KB_SLOTS * t->nrx;
    fill_i(&t->slot_pos, total, -1);
    fill_i(&t->gen_pos, t->gen_sp.n, -1);
    for (int j = 0; j < t->nsp; j++) {
        for (int r = 0; r < t->nrx; r++)
            for (int s = 0; s < KB_SLOTS; s++)
                if (t->slot.v[s * t->nrx + r] == j) {
                    t->slot_pos.v[s * t->nrx + r] = rx->n;
                    add_i(rx, r);
                    add_i(col, j);
                }
        for (int g = 0; g < t->gen_r.n; g++)
            for (int k = t->gen_start.v[2 * g]; k < t->gen_start.v[2 * g + 2]; k++)
                if (t->gen_sp.v[k] == j) {
                    t->gen_pos.v[k] = rx->n;
                    add_i(rx, t->gen_r.v[g]);
                    add_i(col, j);
                }
    }
    t->nslot = rx->n;
    for (int k = 0; k < total; k++)
        if (t->slot_pos.v[k] < 0)
            t->slot_pos.v[k] = t->nslot;
}

/* LU storage: rows above the tail packed, then the head columns of the tail's rows, then the dense tail */
static int *place_lu(kb_tables *t)
{
    const kb_sparse *lu = &t->lu;
    int n = lu->n, tail = lu->tail, next = 0;
    int *place = kb_alloc((size_t)n * n, sizeof *place);
    for (int k = 0; k < n * n; k++)
        place[k] = -1;
    for (int i = 0; i < n; i++) {
        int nl = 0;
        add_i(&t->lu_row, next);
        for (int j = 0; j < (i < tail ? n : tail); j++)
            if (lu->fill[i * (size_t)n + j]) {
                nl += j < i && j < tail;
                place[i * n + j] = next++;
                add_i(&t->lu_colidx, j);
            }
        add_i(&t->lu_nl, nl);
    }
    add_i(&t->lu_row, next);
    t->tail_place = next;
    /* an odd stride keeps the rows of the dense tail out of each other's cache sets */
    t->tail_stride = (n - tail) | 1;
    for (int i = tail; i < n; i++)
        for (int j = tail; j < n; j++)
            place[i * n + j] = next + (i - tail) * t->tail_stride + j - tail;
    t->nnz = next + (n - tail) * t->tail_stride;
    return place;
}

static void add_elimination(kb_tables *t, const int *place)
{
    int n = t->lu.n;
    add_i(&t->lu_col_start, 0);
    for (int k = 0; k < t->lu.tail; k++) {
        int nu = 0;
        for (int j = k + 1; j < n; j++)
            nu += place[k * n + j] >= 0;
        add_i(&t->lu_diag, place[k * n + k]);
        add_i(&t->lu_nu, nu);
        for (int i = k + 1; i < n; i++) {
            if (place[i * n + k] < 0)
                continue;
            add_i(&t->lu_l, place[i * n + k]);
            for (int j = k + 1; j < n; j++)
                if (place[k * n + j] >= 0)
                    add_i(&t->lu_target, place[i * n + j]);
        }
        add_i(&t->lu_col_start, t->lu_l.n);
    }
}

static void add_borders(kb_tables *t, const int *place, unsigned char *written)
{
    int n = t->lu.n, *inv = t->lu.inv, pT = inv[t->nsp], ps = inv[t->nsp + 1];
    for (int p = 0; p < n; p++) {
        int u = t->lu.perm[p];
        add_i(&t->lu_perm, u < t->nsp ? u + 1 : u == t->nsp ? 0 : t->nsp + 1);
        add_i(&t->lu_T_row, place[pT * n + p]);
        add_i(&t->lu_T_col, place[p * n + pT]);
        add_i(&t->lu_s_row, place[ps * n + p]);
        add_i(&t->lu_s_col, place[p * n + ps]);
        written[place[pT * n + p]] = written[place[p * n + pT]] = 1;
        written[place[ps * n + p]] = written[place[p * n + ps]] = 1;
    }
    for (int i = 0; i < t->nsp; i++)
        add_i(&t->lu_pos_sp, inv[i]);
}

/* a row of one column of d omega/d C and how many slots it sums */
typedef struct {
    int row, slots;
} column_row;

static int by_slots(const void *a, const void *b)
{
    const column_row *x = a, *y = b;
    return x->slots != y->slots ? x->slots - y->slots : x->row - y->row;
}

/* column j of d omega/d C from the slots [first, last) that are taken by species j */
static void add_column(kb_tables *t, const stoichiometry *st, const kb_ints *rx, int first, int last,
                       int j, const unsigned char *pattern, const int *place,
                       unsigned char *written)
{
    int nsp = t->nsp, rows = 0;
    column_row *row = kb_alloc(nsp, sizeof *row);
    for (int i = 0; i < nsp; i++) {
        if (!pattern[i * (size_t)nsp + j])
            continue;
        row[rows].row = i;
        for (int s = first; s < last; s++)
            row[rows].slots += nu_of(st, rx->v[s], i) != 0;
        rows++;
    }
    qsort(row, rows, sizeof *row, by_slots);
    for (int k = 0; k < rows; k++) {
        int i = row[k].row, p = place[t->lu.inv[i] * t->lu.n + t->lu.inv[j]];
        written[p] = 1;
        add_i(&t->ent_row, i);
        add_i(&t->ent_pos, p);
        for (int s = first; s < last; s++) {
            double nu = nu_of(st, rx->v[s], i);
            if (nu != 0) {
                add_i(&t->ent_slot, s);
                add_r(&t->ent_nu, -nu);
            }
        }
        add_i(&t->ent_start, t->ent_slot.n);
    }
    free(row);
}

static void add_entries(kb_tables *t, const stoichiometry *st, const kb_ints *rx,
                        const kb_ints *col, const int *place, unsigned char *written)
{
    int first = 0, last = 0;
    unsigned char *pattern = kb_alloc((size_t)t->nsp * t->nsp, 1);
    kb_omega_pattern(t->m, pattern);
    add_i(&t->ent_start, 0);
    for (int j = 0; j < t->nsp; j++) {
        add_i(&t->col_start, t->ent_row.n);
        while (last < rx->n && col->v[last] == j)
            last++;
        add_column(t, st, rx, first, last, j, pattern, place, written);
        first = last;
    }
    add_i(&t->col_start, t->ent_row.n);
    free(pattern);
}

/* d omega_i / d [M] of one set, and where its products with the efficiencies go */
static void add_mset_row(kb_tables *t, const stoichiometry *st, int set, int i, const int *place)
{
    int first = t->v_mr.n, v = t->v_row.n, n = t->lu.n;
    for (int k = 0; k < t->mr_r.n; k++) {
        double nu = t->mr_mset.v[k] == set ? nu_of(st, t->mr_r.v[k], i) : 0;
        if (nu != 0) {
            add_i(&t->v_mr, k);
            add_r(&t->v_nu, nu);
        }
    }
    if (t->v_mr.n == first)
        return;
    add_i(&t->v_start, t->v_mr.n);
    add_i(&t->v_mset, set);
    add_i(&t->v_row, i);
    for (int k = t->mset_start.v[set]; k < t->mset_start.v[set + 1]; k++) {
        add_i(&t->mt_pos, place[t->lu.inv[i] * n + t->lu.inv[t->mset_sp.v[k]]]);
        add_i(&t->mt_v, v);
        add_r(&t->mt_coef, t->mset_coef.v[k]);
    }
}

static void add_third_body_terms(kb_tables *t, const stoichiometry *st, const int *place)
{
    add_i(&t->v_start, 0);
    for (int set = 0; set < t->mset_base.n; set++)
        for (int i = 0; i < t->nsp; i++)
            add_mset_row(t, st, set, i, place);
}

static void add_matrix(kb_tables *t, const stoichiometry *st)
{
    kb_ints rx = {0}, col = {0};
    place_slots(t, &rx, &col);
    int *place = place_lu(t);
    unsigned char *written = kb_alloc(t->nnz, 1);
    add_entries(t, st, &rx, &col, place, written);
    add_third_body_terms(t, st, place);
    add_elimination(t, place);
    add_borders(t, place, written);
    for (int k = 0; k < t->lu.n * t->lu.n; k++)
        if (place[k] >= 0 && !written[place[k]])
            add_i(&t->lu_fill, place[k]);
    free(written);
    free(place);
    free(rx.v);
    free(col.v);
}

static int by_range(const void *a, const void *b)
{
    const step *x = a, *y = b;
    if (x->range != y->range)
        return x->range - y->range;
    return x->entry != y->entry ? x->entry - y->entry : (x->lhs != x->r->reactants) -
                                                            (y->lhs != y->r->reactants);
}

int kb_tables_build(const kb_mech *m, kb_tables *t, kb_error *err)
{
    *t = (kb_tables){.m = m, .nsp = m->nspecies};
    step *steps = kb_alloc(2 * (size_t)m->nreactions, sizeof *steps);
    t->nrx = collect_steps(m, steps, err);
    if (t->nrx < 0) {
        free(steps);
        return KB_INVALID;
    }
    qsort(steps, t->nrx, sizeof *steps, by_range);
    for (int k = 0; k < t->nrx; k++)
        for (int c = steps[k].range + 1; c <= 4; c++)
            t->range[c]++;
    stoichiometry st = {0};
    build_stoichiometry(t, steps, &st);
    add_reactions(t, steps);
    add_pressure_dependence(t, steps);
    add_tabulated(t, steps);
    add_general(t, steps, &st);
    add_gather(t, &st);
    kb_sparse_build(m, &t->lu);
    add_matrix(t, &st);
    free(st.start.v);
    free(st.sp.v);
    free(st.nu.v);
    free(steps);
    return KB_OK;
}

void kb_tables_free(kb_tables *t)
{
    kb_sparse_free(&t->lu);
#define KB_FREE(name, comment) free(t->name.v);
    KB_TABLE_LIST(KB_FREE, KB_FREE)
#undef KB_FREE
    *t = (kb_tables){0};
}
