/* SPDX-License-Identifier: MIT
 *
 * The growing arrays of the table builder, and the coefficients that its parts look up, by reaction
 * and by species.
 */
#include "mech/tables/build.h"

void kb_add_i(kb_ints *a, int x)
{
    if (a->n == a->cap)
        a->v = kb_realloc(a->v, a->cap = a->cap ? 2 * a->cap : 64, sizeof *a->v);
    a->v[a->n++] = x;
}

void kb_add_r(kb_reals *a, double x)
{
    if (a->n == a->cap)
        a->v = kb_realloc(a->v, a->cap = a->cap ? 2 * a->cap : 64, sizeof *a->v);
    a->v[a->n++] = x;
}

void kb_fill_i(kb_ints *a, int n, int x)
{
    while (a->n < n)
        kb_add_i(a, x);
}

double kb_nu_of(const kb_stoichiometry *st, int r, int sp)
{
    for (int k = st->start.v[r]; k < st->start.v[r + 1]; k++)
        if (st->sp.v[k] == sp)
            return st->nu.v[k];
    return 0;
}

kb_by_row kb_sort_by_row(const kb_tables *t, const kb_stoichiometry *st, const kb_ints *rx,
                         int first, int last, const kb_ints *sets, int set)
{
    kb_by_row c = {.start = kb_alloc((size_t)t->nall + 2, sizeof(int))};
    for (int s = first; s < last; s++) {
        int r = rx ? rx->v[s] : s;
        for (int k = st->start.v[r]; k < st->start.v[r + 1]; k++)
            c.start[st->sp.v[k] + 2] += !sets || sets->v[s] == set;
    }
    for (int i = 0; i < t->nall; i++)
        c.start[i + 2] += c.start[i + 1];
    c.item = kb_alloc((size_t)c.start[t->nall + 1] + 1, sizeof *c.item);
    c.nu = kb_alloc((size_t)c.start[t->nall + 1] + 1, sizeof *c.nu);
    for (int s = first; s < last; s++) {
        int r = rx ? rx->v[s] : s;
        for (int k = st->start.v[r]; k < st->start.v[r + 1]; k++) {
            if (sets && sets->v[s] != set)
                continue;
            int at = c.start[st->sp.v[k] + 1]++;
            c.item[at] = s;
            c.nu[at] = st->nu.v[k];
        }
    }
    return c;
}

void kb_by_row_free(kb_by_row *c)
{
    free(c->start);
    free(c->item);
    free(c->nu);
}
