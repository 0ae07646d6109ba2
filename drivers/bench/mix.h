/* SPDX-License-Identifier: MIT
 *
 * Transport between global steps: each state mixes with another one of the database, as particles
 * of a partially stirred reactor do (pasr/generators/pasr.h), so that the next reaction starts from
 * a state as a flow code hands it over. That is the other particle of its pair at all steps, if the
 * database says which (pair_row in .aux.npy), or at each step any one at the same pressure. The
 * partners stay as they are in the database: states do not depend on one another, nor on their
 * number and order.
 */
#pragma once

#include "mech/mech.h"
#include "pasr/database/database.h"
#include "solvers/solver.h"

typedef struct {
    uint64_t hash;
    long row;
} kb_mix_state;

typedef struct {
    double tau;            /* mixing time [s] */
    const kb_database *db;
    kb_mech m;
    long *row;             /* [db->n] rows of db, pressure rising */
    long *pair;            /* [db->n] rows of the other ones of pairs, or NULL */
    kb_mix_state *state;   /* [db->n] by hash, to find the row of a state; NULL without pairs */
} kb_mix;

/* The mechanism is the one that the .json beside db names. Error: it is not there, or not that of
 * the solvers; .aux.npy does not have the pairs that the .json says it has. */
int kb_mix_open(kb_mix *x, const kb_database *db, const kb_solvers *s, double tau, kb_error *err);
void kb_mix_close(kb_mix *x); /* also of zeros */

/* states [n x (nsp + 2)], after global step `step` of dt [s]; first: the same at the start of the
 * first step, which choose the partners. The difference to the mean of both decays by
 * exp(-2 dt/tau) in enthalpy and Y; p stays. A state without another one of its pressure, or
 * beyond any temperature (of a failed ODE), stays as it is. */
void kb_mix_step(const kb_mix *x, const double *first, int step, double dt, long n,
                 double *states);
