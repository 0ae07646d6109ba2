/* SPDX-License-Identifier: MIT
 *
 * Fluxes between two states: HLLC, HLLC-LM, HLLE, Rusanov, for any gas. F [NQ] in the order
 * species, normal and transverse momentum, energy.
 *
 * Wave speeds: Einfeldt, SIAM J. Numer. Anal. 25 (1988), eqs. 4.5-4.8 with a sound speed that is
 * averaged, so that they hold for any gas. HLLC: Toro, Spruce and Speares, Shock Waves 4 (1994).
 * HLLC-LM: Fleischmann, Adami and Adams, J. Comput. Phys. 423 (2020), eqs. 23-27. HLLE is what Le
 * and Cambier (2013) print as eqs. 19-21.
 */
#pragma once

#include "flow/scheme/side.h"

typedef struct {
    lane l, r;
} wave_speeds;

/* Roe's weights, as in variables.h */
kb_fn wave_speeds einfeldt(const face_side *l, const face_side *r)
{
    lane g = vsqrt(l->density * r->density), wr = g / (l->density + g), wl = 1.0 - wr;
    lane jump = r->un - l->un, u = wl * l->un + wr * r->un;
    lane c = vsqrt(wl * l->c2 + wr * r->c2 + 0.5 * wl * wr * jump * jump);
    return (wave_speeds){lane_min(l->un - vsqrt(l->c2), u - c),
                         lane_max(r->un + vsqrt(r->c2), u + c)};
}

kb_fn void physical_flux(const face_side *a, lane F[NQ])
{
    lane mass = a->density * a->un;
    for (int s = 0; s < NSP; s++)
        F[s] = a->rho[s] * a->un;
    F[NSP] = mass * a->un + a->p;
    F[NSP + 1] = mass * a->ut;
    F[NSP + 2] = a->un * (a->E + a->p);
}

/* species follow the mass: each takes its share of the side that the mass comes from */
kb_fn void upwind_species(const face_side *l, const face_side *r, lane mass, lane F[NQ])
{
    mask right = mass > splat(0);
    if (NSP == 1) {
        F[0] = mass;
        return;
    }
    lane each = mass / vselect(right, l->density, r->density);
    for (int s = 0; s < NSP; s++)
        F[s] = each * vselect(right, l->rho[s], r->rho[s]);
}

kb_fn lane contact_speed(const face_side *l, const face_side *r, wave_speeds S)
{
    lane ml = l->density * (S.l - l->un), mr = r->density * (S.r - r->un);
    return (r->p - l->p + ml * l->un - mr * r->un) / (ml - mr);
}

/* density and E between the wave of speed S and the contact of speed M */
kb_fn void star_state(const face_side *a, lane S, lane M, lane *density, lane *E)
{
    lane each = 1.0 / (S - M), mass = a->density * (S - a->un);
    *density = mass * each;
    *E = each * (a->E * (S - a->un) + (M - a->un) * (mass * M + a->p));
}

kb_fn face_side pick(mask left, const face_side *l, const face_side *r)
{
    face_side a;
    a.density = vselect(left, l->density, r->density);
    a.un = vselect(left, l->un, r->un);
    a.ut = vselect(left, l->ut, r->ut);
    a.p = vselect(left, l->p, r->p);
    a.E = vselect(left, l->E, r->E);
    return a;
}

kb_fn void hllc(const face_side *l, const face_side *r, lane F[NQ])
{
    wave_speeds S = einfeldt(l, r);
    lane M = contact_speed(l, r, S), density, E;
    mask left = M >= splat(0);
    face_side a = pick(left, l, r);
    lane wave = vselect(left, S.l, S.r);
    star_state(&a, wave, M, &density, &E);
    /* 0 where the flow is supersonic */
    lane s = vselect(left, lane_min(wave, splat(0)), lane_max(wave, splat(0)));
    lane mass = a.density * a.un;
    upwind_species(l, r, mass + s * (density - a.density), F);
    F[NSP] = mass * a.un + a.p + s * (density * M - mass);
    F[NSP + 1] = mass * a.ut + s * (density - a.density) * a.ut;
    F[NSP + 2] = a.un * (a.E + a.p) + s * (E - a.E);
}

/* Q* - Q of one side, with the density for the species */
kb_fn void star_jump(const face_side *a, lane S, lane M, lane jump[4], lane star[4])
{
    star_state(a, S, M, &star[0], &star[3]);
    star[1] = star[0] * M;
    star[2] = star[0] * a->ut;
    jump[0] = star[0] - a->density;
    jump[1] = star[1] - a->density * a->un;
    jump[2] = star[2] - a->density * a->ut;
    jump[3] = star[3] - a->E;
}

kb_fn void mean_flux(const face_side *l, const face_side *r, lane F[4])
{
    lane ml = l->density * l->un, mr = r->density * r->un;
    F[0] = 0.5 * (ml + mr);
    F[1] = 0.5 * (ml * l->un + l->p + mr * r->un + r->p);
    F[2] = 0.5 * (ml * l->ut + mr * r->ut);
    F[3] = 0.5 * (l->un * (l->E + l->p) + r->un * (r->E + r->p));
}

/* sin(pi/2 x) for x in [0, 1], to 1e-11: a Taylor polynomial of degree 15 */
kb_fn lane quarter_sine(lane x)
{
    static const double c[] = {1.0, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880,
                               -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000};
    lane y = 0.5 * M_PI * x, z = y * y, sum = splat(c[7]);
    KB_UNROLL for (int k = 6; k >= 0; k--)
        sum = sum * z + c[k];
    return sum * y;
}

kb_fn void hllc_lm(const face_side *l, const face_side *r, lane F[NQ])
{
    wave_speeds S = einfeldt(l, r);
    lane M = contact_speed(l, r, S), jl[4], jr[4], sl[4], sr[4], G[4];
    lane mach2 = lane_max(l->un * l->un * r->c2, r->un * r->un * l->c2) / (l->c2 * r->c2);
    lane phi = quarter_sine(lane_min(splat(1), 10.0 * vsqrt(mach2)));
    mask supersonic = (S.l >= splat(0)) | (S.r <= splat(0));
    star_jump(l, S.l, M, jl, sl);
    star_jump(r, S.r, M, jr, sr);
    mean_flux(l, r, G);
    for (int k = 0; k < 4; k++)
        G[k] += 0.5 * (phi * (S.l * jl[k] + S.r * jr[k]) + vabs(M) * (sl[k] - sr[k]));
    if (lane_any(supersonic)) {
        face_side a = pick(S.l >= splat(0), l, r);
        lane mass = a.density * a.un;
        G[0] = vselect(supersonic, mass, G[0]);
        G[1] = vselect(supersonic, mass * a.un + a.p, G[1]);
        G[2] = vselect(supersonic, mass * a.ut, G[2]);
        G[3] = vselect(supersonic, a.un * (a.E + a.p), G[3]);
    }
    upwind_species(l, r, G[0], F);
    for (int k = 1; k < 4; k++)
        F[NSP - 1 + k] = G[k];
}

/* two waves of speeds below <= 0 <= above */
kb_fn void two_waves(const face_side *l, const face_side *r, lane below, lane above, lane F[NQ])
{
    lane FL[NQ], FR[NQ], QL[NQ], QR[NQ], each = 1.0 / (above - below);
    physical_flux(l, FL);
    physical_flux(r, FR);
    face_conserved(l, QL);
    face_conserved(r, QR);
    for (int k = 0; k < NQ; k++)
        F[k] = (above * FL[k] - below * FR[k] + above * below * (QR[k] - QL[k])) * each;
}

kb_fn void hlle(const face_side *l, const face_side *r, lane F[NQ])
{
    wave_speeds S = einfeldt(l, r);
    two_waves(l, r, lane_min(S.l, splat(0)), lane_max(S.r, splat(0)), F);
}

kb_fn void rusanov(const face_side *l, const face_side *r, lane F[NQ])
{
    lane s = lane_max(vabs(l->un) + vsqrt(l->c2), vabs(r->un) + vsqrt(r->c2));
    two_waves(l, r, -s, s, F);
}

kb_fn void riemann_flux(kb_flow_riemann kind, const face_side *l, const face_side *r, lane F[NQ])
{
    switch (kind) {
    case KB_FLOW_HLLC: hllc(l, r, F); break;
    case KB_FLOW_HLLC_LM: hllc_lm(l, r, F); break;
    case KB_FLOW_HLLE: hlle(l, r, F); break;
    default: rusanov(l, r, F); break;
    }
}
