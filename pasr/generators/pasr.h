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
#pragma once

#include "pasr/generators/common/march.h"

#define KB_PASR_VERSION 2
#define KB_PASR_STREAMS 3 /* most inflow streams */

enum { KB_PREMIXED, KB_NON_PREMIXED };

/* Which states of a step are rows: those after 4. (as in Curtis et al.), those between 3. and 4.,
 * which a flow code hands over, or both: of a time first the particles before, then after */
enum { KB_ROWS_AFTER, KB_ROWS_BEFORE, KB_ROWS_BOTH };

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
    double coarse;         /* [s] where no state is kept soon; 0: dt */
    double start;          /* residence times before the first state that is kept */
    long every;            /* steps from one that is kept to the next */
    long least;            /* states; 0: as many as `every` gives */
    int states;            /* KB_ROWS_AFTER ... */
    long seed;
    char *solver;          /* "rodas4", "cvode" ...: cpu-simd where it has that, else cpu-scalar */
    double rtol, atol;
} kb_pasr;

extern const kb_recipe_form kb_pasr_form;
extern const char *const kb_pasr_states[]; /* "after" ..., by number */
void kb_pasr_defaults(kb_pasr *r); /* gri30, CH4/air: the first paper condition */

enum { KB_PASR_LENGTHS = 12 };

/* Steps to a time that is kept: coarse steps, then fine steps of 10^k dt, the longest first */
typedef struct {
    long coarse, fine[KB_PASR_LENGTHS];
} kb_pasr_split;

typedef struct {
    long steps, kept;             /* in all; points in time that are kept */
    long first, every;            /* kept: after steps first, first + every ... */
    kb_pasr_split to_first, to_next;
    double dt, coarse_dt;         /* [s] */
    long first_at, every_at;      /* first and every as times, in dt */
} kb_pasr_plan;

#define KB_PASR_FINE 0.1 /* of min(tau_mix, tau_pair): before a state that is kept all is fine */
/* If there are coarse steps, and more than so many of dt in that time, fine steps grow with the
 * time that is left: steps of 10^k dt end at least 10^(k+1) dt before the state. */
#define KB_PASR_MANY 2000

double kb_pasr_dt(const kb_pasr *r); /* before a state that is kept */
kb_pasr_plan kb_pasr_plan_of(const kb_pasr *r);
double kb_pasr_step_dt(const kb_pasr_plan *p, long step); /* of steps 1 ... [s] */
int kb_pasr_conditions(const kb_pasr *r);
long kb_pasr_at_once(const kb_pasr *r); /* states of one point in time */

/* Fills o. Rows: condition, then time, then (of both kinds) before and after, then particle. */
int kb_pasr_run(const kb_pasr *r, const kb_mech *m, const kb_solvers *s, const kb_march_how *how,
                kb_output *o, kb_error *err);
