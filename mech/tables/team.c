/* SPDX-License-Identifier: MIT
 *
 * The tables of a team of threads (solvers/portable/team.h): every sum over a list as slices of 32
 * rows of similar length, one row a thread, stored so that the threads of a warp read neighbouring
 * entries; and the elimination of the head by levels, whose pivots do not touch each other.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "mech/tables/build.h"

/* rows of a slice; terms that one thread adds up before a row is cut in pieces */
enum { ROWS = 32, LONGEST = 16 };

/* one sum: where it goes, and its terms, pairs of ints */
typedef struct {
    int target, n;
    const int *pair;
} sum_row;

/* the tables of one kind of sum */
typedef struct {
    kb_ints *slice, *target, *pair;
    int nothing[2]; /* a term that adds 0 */
} slices;

static int by_length(const void *a, const void *b)
{
    const sum_row *x = a, *y = b;
    return x->n != y->n ? y->n - x->n : (x->target > y->target) - (x->target < y->target);
}

/* appends rows as whole slices; a missing row of the last has the target KB_NO_TARGET */
static void add_slices(slices *s, sum_row *row, int n)
{
    qsort(row, n, sizeof *row, by_length);
    for (int first = 0; first < n; first += ROWS) {
        kb_add_i(s->slice, s->pair->n / (2 * ROWS));
        for (int r = first; r < first + ROWS; r++)
            kb_add_i(s->target, r < n ? row[r].target : KB_NO_TARGET);
        int strides = (row[first].n + KB_SLICE_STRIDE - 1) / KB_SLICE_STRIDE;
        for (int k = 0; k < strides * KB_SLICE_STRIDE; k++)
            for (int r = first; r < first + ROWS; r++) {
                const int *p = r < n && k < row[r].n ? row[r].pair + 2 * k : s->nothing;
                kb_add_i(s->pair, p[0]);
                kb_add_i(s->pair, p[1]);
            }
    }
}

static void end_slices(slices *s) { kb_add_i(s->slice, s->pair->n / (2 * ROWS)); }

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

/* Rows of which the long ones are cut: their pieces are numbered from `outputs` on, and
 * whole and start list which pieces add up to which row. */
static int add_cut_slices(slices *s, const sum_row *row, int n, int outputs, kb_ints *whole,
                          kb_ints *start)
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
    add_slices(s, cut, total);
    end_slices(s);
    free(cut);
    return pieces;
}

/* number of a coefficient: itself + KB_NU_ZERO if all are small integers, else its index in
 * t->coefficient */
static int coefficient(kb_tables *t, double nu)
{
    if (t->integer_nu)
        return (int)nu + KB_NU_ZERO;
    for (int k = 0; k < t->coefficient.n; k++)
        if (t->coefficient.v[k] == nu)
            return k;
    kb_add_r(&t->coefficient, nu);
    return t->coefficient.n - 1;
}

static bool all_integer(const kb_reals *nu)
{
    for (int k = 0; k < nu->n; k++)
        if (nu->v[k] != rint(nu->v[k]) || fabs(nu->v[k]) > 100)
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
static int add_pieces(slices *s, const sum_row *row, int n, kb_ints *start)
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
    add_slices(s, cut, pieces);
    end_slices(s);
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
    slices s = {&t->heat_row_slice, &t->heat_row_target, &t->heat_row_pair, {0, t->zero_storage}};
    t->heat_pieces = add_pieces(&s, row, n, &t->heat_row_start);
    free(row);
    free(pair);
}

static void add_gathers(kb_tables *t)
{
    int *store;
    t->integer_nu = all_integer(&t->species_nu) && all_integer(&t->jac_nu);
    slices s = {&t->species_gather_slice, &t->species_gather_target, &t->species_gather_pair,
                {0, coefficient(t, 0)}};
    sum_row *row =
        weighted_rows(t, &t->species_start, &t->species_rx, &t->species_nu, NULL, &store);
    t->gather_pieces = add_pieces(&s, row, t->nsp, &t->species_gather_start);
    free(row);
    free(store);
    s = (slices){&t->jac_entry_slice, &t->jac_entry_target, &t->jac_entry_pair,
                 {0, coefficient(t, 0)}};
    row = weighted_rows(t, &t->jac_start, &t->jac_slot, &t->jac_nu, t->jac_storage.v, &store);
    t->jac_pieces = add_cut_slices(&s, row, t->jac_row.n, t->nnz, &t->jac_entry_cut,
                                   &t->jac_entry_start);
    free(row);
    free(store);
}

/* one more than the largest level of the pivots before k that row or column k meets */
static int level_of(const kb_tables *t, const int *storage, const int *level, int k)
{
    int n = t->lu.n, found = 0;
    for (int j = 0; j < k; j++)
        if ((storage[k * n + j] >= 0 || storage[j * n + k] >= 0) && level[j] + 1 > found)
            found = level[j] + 1;
    return found;
}

/* an element of the matrix and the product l u that it loses, with the pivots of one level */
typedef struct {
    int target, pair[2];
} update;

static int by_target(const void *a, const void *b)
{
    const update *x = a, *y = b;
    return x->target != y->target ? (x->target > y->target) - (x->target < y->target)
                                  : (x->pair[0] > y->pair[0]) - (x->pair[0] < y->pair[0]);
}

static int pivot_updates(const kb_tables *t, const int *storage, int k, update *to)
{
    int n = t->lu.n, found = 0;
    for (int i = k + 1; i < n; i++)
        for (int j = k + 1; j < n; j++)
            if (storage[i * n + k] >= 0 && storage[k * n + j] >= 0)
                to[found++] = (update){storage[i * n + j],
                                       {storage[i * n + k], storage[k * n + j]}};
    return found;
}

/* one row for each target; the products of one stand side by side once they are sorted */
static void add_updates(slices *s, update *list, int n)
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
    add_slices(s, row, rows);
    free(row);
    free(pair);
}

static void add_level(kb_tables *t, const int *storage, const int *level, int v, slices *s,
                      update *list)
{
    int n = t->lu.n, updates = 0;
    kb_add_i(&t->level_l_start, t->level_l.n);
    kb_add_i(&t->level_start, t->level_pivot.n);
    kb_add_i(&t->update_level, t->update_slice.n);
    for (int k = 0; k < t->lu.tail; k++) {
        if (level[k] != v)
            continue;
        kb_add_i(&t->level_pivot, storage[k * n + k]);
        for (int i = k + 1; i < n; i++)
            if (storage[i * n + k] >= 0) {
                kb_add_i(&t->level_l, storage[i * n + k]);
                kb_add_i(&t->level_l_pivot, storage[k * n + k]);
            }
        updates += pivot_updates(t, storage, k, list + updates);
    }
    add_updates(s, list, updates);
}

/* The phases of the solve: forward through the head level by level, the tail's rows, then back
 * through the head: first the unknowns of the tail, then level by level. Each takes some rows i and
 * of those some columns j. */
typedef enum { FORWARD, TAIL_ROWS, BACK_TAIL, BACK } solve_phase;

static bool takes(solve_phase phase, int i, int j, int head)
{
    switch (phase) {
    case FORWARD: return i < head && j < i;
    case TAIL_ROWS: return i >= head && j < head;
    case BACK_TAIL: return i < head && j >= head;
    default: return i < head && j > i && j < head;
    }
}

/* v: the level of the rows in the head, -1: all */
static void add_phase(kb_tables *t, slices *s, const int *storage, const int *level,
                      solve_phase phase, int v)
{
    int n = t->lu.n, head = t->lu.tail, rows = 0, terms = 0;
    sum_row *row = kb_alloc(n + 1, sizeof *row);
    int *pair = kb_alloc(2 * (size_t)n * n + 2, sizeof *pair);
    kb_add_i(&t->solve_phase, t->solve_slice.n);
    for (int i = 0; i < n; i++) {
        if ((phase == TAIL_ROWS) != (i >= head) || (v >= 0 && level[i] != v))
            continue;
        row[rows] = (sum_row){i, 0, pair + 2 * terms};
        for (int j = 0; j < n; j++)
            if (storage[i * n + j] >= 0 && takes(phase, i, j, head)) {
                pair[2 * terms] = storage[i * n + j];
                pair[2 * terms++ + 1] = j;
                row[rows].n++;
            }
        rows++;
    }
    add_slices(s, row, rows);
    free(row);
    free(pair);
}

static void add_solve(kb_tables *t, const int *storage, const int *level, int levels)
{
    slices s = {&t->solve_slice, &t->solve_target, &t->solve_pair, {t->zero_storage, t->lu.n}};
    for (int v = 1; v < levels; v++)
        add_phase(t, &s, storage, level, FORWARD, v);
    add_phase(t, &s, storage, level, TAIL_ROWS, -1);
    add_phase(t, &s, storage, level, BACK_TAIL, -1);
    for (int v = levels - 1; v >= 0; v--)
        add_phase(t, &s, storage, level, BACK, v);
    kb_add_i(&t->solve_phase, t->solve_slice.n);
    end_slices(&s);
}

static void add_elimination(kb_tables *t, const int *storage, const int *level, int levels)
{
    size_t products = 0;
    for (int k = 0; k < t->lu.tail; k++)
        products += (size_t)t->lu_u_count.v[k] * (t->lu_l_start.v[k + 1] - t->lu_l_start.v[k]);
    update *list = kb_alloc(products + 1, sizeof *list);
    slices s = {&t->update_slice, &t->update_target, &t->update_pair,
                {t->zero_storage, t->zero_storage}};
    for (int v = 0; v < levels; v++)
        add_level(t, storage, level, v, &s, list);
    kb_add_i(&t->level_start, t->level_pivot.n);
    kb_add_i(&t->level_l_start, t->level_l.n);
    kb_add_i(&t->update_level, t->update_slice.n);
    end_slices(&s);
    free(list);
}

void kb_tables_team(kb_tables *t, const int *storage)
{
    int levels = 0, *level = kb_alloc(t->lu.n, sizeof *level);
    for (int k = 0; k < t->lu.tail; k++) {
        level[k] = level_of(t, storage, level, k);
        levels = level[k] + 1 > levels ? level[k] + 1 : levels;
    }
    add_gathers(t);
    add_heat(t);
    add_elimination(t, storage, level, levels);
    add_solve(t, storage, level, levels);
    free(level);
}
