/* SPDX-License-Identifier: MIT
 *
 * Databases from homogeneous ignition: consecutive points in time along adiabatic reactors at
 * constant pressure or volume, as in Niemeyer and Sung, J. Comput. Phys. 256 (2014) 854, section 4.
 */
#pragma once

#include "pasr/database/recipe.h"

#define KB_IGNITION_VERSION 1 /* changes when the same recipe would give other bytes */

/* One recipe: every T0 with every p with every phi (phi fastest, then p) is one reactor. */
typedef struct {
    char *mech, *thermo;   /* name or file; NULL or the thermo file of a CHEMKIN mechanism */
    char *fuel, *oxidizer; /* moles: "CH4:1", "O2:1,N2:3.76" */
    kb_axis T0, p, phi;    /* [K], [atm], [-] */
    int reactor;           /* kb_reactor */
    long n;         /* states in all, shared by the reactors (the first take the remainder) */
    long tile;      /* > 0: number of distinct states, repeated up to n */
    double span;    /* t_end = span x ignition delay */
    double t_end;   /* [s]; > 0: instead of span */
    double spacing; /* [s] between states; > 0: instead of t_end / states of the reactor */
    double rtol, atol; /* of CVODE */
} kb_ignition;

/* What one reactor did. */
typedef struct {
    double T0, p, phi; /* [K], [atm], [-] */
    double delay;      /* [s], largest dT/dt; NAN: T rose less than KB_IGNITION_RISE in t_end */
    double t_end, spacing; /* [s]; its states are at i * spacing, i = 0 .. n - 1 */
    double T_max;      /* [K] over its states */
    long first, n;     /* its rows */
} kb_ignition_path;

#define KB_IGNITION_RISE 400.0 /* [K] */

extern const kb_recipe_form kb_ignition_form; /* the table of a kb_ignition */
void kb_ignition_defaults(kb_ignition *r);    /* gri30, CH4/air, phi 1, 1600 K, 1 atm, 1024 */
int kb_ignition_reactors(const kb_ignition *r);

/* Fills states [r->n x (nsp + 2)] and paths [kb_ignition_reactors(r)]. m and s must be the same
 * mechanism. progress may be NULL; it is called after each reactor. */
int kb_ignition_run(const kb_ignition *r, const kb_mech *m, const kb_solvers *s, double *states,
                    kb_ignition_path *paths, void (*progress)(const kb_ignition_path *path, int k),
                    kb_error *err);

/* "reactors": what each one did; the caller owns it */
json_t *kb_ignition_results(const kb_ignition *r, const kb_ignition_path *paths);
