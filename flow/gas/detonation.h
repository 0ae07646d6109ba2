/* SPDX-License-Identifier: MIT
 *
 * Steady planar detonations: the Chapman-Jouguet state, the frozen state behind the shock (von
 * Neumann), and the reaction zone between them (Zeldovich, von Neumann, Doering).
 */
#pragma once

#include <stdbool.h>

#include "mech/mech.h"
#include "solvers/solver.h"

typedef struct {
    double T, p, rho, c; /* [K], [Pa], [kg/m^3], frozen sound speed [m/s] */
} kb_gas_state;

typedef struct {
    double D;                  /* Chapman-Jouguet speed [m/s] */
    kb_gas_state fresh, vn, cj; /* vn: behind a shock of speed D */
} kb_detonation;

/* mass fractions Y [nspecies] at T [K], p [Pa]; Yb [nspecies] gets the composition of the CJ
 * state. D is the least shock speed over the states of the equilibrium Hugoniot curve (Fickett
 * and Davis, Detonation, 2A). Errors: an impossible state, no equilibrium, a mixture that does
 * not detonate. */
int kb_cj(const kb_mech *m, double T, double p, const double *Y, kb_detonation *d, double *Yb,
          kb_error *err);

/* the gas at T [K], p [Pa] */
kb_gas_state kb_gas_state_of(const kb_mech *m, double T, double p, const double *Y);
/* frozen state behind a shock of speed D into a gas (rho1 from T1, p1, Y) */
int kb_frozen_shock(const kb_mech *m, const kb_gas_state *fresh, const double *Y, double D,
                    kb_gas_state *behind, kb_error *err);

/* one point of the reaction zone: distance from the shock [m] and time since [s], speed in the
 * shock's frame, thermicity sigma [1/s], Mach number in that frame */
typedef struct {
    double x, t, T, p, rho, w, sigma, mach;
} kb_znd_point;

typedef struct {
    long n;
    kb_znd_point *at;          /* [n] */
    double *Y;                 /* [n x nspecies] */
    double induction, delay;   /* distance [m] and time [s] from the shock to the largest sigma */
    double sigma;              /* the largest [1/s] */
    bool sonic;                /* it ends where the flow becomes sonic: D is below the least speed
                                  of a steady zone, which slow reactions make larger than CJ's */
} kb_znd;

/* Behind a shock of speed D (above that of CJ, where the flow would become sonic within) until
 * `length` [m] behind the shock, by CVODE (rtol 1e-9). */
int kb_znd_run(const kb_mech *m, const kb_solvers *s, const kb_gas_state *fresh, const double *Y,
               double D, double length, kb_znd *z, kb_error *err);
/* The same to so many induction lengths, more than 2, or a sonic point. Error: no release of heat
 * within 100 m. */
int kb_znd_zone(const kb_mech *m, const kb_solvers *s, const kb_gas_state *fresh, const double *Y,
                double D, double lengths, kb_znd *z, kb_error *err);
void kb_znd_free(kb_znd *z);
