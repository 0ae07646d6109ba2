/* SPDX-License-Identifier: MIT
 *
 * The functions of the language.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "rows/query.h"
#include "rows/value.h"

/* The arguments end with an empty value */
typedef const char *reducer(const kb_value *e, kb_value *out);

static void extreme(const kb_value *e, double sign, kb_point *out)
{
    *out = e->p[0];
    for (int i = 1; i < e->n; i++) {
        const kb_point *p = &e->p[i];
        out->v = sign * fmax(sign * out->v, sign * p->v);
        out->lo = sign * fmax(sign * out->lo, sign * p->lo);
        out->hi = sign * fmax(sign * out->hi, sign * p->hi);
    }
    out->x = 0;
}

static const char *reduce_max(const kb_value *e, kb_value *out)
{
    *out = kb_single(0, 0, 0);
    extreme(e, 1, out->p);
    return NULL;
}

static const char *reduce_min(const kb_value *e, kb_value *out)
{
    *out = kb_single(0, 0, 0);
    extreme(e, -1, out->p);
    return NULL;
}

static const char *reduce_sum(const kb_value *e, kb_value *out)
{
    *out = kb_single(0, 0, 0);
    for (int i = 0; i < e->n; i++) {
        out->p->v += e->p[i].v;
        out->p->lo += e->p[i].lo;
        out->p->hi += e->p[i].hi;
    }
    return NULL;
}

static const char *reduce_mean(const kb_value *e, kb_value *out)
{
    reduce_sum(e, out);
    out->p->v /= e->n;
    out->p->lo /= e->n;
    out->p->hi /= e->n;
    return NULL;
}

static const char *pick(const kb_value *e, int i, kb_value *out)
{
    *out = kb_single(e->p[i].v, e->p[i].lo, e->p[i].hi);
    out->p->work = e->p[i].work;
    return NULL;
}

static const char *reduce_first(const kb_value *e, kb_value *out) { return pick(e, 0, out); }

static const char *reduce_last(const kb_value *e, kb_value *out)
{
    return pick(e, e->n - 1, out);
}

static const char *reduce_at(const kb_value *e, kb_value *out)
{
    for (int i = 0; i < e->n; i++)
        if (e->p[i].x == e[1].p->v)
            return pick(e, i, out);
    return "no row there";
}

/* The point nearest to x in logarithms, no further than a factor of 1.5 */
static const char *reduce_near(const kb_value *e, kb_value *out)
{
    int best = 0;
    double x = e[1].p->v;
    for (int i = 1; i < e->n; i++)
        if (fabs(log(e->p[i].x / x)) < fabs(log(e->p[best].x / x)))
            best = i;
    if (!(fabs(log(e->p[best].x / x)) <= log(1.5)))
        return "no row near";
    return pick(e, best, out);
}

static double end_of(const kb_point *p, int end)
{
    return end < 0 ? p->lo : end > 0 ? p->hi : p->v;
}

/* Index from which on one end of the curve stays above the level; n: never. end: -1 lo, 1 hi, 0
 * the value itself */
static int crossing(const kb_value *e, double level, int end)
{
    int i = e->n;
    while (i > 0 && end_of(&e->p[i - 1], end) > level)
        i--;
    return i;
}

/* The interval begins at the x before: the crossing lies between the two */
static const char *reduce_cross(const kb_value *e, kb_value *out)
{
    double level = e[1].n ? e[1].p->v : 1;
    int v = crossing(e, level, 0);
    int first = crossing(e, level, 1);
    int last = crossing(e, level, -1);
    if (e->n < 2)
        return "a crossing needs two rows";
    *out = kb_single(v < e->n ? e->p[v].x : INFINITY, first > 0 ? e->p[first - 1].x : 0,
                     last < e->n ? e->p[last].x : INFINITY);
    return NULL;
}

/* Least squares through (log x, log y); the ends from the worst choice of ends of y */
static const char *reduce_slope(const kb_value *e, kb_value *out)
{
    double mean = 0, square = 0, v = 0, lo = 0, hi = 0;
    const kb_value *x = e[1].n ? &e[1] : NULL;
    if (x && x->n != e->n)
        return "two lists of different length";
    if (e->n < 2)
        return "a slope needs two rows";
    for (int i = 0; i < e->n; i++)
        mean += log(x ? x->p[i].v : e->p[i].x) / e->n;
    for (int i = 0; i < e->n; i++)
        square += pow(log(x ? x->p[i].v : e->p[i].x) - mean, 2);
    for (int i = 0; i < e->n; i++) {
        double c = (log(x ? x->p[i].v : e->p[i].x) - mean) / square;
        v += c * log(e->p[i].v);
        lo += c * log(c > 0 ? e->p[i].lo : e->p[i].hi);
        hi += c * log(c > 0 ? e->p[i].hi : e->p[i].lo);
    }
    *out = kb_single(v, lo, hi);
    return NULL;
}

/* Each point over the one before: the smallest (sign -1) or the largest of these */
static const char *steps(const kb_value *e, double sign, kb_value *out)
{
    if (e->n < 2)
        return "needs two rows";
    kb_value ratios = {.curve = true, .n = e->n - 1, .p = kb_alloc((size_t)e->n, sizeof *e->p)};
    for (int i = 0; i + 1 < e->n; i++) {
        const kb_point *a = &e->p[i], *b = &e->p[i + 1];
        ratios.p[i] = (kb_point){.v = b->v / a->v, .lo = b->lo / a->hi, .hi = b->hi / a->lo};
    }
    *out = kb_single(0, 0, 0);
    extreme(&ratios, sign, out->p);
    kb_value_free(&ratios);
    return NULL;
}

static const char *reduce_rise(const kb_value *e, kb_value *out) { return steps(e, -1, out); }

static const char *reduce_fall(const kb_value *e, kb_value *out) { return steps(e, 1, out); }

static const char *reduce_trend(const kb_value *e, kb_value *out)
{
    const kb_point *a = e->p, *b = &e->p[e->n - 1];
    *out = kb_single(b->v / a->v, b->lo / a->hi, b->hi / a->lo);
    return e->n < 2 ? "needs two rows" : NULL;
}

static const char *reduce_mode(const kb_value *e, kb_value *out)
{
    int best = 0;
    for (int i = 1; i < e->n; i++)
        best = e->p[i].v > e->p[best].v ? i : best;
    *out = kb_single(e->p[best].x, e->p[best].x, e->p[best].x);
    return NULL;
}

static const char *reduce_xmin(const kb_value *e, kb_value *out)
{
    *out = kb_single(e->p[0].x, e->p[0].x, e->p[0].x);
    return NULL;
}

static const char *reduce_xmax(const kb_value *e, kb_value *out)
{
    double x = e->p[e->n - 1].x;
    *out = kb_single(x, x, x);
    return NULL;
}

/* Part of the sum that lies at a <= x < b */
static const char *reduce_share(const kb_value *e, kb_value *out)
{
    double all = 0, in = 0;
    for (int i = 0; i < e->n; i++) {
        all += e->p[i].v;
        in += e->p[i].x >= e[1].p->v && e->p[i].x < e[2].p->v ? e->p[i].v : 0;
    }
    *out = kb_single(in / all, in / all, in / all);
    return NULL;
}

static const char *reduce_list(const kb_value *e, kb_value *out)
{
    *out = (kb_value){.curve = true};
    for (int i = 0; e[i].n; i++) {
        if (e[i].n != 1)
            return "a list of single values: reduce the curve first";
        out->p = kb_realloc(out->p, (size_t)i + 1, sizeof *out->p);
        out->p[out->n++] = (kb_point){i + 1, e[i].p->v, e[i].p->lo, e[i].p->hi, 0};
    }
    return NULL;
}

static const char *each(const kb_value *e, kb_value *out, double (*f)(double))
{
    *out = *e;
    out->p = kb_alloc((size_t)e->n, sizeof *e->p);
    memcpy(out->p, e->p, (size_t)e->n * sizeof *e->p);
    for (int i = 0; i < e->n; i++) {
        out->p[i].v = f(out->p[i].v);
        out->p[i].lo = f(out->p[i].lo);
        out->p[i].hi = f(out->p[i].hi);
    }
    return NULL;
}

static const char *each_sqrt(const kb_value *e, kb_value *out) { return each(e, out, sqrt); }

static const char *each_floor(const kb_value *e, kb_value *out) { return each(e, out, floor); }

static const char *each_log(const kb_value *e, kb_value *out) { return each(e, out, log); }

static const struct {
    const char *name;
    int least, most;
    bool joins; /* points of different x are put together: their work should be alike */
    bool keeps; /* what is measured stays the same, and of the same database */
    reducer *function;
} functions[] = {
    {"max", 1, 1, true, true, reduce_max},       {"min", 1, 1, true, true, reduce_min},
    {"mean", 1, 1, true, true, reduce_mean},     {"sum", 1, 1, true, true, reduce_sum},
    {"first", 1, 1, false, true, reduce_first},  {"last", 1, 1, false, true, reduce_last},
    {"at", 2, 2, false, true, reduce_at},        {"cross", 1, 2, true, false, reduce_cross},
    {"slope", 1, 2, true, false, reduce_slope},  {"rise", 1, 1, true, false, reduce_rise},
    {"fall", 1, 1, true, false, reduce_fall},    {"trend", 1, 1, true, false, reduce_trend},
    {"mode", 1, 1, false, false, reduce_mode},   {"xmin", 1, 1, false, false, reduce_xmin},
    {"xmax", 1, 1, false, false, reduce_xmax},   {"share", 3, 3, false, false, reduce_share},
    {"near", 2, 2, false, true, reduce_near},
    {"list", 1, KB_ARGUMENTS, false, false, reduce_list},   {"sqrt", 1, 1, false, true, each_sqrt},
    {"floor", 1, 1, false, true, each_floor},    {"log", 1, 1, false, false, each_log},
};

static int find(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!strcmp(functions[i].name, name))
            return (int)i;
    return -1;
}

int kb_function_known(const char *name, int *least, int *most)
{
    int f = find(name);
    *least = f < 0 ? 0 : functions[f].least;
    *most = f < 0 ? 0 : functions[f].most;
    return f >= 0;
}

static double spread_of(const kb_value *e)
{
    double least = INFINITY, most = 0;
    for (int i = 0; i < e->n; i++) {
        least = e->p[i].work > 0 ? fmin(least, e->p[i].work) : least;
        most = fmax(most, e->p[i].work);
    }
    return most > 0 ? most / least : 1;
}

const char *kb_reduce(const char *name, const kb_value *argument, kb_value *out, double *spread)
{
    int f = find(name);
    *out = (kb_value){0};
    *spread = functions[f].joins ? spread_of(argument) : 1;
    const char *wrong = functions[f].function(argument, out);
    out->database = functions[f].keeps ? argument->database : NULL;
    out->err = functions[f].keeps ? argument->err : 0;
    return wrong;
}
