/* SPDX-License-Identifier: MIT
 *
 * Tables of species in steady state (solvers/chemistry/steady.h): their balance, which is a linear
 * system, and the part of the Jacobian that goes through them.
 */
#include "mech/tables/build.h"

#include <string.h>

/* the steady species that the rate of a direction has, or none; *zero: it does not take place */
static int factor_of(const kb_tables *t, const kb_step *s, bool reverse, bool *zero)
{
    const kb_term *term = reverse ? s->reverse : s->forward;
    int n = reverse ? s->nreverse : s->nforward;
    *zero = (reverse && !s->reversible) || (n > 0 && term[0].species > t->nall);
    for (int k = 0; k < n && !*zero; k++)
        if (term[k].species >= t->nsp && term[k].value != 0)
            return term[k].species - t->nsp;
    return -1;
}

static bool touches(const kb_tables *t, const kb_stoichiometry *st, int r)
{
    for (int k = st->start.v[r]; k < st->start.v[r + 1]; k++)
        if (st->sp.v[k] >= t->nsp)
            return true;
    return false;
}

/* the terms of one entry of the balance, A of A C = b, or b in column n */
static void add_balance(kb_tables *t, const kb_step *steps, const kb_stoichiometry *st, int q,
                        int column)
{
    int n = t->nall - t->nsp;
    for (int k = 0; k < t->steady_rx.n; k++)
        for (int reverse = 0; reverse < 2; reverse++) {
            bool zero;
            int r = t->steady_rx.v[k], p = factor_of(t, &steps[r], reverse, &zero);
            double nu = kb_nu_of(st, r, t->nsp + q) * (reverse ? -1 : 1);
            if (zero || nu == 0 || (p < 0 ? n : p) != column)
                continue;
            kb_add_i(&t->steady_rate, 2 * k + reverse);
            kb_add_r(&t->steady_nu, p < 0 ? nu : -nu);
        }
    kb_add_i(&t->steady_start, t->steady_rate.n);
}

void kb_tables_steady_rates(kb_tables *t, const kb_step *steps, const kb_stoichiometry *st)
{
    int n = t->nall - t->nsp;
    if (n == 0)
        return;
    for (int r = 0; r < t->nrx; r++) {
        int general = t->general_rx.n;
        if (!touches(t, st, r))
            continue;
        kb_add_i(&t->steady_rx, r);
        for (int g = 0; g < t->general_rx.n; g++)
            if (t->general_rx.v[g] == r)
                general = g;
        kb_add_i(&t->steady_general, general);
    }
    kb_add_i(&t->steady_start, 0);
    for (int q = 0; q < n; q++)
        for (int column = 0; column <= n; column++)
            add_balance(t, steps, st, q, column);
}

/* slots of D by species: [first, last) of each column */
typedef struct {
    const kb_ints *rx;
    int *first;
} columns;

/* d omega_i/dC_j at constant [M]; returns the number of terms, sign 1 or -1 */
static int add_slots(const kb_stoichiometry *st, const columns *c, int i, int j, double sign,
                     kb_ints *slot, kb_reals *nu)
{
    int n = 0;
    for (int s = c->first[j]; s < c->first[j + 1]; s++) {
        double v = kb_nu_of(st, c->rx->v[s], i);
        if (v == 0)
            continue;
        kb_add_i(slot, s);
        kb_add_r(nu, sign * v);
        n++;
    }
    return n;
}

/* what third bodies add to d omega_i/dC_j */
static int add_third_body(kb_tables *t, const kb_stoichiometry *st, int i, int j)
{
    int n = 0;
    for (int k = 0; k < t->mreaction_rx.n; k++) {
        double nu = kb_nu_of(st, t->mreaction_rx.v[k], i);
        int set = t->mreaction_mset.v[k];
        for (int e = t->mset_start.v[set]; nu != 0 && e < t->mset_start.v[set + 1]; e++)
            if (t->mset_species.v[e] == j) {
                kb_add_i(&t->steady_entry_mreaction, k);
                kb_add_r(&t->steady_entry_dM_nu, nu * t->mset_coef.v[e]);
                n++;
            }
    }
    return n;
}

/* the rows of the steady species: minus their own block, then the columns of the others */
static void add_rows(kb_tables *t, const kb_stoichiometry *st, const columns *c)
{
    int n = t->nall - t->nsp, width = n + t->nsp + 2;
    kb_add_i(&t->steady_entry_start, 0);
    kb_add_i(&t->steady_entry_dM_start, 0);
    for (int q = 0; q < n; q++)
        for (int j = 0; j < t->nall; j++) {
            bool own = j >= t->nsp;
            int terms = add_slots(st, c, t->nsp + q, j, own ? -1 : 1, &t->steady_entry_slot,
                                  &t->steady_entry_nu);
            terms += own ? 0 : add_third_body(t, st, t->nsp + q, j);
            if (terms == 0)
                continue;
            kb_add_i(&t->steady_entry_at, q * width + (own ? j - t->nsp : n + j));
            kb_add_i(&t->steady_entry_start, t->steady_entry_slot.n);
            kb_add_i(&t->steady_entry_dM_start, t->steady_entry_mreaction.n);
        }
}

/* d omega_i/dC_q of the others, by row */
static void add_columns(kb_tables *t, const kb_stoichiometry *st, const columns *c)
{
    kb_add_i(&t->steady_column_slots, 0);
    for (int i = 0; i < t->nsp; i++) {
        kb_add_i(&t->steady_column_start, t->steady_column_of.n);
        for (int q = 0; q < t->nall - t->nsp; q++)
            if (add_slots(st, c, i, t->nsp + q, 1, &t->steady_column_slot, &t->steady_column_nu)) {
                kb_add_i(&t->steady_column_of, q);
                kb_add_i(&t->steady_column_slots, t->steady_column_slot.n);
            }
    }
    kb_add_i(&t->steady_column_start, t->steady_column_of.n);
}

/* reach [n x nsp]: which of the others a steady concentration depends on, by way of the others in
 * steady state, too */
static void find_reach(const kb_tables *t, unsigned char *reach)
{
    int n = t->nall - t->nsp, all = t->nall;
    unsigned char *full = kb_alloc((size_t)all * all, 1);
    kb_full_pattern(t->m, full);
    for (int k = 0; k < n; k++) /* Warshall: q depends on k, k on what k depends on */
        for (int q = 0; q < n; q++)
            for (int j = 0; full[(t->nsp + q) * (size_t)all + t->nsp + k] && j < all; j++)
                full[(t->nsp + q) * (size_t)all + j] |= full[(t->nsp + k) * (size_t)all + j];
    for (int q = 0; q < n; q++)
        memcpy(reach + (size_t)q * t->nsp, full + (t->nsp + q) * (size_t)all, t->nsp);
    free(full);
}

static void add_fill(kb_tables *t, const int *storage)
{
    int n = t->nall - t->nsp, nlu = t->lu.n;
    unsigned char *reach = kb_alloc((size_t)n * t->nsp, 1);
    find_reach(t, reach);
    for (int q = 0; q < n; q++) {
        kb_add_i(&t->steady_reach_start, t->steady_reach.n);
        for (int j = 0; j < t->nsp; j++)
            if (reach[q * t->nsp + j])
                kb_add_i(&t->steady_reach, j);
    }
    kb_add_i(&t->steady_reach_start, t->steady_reach.n);
    for (int i = 0; i < t->nsp; i++)
        for (int k = t->steady_column_start.v[i]; k < t->steady_column_start.v[i + 1]; k++) {
            int q = t->steady_column_of.v[k];
            kb_add_i(&t->steady_fill_start, t->steady_fill.n);
            for (int j = t->steady_reach_start.v[q]; j < t->steady_reach_start.v[q + 1]; j++)
                kb_add_i(&t->steady_fill, storage[t->lu.inv[i] * nlu +
                                                  t->lu.inv[t->steady_reach.v[j]]]);
        }
    free(reach);
}

void kb_tables_steady_matrix(kb_tables *t, const kb_stoichiometry *st, const kb_ints *rx,
                             const kb_ints *col, const int *storage)
{
    if (t->nall == t->nsp)
        return;
    columns c = {rx, kb_alloc((size_t)t->nall + 1, sizeof(int))};
    for (int j = 0, s = 0; j <= t->nall; j++) {
        while (s < col->n && col->v[s] < j)
            s++;
        c.first[j] = s;
    }
    add_rows(t, st, &c);
    add_columns(t, st, &c);
    add_fill(t, storage);
    free(c.first);
}
