/* SPDX-License-Identifier: MIT */
#include "drivers/compare/steps.h"

#include <math.h>
#include <string.h>

#include "base/stats.h"

/* ---- tracks ---- */

static void set_times(kb_track *t, int nsides)
{
    t->in_turns = kb_in_turns(t->of, nsides);
    t->time = kb_alloc((size_t)nsides, sizeof *t->time);
    t->cut = kb_alloc((size_t)nsides, sizeof *t->cut);
    const double **measured = kb_alloc((size_t)nsides, sizeof *measured);
    int sides = 0;
    for (int s = 0; s < nsides; s++)
        if (t->of[s])
            measured[sides++] = t->of[s]->time;
    for (int s = 0; s < nsides; s++) {
        long n = t->of[s] ? t->of[s]->n : 0;
        t->time[s] = kb_alloc((size_t)n, sizeof *t->time[s]);
        for (long i = 0; i < n; i++)
            t->time[s][i] = t->of[s]->time[i] /
                            (t->in_turns ? kb_around(measured, sides, n, i) : 1);
    }
    free(measured);
}

static kb_track *track_of(kb_history *h, const char *identity)
{
    for (long k = 0; k < h->ntracks; k++)
        for (int s = 0; s < h->nsides; s++)
            if (h->tracks[k].of[s]) {
                if (!strcmp(h->tracks[k].of[s]->identity, identity))
                    return &h->tracks[k];
                break;
            }
    h->tracks = kb_realloc(h->tracks, (size_t)h->ntracks + 1, sizeof *h->tracks);
    h->tracks[h->ntracks] = (kb_track){.of = kb_alloc((size_t)h->nsides, sizeof(kb_side_cell *))};
    return &h->tracks[h->ntracks++];
}

static void make_tracks(kb_history *h)
{
    for (int s = 0; s < h->nsides; s++)
        for (long i = 0; i < h->sides[s]->ncells; i++) {
            const kb_side_cell *cell = &h->sides[s]->cells[i];
            if (kb_side_measured(cell))
                track_of(h, cell->identity)->of[s] = cell;
        }
    for (long k = 0; k < h->ntracks; k++)
        set_times(&h->tracks[k], h->nsides);
}

/* ---- places ---- */

/* The last measured side before s, the first one from s on; -1, nsides: none */
static int before(const kb_track *t, int s)
{
    while (--s >= 0 && !t->of[s])
        ;
    return s;
}

static int from(const kb_track *t, int s, int nsides)
{
    while (s < nsides && !t->of[s])
        s++;
    return s;
}

/* The end of the part of a track that begins with side s: the next step, or nsides */
static int end_of_part(const kb_track *t, int s, int nsides)
{
    for (s++; s < nsides && !t->cut[s]; s++)
        ;
    return s;
}

/* The times of sides lo to hi - 1 one after another; caller frees */
static double *pooled(const kb_track *t, int lo, int hi, long *n)
{
    *n = 0;
    for (int s = lo; s < hi; s++)
        *n += t->of[s] ? t->of[s]->n : 0;
    double *x = kb_alloc((size_t)*n, sizeof *x);
    long m = 0;
    for (int s = lo; s < hi; s++)
        for (long i = 0; t->of[s] && i < t->of[s]->n; i++)
            x[m++] = t->time[s][i];
    return x;
}

/* The pair of the times of sides lo to at - 1 and at to hi - 1 */
static kb_cell_pair divided(const kb_track *t, int lo, int at, int hi)
{
    kb_cell_pair pair = {.a = t->of[before(t, at)], .b = t->of[at], .q = NAN};
    long na, nb;
    kb_owned double *a = pooled(t, lo, at, &na), *b = pooled(t, at, hi, &nb);
    kb_pair_times(&pair, a, na, b, nb);
    pair.in_turns = t->in_turns;
    return pair;
}

static void add_pair(kb_comparison *c, kb_cell_pair pair)
{
    kb_bootstrap_ratio(pair.ta, pair.na, pair.tb, pair.nb, &pair.lo, &pair.hi);
    c->pairs = kb_realloc(c->pairs, (size_t)c->n + 1, sizeof *c->pairs);
    c->pairs[c->n++] = pair;
}

/* Adds the likeliest place of the part lo to hi - 1; one side has none */
static void add_likeliest(kb_comparison *c, const kb_track *t, int lo, int hi)
{
    kb_cell_pair best = {0};
    int places = 0;
    for (int at = from(t, lo + 1, hi); at < hi; at = from(t, at + 1, hi)) {
        kb_cell_pair pair = divided(t, lo, at, hi);
        bool better = !places++ || pair.p < best.p;
        kb_pair_free(better ? &best : &pair);
        best = better ? pair : best;
    }
    if (!places)
        return;
    best.p *= places; /* as of so many tests */
    add_pair(c, best);
}

/* ---- steps ---- */

static void cut_at(kb_history *h, const kb_side_cell *cell)
{
    for (long k = 0; k < h->ntracks; k++)
        for (int s = 1; s < h->nsides; s++)
            if (h->tracks[k].of[s] == cell)
                h->tracks[k].cut[s] = true;
}

static void cut_other_errors(kb_history *h)
{
    for (long k = 0; k < h->ntracks; k++) {
        kb_track *t = &h->tracks[k];
        for (int s = 1; s < h->nsides; s++)
            if (t->of[s] && before(t, s) >= 0)
                t->cut[s] = kb_other_error(t->of[before(t, s)], t->of[s]);
    }
}

/* Divides every part once; returns how many steps that gave */
static long divide(kb_history *h, kb_comparison *c)
{
    long found = 0;
    for (long k = 0; k < h->ntracks; k++) {
        const kb_track *t = &h->tracks[k];
        for (int s = from(t, 0, h->nsides), end; s < h->nsides; s = end) {
            end = end_of_part(t, s, h->nsides);
            add_likeliest(c, t, s, end);
        }
    }
    kb_compare_judge(c);
    for (long i = 0; i < c->n; i++)
        if (c->pairs[i].verdict == KB_IS_SLOWER || c->pairs[i].verdict == KB_IS_FASTER) {
            cut_at(h, c->pairs[i].b);
            found++;
        }
    return found;
}

/* The steps that were found, each with the times of the parts beside it */
static void measure_steps(kb_history *h)
{
    for (long k = 0; k < h->ntracks; k++) {
        const kb_track *t = &h->tracks[k];
        for (int s = from(t, 0, h->nsides), at; s < h->nsides; s = at) {
            at = end_of_part(t, s, h->nsides);
            if (at < h->nsides) {
                kb_cell_pair pair = divided(t, s, at, end_of_part(t, at, h->nsides));
                pair.p = kb_other_error(pair.a, pair.b) ? NAN : pair.p;
                add_pair(&h->steps, pair);
            }
        }
    }
    kb_compare_judge(&h->steps);
}

void kb_history_find(kb_history *h, kb_side *const *sides, int nsides, double smallest)
{
    *h = (kb_history){.nsides = nsides};
    h->sides = kb_alloc((size_t)nsides, sizeof *h->sides);
    memcpy(h->sides, sides, (size_t)nsides * sizeof *sides);
    kb_sides_join(sides, nsides);
    make_tracks(h);
    cut_other_errors(h);
    h->undivided.smallest = h->steps.smallest = smallest;
    long found = divide(h, &h->undivided);
    while (found) {
        kb_comparison c = {.smallest = smallest};
        found = divide(h, &c);
        kb_comparison_free(&c);
    }
    measure_steps(h);
}

void kb_history_free(kb_history *h)
{
    for (long k = 0; k < h->ntracks; k++) {
        for (int s = 0; s < h->nsides; s++)
            free(h->tracks[k].time[s]);
        free(h->tracks[k].time);
        free(h->tracks[k].cut);
        free(h->tracks[k].of);
    }
    free(h->tracks);
    kb_comparison_free(&h->steps);
    kb_comparison_free(&h->undivided);
    free(h->sides);
    *h = (kb_history){0};
}

int kb_history_side(const kb_history *h, const kb_side_cell *cell)
{
    for (int s = 0; s < h->nsides; s++)
        if (cell >= h->sides[s]->cells && cell < h->sides[s]->cells + h->sides[s]->ncells)
            return s;
    return -1;
}
