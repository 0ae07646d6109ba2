/* SPDX-License-Identifier: MIT
 *
 * The gas of a mechanism, its solvers and its engines of the flow, for tests.
 */
#pragma once

#include "tests/unit/flow_run.h"

#include "flow/engines/exported.h"
#include "flow/run/reactive.h"
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
    double X[KB_FLOW_SPECIES];
    assert_works(kb_mole_fractions(&g->m, "mixture", text, X, &err));
    kb_X_to_Y(&g->m, X, Y);
}

/* one thread, as a test asks for it */
static inline void flow_chemistry(const flow_gas *g, kb_flow_chemistry *c, const char *text)
{
    assert_works(kb_flow_chemistry_open(c, g->s, text, &err));
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

/* energies of a gas at rest, swept from T - 1e-3 K to T + 1e-3 K along the first row: each has a T,
 * which rises with them, and one cell at least has T itself if the gas has a gap there. f: on a
 * host, full of this gas at T */
static inline void flow_sweep(kb_flow *f, const kb_mech *m, double T, const double *Y)
{
    const kb_flow_grid *g = &f->stage.grid;
    double rho = kb_flow_density(f, 0, 0);
    double u0 = kb_mix_u(m, T - 1e-3, Y), u1 = kb_mix_u(m, T + 1e-3, Y), before = 0;
    int inside = 0, gap = kb_mix_u(m, nextafter(T, 2 * T), Y) > kb_mix_u(m, T, Y);
    for (int i = 0; i < g->nx; i++)
        f->q[0][(g->nsp + 2) * g->plane + kb_flow_at(g, i, 0)] =
            rho * (u0 + (u1 - u0) * i / (g->nx - 1));
    kb_flow_health health = kb_flow_primitive_rows(f);
    assert_true(health.bad < 0);
    for (int i = 0; i < g->nx; i++) {
        double now = f->w[(g->nsp + 4) * g->plane + kb_flow_at(g, i, 0)];
        double u = u0 + (u1 - u0) * i / (g->nx - 1), expected = kb_T_from_u(m, u, Y, T);
        assert_true(fabs(now - expected) < 1e-7 && now >= before - 1e-9);
        inside += now == T;
        before = now;
    }
    assert_true(!gap || inside > 0);
}
