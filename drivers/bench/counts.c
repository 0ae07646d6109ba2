/* SPDX-License-Identifier: MIT */
#include "drivers/bench/counts.h"

#include <string.h>

const kb_count_set *kb_counts_find(const kb_counts *c, const kb_cell *cell)
{
    for (int i = 0; i < c->nsets; i++) {
        const kb_count_set *s = &c->set[i];
        if (s->n == cell->n && s->dt == cell->dt && s->rtol == cell->rtol &&
            s->atol == cell->atol && !strcmp(s->solver, cell->solver_text))
            return s;
    }
    return NULL;
}

void kb_counts_keep(kb_counts *c, const kb_cell *cell, const long *place, const kb_count *count)
{
    if (kb_counts_find(c, cell))
        return;
    kb_count_set s = {.solver = kb_strdup(cell->solver_text), .dt = cell->dt, .rtol = cell->rtol,
                      .atol = cell->atol, .n = cell->n, .engine = cell->solver->info.engine};
    s.steps = kb_alloc((size_t)s.n, sizeof *s.steps);
    s.rhs = kb_alloc((size_t)s.n, sizeof *s.rhs);
    for (long i = 0; i < s.n; i++) {
        s.steps[place[i]] = count[i].attempted;
        s.rhs[place[i]] = count[i].rhs;
    }
    c->set = kb_realloc(c->set, (size_t)c->nsets + 1, sizeof *c->set);
    c->set[c->nsets++] = s;
}

void kb_counts_free(kb_counts *c)
{
    for (int i = 0; i < c->nsets; i++) {
        free(c->set[i].solver);
        free(c->set[i].steps);
        free(c->set[i].rhs);
    }
    free(c->set);
    *c = (kb_counts){0};
}
