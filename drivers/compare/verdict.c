/* SPDX-License-Identifier: MIT */
#include "drivers/compare/verdict.h"

#include <math.h>
#include <string.h>

#include "base/rank.h"
#include "base/stats.h"
#include "rows/ranking.h"

#define AROUND 2          /* rounds before and after one that drift is taken from */
#define LEAST_ERROR 1e-11 /* below it errors are as much those of the reference */

const char *kb_change_name(kb_change v)
{
    static const char *const names[] = {"slower",  "other error", "faster",
                                        "unclear", "missing",     "same"};
    return names[v];
}

/* ---- times ---- */

double kb_around(const double *const *times, int sides, long n, long i)
{
    kb_owned double *x = kb_alloc((size_t)sides * (2 * AROUND + 1), sizeof *x);
    long m = 0;
    for (int s = 0; s < sides; s++)
        for (long k = i - AROUND; k <= i + AROUND; k++)
            if (k >= 0 && k < n)
                x[m++] = times[s][k];
    return kb_median(x, m);
}

void kb_pair_times(kb_cell_pair *pair, const double *a, long na, const double *b, long nb)
{
    const double *const both[] = {a, b};
    pair->ta = kb_alloc((size_t)na, sizeof *pair->ta);
    pair->tb = kb_alloc((size_t)nb, sizeof *pair->tb);
    pair->na = na;
    pair->nb = nb;
    for (long i = 0; i < na; i++)
        pair->ta[i] = a[i] / (pair->in_turns ? kb_around(both, 2, na, i) : 1);
    for (long i = 0; i < nb; i++)
        pair->tb[i] = b[i] / (pair->in_turns ? kb_around(both, 2, na, i) : 1);
    pair->ratio = kb_median(pair->tb, nb) / kb_median(pair->ta, na);
    pair->p = kb_rank_sum(pair->ta, na, pair->tb, nb);
}

double kb_self_effect(const double *x, long n)
{
    long m = n / 2;
    if (m < 2)
        return NAN;
    double *odd = kb_alloc((size_t)m, 2 * sizeof *odd), *even = odd + m;
    for (long i = 0; i < m; i++) {
        odd[i] = x[2 * i + 1];
        even[i] = x[2 * i];
    }
    double ratio = kb_median(odd, m) / kb_median(even, m);
    free(odd);
    return fabs(log(ratio)) / sqrt(2);
}

bool kb_in_turns(const kb_side_cell *const *of, int n)
{
    double last = -INFINITY; /* when the last of the round before began */
    long measured = 0, rounds = 0;
    for (int s = 0; s < n; s++) {
        if (of[s] && measured++ && of[s]->n != rounds)
            return false;
        rounds = of[s] ? of[s]->n : rounds;
    }
    for (long i = 0; i < rounds; i++) {
        double next = last;
        for (int s = 0; s < n; s++) {
            if (of[s] && !(of[s]->begin[i] > last))
                return false;
            next = of[s] ? fmax(next, of[s]->begin[i]) : next;
        }
        last = next;
    }
    return measured > 1;
}

/* ---- verdicts ---- */

static bool other(const kb_side_cell *of_a, const kb_side_cell *of_b, const char *column)
{
    double a = fmax(kb_side_value(of_a, column), LEAST_ERROR);
    double b = fmax(kb_side_value(of_b, column), LEAST_ERROR);
    return (a > b ? a / b : b / a) > KB_OTHER_FACTOR; /* both infinite: no */
}

/* wrong is empty in results written before this column existed */
static bool both_have(const kb_side_cell *a, const kb_side_cell *b, const char *column)
{
    return !isnan(kb_side_value(a, column)) && !isnan(kb_side_value(b, column));
}

bool kb_other_error(const kb_side_cell *a, const kb_side_cell *b)
{
    bool wrong = both_have(a, b, "wrong") && kb_side_value(a, "wrong") != kb_side_value(b, "wrong");
    return wrong || !kb_is_sound(&a->run->cells, a->row) || !kb_is_sound(&b->run->cells, b->row) ||
           other(a, b, "err_p95") || (both_have(a, b, "err_max") && other(a, b, "err_max"));
}

static kb_change verdict_of(const kb_comparison *c, const kb_cell_pair *p)
{
    double effect = log1p(c->smallest), seen = log(p->ratio);
    if (!p->a || !p->b)
        return KB_IS_MISSING;
    if (kb_other_error(p->a, p->b))
        return KB_IS_OTHER;
    if (p->q <= KB_FALSE_SHARE && fabs(seen) >= fmax(effect, c->noise))
        return seen > 0 ? KB_IS_SLOWER : KB_IS_FASTER;
    return log(p->lo) >= -effect && log(p->hi) <= effect ? KB_IS_SAME : KB_IS_UNCLEAR;
}

static double noise_of(const kb_comparison *c, long *halves)
{
    kb_owned double *x = kb_alloc(2 * (size_t)c->n, sizeof *x);
    long n = 0;
    for (long i = 0; i < c->n; i++) {
        const kb_cell_pair *p = &c->pairs[i];
        double effect[] = {kb_self_effect(p->ta, p->na), kb_self_effect(p->tb, p->nb)};
        for (int k = 0; k < 2; k++)
            if (!isnan(effect[k]) && !isnan(p->p))
                x[n++] = effect[k];
    }
    double noise = n ? kb_quantile(x, n, 0.95) : 0;
    *halves = n;
    return noise;
}

static int by_verdict(const void *a, const void *b)
{
    const kb_cell_pair *x = a, *y = b;
    if (x->verdict != y->verdict)
        return (int)x->verdict - (int)y->verdict;
    double u = fabs(log(x->ratio)), v = fabs(log(y->ratio));
    if (u != v && !isnan(u) && !isnan(v))
        return u > v ? -1 : 1;
    return strcmp((x->a ? x->a : x->b)->identity, (y->a ? y->a : y->b)->identity);
}

static void find_undecided(kb_comparison *c)
{
    bool any = c->count[KB_IS_SLOWER] + c->count[KB_IS_FASTER] + c->count[KB_IS_SAME] > 0;
    c->enough = kb_rank_sum_repeats(c->tests, KB_FALSE_SHARE);
    for (long i = 0; i < c->n; i++) {
        kb_cell_pair *p = &c->pairs[i];
        if (p->verdict != KB_IS_UNCLEAR)
            continue;
        long more = c->enough - (p->na < p->nb ? p->na : p->nb);
        bool few = (double)c->tests * kb_rank_sum_least(p->na, p->nb) > KB_FALSE_SHARE;
        p->undecided = !any || few || log(p->lo) > log1p(c->smallest);
        c->undecided += p->undecided;
        c->more = few && more > c->more ? more : c->more;
    }
}

void kb_compare_judge(kb_comparison *c)
{
    kb_owned double *p = kb_alloc((size_t)c->n, sizeof *p);
    for (long i = 0; i < c->n; i++)
        p[i] = c->pairs[i].p;
    kb_false_discovery(p, c->n, p);
    c->noise = noise_of(c, &c->halves);
    for (long i = 0; i < c->n; i++) {
        c->pairs[i].q = p[i];
        c->pairs[i].verdict = verdict_of(c, &c->pairs[i]);
        c->count[c->pairs[i].verdict]++;
        c->lost += c->pairs[i].lost;
        c->tests += !isnan(c->pairs[i].p);
    }
    find_undecided(c);
    qsort(c->pairs, (size_t)c->n, sizeof *c->pairs, by_verdict);
}

/* ---- joining ---- */

/* NULL for a cell that was not measured there */
static const kb_side_cell *measured(const kb_side *s, long i)
{
    return i >= 0 && kb_side_measured(&s->cells[i]) ? &s->cells[i] : NULL;
}

static kb_cell_pair *add_pair(kb_comparison *c, const kb_side_cell *a, const kb_side_cell *b)
{
    kb_cell_pair pair = {.a = a, .b = b, .ratio = NAN, .lo = NAN, .hi = NAN, .p = NAN, .q = NAN};
    if (a && b) {
        pair.in_turns = kb_in_turns((const kb_side_cell *const[]){a, b}, 2);
        kb_pair_times(&pair, a->time, a->n, b->time, b->n);
        kb_bootstrap_ratio(pair.ta, pair.na, pair.tb, pair.nb, &pair.lo, &pair.hi);
        if (kb_other_error(a, b))
            pair.p = NAN; /* no test: it shall not make others harder */
    }
    c->pairs = kb_realloc(c->pairs, (size_t)c->n + 1, sizeof *c->pairs);
    c->pairs[c->n] = pair;
    return &c->pairs[c->n++];
}

/* The cell i of A and that of B */
static void join(kb_comparison *c, const kb_side *a, long i, const kb_side *b)
{
    long k = kb_side_find(b, a->cells[i].identity);
    const kb_side_cell *of_a = measured(a, i), *of_b = measured(b, k);
    if (!of_a && !of_b)
        return;
    kb_cell_pair *pair = add_pair(c, of_a, of_b);
    pair->ended = !of_b && k >= 0 ? &b->cells[k] : NULL;
    pair->lost = !of_b && (k >= 0 || (a->one_run && b->one_run));
}

void kb_compare(kb_comparison *c, kb_side *a, kb_side *b, double smallest)
{
    *c = (kb_comparison){.smallest = smallest};
    kb_sides_join((kb_side *const[]){a, b}, 2);
    for (long i = 0; i < a->ncells; i++)
        join(c, a, i, b);
    for (long i = 0; i < b->ncells; i++)
        if (kb_side_find(a, b->cells[i].identity) < 0 && measured(b, i))
            add_pair(c, NULL, measured(b, i));
    kb_compare_judge(c);
}

void kb_pair_free(kb_cell_pair *pair)
{
    free(pair->ta);
    free(pair->tb);
}

void kb_comparison_free(kb_comparison *c)
{
    for (long i = 0; i < c->n; i++)
        kb_pair_free(&c->pairs[i]);
    free(c->pairs);
    *c = (kb_comparison){0};
}
