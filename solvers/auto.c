/* SPDX-License-Identifier: MIT */
#include "solvers/auto.h"

#include <math.h>
#include <string.h>

static const kb_tuned measured[] = {
#define TUNED(nsp, dt, n, error, solver, engine, schedule, rtol, atol, threads, us)                \
    {nsp, dt, n, error, solver, engine, schedule, rtol, atol, threads, us},
#include "datasets/tuned.def"
#undef TUNED
};

const kb_tuned_table kb_tuned_here = {measured, sizeof measured / sizeof *measured};

static const kb_held accuracy[] = {
#define HELD(solver, rtol, atol, error, substeps) {solver, rtol, atol, error, substeps},
#include "datasets/held.def"
#undef HELD
};

const kb_held_table kb_held_here = {accuracy, sizeof accuracy / sizeof *accuracy};

/* ---- what holds an error ---- */

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

static const kb_held *loosest(const kb_held_table *held, const kb_tuned *t, double error)
{
    const kb_held *best = NULL;
    for (int i = 0; i < held->count; i++) {
        const kb_held *h = &held->row[i];
        if (is_of(h, t) && error_at(h, t) <= error && (!best || h->rtol > best->rtol))
            best = h;
    }
    return best;
}

static double apart(const kb_tuned *t, double rtol) { return fabs(log(t->rtol / rtol)); }

/* the measured tolerance that is nearest to the row's own */
static const kb_held *own(const kb_held_table *held, const kb_tuned *t)
{
    const kb_held *best = NULL;
    for (int i = 0; i < held->count; i++) {
        const kb_held *h = &held->row[i];
        if (is_of(h, t) && (!best || apart(t, h->rtol) < apart(t, best->rtol)))
            best = h;
    }
    return best;
}

/* is there a row that differs from t in its tolerances alone, which are nearer to rtol? */
static bool has_nearer(const kb_tuned_table *table, const kb_tuned *t, double rtol)
{
    for (int i = 0; i < table->count; i++) {
        const kb_tuned *u = &table->row[i];
        if (kb_tuned_same_cell(u, t) && apart(u, rtol) < apart(t, rtol) &&
            u->schedule == t->schedule && !strcmp(u->solver, t->solver) &&
            !strcmp(u->engine, t->engine))
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
        const kb_held *h = loosest(held, t, error);
        if (!h || has_nearer(table, t, h->rtol))
            continue;
        kb_tuned row = *t;
        row.error = error_at(h, t);
        row.rtol = h->rtol;
        row.atol = h->atol;
        row.us *= h->substeps / own(held, t)->substeps;
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

/* ---- between two cells of a size and dt ---- */

typedef struct {
    const kb_tuned_table *table;
    const kb_request *request;
    long n[2];       /* of the cells below and above */
    double at;       /* where the request lies between them, 0 to 1 */
    double slope[2]; /* log us from the one to the other, on a GPU and on a CPU; NAN: unknown */
} gap;

static bool in_cell(const gap *g, const kb_tuned *like, const kb_tuned *t, int end)
{
    return t->nsp == like->nsp && t->dt == like->dt && t->n == g->n[end] &&
           g->request->there(g->request->context, t);
}

/* false: the n asked for lies at a cell, or on one side of all */
static bool find_ends(gap *g, const kb_tuned *near)
{
    long n = g->request->n;
    g->n[0] = g->n[1] = 0;
    for (int i = 0; i < g->table->count; i++) {
        const kb_tuned *t = &g->table->row[i];
        if (t->nsp != near->nsp || t->dt != near->dt || !g->request->there(g->request->context, t))
            continue;
        if (t->n <= n && t->n > g->n[0])
            g->n[0] = t->n;
        if (t->n >= n && (!g->n[1] || t->n < g->n[1]))
            g->n[1] = t->n;
    }
    if (!g->n[0] || !g->n[1] || g->n[0] == g->n[1])
        return false;
    g->at = log((double)n / (double)g->n[0]) / log((double)g->n[1] / (double)g->n[0]);
    return true;
}

/* the choice of t at that end; NULL: not measured */
static const kb_tuned *same_at(const gap *g, const kb_tuned *t, int end)
{
    for (int i = 0; i < g->table->count; i++)
        if (in_cell(g, t, &g->table->row[i], end) && kb_tuned_same_choice(&g->table->row[i], t))
            return &g->table->row[i];
    return NULL;
}

static void find_slopes(gap *g, const kb_tuned *near)
{
    int both[2] = {0};
    double sum[2] = {0};
    for (int i = 0; i < g->table->count; i++) {
        const kb_tuned *low = &g->table->row[i], *high;
        if (!in_cell(g, near, low, 0) || !(high = same_at(g, low, 1)))
            continue;
        sum[low->threads > 0] += log(time_of(high, g->request) / time_of(low, g->request));
        both[low->threads > 0]++;
    }
    for (int p = 0; p < 2; p++)
        g->slope[p] = both[p] ? sum[p] / both[p] : NAN;
}

/* the row t as it is expected at the n asked for; its us NAN where the slope is not known */
static kb_tuned between(const gap *g, const kb_tuned *t)
{
    int end = t->n == g->n[1];
    const kb_tuned *other = same_at(g, t, !end);
    double part = end ? g->at - 1 : g->at, slope = g->slope[t->threads > 0];
    kb_tuned row = *t;
    if (other) {
        slope = log(time_of(other, g->request) / time_of(t, g->request)) * (end ? -1 : 1);
        row.error = fmax(t->error, other->error);
    }
    row.us *= exp(part * slope);
    return row;
}

/* the fastest that is accurate; NULL: none is */
static const kb_tuned *best_between(gap *g, const kb_tuned *near)
{
    const kb_tuned *best = NULL;
    kb_tuned as_best = {0};
    find_slopes(g, near);
    for (int i = 0; i < g->table->count; i++) {
        const kb_tuned *t = &g->table->row[i];
        if (!in_cell(g, near, t, 0) && !in_cell(g, near, t, 1))
            continue;
        kb_tuned row = between(g, t);
        if (!(row.us > 0) || row.error > g->request->error ||
            (best && time_of(&row, g->request) >= time_of(&as_best, g->request)))
            continue;
        best = t;
        as_best = row;
    }
    return best;
}

const kb_tuned *kb_auto_choose(const kb_tuned_table *table, const kb_request *r)
{
    gap g = {.table = table, .request = r};
    const kb_tuned *near = nearest(table, r), *best = NULL;
    if (near && find_ends(&g, near))
        best = best_between(&g, near);
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
