/* SPDX-License-Identifier: MIT
 *
 * The flux of ader.h: one ideal gas in conserved variables.
 */
#ifndef KB_FLOW_EVOLVE_H
#define KB_FLOW_EVOLVE_H

#include "flow/variables.h"

/* a quantity with its derivatives: value, x, xx; then t, xt, tt */
typedef struct {
    lane v, x, xx, t, xt, tt;
} jet;

typedef struct {
    jet rho, u, v, p;
} side_jet;

/* conserved variables with derivatives, Q[order][variable] -> primitive ones in space */
kb_fn side_jet primitive_jet(lane Q[3][4], double ratio)
{
    side_jet s;
    lane each = 1.0 / Q[0][0], *m = Q[0], *mx = Q[1], *mxx = Q[2];
    s.rho.v = m[0];
    s.rho.x = mx[0];
    s.rho.xx = mxx[0];
    jet *const of[2] = {&s.u, &s.v};
    for (int k = 0; k < 2; k++) {
        jet *u = of[k];
        u->v = m[1 + k] * each;
        u->x = (mx[1 + k] - u->v * s.rho.x) * each;
        u->xx = (mxx[1 + k] - 2.0 * u->x * s.rho.x - u->v * s.rho.xx) * each;
    }
    lane half = 0.5 * (s.u.v * s.u.v + s.v.v * s.v.v);
    lane half_x = s.u.v * s.u.x + s.v.v * s.v.x;
    lane half_xx = s.u.x * s.u.x + s.u.v * s.u.xx + s.v.x * s.v.x + s.v.v * s.v.xx;
    s.p.v = ratio * (m[3] - s.rho.v * half);
    s.p.x = ratio * (mx[3] - s.rho.x * half - s.rho.v * half_x);
    s.p.xx = ratio * (mxx[3] - s.rho.xx * half - 2.0 * s.rho.x * half_x - s.rho.v * half_xx);
    return s;
}

/* derivatives in time from the equations in primitive variables, and from their derivatives;
 * gamma p = rho c^2 */
kb_fn void evolve(side_jet *s, double gamma)
{
    jet *r = &s->rho, *u = &s->u, *v = &s->v, *p = &s->p;
    lane each = 1.0 / r->v, push = p->x * each; /* p_x/rho */
    r->t = -u->v * r->x - r->v * u->x;
    u->t = -u->v * u->x - push;
    v->t = -u->v * v->x;
    p->t = -u->v * p->x - gamma * p->v * u->x;
    r->xt = -2.0 * u->x * r->x - u->v * r->xx - r->v * u->xx;
    u->xt = -u->x * u->x - u->v * u->xx - (p->xx - push * r->x) * each;
    v->xt = -u->x * v->x - u->v * v->xx;
    p->xt = -u->x * p->x - u->v * p->xx - gamma * (p->x * u->x + p->v * u->xx);
    r->tt = -u->t * r->x - u->v * r->xt - r->t * u->x - r->v * u->xt;
    u->tt = -u->t * u->x - u->v * u->xt - (p->xt - push * r->t) * each;
    v->tt = -u->t * v->x - u->v * v->xt;
    p->tt = -u->t * p->x - u->v * p->xt - gamma * (p->t * u->x + p->v * u->xt);
}

kb_fn lane jet_at(const jet *a, double t) { return a->v + t * (a->t + 0.5 * t * a->tt); }

/* the state after t, in units of dx / speed; which lanes were scaled */
kb_fn mask state_after(const side_jet *s, double t, const kb_flow_stage *stage,
                       const face_side *cell, face_side *a)
{
    a->rho[0] = jet_at(&s->rho, t);
    a->un = jet_at(&s->u, t);
    a->ut = jet_at(&s->v, t);
    a->p = jet_at(&s->p, t);
    mask low = mask_none();
    if (stage->nets & KB_FLOW_SCALE)
        low = scale_primitive(a, cell);
    a->density = a->rho[0];
    face_energy(&stage->gas, a, 1.0 / a->density);
    return low;
}

kb_fn void conserved_jets(const face_cells *f, const roe_mean *m, lane left[3][4],
                          lane right[3][4])
{
    lane v[4][6], L[4][3], R[4][3], a[4];
    load_waves(f, m, v);
    for (int i = 0; i < 4; i++)
        ader_sides(v[i], L[i], R[i]);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 4; i++)
            a[i] = L[i][k];
        from_waves(m, a, left[k]);
        for (int i = 0; i < 4; i++)
            a[i] = R[i][k];
        from_waves(m, a, right[k]);
    }
}

/* mean over the step; h: dt/dx */
kb_fn mask evolved_flux(const kb_flow_stage *stage, const face_cells *f, const face_side *c0,
                        const face_side *c1, double h, lane F[NQ])
{
    const double place[2] = {0.5 - 0.288675134594812882, 0.5 + 0.288675134594812882};
    double ratio = stage->gas.ratio;
    roe_mean m = roe_of(c0, c1, ratio);
    lane left[3][4], right[3][4], G[NQ];
    mask low = mask_none();
    conserved_jets(f, &m, left, right);
    side_jet l = primitive_jet(left, ratio), r = primitive_jet(right, ratio);
    evolve(&l, 1 + ratio);
    evolve(&r, 1 + ratio);
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

#endif
