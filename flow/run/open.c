/* SPDX-License-Identifier: MIT
 *
 * Making a run: checks, the grid, the fields, the state at the start.
 */
#include <math.h>
#include <string.h>

#include "flow/run/flow.h"

void kb_flow_defaults(const kb_flow_case *c, kb_flow_options *o)
{
    *o = (kb_flow_options){.nx = c->nx, .ny = c->y1 > c->y0 ? c->ny : 1, .end = c->end,
                           .cfl = c->cfl, .variables = c->variables, .riemann = c->riemann,
                           .nets = KB_FLOW_SCALE | KB_FLOW_BLEND, .noise = c->noise, .seed = 1};
}

/* ---- checks ---- */

static int check_cells(const kb_flow_case *c, const kb_flow_options *o, kb_error *err)
{
    bool flat = c->y1 <= c->y0;
    if (o->nx < 4)
        return kb_fail(err, KB_INVALID, "nx = %d: the schemes need 4 cells or more", o->nx);
    if (flat && o->ny != 1)
        return kb_fail(err, KB_INVALID, "ny = %d: case %s has one dimension", o->ny, c->name);
    if (!flat && o->ny < 4)
        return kb_fail(err, KB_INVALID, "ny = %d: the schemes need 4 cells or more", o->ny);
    if ((long)o->nx * o->ny > KB_FLOW_SPACE)
        return kb_fail(err, KB_INVALID, "%d x %d cells: more than %ld", o->nx, o->ny,
                       KB_FLOW_SPACE);
    return KB_OK;
}

static int check(const kb_flow_case *c, const kb_flow_options *o, const kb_flow_engine *e,
                 kb_error *err)
{
    int code = check_cells(c, o, err);
    if (code)
        return code;
    if (!(o->cfl > 0 && o->cfl <= 1))
        return kb_fail(err, KB_INVALID, "cfl = %g: must be above 0 and at most 1", o->cfl);
    if (!(o->end > 0 && isfinite(o->end)))
        return kb_fail(err, KB_INVALID, "end = %g: must be above 0", o->end);
    if (!(o->noise >= 0 && o->noise < 1))
        return kb_fail(err, KB_INVALID, "noise = %g: must be in [0, 1)", o->noise);
    if (e->nsp != c->nsp)
        return kb_fail(err, KB_INVALID, "case %s has %d species, the gas %d", c->name, c->nsp,
                       e->nsp);
    if (o->variables == KB_FLOW_CONSERVED && c->nsp > 1)
        return kb_fail(err, KB_INVALID, "variables conserved: for one ideal gas alone (case %s has "
                       "%d species)", c->name, c->nsp);
    if (e->corners && c->solid)
        return kb_fail(err, KB_INVALID, "scheme %s: for cases without solid cells (case %s has "
                       "some)", e->scheme, c->name);
    return KB_OK;
}

/* ---- grid and fields ---- */

static void exchange(double *a, double *b)
{
    double c = *a;
    *a = *b;
    *b = c;
}

/* the case with x and y exchanged; its functions are turned where they are called */
static void turn_case(kb_flow *f)
{
    kb_flow_case *c = &f->problem;
    exchange(&c->x0, &c->y0);
    exchange(&c->x1, &c->y1);
    exchange(&c->gravity[0], &c->gravity[1]);
    for (int k = 0; k < 2; k++) {
        kb_flow_edge e = c->edge[k];
        c->edge[k] = c->edge[2 + k];
        c->edge[2 + k] = e;
    }
    int n = f->options.nx;
    f->options.nx = f->options.ny;
    f->options.ny = n;
}

static void make_grid(kb_flow *f)
{
    const kb_flow_case *c = &f->problem;
    kb_flow_grid *g = &f->stage.grid;
    g->nx = f->options.nx;
    g->ny = f->options.ny;
    g->nsp = c->nsp;
    g->x0 = c->x0;
    g->y0 = c->y0;
    g->dx = c->x1 > c->x0 ? (c->x1 - c->x0) / g->nx : 1;
    g->dy = c->y1 > c->y0 ? (c->y1 - c->y0) / g->ny : 1;
    g->pitch = (KB_LEFT + g->nx + KB_RIGHT + 7) / 8 * 8;
    if (g->pitch % 64 == 0)
        g->pitch += 8; /* rows must not fall into one set of a cache */
    g->plane = g->pitch * (g->ny + 2 * KB_GHOST);
}

/* the rows of this rank, with those of its ghost cells, of n planes */
static void clear_rows(const kb_flow *f, double *at, long n)
{
    const kb_flow_grid *g = &f->stage.grid;
    size_t size = (size_t)((f->rows[1] - f->rows[0] + 2 * KB_GHOST) * g->pitch) * sizeof *at;
    for (long k = 0; k < n; k++)
        memset(at + k * g->plane + f->rows[0] * g->pitch, 0, size);
}

static int make_fields(kb_flow *f, kb_error *err)
{
    const kb_flow_grid *g = &f->stage.grid;
    size_t plane = (size_t)g->plane, nq = (size_t)g->nsp + 3, nw = (size_t)g->nsp + 5;
    size_t more = 1u + f->problem.foil + 2u * f->options.blended;
    size_t count = (3 * nq + (f->engine->fused ? 2 : 1) * nw + more) * plane + 64;
    double *at = f->block = f->engine->alloc(count * sizeof *at);
    bool gpu = !strcmp(f->engine->engine, "gpu");
    if (!at)
        return kb_fail(err, gpu ? KB_NOTHING : KB_INVALID, "engine %s: %sno memory for %d x %d "
                       "cells (%.3g GB)", f->engine->engine, gpu ? "no GPU, or " : "", g->nx, g->ny,
                       (double)count * 8e-9);
    clear_rows(f, at, (long)(count / plane));
    for (int b = 0; b < 3; b++, at += nq * plane)
        f->q[b] = at;
    f->w = f->next = at;
    at += nw * plane;
    if (f->engine->fused) {
        f->next = at;
        at += nw * plane;
    }
    f->foil = f->problem.foil ? at : NULL; /* beside W, as checkpoints expect it */
    at += f->problem.foil ? plane : 0;
    f->blended = f->options.blended ? at : NULL;
    at += f->options.blended ? 2 * plane : 0;
    f->stage.blended = f->blended;
    f->open = f->problem.solid ? memset(at, 0, (plane + 64) * sizeof *at) : NULL;
    return KB_OK;
}

static void mark_solid(kb_flow *f)
{
    const kb_flow_grid *g = &f->stage.grid;
    for (int j = 0; f->open && j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            double x = kb_flow_x(f, i), y = kb_flow_y(f, j);
            bool turn = f->options.turn;
            bool solid = f->problem.solid(&f->problem, turn ? y : x, turn ? x : y);
            f->open[kb_flow_at(g, i, j)] = !solid;
        }
    f->stage.open = f->open;
}

static int impossible_start(const kb_flow *f, kb_error *err)
{
    int i, j, code = KB_OK;
    bool mine = kb_flow_place(f, f->health.bad, &i, &j);
    kb_flow_point p;
    kb_flow_cell(f, i, j, &p);
    if (mine)
        code = kb_fail(err, KB_INVALID, "case %s: the state at the start is impossible in cell "
                       "(%d, %d) at x = %g, y = %g: density = %g, u = %g, v = %g, p = %g",
                       f->problem.name, i, j, kb_flow_x(f, i), kb_flow_y(f, j),
                       kb_flow_density(f, i, j), p.u, p.v, p.p);
    return kb_flow_agree(f->options.world, code, err);
}

int kb_flow_open(kb_flow *f, const kb_flow_case *c, const kb_flow_options *o,
                 const kb_flow_engine *engine, kb_error *err)
{
    *f = (kb_flow){.problem = *c, .options = *o, .engine = engine};
    int code = check(c, o, engine, err);
    if (code)
        return code;
    if (o->cfl > 0.5) /* its proof needs half a cell: beyond, it would act everywhere */
        f->options.nets &= ~KB_FLOW_BLEND;
    if (o->turn)
        turn_case(f);
    f->stage = (kb_flow_stage){.gas = c->gas, .variables = o->variables, .riemann = o->riemann,
                               .nets = f->options.nets,
                               .gravity = {f->problem.gravity[0], f->problem.gravity[1]}};
    f->stage.gas.ratio = c->gas.R[0] / c->gas.cv[0];
    f->stage.gas.inverse = c->gas.cv[0] / c->gas.R[0];
    make_grid(f);
    code = kb_flow_share_rows(f, err);
    if (code)
        return code;
    code = make_fields(f, err);
    if (!code)
        mark_solid(f);
    code = kb_flow_agree(o->world, code ? code : kb_flow_make_ghosts(f, err), err);
    if (code)
        return code;
    kb_flow_fill(f);
    kb_flow_view v = kb_flow_view_of(f, f->q[0]);
    engine->primitive(&v.stage, v.q, v.next, 1);
    engine->primitive(&v.stage, v.q, v.w, 1);
    f->health = kb_flow_primitive_rows(f);
    return f->health.bad < 0 ? KB_OK : impossible_start(f, err);
}

void kb_flow_take(kb_flow *f, const kb_flow *from)
{
    size_t plane = (size_t)f->stage.grid.plane * sizeof(double);
    memcpy(f->q[0], from->q[0], ((size_t)f->stage.grid.nsp + 3) * plane);
    memcpy(f->w, from->w, ((size_t)f->stage.grid.nsp + 5) * plane);
    if (f->foil)
        memcpy(f->foil, from->foil, plane);
    f->health = from->health;
    f->t = from->t;
    f->step = from->step;
    f->owed = from->owed;
}

void kb_flow_close(kb_flow *f)
{
    kb_flow_free_ghosts(f);
    if (f->block)
        f->engine->release(f->block);
    *f = (kb_flow){0};
}
