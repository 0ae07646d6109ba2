/* SPDX-License-Identifier: MIT
 *
 * The lists of mechc's tables term by term: each term that follows from the reactions, the slots
 * and the storage of the matrix stands there once, and nothing else does. Bundles of teams have no
 * step too many, and each step reads what waits for the fewest other reads.
 */
#include "tests/test.h"
#include "base/random.h"
#include "mech/steady.h"
#include "mech/tables/lines.h"
#include "mech/tables/tables.h"
#include "mech/tables/update_pairs.h"
#include "tests/unit/reference.h"

/* b: an index or a coefficient */
typedef struct {
    int target, a;
    double b;
} term;

typedef struct {
    term *v;
    int n;
} terms;

static void put(terms *l, int target, int a, double b)
{
    if ((l->n & (l->n - 1)) == 0)
        l->v = kb_realloc(l->v, 2 * (size_t)l->n + 1, sizeof *l->v);
    l->v[l->n++] = (term){target, a, b};
}

static int by_all(const void *x, const void *y)
{
    const term *p = x, *q = y;
    return p->target != q->target ? (p->target > q->target) - (p->target < q->target)
           : p->a != q->a         ? (p->a > q->a) - (p->a < q->a)
                                  : (p->b > q->b) - (p->b < q->b);
}

/* the same terms in any order; both are freed */
static void assert_same(const char *what, terms found, terms expected)
{
    if (found.n != expected.n)
        fail_msg("%s: %d terms, expected %d", what, found.n, expected.n);
    if (found.n > 0) {
        qsort(found.v, (size_t)found.n, sizeof(term), by_all);
        qsort(expected.v, (size_t)found.n, sizeof(term), by_all);
    }
    for (int k = 0; k < found.n; k++)
        if (by_all(&found.v[k], &expected.v[k]))
            fail_msg("%s: term (%d, %d, %g), expected (%d, %d, %g)", what, found.v[k].target,
                     found.v[k].a, found.v[k].b, expected.v[k].target, expected.v[k].a,
                     expected.v[k].b);
    free(found.v);
    free(expected.v);
}

/* ---- what the lists are checked against ---- */

typedef struct {
    const kb_mech *m;
    kb_tables t;
    double *nu;       /* [nrx][nall] */
    int *rx, *column; /* [nslot] of D: reaction and species */
    int *storage;     /* [lu.n][lu.n] by position, -1: none */
} whole;

static double net(const kb_reaction *r, int species)
{
    double sum = 0;
    for (int k = 0; k < r->nreactants; k++)
        sum -= r->reactants[k].species == species ? r->reactants[k].value : 0;
    for (int k = 0; k < r->nproducts; k++)
        sum += r->products[k].species == species ? r->products[k].value : 0;
    return sum;
}

/* an entry is one reaction of the tables; with an explicit reverse rate that does anything, two */
static void check_entries(const whole *w)
{
    terms found = {0}, expected = {0};
    for (int r = 0; r < w->t.nrx; r++)
        put(&found, w->t.entry.v[r], 0, 0);
    for (int k = 0; k < w->m->nreactions; k++) {
        const kb_reaction *e = &w->m->reactions[k];
        put(&expected, k, 0, 0);
        if (e->has_reverse && e->kr.A != 0 && !e->no_reverse)
            put(&expected, k, 0, 0);
    }
    assert_same("entries", found, expected);
}

/* net coefficients; an explicit reverse rate has the coefficients of its entry, negated */
static void find_nu(whole *w)
{
    kb_tables *t = &w->t;
    terms found = {0}, expected = {0};
    w->nu = kb_alloc((size_t)t->nrx * t->nall, sizeof *w->nu);
    for (int r = 0; r < t->nrx; r++) {
        const kb_reaction *e = &w->m->reactions[t->entry.v[r]];
        int turned = e->has_reverse && t->A.v[r] == e->kr.A;
        for (int i = 0; i < t->nall; i++) {
            double nu = net(e, i) * (turned ? -1 : 1);
            w->nu[r * t->nall + i] = nu;
            if (nu != 0)
                put(&expected, i, r, nu);
        }
    }
    for (int i = 0; i < t->nall; i++)
        for (int k = t->species_start.v[i]; k < t->species_start.v[i + 1]; k++)
            put(&found, i, t->species_rx.v[k], t->species_nu.v[k]);
    assert_same("species", found, expected);
}

static void claim(whole *w, int at, int r, int species)
{
    if (at == w->t.nslot)
        return;
    assert_true(at >= 0 && at < w->t.nslot && w->rx[at] < 0);
    w->rx[at] = r;
    w->column[at] = species;
}

/* each derivative is of one slot, power or collider, sorted by species */
static void find_slots(whole *w)
{
    kb_tables *t = &w->t;
    w->rx = kb_alloc((size_t)t->nslot + 1, sizeof *w->rx);
    w->column = kb_alloc((size_t)t->nslot + 1, sizeof *w->column);
    memset(w->rx, 0xff, (size_t)t->nslot * sizeof *w->rx);
    for (int k = 0; k < KB_SLOTS * t->nrx; k++) {
        assert_int_equal(t->slot.v[k] < t->nall, t->slot_derivative.v[k] < t->nslot);
        claim(w, t->slot_derivative.v[k], k % t->nrx, t->slot.v[k]);
    }
    for (int g = 0; g < t->general_rx.n; g++)
        for (int k = t->general_start.v[2 * g]; k < t->general_start.v[2 * g + 2]; k++)
            claim(w, t->general_derivative.v[k], t->general_rx.v[g], t->general_species.v[k]);
    for (int b = 0; b < t->burke_rx.n; b++)
        for (int k = t->burke_start.v[b]; k < t->burke_start.v[b + 1]; k++)
            claim(w, t->burke_derivative.v[k], t->burke_rx.v[b], t->burke_species.v[k]);
    for (int d = 0; d < t->nslot; d++)
        assert_true(w->rx[d] >= 0 && (d == 0 || w->column[d - 1] <= w->column[d]));
}

/* each storage index is of one position; the tail's stride is the least odd one */
static void find_storage(whole *w)
{
    const kb_tables *t = &w->t;
    int n = t->lu.n, tail = t->lu.tail, next = 0;
    w->storage = kb_alloc((size_t)n * n, sizeof *w->storage);
    for (int i = 0; i < n; i++) {
        assert_int_equal(t->lu_row_start.v[i], next);
        for (int j = 0, lower = 0; j < n; j++) {
            int dense = i >= tail && j >= tail;
            w->storage[i * n + j] = dense ? t->tail_storage + (i - tail) * t->tail_stride + j - tail
                                          : -1;
            if (!dense && t->lu.fill[i * n + j]) {
                assert_int_equal(t->lu_column.v[next], j);
                lower += j < i && j < tail;
                w->storage[i * n + j] = next++;
            }
            if (j == n - 1)
                assert_int_equal(t->lu_l_count.v[i], lower);
        }
    }
    assert_int_equal(t->tail_storage, next);
    assert_int_equal(t->tail_stride, (n - tail) % 2 ? n - tail : n - tail + 1);
    assert_int_equal(t->nnz, next + (n - tail) * t->tail_stride);
    assert_int_equal(t->zero_storage, next + n - tail);
}

/* storage index of d omega_i/dC_j */
static int entry_of(const whole *w, int i, int j)
{
    return w->storage[w->t.lu.inv[i] * w->t.lu.n + w->t.lu.inv[j]];
}

/* ---- lists of one thread ---- */

/* three slots a side where a side has three molecules, and only there */
static void check_ranges(const whole *w)
{
    const kb_tables *t = &w->t;
    for (int r = 0; t->sorted && r < t->nrx; r++) {
        int range = 0,
            third = t->slot.v[2 * t->nrx + r] < t->nall || t->slot.v[5 * t->nrx + r] < t->nall;
        while (r >= t->range[range + 1])
            range++;
        assert_int_equal(range % 2, third);
    }
}

/* of a rate in tables of teams: 0 plain, 1 other, 2 a falloff; else 0 */
static int kind_of(const kb_tables *t, const kb_mech *m, int r)
{
    const kb_reaction *e = &m->reactions[t->entry.v[r]];
    int other = e->blowers_masel || (e->type != KB_ELEMENTARY && e->type != KB_THREE_BODY);
    for (int g = 0; g < t->general_rx.n; g++)
        other |= t->general_rx.v[g] == r;
    return t->team == 1 ? 0 : e->type == KB_FALLOFF || e->type == KB_ACTIVATED ? 2 : other;
}

/* one kind behind the other within a range of sorted tables */
static void check_kinds(const whole *w)
{
    const kb_tables *t = &w->t;
    for (int c = 0; c < 2; c++) {
        int ends[3] = {t->plain[c], t->other[c], t->range[c + 1]}, kind = 0;
        for (int r = t->range[c]; r < t->range[c + 1] && t->sorted; r++) {
            while (r >= ends[kind])
                kind++;
            assert_int_equal(kind_of(t, w->m, r), kind);
        }
        assert_true(t->sorted || (ends[0] == t->range[c] && ends[1] == ends[0]));
    }
}

/* x[j] is T^b exp(-theta/T) */
static void check_factor(const kb_tables *t, int j, double b, double theta)
{
    int own = j - KB_NPOW;
    assert_true(j >= 0 && own < t->x_b.n);
    assert_true(own < 0 ? b == j - 3 && theta == 0
                        : t->x_b.v[own] == b && t->x_theta.v[own] == theta);
}

static void check_factors(const whole *w)
{
    const kb_tables *t = &w->t;
    for (int r = 0; r < t->nrx; r++)
        check_factor(t, t->x_index.v[r], t->b.v[r], t->theta.v[r]);
    for (int l = 0; l < t->falloff_A.n; l++) {
        const kb_reaction *e = &w->m->reactions[t->entry.v[t->mreaction_rx.v[t->ntb + l]]];
        check_factor(t, t->falloff_x.v[l], e->low.b, e->low.theta);
    }
    for (int k = 0; k < t->x_b.n; k++) /* each pair once, and no power among them */
        for (int i = 0; i <= k; i++) {
            double b = i < k ? t->x_b.v[i] : fmax(-3, fmin(3, floor(t->x_b.v[k])));
            double theta = i < k ? t->x_theta.v[i] : 0;
            assert_true(t->x_b.v[k] != b || t->x_theta.v[k] != theta);
        }
}

static void check_jacobian(const whole *w)
{
    const kb_tables *t = &w->t;
    terms found = {0}, expected = {0}, places = {0}, pattern = {0};
    kb_owned unsigned char *omega = kb_alloc((size_t)t->nsp * t->nsp, 1);
    kb_omega_pattern(w->m, omega);
    for (int j = 0; j < t->nsp; j++)
        for (int k = t->jac_column_start.v[j]; k < t->jac_column_start.v[j + 1]; k++) {
            int first = t->jac_start.v[k], end = t->jac_start.v[k + 1];
            put(&places, t->jac_row.v[k], j, t->jac_storage.v[k]);
            for (int s = first; s < end; s++)
                put(&found, t->jac_storage.v[k], t->jac_slot.v[s], t->jac_nu.v[s]);
            if (k > t->jac_column_start.v[j]) /* the shortest first */
                assert_true(first - t->jac_start.v[k - 1] <= end - first);
        }
    for (int i = 0; i < t->nsp; i++) {
        for (int d = 0; d < t->nslot; d++)
            if (w->column[d] < t->nsp && w->nu[w->rx[d] * t->nall + i] != 0)
                put(&expected, entry_of(w, i, w->column[d]), d, -w->nu[w->rx[d] * t->nall + i]);
        for (int j = 0; j < t->nsp; j++)
            if (omega[i * t->nsp + j])
                put(&pattern, i, j, entry_of(w, i, j));
    }
    assert_same("entries", places, pattern);
    assert_same("jac", found, expected);
}

/* d omega_i/d[M] of each set, by set and species; then what it adds to columns of third bodies */
static void check_third_bodies(const whole *w)
{
    const kb_tables *t = &w->t;
    terms found = {0}, expected = {0}, sums = {0}, wanted = {0};
    int sets = t->mset_base.n;
    for (int set = 0; set < sets; set++)
        for (int v = t->dwdot_dM_set.v[set]; v < t->dwdot_dM_set.v[set + 1]; v++) {
            int i = t->dwdot_dM_species.v[v];
            for (int k = t->dwdot_dM_start.v[v]; k < t->dwdot_dM_start.v[v + 1]; k++)
                put(&found, set * t->nall + i, t->dwdot_dM_mreaction.v[k], t->dwdot_dM_nu.v[k]);
            for (int e = t->mset_start.v[set]; e < t->mset_start.v[set + 1]; e++)
                put(&wanted, entry_of(w, i, t->mset_species.v[e]), v, t->mset_coef.v[e]);
        }
    for (int k = 0; k < t->mreaction_rx.n; k++)
        for (int i = 0; i < t->nsp; i++)
            if (w->nu[t->mreaction_rx.v[k] * t->nall + i] != 0)
                put(&expected, t->mreaction_mset.v[k] * t->nall + i, k,
                    w->nu[t->mreaction_rx.v[k] * t->nall + i]);
    for (int e = 0; e < t->third_body_entry_storage.n; e++)
        for (int k = t->third_body_entry_start.v[e]; k < t->third_body_entry_start.v[e + 1]; k++)
            put(&sums, t->third_body_entry_storage.v[e], t->third_body_entry_dwdot_dM.v[k],
                t->third_body_entry_coef.v[k]);
    assert_same("dwdot_dM", found, expected);
    assert_same("third_body_entry", sums, wanted);
}

/* ---- rate constants ---- */

static double inverse(double T) { return fabs(T) < 1e-3 ? 1e3 : 1 / T; }

/* the broadening of a falloff, number i of its kind */
static void check_blending(const kb_tables *t, const kb_reaction *r, int kind, int i)
{
    int tsang = r->blending == KB_TSANG, four = r->nblend > 3 && r->blend[3] != 0;
    const double *b = r->blend;
    assert_int_equal(kind, tsang ? KB_TROE : r->blending);
    if (kind == KB_TROE) {
        assert_true(t->troe_a.v[i] == (tsang ? 0 : b[0]));
        assert_true(t->troe_rT3.v[i] == (tsang ? 1e3 : inverse(b[1])));
        assert_true(t->troe_rT1.v[i] == (tsang ? 1e3 : inverse(b[2])));
        assert_true(t->troe_T2.v[i] == (!tsang && four ? fmin(b[3], 1e7) : 1e7));
        assert_true(t->troe_F0.v[i] == (tsang ? b[0] : 0));
        assert_true(t->troe_F1.v[i] == (tsang ? b[1] : 0));
    }
    for (int k = 0; kind == KB_SRI && k < 5; k++)
        assert_true(t->sri.v[5 * i + k] == (k < r->nblend ? b[k] : k == 3));
}

static void check_falloffs(const whole *w)
{
    const kb_tables *t = &w->t;
    for (int l = 0; l < t->falloff_A.n; l++) {
        const kb_reaction *r = &w->m->reactions[t->entry.v[t->mreaction_rx.v[t->ntb + l]]];
        int kind = l < t->nlind ? KB_LINDEMANN : l < t->nlind + t->ntroe ? KB_TROE : KB_SRI;
        int i = l - (kind == KB_LINDEMANN ? 0 : kind == KB_TROE ? t->nlind : t->nlind + t->ntroe);
        if (!t->sorted) {
            kind = t->falloff_kind.v[l];
            i = t->falloff_number.v[l];
        }
        check_blending(t, r, kind, i);
        assert_true(t->falloff_A.v[l] == r->low.A);
        if (r->kf.A != 0 && r->low.A != 0)
            assert_true(t->falloff_rA.v[l] == r->low.A / r->kf.A &&
                        t->falloff_db.v[l] == r->low.b - r->kf.b &&
                        t->falloff_dtheta.v[l] == r->low.theta - r->kf.theta);
    }
}

/* the heat of each Blowers-Masel reaction, and its two energies */
static void check_heats(const whole *w)
{
    const kb_tables *t = &w->t;
    terms found = {0}, expected = {0};
    for (int b = 0; b < t->blowers_masel_rx.n; b++) {
        int r = t->blowers_masel_rx.v[b];
        assert_true(w->m->reactions[t->entry.v[r]].blowers_masel);
        assert_true(t->blowers_masel_theta.v[2 * b + 1] == w->m->reactions[t->entry.v[r]].bond);
        for (int k = t->blowers_masel_start.v[b]; k < t->blowers_masel_start.v[b + 1]; k++)
            put(&found, r, t->blowers_masel_species.v[k], t->blowers_masel_nu.v[k]);
    }
    for (int r = 0; r < t->nrx; r++)
        for (int i = 0; w->m->reactions[t->entry.v[r]].blowers_masel && i < t->nall; i++)
            if (w->nu[r * t->nall + i] != 0)
                put(&expected, r, i, w->nu[r * t->nall + i]);
    assert_same("blowers_masel", found, expected);
}

/* ---- species in steady state ---- */

/* the one in steady state among three slots, or nall - nsp; *zero: no such direction */
static int factor(const kb_tables *t, int r, int side, int *zero)
{
    int found = t->nall - t->nsp;
    *zero = 0;
    for (int k = 3 * side; k < 3 * side + 3; k++) {
        int species = t->slot.v[k * t->nrx + r];
        *zero |= species > t->nall;
        if (species >= t->nsp && species < t->nall)
            found = species - t->nsp;
    }
    return found;
}

/* terms of A C = b, by row and column; rates of general reactions are left out */
static void check_balance(const whole *w)
{
    const kb_tables *t = &w->t;
    int n = t->nall - t->nsp, zero;
    terms found = {0}, expected = {0};
    for (int e = 0; e < n * (n + 1); e++)
        for (int k = t->steady_start.v[e]; k < t->steady_start.v[e + 1]; k++)
            if (t->steady_general.v[t->steady_rate.v[k] / 2] == t->general_rx.n)
                put(&found, e, t->steady_rate.v[k], t->steady_nu.v[k]);
    for (int k = 0; k < t->steady_rx.n; k++)
        for (int side = 0; t->steady_general.v[k] == t->general_rx.n && side < 2; side++)
            for (int q = 0; q < n; q++) {
                int r = t->steady_rx.v[k], p = factor(t, r, side, &zero);
                double nu = w->nu[r * t->nall + t->nsp + q] * (side ? -1 : 1);
                if (!zero && nu != 0)
                    put(&expected, q * (n + 1) + p, 2 * k + side, p == n ? nu : -nu);
            }
    assert_same("balance", found, expected);
}

/* minus the steady species' own block, then their derivatives by the others */
static void check_steady_rows(const whole *w)
{
    const kb_tables *t = &w->t;
    int n = t->nall - t->nsp, width = n + t->nsp + 2;
    terms found = {0}, expected = {0}, bodies = {0}, wanted = {0};
    for (int e = 0; e < t->steady_entry_at.n; e++) {
        int at = t->steady_entry_at.v[e];
        for (int k = t->steady_entry_start.v[e]; k < t->steady_entry_start.v[e + 1]; k++)
            put(&found, at, t->steady_entry_slot.v[k], t->steady_entry_nu.v[k]);
        for (int k = t->steady_entry_dM_start.v[e]; k < t->steady_entry_dM_start.v[e + 1]; k++)
            put(&bodies, at, t->steady_entry_mreaction.v[k], t->steady_entry_dM_nu.v[k]);
    }
    for (int q = 0; q < n; q++) {
        for (int d = 0; d < t->nslot; d++) {
            int j = w->column[d], own = j >= t->nsp;
            double nu = w->nu[w->rx[d] * t->nall + t->nsp + q];
            if (nu != 0)
                put(&expected, q * width + (own ? j - t->nsp : n + j), d, own ? -nu : nu);
        }
        for (int k = 0; k < t->mreaction_rx.n; k++) {
            int set = t->mreaction_mset.v[k];
            double nu = w->nu[t->mreaction_rx.v[k] * t->nall + t->nsp + q];
            for (int e = t->mset_start.v[set]; nu != 0 && e < t->mset_start.v[set + 1]; e++)
                put(&wanted, q * width + n + t->mset_species.v[e], k, nu * t->mset_coef.v[e]);
        }
    }
    assert_same("steady rows", found, expected);
    assert_same("steady third bodies", bodies, wanted);
}

/* derivatives of the others by the steady species, and the entries that they fill */
static void check_steady_columns(const whole *w)
{
    const kb_tables *t = &w->t;
    int n = t->nall - t->nsp;
    terms found = {0}, expected = {0};
    assert_int_equal(t->steady_column_start.n, t->nsp + 1);
    for (int i = 0; i < t->nsp; i++) {
        for (int k = t->steady_column_start.v[i]; k < t->steady_column_start.v[i + 1]; k++) {
            int q = t->steady_column_of.v[k], at = t->steady_fill_start.v[k];
            for (int s = t->steady_column_slots.v[k]; s < t->steady_column_slots.v[k + 1]; s++)
                put(&found, i * n + q, t->steady_column_slot.v[s], t->steady_column_nu.v[s]);
            for (int j = t->steady_reach_start.v[q]; j < t->steady_reach_start.v[q + 1]; j++)
                assert_int_equal(t->steady_fill.v[at++], entry_of(w, i, t->steady_reach.v[j]));
        }
        for (int d = 0; d < t->nslot; d++)
            if (w->column[d] >= t->nsp && w->nu[w->rx[d] * t->nall + i] != 0)
                put(&expected, i * n + w->column[d] - t->nsp, d, w->nu[w->rx[d] * t->nall + i]);
    }
    assert_same("steady columns", found, expected);
}

/* ---- bundles of teams ---- */

typedef struct {
    const kb_ints *bundle, *target, *pair;
    int scale[2], nothing[2], bytes[2]; /* bytes of a number; 0: none is read */
} list;

/* term k of a row: two places; they may be those of nothing */
static void term_of(const list *l, int row, int k, int *p)
{
    int at = 32 * (l->bundle->v[row / 32] + k / 4 * 4) + row % 32 * 4 + k % 4;
    for (int o = 0; o < 2; o++)
        p[o] = l->pair->v[2 * at + o] / l->scale[o];
}

static int length_of(const list *l, int row)
{
    int steps = l->bundle->v[row / 32 + 1] - l->bundle->v[row / 32], n = 0, p[2];
    for (; n < steps; n++) {
        term_of(l, row, n, p);
        if (p[0] == l->nothing[0] && p[1] == l->nothing[1])
            break;
    }
    return n;
}

/* how many other places a term's banks hold: read [n][2] are those before it */
static int waits(const list *l, int (*read)[2], int n, const int *p)
{
    int sum = 0;
    for (int o = 0; o < 2 && l->bytes[o]; o++) {
        int banks = 128 / l->bytes[o], same = 0, others = 0;
        for (int k = 0; k < n; k++) {
            int seen = read[k][o] == p[o] || read[k][o] % banks != p[o] % banks;
            same |= read[k][o] == p[o];
            for (int q = 0; q < k && !seen; q++)
                seen = read[q][o] == read[k][o];
            others += !seen;
        }
        sum += same ? 0 : others;
    }
    return sum;
}

/* Rows that read together, from the last on: each step takes a term of the row that waits for no
 * more reads than the row's later ones would. */
static void check_banks(const list *l)
{
    int widest = l->bytes[0] > l->bytes[1] ? l->bytes[0] : l->bytes[1];
    int together = 128 / widest, p[2], read[17][2];
    for (int first = 0; first < l->target->n; first += together) {
        int rows = 0;
        while (rows < together && l->target->v[first + rows] != KB_NO_TARGET)
            rows++;
        for (int k = 0; rows > 0 && k < length_of(l, first); k++) {
            int n = 0;
            if (length_of(l, first + rows - 1) <= k)
                memcpy(read[n++], l->nothing, sizeof read[0]);
            for (int row = first + rows - 1; row >= first; row--) {
                if (k >= length_of(l, row))
                    continue;
                term_of(l, row, k, p);
                int least = waits(l, read, n, p);
                for (int later = k + 1; later < length_of(l, row); later++) {
                    term_of(l, row, later, p);
                    assert_true(waits(l, read, n, p) >= least);
                }
                term_of(l, row, k, read[n++]);
            }
        }
    }
}

/* The terms of bundles first..end-1; those that add nothing stand behind the others, and a bundle
 * is as long as its longest row, in whole strides. */
static terms read_bundles(const list *l, int first, int end)
{
    terms found = {0};
    for (int row = 32 * first, longest = 0; row < 32 * end; row++) {
        int from = l->bundle->v[row / 32], steps = l->bundle->v[row / 32 + 1] - from, n = 0;
        longest = row % 32 ? longest : 0;
        for (int k = 0; k < steps; k++) {
            int at = 32 * (from + k / 4 * 4) + row % 32 * 4 + k % 4;
            const int *p = &l->pair->v[2 * at];
            assert_true(p[0] % l->scale[0] == 0 && p[1] % l->scale[1] == 0);
            int a = p[0] / l->scale[0], b = p[1] / l->scale[1];
            if (a == l->nothing[0] && b == l->nothing[1])
                continue;
            assert_true(n++ == k && l->target->v[row] != KB_NO_TARGET);
            put(&found, l->target->v[row], a, b);
        }
        longest = n > longest ? n : longest;
        if (row % 32 == 31)
            assert_int_equal(steps, (longest + KB_BUNDLE_STRIDE - 1) / KB_BUNDLE_STRIDE * 4);
    }
    return found;
}

#ifdef KB_MANY
enum { MANY = 1 }; /* the tables of mechc_many: banks do not matter, no row is shared */
#else
enum { MANY = 0 };
#endif

/* a stride that adds nothing stands behind the last bundle */
static void check_end(const list *l)
{
    if (!MANY)
        check_banks(l);
    int last = l->target->n / 32, n = l->bundle->v[last];
    assert_int_equal(l->pair->n, 2 * 32 * (n + KB_BUNDLE_STRIDE));
    for (int k = 64 * n; k < l->pair->n; k++)
        assert_int_equal(l->pair->v[k] / l->scale[k % 2], l->nothing[k % 2]);
}

/* pieces become what they are pieces of; none has more than 16 terms. whole NULL: all are cut */
static void join_pieces(terms *l, int outputs, const kb_ints *start, const kb_ints *whole)
{
    kb_owned int *terms_of = kb_alloc((size_t)start->v[start->n - 1] + 1, sizeof *terms_of);
    for (int k = 0; k < l->n; k++) {
        int piece = l->v[k].target - outputs, i = 0;
        if (piece < 0)
            continue;
        while (start->v[i + 1] <= piece)
            i++;
        assert_true(++terms_of[piece] <= 16);
        l->v[k].target = whole ? whole->v[i] : i;
    }
}

static double coefficient(const kb_tables *t, double number)
{
    uint64_t bits = (uint64_t)number << 48;
    double x;
    memcpy(&x, &bits, sizeof x);
    return t->short_nu ? x : t->coefficient.v[(int)number];
}

static int number_of_zero(const kb_tables *t)
{
    int k = 0;
    while (!t->short_nu && t->coefficient.v[k] != 0)
        k++;
    return k;
}

/* each entry is written once, one without a term too, as a row or as the sum of pieces */
static void check_targets(const kb_tables *t)
{
    terms found = {0}, expected = {0};
    for (int k = 0; k < t->jac_entry_target.n; k++)
        if (t->jac_entry_target.v[k] != KB_NO_TARGET)
            put(&found, t->jac_entry_target.v[k], 0, 0);
    for (int k = 0; k < t->jac_entry_cut.n; k++)
        put(&found, t->jac_entry_cut.v[k], 0, 0);
    for (int k = 0; k < t->jac_storage.n; k++)
        put(&expected, t->jac_storage.v[k], 0, 0);
    for (int k = 0; k < t->jac_pieces; k++)
        put(&expected, t->nnz + k, 0, 0);
    assert_same("targets", found, expected);
}

static void check_sums(const whole *w)
{
    const kb_tables *t = &w->t;
    int zero = number_of_zero(t), lane = t->scale[KB_LANE], stored = t->scale[KB_STORED];
    list gather = {&t->species_gather_bundle,
                   &t->species_gather_target,
                   &t->species_gather_pair,
                   {lane, 1},
                   {0, zero},
                   {t->bytes[KB_LANE], 0}};
    list jac = {
        &t->jac_entry_bundle,    &t->jac_entry_target, &t->jac_entry_pair, {stored, 1}, {0, zero},
        {t->bytes[KB_STORED], 0}};
    list heat = {&t->heat_row_bundle,  &t->heat_row_target,
                 &t->heat_row_pair,    {lane, stored},
                 {0, t->zero_storage}, {t->bytes[KB_LANE], t->bytes[KB_STORED]}};
    terms f = read_bundles(&gather, 0, gather.target->n / 32), e = {0};
    terms g = read_bundles(&jac, 0, jac.target->n / 32), d = {0};
    terms h = read_bundles(&heat, 0, heat.target->n / 32), c = {0};
    for (int k = 0; k < jac.target->n; k++)
        if (jac.target->v[k] != KB_NO_TARGET)
            assert_int_equal(jac.target->v[k] > t->nslot, k / 32 < t->jac_direct);
    join_pieces(&f, 0, &t->species_gather_start, NULL);
    join_pieces(&g, t->nnz, &t->jac_entry_start, &t->jac_entry_cut);
    join_pieces(&h, 0, &t->heat_row_start, NULL);
    for (int k = 0; k < f.n; k++)
        f.v[k].b = coefficient(t, f.v[k].b);
    for (int k = 0; k < g.n; k++)
        g.v[k].b = coefficient(t, g.v[k].b);
    for (int i = 0; i < t->nsp; i++) {
        for (int k = t->species_start.v[i]; k < t->species_start.v[i + 1]; k++)
            put(&e, i, t->species_rx.v[k], t->species_nu.v[k]);
        for (int k = t->jac_column_start.v[i]; k < t->jac_column_start.v[i + 1]; k++) {
            put(&c, i, t->jac_row.v[k], t->jac_storage.v[k]);
            for (int s = t->jac_start.v[k]; s < t->jac_start.v[k + 1]; s++)
                put(&d, t->jac_storage.v[k], t->jac_slot.v[s], t->jac_nu.v[s]);
        }
    }
    assert_same("species_gather", f, e);
    assert_same("jac_entry", g, d);
    assert_same("heat_row", h, c);
    check_targets(t);
    check_end(&gather);
    check_end(&jac);
    check_end(&heat);
}

/* products of each level's pivots; the pattern grows by the levels */
static void check_updates(const whole *w)
{
    const kb_tables *t = &w->t;
    int n = t->lu.n, head = t->lu.tail, *at = w->storage, stored = t->scale[KB_STORED];
    list l = {&t->update_bundle,
              &t->update_target,
              &t->update_pair,
              {stored, stored},
              {t->zero_storage, t->zero_storage},
              {t->bytes[KB_STORED], t->bytes[KB_STORED]}};
    kb_owned unsigned char *p = memcpy(kb_alloc((size_t)n * n, 1), t->lu.pattern, (size_t)n * n);
    for (int v = 0; v < t->level_start.n - 1; v++) {
        terms expected = {0};
        for (int k = 0, next = t->level_start.v[v]; k < head; k++) {
            if (t->lu.level[k] != v)
                continue;
            assert_int_equal(t->level_pivot.v[next++], at[k * n + k]);
            for (int e = 0; e < head * head; e++) {
                int i = e / head, j = e % head;
                if (i != k && j != k && p[i * n + k] && p[k * n + j])
                    put(&expected, at[i * n + j], at[i * n + k], at[k * n + j]);
            }
        }
        for (int k = 0; k < head; k++)
            if (t->lu.level[k] == v)
                kb_sweep(p, n, k);
        assert_same("update", read_bundles(&l, t->update_level.v[v], t->update_level.v[v + 1]),
                    expected);
    }
    check_end(&l);
}

/* each pivot of the head is of one level, and levels without a pivot stand nowhere */
static void check_levels(const whole *w)
{
    const kb_tables *t = &w->t;
    int n = t->lu.n, levels = t->level_start.n - 1;
    terms found = {0}, expected = {0};
    for (int v = 0; v < levels; v++)
        for (int k = t->level_start.v[v]; k < t->level_start.v[v + 1]; k++)
            put(&found, t->level_pivot.v[k], v, 0);
    for (int k = 0; k < t->lu.tail; k++)
        put(&expected, w->storage[k * n + k], t->lu.level[k], 0);
    assert_same("levels", found, expected);
    assert_int_equal(t->level_start.v[levels], t->lu.tail);
    for (int v = 0; v < levels; v++)
        assert_true(t->level_start.v[v] < t->level_start.v[v + 1]);
}

/* where a team stores each entry that one thread stores, if both have it */
static void check_single(const whole *w)
{
    const kb_tables *t = &w->t;
    whole one = {.m = w->m};
    assert_works(kb_tables_build(w->m, &(kb_layout){t->sorted, 1, {8, 8}}, &one.t, &err));
    find_storage(&one);
    terms found = {0}, expected = {0};
    for (int k = 0; k < t->nnz; k++)
        if (t->single_storage.v[k] != KB_NO_TARGET)
            put(&found, k, t->single_storage.v[k], 0);
    for (int k = 0; k < t->lu.n * t->lu.n; k++)
        if (w->storage[k] >= 0 && one.storage[k] >= 0)
            put(&expected, w->storage[k], one.storage[k], 0);
    assert_same("single_storage", found, expected);
    assert_int_equal(t->nnz_single, one.t.nnz);
    free(one.storage);
    kb_tables_free(&one.t);
}

/* B A_ht, A_th B A_ht and A_th B, B the inverse of the head */
static void check_blocks(const whole *w)
{
    const kb_tables *t = &w->t;
    int n = t->lu.n, head = t->lu.tail, *at = w->storage, stored = t->scale[KB_STORED];
    int back = t->block_start.v[t->block_back], after = t->block_start.v[t->block_back + 1];
    int end = t->block_start.v[t->block_start.n - 1];
    list l = {&t->block_bundle,
              &t->block_target,
              &t->block_pair,
              {stored, stored},
              {t->zero_storage, t->zero_storage},
              {t->bytes[KB_STORED], t->bytes[KB_STORED]}};
    terms b[3] = {{0}};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < head && (i >= head || j >= head); k++) {
                int which = i < head ? 0 : j < head ? 2 : 1;
                const unsigned char *raw = t->lu.pattern;
                int left = which == 0 ? at[i * n + k] >= 0 : raw[i * n + k];
                int right = which == 0 ? raw[k * n + j] : at[k * n + j] >= 0;
                if (at[i * n + j] >= 0 && left && right)
                    put(&b[which], at[i * n + j], at[i * n + k], at[k * n + j]);
            }
    assert_same("B A_ht", read_bundles(&l, 0, back), b[0]);
    assert_same("A_th B A_ht", read_bundles(&l, back, after), b[1]);
    assert_same("A_th B", read_bundles(&l, after, end), b[2]);
    check_end(&l);
}

/* neighbours that share a row are of one team and, above two, all have work at once */
static void check_share(const kb_tables *t, int rows, int share)
{
    if (MANY) {
        assert_int_equal(share, 1);
        return;
    }
    assert_true(share <= t->team && share <= 8 && (share & (share - 1)) == 0);
    assert_true(share <= 2 || share * rows <= t->team);
    assert_true(share == 8 || 2 * share > t->team || (share > 1 && 2 * share * rows > t->team));
}

/* the factors as they stand, times the head's columns, then of the head's rows the tail's */
static void check_solve(const whole *w)
{
    const kb_tables *t = &w->t;
    int n = t->lu.n, head = t->lu.tail, stored = t->scale[KB_STORED];
    list l = {&t->solve_bundle, &t->solve_target,     &t->solve_pair,
              {stored, stored}, {t->zero_storage, n}, {t->bytes[KB_STORED], t->bytes[KB_STORED]}};
    terms phase[2] = {{0}};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < (i < head ? n : head); j++)
            if (w->storage[i * n + j] >= 0)
                put(&phase[j >= head], i, w->storage[i * n + j], j);
    for (int k = 0; k < 2; k++)
        assert_same("solve", read_bundles(&l, t->solve_phase.v[k], t->solve_phase.v[k + 1]),
                    phase[k]);
    check_end(&l);
    check_share(t, n, t->solve_share.v[0]);
    check_share(t, head, t->solve_share.v[1]);
}

/* ---- sizes: of what the mechanism has ---- */

static int size_of(const kb_tables *t, const char *name)
{
#define IS_SIZE(is, value)                                                                         \
    if (!strcmp(#is, name))                                                                        \
        return value;
    KB_SIZE_LIST(IS_SIZE)
    fail_msg("no size %s", name);
    return -1;
}

/* colliders of linear-Burke rates with a rate of their own of this type */
static int colliders(const kb_mech *m, kb_rate_type type)
{
    int n = 0;
    for (int k = 0; k < m->nreactions; k++)
        for (int c = 0; c < m->reactions[k].ncolliders; c++)
            n += m->reactions[k].colliders[c].own && m->reactions[k].colliders[c].rate.type == type;
    return n;
}

static int reactions(const whole *w, kb_rate_type type)
{
    int n = 0;
    for (int r = 0; r < w->t.nrx; r++)
        n += w->m->reactions[w->t.entry.v[r]].type == type;
    return n;
}

static void check_sizes(const whole *w)
{
    const kb_tables *t = &w->t;
    const kb_mech *m = w->m;
    int falloffs = reactions(w, KB_FALLOFF) + reactions(w, KB_ACTIVATED), blends[4] = {0};
    int levels = 0, tail = size_of(t, "NTAIL"), padded = size_of(t, "NTAIL_PADDED");
    for (int l = 0; l < t->falloff_A.n; l++)
        blends[m->reactions[t->entry.v[t->mreaction_rx.v[t->ntb + l]]].blending]++;
    for (int k = 0; k < t->lu.tail && t->team > 1; k++)
        levels = t->lu.level[k] >= levels ? t->lu.level[k] + 1 : levels;
    const struct {
        const char *name;
        int value;
    } sizes[] = {{"N", m->nspecies + 1},
                 {"NALL", m->nspecies + m->nsteady},
                 {"NSTEADY", m->nsteady},
                 {"NENTRY", m->nreactions},
                 {"NRX", t->entry.n},
                 {"NFALLOFF", falloffs},
                 {"NACTIVATED", reactions(w, KB_ACTIVATED)},
                 {"NPLOG", reactions(w, KB_PLOG)},
                 {"NCHEB", reactions(w, KB_CHEBYSHEV)},
                 {"NBURKE", reactions(w, KB_LINEAR_BURKE)},
                 {"NTHREE_BODY", reactions(w, KB_THREE_BODY)},
                 {"NTSANG", blends[KB_TSANG]},
                 {"NTROE_ALL", blends[KB_TROE] + blends[KB_TSANG]},
                 {"NSRI_ALL", blends[KB_SRI]},
                 {"NBURKE_FALLOFF", colliders(m, KB_FALLOFF)},
                 {"NBURKE_PLOG", colliders(m, KB_PLOG)},
                 {"NBURKE_CHEBYSHEV", colliders(m, KB_CHEBYSHEV)},
                 {"NLEVEL", levels},
                 {"NNEWTON", m->nspecies + 2},
                 {"NHEAD", m->nspecies + 2 - tail}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        if (size_of(t, sizes[k].name) != sizes[k].value)
            fail_msg("%s is %d, expected %d", sizes[k].name, size_of(t, sizes[k].name),
                     sizes[k].value);
    assert_true(t->lo.n == 7 * t->nall && t->hi.n == t->lo.n);
    assert_true(t->lo9.n == (t->nasa9 ? 2 * t->nall : 0) && t->hi9.n == t->lo9.n);
    assert_true(t->cold.n == 4 * t->nall && t->hot.n == t->cold.n);
    assert_true(padded >= tail && padded < tail + 8 && padded % 8 == 0);
    assert_true(t->team == 1 || tail % (MANY && t->lu.n >= 8 ? 8 : 4) == 0);
    assert_int_equal(t->lu_perm.v[size_of(t, "POS_T")], 0);
    assert_int_equal(t->lu_perm.v[size_of(t, "POS_S")], m->nspecies + 1);
}

/* ---- a head that is factored ---- */

/* the level that element (i, j) is needed by; of the tail: how many levels there are */
static int level_of(const kb_tables *t, int i, int j)
{
    int first = i < j ? i : j;
    return first < t->lu.tail ? t->lu.level[first] : t->level_start.n - 1;
}

/* entries [from, end) of what is scaled: rows by their pivots, or columns by inverse pivots */
static terms scaled(const kb_tables *t, int v)
{
    terms found = {0};
    for (int e = t->level_scaled_start.v[v]; e < t->level_scaled_start.v[v + 1]; e++)
        put(&found, t->level_scaled.v[e], t->level_scaled_pivot.v[e],
            t->level_scaled_inverse.v[e]);
    return found;
}

static void check_factored_level(const whole *w, const list *l, int v)
{
    const kb_tables *t = &w->t;
    const unsigned char *fill = t->lu.fill;
    int n = t->lu.n, head = t->lu.tail, *at = w->storage;
    terms products = {0}, rows = {0};
    for (int k = 0, next = t->level_start.v[v]; k < head; k++) {
        if (t->lu.level[k] == v)
            assert_int_equal(t->level_pivot.v[next++], at[k * n + k]);
        for (int j = k + 1; j < n; j++) {
            if (t->lu.level[k] == v && fill[k * n + j]) {
                assert_true(level_of(t, j, j) > v);
                put(&rows, at[k * n + j], at[k * n + k], KB_NO_TARGET);
            }
            for (int i = k + 1; i < n; i++)
                if (fill[i * n + k] && fill[k * n + j] && level_of(t, i, j) == v + 1)
                    put(&products, at[i * n + j], at[i * n + k], at[k * n + j]);
        }
    }
    assert_same("rows", scaled(t, v), rows);
    assert_same("update", read_bundles(l, t->update_level.v[v], t->update_level.v[v + 1]),
                products);
}

/* phase p: rows of a level, or of the tail, times the entries before or behind the diagonal */
static void check_factored_phase(const whole *w, const list *l, int p, int level, int behind)
{
    const kb_tables *t = &w->t;
    int n = t->lu.n, head = t->lu.tail;
    terms expected = {0};
    for (int i = 0; i < n; i++)
        for (int j = 0; level_of(t, i, i) == level && j < n; j++)
            if (w->storage[i * n + j] >= 0 && (behind ? j > i : j < i && j < head))
                put(&expected, i, w->storage[i * n + j], j);
    assert_same("solve", read_bundles(l, t->solve_phase.v[p], t->solve_phase.v[p + 1]), expected);
}

static void check_factored(const whole *w)
{
    const kb_tables *t = &w->t;
    int n = t->lu.n, levels = t->level_start.n - 1, stored = t->scale[KB_STORED];
    list l = {&t->update_bundle, &t->update_target, &t->update_pair, {stored, stored},
              {t->zero_storage, t->zero_storage}, {t->bytes[KB_STORED], t->bytes[KB_STORED]}};
    list s = {&t->solve_bundle, &t->solve_target, &t->solve_pair, {stored, stored},
              {t->zero_storage, n}, {t->bytes[KB_STORED], t->bytes[KB_STORED]}};
    terms columns = {0};
    for (int v = 0; v < levels; v++) {
        check_factored_level(w, &l, v);
        check_factored_phase(w, &s, v, v, 0);
        check_factored_phase(w, &s, 2 * levels - v, v, 1);
    }
    check_factored_phase(w, &s, levels, levels, 0);
    assert_int_equal(t->solve_share.n, 2 * levels + 1);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i && k < t->lu.tail; k++)
            if (t->lu.fill[i * n + k])
                put(&columns, w->storage[i * n + k], KB_NO_TARGET, w->storage[k * n + k]);
    assert_same("columns", scaled(t, levels), columns);
    check_end(&l);
    check_end(&s);
}

/* ---- straight-line code: the words of each reaction ---- */

/* what the entries of the head lose before their pivot */
static void check_losses(const whole *w, const char *text)
{
    terms found = {0}, expected = {0};
    int n = w->t.lu.n, *at = w->storage, to = -1, a, b;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        sscanf(line, "UPDATE(%d)", &to);
        if (sscanf(line, "LESS(%d, %d)", &a, &b) == 2)
            put(&found, to, a, b);
    }
    for (int i = 0; i < n && kb_lines_fit(&w->t); i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < i && k < j && (i < w->t.lu.tail || j < w->t.lu.tail); k++)
                if (at[i * n + k] >= 0 && at[k * n + j] >= 0)
                    put(&expected, at[i * n + j], at[i * n + k], at[k * n + j]);
    assert_same("losses", found, expected);
}

/* The records of straight-line code, done one after another on random numbers as
 * solvers/chemistry/straight/cpu does them */
typedef struct {
    double *v;                                 /* [nrx] */
    double *f, *B;                             /* [nsp] sums over all reactions, over the border */
    double *forward, *reverse, *C, *D, *V, *e; /* of columns */
    double *heat;                              /* [nsp] */
    double *A, *z;                             /* [nnz] and room for a tile; [lu.n] */
} numbers;

/* all that is done between two of these has one number, or row */
typedef struct {
    int base, stride, target;
    double sum[64], d, entry, heat, left[4], above[4];
} registers;

static bool is(const char *line, const char *name)
{
    size_t n = strlen(name);
    return !strncmp(line, name, n) && (line[n] == '(' || line[n] == '\n');
}

static void play(numbers *x, registers *g, const char *line)
{
    int a = 0, b = 0, c = 0;
    double nu = 0;
    const char *list = strchr(line, '(');
    if (list && list < strchr(line, '\n'))
        sscanf(list, "(%d, %d, %d", &a, &b, &c);
    if (is(line, "SPECIES") || is(line, "GROUP") || is(line, "ROW"))
        memset(g->sum, 0, sizeof g->sum);
    if (is(line, "ENTRY"))
        g->entry = 0;

    if (is(line, "ADD") && sscanf(list, "(%*d, %d, %lg)", &b, &nu) == 2) { /* of a species */
        assert_in_range(a, 0, 1);
        g->sum[a] += nu * x->v[b];
    } else if (is(line, "ADD_BORDER") && sscanf(list, "(%*d, %*d, %lg)", &nu) == 1) {
        assert_in_range(a, 0, 1);
        g->sum[a] += nu * x->v[b];
        g->sum[2] += nu * x->v[b];
    } else if (is(line, "SPECIES_END")) {
        x->f[a] = g->sum[0] + g->sum[1];
        x->B[a] = g->sum[2];
    } else if (is(line, "FORWARD")) {
        g->d = x->forward[a] * x->C[b] * x->C[c];
    } else if (is(line, "REVERSE")) {
        g->d = x->reverse[a] * x->C[b] * x->C[c];
    } else if (is(line, "DERIVATIVE")) {
        g->d = x->D[a];
    } else if (is(line, "ADD") && sscanf(list, "(%*d, %lg)", &nu) == 1) {
        assert_in_range(a, 0, KB_COLUMN_SUMS + 3);
        g->sum[a] += nu * g->d;
    } else if (is(line, "SUM")) {
        g->entry += g->sum[a];
    } else if (is(line, "HEAT")) {
        g->heat -= x->e[a] * g->entry;
    } else if (is(line, "THIRD_BODY") && sscanf(list, "(%*d, %lg)", &nu) == 1) {
        g->entry -= nu * x->V[a];
    } else if (is(line, "STORE")) {
        x->A[a] = g->entry;
    } else if (is(line, "COLUMN_END")) {
        x->heat[a] = g->heat;
        g->heat = 0;
    } else if (is(line, "UPDATE")) {
        g->target = a;
    } else if (is(line, "LESS")) {
        x->A[g->target] -= x->A[a] * x->A[b];
    } else if (is(line, "PIVOT")) {
        x->A[a] = 1 / x->A[a];
    } else if (is(line, "LOWER")) {
        x->A[a] *= x->A[b];
    } else if (is(line, "TILE")) {
        g->base = a;
        g->stride = b;
        memset(g->left, 0, sizeof g->left + sizeof g->above);
    } else if (is(line, "LEFT")) {
        g->left[a] = x->A[b];
    } else if (is(line, "ABOVE")) {
        g->above[a] = x->A[b];
    } else if (is(line, "TILE_LESS")) {
        x->A[g->base + a * g->stride + b] -= g->left[a] * g->above[b];
    } else if (is(line, "TILE_END")) {
        assert_true(a == g->base && b == g->stride);
    } else if (is(line, "DOT")) {
        assert_in_range(a, 0, 3);
        g->sum[a] += x->A[b] * x->z[c];
    } else if (is(line, "ROW_END")) {
        x->z[a] -= g->sum[0] + g->sum[1] + g->sum[2] + g->sum[3];
    } else if (is(line, "PIVOT_END")) {
        x->z[a] = (x->z[a] - (g->sum[0] + g->sum[1] + g->sum[2] + g->sum[3])) * x->A[b];
    }
}

/* The functions of a section count from 0, have few records, and each is called once. One ends
 * where it has enough of a kind: as many for the first three, which are never exceeded. */
static void play_section(numbers *x, const char *text, const char *name)
{
    enum { KINDS = 6, EXACT = 3 };
    static const char *const what[KINDS] = {"REACTION",  "SPECIES", "COLUMN_END", "LESS",
                                            "TILE_LESS", "DOT"};
    static const int of[KINDS] = {0, 1, 2, 3, 3, 4}, enough[KINDS] = {32, 12, 1, 400, 600};
    registers g = {0};
    int parts = 0, records[KINDS] = {0};
    char *begin = kb_format("#ifdef LINES_%s\n", name), call[32];
    const char *line = strstr(text, begin);
    assert_non_null(line);
    for (line += strlen(begin); !is(line, "#endif"); line = strchr(line, '\n') + 1) {
        snprintf(call, sizeof call, "PART(%d)\n", parts);
        if (is(line, "PART")) {
            int full = parts == 0;
            for (int k = 0; k < KINDS - 1; k++)
                full |= records[k] >= enough[k];
            assert_true(full && !strncmp(line, call, strlen(call)));
            parts++;
            memset(records, 0, sizeof records);
        }
        for (int k = 0; k < KINDS; k++)
            if (is(line, what[k]))
                assert_true(++records[of[k]] <= enough[of[k]] || of[k] >= EXACT);
        assert_true(parts > 0);
        play(x, &g, line);
    }
    free(begin);
    char *calls = kb_format("#endif\n#define %s_PARTS(CALL)", name);
    for (int k = 0; k < parts; k++) {
        char *longer = kb_format("%s CALL(%d)", calls, k);
        free(calls);
        calls = longer;
    }
    if (strncmp(line, calls, strlen(calls)) || line[strlen(calls)] != '\n')
        fail_msg("%s: expected %s, found %.60s", name, calls, line);
    free(calls);
}

static double *random_numbers(kb_random *dice, size_t n)
{
    double *x = kb_alloc(n + 1, sizeof *x);
    for (size_t k = 0; k < n; k++)
        x[k] = 0.5 + kb_random_unit(dice);
    return x;
}

static void assert_close(const char *what, int at, double found, double expected, double size)
{
    if (!(fabs(found - expected) <= 1e-11 * (1 + size)))
        fail_msg("%s %d: %.17g, expected %.17g", what, at, found, expected);
}

/* sums of species, of all reactions and of those in the border */
static void check_gathered(const whole *w, numbers *x, const char *text)
{
    const kb_tables *t = &w->t;
    play_section(x, text, "GATHER");
    for (int i = 0; i < t->nsp; i++) {
        double f = 0, B = 0, size = 0;
        for (int r = 0; r < t->nrx; r++) {
            double add = w->nu[r * t->nall + i] * x->v[r];
            kb_owned char *border = kb_format("\nREACTION(%d, ", r);
            int in = 0;
            sscanf(strstr(text, border) + strlen(border), "%*d, %*d, %*d, %d", &in);
            f += add;
            B += in ? add : 0;
            size += fabs(add);
        }
        assert_close("species", i, x->f[i], f, size);
        assert_close("border", i, x->B[i], B, size);
    }
}

/* -d omega/dC with d q/dC of each slot, and what each column, without third bodies, gives the row
 * of the energy */
static void check_columns(const whole *w, numbers *x, const char *text)
{
    const kb_tables *t = &w->t;
    kb_owned double *d = kb_alloc((size_t)t->nslot + 1, sizeof *d);
    memcpy(d, x->D, (size_t)t->nslot * sizeof *d);
    for (int k = 0; k < KB_SLOTS * t->nrx; k++) {
        int r = k % t->nrx, slot = k / t->nrx, side = slot / 3;
        if (t->slot_derivative.v[k] == t->nslot)
            continue;
        double product = side ? -x->reverse[r] : x->forward[r];
        for (int o = 3 * side; o < 3 * side + 3; o++)
            product *= o == slot ? 1 : x->C[t->slot.v[o * t->nrx + r]];
        d[t->slot_derivative.v[k]] = product;
    }
    play_section(x, text, "COLUMNS");
    for (int j = 0; j < t->nsp; j++) {
        double heat = 0, sizes = 0;
        for (int k = t->jac_column_start.v[j]; k < t->jac_column_start.v[j + 1]; k++) {
            double sum = 0, size = 0;
            int at = t->jac_storage.v[k];
            for (int s = t->jac_start.v[k]; s < t->jac_start.v[k + 1]; s++) {
                sum += t->jac_nu.v[s] * d[t->jac_slot.v[s]];
                size += fabs(t->jac_nu.v[s] * d[t->jac_slot.v[s]]);
            }
            heat -= x->e[t->jac_row.v[k]] * sum;
            for (int e = 0; e < t->third_body_entry_storage.n; e++)
                for (int s = t->third_body_entry_start.v[e];
                     at == t->third_body_entry_storage.v[e] &&
                     s < t->third_body_entry_start.v[e + 1];
                     s++)
                    sum -= t->third_body_entry_coef.v[s] * x->V[t->third_body_entry_dwdot_dM.v[s]];
            assert_close("entry", at, x->A[at], sum, size);
            sizes += fabs(x->e[t->jac_row.v[k]]) * size;
        }
        assert_close("heat", j, x->heat[j], heat, sizes);
    }
}

/* A x = b by the head, a plain elimination of the tail, and both halves of the solve */
static void check_straight_solve(const whole *w, numbers *x, const char *text)
{
    const kb_tables *t = &w->t;
    int n = t->lu.n, tail = t->lu.tail, *at = w->storage;
    kb_owned double *A = kb_alloc((size_t)n * n, sizeof *A), *b = kb_alloc((size_t)n, sizeof *b);
    for (int i = 0; i < n; i++) {
        b[i] = x->z[i];
        for (int j = 0; j < n; j++)
            if (at[i * n + j] >= 0) {
                x->A[at[i * n + j]] += i == j ? 2 * n : 0;
                A[i * n + j] = x->A[at[i * n + j]];
            }
    }
    play_section(x, text, "HEAD");
    play_section(x, text, "FORWARD");
#define IN_TAIL(i, j) x->A[t->tail_storage + ((i)-tail) * t->tail_stride + (j)-tail]
    for (int k = tail; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            double l = IN_TAIL(i, k) / IN_TAIL(k, k);
            for (int j = k; j < n; j++)
                IN_TAIL(i, j) -= l * IN_TAIL(k, j);
            x->z[i] -= l * x->z[k];
        }
    for (int k = n - 1; k >= tail; k--) {
        for (int j = k + 1; j < n; j++)
            x->z[k] -= IN_TAIL(k, j) * x->z[j];
        x->z[k] /= IN_TAIL(k, k);
    }
    play_section(x, text, "BACKWARD");
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += A[i * n + j] * x->z[j];
        assert_close("row", i, sum, b[i], n);
    }
}

static void check_records(const whole *w, const char *text)
{
    const kb_tables *t = &w->t;
    kb_random dice = kb_random_stream(24, (uint64_t)t->nrx);
    size_t nrx = (size_t)t->nrx, nsp = (size_t)t->nsp, n = (size_t)t->lu.n;
    numbers x = {.v = random_numbers(&dice, nrx),
                 .f = random_numbers(&dice, nsp),
                 .B = random_numbers(&dice, nsp),
                 .forward = random_numbers(&dice, nrx),
                 .reverse = random_numbers(&dice, nrx),
                 .C = random_numbers(&dice, nsp),
                 .D = random_numbers(&dice, (size_t)t->nslot),
                 .e = random_numbers(&dice, nsp),
                 .V = random_numbers(&dice, (size_t)t->dwdot_dM_species.n),
                 .heat = random_numbers(&dice, nsp),
                 .A = random_numbers(&dice, (size_t)t->nnz + 4 * (size_t)t->tail_stride + 4),
                 .z = random_numbers(&dice, n)};
    x.C[nsp] = 1; /* no species */
    play_section(&x, text, "REACTIONS");
    check_gathered(w, &x, text);
    check_columns(w, &x, text);
    check_straight_solve(w, &x, text);
    double *all[] = {x.v, x.f, x.B, x.forward, x.reverse, x.C, x.D, x.e, x.V, x.heat, x.A, x.z};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
}

static void check_lines(const whole *w)
{
    const kb_tables *t = &w->t;
    char *text = NULL, *at;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    kb_lines_put(f, t);
    fclose(f);
    int reactions = 0, r, slots, body, simple, border;
    for (at = text; (at = strstr(at, "\nREACTION(")); at++, reactions++) {
        assert_int_equal(
            sscanf(at, "\nREACTION(%d, %d, %d, %d, %d)", &r, &slots, &body, &simple, &border), 5);
        const kb_reaction *e = &w->m->reactions[t->entry.v[r]];
        int general = 0, one_way = !e->reversible || e->has_reverse || e->no_reverse;
        for (int g = 0; g < t->general_rx.n; g++)
            general |= t->general_rx.v[g] == r;
        int second = t->one_minus_forward_order.v[r] == -1 &&
                     (one_way || t->one_minus_reverse_order.v[r] == -1);
        assert_int_equal(border, e->type != KB_ELEMENTARY || general || !second);
        assert_int_equal(simple, (e->type == KB_ELEMENTARY || e->type == KB_THREE_BODY) &&
                                     !e->blowers_masel);
        assert_int_equal(body, e->type == KB_THREE_BODY);
    }
    assert_int_equal(reactions, kb_lines_fit(t) ? t->nrx : 0);
    check_losses(w, text);
    if (kb_lines_fit(t))
        check_records(w, text);
    free(text);
}

/* made from the places of the entries alone */
static void check_update_pairs(const kb_tables *t)
{
    const kb_factored_head head = {t->lu.n, t->lu.tail, t->lu_row_start.v, t->lu_column.v,
                                   t->tail_stride, t->zero_storage, t->bytes[KB_STORED],
                                   t->scale[KB_STORED]};
    int n, *pair = kb_update_pairs(&head, &n);
    assert_int_equal(n, t->update_pair.n);
    assert_memory_equal(pair, t->update_pair.v, (size_t)n * sizeof *pair);
    free(pair);
}

static void check(const kb_mech *m, kb_layout layout)
{
    whole w = {.m = m};
    assert_works(kb_tables_build(m, &layout, &w.t, &err));
    check_entries(&w);
    find_nu(&w);
    find_slots(&w);
    find_storage(&w);
    check_ranges(&w);
    check_kinds(&w);
    check_factors(&w);
    check_jacobian(&w);
    check_third_bodies(&w);
    check_falloffs(&w);
    check_heats(&w);
    if (m->nsteady) {
        check_balance(&w);
        check_steady_rows(&w);
        check_steady_columns(&w);
    }
    check_sums(&w);
    check_sizes(&w);
    if (layout.team > 1) {
        check_levels(&w);
        check_single(&w);
    }
    if (layout.team > 1 && layout.head == KB_HEAD_FACTORED) {
        check_factored(&w);
        check_update_pairs(&w.t);
    } else if (layout.team > 1) {
        check_updates(&w);
        check_blocks(&w);
        check_solve(&w);
    } else if (layout.sorted) {
        check_lines(&w);
    }
    free(w.nu);
    free(w.rx);
    free(w.column);
    free(w.storage);
    kb_tables_free(&w.t);
}

static void check_layouts(kb_mech *m)
{
    check(m, (kb_layout){true, 1, {8, 8}});
    check(m, (kb_layout){false, 1, {16, 8}});
    check(m, (kb_layout){true, 32, {8, 8}});
    check(m, (kb_layout){true, 64, {16, 8}});
    check(m, (kb_layout){true, 64, {16, 8}, KB_HEAD_FACTORED});
    check(m, (kb_layout){true, 32, {16, 16}, KB_HEAD_FACTORED});
    check(m, (kb_layout){true, 128, {16, 16}});
    check(m, (kb_layout){false, 256, {8, 8}});
    check(m, (kb_layout){true, 4, {8, 8}, KB_HEAD_FACTORED});
    kb_mech_free(m);
}

TEST(every_term_once)
{
    static const char *const paths[] = {DATASETS "h2.yaml", DATASETS "gri30.yaml",
                                        "tests/data/rate_types.yaml",
                                        "tests/data/cantera_types.yaml",
                                        "tests/corpus/yaml/steady.yaml"}; /* a matrix of 4 x 4 */
    for (int k = 0; k < 5; k++) {
        kb_mech m = read_mech(paths[k]);
        check_layouts(&m);
    }
}

/* A few reactions of a mechanism, in an order of chance, some with a reverse rate of their own.
 * Each kind comes first and alone, and heads have few levels and many. */
static void keep_some(kb_mech *m, kb_random *dice)
{
    int n = 1 + (int)(kb_random_unit(dice) * kb_random_unit(dice) * m->nreactions);
    for (int k = 0; k < n; k++) {
        int other = k + (int)kb_random_below(dice, (uint64_t)(m->nreactions - k));
        kb_reaction kept = m->reactions[k];
        m->reactions[k] = m->reactions[other];
        m->reactions[other] = kept;
        kb_reaction *r = &m->reactions[k];
        if ((r->type == KB_ELEMENTARY || r->type == KB_THREE_BODY) && !r->blowers_masel &&
            kb_random_below(dice, 2)) {
            r->has_reverse = true;
            r->no_reverse = kb_random_below(dice, 2);
            r->kr = (kb_arrhenius){0.123 * (double)kb_random_below(dice, 3), 0, 0};
        }
    }
    for (int k = n; k < m->nreactions; k++)
        kb_reaction_free(&m->reactions[k]);
    m->nreactions = n;
}

TEST(some_reactions)
{
    static const char *const paths[] = {DATASETS "h2.yaml", "tests/data/rate_types.yaml",
                                        "tests/data/cantera_types.yaml"};
    kb_random dice = {5};
    for (int k = 0; k < 60; k++) {
        kb_mech m = read_mech(paths[k % 3]);
        keep_some(&m, &dice);
        check(&m, (kb_layout){k % 2, 1, {8, 8}});
        check(&m, (kb_layout){k % 2, 4 << k % 4, {8, 8}});
        kb_mech_free(&m);
    }
}

/* every second reaction of three molecules has a rate constant of another kind */
TEST(other_rates_of_three_molecules)
{
    kb_mech m = read_mech(DATASETS "gri30.yaml");
    int seen = 0;
    for (int r = 0; r < m.nreactions; r++) {
        kb_reaction *e = &m.reactions[r];
        double molecules = 0;
        for (int k = 0; k < e->nreactants; k++)
            molecules += e->reactants[k].value;
        if (e->type == KB_ELEMENTARY && molecules == 3)
            e->blowers_masel = seen++ % 2;
    }
    assert_true(seen > 3);
    check_layouts(&m);
}

/* of a PLOG rate with one pressure, alone: the compiler sees its neighbours (law_plog_weight) */
TEST(one_pressure)
{
    kb_layout layout = {true, 1, {8, 8}};
    kb_tables t;
    kb_mech m = read_mech("tests/data/rate_types.yaml");
    bool found = false;
    for (int r = 0; r < m.nreactions; r++) {
        bool plog = m.reactions[r].type == KB_PLOG && !found;
        found |= plog;
        if (plog)
            m.reactions[r].nplog = 1;
        else if (m.reactions[r].type == KB_PLOG || m.reactions[r].type == KB_LINEAR_BURKE)
            m.reactions[r].type = KB_ELEMENTARY;
    }
    assert_true(found);
    assert_works(kb_tables_build(&m, &layout, &t, &err));
    assert_int_equal(t.plog_rx.n, 1);
    assert_int_equal(t.plog_start.v[1], 1);
    assert_int_equal(t.plog_lnp.n, 2);
    assert_true(t.plog_lnp.v[1] == t.plog_lnp.v[0]);
    kb_tables_free(&t);
    kb_mech_free(&m);
}

/* A rate that tables of pressures give has no Arrhenius terms beside them; of CHEMKIN its kf is the
 * one at the lowest pressure. */
TEST(tabled_rates_alone)
{
    kb_layout layout = {true, 1, {8, 8}};
    kb_tables t;
    kb_mech m = read_mech("tests/data/rate_types.yaml");
    int tabled = 0, powers[2];
    for (int given = 0; given < 2; given++) {
        for (int r = 0; r < m.nreactions; r++) {
            kb_rate_type type = m.reactions[r].type;
            bool is = type == KB_PLOG || type == KB_CHEBYSHEV || type == KB_LINEAR_BURKE;
            tabled += is && given;
            if (is && given)
                m.reactions[r].kf = (kb_arrhenius){3, 0.123, 456};
        }
        assert_works(kb_tables_build(&m, &layout, &t, &err));
        powers[given] = t.x_b.n;
        for (int r = 0; r < t.nrx; r++)
            assert_true(t.A.v[r] != 3 && t.b.v[r] != 0.123 && t.theta.v[r] != 456);
        kb_tables_free(&t);
    }
    assert_int_equal(powers[1], powers[0]);
    assert_true(tabled > 0);
    kb_mech_free(&m);
}

/* Coefficients are numbers of 16 bits as long as the others are 0: 1 + 2^-4 is one, 1 + 2^-5 is
 * none, whether a species or the Jacobian has it. */
TEST(short_coefficients)
{
    static const struct {
        double nu;
        bool is_short;
    } cases[] = {{1.0625, true}, {1.03125, false}, {1 + 0x1p-52, false}};
    for (int k = 0; k < 3; k++) {
        kb_mech m = read_mech(DATASETS "h2.yaml");
        kb_tables t;
        kb_layout layout = {true, 32, {8, 8}};
        m.reactions[m.nreactions - 1].products[0].value = cases[k].nu;
        assert_works(kb_tables_build(&m, &layout, &t, &err));
        assert_int_equal(t.short_nu, cases[k].is_short);
        kb_tables_free(&t);
        check(&m, layout);
        kb_mech_free(&m);
    }
}

/* T^-3 ... T^3 stand first among the temperature factors, others behind them, each once. */
TEST(temperature_factors)
{
    static const double b[] = {-4, -3, -2.5, 0, 1, 3, 3.5, 4};
    for (int k = 0; k < 16; k++) {
        kb_mech m = read_mech(DATASETS "h2.yaml");
        kb_tables t;
        kb_arrhenius rate = {7, b[k / 2], k % 2 ? 123 : 0};
        m.reactions[0].kf = m.reactions[1].kf = rate;
        assert_works(kb_tables_build(&m, &(kb_layout){false, 1, {8, 8}}, &t, &err));
        int x = t.x_index.v[0], found = 0;
        assert_int_equal(t.x_index.v[1], x);
        for (int i = 0; i < t.x_b.n; i++)
            found += t.x_b.v[i] == rate.b && t.x_theta.v[i] == rate.theta;
        bool power = rate.theta == 0 && rate.b == rint(rate.b) && fabs(rate.b) < 3.5;
        assert_int_equal(found, !power);
        if (power)
            assert_int_equal(x, 3 + (int)rate.b);
        else
            assert_true(x >= 7 && t.x_b.v[x - 7] == rate.b && t.x_theta.v[x - 7] == rate.theta);
        kb_tables_free(&t);
        kb_mech_free(&m);
    }
}

/* Without a high limit nothing follows from the ratio of both. */
TEST(no_high_limit)
{
    kb_mech m = read_mech(DATASETS "gri30.yaml");
    kb_tables t;
    int r = 0;
    while (m.reactions[r].type != KB_FALLOFF)
        r++;
    m.reactions[r].kf.A = 0;
    assert_works(kb_tables_build(&m, &(kb_layout){false, 1, {8, 8}}, &t, &err));
    assert_true(t.falloff_rA.v[0] == 0 && t.falloff_lnA.v[0] == log(1e-300));
    assert_true(t.falloff_db.v[0] == 0 && t.falloff_dtheta.v[0] == 0);
    assert_true(t.falloff_A.v[0] == m.reactions[r].low.A);
    kb_tables_free(&t);
    kb_mech_free(&m);
}

TEST(with_species_in_steady_state)
{
    static const struct {
        const char *path;
        char *names[4];
        int n;
    } cases[] = {{DATASETS "h2.yaml", {"HO2"}, 1},
                 {DATASETS "h2.yaml", {"H2O2"}, 1}, /* no general reaction */
                 {DATASETS "h2.yaml", {"O", "OH"}, 2},
                 {DATASETS "gri30.yaml", {"CH2(S)", "C2H", "HCCO", "CN"}, 4}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        kb_mech m = read_mech(cases[k].path);
        assert_works(kb_steady(&m, cases[k].names, cases[k].n, true, "names", 1, &err));
        check_layouts(&m);
    }
}

TESTS(NULL, NULL)
