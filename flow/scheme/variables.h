/* SPDX-License-Identifier: MIT
 *
 * The states on both sides of a face from the six cells around it: a change to characteristic
 * variables, KB_SCHEME on each of them, and back.
 *
 * conserved: linear functions of Q, so that cell means stay cell means and smooth flow along one
 * direction keeps the order of the scheme; one ideal gas. primitive: of (rho_s, u, v, p), for any
 * gas; second order in smooth nonlinear flow. rho_s and never rho and Y_s apart: a contact between
 * two gases of equal p, u and T stays as it is.
 */
#pragma once

#include "flow/scheme/positive.h"
#include KB_SCHEME_HEADER

/* six values v[0 .. 5] of the cells -2 .. 3: left and right of the face between 0 and 1 */
kb_fn void two_sides(const lane v[6], lane *left, lane *right)
{
    *left = KB_SCHEME(v[0], v[1], v[2], v[3], v[4]);
    *right = KB_SCHEME(v[5], v[4], v[3], v[2], v[1]);
}

/* of the two cells at the face, for the linearised characteristic variables */
typedef struct {
    lane z, e0, e1; /* rho c; Y_s/c^2 = e0 rho_s of cell 0 + e1 rho_s of cell 1 */
} acoustics;

kb_fn acoustics acoustics_of(const face_cells *f, const face_side *c0, const face_side *c1)
{
    acoustics a;
    lane c2 = 0.5 * (face_load(f->w, f, NSP + 3, 0) + face_load(f->w, f, NSP + 3, 1));
    lane each = 0.5 / (c2 * (c0->density * c1->density));
    a.e0 = each * c1->density;
    a.e1 = each * c0->density;
    a.z = 0.5 * (c0->density + c1->density) * vsqrt(c2);
    return a;
}

kb_fn void species_states(const face_cells *f, const acoustics *a, int s, const lane p[6],
                          face_side *l, face_side *r)
{
    lane v[6];
    for (int m = 0; m < 6; m++)
        v[m] = face_load(f->w, f, s, m - 2);
    lane y = a->e0 * v[2] + a->e1 * v[3];
    for (int m = 0; m < 6; m++)
        v[m] -= y * p[m];
    two_sides(v, &l->rho[s], &r->rho[s]);
    l->rho[s] += y * l->p;
    r->rho[s] += y * r->p;
}

kb_fn void primitive_states(const face_cells *f, face_side *l, face_side *r, const acoustics *a)
{
    lane p[6], plus[6], minus[6], v[6], up[2], um[2];
    for (int m = 0; m < 6; m++) {
        lane zu = a->z * face_load(f->w, f, NSP + f->n, m - 2);
        p[m] = face_load(f->w, f, NSP + 2, m - 2);
        plus[m] = p[m] + zu;
        minus[m] = p[m] - zu;
    }
    two_sides(plus, &up[0], &up[1]);
    two_sides(minus, &um[0], &um[1]);
    lane half = 0.5 / a->z;
    l->p = 0.5 * (up[0] + um[0]);
    r->p = 0.5 * (up[1] + um[1]);
    l->un = half * (up[0] - um[0]);
    r->un = half * (up[1] - um[1]);
    for (int m = 0; m < 6; m++)
        v[m] = face_load(f->w, f, NSP + f->t, m - 2);
    two_sides(v, &l->ut, &r->ut);
    KB_EACH_SPECIES for (int s = 0; s < NSP; s++)
        species_states(f, a, s, p, l, r);
}

/* which lanes of either side were scaled */
kb_fn mask states_by_primitive(const kb_flow_stage *stage, const face_cells *f,
                               const face_side *c0, const face_side *c1, face_side *l,
                               face_side *r)
{
    acoustics a = acoustics_of(f, c0, c1);
    mask low = mask_none();
    primitive_states(f, l, r, &a);
    if (stage->nets & KB_FLOW_SCALE)
        low = scale_at(l, c0, f, 0) | scale_at(r, c1, f, 1);
    l->density = sum_species(l->rho);
    r->density = sum_species(r->rho);
    lane each = 1.0 / (l->density * r->density);
    face_energy(&stage->gas, l, each * r->density);
    face_energy(&stage->gas, r, each * l->density);
    return low;
}

#if NSP == 1
/* Roe's mean of two cells (J. Comput. Phys. 43, 1981); b1 = (gamma - 1)/c^2, b2 = b1 kinetic */
typedef struct {
    lane u, v, c, each_c, H, b1, b2, kinetic;
} roe_mean;

/* the weights are sqrt(rho): with g = sqrt(rho0 rho1), that of cell 0 is rho0/(rho0 + g) */
kb_fn roe_mean roe_of(const face_side *c0, const face_side *c1, double ratio)
{
    roe_mean m;
    lane g = vsqrt(c0->density * c1->density), each = 1.0 / (g * (c0->density + g));
    lane e0 = g * each, e1 = c0->density * each; /* weights by density */
    m.u = e0 * c0->density * c0->un + e1 * c1->density * c1->un;
    m.v = e0 * c0->density * c0->ut + e1 * c1->density * c1->ut;
    m.H = e0 * (c0->E + c0->p) + e1 * (c1->E + c1->p);
    m.kinetic = 0.5 * (m.u * m.u + m.v * m.v);
    m.c = vsqrt(ratio * (m.H - m.kinetic));
    m.each_c = 1.0 / m.c;
    m.b1 = ratio * m.each_c * m.each_c;
    m.b2 = m.b1 * m.kinetic;
    return m;
}

/* amplitudes of the waves u - c, u (density), u (shear), u + c */
kb_fn void to_waves(const roe_mean *m, const lane Q[4], lane a[4])
{
    lane sum = m->b2 * Q[0] - m->b1 * (m->u * Q[1] + m->v * Q[2] - Q[3]);
    lane sound = (m->u * Q[0] - Q[1]) * m->each_c;
    a[0] = 0.5 * (sum + sound);
    a[1] = Q[0] - sum;
    a[2] = Q[2] - m->v * Q[0];
    a[3] = 0.5 * (sum - sound);
}

kb_fn void from_waves(const roe_mean *m, const lane a[4], lane Q[4])
{
    lane sound = a[0] + a[3], uc = m->c * (a[3] - a[0]);
    Q[0] = sound + a[1];
    Q[1] = m->u * Q[0] + uc;
    Q[2] = m->v * Q[0] + a[2];
    Q[3] = m->H * sound + m->u * uc + m->kinetic * a[1] + m->v * a[2];
}

/* rho^2 times the internal energy above least: quadratic along a line in Q */
kb_fn lane warmth(const lane Q[4], const lane P[4], lane least)
{
    return 0.5 * (Q[0] * (P[3] - least) + P[0] * (Q[3] - least) - Q[1] * P[1] - Q[2] * P[2]);
}

/* the largest share of the way from C to Q on which the energy stays above least */
kb_fn lane warm_share(const lane C[4], const lane Q[4], lane least)
{
    lane c = warmth(C, C, least), m = warmth(C, Q, least), q = warmth(Q, Q, least);
    lane a = c - 2.0 * m + q, b = m - c; /* c + 2 b x + a x^2 = 0 */
    lane root = c / (vsqrt(lane_max(b * b - a * c, splat(0))) - b);
    return vselect(q < splat(0), lane_min(lane_max(root, splat(0)), splat(1)), splat(1));
}

/* moves Q to the cell's state by its density, then by its pressure */
kb_fn mask scale_conserved(lane Q[4], const face_side *cell, double ratio)
{
    lane theta = share_above(Q[0], cell->density, LEAST_SHARE * cell->density), C[4];
    lane least = LEAST_SHARE / ratio * cell->p;
    mask low = (theta < splat(1)) | (warmth(Q, Q, least) < splat(0));
    if (lane_any(low)) {
        C[0] = cell->density;
        C[1] = cell->density * cell->un;
        C[2] = cell->density * cell->ut;
        C[3] = cell->E;
        for (int k = 0; k < 4; k++)
            Q[k] = C[k] + theta * (Q[k] - C[k]);
        theta = warm_share(C, Q, least);
        for (int k = 0; k < 4; k++)
            Q[k] = C[k] + theta * (Q[k] - C[k]);
    }
    return low;
}

kb_fn void side_of(const lane Q[4], double ratio, lane each, face_side *a)
{
    a->rho[0] = a->density = Q[0];
    a->un = Q[1] * each;
    a->ut = Q[2] * each;
    a->E = Q[3];
    a->p = ratio * (Q[3] - 0.5 * (Q[1] * a->un + Q[2] * a->ut));
    a->c2 = (1.0 + ratio) * a->p * each;
}

/* waves v[4] of the six cells */
kb_fn void load_waves(const face_cells *f, const roe_mean *m, lane v[4][6])
{
    lane a[4], Q[4];
    KB_UNROLL for (int k = 0; k < 6; k++) {
        Q[0] = face_load(f->q, f, 0, k - 2);
        Q[1] = face_load(f->q, f, 1 + f->n, k - 2);
        Q[2] = face_load(f->q, f, 1 + f->t, k - 2);
        Q[3] = face_load(f->q, f, 3, k - 2);
        to_waves(m, Q, a);
        for (int i = 0; i < 4; i++)
            v[i][k] = a[i];
    }
}

kb_fn void conserved_states(const face_cells *f, const roe_mean *m, lane left[4], lane right[4])
{
    lane v[4][6], L[4], R[4];
    load_waves(f, m, v);
    for (int i = 0; i < 4; i++)
        two_sides(v[i], &L[i], &R[i]);
    from_waves(m, L, left);
    from_waves(m, R, right);
}

kb_fn mask states_by_conserved(const kb_flow_stage *stage, const face_cells *f,
                               const face_side *c0, const face_side *c1, face_side *l,
                               face_side *r)
{
    double ratio = stage->gas.ratio;
    roe_mean m = roe_of(c0, c1, ratio);
    lane left[4], right[4];
    mask low = mask_none();
    conserved_states(f, &m, left, right);
    if (stage->nets & KB_FLOW_SCALE)
        low = scale_conserved(left, c0, ratio) | scale_conserved(right, c1, ratio);
    lane each = 1.0 / (left[0] * right[0]);
    side_of(left, ratio, each * right[0], l);
    side_of(right, ratio, each * left[0], r);
    return low;
}
#endif

/* by the variables of the stage */
kb_fn mask face_states(const kb_flow_stage *stage, const face_cells *f, const face_side *c0,
                       const face_side *c1, face_side *l, face_side *r)
{
#if NSP == 1
    if (stage->variables == KB_FLOW_CONSERVED)
        return states_by_conserved(stage, f, c0, c1, l, r);
#endif
    return states_by_primitive(stage, f, c0, c1, l, r);
}
