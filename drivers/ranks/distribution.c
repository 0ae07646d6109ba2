/* SPDX-License-Identifier: MIT */
#include "drivers/ranks/distribution.h"

#include <string.h>

const char *const kb_deal_names[KB_DEALS + 1] = {"static", "cyclic", "cost", "dynamic"};

typedef struct {
    double cost;
    long ode;
} item;

/* the largest first; equal ones in their order */
static int dearest_first(const void *a, const void *b)
{
    const item *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost > y->cost ? -1 : 1;
    return (x->ode > y->ode) - (x->ode < y->ode);
}

/* list [n]: in the order in which it is dealt out */
static void sort_by_cost(long n, const double *cost, long *list)
{
    item *all = kb_alloc((size_t)n, sizeof *all);
    for (long i = 0; i < n; i++)
        all[i] = (item){cost[i] == cost[i] ? cost[i] : 0, i};
    qsort(all, (size_t)n, sizeof *all, dearest_first);
    for (long i = 0; i < n; i++)
        list[i] = all[i].ode;
    free(all);
}

/* the rank that item i of the list goes to */
static int rank_of(kb_deal deal, long i, int ranks)
{
    long round = i / ranks, place = i % ranks;
    return (int)(deal == KB_DEAL_COST && round % 2 ? ranks - 1 - place : place);
}

void kb_deal_out(kb_deal deal, long n, int ranks, const double *cost, long *order, long *first)
{
    long *list = kb_alloc((size_t)n, sizeof *list), *next = kb_alloc((size_t)ranks, sizeof *next);
    for (int r = 0; r <= ranks; r++)
        first[r] = r * (n / ranks) + (r < n % ranks ? r : n % ranks);
    for (long i = 0; i < n; i++)
        list[i] = order[i] = i;
    if (deal == KB_DEAL_COST)
        sort_by_cost(n, cost, list);
    if (deal != KB_DEAL_STATIC) {
        memset(first, 0, (size_t)(ranks + 1) * sizeof *first);
        for (long i = 0; i < n; i++)
            first[rank_of(deal, i, ranks) + 1]++;
        for (int r = 0; r < ranks; r++)
            first[r + 1] += next[r] = first[r];
        for (long i = 0; i < n; i++)
            order[next[rank_of(deal, i, ranks)]++] = list[i];
    }
    free(list);
    free(next);
}

long kb_deal_chunk(long n, int ranks, int parts, long unit)
{
    long chunk = n / ((long)ranks * parts);
    chunk = (chunk + unit - 1) / unit * unit;
    return chunk < unit ? unit : chunk;
}

uint64_t kb_deal_mark(const double *states, long n, double dt)
{
    uint64_t mark = 0x9e3779b97f4a7c15, word;
    for (long i = -1; i < n; i++) {
        memcpy(&word, i < 0 ? &dt : states + i, sizeof word);
        mark = (mark ^ word) * 0xff51afd7ed558ccd; /* odd: no word is lost */
        mark ^= mark >> 32;
    }
    return mark;
}
