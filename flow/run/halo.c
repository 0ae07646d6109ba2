/* SPDX-License-Identifier: MIT */
#include "flow/run/halo.h"

#include <limits.h>
#include <string.h>

#include "flow/run/flow.h"

int kb_flow_agree(const kb_flow_world *world, int code, kb_error *err)
{
    if (!world)
        return code;
    kb_error own = {.code = code};
    double first = code ? world->ranks - world->rank : 0;
    if (code && err)
        own = *err;
    own.code = code;
    world->most(&first, 1);
    if (first <= 0)
        return KB_OK;
    world->tell(world->ranks - (int)first, &own, sizeof own);
    return kb_fail(err, own.code, "%s", own.text);
}

int kb_flow_told(const kb_flow_world *world, int value)
{
    if (world)
        world->tell(0, &value, sizeof value);
    return value;
}

void kb_flow_sum(const kb_flow_world *world, double *x, int n)
{
    if (world)
        world->sum(x, n);
}

void kb_flow_most(const kb_flow_world *world, double *x, int n)
{
    if (world)
        world->most(x, n);
}

int kb_flow_writes(const kb_flow_world *world) { return !world || world->rank == 0; }

/* ---- rows ---- */

static int first_row(const kb_flow *f, int rank)
{
    return (int)((long)f->stage.grid.ny * rank / f->options.world->ranks);
}

/* of a row with the ghost cells at its ends, of which fixed ones are known to no other rank */
static size_t row_length(const kb_flow_grid *g) { return (size_t)g->nx + 2 * KB_GHOST; }

/* numbers that a rank swaps with one neighbour */
static long swapped(const kb_flow_grid *g)
{
    return (2 * g->nsp + 8) * KB_GHOST * (long)row_length(g);
}

int kb_flow_share_rows(kb_flow *f, kb_error *err)
{
    const kb_flow_world *world = f->options.world;
    int ny = f->stage.grid.ny, most = f->engine->most_rows, ranks = world ? world->ranks : 1;
    f->rows[0] = 0;
    f->rows[1] = ny;
    if (most && ny > (long)most * ranks)
        return kb_fail(err, KB_INVALID, "%d rows of cells on %d rank%s: engine %s takes %d on a "
                       "rank (exchange x and y by --turn, or share the rows among ranks)", ny,
                       ranks, ranks == 1 ? "" : "s", f->engine->engine, most);
    if (!world)
        return KB_OK;
    if (ny < KB_GHOST * world->ranks)
        return kb_fail(err, KB_INVALID, "%d ranks for %d row%s of cells: a rank needs %d or more",
                       world->ranks, ny, ny == 1 ? "" : "s", KB_GHOST);
    if (swapped(&f->stage.grid) > INT_MAX)
        return kb_fail(err, KB_INVALID, "%d ranks for rows of %d cells and %d species: they swap "
                       "%ld numbers, which MPI does not count (exchange x and y by --turn)",
                       world->ranks, f->stage.grid.nx, f->stage.grid.nsp, swapped(&f->stage.grid));
    f->rows[0] = first_row(f, world->rank);
    f->rows[1] = first_row(f, world->rank + 1);
    return KB_OK;
}

/* KB_GHOST rows from `row` on of all fields of q and w, into buffer or out of it */
static void move_rows(const kb_flow *f, double *q, double *w, int row, double *buffer, bool in)
{
    const kb_flow_grid *g = &f->stage.grid;
    size_t length = row_length(g);
    for (int k = 0; k < 2 * g->nsp + 8; k++)
        for (int j = row; j < row + KB_GHOST; j++, buffer += length) {
            double *at = (k < g->nsp + 3 ? q + k * g->plane : w + (k - g->nsp - 3) * g->plane) +
                         kb_flow_at(g, -KB_GHOST, j);
            memcpy(in ? buffer : at, in ? at : buffer, length * sizeof *at);
        }
}

void kb_flow_swap(kb_flow *f, double *q, double *w)
{
    const kb_flow_world *world = f->options.world;
    const kb_flow_grid *g = &f->stage.grid;
    if (!world)
        return;
    long n = swapped(g);
    double *room = kb_alloc(4 * (size_t)n, sizeof *room);
    double *to[2] = {room, room + n}, *from[2] = {room + 2 * n, room + 3 * n};
    bool around = f->problem.edge[KB_FLOW_SOUTH] == KB_FLOW_PERIODIC;
    int last = world->ranks - 1, me = world->rank;
    int south = me > 0 ? me - 1 : around ? last : -1, north = me < last ? me + 1 : around ? 0 : -1;
    move_rows(f, q, w, f->rows[0], to[0], true);
    move_rows(f, q, w, f->rows[1] - KB_GHOST, to[1], true);
    world->swap(south, north, to, from, n);
    if (south >= 0)
        move_rows(f, q, w, f->rows[0] - KB_GHOST, from[0], false);
    if (north >= 0)
        move_rows(f, q, w, f->rows[1], from[1], false);
    free(room);
}

void kb_flow_collect(const kb_flow *f)
{
    const kb_flow_world *world = f->options.world;
    const kb_flow_grid *g = &f->stage.grid;
    if (!world)
        return;
    long *first = kb_alloc((size_t)world->ranks + 1, sizeof *first);
    for (int r = 0; r <= world->ranks; r++)
        first[r] = kb_flow_at(g, -KB_LEFT, first_row(f, r));
    first[0] = 0; /* with the ghost rows at both ends */
    first[world->ranks] = g->plane;
    long planes = 3 * (g->nsp + 3) + (f->engine->fused ? 2 : 1) * (g->nsp + 5) +
                  (f->foil != NULL) + (f->blended != NULL);
    for (long k = 0; k < planes; k++)
        world->collect((double *)f->block + k * g->plane, first);
    free(first);
    kb_flow_collect_cost(f);
}

bool kb_flow_place(const kb_flow *f, long at, int *i, int *j)
{
    const kb_flow_grid *g = &f->stage.grid;
    *i = (int)(at % g->pitch) - KB_LEFT;
    *j = (int)(at / g->pitch) - KB_GHOST;
    return *j >= f->rows[0] && *j < f->rows[1];
}
