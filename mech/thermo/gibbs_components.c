/* SPDX-License-Identifier: MIT
 *
 * The components of a mixture: Gauss-Jordan elimination of the formula matrix (elements x species),
 * columns by falling mole number. The pivots are the components, the reduced matrix is nu.
 */
#include <math.h>
#include "mech/thermo/gibbs.h"

static void sort_by_amount(kb_gibbs *x)
{
    for (int j = 0; j < x->n; j++) { /* insertion: the order hardly changes between iterations */
        int k = x->order[j], i = j;

        for (; i > 0 && x->ln_n[x->order[i - 1]] < x->ln_n[k]; i--)
            x->order[i] = x->order[i - 1];
        x->order[i] = k;
    }
}

/* row of the formula matrix, being reduced to nu */
static double *row(const kb_gibbs *x, int i) { return x->nu + (size_t)i * (size_t)x->n; }

/* Gauss-Jordan: swaps rows i and pivot, then clears the column in all rows but i */
static void eliminate(kb_gibbs *x, int i, int pivot, int column)
{
    double *a = row(x, i), *b = row(x, pivot), d = b[column];

    for (int j = 0; j < x->n; j++) {
        double t = b[j] / d;

        b[j] = a[j];
        a[j] = t;
    }
    for (int e = 0; e < x->m->nelements; e++) {
        double *q = row(x, e), f = q[column];

        for (int j = 0; j < x->n && e != i && f != 0; j++) {
            q[j] -= f * a[j];
            if (fabs(q[j]) < 1e-10) /* entries are small rational numbers */
                q[j] = 0;
        }
    }
}

/* the row from first on with the largest entry in the column, -1 if all are zero */
static int pivot_row(const kb_gibbs *x, int first, int column)
{
    int best = -1;
    double size = 1e-8;

    for (int e = first; e < x->m->nelements; e++) {
        if (fabs(row(x, e)[column]) > size) {
            size = fabs(row(x, e)[column]);
            best = e;
        }
    }
    return best;
}

void kb_gibbs_components(kb_gibbs *x)
{
    for (int e = 0; e < x->m->nelements; e++)
        for (int j = 0; j < x->n; j++)
            row(x, e)[j] = x->m->species[x->species[j]].atoms[e];
    sort_by_amount(x);
    x->rank = 0;
    for (int i = 0; i < x->n; i++) {
        int pivot = pivot_row(x, x->rank, x->order[i]);

        if (pivot >= 0) {
            eliminate(x, x->rank, pivot, x->order[i]);
            x->component[x->rank++] = x->order[i];
        }
    }
}
