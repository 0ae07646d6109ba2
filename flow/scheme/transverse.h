/* SPDX-License-Identifier: MIT
 *
 * The flux of schemes with KB_TRANSVERSE, for smooth flow in two dimensions: means over the face
 * become values at its centre, and the flux at the centre becomes its mean over the face, each by
 * 1/24 of a second difference along the face. Without that, two-dimensional flow is of second
 * order. Buchmueller and Helzel, J. Sci. Comput. 61 (2014), sec. 3, in the compact form: the fluxes
 * in the second difference are those of the means. Conserved variables are corrected, whichever
 * were reconstructed. One ideal gas.
 */
#pragma once

#include "flow/scheme/variables.h"

/* the same face of a row or column beside this one */
kb_fn face_cells face_beside(const face_cells *f, long by)
{
    face_cells g = *f;
    g.q += by;
    g.w += by;
    return g;
}

/* of a variable along the face: its value here, and its second difference */
typedef struct {
    lane here[NQ], curve[NQ];
} along_face;

/* k: -1, 0, 1; a constant leaves a curve of 0 to the bit */
kb_fn void add_along(along_face *a, int k, const lane v[NQ])
{
    for (int i = 0; i < NQ; i++) {
        if (k < 0)
            a->curve[i] = v[i];
        else
            a->curve[i] += k ? v[i] : -2.0 * v[i];
        if (k == 0)
            a->here[i] = v[i];
    }
}

/* one side at the centre of the face */
kb_fn mask centre_state(const kb_flow_stage *stage, const face_side *cell, const along_face *mean,
                        face_side *a)
{
    lane Q[NQ];
    mask low = mask_none();
    for (int i = 0; i < NQ; i++)
        Q[i] = mean->here[i] - mean->curve[i] * (1.0 / 24);
    if (stage->nets & KB_FLOW_SCALE)
        low = scale_conserved(Q, cell, stage->gas.ratio);
    side_of(Q, stage->gas.ratio, 1.0 / Q[0], a);
    return low;
}

/* which lanes were scaled at this face */
kb_fn mask corrected_flux(const kb_flow_stage *stage, const face_cells *f, const face_side *c0,
                          const face_side *c1, lane F[NQ])
{
    along_face left, right, flux;
    face_side l, r;
    lane Q[NQ];
    mask low = mask_none();
    for (int k = -1; k <= 1; k++) {
        face_cells g = face_beside(f, k * (f->n ? 1 : stage->grid.pitch));
        face_side a = face_cell(&g, 0), b = face_cell(&g, 1);
        mask scaled = face_states(stage, &g, &a, &b, &l, &r);
        low = k ? low : scaled;
        face_conserved(&l, Q);
        add_along(&left, k, Q);
        face_conserved(&r, Q);
        add_along(&right, k, Q);
        riemann_flux(stage->riemann, &l, &r, Q);
        add_along(&flux, k, Q);
    }
    low |= centre_state(stage, c0, &left, &l) | centre_state(stage, c1, &right, &r);
    riemann_flux(stage->riemann, &l, &r, F);
    for (int i = 0; i < NQ; i++)
        F[i] += flux.curve[i] * (1.0 / 24);
    return low;
}
