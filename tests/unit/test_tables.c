/* SPDX-License-Identifier: MIT
 *
 * The two orders of mechc's tables: sorted by range, and in the order of the mechanism, where
 * tables hold the range of each reaction. The tables of teams against those of one thread.
 */
#include "tests/test.h"
#include "mech/tables/tables.h"
#include "tests/unit/reference.h"

typedef struct {
    kb_mech m;
    kb_tables sorted, as_there;
} pair;

static pair make(const char *path)
{
    pair p = {.m = read_mech(path)};
    assert_works(kb_tables_build(&p.m, &(kb_layout){true, 1, {8, 8}}, &p.sorted, &err));
    assert_works(kb_tables_build(&p.m, &(kb_layout){false, 1, {8, 8}}, &p.as_there, &err));
    return p;
}

static void drop(pair *p)
{
    kb_tables_free(&p->sorted);
    kb_tables_free(&p->as_there);
    kb_mech_free(&p->m);
}

static int range_of(const kb_tables *t, int r)
{
    int c = 0;
    while (r >= t->range[c + 1])
        c++;
    return c;
}

/* the table reaction of an entry; an entry with an explicit reverse rate has two */
static int same_entry(const kb_tables *t, int entry, int which)
{
    for (int r = 0; r < t->nrx; r++)
        if (t->entry.v[r] == entry && !which--)
            return r;
    fail_msg("entry %d is lost", entry);
    return -1;
}

/* the set of efficiencies of M-reaction i of a, and of j of b */
static void assert_same_set(const kb_tables *a, int i, const kb_tables *b, int j)
{
    int k = a->mreaction_mset.v[i], l = b->mreaction_mset.v[j];
    int from = a->mset_start.v[k], n = a->mset_start.v[k + 1] - from, other = b->mset_start.v[l];
    assert_true(a->mset_base.v[k] == b->mset_base.v[l] && b->mset_start.v[l + 1] - other == n);
    for (int t = 0; t < n; t++) {
        assert_int_equal(a->mset_species.v[from + t], b->mset_species.v[other + t]);
        assert_true(a->mset_coef.v[from + t] == b->mset_coef.v[other + t]);
    }
}

/* reaction r in the order of the mechanism against its twin s among the sorted ones */
static void check_reaction(const pair *p, int r, int s)
{
    const kb_tables *a = &p->as_there, *b = &p->sorted;
    assert_int_equal(a->range_of.v[r], range_of(b, s));
    assert_true(a->A.v[r] == b->A.v[s] && a->b.v[r] == b->b.v[s] && a->theta.v[r] == b->theta.v[s]);
    assert_true(a->one_minus_forward_order.v[r] == b->one_minus_forward_order.v[s] &&
                a->one_minus_reverse_order.v[r] == b->one_minus_reverse_order.v[s]);
    for (int k = 0; k < KB_SLOTS; k++)
        assert_int_equal(a->slot.v[k * a->nrx + r], b->slot.v[k * b->nrx + s]);
    if (a->range_of.v[r] < 2)
        return;
    int mr = a->mreaction_of.v[r];
    assert_true(mr < a->ntb);
    assert_int_equal(a->mreaction_rx.v[mr], r);
    assert_same_set(a, mr, b, s - b->range[2]);
}

static int check_reactions(const pair *p)
{
    int moved = 0, which = 0;
    assert_int_equal(p->as_there.nrx, p->sorted.nrx);
    for (int r = 0; r < p->as_there.nrx; r++) {
        int entry = p->as_there.entry.v[r], last = r ? p->as_there.entry.v[r - 1] : -1;
        assert_true(entry >= last);
        which = entry == last ? which + 1 : 0;
        check_reaction(p, r, same_entry(&p->sorted, entry, which));
        moved += p->sorted.entry.v[r] != entry;
    }
    return moved;
}

/* falloff k in the order of the mechanism against its twin l: kind by place there, and its
 * parameters */
static void check_falloff(const pair *p, int k, int l)
{
    const kb_tables *a = &p->as_there, *b = &p->sorted;
    int kind = l < b->nlind ? KB_LINDEMANN : l < b->nlind + b->ntroe ? KB_TROE : KB_SRI;
    int i = a->falloff_number.v[k],
        j = l - (kind > KB_LINDEMANN ? b->nlind : 0) - (kind > KB_TROE ? b->ntroe : 0);
    assert_int_equal(a->falloff_kind.v[k], kind);
    assert_true(a->falloff_A.v[k] == b->falloff_A.v[l] && a->falloff_db.v[k] == b->falloff_db.v[l]);
    assert_same_set(a, a->ntb + k, b, b->ntb + l);
    if (kind == KB_TROE)
        assert_true(a->troe_a.v[i] == b->troe_a.v[j] && a->troe_rT3.v[i] == b->troe_rT3.v[j] &&
                    a->troe_rT1.v[i] == b->troe_rT1.v[j] && a->troe_T2.v[i] == b->troe_T2.v[j]);
    for (int n = 0; kind == KB_SRI && n < 5; n++)
        assert_true(a->sri.v[5 * i + n] == b->sri.v[5 * j + n]);
}

static int check_falloffs(const pair *p)
{
    const kb_tables *a = &p->as_there, *b = &p->sorted;
    int moved = 0;
    assert_int_equal(a->falloff_A.n, b->falloff_A.n);
    for (int k = 0; k < a->falloff_A.n; k++) {
        int r = a->mreaction_rx.v[a->ntb + k], l = 0;
        assert_true(k == 0 || r > a->mreaction_rx.v[a->ntb + k - 1]);
        while (b->entry.v[b->mreaction_rx.v[b->ntb + l]] != a->entry.v[r])
            assert_true(++l < b->falloff_A.n);
        check_falloff(p, k, l);
        moved += k != l;
    }
    return moved;
}

static void check_orders(const char *path)
{
    pair p = make(path);
    const kb_tables *a = &p.as_there, *b = &p.sorted;
    int reactions = check_reactions(&p), falloffs = check_falloffs(&p);
    print_message("%s: %d of %d reactions and %d of %d falloffs are elsewhere\n", path, reactions,
                  a->nrx, falloffs, a->falloff_A.n);
    assert_true(reactions > 0 && falloffs > 0);
    for (int c = 1; c <= 4; c++)
        assert_int_equal(a->range[c], a->nrx);
    assert_true(a->nlind == a->falloff_A.n && !a->ntroe && !a->nsri);
    assert_int_equal(b->nlind + b->ntroe + b->nsri, b->falloff_A.n);
    assert_int_equal(b->range_of.n + b->mreaction_of.n + b->falloff_kind.n + b->falloff_number.n,
                     0);
    drop(&p);
}

TEST(test_every_type)
{
    check_orders("tests/data/rate_types.yaml");
}

TEST(test_gri30)
{
    check_orders(DATASETS "gri30.yaml");
}

/* the number whose first 16 bits these are */
static double short_number(int first)
{
    uint64_t bits = (uint64_t)first << 48;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The rows of bundles of 32, by the sums of u_a v_b of their terms, where u is of lanes and v is
 * stored as the matrix is; u NULL: of coefficients number b times v_a, where v is of lanes */
static double *bundle_sums(const kb_tables *t, const kb_ints *bundle, const kb_ints *target,
                          const kb_ints *pair, int pieces, const double *u, const double *v)
{
    double *sum = kb_alloc(pieces + 1, sizeof *sum);
    int lane = t->scale[KB_LANE], stored = t->scale[KB_STORED];
    for (int row = 0; row < target->n; row++) {
        int first = bundle->v[row / 32], steps = bundle->v[row / 32 + 1] - first;
        assert_int_equal(steps % KB_BUNDLE_STRIDE, 0);
        for (int k = 0; k < steps; k++) {
            int stride = k / KB_BUNDLE_STRIDE * KB_BUNDLE_STRIDE;
            int at = 32 * (first + stride) + row % 32 * KB_BUNDLE_STRIDE + k % KB_BUNDLE_STRIDE;
            const int *p = &pair->v[2 * at];
            double nu = t->short_nu ? short_number(p[1]) : t->coefficient.v[p[1]];
            if (target->v[row] != KB_NO_TARGET)
                sum[target->v[row]] += u ? u[p[0] / lane] * v[p[1] / stored]
                                              : nu * v[p[0] / lane];
        }
    }
    return sum;
}

static double add(const double *piece, const kb_ints *start, int i)
{
    double sum = 0;
    for (int p = start->v[i]; p < start->v[i + 1]; p++)
        sum += piece[p];
    return sum;
}

static double *numbers(int n, double first)
{
    double *v = kb_alloc(n + 1, sizeof *v);
    for (int k = 0; k < n; k++)
        v[k] = sin(first + 1.7 * k);
    return v;
}

/* the sums of a team's tables are those of one thread's lists */
static void check_team(const kb_mech *m, kb_layout layout)
{
    kb_tables t;
    assert_works(kb_tables_build(m, &layout, &t, &err));
    kb_owned double *v = numbers(t.nrx, 1), *e = numbers(t.nsp, 2), *A = numbers(t.nnz, 3);
    A[t.zero_storage] = 0;
    kb_owned double *gathered = bundle_sums(&t, &t.species_gather_bundle, &t.species_gather_target,
                                            &t.species_gather_pair, t.gather_pieces, NULL, v);
    kb_owned double *heat = bundle_sums(&t, &t.heat_row_bundle, &t.heat_row_target,
                                        &t.heat_row_pair, t.heat_pieces, e, A);
    for (int i = 0; i < t.nsp; i++) {
        double f = 0, h = 0;
        for (int k = t.species_start.v[i]; k < t.species_start.v[i + 1]; k++)
            f += t.species_nu.v[k] * v[t.species_rx.v[k]];
        for (int k = t.jac_column_start.v[i]; k < t.jac_column_start.v[i + 1]; k++)
            h += e[t.jac_row.v[k]] * A[t.jac_storage.v[k]];
        assert_true(fabs(add(gathered, &t.species_gather_start, i) - f) <= 1e-12);
        assert_true(fabs(add(heat, &t.heat_row_start, i) - h) <= 1e-12);
    }
    kb_tables_free(&t);
}

TEST(test_teams)
{
    static const char *const paths[] = {DATASETS "gri30.yaml", "tests/data/rate_types.yaml"};
    for (int k = 0; k < 2; k++) {
        kb_mech m = read_mech(paths[k]);
        check_team(&m, (kb_layout){true, 1, {8, 8}});
        check_team(&m, (kb_layout){true, 32, {8, 8}});
        check_team(&m, (kb_layout){true, 128, {16, 16}});
        check_team(&m, (kb_layout){true, 128, {16, 8}});
        kb_mech_free(&m);
    }
}

/* terms beyond NASA-7 have room, whichever species alone has them */
TEST(test_one_species_of_NASA9)
{
    kb_mech m = read_mech("datasets/mechanisms/h2.yaml");
    double ends[] = {200, 6000}, coef[9] = {0, 0, 2.5};
    for (int i = -1; i < m.nspecies; i++) {
        kb_species *s = m.species + (i < 0 ? 0 : i), kept = *s;
        kb_tables t = {0};
        if (i >= 0) {
            s->model = KB_NASA9;
            s->nranges = 1;
            s->T_ends = ends;
            s->coef = coef;
        }
        assert_works(kb_tables_build(&m, &(kb_layout){true, 1, {8, 8}}, &t, &err));
        assert_int_equal(t.nasa9, i >= 0);
        assert_int_equal(t.lo9.n, i >= 0 ? 2 * t.nall : 0);
        kb_tables_free(&t);
        *s = kept;
    }
    kb_mech_free(&m);
}

TESTS(NULL, NULL)
