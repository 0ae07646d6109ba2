/* SPDX-License-Identifier: MIT */
#include "mech/tables/sparse.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "mech/thermo/rates.h"

int kb_third_body(const kb_mech *m, const kb_reaction *r, double *base, kb_term *terms)
{
    *base = 0;
    if (r->type != KB_THREE_BODY && r->type != KB_FALLOFF && r->type != KB_ACTIVATED)
        return 0;
    if (r->collider >= 0) {
        terms[0] = (kb_term){r->collider, 1};
        return 1;
    }
    /* sum alpha_j C_j = alpha_default p/(RT) + sum (alpha_j - alpha_default) C_j */
    int n = 0;
    *base = r->default_efficiency;
    for (int k = 0; k < r->nefficiencies; k++) {
        double d = r->efficiencies[k].value - r->default_efficiency;
        if (d != 0)
            terms[n++] = (kb_term){r->efficiencies[k].species, d};
    }
    (void)m;
    return n;
}

/* some species; has [all species], list [all species] */
typedef struct {
    bool *has;
    int *list, n;
} species_set;

static species_set new_set(int species)
{
    return (species_set){kb_alloc(species, sizeof(bool)), kb_alloc(species, sizeof(int)), 0};
}

static void put_species(species_set *s, int species)
{
    if (!s->has[species])
        s->list[s->n++] = species;
    s->has[species] = true;
}

static void put_terms(species_set *s, const kb_term *terms, int n)
{
    for (int k = 0; k < n; k++)
        put_species(s, terms[k].species);
}

static void empty_set(species_set *s)
{
    while (s->n)
        s->has[s->list[--s->n]] = false;
}

static void free_set(species_set *s)
{
    free(s->has);
    free(s->list);
}

/* the columns that the rate of progress of r depends on */
static void rate_columns(const kb_mech *m, const kb_reaction *r, species_set *columns,
                         kb_term *terms)
{
    double base;
    put_terms(columns, r->reactants, r->nreactants);
    put_terms(columns, r->forward_orders, r->nforward_orders);
    if (r->reversible || r->has_reverse) {
        put_terms(columns, r->products, r->nproducts);
        put_terms(columns, r->reverse_orders, r->nreverse_orders);
    }
    put_terms(columns, terms, kb_third_body(m, r, &base, terms));
    for (int k = 1; k < r->ncolliders; k++)
        put_species(columns, r->colliders[k].species);
}

/* the species of r, whose net coefficients are added to nu */
static void net_rows(const kb_reaction *r, species_set *rows, double *nu)
{
    put_terms(rows, r->reactants, r->nreactants);
    put_terms(rows, r->products, r->nproducts);
    for (int k = 0; k < r->nreactants; k++)
        nu[r->reactants[k].species] -= r->reactants[k].value;
    for (int k = 0; k < r->nproducts; k++)
        nu[r->products[k].species] += r->products[k].value;
}

void kb_full_pattern(const kb_mech *m, unsigned char *pattern)
{
    int nsp = m->nspecies + m->nsteady;
    double *nu = kb_alloc(nsp, sizeof *nu);
    species_set rows = new_set(nsp), columns = new_set(nsp);
    kb_term *terms = kb_alloc(nsp + 1, sizeof *terms);
    memset(pattern, 0, (size_t)nsp * nsp);
    for (int i = 0; i < nsp; i++)
        pattern[i * (size_t)nsp + i] = 1;
    for (int k = 0; k < m->nreactions; k++) {
        rate_columns(m, &m->reactions[k], &columns, terms);
        net_rows(&m->reactions[k], &rows, nu);
        for (int i = 0; i < rows.n; i++) {
            for (int j = 0; nu[rows.list[i]] != 0 && j < columns.n; j++)
                pattern[rows.list[i] * (size_t)nsp + columns.list[j]] = 1;
            nu[rows.list[i]] = 0;
        }
        empty_set(&rows);
        empty_set(&columns);
    }
    free(nu);
    free_set(&rows);
    free_set(&columns);
    free(terms);
}

void kb_omega_pattern(const kb_mech *m, unsigned char *pattern)
{
    int nsp = m->nspecies, all = nsp + m->nsteady;
    unsigned char *full = kb_alloc((size_t)all * all, 1);
    kb_full_pattern(m, full);
    for (int q = nsp; q < all; q++)
        for (int i = 0; i < all; i++)
            for (int j = 0; full[i * (size_t)all + q] && j < all; j++)
                full[i * (size_t)all + j] |= full[q * (size_t)all + j];
    for (int i = 0; i < nsp; i++)
        memcpy(pattern + i * (size_t)nsp, full + i * (size_t)all, nsp);
    free(full);
}

/* Rows of a pattern as bits: 64 entries take one operation */
typedef struct {
    uint64_t *word;
    size_t words; /* of a row */
} bits;

static bits to_bits(const unsigned char *a, int n)
{
    bits b = {.words = ((size_t)n + 63) / 64};
    b.word = kb_alloc(b.words * (size_t)n, sizeof *b.word);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b.word[i * b.words + j / 64] |= (uint64_t)a[i * (size_t)n + j] << (j % 64);
    return b;
}

static uint64_t *row_of(const bits *b, int i) { return b->word + i * b->words; }

static int bit_of(const bits *b, int i, int j) { return row_of(b, i)[j / 64] >> (j % 64) & 1; }

static void set_bit(const bits *b, int i, int j)
{
    row_of(b, i)[j / 64] |= UINT64_C(1) << (j % 64);
}

/* number of entries in the words `from` and after of row i */
static int count_bits(const bits *b, int i, size_t from)
{
    int count = 0;
    for (size_t w = from; w < b->words; w++)
        count += __builtin_popcountll(row_of(b, i)[w]);
    return count;
}

/* number of entries of row i left of column j */
static int count_left(const bits *b, int i, int j)
{
    int count = 0;
    for (int w = 0; w < j / 64; w++)
        count += __builtin_popcountll(row_of(b, i)[w]);
    return j % 64 ? count + __builtin_popcountll(row_of(b, i)[j / 64] << (64 - j % 64)) : count;
}

/* and right of it */
static int count_right(const bits *b, int i, int j)
{
    return count_bits(b, i, 0) - count_left(b, i, j) - bit_of(b, i, j);
}

/* columns as rows */
static bits transposed(const bits *b, int n)
{
    bits t = {.words = b->words};
    t.word = kb_alloc(t.words * (size_t)n, sizeof *t.word);
    for (int i = 0; i < n; i++)
        for (size_t w = 0; w < b->words; w++)
            for (uint64_t rest = row_of(b, i)[w]; rest; rest &= rest - 1)
                set_bit(&t, (int)w * 64 + __builtin_ctzll(rest), i);
    return t;
}

static void from_bits(const bits *b, int n, unsigned char *a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * (size_t)n + j] = (unsigned char)bit_of(b, i, j);
}

/* a [n x n]: fill of elimination in place, in the natural order; returns the number of entries */
static int fill_in(unsigned char *a, int n, long *lu_flops)
{
    bits b = to_bits(a, n);
    int nnz = 0;
    long flops = 0;
    for (int k = 0; k < n; k++) {
        size_t first = (size_t)k / 64;
        const uint64_t *pivot = b.word + k * b.words;
        uint64_t right = k % 64 == 63 ? 0 : ~UINT64_C(0) << (k % 64 + 1);
        uint64_t part = pivot[first] & right;
        int nu = count_bits(&b, k, first + 1) + __builtin_popcountll(part);
        for (int i = k + 1; i < n; i++) {
            uint64_t *row = b.word + i * b.words;
            if (!(row[first] >> (k % 64) & 1))
                continue;
            flops += 1 + 2 * nu;
            row[first] |= part;
            for (size_t w = first + 1; w < b.words; w++)
                row[w] |= pivot[w];
        }
        flops++;
    }
    for (int i = 0; i < n; i++)
        nnz += count_bits(&b, i, 0);
    from_bits(&b, n, a);
    free(b.word);
    if (lu_flops)
        *lu_flops = flops;
    return nnz;
}

/* what remains of a pattern while unknowns are eliminated */
typedef struct {
    bits a, t;        /* the entries by row, and by column */
    uint64_t *there;  /* the unknowns that are not eliminated, as bits */
    int *rows, *cols; /* how many entries of those each has */
} remainder_of;

static remainder_of start_elimination(const unsigned char *a, int n)
{
    remainder_of r = {.a = to_bits(a, n)};
    r.t = transposed(&r.a, n);
    r.there = kb_alloc(r.a.words, sizeof *r.there);
    r.rows = kb_alloc(n, sizeof *r.rows);
    r.cols = kb_alloc(n, sizeof *r.cols);
    for (int i = 0; i < n; i++) {
        r.there[i / 64] |= UINT64_C(1) << (i % 64);
        r.rows[i] = count_bits(&r.a, i, 0);
        r.cols[i] = count_bits(&r.t, i, 0);
    }
    return r;
}

/* row i gains what row k has in word w */
static void fill_word(remainder_of *r, int i, int k, size_t w)
{
    uint64_t fill = row_of(&r->a, k)[w] & ~row_of(&r->a, i)[w] & r->there[w];
    row_of(&r->a, i)[w] |= fill;
    r->rows[i] += __builtin_popcountll(fill);
    for (; fill; fill &= fill - 1) {
        int j = (int)w * 64 + __builtin_ctzll(fill);
        r->cols[j]++;
        set_bit(&r->t, j, i);
    }
}

static void eliminate(remainder_of *r, int k)
{
    r->there[k / 64] &= ~(UINT64_C(1) << (k % 64));
    for (size_t v = 0; v < r->a.words; v++)
        for (uint64_t rest = row_of(&r->t, k)[v] & r->there[v]; rest; rest &= rest - 1) {
            int i = (int)v * 64 + __builtin_ctzll(rest);
            r->rows[i]--;
            for (size_t w = 0; w < r->a.words; w++)
                fill_word(r, i, k, w);
        }
    for (size_t w = 0; w < r->a.words; w++)
        for (uint64_t rest = row_of(&r->a, k)[w] & r->there[w]; rest; rest &= rest - 1)
            r->cols[(int)w * 64 + __builtin_ctzll(rest)]--;
}

static void markowitz(const unsigned char *a, int n, int nsp, int *perm)
{
    remainder_of r = start_elimination(a, n);
    for (int p = 0; p < n; p++) {
        int best = -1;
        long best_cost = 0, best_sum = 0;
        for (int i = 0; i < (p < nsp ? nsp : n); i++) {
            if (!(r.there[i / 64] >> (i % 64) & 1))
                continue;
            long cost = (long)(r.rows[i] - 1) * (r.cols[i] - 1), sum = r.rows[i] + r.cols[i];
            if (best < 0 || cost < best_cost || (cost == best_cost && sum < best_sum)) {
                best = i;
                best_cost = cost;
                best_sum = sum;
            }
        }
        perm[p] = best;
        eliminate(&r, best);
    }
    free(r.a.word);
    free(r.t.word);
    free(r.there);
    free(r.rows);
    free(r.cols);
}

/* Cost model of one thread: a multiply-add of the dense kernel costs 4, one of the sparse head 12
 * (an index, two loads, a store), of straight-line code 7. Compared with measurements in
 * docs/performance.md. */
enum { TAIL_COST = 4, HEAD_COST = 12, LINES_HEAD_COST = 7 };

/* the tail that costs one thread least */
static int choose_tail(const unsigned char *fill, int n, int cost_of_head)
{
    int best = n, head = 0;
    long best_cost = -1, head_work = 0;
    for (int tail = 0; tail <= n; tail++) {
        long nt = n - tail;
        if (nt % 4 == 0 && nt > 0) {
            long cost = cost_of_head * head_work + TAIL_COST * nt * nt * nt / 3;
            if (best_cost < 0 || cost < best_cost) {
                best_cost = cost;
                best = tail;
            }
        }
        head = tail;
        if (head == n)
            break;
        long nl = 0, nu = 0;
        for (int j = head + 1; j < n; j++) {
            nu += fill[head * (size_t)n + j];
            nl += fill[j * (size_t)n + head];
        }
        head_work += nl * nu + nl;
    }
    return best;
}

/* Cost model of a team: a product of a list costs 4 (an index, two loads), as one of a tail in
 * memory does; one of a tail in registers 1; a level of the head LEVEL_COST for each thread. SOLVES
 * solves follow a factorisation, each of one product for each entry; if the head is factored, with
 * two phases for each level, of PHASE_COST for each thread: a sync, and loads that nothing hides. A
 * thread has room for TAIL_MOST elements of the tail. */
enum { LIST_COST = 4, LEVEL_COST = 8, PHASE_COST = 20, SOLVES = 6, TAIL_MOST = 64 };

long kb_sweep(unsigned char *a, int n, int k)
{
    long rows = 0, columns = 0;
    int *column = kb_alloc(n, sizeof *column);
    for (int j = 0; j < n; j++)
        if (j != k && a[k * (size_t)n + j])
            column[columns++] = j;
    for (int i = 0; i < n; i++) {
        if (i == k || !a[i * (size_t)n + k])
            continue;
        rows++;
        for (int c = 0; c < columns; c++)
            a[i * (size_t)n + column[c]] = 1;
    }
    free(column);
    return rows * columns;
}

/* the same of bits */
static long sweep_bits(const bits *b, int n, int k)
{
    long rows = 0, columns = count_bits(b, k, 0) - bit_of(b, k, k);
    for (int i = 0; i < n; i++) {
        if (i == k || !bit_of(b, i, k))
            continue;
        rows++;
        for (size_t w = 0; w < b->words; w++)
            row_of(b, i)[w] |= row_of(b, k)[w];
    }
    return rows * columns;
}

/* level of pivot k in the pattern that those before it leave: one more than the largest of those
 * that it touches */
static int level_of_pivot(const bits *b, int k, const int *level)
{
    int found = 0;
    for (int j = 0; j < k; j++)
        if (level[j] >= found && (bit_of(b, k, j) || bit_of(b, j, k)))
            found = level[j] + 1;
    return found;
}

/* entries of the head's rows and columns, and of the tail */
static long swept_entries(const bits *b, int n, int head)
{
    long nt = n - head, entries = nt * nt;
    for (int i = 0; i < n; i++)
        entries += i < head ? count_bits(b, i, 0) : count_left(b, i, head);
    return entries;
}

/* the head that costs a team least, so far */
typedef struct {
    int head;
    long cost;
} team_choice;

static void consider(team_choice *best, int n, int head, int team, long list, long levels)
{
    long nt = n - head, tail_cost = nt * nt <= (long)team * TAIL_MOST ? 1 : LIST_COST;
    long cost = LIST_COST * list + tail_cost * nt * nt * nt + levels * team;
    int multiple = 4;
#ifdef KB_MANY /* the tail in tiles; a phase costs what it does for 64 threads (a guess) */
    cost = LIST_COST * list + nt * nt * nt / 3 + levels * 64;
    multiple = 8;
#endif
    if (nt % multiple == 0 && (best->cost < 0 || cost < best->cost))
        *best = (team_choice){head, cost};
}

/* Inverted. a [n x n]: the pattern by position, on return with the fill of the head's inversion;
 * level [n] of each pivot of it */
static team_choice sweep_head(unsigned char *a, int n, int team, int *level)
{
    bits p = to_bits(a, n);
    team_choice best = {n - 4, -1};
    int levels = 0;
    long work = 0;
    for (int head = 0; head < n; head++) {
        if ((n - head) % 4 == 0)
            consider(&best, n, head, team, work + SOLVES * swept_entries(&p, n, head),
                     (long)levels * LEVEL_COST);
        level[head] = level_of_pivot(&p, head, level);
        levels = level[head] + 1 > levels ? level[head] + 1 : levels;
        work += sweep_bits(&p, n, head);
    }
    free(p.word);
    p = to_bits(a, n);
    for (int k = 0; k < best.head; k++)
        sweep_bits(&p, n, k);
    from_bits(&p, n, a);
    free(p.word);
    return best;
}

/* Factored. fill [n x n]: as one thread has it; level as above */
static team_choice factor_head(const unsigned char *fill, int n, int team, int *level)
{
    team_choice best = {n - 4, -1};
    bits b = to_bits(fill, n), t = transposed(&b, n);
    int levels = 0;
    long work = 0, entries = 0;
    for (int head = 0; head < n; head++) {
        long nt = n - head, rows, columns;
        consider(&best, n, head, team, work + SOLVES * (entries + nt * nt),
                 levels * (LEVEL_COST + 2L * SOLVES * PHASE_COST));
        level[head] = level_of_pivot(&b, head, level);
        levels = level[head] + 1 > levels ? level[head] + 1 : levels;
        columns = count_right(&b, head, head);
        rows = count_right(&t, head, head);
        work += rows * columns;
        entries += 1 + rows + columns;
    }
    free(b.word);
    free(t.word);
    return best;
}

/* fill [n x n] as one thread has it */
static void build_team(kb_sparse *s, const unsigned char *fill, int team, kb_head how)
{
    size_t size = (size_t)s->n * s->n;
    int *level = kb_alloc(s->n, sizeof *level);
    team_choice inverted = sweep_head(s->fill, s->n, team, s->level);
    team_choice factored = factor_head(fill, s->n, team, level);
    s->inverted = how == KB_HEAD_INVERTED ||
                  (how == KB_HEAD_CHEAPER && inverted.cost <= factored.cost);
    s->tail = s->inverted ? inverted.head : factored.head;
    if (!s->inverted) {
        memcpy(s->fill, fill, size);
        memcpy(s->level, level, s->n * sizeof *level);
    }
    free(level);
}

void kb_sparse_build(const kb_mech *m, int team, kb_head how, kb_sparse *s)
{
    int nsp = m->nspecies, n = nsp + 2;
    size_t size = (size_t)n * n;
    unsigned char *omega = kb_alloc((size_t)nsp * nsp, 1), *a = kb_alloc(size, 1);
    *s = (kb_sparse){.n = n};
    kb_omega_pattern(m, omega);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * (size_t)n + j] = (i < nsp && j < nsp) ? omega[i * (size_t)nsp + j] : 1;
    unsigned char *work = memcpy(kb_alloc(size, 1), a, size);
    for (size_t k = 0; k < size; k++)
        s->nnz += a[k];
    s->nnz_natural = fill_in(work, n, NULL);
    s->perm = kb_alloc(n, sizeof *s->perm);
    s->inv = kb_alloc(n, sizeof *s->inv);
    markowitz(a, n, nsp, s->perm);
    for (int p = 0; p < n; p++)
        s->inv[s->perm[p]] = p;
    s->fill = kb_alloc(size, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s->fill[i * (size_t)n + j] = a[s->perm[i] * (size_t)n + s->perm[j]];
    memcpy(work, s->fill, size);
    s->nnz_lu = fill_in(work, n, &s->lu_flops);
    s->solve_flops = 2L * s->nnz_lu - n;
    s->pattern = memcpy(kb_alloc(size, 1), s->fill, size);
    s->level = kb_alloc(n, sizeof *s->level);
    if (team > 1) {
        build_team(s, work, team, how);
    } else {
        memcpy(s->fill, work, size);
        s->tail = choose_tail(s->fill, n,
                              m->nreactions <= KB_LINES_REACTIONS ? LINES_HEAD_COST : HEAD_COST);
    }
    free(omega);
    free(a);
    free(work);
}

/* What counts as large: |J_ij| h s_j/s_i above LARGE, s the mass fractions. The order serves states
 * of ignitions at other h and thresholds, too (results/trials/large.md). */
#define LARGE_H 1e-7
#define LARGE 3e-3
#define LARGE_PRESSURE 1e6

/* J_ij C_j += of one direction of reaction r, whose rate of progress is q; J [n x n] */
static void add_direction(const kb_mech *m, const kb_reaction *r, bool reverse, double q, int n,
                          float *J)
{
    int npowers;
    const kb_term *powers = kb_powers(r, reverse, &npowers);
    for (int side = 0; side < 2; side++) {
        const kb_term *terms = side ? r->products : r->reactants;
        double sign = side == reverse ? -1 : 1;
        for (int i = 0; i < (side ? r->nproducts : r->nreactants); i++)
            for (int j = 0; j < npowers; j++)
                if (terms[i].species < m->nspecies && powers[j].species < m->nspecies)
                    J[terms[i].species * (size_t)n + powers[j].species] +=
                        sign * terms[i].value * powers[j].value * q;
    }
}

/* adds the entries that are large at T to a [n x n], by unknown */
static void add_large(const kb_mech *m, double T, int n, unsigned char *a)
{
    int nsp = m->nspecies;
    double *C = kb_alloc(nsp, sizeof *C), *q = kb_alloc(2 * m->nreactions + 1, sizeof *q), sum = 0;
    float *J = kb_alloc((size_t)n * n, sizeof *J);
    for (int i = 0; i < nsp; i++)
        sum += 1 / m->species[i].weight;
    for (int i = 0; i < nsp; i++)
        C[i] = LARGE_PRESSURE / (KB_R * T) / (m->species[i].weight * sum);
    kb_mech_rates(m, T, LARGE_PRESSURE, C, NULL, NULL, q, q + m->nreactions);
    for (int k = 0; k < m->nreactions; k++)
        for (int reverse = 0; reverse < 2; reverse++)
            add_direction(m, &m->reactions[k], reverse, q[k + reverse * m->nreactions], n, J);
    for (int i = 0; i < nsp; i++)
        for (int j = 0; j < nsp; j++)
            a[i * (size_t)n + j] |= fabsf(J[i * (size_t)n + j]) * LARGE_H > LARGE * C[i];
    free(C);
    free(q);
    free(J);
}

int kb_sparse_drop_order(const kb_mech *m, const kb_sparse *s, int *order)
{
    int n = s->n, nsp = n - 2;
    size_t size = (size_t)n * n;
    unsigned char *a = kb_alloc(size, 1);
    for (int i = 0; i < n; i++)
        a[i * (size_t)n + i] = a[i * (size_t)n + nsp] = 1;
    for (double T = 1000; T <= 2000; T += 500)
        add_large(m, T, n, a);
    markowitz(a, n, nsp, order);
    for (int k = 0; k < n; k++)
        order[k] = s->inv[order[k]];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * (size_t)n + j] = s->pattern[order[i] * (size_t)n + order[j]];
    int nnz = fill_in(a, n, NULL);
    free(a);
    return nnz;
}

void kb_sparse_free(kb_sparse *s)
{
    free(s->perm);
    free(s->inv);
    free(s->fill);
    free(s->pattern);
    free(s->level);
    *s = (kb_sparse){0};
}
