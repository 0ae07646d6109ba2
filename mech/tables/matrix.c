/* SPDX-License-Identifier: MIT */
#include "mech/tables/build.h"

/* Where the derivative behind each slot (and each power of a general reaction) goes: sorted by the species it
 * is taken by, so that a column of d omega/d C reads from one short run. rx [nslot]: its reaction. */
static void place_slots(kb_tables *t, kb_ints *rx, kb_ints *col)
{
    int total = KB_SLOTS * t->nrx;
    kb_fill_i(&t->slot_pos, total, -1);
    kb_fill_i(&t->gen_pos, t->gen_sp.n, -1);
    for (int j = 0; j < t->nsp; j++) {
        for (int r = 0; r < t->nrx; r++)
            for (int s = 0; s < KB_SLOTS; s++)
                if (t->slot.v[s * t->nrx + r] == j) {
                    t->slot_pos.v[s * t->nrx + r] = rx->n;
                    kb_add_i(rx, r);
                    kb_add_i(col, j);
                }
        for (int g = 0; g < t->gen_r.n; g++)
            for (int k = t->gen_start.v[2 * g]; k < t->gen_start.v[2 * g + 2]; k++)
                if (t->gen_sp.v[k] == j) {
                    t->gen_pos.v[k] = rx->n;
                    kb_add_i(rx, t->gen_r.v[g]);
                    kb_add_i(col, j);
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
        kb_add_i(&t->lu_row, next);
        for (int j = 0; j < (i < tail ? n : tail); j++)
            if (lu->fill[i * (size_t)n + j]) {
                nl += j < i && j < tail;
                place[i * n + j] = next++;
                kb_add_i(&t->lu_colidx, j);
            }
        kb_add_i(&t->lu_nl, nl);
    }
    kb_add_i(&t->lu_row, next);
    t->tail_place = next;
    /* an odd stride keeps the rows of the dense tail out of each other's cache sets */
    t->tail_stride = (n - tail) | 1;
    for (int i = tail; i < n; i++)
        for (int j = tail; j < n; j++)
            place[i * n + j] = next + (i - tail) * t->tail_stride + j - tail;
    t->nnz = next + (n - tail) * t->tail_stride;
    t->zero_place = next + n - tail; /* n - tail is a multiple of 4, the stride odd */
    return place;
}

static void add_elimination(kb_tables *t, const int *place)
{
    int n = t->lu.n;
    kb_add_i(&t->lu_col_start, 0);
    for (int k = 0; k < t->lu.tail; k++) {
        int nu = 0;
        for (int j = k + 1; j < n; j++)
            nu += place[k * n + j] >= 0;
        kb_add_i(&t->lu_diag, place[k * n + k]);
        kb_add_i(&t->lu_nu, nu);
        for (int i = k + 1; i < n; i++) {
            if (place[i * n + k] < 0)
                continue;
            kb_add_i(&t->lu_l, place[i * n + k]);
            for (int j = k + 1; j < n; j++)
                if (place[k * n + j] >= 0)
                    kb_add_i(&t->lu_target, place[i * n + j]);
        }
        kb_add_i(&t->lu_col_start, t->lu_l.n);
    }
}

static void add_borders(kb_tables *t, const int *place, unsigned char *written)
{
    int n = t->lu.n, *inv = t->lu.inv, pT = inv[t->nsp], ps = inv[t->nsp + 1];
    for (int p = 0; p < n; p++) {
        int u = t->lu.perm[p];
        kb_add_i(&t->lu_perm, u < t->nsp ? u + 1 : u == t->nsp ? 0 : t->nsp + 1);
        kb_add_i(&t->lu_T_row, place[pT * n + p]);
        kb_add_i(&t->lu_T_col, place[p * n + pT]);
        kb_add_i(&t->lu_s_row, place[ps * n + p]);
        kb_add_i(&t->lu_s_col, place[p * n + ps]);
        written[place[pT * n + p]] = written[place[p * n + pT]] = 1;
        written[place[ps * n + p]] = written[place[p * n + ps]] = 1;
    }
    for (int i = 0; i < t->nsp; i++)
        kb_add_i(&t->lu_pos_sp, inv[i]);
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
static void add_column(kb_tables *t, const kb_stoichiometry *st, const kb_ints *rx, int first, int last,
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
            row[rows].slots += kb_nu_of(st, rx->v[s], i) != 0;
        rows++;
    }
    qsort(row, rows, sizeof *row, by_slots);
    for (int k = 0; k < rows; k++) {
        int i = row[k].row, p = place[t->lu.inv[i] * t->lu.n + t->lu.inv[j]];
        written[p] = 1;
        kb_add_i(&t->ent_row, i);
        kb_add_i(&t->ent_pos, p);
        for (int s = first; s < last; s++) {
            double nu = kb_nu_of(st, rx->v[s], i);
            if (nu != 0) {
                kb_add_i(&t->ent_slot, s);
                kb_add_r(&t->ent_nu, -nu);
            }
        }
        kb_add_i(&t->ent_start, t->ent_slot.n);
    }
    free(row);
}

static void add_entries(kb_tables *t, const kb_stoichiometry *st, const kb_ints *rx,
                        const kb_ints *col, const int *place, unsigned char *written)
{
    int first = 0, last = 0;
    unsigned char *pattern = kb_alloc((size_t)t->nsp * t->nsp, 1);
    kb_omega_pattern(t->m, pattern);
    kb_add_i(&t->ent_start, 0);
    for (int j = 0; j < t->nsp; j++) {
        kb_add_i(&t->col_start, t->ent_row.n);
        while (last < rx->n && col->v[last] == j)
            last++;
        add_column(t, st, rx, first, last, j, pattern, place, written);
        first = last;
    }
    kb_add_i(&t->col_start, t->ent_row.n);
    free(pattern);
}

/* coef v, to be added to one place */
typedef struct {
    int place, v;
    double coef;
} mset_term;

static int by_place(const void *a, const void *b)
{
    const mset_term *x = a, *y = b;
    return x->place != y->place ? (x->place > y->place) - (x->place < y->place)
                                : (x->v > y->v) - (x->v < y->v);
}

/* d omega_i / d [M] of one set, and where its products with the efficiencies go; returns how many */
static int add_mset_row(kb_tables *t, const kb_stoichiometry *st, int set, int i, const int *place,
                        mset_term *terms)
{
    int first = t->v_mr.n, v = t->v_row.n, n = t->lu.n, found = 0;
    for (int k = 0; k < t->mr_r.n; k++) {
        double nu = t->mr_mset.v[k] == set ? kb_nu_of(st, t->mr_r.v[k], i) : 0;
        if (nu != 0) {
            kb_add_i(&t->v_mr, k);
            kb_add_r(&t->v_nu, nu);
        }
    }
    if (t->v_mr.n == first)
        return 0;
    kb_add_i(&t->v_start, t->v_mr.n);
    kb_add_i(&t->v_row, i);
    for (int k = t->mset_start.v[set]; k < t->mset_start.v[set + 1]; k++)
        terms[found++] = (mset_term){place[t->lu.inv[i] * n + t->lu.inv[t->mset_sp.v[k]]], v,
                                     t->mset_coef.v[k]};
    return found;
}

static void add_mset_terms(kb_tables *t, mset_term *terms, int n)
{
    qsort(terms, n, sizeof *terms, by_place);
    for (int k = 0; k < n; k++) {
        if (k == 0 || terms[k].place != terms[k - 1].place) {
            kb_add_i(&t->mt_pos, terms[k].place);
            kb_add_i(&t->mt_start, t->mt_v.n);
        }
        kb_add_i(&t->mt_v, terms[k].v);
        kb_add_r(&t->mt_coef, terms[k].coef);
    }
    kb_add_i(&t->mt_start, t->mt_v.n);
}

static void add_third_body_terms(kb_tables *t, const kb_stoichiometry *st, const int *place)
{
    int sets = t->mset_base.n, n = 0;
    mset_term *terms = kb_alloc((size_t)t->nsp * t->mset_sp.n + 1, sizeof *terms);
    kb_add_i(&t->v_start, 0);
    for (int set = 0; set < sets; set++) {
        kb_add_i(&t->v_set, t->v_row.n);
        for (int i = 0; i < t->nsp; i++)
            n += add_mset_row(t, st, set, i, place, terms + n);
    }
    kb_add_i(&t->v_set, t->v_row.n);
    add_mset_terms(t, terms, n);
    free(terms);
    for (int j = 0; j < t->nsp; j++) {
        kb_add_i(&t->eff_start, t->eff_mset.n);
        for (int set = 0; set < sets; set++)
            for (int k = t->mset_start.v[set]; k < t->mset_start.v[set + 1]; k++)
                if (t->mset_sp.v[k] == j) {
                    kb_add_i(&t->eff_mset, set);
                    kb_add_r(&t->eff_coef, t->mset_coef.v[k]);
                }
    }
    kb_add_i(&t->eff_start, t->eff_mset.n);
}

void kb_tables_matrix(kb_tables *t, const kb_stoichiometry *st)
{
    kb_ints rx = {0}, col = {0};
    place_slots(t, &rx, &col);
    int *place = place_lu(t);
    unsigned char *written = kb_alloc(t->nnz, 1);
    add_entries(t, st, &rx, &col, place, written);
    add_third_body_terms(t, st, place);
    add_elimination(t, place);
    add_borders(t, place, written);
    kb_tables_team(t, place);
    for (int k = 0; k < t->lu.n * t->lu.n; k++)
        if (place[k] >= 0 && !written[place[k]])
            kb_add_i(&t->lu_fill, place[k]);
    kb_add_i(&t->lu_fill, t->zero_place);
    free(written);
    free(place);
    free(rx.v);
    free(col.v);
}
