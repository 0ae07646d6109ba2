/* SPDX-License-Identifier: MIT
 *
 * What is done in a cell: its new state from the fluxes through its faces, and its primitive
 * variables.
 */
#ifndef KB_FLOW_CELL_H
#define KB_FLOW_CELL_H

#include "flow/face.h"

/* gravity: 0 to the densities, rho g to the momentum, m . g to the energy */
kb_fn lane cell_gravity(const kb_flow_stage *stage, long at, int k)
{
    const double *q = stage->q + at;
    long plane = stage->grid.plane;
    lane rho = lane_load(q);
    if (k < NSP)
        return splat(0);
    if (k == NSP + 2)
        return lane_load(q + NSP * plane) * stage->gravity[0] +
               lane_load(q + (NSP + 1) * plane) * stage->gravity[1];
    for (int s = 1; s < NSP; s++)
        rho += lane_load(q + s * plane);
    return rho * stage->gravity[k - NSP];
}

kb_fn int cell_is_heavy(const kb_flow_stage *stage)
{
    return stage->gravity[0] != 0 || stage->gravity[1] != 0;
}

/* variable k of the cells at `at`, of which n count: the difference of the fluxes before and behind
 * times dt/dx, into out; first: with what belongs to no direction */
kb_fn void cell_update(const kb_flow_stage *stage, long at, int k, lane before, lane behind,
                       double h, int first, int n)
{
    long here = k * stage->grid.plane + at;
    lane add = h * (before - behind), old = lane_load((first ? stage->first : stage->out) + here);
    if (first && cell_is_heavy(stage))
        add += stage->dt * cell_gravity(stage, at, k);
    if (stage->open)
        add *= lane_load(stage->open + at);
    if (first)
        add += lane_load(stage->q + here) - old;
    lane_store(stage->out + here, old + stage->part * add, n);
}

/* W of the n cells at `at`, with T of guess (a W too) as first guess; their rate, and which are
 * impossible. Solid cells have no rate. */
kb_fn lane cell_primitive(const kb_flow_stage *stage, const double *q, const double *guess,
                          double *w, long at, int n, mask *bad)
{
    const kb_flow_grid *g = &stage->grid;
    lane rho[NSP], p, c2, T = lane_load(guess + (NSP + 4) * g->plane + at);
    for (int s = 0; s < NSP; s++)
        rho[s] = lane_load(q + s * g->plane + at);
    lane density = sum_species(rho), each = 1.0 / density;
    lane u = lane_load(q + NSP * g->plane + at) * each;
    lane v = lane_load(q + (NSP + 1) * g->plane + at) * each;
    lane energy = lane_load(q + (NSP + 2) * g->plane + at) - 0.5 * density * (u * u + v * v);
    gas_state(&stage->gas, rho, each, energy, &p, &c2, &T);
    const lane out[5] = {u, v, p, c2, T};
    for (int s = 0; s < NSP; s++)
        lane_store(w + s * g->plane + at, rho[s], n);
    for (int k = 0; k < 5; k++)
        lane_store(w + (NSP + k) * g->plane + at, out[k], n);
    lane c = vsqrt(c2), rate = splat(0);
    if (g->nx > 1)
        rate += (vabs(u) + c) * (1.0 / g->dx);
    if (g->ny > 1)
        rate += (vabs(v) + c) * (1.0 / g->dy);
    *bad = not_((density > splat(0)) & (p > splat(0)) & is_finite(rate) & is_finite(T));
    if (stage->open) {
        mask solid = lane_load(stage->open + at) == splat(0);
        rate = vselect(solid, splat(0), rate);
        *bad &= not_(solid);
    }
    return rate;
}

#endif
