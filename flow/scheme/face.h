/* SPDX-License-Identifier: MIT
 *
 * The flux through KB_LANES faces that are neighbours in x. A scheme knows neither the engine nor
 * the direction.
 */
#pragma once

#include "flow/scheme/variables.h"
#if KB_STAGES == 1
#include "flow/scheme/evolve.h"
#endif
#ifdef KB_TRANSVERSE
#include "flow/scheme/transverse.h"
#endif

/* does a face need the cells beside it, with the ghost cells in corners? */
#ifdef KB_TRANSVERSE
enum { KB_CORNERS = 1 };
#else
enum { KB_CORNERS = 0 };
#endif

/* what the nets did, by lanes */
typedef struct {
    mask scaled, blended;
} face_nets;

/* the cell m without rho, from which l F flows: is it emptied? */
kb_fn mask is_emptied(const kb_flow_gas *gas, const face_cells *f, int m, const face_side *c,
                      const lane F[NQ], double l)
{
    remains r = no_remains();
    lane after[NSP];
    for (int s = 0; s < NSP; s++) {
        after[s] = face_load(f->w, f, s, m) - l * F[s];
        add_remains(&r, after[s]);
    }
    r.energy = gas_least_energy(gas, after);
    return is_nothing(&r, c->density * c->un - l * F[NSP], c->density * c->ut - l * F[NSP + 1],
                      c->E - l * F[NSP + 2]);
}

kb_rare void blend_face(const kb_flow_gas *gas, const face_cells *f, double l, lane F[NQ], mask bad)
{
    lane Q0[NQ], Q1[NQ], safe[NQ];
    face_side c0 = face_cell(f, 0), c1 = face_cell(f, 1);
    face_conserved(&c0, Q0);
    face_conserved(&c1, Q1);
    c0.c2 = face_load(f->w, f, NSP + 3, 0);
    c1.c2 = face_load(f->w, f, NSP + 3, 1);
    rusanov(&c0, &c1, safe);
    blend(gas, Q0, Q1, splat(l), F, safe, bad);
}

/* the blending net: the flux must not empty a cell though it flows through all its faces; l is its
 * share: 2 dt/dx times the number of directions */
kb_fn mask keep_full(const kb_flow_gas *gas, const face_cells *f, const face_side *c0,
                     const face_side *c1, double l, lane F[NQ])
{
    mask bad = is_emptied(gas, f, 0, c0, F, l) | is_emptied(gas, f, 1, c1, F, -l);
    if (lane_any(bad)) {
        lane G[NQ]; /* so that F need not have an address */
        for (int k = 0; k < NQ; k++)
            G[k] = F[k];
        blend_face(gas, f, l, G, bad);
        for (int k = 0; k < NQ; k++)
            F[k] = G[k];
    }
    return bad;
}

kb_fn int directions_of(const kb_flow_stage *stage)
{
    return (stage->along & KB_FLOW_X ? 1 : 0) + (stage->along & KB_FLOW_Y ? 1 : 0);
}

/* the flux of the scheme; which lanes were scaled; h: dt/dx */
kb_fn mask scheme_flux(const kb_flow_stage *stage, const face_cells *f, const face_side *c0,
                       const face_side *c1, double h, lane F[NQ])
{
    (void)h;
#if KB_STAGES == 1
    return evolved_flux(stage, f, c0, c1, h, F);
#else
    face_side left, right;
#ifdef KB_TRANSVERSE
    if (directions_of(stage) == 2)
        return corrected_flux(stage, f, c0, c1, F);
#endif
    mask low = face_states(stage, f, c0, c1, &left, &right);
    riemann_flux(stage->riemann, &left, &right, F);
    return low;
#endif
}

/* h: dt/dx */
kb_fn face_nets face_flux(const kb_flow_stage *stage, const face_cells *f, double h, lane F[NQ])
{
    face_nets nets;
#if KB_STAGES == 1
    face_side c0 = face_cell(f, 0), c1 = face_cell(f, 1);
#else
    face_side c0 = face_mean(f, 0), c1 = face_mean(f, 1);
#endif
    nets.scaled = scheme_flux(stage, f, &c0, &c1, h, F);
    nets.blended = mask_none();
    if (stage->nets & KB_FLOW_BLEND)
        nets.blended = keep_full(&stage->gas, f, &c0, &c1, 2 * directions_of(stage) * h, F);
    return nets;
}
