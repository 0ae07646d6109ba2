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

static void free_attempts(kb_attempts *a)
{
    free(a->first);
    free(a->each);
    free(a->rhs);
    *a = (kb_attempts){0};
}

/* frees the attempts of the first sets until so many more may be kept */
static void make_room(kb_counts *c, long more)
{
    long kept = 0;
    for (int i = c->nsets - 1; i >= 0; i--) {
        const kb_count_set *s = &c->set[i];
        kept += s->attempts.first ? s->attempts.first[s->n] : 0;
        if (kept + more > KB_MOST_ATTEMPTS)
            free_attempts(&c->set[i].attempts);
    }
}

/* the attempts of a trail by rows, those of a row in their sequence */
static kb_attempts by_rows(const kb_trail *t, const long *place, const kb_count *count, long n)
{
    kb_attempts a = {.first = kb_alloc((size_t)n + 1, sizeof *a.first),
                     .each = kb_alloc((size_t)t->n, sizeof *a.each),
                     .rhs = kb_alloc((size_t)n, sizeof *a.rhs)};
    kb_owned long *next = kb_alloc((size_t)n, sizeof *next);
    for (long k = 0; k < t->n; k++)
        a.first[place[t->attempt[k].ode] + 1]++;
    for (long i = 0; i < n; i++) {
        a.first[i + 1] += a.first[i];
        next[i] = a.first[i];
        a.rhs[place[i]] = count[i].rhs;
    }
    for (long k = 0; k < t->n; k++)
        a.each[next[place[t->attempt[k].ode]]++] = t->attempt[k].rhs;
    return a;
}

/* Has the trail all attempts? An ODE that the first pass has done counts one, which none notes. */
static bool whole(const kb_trail *t, const kb_count *count, long n)
{
    kb_owned int32_t *noted = kb_alloc((size_t)n, sizeof *noted);
    bool all = t->n > 0 && !t->full;
    for (long k = 0; k < t->n; k++)
        noted[t->attempt[k].ode]++;
    for (long i = 0; i < n; i++)
        all &= noted[i] == count[i].attempted || (noted[i] == 0 && count[i].attempted == 1);
    return all;
}

void kb_counts_keep_attempts(kb_counts *c, const kb_cell *cell, const long *place,
                             const kb_count *count, const kb_trail *trail)
{
    if (!whole(trail, count, cell->n))
        return;
    make_room(c, trail->n);
    c->set[kb_counts_find(c, cell) - c->set].attempts = by_rows(trail, place, count, cell->n);
}

void kb_counts_free(kb_counts *c)
{
    for (int i = 0; i < c->nsets; i++) {
        free_attempts(&c->set[i].attempts);
        free(c->set[i].solver);
        free(c->set[i].steps);
        free(c->set[i].rhs);
    }
    free(c->set);
    *c = (kb_counts){0};
}
