/* SPDX-License-Identifier: MIT */
#include "solvers/auto.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const kb_tuned measured[] = {
#define TUNED(nsp, dt, n, error, solver, engine, schedule, rtol, atol, threads, us, before)        \
    {nsp, dt, n, error, solver, engine, schedule, rtol, atol, threads, us, before},
#include "datasets/tuned.def"
#undef TUNED
};

const kb_tuned_table kb_tuned_here = {measured, sizeof measured / sizeof *measured};

static const kb_held accuracy[] = {
#define HELD(nsp, dt, solver, rtol, atol, error, substeps)                                         \
    {nsp, dt, solver, rtol, atol, error, substeps},
#include "datasets/held.def"
#undef HELD
};

const kb_held_table kb_held_here = {accuracy, sizeof accuracy / sizeof *accuracy};

/* ---- what holds an error ---- */

void kb_held_steps(const kb_held_table *held, double dt, double of[2])
{
    of[0] = 0;
    of[1] = INFINITY;
    for (int i = 0; i < held->count; i++) {
        double step = held->row[i].dt;
        of[0] = step <= dt ? fmax(of[0], step) : of[0];
        of[1] = step >= dt ? fmin(of[1], step) : of[1];
    }
    of[0] = of[0] > 0 ? of[0] : of[1];
    of[1] = isfinite(of[1]) ? of[1] : of[0];
}

static bool counts(const kb_held *h, int nsp, const double step[2])
{
    return (h->dt == step[0] || h->dt == step[1]) &&
           (nsp <= AUTO_SMALL ? h->nsp <= AUTO_SMALL : h->nsp >= AUTO_SMALL);
}

static bool is_same_held(const kb_held *a, const kb_held *b)
{
    return a->rtol == b->rtol && a->atol == b->atol && !strcmp(a->solver, b->solver);
}

/* Finds row `first` in all sizes and steps that count; out: the largest error, moved towards the
 * error of the size asked for. Returns how many of them have the row. */
static int combine(const kb_held_table *held, int first, int nsp, const double step[2],
                   kb_held *out)
{
    double substeps = 0, own = 0;
    int found = 0;
    *out = held->row[first];
    for (int i = 0; i < held->count; i++) {
        const kb_held *h = &held->row[i];
        if (!counts(h, nsp, step) || !is_same_held(h, out))
            continue;
        if (i < first)
            return 0; /* it was first */
        out->error = fmax(out->error, h->error);
        own = h->nsp == nsp && nsp <= AUTO_SMALL ? fmax(own, h->error) : own;
        substeps += log(h->substeps);
        found++;
    }
    out->error = own > 0 ? kb_between(out->error, own, AUTO_OWN) : out->error;
    out->substeps = exp(substeps / found);
    return found;
}

int kb_held_for(const kb_held_table *held, int nsp, double dt, kb_held *of)
{
    double step[2];
    int all = 0, count = 0;
    kb_held_steps(held, dt, step);
    for (int i = 0; i < held->count; i++) {
        const kb_held *h = &held->row[i];
        bool begins = !i || h->nsp != h[-1].nsp || h->dt != h[-1].dt;
        all += begins && counts(h, nsp, step);
    }
    for (int i = 0; i < held->count; i++)
        if (counts(&held->row[i], nsp, step))
            count += combine(held, i, nsp, step, &of[count]) == all;
    return count;
}

enum { PASS = 1, FLOATS = 2, OTHER = 4 };

static bool starts(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* what changes the error of a method; costly_first changes the order of the ODEs alone */
static int variant_of(const char *solver, const char *engine)
{
    int variant = strstr(engine, "float") ? FLOATS : 0;
    for (const char *o = strchr(solver, ':'); o; o = strchr(o + 1, ':'))
        variant |= starts(o, ":pass=1")          ? PASS
                   : starts(o, ":float=1")       ? FLOATS
                   : starts(o, ":costly_first=") ? 0
                                                 : OTHER;
    return variant;
}

static bool is_of(const kb_held *h, const kb_tuned *t)
{
    size_t n = strcspn(h->solver, ":");
    int variant = variant_of(t->solver, t->engine);
    return n == strcspn(t->solver, ":") && !strncmp(h->solver, t->solver, n) &&
           !(variant & OTHER) && variant == variant_of(h->solver, "");
}

/* at the tolerances of h; at its own ones or looser the row knows an error, too */
static double error_at(const kb_held *h, const kb_tuned *t)
{
    return h->rtol >= t->rtol ? fmax(h->error, t->error) : h->error;
}

/* the measured tolerances next to rtol: the largest up to it, or the smallest above it */
static const kb_held *next_to(const kb_held_table *held, const kb_tuned *t, double rtol, bool above)
{
    const kb_held *best = NULL;
    for (int i = 0; i < held->count; i++) {
        const kb_held *h = &held->row[i];
        if (is_of(h, t) && (h->rtol > rtol) == above && (!best || (h->rtol > best->rtol) != above))
            best = h;
    }
    return best;
}

static double two_digits(double x)
{
    char text[32];
    snprintf(text, sizeof text, "%.1e", x);
    return strtod(text, NULL);
}

/* false: none holds the error */
static bool find_loosest(const kb_held_table *held, const kb_tuned *t, double error, kb_held *found)
{
    const kb_held *best = NULL, *above;
    for (int i = 0; i < held->count; i++) {
        const kb_held *h = &held->row[i];
        if (is_of(h, t) && error_at(h, t) <= error && (!best || h->rtol > best->rtol))
            best = h;
    }
    if (!best)
        return false;
    *found = *best;
    found->error = error_at(best, t);
    above = next_to(held, t, best->rtol, true);
    if (!above || found->error == error)
        return true;
    double part = log(error / found->error) / log(error_at(above, t) / found->error);
    found->rtol = two_digits(kb_between(best->rtol, above->rtol, part));
    found->atol = two_digits(kb_between(best->atol, above->atol, part));
    found->error = error;
    return true;
}

static double substeps_at(const kb_held_table *held, const kb_tuned *t, double rtol)
{
    const kb_held *low = next_to(held, t, rtol, false), *high = next_to(held, t, rtol, true);
    if (!low || !high)
        return low ? low->substeps : high->substeps;
    return kb_between(low->substeps, high->substeps,
                      log(rtol / low->rtol) / log(high->rtol / low->rtol));
}

static double apart(const kb_tuned *t, double rtol) { return fabs(log(t->rtol / rtol)); }

/* is there a row that differs from t in its tolerances alone, which are nearer to rtol? */
static bool has_nearer(const kb_tuned_table *table, const kb_tuned *t, double rtol)
{
    for (int i = 0; i < table->count; i++) {
        const kb_tuned *u = &table->row[i];
        if (kb_tuned_same_cell(u, t) && kb_tuned_alike(u, t) && apart(u, rtol) < apart(t, rtol))
            return true;
    }
    return false;
}

int kb_auto_hold(const kb_tuned_table *table, const kb_held_table *held, double error,
                 kb_tuned *rows)
{
    int count = 0;
    for (int i = 0; i < table->count; i++) {
        const kb_tuned *t = &table->row[i];
        kb_held h;
        if (!find_loosest(held, t, error, &h) || has_nearer(table, t, h.rtol))
            continue;
        kb_tuned row = *t;
        row.error = h.error;
        row.rtol = h.rtol;
        row.atol = h.atol;
        row.us *= substeps_at(held, t, h.rtol) / substeps_at(held, t, t->rtol);
        rows[count++] = row;
    }
    return count;
}

double kb_auto_least(const kb_tuned_table *table, const kb_held_table *held, const kb_request *r)
{
    double least = INFINITY;
    for (int i = 0; i < table->count; i++)
        for (int k = 0; r->there(r->context, &table->row[i]) && k < held->count; k++)
            if (is_of(&held->row[k], &table->row[i]))
                least = fmin(least, error_at(&held->row[k], &table->row[i]));
    return least;
}

/* ---- one cell ---- */

static double square(double x) { return x * x; }

static double distance(const kb_tuned *t, const kb_request *r)
{
    return square(AUTO_SIZE * log10((double)t->nsp / r->nsp)) + square(log10(t->dt / r->dt)) +
           square(log10((double)t->n / (double)r->n));
}

static double time_of(const kb_tuned *t, const kb_request *r)
{
    return t->threads ? t->us * t->threads / r->threads : t->us;
}

static const kb_tuned *nearest(const kb_tuned_table *table, const kb_request *r)
{
    const kb_tuned *best = NULL;
    for (int i = 0; i < table->count; i++) {
        const kb_tuned *t = &table->row[i];
        if (t->error > r->error || !r->there(r->context, t))
            continue;
        if (!best || (kb_tuned_same_cell(t, best) ? time_of(t, r) < time_of(best, r)
                                                  : distance(t, r) < distance(best, r)))
            best = t;
    }
    return best;
}

/* ---- from cells of a size and dt to the n asked for ---- */

enum { CELLS = 64, CHOICES = 512, KINDS = 32 };

/* rows, cells and kinds beyond these are left out */
typedef struct {
    const kb_request *request;
    int nrows;
    const kb_tuned *row[CHOICES]; /* of that size and dt that are there */
    bool before;                  /* some are of states before reaction: no others are chosen */
    int cell[CHOICES];
    int kind[CHOICES]; /* of the engine; before these: any on a GPU, any on a CPU */
    int nkinds;
    const char *engine[KINDS];
    int count;
    long n[CELLS];              /* of the cells, ascending */
    double slope[CELLS][KINDS]; /* of log us over log n to the next; NAN: unknown */
    double at;                  /* the n asked for: 1.5 lies half-way from n[1] to n[2] */
} ladder;

static void add_cell(ladder *l, long n)
{
    int k = l->count;
    for (int i = 0; i < l->count; i++)
        if (l->n[i] == n)
            return;
    for (; k > 0 && l->n[k - 1] > n; k--)
        l->n[k] = l->n[k - 1];
    l->n[k] = n;
    l->count++;
}

static int kind_of(ladder *l, const char *engine)
{
    int k = 2;
    while (k < l->nkinds && strcmp(l->engine[k], engine))
        k++;
    l->engine[k] = engine;
    l->nkinds = k < l->nkinds ? l->nkinds : k + 1;
    return k;
}

static bool is_full(const ladder *l)
{
    return l->nrows == CHOICES || l->count == CELLS || l->nkinds == KINDS;
}

/* On cores alone the ODEs of a thread count: how many more of them than in the table there are */
static double for_each_thread(const ladder *l)
{
    int most = 0;
    for (int i = 0; i < l->nrows; i++) {
        if (!l->row[i]->threads)
            return 1;
        most = most > l->row[i]->threads ? most : l->row[i]->threads;
    }
    return (double)most / l->request->threads;
}

static void find_rows(ladder *l, const kb_tuned_table *table, const kb_tuned *near)
{
    const kb_request *r = l->request;
    l->nkinds = 2;
    for (int i = 0; i < table->count && !is_full(l); i++) {
        const kb_tuned *t = &table->row[i];
        if (t->nsp != near->nsp || t->dt != near->dt || !r->there(r->context, t))
            continue;
        l->kind[l->nrows] = kind_of(l, t->engine);
        l->row[l->nrows++] = t;
        l->before = l->before || t->before;
        add_cell(l, t->n);
    }
    for (int i = 0; i < l->nrows; i++)
        while (l->n[l->cell[i]] != l->row[i]->n)
            l->cell[i]++;
    double n = (double)r->n * for_each_thread(l);
    for (int k = 0; k + 1 < l->count; k++)
        if (n > (double)l->n[k])
            l->at = fmin(k + 1,
                         k + log(n / (double)l->n[k]) / log((double)l->n[k + 1] / (double)l->n[k]));
}

/* the choice of t in that cell, of such states; NULL: not measured */
static const kb_tuned *same_in(const ladder *l, const kb_tuned *t, int cell, bool before)
{
    for (int i = 0; i < l->nrows; i++)
        if (l->cell[i] == cell && l->row[i]->before >= before && kb_tuned_alike(l->row[i], t))
            return l->row[i];
    return NULL;
}

static double log_time(const ladder *l, const kb_tuned *t) { return log(time_of(t, l->request)); }

static double log_ratio(const ladder *l, int low, int high)
{
    return log((double)l->n[high] / (double)l->n[low]);
}

/* the next larger n at which the choice was measured; NULL: none */
static const kb_tuned *next_same(const ladder *l, int row, int *cell)
{
    for (*cell = l->cell[row] + 1; *cell < l->count; ++*cell) {
        const kb_tuned *t = same_in(l, l->row[row], *cell, false);
        if (t)
            return t;
    }
    return NULL;
}

/* the means of the choices that were measured at both ends or beyond them */
static void find_slopes(ladder *l)
{
    int both[CELLS][KINDS] = {0};
    for (int i = 0; i < l->nrows; i++) {
        int end, kind[2] = {l->row[i]->threads > 0, l->kind[i]};
        const kb_tuned *high = next_same(l, i, &end);
        for (int k = l->cell[i]; high && k < end; k++)
            for (int j = 0; j < 2; j++) {
                l->slope[k][kind[j]] += (log_time(l, high) - log_time(l, l->row[i])) /
                                        log_ratio(l, l->cell[i], end);
                both[k][kind[j]]++;
            }
    }
    for (int k = 0; k < l->count; k++)
        for (int j = 0; j < l->nkinds; j++)
            l->slope[k][j] = both[k][j] ? l->slope[k][j] / both[k][j] : NAN;
}

/* log us that a row of a kind gains from cell k to the next; on a CPU the time of an ODE depends
 * little on n */
static double gain(const ladder *l, int k, int kind, bool cpu)
{
    double slope = l->slope[k][kind];
    return isnan(slope) && cpu ? 0 : slope * log_ratio(l, k, k + 1);
}

/* log us of a row at the n asked for, by slopes of a kind */
static double moved(const ladder *l, int row, int kind)
{
    double x = log_time(l, l->row[row]);
    bool cpu = l->row[row]->threads > 0;
    for (int k = l->cell[row]; k < l->at; k++)
        x += gain(l, k, kind, cpu) * fmin(l->at - k, 1);
    for (int k = l->cell[row]; k > l->at; k--)
        x -= gain(l, k - 1, kind, cpu) * fmin(k - l->at, 1);
    return x;
}

static bool is_nearer(const ladder *l, int cell, const kb_tuned *t)
{
    for (int k = 0; k < l->count; k++)
        if (fabs(k - l->at) < fabs(cell - l->at) && same_in(l, t, k, l->before))
            return true;
    return false;
}

/* Log us that is expected of a row at the n asked for; NAN: not known, too large an error, or its
 * choice was measured nearer to it */
static double expected(const ladder *l, int row)
{
    const kb_tuned *t = l->row[row], *other;
    int cell = l->cell[row], low = (int)floor(l->at), high = (int)ceil(l->at);
    if (cell < low || cell > high)
        return is_nearer(l, cell, t) ? NAN : moved(l, row, l->kind[row]) + log(AUTO_FARTHER);
    double part = fabs(l->at - cell);
    if (low == high || !(other = same_in(l, t, cell == low ? high : low, l->before))) {
        double x = moved(l, row, t->threads > 0);
        return isnan(x) && part <= 0.5 ? log_time(l, t) : x;
    }
    return other->error > l->request->error
               ? NAN
               : (1 - part) * log_time(l, t) + part * log_time(l, other);
}

/* the fastest that is accurate; NULL: none is */
static const kb_tuned *fastest(const ladder *l)
{
    const kb_tuned *best = NULL;
    double least = INFINITY;
    for (int i = 0; i < l->nrows; i++) {
        const kb_tuned *t = l->row[i];
        bool may = t->error <= l->request->error && t->before >= l->before;
        double x = may ? expected(l, i) : NAN;
        if (x < least) {
            best = t;
            least = x;
        }
    }
    return best;
}

const kb_tuned *kb_auto_choose(const kb_tuned_table *table, const kb_request *r)
{
    const kb_tuned *near = nearest(table, r);
    if (!near)
        return NULL;
    ladder l = {.request = r};
    find_rows(&l, table, near);
    find_slopes(&l);
    const kb_tuned *best = fastest(&l);
    return best ? best : near;
}

bool kb_is_auto(const char *text)
{
    size_t n = strlen(AUTO_NAME);
    return !strncmp(text, AUTO_NAME, n) && (!text[n] || text[n] == ':');
}

bool kb_gpu_there(const kb_solvers *s)
{
    kb_error err = {0};
    return s->gpu_available && !s->gpu_available(&err);
}
