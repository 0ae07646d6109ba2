/* SPDX-License-Identifier: MIT */
#include "mech/tables/bundles.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of shared memory that neighbouring threads read at once, if no two of them read different
 * places of one bank; a bank is as wide as a number. */
enum { READ_BYTES = 128, TOGETHER = READ_BYTES / 8 };

int kb_by_length(const void *a, const void *b)
{
    const kb_sum_row *x = a, *y = b;
    return x->n != y->n ? y->n - x->n : (x->target > y->target) - (x->target < y->target);
}

/* what the threads of a group read in one step: the different places of each bank */
typedef struct {
    int n[2][TOGETHER], place[2][TOGETHER][TOGETHER + 1];
} reads;

static int bank_of(const kb_bundles *s, int o, const int *pair)
{
    return pair[o] % (READ_BYTES / s->bytes[o]);
}

/* how many reads of the group a term would have to wait for */
static int waits(const reads *r, const kb_bundles *s, const int *pair)
{
    int found = 0;
    for (int o = 0; o < 2 && s->bytes[o]; o++) {
        int bank = bank_of(s, o, pair), same = 0;
        for (int k = 0; k < r->n[o][bank]; k++)
            same |= r->place[o][bank][k] == pair[o];
        found += same ? 0 : r->n[o][bank];
    }
    return found;
}

static void add_read(reads *r, const kb_bundles *s, const int *pair)
{
    for (int o = 0; o < 2 && s->bytes[o]; o++) {
        int bank = bank_of(s, o, pair), same = 0;
        for (int k = 0; k < r->n[o][bank]; k++)
            same |= r->place[o][bank][k] == pair[o];
        if (!same)
            r->place[o][bank][r->n[o][bank]++] = pair[o];
    }
}

/* puts first of the terms [k, n) of a row that which waits for the fewest others */
static void choose_term(const reads *r, const kb_bundles *s, kb_sum_row *row, int k)
{
    int best = k, least = -1;
    for (int t = k; t < row->n && least != 0; t++) {
        int w = waits(r, s, row->pair + 2 * t);
        if (least < 0 || w < least) {
            least = w;
            best = t;
        }
    }
    for (int o = 0; o < 2; o++) {
        int kept = row->pair[2 * k + o];
        row->pair[2 * k + o] = row->pair[2 * best + o];
        row->pair[2 * best + o] = kept;
    }
}

/* Orders the terms of rows of neighbouring threads so that what they read together lies in
 * different banks as far as may be; the shortest rows, which have the least choice, first. */
static void order_terms(const kb_bundles *s, kb_sum_row *row, int n)
{
#ifdef KB_MANY /* banks do not matter */
    return;
#endif
    for (int k = 0; k < row[0].n; k++) {
        reads r = {0};
        if (row[n - 1].n <= k)
            add_read(&r, s, s->nothing);
        for (int i = n - 1; i >= 0; i--) {
            if (k >= row[i].n)
                continue;
            choose_term(&r, s, &row[i], k);
            add_read(&r, s, row[i].pair + 2 * k);
        }
    }
}

/* one stride of one row, from its term k on; row NULL: there is none */
static void put_stride(kb_bundles *s, const kb_sum_row *row, int k)
{
    for (int q = k; q < k + KB_BUNDLE_STRIDE; q++) {
        const int *p = row && q < row->n ? row->pair + 2 * q : s->nothing;
        kb_add_i(s->pair, p[0] * s->scale[0]);
        kb_add_i(s->pair, p[1] * s->scale[1]);
    }
}

/* Appends rows as whole bundles; a missing row of the last has the target KB_NO_TARGET. The first
 * row of a bundle is the longest. */
void kb_put_bundles(kb_bundles *s, kb_sum_row *row, int n)
{
    int widest = s->bytes[0] > s->bytes[1] ? s->bytes[0] : s->bytes[1];
    int together = READ_BYTES / widest;
    for (int first = 0; first < n; first += together)
        order_terms(s, row + first, n - first < together ? n - first : together);
    for (int first = 0; first < n; first += KB_BUNDLE_ROWS) {
        kb_add_i(s->bundle, s->pair->n / (2 * KB_BUNDLE_ROWS));
        for (int r = first; r < first + KB_BUNDLE_ROWS; r++)
            kb_add_i(s->target, r < n ? row[r].target : KB_NO_TARGET);
        int strides = (row[first].n + KB_BUNDLE_STRIDE - 1) / KB_BUNDLE_STRIDE;
        for (int k = 0; k < strides * KB_BUNDLE_STRIDE; k += KB_BUNDLE_STRIDE)
            for (int r = first; r < first + KB_BUNDLE_ROWS; r++)
                put_stride(s, r < n ? &row[r] : NULL, k);
    }
}

void kb_add_bundles(kb_bundles *s, kb_sum_row *row, int n)
{
    qsort(row, n, sizeof *row, kb_by_length);
    kb_put_bundles(s, row, n);
}

/* Behind the last stands a stride that adds nothing, since teams load one ahead. */
void kb_end_bundles(kb_bundles *s)
{
    kb_add_i(s->bundle, s->pair->n / (2 * KB_BUNDLE_ROWS));
    for (int r = 0; r < KB_BUNDLE_ROWS; r++)
        put_stride(s, NULL, 0);
}

static int by_target(const void *a, const void *b)
{
    const kb_update *x = a, *y = b;
    return x->target != y->target ? (x->target > y->target) - (x->target < y->target)
                                  : (x->pair[0] > y->pair[0]) - (x->pair[0] < y->pair[0]);
}

/* one row for each target; the products of one stand side by side once they are sorted */
void kb_add_updates(kb_bundles *s, kb_update *list, int n)
{
    kb_sum_row *row = kb_alloc(n + 1, sizeof *row);
    int *pair = kb_alloc(2 * (size_t)n + 2, sizeof *pair), rows = 0;
    qsort(list, n, sizeof *list, by_target);
    for (int k = 0; k < n; k++) {
        memcpy(pair + 2 * k, list[k].pair, sizeof list[k].pair);
        if (k == 0 || list[k].target != list[k - 1].target)
            row[rows++] = (kb_sum_row){list[k].target, 0, pair + 2 * k};
        row[rows - 1].n++;
    }
    kb_add_bundles(s, row, rows);
    free(row);
    free(pair);
}

/* All products of a head that is factored, to list unless it is NULL, from[v] the first of the
 * elements that level v waits for, of the tail if v is the number of levels; returns how many. An
 * element of the row or column of a pivot gains all its products just before that pivot's level. */
static int put_products(const kb_sparse *lu, const int *storage, int levels, int *from,
                        kb_update *list)
{
    int n = lu->n, head = lu->tail, found = 0;
    const unsigned char *fill = lu->fill;
    for (int k = 0; k < head; k++)
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; fill[i * (size_t)n + k] && j < n; j++) {
                int first = i < j ? i : j, v = first < head ? lu->level[first] : levels;
                if (!fill[k * (size_t)n + j])
                    continue;
                if (list)
                    list[from[v]] = (kb_update){storage[i * n + j],
                                                {storage[i * n + k], storage[k * n + j]}};
                from[v]++;
                found++;
            }
    return found;
}

kb_update *kb_factor_updates(const kb_sparse *lu, const int *storage, int levels, int *from)
{
    int *count = kb_alloc(levels + 1, sizeof *count);
    kb_update *list = kb_alloc(put_products(lu, storage, levels, count, NULL) + 1, sizeof *list);
    for (int v = 0; v < levels; v++)
        from[v + 1] = from[v] + count[v];
    put_products(lu, storage, levels, from, list);
    free(count);
    return list;
}

/* ---- update_pair from the places of the entries ---- */

int *kb_places(int n, int head, const int *row_start, const int *column, int tail_stride)
{
    int *storage = kb_alloc((size_t)n * n, sizeof *storage);
    memset(storage, 0xff, (size_t)n * n * sizeof *storage);
    for (int i = 0; i < n; i++) {
        for (int p = row_start[i]; p < row_start[i + 1]; p++)
            storage[i * n + column[p]] = p;
        for (int j = head; i >= head && j < n; j++)
            storage[i * n + j] = row_start[n] + (i - head) * tail_stride + j - head;
    }
    return storage;
}

/* fill by position and the levels of the pivots; returns their number */
static int find_levels(const kb_factored_head *h, kb_sparse *lu, const int *storage)
{
    int n = h->n, levels = 0;
    for (int k = 0; k < n * n; k++)
        lu->fill[k] = storage[k] >= 0;
    for (int k = 0; k < h->head; k++) {
        for (int j = 0; j < k; j++)
            if (lu->level[j] >= lu->level[k] && (lu->fill[k * n + j] || lu->fill[j * n + k]))
                lu->level[k] = lu->level[j] + 1;
        levels = lu->level[k] >= levels ? lu->level[k] + 1 : levels;
    }
    return levels;
}

int *kb_update_pairs(const kb_factored_head *h, int *length)
{
    int n = h->n, *storage = kb_places(n, h->head, h->row_start, h->column, h->tail_stride);
    kb_sparse lu = {.n = n, .tail = h->head, .level = kb_alloc(n, sizeof *lu.level),
                    .fill = kb_alloc((size_t)n * n, 1)};
    int levels = find_levels(h, &lu, storage), *from = kb_alloc(levels + 2, sizeof *from);
    kb_ints bundle = {0}, target = {0}, pair = {0};
    kb_bundles s = {&bundle, &target, &pair, {h->zero, h->zero}, {h->bytes, h->bytes},
                    {h->scale, h->scale}};
    kb_update *list = kb_factor_updates(&lu, storage, levels, from);
    for (int v = 0; v < levels; v++)
        kb_add_updates(&s, list + from[v], from[v + 1] - from[v]);
    kb_end_bundles(&s);
    *length = pair.n;
    free(storage);
    free(lu.level);
    free(lu.fill);
    free(from);
    free(list);
    free(bundle.v);
    free(target.v);
    return pair.v;
}
