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
#include "mech/tables/bundles.h"

/* whose pairs have places of kinds a and b; nothing: a term that adds 0 */
static kb_bundles bundles_of(const kb_tables *t, kb_ints *bundle, kb_ints *target, kb_ints *pair,
                             kb_place a, int nothing_a, kb_place b, int nothing_b)
{
    return (kb_bundles){bundle, target, pair, {nothing_a, nothing_b},
                        {t->bytes[a], t->bytes[b]}, {t->scale[a], t->scale[b]}};
}

/* terms that one thread adds up before a row is cut in pieces */
enum { LONGEST = 16 };
/* elements of a block of the matrix that a thread holds, where that is enough */
enum { HELD = 4 };

/* into how many pieces of at most LONGEST terms a row is cut */
static int parts_of(const kb_sum_row *row) { return (row->n + LONGEST - 1) / LONGEST; }

/* pieces of like length, for the targets from `target` on; returns how many */
static int cut_row(const kb_sum_row *row, int target, kb_sum_row *to)
{
    int parts = parts_of(row);
    for (int p = 0; p < parts; p++) {
        int a = row->n * p / parts, b = row->n * (p + 1) / parts;
        to[p] = (kb_sum_row){target + p, b - a, row->pair + 2 * a};
    }
    return parts;
}

/* puts rows with targets above `last` first; returns how many */
static int divide(kb_sum_row *row, int n, int last)
{
    int above = 0;
    for (int r = 0; r < n; r++)
        if (row[r].target > last) {
            kb_sum_row kept = row[above];
            row[above++] = row[r];
            row[r] = kept;
        }
    return above;
}

/* Rows of which the long ones are cut: their pieces are numbered from `outputs` on, and
 * whole and start list which pieces add up to which row. The first *direct bundles have targets
 * above `last`. */
static int add_cut_bundles(kb_bundles *s, const kb_sum_row *row, int n, int outputs, kb_ints *whole,
                           kb_ints *start, int last, int *direct)
{
    int total = n, pieces = 0;
    for (int r = 0; r < n; r++)
        total += parts_of(&row[r]);
    kb_sum_row *cut = kb_alloc(total + 1, sizeof *cut);
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
    kb_add_bundles(s, cut, n);
    *direct = s->bundle->n;
    kb_add_bundles(s, cut + n, total - n);
    kb_end_bundles(s);
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
static kb_sum_row *weighted_rows(kb_tables *t, const kb_ints *start, const kb_ints *index,
                                 const kb_reals *nu, const int *target, int **store)
{
    int n = start->n - 1;
    kb_sum_row *row = kb_alloc(n + 1, sizeof *row);
    int *pair = *store = kb_alloc(2 * (size_t)index->n + 2, sizeof *pair);
    for (int k = 0; k < index->n; k++) {
        pair[2 * k] = index->v[k];
        pair[2 * k + 1] = coefficient(t, nu->v[k]);
    }
    for (int r = 0; r < n; r++)
        row[r] = (kb_sum_row){target ? target[r] : r, start->v[r + 1] - start->v[r],
                              pair + 2 * start->v[r]};
    return row;
}

/* Rows that are all cut into pieces of at most LONGEST terms; start lists the first piece of each
 * row, and the end. */
static int add_pieces(kb_bundles *s, const kb_sum_row *row, int n, kb_ints *start)
{
    int pieces = 0, total = 0;
    for (int r = 0; r < n; r++)
        total += parts_of(&row[r]);
    kb_sum_row *cut = kb_alloc(total + 1, sizeof *cut);
    for (int r = 0; r < n; r++) {
        kb_add_i(start, pieces);
        pieces += cut_row(&row[r], pieces, cut + pieces);
    }
    kb_add_i(start, pieces);
    kb_add_bundles(s, cut, pieces);
    kb_end_bundles(s);
    free(cut);
    return pieces;
}

/* the energy row: for each column j the products of e_i and the entry A_ij */
static void add_heat(kb_tables *t)
{
    int n = t->nsp;
    kb_sum_row *row = kb_alloc(n + 1, sizeof *row);
    int *pair = kb_alloc(2 * (size_t)t->jac_row.n + 2, sizeof *pair);
    for (int k = 0; k < t->jac_row.n; k++) {
        pair[2 * k] = t->jac_row.v[k];
        pair[2 * k + 1] = t->jac_storage.v[k];
    }
    for (int j = 0; j < n; j++) {
        int first = t->jac_column_start.v[j];
        row[j] = (kb_sum_row){j, t->jac_column_start.v[j + 1] - first, pair + 2 * first};
    }
    kb_bundles s = bundles_of(t, &t->heat_row_bundle, &t->heat_row_target, &t->heat_row_pair,
                              KB_LANE, 0, KB_STORED, t->zero_storage);
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
    kb_bundles s = bundles_of(t, &t->species_gather_bundle, &t->species_gather_target,
                              &t->species_gather_pair, KB_LANE, 0, KB_NO_PLACE, coefficient(t, 0));
    kb_sum_row *row = weighted_rows(t, &t->species_start, &t->species_rx, &t->species_nu, NULL,
                                    &store);
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

/* p [n][n]: the pattern of the head that the levels before leave */
static int pivot_updates(const kb_tables *t, const int *storage, const unsigned char *p, int k,
                         kb_update *to)
{
    int n = t->lu.n, head = t->lu.tail, found = 0;
    for (int i = 0; i < head; i++)
        for (int j = 0; j < head; j++)
            if (i != k && j != k && p[i * n + k] && p[k * n + j])
                to[found++] = (kb_update){storage[i * n + j],
                                          {storage[i * n + k], storage[k * n + j]}};
    return found;
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

static void add_level(kb_tables *t, const int *storage, unsigned char *p, int v, kb_bundles *s,
                      kb_update *list)
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
    kb_add_updates(s, list, updates);
    for (int k = 0; k < t->lu.tail; k++)
        if (t->lu.level[k] == v)
            kb_sweep(p, n, k);
}

static void add_inversion(kb_tables *t, const int *storage, int levels, kb_bundles *s)
{
    size_t n = t->lu.n;
    long products = 0;
    unsigned char *p = memcpy(kb_alloc(n * n, 1), t->lu.pattern, n * n);
    for (int k = 0; k < t->lu.tail; k++)
        products += kb_sweep(p, n, k);
    memcpy(p, t->lu.pattern, n * n);
    kb_update *list = kb_alloc(products + 1, sizeof *list);
    for (int v = 0; v < levels; v++)
        add_level(t, storage, p, v, s, list);
    add_scaling(t, storage, p, levels);
    free(list);
    free(p);
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

static void add_factors(kb_tables *t, const int *storage, int levels, kb_bundles *s)
{
    int *from = kb_alloc(levels + 2, sizeof *from);
    kb_update *list = kb_factor_updates(&t->lu, storage, levels, from);
    for (int v = 0; v < levels; v++) {
        add_factored_level(t, storage, v);
        kb_add_updates(s, list + from[v], from[v + 1] - from[v]);
    }
    add_unit_columns(t, storage);
    free(from);
    free(list);
}

static void add_elimination(kb_tables *t, const int *storage)
{
    int levels = 0;
    kb_bundles s = bundles_of(t, &t->update_bundle, &t->update_target, &t->update_pair, KB_STORED,
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
    kb_end_bundles(&s);
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
    kb_bundles s;
    kb_sum_row *row;
    int rows, *pair, terms;
} block_list;

static void end_chunk(block_list *l)
{
    int rounds = (l->rows + l->t->team - 1) / l->t->team;
    if (l->rows > 0)
        kb_add_i(&l->t->block_start, l->t->block_bundle.n);
    kb_add_bundles(&l->s, l->row, l->rows);
    l->t->block_held = rounds > l->t->block_held ? rounds : l->t->block_held;
    l->rows = l->terms = 0;
}

static void add_block(block_list *l, block b)
{
    int n = l->t->lu.n, head = l->t->lu.tail, held = b == SCHUR ? 0 : HELD * l->t->team;
    for (int x = head; x < n; x++) {
        if (held && l->rows + head > held && l->rows > 0)
            end_chunk(l);
        for (int y = b == SCHUR ? head : 0; y < (b == SCHUR ? n : head); y++) {
            int i = b == BACK ? y : x, j = b == BACK ? x : y, *pair = l->pair + 2 * l->terms;
            int found = l->storage[i * n + j] < 0 ? 0
                                                  : block_terms(l->t, l->storage, b, i, j, pair);
            if (found > 0)
                l->row[l->rows++] = (kb_sum_row){l->storage[i * n + j], found, pair};
            l->terms += found;
        }
    }
    if (b == SCHUR) {
        kb_add_i(&l->t->block_start, l->t->block_bundle.n);
        kb_add_bundles(&l->s, l->row, l->rows);
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
    kb_bundles s = bundles_of(t, &t->block_bundle, &t->block_target, &t->block_pair, KB_STORED,
                              t->zero_storage, KB_STORED, t->zero_storage);
    block_list l = {t, storage,
                    s, kb_alloc(most + 1, sizeof *l.row),
                    0, kb_alloc(2 * most * head + 2, sizeof *l.pair),
                    0};
    add_block(&l, BACK);
    t->block_back = t->block_start.n;
    add_block(&l, SCHUR);
    add_block(&l, FORWARD);
    kb_add_i(&t->block_start, t->block_bundle.n);
    kb_end_bundles(&l.s);
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
static void add_phase(kb_tables *t, kb_bundles *s, const int *storage, const int *of, int rows,
                      columns which)
{
    int n = t->lu.n, parts = sharing(rows, t->team);
#ifdef KB_MANY /* no row is shared */
    parts = 1;
#endif
    kb_sum_row *row = kb_alloc(rows + 1, sizeof *row),
               *part = kb_alloc(parts * rows + 1, sizeof *row);
    int *pair = kb_alloc(2 * (size_t)rows * n + 2, sizeof *pair);
    int *dealt = kb_alloc(2 * (size_t)rows * n + 2, sizeof *pair), terms = 0;
    kb_add_i(&t->solve_phase, t->solve_bundle.n);
    kb_add_i(&t->solve_share, parts);
    for (int r = 0; r < rows; r++) {
        int i = of[r], end = end_column(t, which, i);
        row[r] = (kb_sum_row){i, 0, pair + 2 * terms};
        for (int j = first_column(t, which, i); j < end; j++)
            if (storage[i * n + j] >= 0) {
                pair[2 * terms] = storage[i * n + j];
                pair[2 * terms++ + 1] = j;
                row[r].n++;
            }
    }
    qsort(row, rows, sizeof *row, kb_by_length);
    terms = 0;
    for (int r = 0; r < rows; r++)
        for (int q = 0; q < parts; q++) {
            part[r * parts + q] = (kb_sum_row){row[r].target, 0, dealt + 2 * terms};
            for (int k = q; k < row[r].n; k += parts) {
                memcpy(dealt + 2 * terms++, row[r].pair + 2 * k, 2 * sizeof *dealt);
                part[r * parts + q].n++;
            }
        }
    kb_put_bundles(s, part, parts * rows);
    free(row);
    free(part);
    free(pair);
    free(dealt);
}

/* the rows of the head of one level */
static void add_level_phase(kb_tables *t, kb_bundles *s, const int *storage, int v, columns which)
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
    kb_bundles s = bundles_of(t, &t->solve_bundle, &t->solve_target, &t->solve_pair, KB_STORED,
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
    kb_end_bundles(&s);
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
