/* SPDX-License-Identifier: MIT */
#include "base/rank.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/owned.h"

#define MOST_EXACT 80

typedef struct {
    double value;
    long place;
} item;

static int rising(const void *a, const void *b)
{
    double x = ((const item *)a)->value, y = ((const item *)b)->value;
    return (x > y) - (x < y);
}

/* rank [n]: twice the rank of each x, the mean of its ranks where some are equal */
static void double_ranks(const double *x, long n, long *rank)
{
    kb_owned item *s = kb_alloc((size_t)n, sizeof *s);
    for (long i = 0; i < n; i++)
        s[i] = (item){x[i], i};
    qsort(s, (size_t)n, sizeof *s, rising);
    for (long first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && s[end].value == s[first].value;)
            end++;
        for (long i = first; i < end; i++)
            rank[s[i].place] = first + 1 + end;
    }
}

/* P(sum is as far from its mean as `seen`, or farther) when each choice of `take` of the n ranks is
 * as likely */
static double exact(const long *rank, long n, long take, long seen)
{
    long all = 0;
    for (long i = 0; i < n; i++)
        all += rank[i];
    /* ways[k][s]: choices of k ranks with sum s */
    size_t width = (size_t)all + 1;
    kb_owned double *ways = kb_alloc((size_t)(take + 1) * width, sizeof *ways);
    ways[0] = 1;
    for (long i = 0; i < n; i++)
        for (long k = take; k >= 1; k--)
            for (long s = all; s >= rank[i]; s--)
                ways[(size_t)k * width + (size_t)s] +=
                    ways[(size_t)(k - 1) * width + (size_t)(s - rank[i])];
    double mean = (double)take / (double)n * (double)all;
    double far = 0, total = 0, *last = ways + (size_t)take * width;
    for (long s = 0; s <= all; s++) {
        total += last[s];
        if (fabs((double)s - mean) >= fabs((double)seen - mean) - 1e-9)
            far += last[s];
    }
    return far / total;
}

static double normal(double seen, double mean, double variance)
{
    return variance > 0 ? erfc(fabs(seen - mean) / sqrt(2 * variance)) : 1;
}

double kb_rank_sum(const double *a, long na, const double *b, long nb)
{
    long n = na + nb, seen = 0;
    if (na < 1 || nb < 1)
        return 1;
    kb_owned double *x = kb_alloc((size_t)n, sizeof *x);
    kb_owned long *rank = kb_alloc((size_t)n, sizeof *rank);
    double squares = 0;
    memcpy(x, a, (size_t)na * sizeof *x);
    memcpy(x + na, b, (size_t)nb * sizeof *x);
    double_ranks(x, n, rank);
    for (long i = 0; i < na; i++)
        seen += rank[i];
    double mean = (double)(n + 1);
    for (long i = 0; i < n; i++)
        squares += ((double)rank[i] - mean) * ((double)rank[i] - mean);
    return n <= MOST_EXACT
               ? exact(rank, n, na, seen)
               : normal((double)seen, (double)na * mean,
                        squares * (double)na * (double)nb / ((double)n * (double)(n - 1)));
}

/* 2 of the choices of na of all values are the farthest from the mean */
double kb_rank_sum_least(long na, long nb)
{
    double choices = 1;
    if (na < 1 || nb < 1)
        return 1;
    if (na + nb <= MOST_EXACT) {
        for (long i = 1; i <= na; i++)
            choices *= (double)(nb + i) / (double)i;
        return fmin(1, 2 / choices);
    }
    kb_owned double *x = kb_alloc((size_t)(na + nb), sizeof *x);
    for (long i = 0; i < na + nb; i++)
        x[i] = (double)i;
    return kb_rank_sum(x, na, x + na, nb);
}

long kb_rank_sum_repeats(long tests, double share)
{
    long n = 1;
    while ((double)tests * kb_rank_sum_least(n, n) > share)
        n++;
    return n;
}

void kb_false_discovery(const double *p, long n, double *q)
{
    kb_owned item *s = kb_alloc((size_t)n, sizeof *s);
    long m = 0;
    double least = 1;
    for (long i = 0; i < n; i++)
        if (!isnan(p[i]))
            s[m++] = (item){p[i], i};
    for (long i = 0; i < n; i++)
        q[i] = p[i];
    qsort(s, (size_t)m, sizeof *s, rising);
    for (long i = m - 1; i >= 0; i--) {
        least = fmin(least, s[i].value * (double)m / (double)(i + 1));
        q[s[i].place] = least;
    }
}
