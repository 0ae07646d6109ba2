/* SPDX-License-Identifier: MIT */
#include "pasr/database/distinct.h"

#include <stdint.h>
#include <string.h>

/* Multiplication by 2^64 / golden ratio carries low bits upwards, the shift high ones down */
static uint64_t hash(const double *row, int columns)
{
    uint64_t h = 0, bits;
    for (int j = 0; j < columns; j++) {
        memcpy(&bits, row + j, sizeof bits);
        h = (h ^ bits) * 0x9e3779b97f4a7c15u;
        h ^= h >> 32;
    }
    return h;
}

/* The slot of state i of row, or the free one where it belongs. slot [mask + 1]: number + 1, 0:
 * free */
static size_t find(const kb_distinct *d, const kb_database *db, const long *row, const long *slot,
                   size_t mask, long i)
{
    const double *state = db->states + row[i] * db->columns;
    size_t at = hash(state, db->columns) & mask;
    while (slot[at] && memcmp(db->states + row[d->first[slot[at] - 1]] * db->columns, state,
                              (size_t)db->columns * sizeof *state))
        at = (at + 1) & mask;
    return at;
}

void kb_distinct_find(kb_distinct *d, const kb_database *db, const long *row, long n)
{
    size_t size = 2;
    while (size < 2 * (size_t)n)
        size *= 2;
    long *slot = kb_alloc(size, sizeof *slot);
    *d = (kb_distinct){.first = kb_alloc((size_t)n, sizeof *d->first),
                       .number = kb_alloc((size_t)n, sizeof *d->number)};
    for (long i = 0; i < n; i++) {
        size_t at = find(d, db, row, slot, size - 1, i);
        if (!slot[at]) {
            d->first[d->count++] = i;
            slot[at] = d->count;
        }
        d->number[i] = slot[at] - 1;
    }
    free(slot);
    d->first = kb_realloc(d->first, (size_t)d->count, sizeof *d->first);
}

long kb_distinct_among(const kb_distinct *d, long rows)
{
    long low = 0, high = d->count;
    while (low < high) {
        long middle = low + (high - low) / 2;
        if (d->first[middle] < rows)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void kb_distinct_free(kb_distinct *d)
{
    free(d->first);
    free(d->number);
    *d = (kb_distinct){0};
}
