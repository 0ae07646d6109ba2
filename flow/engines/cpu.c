/* SPDX-License-Identifier: MIT
 *
 * The engines cpu-scalar (KB_LANES 1) and cpu-simd for one scheme and one gas: OpenMP threads over
 * rows. Exports the kb_flow_engine KB_FLOW_NAME.
 */
#include <omp.h>
#include <stdlib.h>

#include "flow/engines/engine.h"
#include "flow/scheme/cell.h"

/* numbers of one field in a row of fluxes: one before the first cell, and a vector to write over */
static long row_length(const kb_flow_grid *g)
{
    return (g->nx + 1 + 2 * KB_LANES) / 8 * 8 + 8;
}

/* worth more than one thread? */
static int many_cells(const kb_flow_grid *g)
{
    return g->ny > 8 && (long)g->nx * g->ny >= 16384;
}

/* faces of which a neighbour is fluid; counted: not those that another thread counts */
static void count_nets(const kb_flow_stage *stage, long at, long stride, face_nets m, int n,
                       kb_flow_nets *nets)
{
    const double *open = stage->open;
    if (open) {
        mask fluid = (lane_load(open + at) + lane_load(open + at + stride)) > splat(0);
        m.scaled &= fluid;
        m.blended &= fluid;
    }
    nets->scaled += lanes_counted(m.scaled, n);
    nets->blended += lanes_counted(m.blended, n);
    for (int l = 0; stage->blended && l < n; l++)
        stage->blended[at + l] += mask_get(m.blended, l) ? 1 : 0;
}

/* fluxes of the n faces after the cells from `at` on, in a row; flux [NQ][length] */
static void flux_row(const kb_flow_stage *stage, int direction, long at, long n, double *flux,
                     kb_flow_nets *nets)
{
    const kb_flow_grid *g = &stage->grid;
    long stride = direction ? g->pitch : 1, length = row_length(g);
    double h = stage->dt / (direction ? g->dy : g->dx);
    for (long i = 0; i < n; i += KB_LANES) {
        face_cells f = {stage->q + at + i, stage->w + at + i, stride, g->plane, direction,
                        1 - direction};
        lane F[NQ];
        face_nets m = face_flux(stage, &f, h, F);
        for (int s = 0; s < NSP; s++)
            lane_store(flux + s * length + i, F[s], KB_LANES);
        lane_store(flux + (NSP + direction) * length + i, F[NSP], KB_LANES);
        lane_store(flux + (NSP + 1 - direction) * length + i, F[NSP + 1], KB_LANES);
        lane_store(flux + (NSP + 2) * length + i, F[NSP + 2], KB_LANES);
        if (nets && lane_any(m.scaled | m.blended))
            count_nets(stage, at + i, stride, m, (int)(n - i < KB_LANES ? n - i : KB_LANES), nets);
    }
}

/* the cells of row j: the difference of the fluxes before and behind, into out; first: with what
 * does not belong to a direction */
static void update_row(const kb_flow_stage *stage, int j, const double *before,
                       const double *behind, double share, int first)
{
    const kb_flow_grid *g = &stage->grid;
    long length = row_length(g), row = kb_flow_at(g, 0, j);
    for (int k = 0; k < NQ; k++) {
        const double *a = before + k * length, *b = behind + k * length;
        for (int i = 0; i < g->nx; i += KB_LANES)
            cell_update(stage, row + i, k, lane_load(a + i), lane_load(b + i), share, first,
                        g->nx - i);
    }
}

/* rows from .. to - 1; flux has room for two rows */
static void sweep_x(const kb_flow_stage *stage, int from, int to, double *flux, kb_flow_nets *nets)
{
    const kb_flow_grid *g = &stage->grid;
    for (int j = from; j < to; j++) {
        flux_row(stage, 0, kb_flow_at(g, -1, j), g->nx + 1, flux, nets);
        update_row(stage, j, flux, flux + 1, stage->dt / g->dx, 1);
    }
}

static void sweep_y(const kb_flow_stage *stage, int from, int to, double *flux, kb_flow_nets *nets)
{
    const kb_flow_grid *g = &stage->grid;
    double *before = flux, *behind = flux + NQ * row_length(g);
    if (from < to)
        flux_row(stage, 1, kb_flow_at(g, 0, from - 1), g->nx, before,
                 from || stage->inner ? NULL : nets);
    for (int j = from; j < to; j++) {
        flux_row(stage, 1, kb_flow_at(g, 0, j), g->nx, behind, nets);
        update_row(stage, j, before, behind, stage->dt / g->dy, !(stage->along & KB_FLOW_X));
        double *swap = before;
        before = behind;
        behind = swap;
    }
}

static void *alloc(size_t size) { return aligned_alloc(64, (size + 63) / 64 * 64); }

/* ghost cells of one direction: copies of fields of q and w */
static void ghosts(const kb_flow_stage *stage, int direction, double *q, double *w,
                   const kb_flow_ghosts *table)
{
    long plane = stage->grid.plane;
    for (int k = 0; k < 2 * NSP + 8; k++) {
        int field = k < NQ ? k : k - NQ, changes = field == NSP + direction;
        double *at = (k < NQ ? q : w) + field * plane;
        for (long i = 0; i < table->n; i++) {
            double value = at[table->source[i]];
            at[table->ghost[i]] = changes && table->mirror[i] ? -value : value;
        }
    }
}

/* fluxes along one direction (0: x, 1: y) and their sum into stage->out */
static void sweep(const kb_flow_stage *stage, int direction, kb_flow_nets *nets)
{
    long scaled = 0, blended = 0;
    size_t size = (size_t)(2 * NQ * row_length(&stage->grid)) * sizeof(double);
#pragma omp parallel reduction(+ : scaled, blended) if (many_cells(&stage->grid))
    {
        int threads = omp_get_num_threads(), me = omp_get_thread_num(), ny = stage->grid.ny;
        int from = (int)((long)ny * me / threads), to = (int)((long)ny * (me + 1) / threads);
        double *flux = aligned_alloc(64, (size + 63) / 64 * 64);
        kb_flow_nets mine = {0, 0};
        if (!flux)
            abort();
        (direction ? sweep_y : sweep_x)(stage, from, to, flux, &mine);
        free(flux);
        scaled += mine.scaled;
        blended += mine.blended;
    }
    nets->scaled += scaled;
    nets->blended += blended;
}

static void primitive_row(const kb_flow_stage *stage, const double *q, double *w, int j, int ghosts,
                          double *most, long *bad)
{
    const kb_flow_grid *g = &stage->grid;
    int from = ghosts && g->nx > 1 ? -KB_GHOST : 0, to = g->nx - from;
    lane high = splat(0);
    for (int i = from; i < to; i += KB_LANES) {
        mask wrong;
        long at = kb_flow_at(g, i, j);
        int n = to - i < KB_LANES ? to - i : KB_LANES;
        lane rate = cell_primitive(stage, q, w, w, at, n, &wrong);
        for (int l = n; l < KB_LANES; l++) {
            lane_put(&rate, l, 0);
            mask_put(&wrong, l, 0);
        }
        high = lane_max(high, rate);
        for (int l = 0; lane_any(wrong) && l < n; l++)
            if (mask_get(wrong, l) && (*bad < 0 || at + l < *bad))
                *bad = at + l;
    }
    for (int l = 0; l < KB_LANES; l++)
        *most = fmax(*most, lane_get(high, l));
}

static kb_flow_health primitive(const kb_flow_stage *stage, const double *q, double *w, int ghosts)
{
    int ny = stage->grid.ny, first = ghosts && ny > 1 ? -KB_GHOST : 0;
    double most = 0;
    long least = -1;
#pragma omp parallel if (many_cells(&stage->grid))
    {
        double rate = 0;
        long bad = -1;
#pragma omp for nowait schedule(static)
        for (int j = first; j < ny - first; j++)
            primitive_row(stage, q, w, j, ghosts, &rate, &bad);
#pragma omp critical
        {
            most = fmax(most, rate);
            if (bad >= 0 && (least < 0 || bad < least))
                least = bad;
        }
    }
    return (kb_flow_health){most, least};
}

static kb_flow_health stage(const kb_flow_stage *stage, double *q, double *w,
                            const kb_flow_ghosts tables[2], double *next, kb_flow_nets *nets)
{
    for (int d = 0; d < 2; d++)
        if (KB_CORNERS && stage->along & (d ? KB_FLOW_Y : KB_FLOW_X))
            ghosts(stage, d, q, w, &tables[d]);
    for (int d = 0; d < 2; d++) {
        if (!(stage->along & (d ? KB_FLOW_Y : KB_FLOW_X)))
            continue;
        if (!KB_CORNERS)
            ghosts(stage, d, q, w, &tables[d]);
        sweep(stage, d, nets);
    }
    return primitive(stage, stage->out, next, 0);
}

static double energy(const kb_flow_gas *gas, const double *rho, double p)
{
    lane r[NSP], e, c2;
    for (int s = 0; s < NSP; s++)
        r[s] = splat(rho[s]);
    gas_energy(gas, r, 1.0 / sum_species(r), splat(p), &e, &c2);
    return lane_get(e, 0);
}

#define TEXT2(x) #x
#define TEXT(x) TEXT2(x)
const kb_flow_engine KB_FLOW_NAME = {
    .scheme = TEXT(KB_SCHEME), .engine = KB_LANES == 1 ? "cpu-scalar" : "cpu-simd", .nsp = NSP,
    .stages = KB_STAGES, .corners = KB_CORNERS, .alloc = alloc,
    .release = free, .stage = stage, .primitive = primitive, .energy = energy};
