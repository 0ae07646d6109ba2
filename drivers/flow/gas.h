/* SPDX-License-Identifier: MIT
 *
 * What a case in a mechanism's gas needs: gas and solvers, and the profile that a detonation starts
 * from.
 */
#pragma once

#include "drivers/flow/settings.h"
#include "flow/engines/exported.h"
#include "flow/run/reactive.h"

typedef struct {
    const kb_flow_settings *set;
    kb_mech m;
    const kb_solvers *solvers;
    const kb_flow_engines *engines;
    double *Y; /* unburnt */
    kb_flow_znd_start start;
    kb_flow_case problem;
    kb_words shown; /* names of the fields of mass fractions */
    int *species;   /* of these */
} kb_flow_gas_run;

/* Errors: a mechanism that cannot be read, libraries that are not built or of another mechanism, a
 * mixture without a detonation. kb_flow_gas_close after an error, too. */
int kb_flow_gas_open(kb_flow_gas_run *g, const kb_flow_settings *set, kb_error *err);
void kb_flow_gas_close(kb_flow_gas_run *g);

/* text, from which c was opened, with the engine that it got; caller frees */
char *kb_flow_gas_chemistry(const kb_flow_chemistry *c, const char *text);

/* of an ODE; 0 if there was none */
double kb_flow_gas_attempts(const kb_flow_chemistry *c);

/* A run on a grid of nx, with the chemistry c by the solver of text, as kb_flow_chemistry_open
 * takes it; on the engine that goes with that of the flow, if text names none and there is one.
 * The caller closes both, after an error, too. */
int kb_flow_gas_start(const kb_flow_gas_run *g, kb_flow *f, kb_flow_chemistry *c,
                      const char *scheme, const char *engine, const char *text, int nx,
                      kb_error *err);
