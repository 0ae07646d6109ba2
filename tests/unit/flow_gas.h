/* SPDX-License-Identifier: MIT
 *
 * The gas of a mechanism, its solvers and its engines of the flow, for tests.
 */
#ifndef KB_TEST_FLOW_GAS_H
#define KB_TEST_FLOW_GAS_H

#include "tests/unit/flow_run.h"

#include "flow/exported.h"
#include "flow/reactive.h"
#include "mech/thermo/thermo.h"
#include "pasr/generators/common/mixture.h"

typedef struct {
    kb_mech m;
    const kb_solvers *s;
    const kb_flow_engines *e;
} flow_gas;

/* mech: a mechanism of the project; so: its flow.so, or mech again. Returns 1 with a message where
 * something is missing, as the setup of a group has it. */
static inline int flow_gas_open(flow_gas *g, const char *mech, const char *so)
{
    kb_error err = {0};
    char *path = kb_format("datasets/mechanisms/%s.yaml", mech);
    g->s = kb_solvers_open(mech, &err);
    g->e = g->s ? kb_flow_engines_open(so, &err) : NULL;
    int failed = !g->e || kb_mech_load(&g->m, path, NULL, &err);
    if (failed)
        fprintf(stderr, "%s\n", err.text);
    free(path);
    return failed;
}

/* mass fractions of a mixture in words, "H2:2,O2:1,AR:7" */
static inline void flow_mixture(const flow_gas *g, const char *text, double *Y)
{
    kb_error err = {0};
    double X[KB_FLOW_SPECIES];
    if (kb_mole_fractions(&g->m, "mixture", text, X, &err))
        fail_msg("%s", err.text);
    kb_X_to_Y(&g->m, X, Y);
}

/* one thread, as a test asks for it */
static inline void flow_chemistry(const flow_gas *g, kb_flow_chemistry *c, const char *text)
{
    kb_error err = {0};
    if (kb_flow_chemistry_open(c, g->s, text, &err))
        fail_msg("%s", err.text);
    c->threads = 1;
}

/* partial densities of a mixture at T [K] and p [Pa] */
static inline void flow_densities(const flow_gas *g, double T, double p, const double *Y,
                                  double *rho)
{
    double sum = kb_density(&g->m, T, p, Y);
    for (int s = 0; s < g->m.nspecies; s++)
        rho[s] = sum * Y[s];
}

#endif
