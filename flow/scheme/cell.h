/* SPDX-License-Identifier: MIT
 *
 * What is done in a cell: its new state from the fluxes through its faces, and its primitive
 * variables.
 */
#pragma once

#include "flow/scheme/face.h"

/* Variable k, which gravity acts with: where one stage is the whole step its mean over the step.
 * Variables are updated in their order, so that those needed have their new values in out. */
kb_fn lane cell_heavy(const kb_flow_stage *stage, long at, int k)
{
    long here = k * stage->grid.plane + at;
    lane now = lane_load(stage->q + here);
    return KB_STAGES == 1 ? 0.5 * (now + lane_load(stage->out + here)) : now;
}

/* gravity: 0 to the densities, rho g to the momentum, m . g to the energy */
kb_fn lane cell_gravity(const kb_flow_stage *stage, long at, int k)
{
    if (k < NSP)
        return splat(0);
    if (k == NSP + 2)
        return cell_heavy(stage, at, NSP) * stage->gravity[0] +
               cell_heavy(stage, at, NSP + 1) * stage->gravity[1];
    lane rho = cell_heavy(stage, at, 0);
    for (int s = 1; s < NSP; s++)
        rho += cell_heavy(stage, at, s);
    return rho * stage->gravity[k - NSP];
}

kb_fn int cell_is_heavy(const kb_flow_stage *stage)
{
    return stage->gravity[0] != 0 || stage->gravity[1] != 0;
}

/* variable k of the cells at `at` after the difference of the fluxes before and behind times dt/dx:
 * what is to be stored; first: from stage->first, with what belongs to no direction, else from
 * sofar, what another direction has left */
kb_fn lane cell_new(const kb_flow_stage *stage, long at, int k, lane sofar, lane before,
                    lane behind, double h, int first)
{
    long here = k * stage->grid.plane + at;
    lane add = h * (before - behind), old = first ? lane_load(stage->first + here) : sofar;
    if (first && cell_is_heavy(stage))
        add += stage->dt * cell_gravity(stage, at, k);
    if (stage->open)
        add *= lane_load(stage->open + at);
    if (first)
        add += lane_load(stage->q + here) - old;
    return old + stage->part * add;
}

/* the same for the n cells at `at`, into out, where another direction has left it */
kb_fn void cell_update(const kb_flow_stage *stage, long at, int k, lane before, lane behind,
                       double h, int first, int n)
{
    double *out = stage->out + k * stage->grid.plane + at;
    lane_store(out, cell_new(stage, at, k, lane_load(out), before, behind, h, first), n);
}

/* W of the n cells at `at` from Q, with T of guess (a W too) as first guess; their rate, and which
 * are impossible. Solid cells have no rate. The pressure of guess goes into the foil. */
kb_fn lane cell_state(const kb_flow_stage *stage, const lane Q[NQ], const double *guess, double *w,
                      long at, int n, mask *bad)
{
    const kb_flow_grid *g = &stage->grid;
    lane p, c2, T = lane_load(guess + (NSP + 4) * g->plane + at);
    lane density = sum_species(Q), each = 1.0 / density;
    lane u = Q[NSP] * each, v = Q[NSP + 1] * each;
    lane energy = Q[NSP + 2] - 0.5 * density * (u * u + v * v);
    gas_state(&stage->gas, Q, each, energy, &p, &c2, &T);
    const lane out[5] = {u, v, p, c2, T};
    if (stage->foil) { /* before w is overwritten, which may be guess */
        lane peak = lane_load(stage->foil + at);
        lane_store(stage->foil + at, lane_max(peak, lane_load(guess + (NSP + 2) * g->plane + at)),
                   n);
    }
    for (int s = 0; s < NSP; s++)
        lane_store(w + s * g->plane + at, Q[s], n);
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

/* the same from q */
kb_fn lane cell_primitive(const kb_flow_stage *stage, const double *q, const double *guess,
                          double *w, long at, int n, mask *bad)
{
    lane Q[NQ];
    for (int k = 0; k < NQ; k++)
        Q[k] = lane_load(q + k * stage->grid.plane + at);
    return cell_state(stage, Q, guess, w, at, n, bad);
}
