/* SPDX-License-Identifier: MIT */
#include "drivers/bench/divergence.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/stats.h"
#include "drivers/bench/rows.h"

#define BINS 32

const char kb_divergence_header[] =
    "key,order,n,dt_s,solver,engine,schedule,threads,rtol,atol,lanes,lane_use,measure,D,slow_down,"
    "slow_down_refill,against,differ,D_against,histogram,lo,hi,count";

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
        while (k < h->bins - 1 && d[i] > h->hi[k])
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

typedef struct {
    const kb_cell *cell;
    const char *measure;
    const int32_t *d, *other; /* [n] in the order of the run; other may be NULL */
    const char *against;      /* the engine that counted other */
} measured;

static long add_row(kb_csv *t, const measured *m)
{
    const kb_cell *c = m->cell;
    int lanes = c->summary.lanes < 1 ? 1 : c->summary.lanes > KB_WARP ? KB_WARP : c->summary.lanes;
    long row = kb_csv_add(t), differ = 0;
    kb_csv_set(t, row, "key", c->key);
    kb_row_fill_cell(t, row, c);
    kb_csv_number(t, row, "lanes", c->summary.lanes, 0);
    kb_csv_number(t, row, "lane_use", c->summary.lane_use, 6);
    kb_csv_set(t, row, "measure", m->measure);
    kb_csv_number(t, row, "D", kb_divergence(m->d, c->n), 6);
    kb_csv_number(t, row, "slow_down", kb_static_slow_down(m->d, c->n, lanes), 6);
    kb_csv_number(t, row, "slow_down_refill", kb_refill_slow_down(m->d, c->n, lanes), 6);
    if (!m->other)
        return row;
    for (long i = 0; i < c->n; i++)
        differ += m->d[i] != m->other[i];
    kb_csv_set(t, row, "against", m->against);
    kb_csv_number(t, row, "differ", (double)differ, 0);
    kb_csv_number(t, row, "D_against", kb_divergence(m->other, c->n), 6);
    return row;
}

/* One row for each bin that is not empty; the first is made in full, the others are copies of it */
static void add_histogram(kb_csv *t, const char *name, const histogram *h, long first, bool *used)
{
    for (int k = 0; k < h->bins; k++) {
        if (!h->count[k])
            continue;
        long row = first;
        if (*used) {
            row = kb_csv_add(t);
            for (int i = 0; i < t->ncolumns; i++)
                kb_csv_set(t, row, t->names[i], t->rows[first][i]);
        }
        *used = true;
        kb_csv_set(t, row, "histogram", name);
        kb_csv_number(t, row, "lo", h->lo[k], 0);
        kb_csv_number(t, row, "hi", h->hi[k], 0);
        kb_csv_number(t, row, "count", (double)h->count[k], 0);
    }
}

static void add_measure(kb_csv *t, const measured *m)
{
    histogram h;
    bool used = false;
    long row = add_row(t, m);
    of_odes(&h, m->d, m->cell->n);
    add_histogram(t, "ode", &h, row, &used);
    of_warps(&h, m->d, m->cell->n);
    add_histogram(t, "warp", &h, row, &used);
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

void kb_divergence_fill(kb_csv *t, const kb_cell *cell, const kb_count *count, const long *row,
                        const kb_count_set *other)
{
    int32_t *d = kb_alloc((size_t)cell->n, 2 * sizeof *d), *o = d + cell->n;
    const char *const names[] = {"rhs", "steps"};
    kb_divergence_drop(t, cell->key);
    for (int k = 0; k < 2; k++) {
        for (long i = 0; i < cell->n; i++) {
            d[i] = k ? count[i].attempted : count[i].rhs;
            o[i] = other ? (k ? other->steps : other->rhs)[row[i]] : 0;
        }
        add_measure(t, &(measured){cell, names[k], d, other ? o : NULL,
                                   other ? other->engine : ""});
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
