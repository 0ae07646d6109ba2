/* SPDX-License-Identifier: MIT
 *
 * Cell means of a case's state.
 */
#include <math.h>
#include <string.h>

#include "flow/run/flow.h"

/* Gauss' rule of four points on [-1/2, 1/2] */
static const double gauss_x[4] = {-0.430568155797026287, -0.169990521792428132,
                                  0.169990521792428132, 0.430568155797026287};
static const double gauss_w[4] = {0.173927422568726929, 0.326072577431273071,
                                  0.326072577431273071, 0.173927422568726929};

enum { POINTS = 20 }; /* of a cell with jumps, each way */

static void state_at(const kb_flow *f, double x, double y, double t, kb_flow_point *p)
{
    const kb_flow_case *c = &f->problem;
    if (!f->options.turn) {
        c->state(c, x, y, t, p);
        return;
    }
    c->state(c, y, x, t, p);
    double u = p->u;
    p->u = p->v;
    p->v = u;
}

static void add_point(const kb_flow *f, double x, double y, double t, double weight, double *q)
{
    int nsp = f->stage.grid.nsp;
    double density = 0;
    kb_flow_point p;
    state_at(f, x, y, t, &p);
    for (int s = 0; s < nsp; s++) {
        q[s] += weight * p.rho[s];
        density += p.rho[s];
    }
    q[nsp] += weight * density * p.u;
    q[nsp + 1] += weight * density * p.v;
    q[nsp + 2] += weight * (f->engine->energy(&f->stage.gas, p.rho, p.p) +
                            0.5 * density * (p.u * p.u + p.v * p.v));
}

/* point k of n of a cell along one direction; the centre alone where the grid has one cell */
static double point(int k, int n, bool smooth, double *weight)
{
    *weight = n == 1 ? 1 : smooth ? gauss_w[k] : 1.0 / n;
    return n == 1 ? 0 : smooth ? gauss_x[k] : (k + 0.5) / n - 0.5;
}

void kb_flow_cell_mean(const kb_flow *f, int i, int j, double t, int smooth, double *q)
{
    const kb_flow_grid *g = &f->stage.grid;
    int points = smooth ? 4 : POINTS;
    int nx = g->nx > 1 ? points : 1, ny = g->ny > 1 ? points : 1;
    memset(q, 0, (size_t)(g->nsp + 3) * sizeof *q);
    for (int b = 0; b < ny; b++)
        for (int a = 0; a < nx; a++) {
            double wx, wy;
            double x = kb_flow_x(f, i) + g->dx * point(a, nx, smooth, &wx);
            double y = kb_flow_y(f, j) + g->dy * point(b, ny, smooth, &wy);
            add_point(f, x, y, t, wx * wy, q);
        }
}

/* a number in [-1, 1) that depends on seed and cell alone: splitmix64 (Steele et al. 2014) */
static double noise_of(unsigned long long seed, long cell)
{
    unsigned long long z = seed + 0x9e3779b97f4a7c15ULL * ((unsigned long long)cell + 1);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

static void fill_cell(kb_flow *f, int i, int j, double *q)
{
    const kb_flow_grid *g = &f->stage.grid;
    long at = kb_flow_at(g, i, j);
    bool inside = i >= 0 && i < g->nx && j >= 0 && j < g->ny;
    kb_flow_cell_mean(f, i, j, 0, 1, q);
    if (f->options.noise > 0 && inside)
        for (int s = 0; s < g->nsp; s++)
            q[s] *= 1 + f->options.noise * noise_of(f->options.seed, (long)j * g->nx + i);
    for (int k = 0; k < g->nsp + 3; k++)
        for (int b = 0; b < 3; b++)
            f->q[b][k * g->plane + at] = q[k];
}

void kb_flow_fill(kb_flow *f)
{
    const kb_flow_grid *g = &f->stage.grid;
    int gx = g->nx > 1 ? KB_GHOST : 0, gy = g->ny > 1 ? KB_GHOST : 0;
#pragma omp parallel for schedule(dynamic, 8)
    for (int j = f->rows[0] - gy; j < f->rows[1] + gy; j++) {
        double *q = kb_alloc((size_t)g->nsp + 3, sizeof *q);
        for (int i = -gx; i < g->nx + gx; i++)
            fill_cell(f, i, j, q);
        free(q);
    }
}
