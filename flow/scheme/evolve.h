/* SPDX-License-Identifier: MIT
 *
 * The flux of ader.h, for any gas and for conserved or primitive variables. Chemistry has no part
 * in it: it is split off as it is with Runge-Kutta stages.
 */
#pragma once

#include "flow/scheme/variables.h"

/* a quantity with its derivatives, in units of dx and of dx over the unit of speed */
enum { D0, DX, DXX, DT, DXT, DTT, JET };

/* One side of a face. rho: D0, DX, DXX; evolve puts the derivatives DT and DTT into the places of
 * DX and DXX. G: rho c^2/p and its derivative. */
typedef struct {
    lane rho[NSP][3], u[JET], v[JET], p[JET], G[2];
} side_jet;

#if NSP == 1
/* conserved variables with derivatives, Q[order][variable] -> primitive ones in space */
kb_fn void primitive_jet(lane Q[3][4], double ratio, side_jet *s)
{
    lane each = 1.0 / Q[0][0], *const rho = s->rho[0];
    for (int k = 0; k < 3; k++)
        rho[k] = Q[k][0];
    for (int k = 1; k < 3; k++) {
        lane *a = k == 1 ? s->u : s->v;
        a[D0] = Q[0][k] * each;
        a[DX] = (Q[1][k] - a[D0] * rho[DX]) * each;
        a[DXX] = (Q[2][k] - 2.0 * a[DX] * rho[DX] - a[D0] * rho[DXX]) * each;
    }
    const lane *u = s->u, *v = s->v;
    lane half = 0.5 * (u[D0] * u[D0] + v[D0] * v[D0]), half_x = u[D0] * u[DX] + v[D0] * v[DX];
    lane half_xx = u[DX] * u[DX] + u[D0] * u[DXX] + v[DX] * v[DX] + v[D0] * v[DXX];
    s->p[D0] = ratio * (Q[0][3] - rho[D0] * half);
    s->p[DX] = ratio * (Q[1][3] - rho[DX] * half - rho[D0] * half_x);
    s->p[DXX] = ratio * (Q[2][3] - rho[DXX] * half - 2.0 * rho[DX] * half_x - rho[D0] * half_xx);
    s->G[D0] = splat(1 + ratio);
    s->G[DX] = splat(0);
}

kb_fn void jets_by_conserved(const kb_flow_stage *stage, const face_cells *f, const face_side *c0,
                             const face_side *c1, side_jet *l, side_jet *r)
{
    double ratio = stage->gas.ratio;
    roe_mean m = roe_of(c0, c1, ratio);
    lane v[4][6], L[4][3], R[4][3], a[4], left[3][4], right[3][4];
    load_waves(f, &m, v);
    for (int i = 0; i < 4; i++)
        ader_sides(v[i], L[i], R[i]);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 4; i++)
            a[i] = L[i][k];
        from_waves(&m, a, left[k]);
        for (int i = 0; i < 4; i++)
            a[i] = R[i][k];
        from_waves(&m, a, right[k]);
    }
    primitive_jet(left, ratio, l);
    primitive_jet(right, ratio, r);
}
#endif

/* rho c^2/p of both sides, from that of the six cells; density: of those */
kb_fn void exponent_jets(const kb_flow_stage *stage, const face_cells *f, const lane density[6],
                         const lane p[6], side_jet *l, side_jet *r)
{
#if NSP == 1
    (void)f, (void)density, (void)p;
    l->G[D0] = r->G[D0] = splat(1 + stage->gas.ratio);
    l->G[DX] = r->G[DX] = splat(0);
#else
    lane v[6], L[3], R[3];
    (void)stage;
    for (int m = 0; m < 6; m++)
        v[m] = density[m] * face_load(f->w, f, NSP + 3, m - 2) / p[m];
    ader_sides(v, L, R);
    for (int k = D0; k <= DX; k++) {
        l->G[k] = L[k];
        r->G[k] = R[k];
    }
#endif
}

/* the waves of primitive_states */
kb_fn void jets_by_primitive(const kb_flow_stage *stage, const face_cells *f, const face_side *c0,
                             const face_side *c1, side_jet *l, side_jet *r)
{
    acoustics a = acoustics_of(f, c0, c1);
    lane p[6], plus[6], minus[6], v[6], density[6], up[2][3], um[2][3], half = 0.5 / a.z;
    for (int m = 0; m < 6; m++) {
        lane zu = a.z * face_load(f->w, f, NSP + f->n, m - 2);
        p[m] = face_load(f->w, f, NSP + 2, m - 2);
        plus[m] = p[m] + zu;
        minus[m] = p[m] - zu;
        density[m] = splat(0);
    }
    ader_sides(plus, up[0], up[1]);
    ader_sides(minus, um[0], um[1]);
    for (int k = 0; k < 3; k++) {
        l->p[k] = 0.5 * (up[0][k] + um[0][k]);
        r->p[k] = 0.5 * (up[1][k] + um[1][k]);
        l->u[k] = half * (up[0][k] - um[0][k]);
        r->u[k] = half * (up[1][k] - um[1][k]);
    }
    for (int s = 0; s < NSP; s++) {
        lane y = a.e0 * c0->rho[s] + a.e1 * c1->rho[s];
        for (int m = 0; m < 6; m++) {
            lane rho = face_load(f->w, f, s, m - 2);
            density[m] += rho;
            v[m] = rho - y * p[m];
        }
        ader_sides(v, l->rho[s], r->rho[s]);
        for (int k = 0; k < 3; k++) {
            l->rho[s][k] += y * l->p[k];
            r->rho[s][k] += y * r->p[k];
        }
    }
    for (int m = 0; m < 6; m++)
        v[m] = face_load(f->w, f, NSP + f->t, m - 2);
    ader_sides(v, l->v, r->v);
    exponent_jets(stage, f, density, p, l, r);
}

kb_fn void face_jets(const kb_flow_stage *stage, const face_cells *f, const face_side *c0,
                     const face_side *c1, side_jet *l, side_jet *r)
{
#if NSP == 1
    if (stage->variables == KB_FLOW_CONSERVED) {
        jets_by_conserved(stage, f, c0, c1, l, r);
        return;
    }
#endif
    jets_by_primitive(stage, f, c0, c1, l, r);
}

/* Derivatives in time from the equations in primitive variables, and from their derivatives. Each
 * partial density follows the same equation. G goes with the flow, which is exact for constant heat
 * capacities; where they depend on T, what is missing in p_tt is of second order in the step.
 * gravity: times dx. */
kb_fn void evolve(side_jet *s, double gravity)
{
    lane *u = s->u, *v = s->v, *p = s->p, G = s->G[D0], Gx = s->G[DX], rho[3];
    for (int k = 0; k < 3; k++) {
        rho[k] = s->rho[0][k];
        for (int i = 1; i < NSP; i++)
            rho[k] += s->rho[i][k];
    }
    lane each = 1.0 / rho[D0], push = p[DX] * each; /* p_x/rho */
    lane rho_t = -u[D0] * rho[DX] - rho[D0] * u[DX];
    u[DT] = gravity - u[D0] * u[DX] - push;
    v[DT] = -u[D0] * v[DX];
    p[DT] = -u[D0] * p[DX] - G * p[D0] * u[DX];
    u[DXT] = -u[DX] * u[DX] - u[D0] * u[DXX] - (p[DXX] - push * rho[DX]) * each;
    v[DXT] = -u[DX] * v[DX] - u[D0] * v[DXX];
    p[DXT] = -u[DX] * p[DX] - u[D0] * p[DXX] - G * (p[DX] * u[DX] + p[D0] * u[DXX]) -
             Gx * p[D0] * u[DX];
    u[DTT] = -u[DT] * u[DX] - u[D0] * u[DXT] - (p[DXT] - push * rho_t) * each;
    v[DTT] = -u[DT] * v[DX] - u[D0] * v[DXT];
    p[DTT] = -u[DT] * p[DX] - u[D0] * p[DXT] - G * (p[DT] * u[DX] + p[D0] * u[DXT]) +
             u[D0] * Gx * p[D0] * u[DX];
    for (int i = 0; i < NSP; i++) {
        lane *r = s->rho[i], t = -u[D0] * r[DX] - r[D0] * u[DX];
        lane xt = -2.0 * u[DX] * r[DX] - u[D0] * r[DXX] - r[D0] * u[DXX];
        r[DXX] = -u[DT] * r[DX] - u[D0] * xt - t * u[DX] - r[D0] * u[DXT];
        r[DX] = t;
    }
}

kb_fn lane jet_at(const lane a[JET], double t) { return a[D0] + t * (a[DT] + 0.5 * t * a[DTT]); }

/* the state after t, in units of dx / speed; which lanes were scaled */
kb_fn mask state_after(const side_jet *s, double t, const kb_flow_stage *stage,
                       const face_side *cell, face_side *a)
{
    for (int i = 0; i < NSP; i++)
        a->rho[i] = s->rho[i][D0] + t * (s->rho[i][DX] + 0.5 * t * s->rho[i][DXX]);
    a->un = jet_at(s->u, t);
    a->ut = jet_at(s->v, t);
    a->p = jet_at(s->p, t);
    mask low = mask_none();
    if (stage->nets & KB_FLOW_SCALE)
        low = scale_primitive(a, cell);
    a->density = sum_species(a->rho);
    face_energy(&stage->gas, a, 1.0 / a->density);
    return low;
}

/* mean over the step; h: dt/dx */
kb_fn mask evolved_flux(const kb_flow_stage *stage, const face_cells *f, const face_side *c0,
                        const face_side *c1, double h, lane F[NQ])
{
    const double place[2] = {0.5 - 0.288675134594812882, 0.5 + 0.288675134594812882};
    lane G[NQ];
    mask low = mask_none();
    side_jet l, r;
    face_jets(stage, f, c0, c1, &l, &r);
    double gravity = stage->gravity[f->n] * (f->n ? stage->grid.dy : stage->grid.dx);
    evolve(&l, gravity);
    evolve(&r, gravity);
    for (int k = 0; k < NQ; k++)
        F[k] = splat(0);
    for (int i = 0; i < 2; i++) {
        face_side a, b;
        low |= state_after(&l, h * place[i], stage, c0, &a) |
               state_after(&r, h * place[i], stage, c1, &b);
        riemann_flux(stage->riemann, &a, &b, G);
        for (int k = 0; k < NQ; k++)
            F[k] += 0.5 * G[k];
    }
    return low;
}
