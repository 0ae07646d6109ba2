/* SPDX-License-Identifier: MIT */
#include "drivers/bench/divergence.h"

#include <math.h>
#include <string.h>

#include "base/stats.h"
#include "drivers/bench/rows.h"

#define BINS 32

/* ---- histograms ---- */

typedef struct {
    int bins;
    double lo[BINS], hi[BINS]; /* both inside the bin */
    long count[BINS];
} histogram;

/* Of counts [n]: one bin for each number where 32 are enough, otherwise 32 of equal ratio */
static void of_odes(histogram *h, const int32_t *d, long n)
{
    double least = d[0], most = d[0];
    for (long i = 1; i < n; i++) {
        least = fmin(least, d[i]);
        most = fmax(most, d[i]);
    }
    bool each = most - least < BINS;
    double ratio = log((most + 1) / (least + 1)) / BINS, next = least;
    *h = (histogram){0};
    for (int k = 0; k < BINS && next <= most; k++) {
        double end = each ? next : floor((least + 1) * exp(ratio * (k + 1))) - 1;
        end = k == BINS - 1 || end > most ? most : end;
        if (end < next)
            continue;
        h->lo[h->bins] = next;
        h->hi[h->bins++] = end;
        next = end + 1;
    }
    for (long i = 0; i < n; i++) {
        int k = 0;
        while (d[i] > h->hi[k]) /* the last bin ends at the largest */
            k++;
        h->count[k]++;
    }
}

/* Of D over warps, counting warps: 32 bins from 0 to 1, since D is between 1/32 and 1 */
static void of_warps(histogram *h, const int32_t *d, long n)
{
    *h = (histogram){.bins = BINS};
    for (int k = 0; k < BINS; k++) {
        h->lo[k] = (double)k / BINS;
        h->hi[k] = (k + 1.0) / BINS;
    }
    for (long first = 0; first < n; first += KB_WARP) {
        long m = n - first < KB_WARP ? n - first : KB_WARP;
        int k = (int)(kb_group_use(d + first, m) / (double)m * BINS);
        h->count[k < BINS ? k : BINS - 1]++;
    }
}

/* ---- rows ---- */

/* What was measured in one run: d [n] of each ODE in the order of the run */
typedef struct {
    const char *measure, *attempts; /* "counted" or "even" */
    double D, slow_down, slow_down_refill;
    const char *against; /* the engine of the other run, "" without; then differ and D_against */
    long differ;
    double D_against;
} measured;

/* Lanes of a core wait until all are free where that costs less (docs/engines.md). Those of
 * Rosenbrock methods, whose attempts are alike, never do. */
static bool may_wait(const kb_cell *c) { return kb_on_cpu(c); }

static measured measure(const kb_cell *c, const char *name, const int32_t *d,
                        const kb_ode_work *work)
{
    int lanes = c->outcome.lanes < 1 ? 1 : c->outcome.lanes > KB_WARP ? KB_WARP : c->outcome.lanes;
    double still = kb_static_slow_down(work, lanes), at_once = kb_refill_slow_down(work, lanes);
    return (measured){.measure = name, .attempts = work->each ? "counted" : "even",
                      .D = kb_divergence(d, c->n), .against = "", .slow_down = still,
                      .slow_down_refill = may_wait(c) ? fmin(still, at_once) : at_once};
}

static void compare(measured *m, const int32_t *d, const int32_t *other, long n, const char *engine)
{
    m->against = engine;
    m->D_against = kb_divergence(other, n);
    for (long i = 0; i < n; i++)
        m->differ += d[i] != other[i];
}

typedef struct {
    const char *histogram;
    double lo, hi;
    long count;
} bin;

static void fill_row(kb_csv *t, long row, const kb_cell *c, const measured *m, const bin *b)
{
    const char *column;
#define COLUMN(name, unit, value, meaning) column = #name; value;
#define TEXT(text) kb_csv_set(t, row, column, text)
#define EXACT(number) kb_csv_number(t, row, column, (double)(number), 0)
#define MEASURED(number) kb_csv_number(t, row, column, number, 6)
#define AGAINST(set) if (*m->against) set
#include "rows/columns_divergence.def"
}

/* One row for each bin that is not empty */
static void add_rows(kb_csv *t, const kb_cell *c, const measured *m, const char *name,
                     const histogram *h)
{
    for (int k = 0; k < h->bins; k++)
        if (h->count[k])
            fill_row(t, kb_csv_add(t), c, m, &(bin){name, h->lo[k], h->hi[k], h->count[k]});
}

static void add_measure(kb_csv *t, const kb_cell *c, const measured *m, const int32_t *d)
{
    histogram h;
    of_odes(&h, d, c->n);
    add_rows(t, c, m, "ode", &h);
    of_warps(&h, d, c->n);
    add_rows(t, c, m, "warp", &h);
}

void kb_divergence_drop(kb_csv *t, const char *key)
{
    long kept = 0;
    for (long i = 0; i < t->nrows; i++) {
        if (strcmp(kb_csv_get(t, i, "key"), key)) {
            t->rows[kept++] = t->rows[i];
            continue;
        }
        for (int c = 0; c < t->ncolumns; c++)
            free(t->rows[i][c]);
        free(t->rows[i]);
    }
    t->nrows = kept;
}

/* The work of the attempts in the order of the run: first, attempts, d [n] are for it to fill */
static kb_ode_work counted(const kb_attempts *a, const long *place, long n, long *first,
                       int32_t *attempts, int32_t *d)
{
    for (long i = 0; i < n; i++) {
        first[i] = a->first[place[i]];
        attempts[i] = (int32_t)(a->first[place[i] + 1] - first[i]);
        d[i] = a->rhs[place[i]];
    }
    return (kb_ode_work){.n = n, .d = d, .attempts = attempts, .each = a->each, .first = first};
}

void kb_divergence_fill(kb_csv *t, const kb_cell *cell, const kb_count *count, const long *place,
                        const kb_count_set *other, const kb_attempts *attempts)
{
    int32_t *d = kb_alloc((size_t)cell->n, 4 * sizeof *d), *o = d + cell->n, *steps = o + cell->n;
    kb_owned long *first = kb_alloc((size_t)cell->n, sizeof *first);
    const char *const names[] = {"rhs", "steps"};
    kb_divergence_drop(t, cell->key);
    for (int k = 0; k < 2; k++) {
        for (long i = 0; i < cell->n; i++) {
            steps[i] = count[i].attempted;
            d[i] = k ? steps[i] : count[i].rhs;
            o[i] = other ? (k ? other->steps : other->rhs)[place[i]] : 0;
        }
        kb_ode_work work = {.n = cell->n, .d = d, .attempts = steps};
        if (!k && attempts)
            work = counted(attempts, place, cell->n, first, steps, steps + cell->n);
        measured m = measure(cell, names[k], d, &work);
        if (other)
            compare(&m, d, o, cell->n, other->engine);
        add_measure(t, cell, &m, d);
    }
    free(d);
}

long kb_divergence_row(const kb_csv *t, const kb_cell *cell, const char *measure)
{
    for (long i = 0; i < t->nrows; i++)
        if (!strcmp(t->rows[i][0], cell->key) && /* the key */
            !strcmp(kb_csv_get(t, i, "measure"), measure))
            return i;
    return -1;
}
