/* SPDX-License-Identifier: MIT */
#include "pasr/database/order.h"

#include <math.h>
#include <string.h>

#include "base/owned.h"
#include "base/random.h"

#define CHUNK 4096 /* states of one evaluation */

const char *kb_order_name(const char *name)
{
    static const char *const names[] = {"generated", "similar", "shuffled", "sorted-T", "sorted-f",
                                        "sorted-cost"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return names[i];
    return NULL;
}

typedef struct {
    double key;
    uint64_t place; /* the key of similar: more bits than a double has */
    long row;
} item;

/* by key, then place, then row: never 0, so that qsort has no choice */
static int compare(const void *a, const void *b)
{
    const item *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->row < y->row ? -1 : 1;
}

/* Fisher-Yates from the end (Durstenfeld, CACM 7 (1964) 420) */
static void shuffle(uint64_t seed, long n, long *order)
{
    kb_random r = {seed};
    for (long i = n - 1; i > 0; i--) {
        long j = (long)kb_random_below(&r, (uint64_t)i + 1), swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
}

/* f [columns - 1] at y, both (T, Y) */
static double wrms(const double *f, const double *y, int m)
{
    double sum = 0;
    for (int i = 0; i < m; i++) {
        double q = f[i] / (KB_ORDER_ATOL + KB_ORDER_RTOL * fabs(y[i]));
        sum += q * q;
    }
    return isfinite(sum) ? sqrt(sum / m) : INFINITY;
}

int kb_order_norm(const kb_database *db, const kb_solvers *s, double *norm, kb_error *err)
{
    int m = db->columns - 1, code = KB_OK;
    double *y = kb_alloc((size_t)CHUNK * 2 * m, sizeof *y), *f = y + (size_t)CHUNK * m;
    double *p = kb_alloc(CHUNK, sizeof *p);
    for (long first = 0; first < db->n && !code; first += CHUNK) {
        long n = db->n - first < CHUNK ? db->n - first : CHUNK;
        for (long i = 0; i < n; i++) {
            const double *state = db->states + (first + i) * db->columns;
            y[i * m] = state[0];
            p[i] = state[1];
            memcpy(y + i * m + 1, state + 2, (size_t)(m - 1) * sizeof *y);
        }
        kb_evaluation e = {.n = n, .y = y, .p = p, .reactor = KB_CONST_P, .dy = f};
        code = s->evaluate(s, "cpu-simd", &e, err);
        for (long i = 0; i < n && !code; i++)
            norm[first + i] = wrms(f + i * m, y + i * m, m);
    }
    free(y);
    free(p);
    return code;
}

static int fill_norm(const kb_order_request *r, const kb_database *db, item *items, kb_error *err)
{
    if (!r->solvers)
        return kb_fail(err, KB_INVALID, "order %s needs the solvers of the mechanism", r->name);
    kb_owned double *norm = kb_alloc((size_t)db->n, sizeof *norm);
    int code = kb_order_norm(db, r->solvers, norm, err);
    for (long i = 0; i < db->n && !code; i++)
        items[i].key = -norm[i];
    return code;
}

static void fill_place(const kb_database *db, item *items)
{
    kb_owned uint64_t *place = kb_alloc((size_t)db->n, sizeof *place);
    kb_order_curve(db, place);
    for (long i = 0; i < db->n; i++)
        items[i].place = place[i];
}

static int fill(const kb_order_request *r, const kb_database *db, const int64_t *cost, item *items,
                kb_error *err)
{
    if (!strcmp(r->name, "similar"))
        fill_place(db, items);
    else if (!strcmp(r->name, "sorted-T"))
        for (long i = 0; i < db->n; i++)
            items[i].key = db->states[i * db->columns];
    else if (!strcmp(r->name, "sorted-f"))
        return fill_norm(r, db, items, err);
    else if (!strcmp(r->name, "sorted-cost") && cost)
        for (long i = 0; i < db->n; i++)
            items[i].key = -(double)cost[i];
    else if (!strcmp(r->name, "sorted-cost"))
        return kb_fail(err, KB_INVALID, "order sorted-cost needs a measured cost");
    else
        return kb_fail(err, KB_INVALID, "unknown order '%s' (known: " KB_ORDERS ")", r->name);
    return KB_OK;
}

int kb_order_make(const kb_order_request *r, const kb_database *db, const int64_t *cost,
                  long *order, kb_error *err)
{
    for (long i = 0; i < db->n; i++)
        order[i] = i;
    if (!strcmp(r->name, "generated"))
        return KB_OK;
    if (!strcmp(r->name, "shuffled")) {
        shuffle(r->seed, db->n, order);
        return KB_OK;
    }
    kb_owned item *items = kb_alloc((size_t)db->n, sizeof *items);
    for (long i = 0; i < db->n; i++)
        items[i].row = i;
    int code = fill(r, db, cost, items, err);
    if (!code) {
        qsort(items, (size_t)db->n, sizeof *items, compare);
        for (long i = 0; i < db->n; i++)
            order[i] = items[i].row;
    }
    return code;
}

void kb_order_first(const long *order, long all, long n, long *first)
{
    for (long i = 0, k = 0; i < all; i++)
        if (order[i] < n)
            first[k++] = order[i];
}

int kb_order_check(const char *path, const long *order, long n, kb_error *err)
{
    kb_owned char *seen = kb_alloc((size_t)n, 1);
    int code = KB_OK;
    for (long i = 0; i < n && !code; i++)
        if (order[i] < 0 || order[i] >= n || seen[order[i]]++)
            code = kb_fail(err, KB_INVALID, "%s: not a permutation of 0 to %ld: %ld in place %ld "
                           "%s (delete the file, it is made again)", path, n - 1, order[i], i,
                           order[i] < 0 || order[i] >= n ? "is outside" : "comes again");
    return code;
}
