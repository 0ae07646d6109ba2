/* SPDX-License-Identifier: MIT
 *
 * Chemistry in every cell, split off from the flow: any solver of a mechanism at constant volume.
 */
#pragma once

#include "flow/engines/reacting.h"

typedef enum {
    KB_FLOW_STRANG,  /* half a step, flow, half a step; neighbouring halves are one */
    KB_FLOW_GODUNOV  /* flow, then chemistry */
} kb_flow_splitting;

typedef struct kb_flow_chemistry {
    const kb_solver *solver, *fallback; /* fallback: cvode, for ODEs that solver cannot do */
    double *options, rtol, atol;
    kb_schedule schedule;
    kb_flow_splitting splitting;
    int threads;                /* CPU threads; 0: all */
    double T_react;             /* colder cells are left out [K] */
    const volatile int *stop;   /* may be NULL */
    /* so far: ODEs, attempted substeps, ODEs left to cvode, cells left out; time [s] */
    int64_t odes, attempts, redone, skipped;
    double seconds, attempt;    /* attempt: time of one in the last step, on this rank */
    long fluid;                 /* cells that are not solid */
    kb_flow_reacting cells;     /* in the engine's memory: block */
    void *block, (*release)(void *memory);
    void *run;                  /* of the solver, where it works on that memory */
} kb_flow_chemistry;

/* text: "SOLVER:option=value@ENGINE" as `bench` takes them, "rodas4:rtol=1e-4@cpu-simd"; without an
 * engine cpu-simd, for a solver that has none cpu-scalar. Default tolerances 1e-4 and 1e-10. */
int kb_flow_chemistry_open(kb_flow_chemistry *c, const kb_solvers *s, const char *text,
                           kb_error *err);
void kb_flow_chemistry_close(kb_flow_chemistry *c);

struct kb_flow;
/* T, p, Y [nsp + 2] of a cell: what its chemistry starts from */
void kb_flow_gather(const struct kb_flow *f, int i, int j, double *state);
/* attempted substeps of a cell in the last step of the chemistry; 255: so many or more */
int kb_flow_cost(const struct kb_flow *f, int i, int j);
/* these of all ranks to rank 0 */
void kb_flow_collect_cost(const struct kb_flow *f);
/* All fluid cells on by dt [s] in q[0]: densities of the species change, rho, momentum and E do
 * not. Errors: a cell that neither solver can do, with its state; KB_INTERRUPTED with nothing
 * changed. */
int kb_flow_react(struct kb_flow *f, double dt, kb_error *err);
