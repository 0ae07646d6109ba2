/* SPDX-License-Identifier: MIT
 *
 * Two nets that keep density and pressure positive. Both count the faces at which they act.
 *
 * Scaling (after Zhang and Shu, J. Comput. Phys. 229, 2010): a state at a face with a negative
 * partial density, or with a density or pressure below 1e-3 of its cell's, is moved towards the
 * cell's. Blending (Hu, Adams and Shu, J. Comput. Phys. 242, 2013): a flux that could empty one of
 * its two cells within the step is moved towards Rusanov's flux of first order.
 */
#pragma once

#include "flow/scheme/riemann.h"

#define LEAST_SHARE 1e-3
#define TRACE 1e-6 /* of the density */
#define ROUNDING 1e-10

/* how far one may go from the cell's value towards x before it is below least */
kb_fn lane share_above(lane x, lane cell, lane least)
{
    return vselect(x < least, (cell - least) / (cell - x), splat(1));
}

/* The factor towards the cell's state that makes densities and pressure positive. Traces of a
 * species are not counted: they are cut off below. */
kb_fn lane scale_factor(const face_side *a, const face_side *cell)
{
    lane theta = share_above(a->p, cell->p, LEAST_SHARE * cell->p);
    theta = lane_min(theta, share_above(sum_species(a->rho), cell->density,
                                        LEAST_SHARE * cell->density));
    KB_EACH_SPECIES for (int s = 0; NSP > 1 && s < NSP; s++)
        theta = lane_min(theta, share_above(a->rho[s], cell->rho[s], -TRACE * cell->density));
    return lane_max(theta, splat(0));
}

/* where that factor is below 1 */
kb_fn mask is_low(const face_side *a, const face_side *cell)
{
    mask low = (a->p < LEAST_SHARE * cell->p) |
               (sum_species(a->rho) < LEAST_SHARE * cell->density);
    for (int s = 0; NSP > 1 && s < NSP; s++)
        low |= a->rho[s] < -TRACE * cell->density;
    return low;
}

kb_fn void scale_towards(face_side *a, const face_side *cell)
{
    lane theta = scale_factor(a, cell);
    for (int s = 0; s < NSP; s++)
        a->rho[s] = cell->rho[s] + theta * (a->rho[s] - cell->rho[s]);
    a->un = cell->un + theta * (a->un - cell->un);
    a->ut = cell->ut + theta * (a->ut - cell->ut);
    a->p = cell->p + theta * (a->p - cell->p);
}

/* traces below 0 are cut off */
kb_fn void cut_traces(face_side *a)
{
    for (int s = 0; NSP > 1 && s < NSP; s++)
        a->rho[s] = lane_max(a->rho[s], splat(0));
}

/* one side in primitive variables, before its energy is known; which lanes were changed */
kb_fn mask scale_primitive(face_side *a, const face_side *cell)
{
    mask low = is_low(a, cell);
    if (lane_any(low))
        scale_towards(a, cell);
    cut_traces(a);
    return low;
}

/* the same towards cell m of a face, of which cell need not have rho */
kb_rare face_side scaled_at(face_side a, const face_cells *f, int m)
{
    face_side whole = face_cell(f, m);
    scale_towards(&a, &whole);
    return a;
}

kb_fn mask scale_at(face_side *a, const face_side *cell, const face_cells *f, int m)
{
    mask low = is_low(a, cell);
    if (lane_any(low))
        *a = scaled_at(*a, f, m);
    cut_traces(a);
    return low;
}

/* what is left of a cell from which l F flows out: true where it has no density, too little
 * internal energy, or a negative partial density */
typedef struct {
    lane rho, least, energy;
} remains;

kb_fn remains no_remains(void)
{
    return (remains){splat(0), splat(HUGE_VAL), splat(0)};
}

kb_fn void add_remains(remains *r, lane after)
{
    r->rho += after;
    r->least = lane_min(r->least, after);
}

kb_fn mask is_nothing(const remains *r, lane mu, lane mv, lane E)
{
    lane warm = r->rho * (E - r->energy), m2 = mu * mu + mv * mv;
    mask full = (r->rho > splat(0)) & (warm > 0.5 * m2);
    if (NSP > 1)
        full &= r->least >= -ROUNDING * r->rho;
    return not_(full);
}

kb_fn mask is_empty(const kb_flow_gas *gas, const lane Q[NQ], const lane F[NQ], lane l)
{
    remains r = no_remains();
    lane after[NQ];
    for (int k = 0; k < NQ; k++)
        after[k] = Q[k] - l * F[k];
    for (int s = 0; s < NSP; s++)
        add_remains(&r, after[s]);
    r.energy = gas_least_energy(gas, after);
    return is_nothing(&r, after[NSP], after[NSP + 1], after[NSP + 2]);
}

/* the largest share, in steps of 2^-12, of F that leaves both cells full */
kb_fn void blend(const kb_flow_gas *gas, const lane Q0[NQ], const lane Q1[NQ], lane l, lane F[NQ],
                 const lane safe[NQ], mask bad)
{
    lane low = splat(0), high = splat(1), G[NQ];
    for (int step = 0; step < 12; step++) {
        lane mid = 0.5 * (low + high);
        for (int k = 0; k < NQ; k++)
            G[k] = safe[k] + mid * (F[k] - safe[k]);
        mask empty = is_empty(gas, Q0, G, l) | is_empty(gas, Q1, G, -l);
        high = vselect(empty, mid, high);
        low = vselect(empty, low, mid);
    }
    low = vselect(bad, low, splat(1));
    for (int k = 0; k < NQ; k++)
        F[k] = safe[k] + low * (F[k] - safe[k]);
}
