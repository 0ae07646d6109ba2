/* SPDX-License-Identifier: MIT
 *
 * A term of the table mech: what a mechanism of datasets/mechanisms holds.
 */
#include <math.h>
#include <string.h>

#include "mech/describe.h"
#include "mech/find.h"
#include "mech/tables/sparse.h"
#include "rows/evaluate.h"
#include "rows/select.h"

static double count_of(const kb_mech *m, const char *column)
{
    kb_summary s;
    kb_sparse sparse;
    kb_mech_count(m, &s);
    kb_sparse_build(m, 1, KB_HEAD_CHEAPER, &sparse);
    const struct { const char *name; double value; } counts[] = {
        {"species", m->nspecies}, {"reactions", m->nreactions}, {"reversible", s.reversible},
        {"oneway", s.oneway}, {"falloff", s.lindemann + s.troe + s.sri + s.tsang},
        {"three_body", s.three_body}, {"unknowns", sparse.n}, {"entries", sparse.nnz},
        {"lu_flops", (double)sparse.lu_flops}, {"solve_flops", (double)sparse.solve_flops},
        {"Tmid_max", s.Tmid_max}};
    double value = NAN;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (!strcmp(counts[i].name, column))
            value = counts[i].value;
    kb_sparse_free(&sparse);
    return value;
}

int kb_term_mech(kb_inquiry *e, const kb_node *term, kb_value *out, kb_error *err)
{
    const kb_select *name = kb_selects_find(&term->selects, "name");
    kb_mech m = {0};
    kb_error why = {0};
    (void)err;
    if (!name || term->selects.count > 1 || name->any.count > 1 || name->compare != KB_EQUAL)
        return kb_no_value(e, false, "mech:%s needs the name of one mechanism, and no more",
                           term->name);
    if (kb_mechanism_load(&m, name->any.word[0], NULL, &why))
        return kb_no_value(e, true, "no mechanism %s: %.300s", name->any.word[0], why.text);
    double value = count_of(&m, term->name);
    kb_mech_free(&m);
    *out = kb_single(value, value, value);
    return KB_OK;
}
