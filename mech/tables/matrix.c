/* SPDX-License-Identifier: MIT */
#include "mech/tables/bundles.h"

/* a derivative of a rate of progress by a species, and where its index in D goes */
typedef struct {
    int species, rx, *index;
} derivative;

/* by species; the derivatives by one species stay in their order. Places behind the species have no
 * derivative. */
static void sort_derivatives(const kb_tables *t, const derivative *all, int n, kb_ints *rx,
                             kb_ints *col)
{
    int *start = kb_alloc((size_t)t->nall + 1, sizeof *start);
    for (int k = 0; k < n; k++)
        if (all[k].species < t->nall)
            start[all[k].species + 1]++;
    for (int j = 0; j < t->nall; j++)
        start[j + 1] += start[j];
    kb_fill_i(rx, start[t->nall], 0);
    kb_fill_i(col, start[t->nall], 0);
    for (int k = 0; k < n; k++) {
        if (all[k].species >= t->nall)
            continue;
        int at = start[all[k].species]++;
        *all[k].index = at;
        rx->v[at] = all[k].rx;
        col->v[at] = all[k].species;
    }
    free(start);
}

/* The index in D of the derivative of each slot, of each power of a general reaction and of each
 * collider of a linear-Burke one: sorted by the species of the derivative, so that a column of
 * d omega/d C reads from one short run.
 * rx, col [nslot]: reaction and species of each. */
static void order_derivatives(kb_tables *t, kb_ints *rx, kb_ints *col)
{
    int total = KB_SLOTS * t->nrx, n = 0;
    kb_fill_i(&t->slot_derivative, total, -1);
    kb_fill_i(&t->general_derivative, t->general_species.n, -1);
    kb_fill_i(&t->burke_derivative, t->burke_species.n, -1);
    derivative *all = kb_alloc((size_t)total + t->general_species.n + t->burke_species.n + 1,
                               sizeof *all);
    for (int r = 0; r < t->nrx; r++)
        for (int s = 0; s < KB_SLOTS; s++)
            all[n++] = (derivative){t->slot.v[s * t->nrx + r], r,
                                    &t->slot_derivative.v[s * t->nrx + r]};
    for (int g = 0; g < t->general_rx.n; g++)
        for (int k = t->general_start.v[2 * g]; k < t->general_start.v[2 * g + 2]; k++)
            all[n++] = (derivative){t->general_species.v[k], t->general_rx.v[g],
                                    &t->general_derivative.v[k]};
    for (int b = 0; b < t->burke_rx.n; b++)
        for (int c = t->burke_start.v[b]; c < t->burke_start.v[b + 1]; c++)
            all[n++] = (derivative){t->burke_species.v[c], t->burke_rx.v[b],
                                    &t->burke_derivative.v[c]};
    sort_derivatives(t, all, n, rx, col);
    free(all);
    t->nslot = rx->n;
    for (int k = 0; k < total; k++)
        if (t->slot_derivative.v[k] < 0)
            t->slot_derivative.v[k] = t->nslot;
    for (int k = 0; k < t->general_derivative.n; k++)
        if (t->general_derivative.v[k] < 0)
            t->general_derivative.v[k] = t->nslot;
    for (int c = 0; c < t->burke_species.n; c++)
        if (t->burke_derivative.v[c] < 0)
            t->burke_derivative.v[c] = t->nslot;
}

/* Storage of A and of its LU: rows above the tail packed, then the head columns of the tail's rows,
 * then the dense tail. Returns the storage index by position [n][n], -1: no entry. */
static int *assign_storage(kb_tables *t)
{
    const kb_sparse *lu = &t->lu;
    int n = lu->n, tail = lu->tail, next = 0;
    for (int i = 0; i < n; i++) {
        int nl = 0;
        kb_add_i(&t->lu_row_start, next);
        for (int j = 0; j < (i < tail ? n : tail); j++)
            if (lu->fill[i * (size_t)n + j]) {
                nl += j < i && j < tail;
                next++;
                kb_add_i(&t->lu_column, j);
            }
        kb_add_i(&t->lu_l_count, nl);
    }
    kb_add_i(&t->lu_row_start, next);
    t->tail_storage = next;
    /* an odd stride keeps the rows of the dense tail out of each other's cache sets */
    t->tail_stride = (n - tail) | 1;
    t->nnz = t->nnz_single = next + (n - tail) * t->tail_stride;
    t->zero_storage = next + n - tail; /* n - tail is a multiple of 4, the stride odd */
    return kb_places(n, tail, t->lu_row_start.v, t->lu_column.v, t->tail_stride);
}

/* where a team's entries are in the storage of one thread */
static void add_single_storage(kb_tables *t, const int *storage)
{
    kb_tables single = {.m = t->m, .team = 1};
    kb_sparse_build(t->m, 1, KB_HEAD_CHEAPER, &single.lu);
    int n = t->lu.n, *from = assign_storage(&single);
    for (int k = 0; k < t->nnz; k++)
        kb_add_i(&t->single_storage, KB_NO_TARGET);
    for (int k = 0; k < n * n; k++)
        if (storage[k] >= 0 && from[k] >= 0)
            t->single_storage.v[storage[k]] = from[k];
    t->nnz_single = single.nnz;
    free(from);
    kb_tables_free(&single);
}

/* pivots; and for one thread what they eliminate */
static void add_elimination(kb_tables *t, const int *storage)
{
    int n = t->lu.n, *right = kb_alloc(n, sizeof *right); /* columns of the pivot's row behind it */
    kb_add_i(&t->lu_l_start, 0);
    for (int k = 0; k < t->lu.tail; k++) {
        int nu = 0;
        for (int j = k + 1; j < n; j++)
            if (storage[k * n + j] >= 0)
                right[nu++] = j;
        kb_add_i(&t->lu_diag, storage[k * n + k]);
        kb_add_i(&t->lu_u_count, nu);
        for (int i = k + 1; t->team == 1 && i < n; i++) {
            if (storage[i * n + k] < 0)
                continue;
            kb_add_i(&t->lu_l, storage[i * n + k]);
            for (int j = 0; j < nu; j++)
                kb_add_i(&t->lu_target, storage[i * n + right[j]]);
        }
        kb_add_i(&t->lu_l_start, t->lu_l.n);
    }
    free(right);
}

static void add_borders(kb_tables *t, const int *storage, unsigned char *written)
{
    int n = t->lu.n, *inv = t->lu.inv, pT = inv[t->nsp], ps = inv[t->nsp + 1];
    for (int p = 0; p < n; p++) {
        int u = t->lu.perm[p];
        kb_add_i(&t->lu_perm, u < t->nsp ? u + 1 : u == t->nsp ? 0 : t->nsp + 1);
        kb_add_i(&t->lu_T_row, storage[pT * n + p]);
        kb_add_i(&t->lu_T_col, storage[p * n + pT]);
        kb_add_i(&t->lu_s_row, storage[ps * n + p]);
        kb_add_i(&t->lu_s_col, storage[p * n + ps]);
        written[storage[pT * n + p]] = written[storage[p * n + pT]] = 1;
        written[storage[ps * n + p]] = written[storage[p * n + ps]] = 1;
    }
    for (int i = 0; i < t->nsp; i++)
        kb_add_i(&t->lu_position, inv[i]);
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
static void add_column(kb_tables *t, const kb_stoichiometry *st, const kb_ints *rx, int first,
                       int last, int j, const unsigned char *pattern, const int *storage,
                       unsigned char *written)
{
    int nsp = t->nsp, rows = 0;
    column_row *row = kb_alloc(nsp, sizeof *row);
    kb_by_row c = kb_sort_by_row(t, st, rx, first, last, NULL, 0);
    for (int i = 0; i < nsp; i++)
        if (pattern[i * (size_t)nsp + j])
            row[rows++] = (column_row){i, c.start[i + 1] - c.start[i]};
    qsort(row, rows, sizeof *row, by_slots);
    for (int k = 0; k < rows; k++) {
        int i = row[k].row, p = storage[t->lu.inv[i] * t->lu.n + t->lu.inv[j]];
        written[p] = 1;
        kb_add_i(&t->jac_row, i);
        kb_add_i(&t->jac_storage, p);
        for (int s = c.start[i]; s < c.start[i + 1]; s++) {
            kb_add_i(&t->jac_slot, c.item[s]);
            kb_add_r(&t->jac_nu, -c.nu[s]);
        }
        kb_add_i(&t->jac_start, t->jac_slot.n);
    }
    free(row);
    kb_by_row_free(&c);
}

static void add_entries(kb_tables *t, const kb_stoichiometry *st, const kb_ints *rx,
                        const kb_ints *col, const int *storage, unsigned char *written)
{
    int first = 0, last = 0;
    unsigned char *pattern = kb_alloc((size_t)t->nsp * t->nsp, 1);
    kb_omega_pattern(t->m, pattern);
    kb_add_i(&t->jac_start, 0);
    for (int j = 0; j < t->nsp; j++) {
        kb_add_i(&t->jac_column_start, t->jac_row.n);
        while (last < rx->n && col->v[last] == j)
            last++;
        add_column(t, st, rx, first, last, j, pattern, storage, written);
        first = last;
    }
    kb_add_i(&t->jac_column_start, t->jac_row.n);
    free(pattern);
}

/* coef times d omega/d [M] number v, a term of the entry at a storage index */
typedef struct {
    int storage, v;
    double coef;
} mset_term;

static int by_storage(const void *a, const void *b)
{
    const mset_term *x = a, *y = b;
    return x->storage != y->storage ? (x->storage > y->storage) - (x->storage < y->storage)
                                    : (x->v > y->v) - (x->v < y->v);
}

/* d omega_i / d [M] of one set, whose reactions are c, and its products with the efficiencies;
 * returns their number */
static int add_mset_row(kb_tables *t, const kb_by_row *c, int set, int i, const int *storage,
                        mset_term *terms)
{
    int v = t->dwdot_dM_species.n, n = t->lu.n, found = 0;
    if (c->start[i] == c->start[i + 1])
        return 0;
    for (int k = c->start[i]; k < c->start[i + 1]; k++) {
        kb_add_i(&t->dwdot_dM_mreaction, c->item[k]);
        kb_add_r(&t->dwdot_dM_nu, c->nu[k]);
    }
    kb_add_i(&t->dwdot_dM_start, t->dwdot_dM_mreaction.n);
    kb_add_i(&t->dwdot_dM_species, i);
    for (int k = t->mset_start.v[set]; k < t->mset_start.v[set + 1]; k++)
        terms[found++] = (mset_term){storage[t->lu.inv[i] * n + t->lu.inv[t->mset_species.v[k]]], v,
                                     t->mset_coef.v[k]};
    return found;
}

static void add_mset_terms(kb_tables *t, mset_term *terms, int n)
{
    qsort(terms, n, sizeof *terms, by_storage);
    for (int k = 0; k < n; k++) {
        if (k == 0 || terms[k].storage != terms[k - 1].storage) {
            kb_add_i(&t->third_body_entry_storage, terms[k].storage);
            kb_add_i(&t->third_body_entry_start, t->third_body_entry_dwdot_dM.n);
        }
        kb_add_i(&t->third_body_entry_dwdot_dM, terms[k].v);
        kb_add_r(&t->third_body_entry_coef, terms[k].coef);
    }
    kb_add_i(&t->third_body_entry_start, t->third_body_entry_dwdot_dM.n);
}

static void add_third_body_terms(kb_tables *t, const kb_stoichiometry *st, const int *storage)
{
    int sets = t->mset_base.n, n = 0;
    mset_term *terms = kb_alloc((size_t)t->nsp * t->mset_species.n + 1, sizeof *terms);
    kb_add_i(&t->dwdot_dM_start, 0);
    for (int set = 0; set < sets; set++) {
        kb_add_i(&t->dwdot_dM_set, t->dwdot_dM_species.n);
        kb_by_row c = kb_sort_by_row(t, st, &t->mreaction_rx, 0, t->mreaction_rx.n,
                                     &t->mreaction_mset, set);
        for (int i = 0; i < t->nsp; i++)
            n += add_mset_row(t, &c, set, i, storage, terms + n);
        kb_by_row_free(&c);
    }
    kb_add_i(&t->dwdot_dM_set, t->dwdot_dM_species.n);
    add_mset_terms(t, terms, n);
    free(terms);
    for (int j = 0; j < t->nsp; j++) {
        kb_add_i(&t->efficiency_start, t->efficiency_mset.n);
        for (int set = 0; set < sets; set++)
            for (int k = t->mset_start.v[set]; k < t->mset_start.v[set + 1]; k++)
                if (t->mset_species.v[k] == j) {
                    kb_add_i(&t->efficiency_mset, set);
                    kb_add_r(&t->efficiency_coef, t->mset_coef.v[k]);
                }
    }
    kb_add_i(&t->efficiency_start, t->efficiency_mset.n);
}

static void add_drop_order(kb_tables *t)
{
    kb_fill_i(&t->drop_order, t->lu.n, 0);
    t->nnz_drop = kb_sparse_drop_order(t->m, &t->lu, t->drop_order.v);
}

void kb_tables_matrix(kb_tables *t, const kb_stoichiometry *st)
{
    kb_ints rx = {0}, col = {0};
    order_derivatives(t, &rx, &col);
    int *storage = assign_storage(t);
    unsigned char *written = kb_alloc(t->nnz, 1);
    add_entries(t, st, &rx, &col, storage, written);
    add_third_body_terms(t, st, storage);
    kb_tables_steady_matrix(t, st, &rx, &col, storage);
    add_elimination(t, storage);
    if (t->team > 1)
        add_single_storage(t, storage);
    else
        add_drop_order(t);
    add_borders(t, storage, written);
    kb_tables_team(t, storage);
    for (int k = 0; k < t->lu.n * t->lu.n; k++)
        if (storage[k] >= 0 && !written[storage[k]])
            kb_add_i(&t->lu_fill, storage[k]);
    kb_add_i(&t->lu_fill, t->zero_storage);
    free(written);
    free(storage);
    free(rx.v);
    free(col.v);
}
