/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/owned.h"
#include "pasr/database/order.h"

/* What an order was made from; a kept one is taken only if it says the same. Caller frees. */
static char *about(const kb_order_request *r, const char *cost_about)
{
    if (!strcmp(r->name, "shuffled"))
        return kb_format("shuffled, seed %llu", r->seed);
    if (!strcmp(r->name, "similar"))
        return kb_strdup("similar, Hilbert curve, version 1");
    if (!strcmp(r->name, "sorted-f") && r->solvers)
        return kb_format("sorted-f, rtol %g, atol %g, mechanism sha256 %s", KB_ORDER_RTOL,
                         KB_ORDER_ATOL, r->solvers->sha256);
    if (!strcmp(r->name, "sorted-cost"))
        return kb_format("sorted-cost, %s", cost_about);
    return kb_strdup(r->name);
}

/* KB_NOTHING: none, or made in another way */
static int read_kept(const kb_database *db, const char *what, const char *wanted, long *order,
                     kb_error *err)
{
    kb_owned int64_t *values = kb_alloc((size_t)db->n, sizeof *values);
    kb_owned char *found = NULL, *path = kb_column_path(db, what);
    int code = kb_column_read(db, what, values, &found, err);
    if (!code && strcmp(found, wanted))
        code = KB_NOTHING;
    for (long i = 0; i < db->n && !code; i++)
        order[i] = (long)values[i];
    return code ? code : kb_order_check(path, order, db->n, err);
}

static int keep(const kb_database *db, const char *what, const char *text, const long *order,
                kb_error *err)
{
    if (!kb_column_writable(db))
        return KB_OK;
    kb_owned int64_t *values = kb_alloc((size_t)db->n, sizeof *values);
    for (long i = 0; i < db->n; i++)
        values[i] = order[i];
    return kb_column_write(db, what, values, text, err);
}

/* the kept cost, or one measured now by rodas4, which is then kept */
static int get_cost(const kb_order_request *r, const kb_database *db, int64_t *cost, char **text,
                    kb_error *err)
{
    int code = kb_cost_read(db, cost, text, err);
    if (code != KB_NOTHING)
        return code;
    if (!r->solvers || !(r->dt > 0))
        return kb_fail(err, KB_INVALID, "order sorted-cost: no cost of %s is kept yet, and there "
                       "are no solvers to measure it", db->path);
    kb_cost_run run = {.solvers = r->solvers, .solver = "rodas4", .engine = "cpu-simd",
                       .dt = r->dt, .threads = r->threads, .stop = r->stop};
    kb_owned kb_count *count = kb_alloc((size_t)db->n, sizeof *count);
    code = kb_cost_count(&run, db, NULL, db->n, count, err);
    *text = kb_cost_text(&run);
    for (long i = 0; i < db->n && !code; i++)
        cost[i] = count[i].attempted;
    if (!code && kb_column_writable(db))
        code = kb_cost_write(db, count, *text, err);
    return code;
}

static int get_or_make(const kb_order_request *r, const kb_database *db, const int64_t *cost,
                       const char *text, long *order, kb_error *err)
{
    kb_owned char *what = kb_format("order-%s", r->name);
    /* other costs can bear the same text: sorting is quick, so they are sorted each time */
    int code = cost ? KB_NOTHING : read_kept(db, what, text, order, err);
    if (code != KB_NOTHING)
        return code;
    code = kb_order_make(r, db, cost, order, err);
    return code ? code : keep(db, what, text, order, err);
}

int kb_order_get(const kb_order_request *r, const kb_database *db, long *order, kb_error *err)
{
    if (!strcmp(r->name, "generated"))
        return kb_order_make(r, db, NULL, order, err);
    int by_cost = !strcmp(r->name, "sorted-cost"), code = KB_OK;
    kb_owned int64_t *cost = by_cost ? kb_alloc((size_t)db->n, sizeof *cost) : NULL;
    kb_owned char *cost_text = NULL;
    if (by_cost)
        code = get_cost(r, db, cost, &cost_text, err);
    if (code)
        return code;
    kb_owned char *text = about(r, cost_text);
    return get_or_make(r, db, cost, text, order, err);
}
