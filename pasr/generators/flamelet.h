/* SPDX-License-Identifier: MIT
 *
 * Databases from the transient flamelet equations in mixture-fraction space z, unity Lewis numbers,
 * as in Sewerin and Rigopoulos, Combust. Flame 162 (2015) 1375, section 2:
 *   dy/dt = chi(z)/2 d2y/dz2 + source(y), y = (T, Y), y(0) oxidiser, y(1) fuel,
 * on z_i = i/(points + 1), from equilibrium at the enthalpy and pressure of each z. Each global
 * step is diffusion (backward Euler), then reaction; the states between the two are the database.
 *
 * As in the paper T diffuses like the mass fractions: the terms of the enthalpy flux and of the
 * gradient of cp are left out, so that enthalpy does not stay linear in z; the elements do.
 */
#pragma once

#include "pasr/generators/common/march.h"

#define KB_FLAMELET_VERSION 1 /* changes when the same recipe would give other bytes */

typedef struct {
    char *mech, *thermo;   /* name or file; NULL or the thermo file of a CHEMKIN mechanism */
    char *fuel, *oxidizer; /* moles */
    double T_fuel, T_oxidizer; /* [K] */
    double p;              /* [atm] */
    double strain;         /* [1/s] */
    long points;           /* interior grid points */
    double dt;             /* global step [s] */
    long steps, every;     /* global steps; the first and each every-th after it are kept */
    double rtol, atol;     /* of the reaction step */
} kb_flamelet;

extern const kb_recipe_form kb_flamelet_form;
void kb_flamelet_defaults(kb_flamelet *r); /* gri30, CH4/air, 300 K, 1 atm, 400 1/s, 1024 x 10 */

/* x with erfc(x) = y, 0 < y < 2 */
double kb_erfc_inverse(double y);
/* (strain/pi) exp(-2 [erfc^-1(2z)]^2) [1/s], 0 < z < 1: Peters, Prog. Energy Combust. Sci. 10
 * (1984) 319. The paper's Eq. 5 prints erf^-1, which has no value beyond z = 1/2, and a square
 * outside the exponential as well as the 2 inside it. */
double kb_scalar_dissipation(double strain, double z);

/* fills out */
int kb_flamelet_run(const kb_flamelet *r, const kb_mech *m, const kb_solvers *s,
                    const kb_march_how *how, kb_output *out, kb_error *err);
