/* SPDX-License-Identifier: MIT
 *
 * The tables of species: weights and thermodynamics.
 */
#include <math.h>

#include "mech/tables/build.h"
#include "mech/thermo/thermo.h"

static double range_end(const kb_species *s, int high)
{
    return !high ? s->Tlow : s->nranges > 2 ? s->T_ends[2] : s->Thigh;
}

/* the rows of a table that one species after another has a column of */
static void columns(kb_reals *table, int rows, int all, int i, const double *v)
{
    if (i == 0)
        for (int k = 0; k < rows * all; k++)
            kb_add_r(table, 0);
    for (int k = 0; k < rows; k++)
        table->v[k * all + i] = v[k];
}

/* NASA-9 has two terms more, and those of NASA-7 between them and the end */
static void ranges(kb_tables *t, const kb_species *s, int i)
{
    double a[2][9], cold[4], hot[4];
    kb_nasa9_ranges(s, a);
    columns(&t->lo, 7, t->nall, i, a[0] + 2);
    columns(&t->hi, 7, t->nall, i, a[1] + 2);
    columns(&t->lo9, t->nasa9 ? 2 : 0, t->nall, i, a[0]);
    columns(&t->hi9, t->nasa9 ? 2 : 0, t->nall, i, a[1]);
    kb_beyond(s, 0, range_end(s, 0), cold);
    kb_beyond(s, s->model == KB_NASA7 || s->nranges > 1, range_end(s, 1), hot);
    columns(&t->cold, 4, t->nall, i, cold);
    columns(&t->hot, 4, t->nall, i, hot);
}

void kb_tables_species(kb_tables *t)
{
    t->data_to = INFINITY;
    for (int i = 0; i < t->nall; i++)
        t->nasa9 |= t->m->species[i].model != KB_NASA7;
    for (int i = 0; i < t->nall; i++) {
        const kb_species *s = &t->m->species[i];
        double from = range_end(s, 0), to = range_end(s, 1);
        if (i < t->nsp) {
            kb_add_r(&t->W, s->weight);
            kb_add_r(&t->rW, 1 / s->weight);
        }
        kb_add_r(&t->Tmid, s->Tmid);
        kb_add_r(&t->Tlow, from);
        kb_add_r(&t->Thigh, to);
        kb_add_r(&t->Rp0, KB_R / s->p_ref);
        t->data_from = fmax(t->data_from, from);
        t->data_to = fmin(t->data_to, to);
        ranges(t, s, i);
    }
}
