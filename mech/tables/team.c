/* SPDX-License-Identifier: MIT
 *
 * The tables of a team of threads (solvers/portable/team.h): every sum over a list as bundles of 32
 * rows of similar length, one row a thread, stored so that the threads of a warp read neighbouring
 * entries; and the head by levels, whose pivots do not touch each other: inverted, or factored with
 * a unit diagonal of U.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "mech/tables/build.h"

/* rows of a bundle; terms that one thread adds up before a row is cut in pieces */
enum { ROWS = 32, LONGEST = 16 };
/* Bytes of shared memory that neighbouring threads read at once, if no two of them read different
 * places of one bank; a bank is as wide as a number. */
enum { READ_BYTES = 128, TOGETHER = READ_BYTES / 8 };
/* elements of a block of the matrix that a thread holds, where that is enough */
enum { HELD = 4 };

/* one sum: where it goes, and its terms, pairs of ints */
typedef struct {
    int target, n;
    int *pair;
} sum_row;

/* the tables of one kind of sum */
typedef struct {
    kb_ints *bundle, *target, *pair;
    int nothing[2]; /* a term that adds 0 */
    int bytes[2];   /* of the numbers that the places of a pair are of; 0: no place in memory */
    int scale[2];   /* what they are multiplied by */
} bundles;

/* whose pairs have places of kinds a and b; nothing: a term that adds 0 */
static bundles bundles_of(const kb_tables *t, kb_ints *bundle, kb_ints *target, kb_ints *pair,
                          kb_place a, int nothing_a, kb_place b, int nothing_b)
{
    return (bundles){bundle, target, pair, {nothing_a, nothing_b},
                     {t->bytes[a], t->bytes[b]}, {t->scale[a], t->scale[b]}};
}

static int by_length(const void *a, const void *b)
{
    const sum_row *x = a, *y = b;
    return x->n != y->n ? y->n - x->n : (x->target > y->target) - (x->target < y->target);
}

/* what the threads of a group read in one step: the different places of each bank */
typedef struct {
    int n[2][TOGETHER], place[2][TOGETHER][TOGETHER + 1];
} reads;

static int bank_of(const bundles *s, int o, const int *pair)
{
    return pair[o] % (READ_BYTES / s->bytes[o]);
}

/* how many reads of the group a term would have to wait for */
static int waits(const reads *r, const bundles *s, const int *pair)
{
    int found = 0;
    for (int o = 0; o < 2 && s->bytes[o]; o++) {
        int bank = bank_of(s, o, pair), same = 0;
        for (int k = 0; k < r->n[o][bank]; k++)
            same |= r->place[o][bank][k] == pair[o];
        found += same ? 0 : r->n[o][bank];
    }
    return found;
}

static void add_read(reads *r, const bundles *s, const int *pair)
{
    for (int o = 0; o < 2 && s->bytes[o]; o++) {
        int bank = bank_of(s, o, pair), same = 0;
        for (int k = 0; k < r->n[o][bank]; k++)
            same |= r->place[o][bank][k] == pair[o];
        if (!same)
            r->place[o][bank][r->n[o][bank]++] = pair[o];
    }
}

/* puts first of the terms [k, n) of a row that which waits for the fewest others */
static void choose_term(const reads *r, const bundles *s, sum_row *row, int k)
{
    int best = k, least = -1;
    for (int t = k; t < row->n && least != 0; t++) {
        int w = waits(r, s, row->pair + 2 * t);
        if (least < 0 || w < least) {
            least = w;
            best = t;
        }
    }
    for (int o = 0; o < 2; o++) {
        int kept = row->pair[2 * k + o];
        row->pair[2 * k + o] = row->pair[2 * best + o];
        row->pair[2 * best + o] = kept;
    }
}

/* Orders the terms of rows of neighbouring threads so that what they read together lies in
 * different banks as far as may be; the shortest rows, which have the least choice, first. */
static void order_terms(const bundles *s, sum_row *row, int n)
{
#ifdef KB_MANY /* banks do not matter */
    return;
#endif
    for (int k = 0; k < row[0].n; k++) {
        reads r = {0};
        if (row[n - 1].n <= k)
            add_read(&r, s, s->nothing);
        for (int i = n - 1; i >= 0; i--) {
            if (k >= row[i].n)
                continue;
            choose_term(&r, s, &row[i], k);
            add_read(&r, s, row[i].pair + 2 * k);
        }
    }
}

/* one stride of one row, from its term k on; row NULL: there is none */
static void put_stride(bundles *s, const sum_row *row, int k)
{
    for (int q = k; q < k + KB_BUNDLE_STRIDE; q++) {
        const int *p = row && q < row->n ? row->pair + 2 * q : s->nothing;
        kb_add_i(s->pair, p[0] * s->scale[0]);
        kb_add_i(s->pair, p[1] * s->scale[1]);
    }
}

/* Appends rows as whole bundles; a missing row of the last has the target KB_NO_TARGET. The first
 * row of a bundle is the longest. */
static void put_bundles(bundles *s, sum_row *row, int n)
{
    int widest = s->bytes[0] > s->bytes[1] ? s->bytes[0] : s->bytes[1];
    int together = READ_BYTES / widest;
    for (int first = 0; first < n; first += together)
        order_terms(s, row + first, n - first < together ? n - first : together);
    for (int first = 0; first < n; first += ROWS) {
        kb_add_i(s->bundle, s->pair->n / (2 * ROWS));
        for (int r = first; r < first + ROWS; r++)
            kb_add_i(s->target, r < n ? row[r].target : KB_NO_TARGET);
        int strides = (row[first].n + KB_BUNDLE_STRIDE - 1) / KB_BUNDLE_STRIDE;
        for (int k = 0; k < strides * KB_BUNDLE_STRIDE; k += KB_BUNDLE_STRIDE)
            for (int r = first; r < first + ROWS; r++)
                put_stride(s, r < n ? &row[r] : NULL, k);
    }
}

static void add_bundles(bundles *s, sum_row *row, int n)
{
    qsort(row, n, sizeof *row, by_length);
    put_bundles(s, row, n);
}

/* Behind the last stands a stride that adds nothing, since teams load one ahead. */
static void end_bundles(bundles *s)
{
    kb_add_i(s->bundle, s->pair->n / (2 * ROWS));
    for (int r = 0; r < ROWS; r++)
        put_stride(s, NULL, 0);
}

/* into how many pieces of at most LONGEST terms a row is cut */
static int parts_of(const sum_row *row) { return (row->n + LONGEST - 1) / LONGEST; }

/* pieces of like length, for the targets from `target` on; returns how many */
static int cut_row(const sum_row *row, int target, sum_row *to)
{
    int parts = parts_of(row);
    for (int p = 0; p < parts; p++) {
        int a = row->n * p / parts, b = row->n * (p + 1) / parts;
        to[p] = (sum_row){target + p, b - a, row->pair + 2 * a};
    }
    return parts;
}

/* puts rows with targets above `last` first; returns how many */
static int divide(sum_row *row, int n, int last)
{
    int above = 0;
    for (int r = 0; r < n; r++)
        if (row[r].target > last) {
            sum_row kept = row[above];
            row[above++] = row[r];
            row[r] = kept;
        }
    return above;
}

/* Rows of which the long ones are cut: their pieces are numbered from `outputs` on, and
 * whole and start list which pieces add up to which row. The first *direct bundles have targets
 * above `last`. */
static int add_cut_bundles(bundles *s, const sum_row *row, int n, int outputs, kb_ints *whole,
                          kb_ints *start, int last, int *direct)
{
    int total = n, pieces = 0;
    for (int r = 0; r < n; r++)
        total += parts_of(&row[r]);
    sum_row *cut = kb_alloc(total + 1, sizeof *cut);
    total = 0;
    for (int r = 0; r < n; r++) {
        if (parts_of(&row[r]) <= 1) {
            cut[total++] = row[r];
            continue;
        }
        kb_add_i(whole, row[r].target);
        kb_add_i(start, pieces);
        int parts = cut_row(&row[r], outputs + pieces, cut + total);
        pieces += parts;
        total += parts;
    }
    kb_add_i(start, pieces);
    n = divide(cut, total, last);
    add_bundles(s, cut, n);
    *direct = s->bundle->n;
    add_bundles(s, cut + n, total - n);
    end_bundles(s);
    free(cut);
    return pieces;
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* number of a coefficient: its first 16 bits if the others of all are 0, else its index in
 * t->coefficient */
static int coefficient(kb_tables *t, double nu)
{
    if (t->short_nu)
        return (int)(bits_of(nu) >> 48);
    for (int k = 0; k < t->coefficient.n; k++)
        if (t->coefficient.v[k] == nu)
            return k;
    kb_add_r(&t->coefficient, nu);
    return t->coefficient.n - 1;
}

static bool all_short(const kb_reals *nu)
{
    for (int k = 0; k < nu->n; k++)
        if ((bits_of(nu->v[k]) << 16) != 0)
            return false;
    return true;
}

/* rows of (index, number of coefficient) from a table of lists */
static sum_row *weighted_rows(kb_tables *t, const kb_ints *start, const kb_ints *index,
                              const kb_reals *nu, const int *target, int **store)
{
    int n = start->n - 1;
    sum_row *row = kb_alloc(n + 1, sizeof *row);
    int *pair = *store = kb_alloc(2 * (size_t)index->n + 2, sizeof *pair);
    for (int k = 0; k < index->n; k++) {
        pair[2 * k] = index->v[k];
        pair[2 * k + 1] = coefficient(t, nu->v[k]);
    }
    for (int r = 0; r < n; r++)
        row[r] = (sum_row){target ? target[r] : r, start->v[r + 1] - start->v[r],
                           pair + 2 * start->v[r]};
    return row;
}

/* Rows that are all cut into pieces of at most LONGEST terms; start lists the first piece of each
 * row, and the end. */
static int add_pieces(bundles *s, const sum_row *row, int n, kb_ints *start)
{
    int pieces = 0, total = 0;
    for (int r = 0; r < n; r++)
        total += parts_of(&row[r]);
    sum_row *cut = kb_alloc(total + 1, sizeof *cut);
    for (int r = 0; r < n; r++) {
        kb_add_i(start, pieces);
        pieces += cut_row(&row[r], pieces, cut + pieces);
    }
    kb_add_i(start, pieces);
    add_bundles(s, cut, pieces);
    end_bundles(s);
    free(cut);
    return pieces;
}

/* the energy row: for each column j the products of e_i and the entry A_ij */
static void add_heat(kb_tables *t)
{
    int n = t->nsp;
    sum_row *row = kb_alloc(n + 1, sizeof *row);
    int *pair = kb_alloc(2 * (size_t)t->jac_row.n + 2, sizeof *pair);
    for (int k = 0; k < t->jac_row.n; k++) {
        pair[2 * k] = t->jac_row.v[k];
        pair[2 * k + 1] = t->jac_storage.v[k];
    }
    for (int j = 0; j < n; j++) {
        int first = t->jac_column_start.v[j];
        row[j] = (sum_row){j, t->jac_column_start.v[j + 1] - first, pair + 2 * first};
    }
    bundles s = bundles_of(t, &t->heat_row_bundle, &t->heat_row_target, &t->heat_row_pair, KB_LANE,
                           0, KB_STORED, t->zero_storage);
    t->heat_pieces = add_pieces(&s, row, n, &t->heat_row_start);
    free(row);
    free(pair);
}

/* the species whose piece each row of species_gather sums */
static void add_species_of_rows(kb_tables *t)
{
    for (int row = 0; row < t->species_gather_target.n; row++) {
        int piece = t->species_gather_target.v[row], i = 0;
        while (piece != KB_NO_TARGET && t->species_gather_start.v[i + 1] <= piece)
            i++;
        kb_add_i(&t->species_gather_of, i);
    }
}

static void add_gathers(kb_tables *t)
{
    int *store;
    t->short_nu = all_short(&t->species_nu) && all_short(&t->jac_nu);
    bundles s = bundles_of(t, &t->species_gather_bundle, &t->species_gather_target,
                           &t->species_gather_pair, KB_LANE, 0, KB_NO_PLACE, coefficient(t, 0));
    sum_row *row =
        weighted_rows(t, &t->species_start, &t->species_rx, &t->species_nu, NULL, &store);
    t->gather_pieces = add_pieces(&s, row, t->nsp, &t->species_gather_start);
    add_species_of_rows(t);
    free(row);
    free(store);
    s = bundles_of(t, &t->jac_entry_bundle, &t->jac_entry_target, &t->jac_entry_pair, KB_STORED, 0,
                   KB_NO_PLACE, coefficient(t, 0));
    row = weighted_rows(t, &t->jac_start, &t->jac_slot, &t->jac_nu, t->jac_storage.v, &store);
    t->jac_pieces = add_cut_bundles(&s, row, t->jac_row.n, t->nnz, &t->jac_entry_cut,
                                   &t->jac_entry_start, t->nslot, &t->jac_direct);
    free(row);
    free(store);
}

/* an element of the matrix and the product l u that it gains, with the pivots of one level */
typedef struct {
    int target, pair[2];
} update;

static int by_target(const void *a, const void *b)
{
    const update *x = a, *y = b;
    return x->target != y->target ? (x->target > y->target) - (x->target < y->target)
                                  : (x->pair[0] > y->pair[0]) - (x->pair[0] < y->pair[0]);
}

/* p [n][n]: the pattern of the head that the levels before leave */
static int pivot_updates(const kb_tables *t, const int *storage, const unsigned char *p, int k,
                         update *to)
{
    int n = t->lu.n, head = t->lu.tail, found = 0;
    for (int i = 0; i < head; i++)
        for (int j = 0; j < head; j++)
            if (i != k && j != k && p[i * n + k] && p[k * n + j])
                to[found++] = (update){storage[i * n + j],
                                       {storage[i * n + k], storage[k * n + j]}};
    return found;
}

/* one row for each target; the products of one stand side by side once they are sorted */
static void add_updates(bundles *s, update *list, int n)
{
    sum_row *row = kb_alloc(n + 1, sizeof *row);
    int *pair = kb_alloc(2 * (size_t)n + 2, sizeof *pair), rows = 0;
    qsort(list, n, sizeof *list, by_target);
    for (int k = 0; k < n; k++) {
        memcpy(pair + 2 * k, list[k].pair, sizeof list[k].pair);
        if (k == 0 || list[k].target != list[k - 1].target)
            row[rows++] = (sum_row){list[k].target, 0, pair + 2 * k};
        row[rows - 1].n++;
    }
    add_bundles(s, row, rows);
    free(row);
    free(pair);
}

static void add_scaled(kb_tables *t, int entry, int pivot, int inverse)
{
    kb_add_i(&t->level_scaled, entry);
    kb_add_i(&t->level_scaled_pivot, pivot);
    kb_add_i(&t->level_scaled_inverse, inverse);
}

/* what is scaled before the updates of level v: the columns of its pivots, and the rows of those of
 * the level before */
static void add_scaling(kb_tables *t, const int *storage, const unsigned char *p, int v)
{
    int n = t->lu.n, head = t->lu.tail, *level = t->lu.level;
    kb_add_i(&t->level_scaled_start, t->level_scaled.n);
    for (int i = 0; i < head; i++)
        for (int j = 0; j < head; j++) {
            int column = level[j] == v, row = level[i] == v - 1;
            if (i != j && p[i * n + j] && (row || column))
                add_scaled(t, storage[i * n + j], column ? storage[j * n + j] : KB_NO_TARGET,
                           row ? storage[i * n + i] : KB_NO_TARGET);
        }
}

static void add_level(kb_tables *t, const int *storage, unsigned char *p, int v, bundles *s,
                      update *list)
{
    int n = t->lu.n, updates = 0;
    kb_add_i(&t->level_start, t->level_pivot.n);
    kb_add_i(&t->update_level, t->update_bundle.n);
    add_scaling(t, storage, p, v);
    for (int k = 0; k < t->lu.tail; k++)
        if (t->lu.level[k] == v) {
            kb_add_i(&t->level_pivot, storage[k * n + k]);
            updates += pivot_updates(t, storage, p, k, list + updates);
        }
    add_updates(s, list, updates);
    for (int k = 0; k < t->lu.tail; k++)
        if (t->lu.level[k] == v)
            kb_sweep(p, n, k);
}

static void add_inversion(kb_tables *t, const int *storage, int levels, bundles *s)
{
    size_t n = t->lu.n;
    long products = 0;
    unsigned char *p = memcpy(kb_alloc(n * n, 1), t->lu.pattern, n * n);
    for (int k = 0; k < t->lu.tail; k++)
        products += kb_sweep(p, n, k);
    memcpy(p, t->lu.pattern, n * n);
    update *list = kb_alloc(products + 1, sizeof *list);
    for (int v = 0; v < levels; v++)
        add_level(t, storage, p, v, s, list);
    add_scaling(t, storage, p, levels);
    free(list);
    free(p);
}

/* All products of a head that is factored, to list unless it is NULL, from[v] the first of the
 * elements that level v waits for, of the tail if v is the number of levels; returns how many. An
 * element of the row or column of a pivot gains all its products just before that pivot's level. */
static int factor_updates(const kb_tables *t, const int *storage, int levels, int *from,
                          update *list)
{
    int n = t->lu.n, head = t->lu.tail, found = 0;
    const unsigned char *fill = t->lu.fill;
    for (int k = 0; k < head; k++)
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; fill[i * (size_t)n + k] && j < n; j++) {
                int first = i < j ? i : j, v = first < head ? t->lu.level[first] : levels;
                if (!fill[k * (size_t)n + j])
                    continue;
                if (list)
                    list[from[v]] = (update){storage[i * n + j],
                                             {storage[i * n + k], storage[k * n + j]}};
                from[v]++;
                found++;
            }
    return found;
}

/* the pivots of level v, whose rows are scaled before the elements of the next level are updated */
static void add_factored_level(kb_tables *t, const int *storage, int v)
{
    int n = t->lu.n;
    kb_add_i(&t->level_start, t->level_pivot.n);
    kb_add_i(&t->update_level, t->update_bundle.n);
    kb_add_i(&t->level_scaled_start, t->level_scaled.n);
    for (int k = 0; k < t->lu.tail; k++) {
        if (t->lu.level[k] != v)
            continue;
        kb_add_i(&t->level_pivot, storage[k * n + k]);
        for (int j = k + 1; j < n; j++)
            if (t->lu.fill[k * (size_t)n + j])
                add_scaled(t, storage[k * n + j], storage[k * n + k], KB_NO_TARGET);
    }
}

/* L of a head that is factored, scaled at the end */
static void add_unit_columns(kb_tables *t, const int *storage)
{
    int n = t->lu.n;
    kb_add_i(&t->level_scaled_start, t->level_scaled.n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i && k < t->lu.tail; k++)
            if (t->lu.fill[i * (size_t)n + k])
                add_scaled(t, storage[i * n + k], KB_NO_TARGET, storage[k * n + k]);
}

static void add_factors(kb_tables *t, const int *storage, int levels, bundles *s)
{
    int *count = kb_alloc(levels + 1, sizeof *count), *from = kb_alloc(levels + 2, sizeof *from);
    update *list = kb_alloc(factor_updates(t, storage, levels, count, NULL) + 1, sizeof *list);
    for (int v = 0; v < levels; v++)
        from[v + 1] = from[v] + count[v];
    factor_updates(t, storage, levels, from, list);
    for (int v = 0; v < levels; v++) {
        add_factored_level(t, storage, v);
        add_updates(s, list + from[v], from[v + 1] - from[v]);
    }
    add_unit_columns(t, storage);
    free(count);
    free(from);
    free(list);
}

static void add_elimination(kb_tables *t, const int *storage)
{
    int levels = 0;
    bundles s = bundles_of(t, &t->update_bundle, &t->update_target, &t->update_pair, KB_STORED,
                           t->zero_storage, KB_STORED, t->zero_storage);
    for (int k = 0; k < t->lu.tail; k++)
        levels = t->lu.level[k] >= levels ? t->lu.level[k] + 1 : levels;
    if (t->lu.inverted)
        add_inversion(t, storage, levels, &s);
    else
        add_factors(t, storage, levels, &s);
    kb_add_i(&t->level_start, t->level_pivot.n);
    kb_add_i(&t->level_scaled_start, t->level_scaled.n);
    kb_add_i(&t->update_level, t->update_bundle.n);
    end_bundles(&s);
    /* of a level without */
    kb_add_i(&t->update_bundle, t->update_bundle.v[t->update_bundle.n - 1]);
}

/* What follows the inversion of the head: the products B A_ht, A_th B A_ht and A_th B. */
typedef enum { BACK, SCHUR, FORWARD } block;

/* the terms of element (i, j) of a block, to pair; returns how many */
static int block_terms(const kb_tables *t, const int *storage, block b, int i, int j, int *pair)
{
    int n = t->lu.n, head = t->lu.tail, found = 0;
    const unsigned char *raw = t->lu.pattern;
    for (int k = 0; k < head; k++) {
        bool left = b == BACK ? storage[i * n + k] >= 0 : raw[i * n + k];
        bool right = b == BACK ? raw[k * n + j] : storage[k * n + j] >= 0;
        if (left && right) {
            pair[2 * found] = storage[i * n + k];
            pair[2 * found++ + 1] = storage[k * n + j];
        }
    }
    return found;
}

/* Elements of a block as rows of bundles. Those of B A_ht and A_th B lie where a factor was, so the
 * threads hold what they computed of a chunk, whole columns or rows, until all are done. */
typedef struct {
    kb_tables *t;
    const int *storage;
    bundles s;
    sum_row *row;
    int rows, *pair, terms;
} block_list;

static void end_chunk(block_list *l)
{
    int rounds = (l->rows + l->t->team - 1) / l->t->team;
    if (l->rows > 0)
        kb_add_i(&l->t->block_start, l->t->block_bundle.n);
    add_bundles(&l->s, l->row, l->rows);
    l->t->block_held = rounds > l->t->block_held ? rounds : l->t->block_held;
    l->rows = l->terms = 0;
}

static void add_block(block_list *l, block b)
{
    int n = l->t->lu.n, head = l->t->lu.tail, held = b == SCHUR ? 0 : HELD * l->t->team;
    int outer = n - head, inner = b == SCHUR ? n - head : head;
    for (int x = head; x < head + outer; x++) {
        if (held && l->rows + inner > held && l->rows > 0)
            end_chunk(l);
        for (int y = b == SCHUR ? head : 0; y < (b == SCHUR ? n : head); y++) {
            int i = b == BACK ? y : x, j = b == BACK ? x : y, *pair = l->pair + 2 * l->terms;
            int found = l->storage[i * n + j] < 0 ? 0
                                                  : block_terms(l->t, l->storage, b, i, j, pair);
            if (found > 0)
                l->row[l->rows++] = (sum_row){l->storage[i * n + j], found, pair};
            l->terms += found;
        }
    }
    if (b == SCHUR) {
        kb_add_i(&l->t->block_start, l->t->block_bundle.n);
        add_bundles(&l->s, l->row, l->rows);
        l->rows = l->terms = 0;
    } else {
        end_chunk(l);
    }
}

static void add_blocks(kb_tables *t, const int *storage)
{
    size_t n = t->lu.n;
    size_t head = t->lu.tail, tail = n - head, chunk = head + HELD * t->team;
    size_t most = tail * tail > chunk ? tail * tail : chunk; /* elements of a list */
    bundles s = bundles_of(t, &t->block_bundle, &t->block_target, &t->block_pair, KB_STORED,
                           t->zero_storage, KB_STORED, t->zero_storage);
    block_list l = {t, storage, s,
                    kb_alloc(most + 1, sizeof *l.row), 0,
                    kb_alloc(2 * most * head + 2, sizeof *l.pair), 0};
    add_block(&l, BACK);
    t->block_back = t->block_start.n;
    add_block(&l, SCHUR);
    add_block(&l, FORWARD);
    kb_add_i(&t->block_start, t->block_bundle.n);
    end_bundles(&l.s);
    free(l.row);
    free(l.pair);
}

/* the factors of A_th B A_ht as dense blocks, for tensor cores */
static void add_tail_factors(kb_tables *t, const int *storage)
{
    int n = t->lu.n, head = t->lu.tail, width = (n - head + 7) / 8 * 8;
    for (int k = 0; k < (head + 3) / 4 * 4; k++)
        for (int i = head; i < head + width; i++) {
            bool inside = k < head && i < n;
            int left = inside ? storage[i * n + k] : -1, right = inside ? storage[k * n + i] : -1;
            kb_add_i(&t->tail_left, left < 0 ? t->zero_storage : left);
            kb_add_i(&t->tail_right, right < 0 ? t->zero_storage : right);
        }
}

/* how many threads share a row where there are `rows`: a power of 2 */
static int sharing(int rows, int team)
{
    int parts = 1;
    while (parts < 8 && 2 * parts <= team && (parts == 1 || 2 * parts * rows <= team))
        parts *= 2;
    return parts;
}

/* which columns a phase of the solve takes: all of the head, all of the tail, the columns of the
 * head before the diagonal, all columns behind it */
typedef enum { ALL, TAIL, BEFORE, BEHIND } columns;

static int first_column(const kb_tables *t, columns which, int i)
{
    return which == TAIL ? t->lu.tail : which == BEHIND ? i + 1 : 0;
}

static int end_column(const kb_tables *t, columns which, int i)
{
    bool before = which == BEFORE && i < t->lu.tail;
    return which == TAIL || which == BEHIND ? t->lu.n : before ? i : t->lu.tail;
}

/* One phase of the solve: `rows` rows times these columns; each row is shared by neighbouring
 * threads, which take its terms in turn. */
static void add_phase(kb_tables *t, bundles *s, const int *storage, const int *of, int rows,
                      columns which)
{
    int n = t->lu.n, parts = sharing(rows, t->team);
#ifdef KB_MANY /* no row is shared */
    parts = 1;
#endif
    sum_row *row = kb_alloc(rows + 1, sizeof *row), *part = kb_alloc(parts * rows + 1, sizeof *row);
    int *pair = kb_alloc(2 * (size_t)rows * n + 2, sizeof *pair);
    int *dealt = kb_alloc(2 * (size_t)rows * n + 2, sizeof *pair), terms = 0;
    kb_add_i(&t->solve_phase, t->solve_bundle.n);
    kb_add_i(&t->solve_share, parts);
    for (int r = 0; r < rows; r++) {
        int i = of[r], end = end_column(t, which, i);
        row[r] = (sum_row){i, 0, pair + 2 * terms};
        for (int j = first_column(t, which, i); j < end; j++)
            if (storage[i * n + j] >= 0) {
                pair[2 * terms] = storage[i * n + j];
                pair[2 * terms++ + 1] = j;
                row[r].n++;
            }
    }
    qsort(row, rows, sizeof *row, by_length);
    terms = 0;
    for (int r = 0; r < rows; r++)
        for (int q = 0; q < parts; q++) {
            part[r * parts + q] = (sum_row){row[r].target, 0, dealt + 2 * terms};
            for (int k = q; k < row[r].n; k += parts) {
                memcpy(dealt + 2 * terms++, row[r].pair + 2 * k, 2 * sizeof *dealt);
                part[r * parts + q].n++;
            }
        }
    put_bundles(s, part, parts * rows);
    free(row);
    free(part);
    free(pair);
    free(dealt);
}

/* the rows of the head of one level */
static void add_level_phase(kb_tables *t, bundles *s, const int *storage, int v, columns which)
{
    int *row = kb_alloc(t->lu.n, sizeof *row), rows = 0;
    for (int k = 0; k < t->lu.tail; k++)
        if (t->lu.level[k] == v)
            row[rows++] = k;
    add_phase(t, s, storage, row, rows, which);
    free(row);
}

static void add_solve(kb_tables *t, const int *storage)
{
    int n = t->lu.n, head = t->lu.tail, levels = t->level_start.n - 1;
    int *row = kb_alloc(n, sizeof *row);
    bundles s = bundles_of(t, &t->solve_bundle, &t->solve_target, &t->solve_pair, KB_STORED,
                           t->zero_storage, KB_STORED, n);
    for (int i = 0; i < n; i++)
        row[i] = i;
    if (t->lu.inverted) {
        add_phase(t, &s, storage, row, n, ALL);
        add_phase(t, &s, storage, row, head, TAIL);
        memcpy(t->inverted_share, t->solve_share.v, sizeof t->inverted_share);
    } else {
        t->inverted_share[0] = t->inverted_share[1] = 1; /* of code that is not called */
        for (int v = 0; v < levels; v++)
            add_level_phase(t, &s, storage, v, BEFORE);
        add_phase(t, &s, storage, row + head, n - head, BEFORE);
        for (int v = levels - 1; v >= 0; v--)
            add_level_phase(t, &s, storage, v, BEHIND);
    }
    kb_add_i(&t->solve_phase, t->solve_bundle.n);
    end_bundles(&s);
    free(row);
}

/* Places are bytes where 16 bits hold them, so that threads have nothing to compute. */
static void set_scales(kb_tables *t)
{
    int most[] = {[KB_LANE] = t->nrx, [KB_STORED] = t->nnz > t->nslot ? t->nnz : t->nslot};
    t->scale[KB_NO_PLACE] = 1;
    for (int kind = KB_LANE; kind <= KB_STORED; kind++)
        t->scale[kind] = (most[kind] + 1) * t->bytes[kind] < 0xffff ? t->bytes[kind] : 1;
}

void kb_tables_team(kb_tables *t, const int *storage)
{
    set_scales(t);
    add_gathers(t);
    add_heat(t);
    if (t->team > 1) {
        add_elimination(t, storage);
        if (t->lu.inverted) {
            add_blocks(t, storage);
            add_tail_factors(t, storage);
        }
        add_solve(t, storage);
    }
}
