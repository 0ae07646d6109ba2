/* SPDX-License-Identifier: MIT */
#include "base/owned.h"
#include "drivers/ranks/distribution.h"

#include <string.h>

const char *const kb_deal_names[KB_DEALS + 1] = {"static", "cyclic", "cost", "dynamic"};

/* One pass of a radix sort: from to to by 16 bits of the key of each, descending; equal ones keep
 * their order. start [65536] */
static void sort_pass(long n, const uint32_t *key, int shift, const long *from, long *to,
                      long *start)
{
    memset(start, 0, 65536 * sizeof *start);
    for (long i = 0; i < n; i++)
        start[key[i] >> shift & 65535]++;
    long at = 0;
    for (int k = 65535; k >= 0; k--) {
        long many = start[k];
        start[k] = at;
        at += many;
    }
    for (long i = 0; i < n; i++)
        to[start[key[from[i]] >> shift & 65535]++] = from[i];
}

/* list [n]: the dearest first, to 20 bits of their costs, equal ones in their order. A comparison
 * sort takes longer than a GPU needs for the batch. */
static void sort_by_cost(long n, const double *cost, long *list)
{
    uint32_t *key = kb_alloc((size_t)n, sizeof *key);
    kb_owned long *other = kb_alloc((size_t)n, sizeof *other),
                  *start = kb_alloc(65536, sizeof *start);
    for (long i = 0; i < n; i++) {
        uint64_t bits; /* of positive numbers they are ordered as these */
        double c = cost[i] > 0 ? cost[i] : 0;
        memcpy(&bits, &c, sizeof bits);
        key[i] = (uint32_t)(bits >> 32);
        list[i] = i;
    }
    sort_pass(n, key, 0, list, other, start);
    sort_pass(n, key, 16, other, list, start);
    free(key);
}

/* the rank that item i of the list goes to */
static int rank_of(kb_deal deal, long i, int ranks)
{
    long round = i / ranks, place = i % ranks;
    return (int)(deal == KB_DEAL_COST && round % 2 ? ranks - 1 - place : place);
}

void kb_deal_out(kb_deal deal, long n, int ranks, const double *cost, long *order, long *first)
{
    for (int r = 0; r <= ranks; r++)
        first[r] = r * (n / ranks) + (r < n % ranks ? r : n % ranks);
    for (long i = 0; order && i < n; i++)
        order[i] = i;
    if (deal == KB_DEAL_STATIC)
        return;
    kb_owned long *list = kb_alloc((size_t)n, sizeof *list),
                  *next = kb_alloc((size_t)ranks, sizeof *next);
    for (long i = 0; i < n; i++)
        list[i] = i;
    if (deal == KB_DEAL_COST)
        sort_by_cost(n, cost, list);
    memset(first, 0, (size_t)(ranks + 1) * sizeof *first);
    for (long i = 0; i < n; i++)
        first[rank_of(deal, i, ranks) + 1]++;
    for (int r = 0; r < ranks; r++)
        first[r + 1] += next[r] = first[r];
    for (long i = 0; i < n; i++)
        order[next[rank_of(deal, i, ranks)]++] = list[i];
}

long kb_deal_chunk(long n, int ranks, int parts, long unit)
{
    long chunk = n / ((long)ranks * parts);
    long most = (n + ranks - 1) / ranks;
    chunk = (chunk + unit - 1) / unit * unit;
    chunk = chunk < unit ? unit : chunk;
    return chunk > most && most > 0 ? most : chunk;
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
