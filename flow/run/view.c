/* SPDX-License-Identifier: MIT
 *
 * The engine's work on the rows of one rank: it sees a grid of these rows alone.
 */
#include <math.h>

#include "flow/run/flow.h"

kb_flow_view kb_flow_view_of(const kb_flow *f, double *q)
{
    kb_flow_view v = {.stage = f->stage, .offset = f->rows[0] * f->stage.grid.pitch};
    kb_flow_stage *s = &v.stage;
    s->grid.ny = f->rows[1] - f->rows[0];
    s->inner = f->rows[0] > 0;
    v.q = q + v.offset;
    v.w = f->w + v.offset;
    v.next = f->next + v.offset;
    s->q = v.q;
    s->w = v.w;
    s->first = s->first ? s->first + v.offset : NULL;
    s->out = s->out ? s->out + v.offset : NULL;
    s->open = s->open ? s->open + v.offset : NULL;
    s->foil = s->foil ? s->foil + v.offset : NULL;
    s->blended = s->blended ? s->blended + v.offset : NULL;
    return v;
}

/* of all ranks; the first cell that is bad, counted in the whole grid */
static kb_flow_health agree(const kb_flow *f, kb_flow_health h, long offset)
{
    double most[2] = {h.rate, h.bad < 0 ? -INFINITY : -(double)(h.bad + offset)};
    kb_flow_most(f->options.world, most, 2);
    return (kb_flow_health){most[0], isinf(most[1]) ? -1 : (long)-most[1]};
}

kb_flow_health kb_flow_stage_rows(kb_flow *f, double *q)
{
    kb_flow_nets nets = {0, 0};
    kb_flow_swap(f, q, f->w);
    kb_flow_view v = kb_flow_view_of(f, q);
    kb_flow_health h = f->engine->stage(&v.stage, v.q, v.w, f->ghosts, v.next, &nets);
    double sum[2] = {(double)nets.scaled, (double)nets.blended};
    kb_flow_sum(f->options.world, sum, 2);
    f->nets.scaled += (long)sum[0];
    f->nets.blended += (long)sum[1];
    return agree(f, h, v.offset);
}

kb_flow_health kb_flow_primitive_rows(kb_flow *f)
{
    kb_flow_view v = kb_flow_view_of(f, f->q[0]);
    return agree(f, f->engine->primitive(&v.stage, v.q, v.w, 0), v.offset);
}
