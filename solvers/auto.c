/* SPDX-License-Identifier: MIT */
#include "solvers/auto.h"

#include <math.h>
#include <string.h>

static const kb_tuned measured[] = {
#define TUNED(nsp, dt, n, error, solver, engine, schedule, rtol, atol, threads, us)                \
    {nsp, dt, n, error, solver, engine, schedule, rtol, atol, threads, us},
#include "solvers/tuned.def"
#undef TUNED
};

const kb_tuned_table kb_tuned_here = {measured, sizeof measured / sizeof *measured};

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

/* within one cell */
static bool is_better(const kb_tuned *a, const kb_tuned *than, const kb_request *r)
{
    bool a_does = a->error <= r->error, than_does = than->error <= r->error;
    if (a_does != than_does)
        return a_does;
    return a_does ? time_of(a, r) < time_of(than, r) : a->error < than->error;
}

static const kb_tuned *nearest(const kb_tuned_table *table, const kb_request *r)
{
    const kb_tuned *best = NULL;
    for (int i = 0; i < table->count; i++) {
        const kb_tuned *t = &table->row[i];
        if (!r->there(r->context, t))
            continue;
        if (!best || (kb_tuned_same_cell(t, best) ? is_better(t, best, r)
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
