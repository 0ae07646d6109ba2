/* SPDX-License-Identifier: MIT
 *
 * The march in time: SSP-RK3 (Shu and Osher, J. Comput. Phys. 77, 1988), or one stage for schemes
 * that evolve their face states in time; steps that fail are taken back.
 */
#include <math.h>
#include <string.h>

#include "flow/run/flow.h"

enum { RETRIES = 5 };

static void exchange(double **a, double **b)
{
    double *c = *a;
    *a = *b;
    *b = c;
}

/* from buffer `from` into buffer `to`, along some directions; first: where the step began. The
 * first stage of a step adds the state it begins with to the foil: one that came from a step that
 * succeeded, so that a step which is taken back leaves nothing there. */
static kb_flow_health stage(kb_flow *f, int along, int first, int from, int to, double part,
                            double dt)
{
    kb_flow_stage *s = &f->stage;
    s->along = along;
    s->q = f->q[from];
    s->w = f->w;
    s->first = f->q[first];
    s->out = f->q[to];
    s->part = part;
    s->dt = dt;
    s->foil = from == 0 ? f->foil : NULL;
    for (int d = 0; d < 2; d++) {
        int now = along & (d ? KB_FLOW_Y : KB_FLOW_X);
        s->gravity[d] = now ? f->problem.gravity[d] : 0;
        f->faces += now ? (long)(s->grid.nx + !d) * (s->grid.ny + d) : 0;
    }
    kb_flow_health h = kb_flow_stage_rows(f, f->q[from]);
    s->foil = NULL;
    exchange(&f->w, &f->next);
    return h;
}

static int directions(const kb_flow *f)
{
    const kb_flow_grid *g = &f->stage.grid;
    return (g->nx > 1 ? KB_FLOW_X : 0) | (g->ny > 1 ? KB_FLOW_Y : 0);
}

/* stages of a step, each q[0] + part (q - q[0] + dt L(q)) of the state before it; the last one ends
 * in q[now] */
static kb_flow_health runge_kutta(kb_flow *f, double dt, int *now)
{
    int along = directions(f);
    kb_flow_health h = stage(f, along, 0, 0, 1, 1, dt);
    if (h.bad < 0)
        h = stage(f, along, 0, 1, 2, 0.25, dt);
    if (h.bad < 0)
        h = stage(f, along, 0, 2, 1, 2.0 / 3, dt);
    *now = 1;
    return h;
}

/* a scheme that evolves in time: one direction after the other, and in the next step the other way
 * round, which is of second order over two steps (Strang 1968) */
static kb_flow_health one_by_one(kb_flow *f, double dt, int *now)
{
    int along = directions(f), first = (f->step + f->options.turn) % 2 ? KB_FLOW_Y : KB_FLOW_X;
    bool both = along == (KB_FLOW_X | KB_FLOW_Y);
    kb_flow_health h = stage(f, both ? first : along, 0, 0, 1, 1, dt);
    if (both && h.bad < 0)
        h = stage(f, along - first, 1, 1, 2, 1, dt);
    *now = both ? 2 : 1;
    return h;
}

/* one step; which cell went bad, or -1. The state before it stays in q[0] until it has succeeded.
 */
static long advance(kb_flow *f, double dt)
{
    int now;
    kb_flow_health h = (f->engine->stages == 1 ? one_by_one : runge_kutta)(f, dt, &now);
    if (h.bad >= 0)
        return h.bad;
    exchange(&f->q[0], &f->q[now]);
    f->health = h;
    return -1;
}

/* primitive variables of the state in q[0] again */
static void restore(kb_flow *f) { f->health = kb_flow_primitive_rows(f); }

static int impossible(const kb_flow *f, long bad, double dt, kb_error *err)
{
    int i, j, code = KB_OK;
    bool mine = kb_flow_place(f, bad, &i, &j);
    kb_flow_point p;
    kb_flow_cell(f, i, j, &p);
    if (mine)
        code = kb_fail(err, KB_INVALID, "step %ld (t = %g, dt = %g): density, pressure or "
                       "temperature of cell (%d, %d) at x = %g, y = %g would be impossible; before "
                       "the step density = %g, u = %g, v = %g, p = %g%s", f->step + 1, f->t, dt, i,
                       j, kb_flow_x(f, i), kb_flow_y(f, j), kb_flow_density(f, i, j), p.u, p.v, p.p,
                       f->options.nets ? " (try a smaller CFL number)"
                                       : " (the positivity nets are off)");
    return kb_flow_agree(f->options.world, code, err);
}

/* chemistry before the flow's step: the half that is owed and the half of this step; none where it
 * is as far already, after a step that was tried again shorter */
static int react_before(kb_flow *f, double dt, kb_error *err)
{
    if (!f->chemistry || f->chemistry->splitting != KB_FLOW_STRANG || f->owed + 0.5 * dt <= 0)
        return KB_OK;
    int code = kb_flow_react(f, f->owed + 0.5 * dt, err);
    if (!code)
        f->owed = -0.5 * dt; /* ahead; the step adds what it takes */
    return code;
}

static int react_after(kb_flow *f, double dt, kb_error *err)
{
    if (!f->chemistry)
        return KB_OK;
    f->owed += dt;
    return f->chemistry->splitting == KB_FLOW_STRANG ? KB_OK : kb_flow_finish(f, err);
}

int kb_flow_finish(kb_flow *f, kb_error *err)
{
    int code = f->chemistry && f->owed > 0 ? kb_flow_react(f, f->owed, err) : KB_OK;
    if (!code)
        f->owed = 0;
    return code;
}

/* chemistry after a step that was interrupted between its two parts */
static int pay_godunov(kb_flow *f, kb_error *err)
{
    bool strang = f->chemistry && f->chemistry->splitting == KB_FLOW_STRANG;
    return strang ? KB_OK : kb_flow_finish(f, err);
}

int kb_flow_step(kb_flow *f, double most, kb_error *err)
{
    int code = pay_godunov(f, err);
    double dt = fmin(f->options.cfl / f->health.rate, most);
    code = code ? code : react_before(f, dt, err);
    if (code)
        return code;
    /* without nets nothing is mended: an impossible state ends the run at once */
    int tries = f->options.nets ? RETRIES : 0;
    size_t plane = (size_t)f->stage.grid.plane, size = f->blended ? plane * sizeof(double) : 0;
    for (int k = 0;; k++) {
        if (size)
            memcpy(f->blended + (k ? 0 : plane), f->blended + (k ? plane : 0), size);
        kb_flow_nets before = f->nets;
        long bad = advance(f, dt);
        if (bad < 0)
            break;
        f->nets = before;
        restore(f);
        if (k == tries)
            return impossible(f, bad, dt, err);
        f->retried++;
        dt *= 0.5;
    }
    f->t = dt == most ? f->t + most : f->t + dt;
    f->step++;
    return react_after(f, dt, err);
}

int kb_flow_transport(kb_flow *f, double dt, kb_error *err)
{
    kb_flow_chemistry *chemistry = f->chemistry;
    double end = f->t + dt, owed = f->owed;
    int code = KB_OK;
    f->chemistry = NULL;
    while (!code && f->t < end - 1e-9 * dt)
        code = kb_flow_step(f, end - f->t, err);
    f->chemistry = chemistry;
    f->owed = owed + dt;
    return code;
}

int kb_flow_run(kb_flow *f, double t, int (*watch)(void *data, const kb_flow *f, kb_error *err),
                void *data, kb_error *err)
{
    int code = KB_OK;
    while (!code && f->t < t * (1 - 1e-14)) {
        code = kb_flow_step(f, t - f->t, err);
        if (!code && watch)
            code = watch(data, f, err);
    }
    return code ? code : kb_flow_finish(f, err);
}
