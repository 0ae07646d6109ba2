/* SPDX-License-Identifier: MIT
 *
 * The growing arrays of the table builder, and the coefficients that its parts look up.
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
