/* SPDX-License-Identifier: MIT
 *
 * The reaction step of a generator that splits transport from chemistry: all states over the same
 * dt at constant pressure, RODAS4 on SIMD lanes; the few that it cannot do, by CVODE.
 */
#pragma once

#include "solvers/solver.h"

typedef struct {
    const kb_solver *solver, *fallback;
    int nsp, threads; /* threads 0: all; the result does not depend on them */
    double rtol, atol;
    const volatile int *stop; /* may be NULL */
    long n;
    double *y;       /* n x (nsp + 1) */
    kb_count *count; /* n; of the last step, where RODAS4 failed those of CVODE */
} kb_react;

/* what was done: ODEs, attempted substeps, and ODEs left to CVODE */
typedef struct {
    int64_t odes, attempts, redone;
} kb_reacted;

#define KB_REACT_METHOD "RODAS4, CVODE for states that RODAS4 cannot do"

int kb_react_open(kb_react *x, const kb_solvers *s, long n, double rtol, double atol, int threads,
                  const volatile int *stop, kb_error *err);
void kb_react_close(kb_react *x);

/* states [n x (nsp + 2)]: T, p, Y; T and Y move on by dt [s]; adds to sum. An error names the
 * state that neither solver could do. KB_INTERRUPTED: *stop was set, states are as before. */
int kb_react_step(kb_react *x, double *states, double dt, kb_reacted *sum, kb_error *err);
