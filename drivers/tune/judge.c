/* SPDX-License-Identifier: MIT */
#include "drivers/tune/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solvers/engine_names.h"

enum { LEVELS = 7 }; /* errors 1e-2 .. 1e-8 */
#define GOOD 1.1

/* of a matrix; without: rows of this cell count as absent */
typedef struct {
    const kb_csv *rows;
    const kb_tuned *without;
} view;

/* has the matrix rows of a GPU, or of a CPU? An older one may lack the engine itself. */
static bool processor_is_there(const void *context, const kb_tuned *row)
{
    const view *v = context;
    const kb_csv *t = v->rows;
    const kb_tuned *cell = v->without;
    if (cell && kb_tuned_same_cell(cell, row))
        return false;
    for (long i = 0; i < t->nrows; i++)
        if (kb_on_gpu(kb_csv_get(t, i, "engine")) == kb_on_gpu(row->engine))
            return true;
    return false;
}

/* least time of the contest at that error, and the choice as it is there; us 0: none */
typedef struct {
    double least;
    kb_tuned chosen;
} found;

/* the choice between two rows that differ from it in tolerances alone, the next to its own */
static kb_tuned between(const kb_tuned *low, const kb_tuned *high, double rtol)
{
    kb_tuned row = *low;
    double part = log(rtol / low->rtol) / log(high->rtol / low->rtol);
    row.rtol = rtol;
    row.error = kb_between(low->error, high->error, part);
    row.us = kb_between(low->us, high->us, part);
    return row;
}

static found look(const kb_csv *t, const kb_tune_choice *of, const kb_contest *c, double error,
                  const kb_tuned *choice)
{
    found f = {.least = INFINITY};
    const kb_tuned *low = NULL, *high = NULL;
    for (long i = 0; i < t->nrows; i++) {
        const kb_tuned *row = &of[i].row;
        if (!of[i].usable || !kb_contest_has(c, t, i))
            continue;
        if (row->error <= error)
            f.least = fmin(f.least, row->us);
        if (!choice || !kb_tuned_alike(row, choice))
            continue;
        if (row->rtol <= choice->rtol && (!low || row->rtol > low->rtol))
            low = row;
        if (row->rtol >= choice->rtol && (!high || row->rtol < high->rtol))
            high = row;
    }
    if (low && high)
        f.chosen = low->rtol == high->rtol ? *low : between(low, high, choice->rtol);
    return f;
}

static void add(kb_tune_verdict *v, const found *f, const kb_request *r)
{
    if (!f->chosen.us) {
        v->unmeasured++;
        return;
    }
    double ratio = f->chosen.us / f->least;
    v->judged++;
    if (f->chosen.error > r->error) {
        v->inaccurate++;
        return;
    }
    v->within += ratio <= GOOD;
    if (ratio <= v->worst)
        return;
    v->worst = ratio;
    snprintf(v->where, sizeof v->where, "n %ld, dt %g s, error %g: %s %s", r->n, r->dt, r->error,
             f->chosen.solver, f->chosen.engine);
}

/* by the rows of other cells */
static void add_apart(kb_tune_verdict *v, const found *f, const kb_request *r)
{
    if (!f->chosen.us)
        return;
    v->apart++;
    v->apart_within += f->chosen.error <= r->error && f->chosen.us <= GOOD * f->least;
}

static void judge_contest(const kb_tuned_table *held, const kb_csv *t, const kb_tune_choice *of,
                          const kb_contest *c, long row, kb_tune_verdict *v)
{
    int threads = kb_tune_threads(t);
    const kb_tuned *cell = &of[row].row;
    view all = {t, NULL}, apart = {t, cell};
    kb_request r = {.nsp = cell->nsp,
                    .dt = cell->dt,
                    .n = cell->n,
                    .threads = threads ? threads : 1,
                    .there = processor_is_there};
    for (int k = 0; k < LEVELS; k++) {
        r.error = pow(10, -2 - k);
        r.context = &all;
        found f = look(t, of, c, r.error, kb_auto_choose(&held[k], &r));
        if (!isfinite(f.least))
            continue;
        add(v, &f, &r);
        r.context = &apart;
        f = look(t, of, c, r.error, kb_auto_choose(&held[k], &r));
        add_apart(v, &f, &r);
    }
}

/* the table for each error, of a mechanism over one dt */
typedef struct {
    int nsp;
    double dt;
    kb_tuned *rows;
    kb_tuned_table held[LEVELS];
} levels;

static void find_levels(levels *l, const kb_tuned_table *table, const kb_tuned *cell)
{
    if (l->nsp == cell->nsp && l->dt == cell->dt)
        return;
    kb_owned kb_held *of = kb_alloc((size_t)kb_held_here.count, sizeof *of);
    kb_held_table errors = {of, kb_held_for(&kb_held_here, cell->nsp, cell->dt, of)};
    l->nsp = cell->nsp;
    l->dt = cell->dt;
    for (int k = 0; k < LEVELS; k++) {
        kb_tuned *rows = l->rows + k * table->count;
        l->held[k] = (kb_tuned_table){rows, kb_auto_hold(table, &errors, pow(10, -2 - k), rows)};
    }
}

kb_tune_verdict kb_tune_judge(const kb_tune *tune, const kb_tune_matrix *m)
{
    const kb_csv *t = &m->cells;
    kb_tune_verdict v = {.worst = 0};
    kb_tuned_table table = {tune->row, tune->nrows};
    levels l = {.rows = kb_alloc((size_t)table.count * LEVELS, sizeof *l.rows)};
    kb_tune_choice *of = kb_tune_choices(t);
    for (long i = 0; i < t->nrows; i++) {
        kb_contest c = kb_contest_anywhere(t, i);
        if (!kb_contest_begins(&c, t, i) || !kb_tune_one_step(t, i))
            continue;
        find_levels(&l, &table, &of[i].row);
        judge_contest(l.held, t, of, &c, i, &v);
    }
    free(of);
    free(l.rows);
    return v;
}
