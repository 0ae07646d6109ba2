/* SPDX-License-Identifier: MIT */
#include "drivers/bench/forecast.h"

#include <math.h>
#include <string.h>

#include "drivers/bench/measure_inside.h"
#include "drivers/bench/reference.h"

#define LONGEST 0.5         /* [s] of a probe */
#define SHORTEST_RUN 0.01   /* [s]: shorter runs are repeated within a sample */
#define FEWER 3             /* a probe with one slow ODE overestimates by up to this factor, */
#define MORE 2              /* and one without a slow ODE that the run has underestimates */

typedef struct {
    double each; /* [s] of an ODE, if all lanes are busy */
    long width;  /* lanes */
    bool probed, known;
    char *why;   /* if not known: why the probe has no time; NULL: it took longer than LONGEST */
} timed;

static kb_seconds around(double likely)
{
    return (kb_seconds){likely, likely / FEWER, likely * MORE};
}

static void add(kb_seconds *sum, kb_seconds s)
{
    sum->likely += s.likely;
    sum->least += s.least;
    sum->most += s.most;
}

static int probe(kb_measure *m, const kb_cell *cell, timed *t)
{
    kb_cell copy = *cell;
    kb_inputs in = {.n = cell->n,
                    .states = kb_rows_gather(m->solvers, m->rows, m->row, NULL, cell->n)};
    copy.why = NULL;
    int code = kb_probe_time(m, &copy, &in, &t->each, &t->width);
    m->solvers->memory_free(in.states);
    t->probed = true;
    t->known = code == KB_OK;
    t->why = t->known || copy.beyond ? NULL : kb_strdup(copy.why);
    free(copy.why);
    return code == KB_DIFFERS ? KB_OK : code;
}

static bool share(const kb_cell *a, const kb_cell *b)
{
    bool same = a->solver == b->solver && !strcmp(a->solver_text, b->solver_text) &&
                a->dt == b->dt && a->rtol == b->rtol && a->atol == b->atol &&
                a->threads == b->threads;
    return same && (kb_on_cpu(a) || a->n == b->n);
}

/* Of all runs of the cell; settings are the user's */
static kb_seconds cell_seconds(const kb_cell *c, const kb_settings *set, const timed *t,
                               const char **note)
{
    int repeats = set->repeats - c->nsamples;
    if (t->why)
        *note = "cannot run";
    if (t->why)
        return (kb_seconds){0};
    if (!t->known) /* bench tries as long as the budget allows */
        return (kb_seconds){fmin(set->budget, 2 * LONGEST), LONGEST, 2 * set->budget};
    double run = t->each * (double)(c->n > t->width ? c->n : t->width);
    if (run / FEWER * (1 + set->repeats) > set->budget) {
        *note = "beyond the budget";
        return (kb_seconds){0};
    }
    int more = (repeats > 0 ? repeats : 0) + kb_alone_samples(c, set);
    kb_seconds s = around(c->steps * (run + more * fmax(run, SHORTEST_RUN)));
    s.most = set->precision > 0 ? fmax(s.most, set->budget) : s.most;
    return s;
}

/* CVODE on all cores at the tolerances of the reference */
static int reference_seconds(kb_measure *m, const kb_cell *like, long states, kb_seconds *sum)
{
    kb_cell cell = {.n = states, .dt = like->dt, .steps = like->steps, .schedule = KB_REFILL,
                    .rtol = KB_REFERENCE_RTOL, .atol = KB_REFERENCE_ATOL,
                    .solver = kb_solver_find(m->solvers, "cvode",
                                             kb_reference_engine(m->set->forcing != NULL))};
    timed t = {0};
    if (!states || !cell.solver)
        return KB_OK;
    int code = probe(m, &cell, &t);
    if (t.known)
        add(sum, around(cell.steps * t.each * (double)states));
    else if (!code)
        add(sum, (kb_seconds){LONGEST * (double)states, LONGEST, INFINITY});
    free(t.why);
    return code;
}

int kb_forecast_make(kb_forecast *f, kb_measure *m, const kb_matrix *matrix, const long *missing,
                     kb_progress *progress)
{
    const kb_settings *users = m->set;
    kb_settings quick = *users;
    timed *t = kb_alloc((size_t)matrix->count, sizeof *t);
    int code = KB_OK;
    *f = (kb_forecast){.cell = kb_alloc((size_t)matrix->count, sizeof *f->cell),
                       .note = kb_alloc((size_t)matrix->count, sizeof *f->note)};
    quick.budget = LONGEST;
    quick.repeats = 0;
    m->set = &quick;
    for (int i = 0; i < matrix->count && !code; i++) {
        const kb_cell *c = &matrix->cells[i];
        code = reference_seconds(m, c, missing[i], &f->references);
        if (code || c->state != KB_CELL_PENDING)
            continue;
        int k = 0;
        while (k < i && !(t[k].probed && share(&matrix->cells[k], c)))
            k++;
        kb_progress_show(progress, i, matrix->count, -1, "probes");
        if (k == i)
            code = probe(m, c, &t[i]);
        f->cell[i] = cell_seconds(c, users, &t[k], &f->note[i]);
        add(&f->all, f->cell[i]);
    }
    kb_progress_end(progress);
    add(&f->all, f->references);
    for (int i = 0; i < matrix->count; i++)
        free(t[i].why);
    free(t);
    m->set = users;
    return code;
}

void kb_forecast_free(kb_forecast *f)
{
    free(f->cell);
    free(f->note);
}
