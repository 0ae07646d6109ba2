/* SPDX-License-Identifier: MIT
 *
 * The flux through KB_LANES faces that are neighbours in x. A scheme knows neither the engine nor
 * the direction.
 */
#ifndef KB_FLOW_FACE_H
#define KB_FLOW_FACE_H

#include "flow/variables.h"
#if KB_STAGES == 1
#include "flow/evolve.h"
#endif

/* what the nets did, by lanes */
typedef struct {
    mask scaled, blended;
} face_nets;

kb_fn mask face_states(const kb_flow_stage *stage, const face_cells *f, const face_side *c0,
                       const face_side *c1, face_side *l, face_side *r)
{
#if NSP == 1
    if (stage->variables == KB_FLOW_CONSERVED)
        return states_by_conserved(stage, f, c0, c1, l, r);
#endif
    return states_by_primitive(stage, f, c0, c1, l, r);
}

/* the blending net: the flux must not empty a cell though it flows through all its faces; l is its
 * share: 2 dt/dx times the number of directions */
kb_fn mask keep_full(const kb_flow_gas *gas, const face_cells *f, face_side *c0, face_side *c1,
                     double l, lane F[NQ])
{
    lane Q0[NQ], Q1[NQ], safe[NQ];
    face_conserved(c0, Q0);
    face_conserved(c1, Q1);
    mask bad = is_empty(gas, Q0, F, splat(l)) | is_empty(gas, Q1, F, splat(-l));
    if (lane_any(bad)) {
        c0->c2 = face_load(f->w, f, NSP + 3, 0);
        c1->c2 = face_load(f->w, f, NSP + 3, 1);
        rusanov(c0, c1, safe);
        blend(gas, Q0, Q1, splat(l), F, safe, bad);
    }
    return bad;
}

kb_fn int directions_of(const kb_flow_stage *stage)
{
    return (stage->along & KB_FLOW_X ? 1 : 0) + (stage->along & KB_FLOW_Y ? 1 : 0);
}

/* h: dt/dx */
kb_fn face_nets face_flux(const kb_flow_stage *stage, const face_cells *f, double h, lane F[NQ])
{
    face_side c0 = face_cell(f, 0), c1 = face_cell(f, 1);
    face_nets nets;
#if KB_STAGES == 1
    nets.scaled = evolved_flux(stage, f, &c0, &c1, h, F);
#else
    face_side left, right;
    nets.scaled = face_states(stage, f, &c0, &c1, &left, &right);
    riemann_flux(stage->riemann, &left, &right, F);
#endif
    nets.blended = mask_none();
    if (stage->nets & KB_FLOW_BLEND)
        nets.blended = keep_full(&stage->gas, f, &c0, &c1, 2 * directions_of(stage) * h, F);
    return nets;
}

#endif
