/* SPDX-License-Identifier: MIT
 *
 * The state on one side of a face, and how to read the cells around the face.
 */
#pragma once

#include KB_GAS_HEADER

enum { NQ = NSP + 3 };

/* normal velocity un, transverse velocity ut; total energy E [J/m^3]; square of the sound speed c
 */
typedef struct {
    lane rho[NSP], density, un, ut, p, E, c2;
} face_side;

/* q, w: fields 0 at the cell before the face; stride from cell to cell across the face; n, t: which
 * component of the velocity is normal, which transverse (0 or 1) */
typedef struct {
    const double *q, *w;
    long stride, plane;
    int n, t;
} face_cells;

/* field k of cell m, where cells 0 and 1 lie at the face */
kb_fn lane face_load(const double *field, const face_cells *f, int k, int m)
{
    return lane_load(field + k * f->plane + m * f->stride);
}

kb_fn lane sum_species(const lane rho[NSP])
{
    lane sum = rho[0];
    for (int s = 1; s < NSP; s++)
        sum += rho[s];
    return sum;
}

/* the mean state of cell m, from W, without c2 */
kb_fn face_side face_cell(const face_cells *f, int m)
{
    face_side a;
    for (int s = 0; s < NSP; s++)
        a.rho[s] = face_load(f->w, f, s, m);
    a.density = sum_species(a.rho);
    a.un = face_load(f->w, f, NSP + f->n, m);
    a.ut = face_load(f->w, f, NSP + f->t, m);
    a.p = face_load(f->w, f, NSP + 2, m);
    a.E = face_load(f->q, f, NSP + 2, m);
    return a;
}

/* the same without rho: many species are read again where they are needed */
kb_fn face_side face_mean(const face_cells *f, int m)
{
    face_side a;
    a.density = face_load(f->w, f, 0, m);
    KB_EACH_SPECIES for (int s = 1; s < NSP; s++)
        a.density += face_load(f->w, f, s, m);
    a.un = face_load(f->w, f, NSP + f->n, m);
    a.ut = face_load(f->w, f, NSP + f->t, m);
    a.p = face_load(f->w, f, NSP + 2, m);
    a.E = face_load(f->q, f, NSP + 2, m);
    return a;
}

/* E and c2 from rho_s, velocities and p, where 1/density is known */
kb_fn void face_energy(const kb_flow_gas *gas, face_side *a, lane each)
{
    lane energy;
    gas_energy(gas, a->rho, each, a->p, &energy, &a->c2);
    a->E = energy + 0.5 * a->density * (a->un * a->un + a->ut * a->ut);
}

/* conserved variables, in the order species, normal and transverse momentum, E */
kb_fn void face_conserved(const face_side *a, lane Q[NQ])
{
    for (int s = 0; s < NSP; s++)
        Q[s] = a->rho[s];
    Q[NSP] = a->density * a->un;
    Q[NSP + 1] = a->density * a->ut;
    Q[NSP + 2] = a->E;
}
