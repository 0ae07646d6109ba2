/* SPDX-License-Identifier: MIT
 *
 * Partially stirred reactor by Monte Carlo particles with pairwise mixing: Pope, Combust. Theory
 * Model. 1 (1997) 41; used for databases of states by Curtis, Niemeyer and Sung, Combust. Flame 179
 * (2017) 312, Table 2.
 *
 * N particles of equal mass stand in N/2 pairs. In each time step dt:
 * 1. N/2 dt/tau_res pairs leave; each of their particles becomes one of an inflow stream, drawn
 *    with the stream's share of the mass flow;
 * 2. N/2 dt/tau_pair other pairs are chosen, and the particles of 1. and 2. change partners;
 * 3. in each pair (p, q) d phi_p/dt = -(phi_p - phi_q)/tau_mix, phi = (h, Y), solved exactly;
 * 4. every particle reacts at constant p and h over dt, all conditions in one batch.
 * Fractions of a pair are carried over to the next step.
 */
#ifndef KB_PASR_H
#define KB_PASR_H

#include "pasr/generators/common/march.h"

#define KB_PASR_VERSION 2
#define KB_PASR_STREAMS 3 /* most inflow streams */

enum { KB_PREMIXED, KB_NON_PREMIXED };

/* Every T0 with every p (T0 fastest) is one condition: a reactor with its own random stream. */
typedef struct {
    char *mech, *thermo;
    char *fuel, *oxidizer; /* moles */
    int inflow;            /* KB_PREMIXED: mixture, pilot; KB_NON_PREMIXED: fuel, oxidiser, pilot */
    double phi;            /* of the inflow as a whole */
    double pilot;          /* share of the inflow: equilibrium at h, p of the mixture */
    kb_axis T0, p;         /* [K] of the unburnt streams, [atm] */
    long particles;        /* of one condition, even */
    double tau_res, tau_mix, tau_pair; /* [s] */
    double times;          /* length in residence times */
    double dt;             /* [s]; 0: 0.1 min(tau_mix, tau_pair) */
    double start;          /* residence times before the first state that is kept */
    long every;            /* steps from one that is kept to the next */
    long seed;
    char *solver;          /* "rodas4", "cvode" ...: cpu-simd where it has that, else cpu-scalar */
    double rtol, atol;
} kb_pasr;

extern const kb_recipe_form kb_pasr_form;
void kb_pasr_defaults(kb_pasr *r); /* gri30, CH4/air: the first paper condition */

double kb_pasr_dt(const kb_pasr *r);
long kb_pasr_steps(const kb_pasr *r);
int kb_pasr_conditions(const kb_pasr *r);
long kb_pasr_kept(const kb_pasr *r); /* points in time at which states are kept */

/* Fills o. Rows: condition, then time, then particle. */
int kb_pasr_run(const kb_pasr *r, const kb_mech *m, const kb_solvers *s, const kb_march_how *how,
                kb_output *o, kb_error *err);

#endif
