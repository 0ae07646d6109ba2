/* SPDX-License-Identifier: MIT
 *
 * A small partially stirred reactor of hydrogen, for the tests of pasr.
 */
#ifndef PASR_CASE_H
#define PASR_CASE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../mech/thermo.h"
#include "../pasr/database.h"
#include "../pasr/pasr_parts.h"

static kb_mech mech;
static const kb_solvers *solvers;
static char folder[] = "/tmp/kb_pasr_XXXXXX", base[64], file[64];

static int open_all(void **state)
{
    (void)state;
    kb_error err = {0};
    if (!mkdtemp(folder))
        return -1;
    snprintf(base, sizeof base, "%s/base.npy", folder);
    snprintf(file, sizeof file, "%s/recipe.json", folder);
    if (kb_mech_load(&mech, "datasets/mechanisms/h2.yaml", NULL, &err) ||
        !(solvers = kb_solvers_open("h2", &err)))
        fprintf(stderr, "%s\n", err.text);
    return solvers ? 0 : -1;
}

static int close_all(void **state)
{
    (void)state;
    kb_mech_free(&mech);
    kb_pasr_drop_checkpoint(base);
    remove(base);
    remove(file);
    return rmdir(folder);
}

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

static int run_with(const kb_pasr *r, const kb_solvers *s, kb_pasr_how how, kb_output *o,
                    kb_error *err)
{
    memset(o, 0, sizeof *o);
    return kb_pasr_run(r, &mech, s, &how, o, err);
}

static void assert_same(const kb_output *a, const kb_output *b)
{
    size_t row = ((size_t)mech.nspecies + 2) * sizeof(double);
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->states, b->states, (size_t)a->n * row);
    assert_memory_equal(a->aux, b->aux, (size_t)a->n * (size_t)a->naux * sizeof(double));
    assert_true(json_equal(a->results, b->results));
}

#endif
