/* SPDX-License-Identifier: MIT */
#include "drivers/dbinfo/costs.h"

#include <string.h>

#include "base/interrupt.h"
#include "base/random.h"
#include "base/stats.h"

/* Draws warps without repetition (Bentley and Floyd, CACM 30 (1987) 754), then takes them in
 * sequence. */
static void draw_warps(kb_sampled *s, const long *order, long n, long sample, uint64_t seed)
{
    long warps = (n + KB_WARP - 1) / KB_WARP, wanted = n <= sample ? warps : sample / KB_WARP;
    kb_owned char *chosen = kb_alloc((size_t)warps, 1);
    kb_random r = {seed};
    for (long j = warps - wanted; j < warps; j++) {
        long w = (long)kb_random_below(&r, (uint64_t)j + 1);
        chosen[chosen[w] ? j : w] = 1;
    }
    s->row = kb_alloc((size_t)(wanted * KB_WARP), sizeof *s->row);
    s->n = 0;
    for (long w = 0; w < warps; w++)
        for (long i = w * KB_WARP; chosen[w] && i < n && i < (w + 1) * KB_WARP; i++)
            s->row[s->n++] = order[i];
}

static bool wanted_order(const kb_costs *c, const char *name)
{
    return strcmp(name, "sorted-cost") || c->cost_about || c->d->db.n <= c->d->set.sample;
}

static int draw_orders(kb_costs *c, kb_error *err)
{
    const kb_database *db = &c->d->db;
    kb_owned long *order = kb_alloc((size_t)db->n, sizeof *order);
    int code = KB_OK;
    for (int k = 0; k < c->names.count && !code; k++) {
        const char *name = c->names.word[k];
        kb_order_request r = {.name = name, .seed = c->d->set.seed, .solvers = c->d->solvers,
                              .dt = c->dt[0], .threads = c->d->set.threads, .stop = &kb_stop};
        if (!wanted_order(c, name))
            continue;
        code = kb_order_get(&r, db, order, err);
        if (code)
            break;
        kb_sampled *s = &c->order[c->norders++];
        s->name = name;
        draw_warps(s, order, db->n, c->d->set.sample, c->d->set.seed);
        if (!strcmp(name, "shuffled"))
            c->shuffled = s;
    }
    return code;
}

static void unite(kb_costs *c)
{
    long n = c->d->db.n, room = 0;
    for (int k = 0; k < c->norders; k++)
        room += c->order[k].n;
    c->row = kb_alloc((size_t)(room < n ? room : n), sizeof *c->row);
    c->place = kb_alloc((size_t)n, sizeof *c->place);
    for (long i = 0; i < n; i++)
        c->place[i] = -1;
    for (int k = 0; k < c->norders; k++)
        for (long i = 0; i < c->order[k].n; i++) {
            long row = c->order[k].row[i];
            if (c->place[row] < 0) {
                c->place[row] = c->nrows;
                c->row[c->nrows++] = row;
            }
        }
}

int kb_costs_draw(kb_costs *c, kb_error *err)
{
    int code = draw_orders(c, err);
    if (!code)
        unite(c);
    return code;
}
