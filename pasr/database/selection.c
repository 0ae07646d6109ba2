/* SPDX-License-Identifier: MIT */
#include "pasr/database/selection.h"

#include <stdbool.h>
#include <string.h>

#include "base/random.h"
#include "pasr/database/order.h"

const char *kb_selection_name(const char *name)
{
    static const char *const names[] = {"even", "first"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return names[i];
    return NULL;
}

enum { BY_ROW, BY_T, BY_CURVE, KEYS };

typedef struct {
    uint64_t seed;
    uint64_t *key[KEYS]; /* [db->n] each, by row; of T its bits, which rise with it */
    long *row;           /* [db->n], halved in place */
    long *out;
} tree;

static bool before(const uint64_t *key, long a, long b)
{
    return key[a] != key[b] ? key[a] < key[b] : a < b;
}

static void swap(long *a, long *b)
{
    long c = *a;
    *a = *b;
    *b = c;
}

/* Rows [a, b), with k among them, so that the first k - a are those that come first: Hoare's
 * selection (CACM 4 (1961) 321) with the middle element as pivot */
static void divide(const uint64_t *key, long *row, long a, long b, long k)
{
    for (;;) {
        long pivot = row[a + (b - a) / 2], i = a, j = b - 1;
        while (i <= j) {
            while (before(key, row[i], pivot))
                i++;
            while (before(key, pivot, row[j]))
                j--;
            if (i <= j)
                swap(&row[i++], &row[j--]);
        }
        if (k <= j)
            b = j + 1;
        else if (k >= i)
            a = i;
        else
            return;
    }
}

/* Rows [a, b) of the node give count of theirs to out[at], out[at + step] ...; the larger half, or
 * either, begins */
static void take(tree *t, int depth, long a, long b, long count, long at, long step)
{
    if (count < 1)
        return;
    if (b - a == 1) {
        t->out[at] = t->row[a];
        return;
    }
    kb_random r = kb_random_stream(t->seed + (uint64_t)a, (uint64_t)depth << 48);
    bool upper = kb_random_next(&r) >> 63;
    long middle = upper ? a + (b - a) / 2 : a + (b - a + 1) / 2, more = (count + 1) / 2;
    divide(t->key[depth % KEYS], t->row, a, b, middle);
    take(t, depth + 1, a, middle, upper ? count - more : more, at + (upper ? step : 0), 2 * step);
    take(t, depth + 1, middle, b, upper ? more : count - more, at + (upper ? 0 : step), 2 * step);
}

static void fill_keys(tree *t, const kb_database *db)
{
    for (int k = 0; k < KEYS; k++)
        t->key[k] = kb_alloc((size_t)db->n, sizeof **t->key);
    for (long i = 0; i < db->n; i++) {
        t->row[i] = i;
        t->key[BY_ROW][i] = (uint64_t)i;
        memcpy(&t->key[BY_T][i], db->states + i * db->columns, sizeof **t->key);
    }
    kb_order_curve(db, t->key[BY_CURVE]);
}

void kb_selection_make(const char *name, unsigned long long seed, const kb_database *db, long n,
                       long *row)
{
    if (!strcmp(name, "first")) {
        for (long i = 0; i < n; i++)
            row[i] = i;
        return;
    }
    tree t = {.seed = kb_random_stream(seed, 0).state, .out = row,
              .row = kb_alloc((size_t)db->n, sizeof *t.row)};
    fill_keys(&t, db);
    take(&t, 0, 0, db->n, n, 0, 1);
    free(t.row);
    for (int k = 0; k < KEYS; k++)
        free(t.key[k]);
}

void kb_selection_order(const long *row, long n, const long *order, long all, long *place)
{
    long *index = kb_alloc((size_t)all, sizeof *index), k = 0;
    for (long i = 0; i < all; i++)
        index[i] = -1;
    for (long i = 0; i < n; i++)
        index[row[i]] = i;
    for (long i = 0; i < all; i++)
        if (index[order[i]] >= 0)
            place[k++] = index[order[i]];
    free(index);
}
