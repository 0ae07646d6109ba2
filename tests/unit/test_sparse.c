/* SPDX-License-Identifier: MIT
 *
 * Pattern, order, fill and dense tail of the Newton matrix, for random mechanisms with sizes about
 * the words of 64 entries: against what rates depend on, elimination entry by entry, and the cost
 * of every tail.
 */
#include <limits.h>

#include "tests/test.h"
#include "base/random.h"
#include "mech/tables/sparse.h"

static kb_random dice = {7};

static int pick(int n) { return (int)(kb_random_unit(&dice) * n); }

static kb_term *some_terms(int species, int *n, int most)
{
    kb_term *t = kb_alloc((size_t)most + 1, sizeof *t);
    *n = 0;
    for (int left = pick(most) + 1; left > 0; left--) {
        int s = pick(species), known = 0;
        while (known < *n && t[known].species != s)
            known++;
        if (known == *n)
            t[(*n)++] = (kb_term){s, 1 + pick(2)};
    }
    return t;
}

static void make_reaction(kb_reaction *r, int nsp, int all)
{
    static const kb_rate_type types[] = {KB_ELEMENTARY, KB_ELEMENTARY, KB_THREE_BODY, KB_FALLOFF,
                                         KB_ACTIVATED, KB_LINEAR_BURKE};
    *r = (kb_reaction){.type = types[pick(6)], .reversible = pick(2), .has_reverse = !pick(8),
                       .collider = pick(4) ? -1 : pick(nsp), .default_efficiency = pick(2)};
    r->reactants = some_terms(all, &r->nreactants, 2);
    r->products = some_terms(all, &r->nproducts, 2);
    if (!pick(8))
        r->forward_orders = some_terms(nsp, &r->nforward_orders, 2);
    if (!pick(8))
        r->reverse_orders = some_terms(nsp, &r->nreverse_orders, 2);
    r->efficiencies = some_terms(nsp, &r->nefficiencies, 5);
    if (r->type == KB_LINEAR_BURKE) {
        r->ncolliders = 1 + pick(3);
        r->colliders = kb_alloc((size_t)r->ncolliders, sizeof *r->colliders);
        for (int k = 0; k < r->ncolliders; k++)
            r->colliders[k].species = k ? pick(nsp) : -1;
    }
}

static kb_mech make(int nsp, int nsteady, int nreactions)
{
    kb_mech m = {.nspecies = nsp, .nsteady = nsteady, .nreactions = nreactions};
    m.species = kb_alloc((size_t)(nsp + nsteady), sizeof *m.species);
    m.reactions = kb_alloc((size_t)nreactions, sizeof *m.reactions);
    for (int k = 0; k < nreactions; k++)
        make_reaction(&m.reactions[k], nsp, nsp + nsteady);
    return m;
}

static double amount(const kb_term *t, int n, int species)
{
    for (int k = 0; k < n; k++)
        if (t[k].species == species)
            return t[k].value;
    return 0;
}

/* whether the rate of progress of r depends on C_j */
static int depends(const kb_reaction *r, int j)
{
    int body = r->type == KB_THREE_BODY || r->type == KB_FALLOFF || r->type == KB_ACTIVATED;
    int found = amount(r->reactants, r->nreactants, j) > 0 ||
                amount(r->forward_orders, r->nforward_orders, j) > 0;
    if (r->reversible || r->has_reverse)
        found |= amount(r->products, r->nproducts, j) > 0 ||
                 amount(r->reverse_orders, r->nreverse_orders, j) > 0;
    if (body && r->collider >= 0)
        found |= r->collider == j;
    for (int k = 0; body && r->collider < 0 && k < r->nefficiencies; k++)
        found |= r->efficiencies[k].species == j &&
                 r->efficiencies[k].value != r->default_efficiency;
    for (int k = 1; k < r->ncolliders; k++)
        found |= r->colliders[k].species == j;
    return found;
}

static void check_patterns(const kb_mech *m)
{
    int nsp = m->nspecies, all = nsp + m->nsteady;
    kb_owned unsigned char *full = kb_alloc((size_t)all * all, 1),
                           *here = kb_alloc((size_t)all * all, 1);
    for (int i = 0; i < all; i++)
        for (int j = 0; j < all; j++) {
            full[i * all + j] = i == j;
            for (int k = 0; k < m->nreactions && !full[i * all + j]; k++) {
                const kb_reaction *r = &m->reactions[k];
                full[i * all + j] = amount(r->products, r->nproducts, i) !=
                                        amount(r->reactants, r->nreactants, i) &&
                                    depends(r, j);
            }
        }
    kb_full_pattern(m, here);
    assert_memory_equal(here, full, (size_t)all * all);
    for (int more = 1; more;) { /* paths by way of species in steady state */
        more = 0;
        for (int q = nsp; q < all; q++)
            for (int i = 0; i < all; i++)
                for (int j = 0; full[i * all + q] && j < all; j++)
                    if (full[q * all + j] && !full[i * all + j])
                        more = full[i * all + j] = 1;
    }
    kb_omega_pattern(m, here);
    for (int i = 0; i < nsp; i++)
        assert_memory_equal(here + i * nsp, full + i * all, (size_t)nsp);
}

/* LU of the pattern, entry by entry: entries; flops */
static int eliminate(unsigned char *a, int n, long *flops)
{
    int entries = 0;
    *flops = n;
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++)
            for (int j = k; a[i * n + k] && j < n; j++) {
                a[i * n + j] |= a[k * n + j];
                *flops += j == k ? 1 : 2 * a[k * n + j];
            }
    for (int k = 0; k < n * n; k++)
        entries += a[k];
    return entries;
}

/* entries of row i and column i among the unknowns that are left */
static void counts(const unsigned char *a, int n, const unsigned char *gone, int i, long *row,
                   long *column)
{
    *row = *column = 0;
    for (int j = 0; j < n; j++) {
        *row += !gone[j] && a[i * n + j];
        *column += !gone[j] && a[j * n + i];
    }
}

/* each pivot has the least (row - 1)(column - 1), then row + column, then index; T and s last.
 * a: by unknown */
static void check_order(const kb_sparse *s, unsigned char *a, int nsp)
{
    int n = s->n;
    kb_owned unsigned char *gone = kb_alloc((size_t)n, 1);
    for (int p = 0; p < n; p++) {
        int best = -1, k = s->perm[p];
        long least = LONG_MAX, least_sum = 0, row, column;
        for (int i = 0; i < (p < nsp ? nsp : n); i++) {
            counts(a, n, gone, i, &row, &column);
            long cost = (row - 1) * (column - 1);
            if (!gone[i] && (cost < least || (cost == least && row + column < least_sum))) {
                least = cost;
                least_sum = row + column;
                best = i;
            }
        }
        assert_int_equal(k, best);
        assert_int_equal(s->inv[k], p);
        gone[k] = 1;
        for (int i = 0; i < n; i++)
            for (int j = 0; !gone[i] && a[i * n + k] && j < n; j++)
                a[i * n + j] |= !gone[j] && a[k * n + j];
    }
}

/* the first tail of the least cost; fill: of the LU */
static int best_tail(const unsigned char *fill, int n, int head_cost)
{
    long least = LONG_MAX, work = 0;
    int best = -1;
    for (int tail = 0; tail < n; tail++) {
        long nt = n - tail, cost = head_cost * work + 4 * nt * nt * nt / 3, nl = 0, nu = 0;
        if (nt % 4 == 0 && cost < least) {
            least = cost;
            best = tail;
        }
        for (int j = tail + 1; j < n; j++) {
            nu += fill[tail * n + j];
            nl += fill[j * n + tail];
        }
        work += nl * nu + nl;
    }
    return best;
}

static void check_one_thread(const kb_mech *m, const unsigned char *a)
{
    kb_sparse s;
    long flops;
    kb_sparse_build(m, 1, KB_HEAD_CHEAPER, &s);
    int n = s.n, entries = 0;
    kb_owned unsigned char *work = kb_alloc((size_t)n * n, 1);
    memcpy(work, a, (size_t)n * n);
    check_order(&s, work, m->nspecies);
    memcpy(work, a, (size_t)n * n);
    assert_int_equal(s.nnz_natural, eliminate(work, n, &flops));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            entries += work[i * n + j] = a[s.perm[i] * n + s.perm[j]];
    assert_int_equal(s.nnz, entries);
    assert_memory_equal(s.pattern, work, (size_t)n * n);
    assert_int_equal(s.nnz_lu, eliminate(work, n, &flops));
    assert_int_equal(s.lu_flops, flops);
    assert_int_equal(s.solve_flops, 2L * s.nnz_lu - n);
    assert_memory_equal(s.fill, work, (size_t)n * n);
    assert_int_equal(s.tail, best_tail(work, n, m->nreactions <= KB_LINES_REACTIONS ? 7 : 12));
    kb_sparse_free(&s);
}

/* a Gauss-Jordan step by pivot k; returns its products */
static long sweep(unsigned char *a, int n, int k)
{
    long products = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; i != k && a[i * n + k] && j < n; j++) {
            products += j != k && a[k * n + j];
            a[i * n + j] |= a[k * n + j];
        }
    return products;
}

/* of a pivot, by the pattern and the pivots before it */
static int level_of(const unsigned char *p, int n, int head, const int *level)
{
    int own = 0;
    for (int j = 0; j < head; j++)
        if ((p[head * n + j] || p[j * n + head]) && level[j] >= own)
            own = level[j] + 1;
    return own;
}

/* the tail that costs a team least */
typedef struct {
    int head;
    long cost;
} cheapest;

/* list: of the head's terms; levels: of its syncs */
static void consider(cheapest *best, int n, int head, int team, long list, long levels)
{
    long nt = n - head, tail_cost = nt * nt <= 64L * team ? 1 : 4;
    long cost = 4 * list + tail_cost * nt * nt * nt + levels * team;
    if (nt % 4 == 0 && cost < best->cost)
        *best = (cheapest){head, cost};
}

/* levels, the tail that costs a team least, and the fill of the head before it */
static void check_team(const kb_mech *m, int team)
{
    kb_sparse s;
    kb_sparse_build(m, team, KB_HEAD_INVERTED, &s);
    int n = s.n, levels = 0;
    long work = 0;
    cheapest best = {-1, LONG_MAX};
    kb_owned unsigned char *p = kb_alloc((size_t)n * n, 1);
    memcpy(p, s.pattern, (size_t)n * n);
    for (int head = 0; head < n; head++) {
        long entries = 0;
        for (int k = 0; k < n * n; k++)
            entries += k / n >= head && k % n >= head ? 1 : p[k];
        consider(&best, n, head, team, work + 6 * entries, 8L * levels);
        int level = level_of(p, n, head, s.level);
        assert_int_equal(s.level[head], level);
        levels = level + 1 > levels ? level + 1 : levels;
        work += sweep(p, n, head);
    }
    assert_int_equal(s.tail, best.head);
    memcpy(p, s.pattern, (size_t)n * n);
    for (int k = 0; k < best.head; k++)
        sweep(p, n, k);
    assert_memory_equal(s.fill, p, (size_t)n * n);
    kb_sparse_free(&s);
}

/* the same of a head that is factored: its levels follow from the pattern with all fill */
static void check_factored(const kb_mech *m, int team)
{
    kb_sparse s;
    kb_sparse_build(m, team, KB_HEAD_FACTORED, &s);
    int n = s.n, levels = 0, *level = kb_alloc((size_t)n, sizeof *level);
    long work = 0, entries = 0, flops;
    cheapest best = {-1, LONG_MAX};
    kb_owned unsigned char *p = kb_alloc((size_t)n * n, 1);
    memcpy(p, s.pattern, (size_t)n * n);
    eliminate(p, n, &flops);
    for (int head = 0; head < n; head++) {
        long nt = n - head, rows = 0, columns = 0;
        consider(&best, n, head, team, work + 6 * (entries + nt * nt),
                 (8 + 2 * 6 * 20L) * levels);
        level[head] = level_of(p, n, head, level);
        levels = level[head] + 1 > levels ? level[head] + 1 : levels;
        for (int j = head + 1; j < n; j++) {
            columns += p[head * n + j];
            rows += p[j * n + head];
        }
        work += rows * columns;
        entries += 1 + rows + columns;
    }
    assert_int_equal(s.tail, best.head);
    assert_memory_equal(s.level, level, (size_t)best.head * sizeof *level);
    assert_memory_equal(s.fill, p, (size_t)n * n);
    free(level);
    kb_sparse_free(&s);
}

/* by unknown, with the full borders of T and s */
static unsigned char *newton_pattern(const kb_mech *m)
{
    int nsp = m->nspecies, n = nsp + 2;
    unsigned char *omega = kb_alloc((size_t)nsp * nsp, 1), *a = kb_alloc((size_t)n * n, 1);
    kb_omega_pattern(m, omega);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * n + j] = i < nsp && j < nsp ? omega[i * nsp + j] : 1;
    free(omega);
    return a;
}

TEST(random_mechanisms)
{
    static const int sizes[][3] = {{2, 0, 1},   {2, 1, 4},   {6, 2, 12},   {14, 0, 120},
                                   {29, 3, 70}, {62, 0, 40}, {63, 4, 60},  {61, 0, 30},
                                   {64, 1, 90}, {9, 0, 1001}, {126, 0, 60}, {127, 0, 30},
                                   {40, 3, 1000}, {210, 5, 90}, {134, 0, 287}, {145, 0, 147}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        kb_mech m = make(sizes[k][0], sizes[k][1], sizes[k][2]);
        kb_owned unsigned char *a = newton_pattern(&m);
        check_patterns(&m);
        check_one_thread(&m, a);
        for (int team = 4; team <= 256; team *= 2) {
            check_team(&m, team);
            check_factored(&m, team);
        }
        kb_mech_free(&m);
    }
}

TESTS(NULL, NULL)
