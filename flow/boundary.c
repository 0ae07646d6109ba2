/* SPDX-License-Identifier: MIT
 *
 * Ghost cells. A ghost cell of a solid corner differs with the direction, so there is one table for
 * each, which is applied just before the sweep of that direction.
 */
#include "flow/flow.h"

typedef struct {
    kb_flow *f;
    int direction;
    kb_flow_ghosts *to;
} table;

/* along a line: its cells k in direction, at place `line` of the other */
static long place(const table *t, int k, int line)
{
    const kb_flow_grid *g = &t->f->stage.grid;
    return t->direction ? kb_flow_at(g, line, k) : kb_flow_at(g, k, line);
}

static void add(table *t, int line, int ghost, int source, int mirror)
{
    kb_flow_ghosts *to = t->to;
    if ((to->n & (to->n - 1)) == 0) { /* full at powers of two */
        size_t room = to->n ? 2 * (size_t)to->n : 1;
        to->ghost = kb_realloc(to->ghost, room, sizeof *to->ghost);
        to->source = kb_realloc(to->source, room, sizeof *to->source);
        to->mirror = kb_realloc(to->mirror, room, 1);
    }
    to->ghost[to->n] = place(t, ghost, line);
    to->source[to->n] = place(t, source, line);
    to->mirror[to->n++] = (unsigned char)mirror;
}

/* cells first .. last - 1 of a line are fluid; what lies behind the last one, or with way = -1 before
 * the first one */
static void close_end(table *t, int line, int first, int last, int way, kb_flow_edge kind)
{
    int end = way > 0 ? last - 1 : first, length = last - first;
    for (int k = 1; k <= KB_GHOST; k++) {
        int ghost = end + way * k, inner = k - 1 < length ? k - 1 : length - 1;
        switch (kind) {
        case KB_FLOW_PERIODIC:
            add(t, line, ghost, first + ((ghost - first) % length + length) % length, 0);
            break;
        case KB_FLOW_OUTFLOW: add(t, line, ghost, end, 0); break;
        case KB_FLOW_WALL: add(t, line, ghost, end - way * inner, 1); break;
        case KB_FLOW_FIXED: break;
        }
    }
}

static bool solid_at(const table *t, int k, int line)
{
    return t->f->open && t->f->open[place(t, k, line)] == 0;
}

static void make_line(table *t, int line, int n)
{
    const kb_flow_edge *edge = t->f->problem.edge + 2 * t->direction;
    for (int first = 0, last; first < n; first = last + 1) {
        for (last = first; last < n && !solid_at(t, last, line); last++)
            ;
        if (last == first)
            continue;
        close_end(t, line, first, last, -1, first ? KB_FLOW_WALL : edge[0]);
        close_end(t, line, first, last, 1, last < n ? KB_FLOW_WALL : edge[1]);
    }
}

void kb_flow_make_ghosts(kb_flow *f)
{
    const kb_flow_grid *g = &f->stage.grid;
    for (int d = 0; d < 2; d++) {
        table t = {f, d, &f->ghosts[d]};
        int n = d ? g->ny : g->nx, lines = d ? g->nx : g->ny;
        for (int line = 0; n > 1 && line < lines; line++)
            make_line(&t, line, n);
    }
}

static void fill_field(const kb_flow_ghosts *t, double *field, int changes)
{
    for (long i = 0; i < t->n; i++) {
        double value = field[t->source[i]];
        field[t->ghost[i]] = changes && t->mirror[i] ? -value : value;
    }
}

void kb_flow_fill_ghosts(const kb_flow *f, int direction, double *q)
{
    const kb_flow_grid *g = &f->stage.grid;
    const kb_flow_ghosts *t = &f->ghosts[direction];
    int normal = g->nsp + direction; /* in q as in w */
    for (int k = 0; k < g->nsp + 3; k++)
        fill_field(t, q + k * g->plane, k == normal);
    for (int k = 0; k < g->nsp + 5; k++)
        fill_field(t, f->w + k * g->plane, k == normal);
}

void kb_flow_free_ghosts(kb_flow *f)
{
    for (int d = 0; d < 2; d++) {
        free(f->ghosts[d].ghost);
        free(f->ghosts[d].source);
        free(f->ghosts[d].mirror);
    }
}
