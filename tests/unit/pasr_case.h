/* SPDX-License-Identifier: MIT
 *
 * A small partially stirred reactor of hydrogen, for the tests of pasr.
 */
#pragma once

#include "pasr/generators/pasr_inside.h"
#include "tests/unit/h2_case.h"

/* 20 particles, 20 steps, two conditions */
static kb_pasr small(int inflow)
{
    kb_pasr r;
    kb_pasr_defaults(&r);
    free(r.mech);
    free(r.fuel);
    r.mech = kb_strdup("h2");
    r.fuel = kb_strdup("H2:1");
    r.inflow = inflow;
    r.T0 = (kb_axis){2, {600, 800}};
    r.particles = 20;
    r.tau_res = 1e-3;
    r.times = 2;
    r.seed = 7;
    return r;
}

static int run_with(const kb_pasr *r, const kb_solvers *s, kb_march_how how, kb_output *o,
                    kb_error *err)
{
    memset(o, 0, sizeof *o);
    return kb_pasr_run(r, &mech, s, &how, o, err);
}

static inline int run_pasr(const void *recipe, const kb_solvers *s, const kb_march_how *how,
                           kb_output *o, kb_error *err)
{
    return run_with(recipe, s, *how, o, err);
}
