/* SPDX-License-Identifier: MIT
 *
 * Ghost cells. A ghost cell of a solid corner differs with the direction, so there is one table for
 * each, which is applied just before the sweep of that direction.
 */
#include "flow/run/flow.h"

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

/* counts alone while the table has no arrays */
static void add(table *t, int line, int ghost, int source, int mirror)
{
    kb_flow_ghosts *to = t->to;
    const int *rows = t->f->rows;
    long offset = rows[0] * t->f->stage.grid.pitch;
    int high = t->direction ? ghost : line, other = t->direction ? source : line;
    /* what this rank does not touch; sources of other ranks come by kb_flow_swap */
    if (high < rows[0] - KB_GHOST || high >= rows[1] + KB_GHOST || other < rows[0] - KB_GHOST ||
        other >= rows[1] + KB_GHOST)
        return;
    if (to->ghost) {
        to->ghost[to->n] = place(t, ghost, line) - offset;
        to->source[to->n] = place(t, source, line) - offset;
        to->mirror[to->n] = (unsigned char)mirror;
    }
    to->n++;
}

/* cells first .. last - 1 of a line are fluid; what lies behind the last one, or with way = -1
 * before the first one */
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

static void make_lines(table *t)
{
    const kb_flow_grid *g = &t->f->stage.grid;
    int n = t->direction ? g->ny : g->nx, lines = t->direction ? g->nx : g->ny;
    /* in corners, too: along y, which comes second; along x in rows that kb_flow_swap brings from
     * the other end of the grid */
    bool around = t->f->options.world && t->f->problem.edge[KB_FLOW_SOUTH] == KB_FLOW_PERIODIC;
    int more = t->f->engine->corners && lines > 1 && (t->direction || around) ? KB_GHOST : 0;
    t->to->n = 0;
    for (int line = -more; n > 1 && line < lines + more; line++)
        make_line(t, line, n);
}

/* in the engine's memory: places first, which are the larger numbers */
static int make_arrays(kb_flow *f, kb_flow_ghosts *to, kb_error *err)
{
    size_t n = (size_t)to->n;
    if (n == 0)
        return KB_OK;
    to->ghost = f->engine->alloc(n * (2 * sizeof *to->ghost + 1));
    if (!to->ghost)
        return kb_fail(err, KB_INVALID, "no memory for %zu ghost cells", n);
    to->source = to->ghost + n;
    to->mirror = (unsigned char *)(to->source + n);
    return KB_OK;
}

int kb_flow_make_ghosts(kb_flow *f, kb_error *err)
{
    int code = KB_OK;
    for (int d = 0; d < 2 && !code; d++) {
        table t = {f, d, &f->ghosts[d]};
        make_lines(&t);
        code = make_arrays(f, t.to, err);
        if (!code && t.to->ghost)
            make_lines(&t);
    }
    return code;
}

void kb_flow_free_ghosts(kb_flow *f)
{
    for (int d = 0; d < 2; d++)
        if (f->ghosts[d].ghost)
            f->engine->release(f->ghosts[d].ghost);
}
