/* SPDX-License-Identifier: MIT
 *
 * Hydrogen in air for the tests of generators: mechanism, solvers, a folder, and runs that are
 * interrupted and continue.
 */
#pragma once

#include <unistd.h>

#include <sha2.h>

#include "mech/thermo/thermo.h"
#include "pasr/database/database.h"
#include "pasr/generators/common/march.h"
#include "tests/test.h"

static kb_mech mech;
static const kb_solvers *solvers;
static char folder[] = "/tmp/kb_h2_XXXXXX", base[64], file[64];

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
    kb_checkpoint_drop(base);
    remove(base);
    remove(file);
    return rmdir(folder);
}

static inline void assert_same(const kb_output *a, const kb_output *b)
{
    size_t row = ((size_t)mech.nspecies + 2) * sizeof(double);
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->states, b->states, (size_t)a->n * row);
    assert_memory_equal(a->aux, b->aux, (size_t)a->n * (size_t)a->naux * sizeof(double));
    assert_true(json_equal(a->results, b->results));
}

/* ---- the same bytes ---- */

/* a "reaction" that leaves every state as it is */
static inline int inert_run(const kb_solver *self, const kb_job *job, kb_result *result,
                            kb_error *err)
{
    (void)self;
    (void)err;
    int nsp = solvers->nsp;
    for (long i = 0; i < job->n; i++) {
        result->y[i * (nsp + 1)] = job->states[i * (nsp + 2)];
        memcpy(result->y + i * (nsp + 1) + 1, job->states + i * (nsp + 2) + 2,
               (size_t)nsp * sizeof(double));
        result->count[i] = (kb_count){.attempted = 1, .accepted = 1};
    }
    return KB_OK;
}

static const kb_solver inert_solver = {.info = {.name = "rodas4", .engine = "cpu-simd"},
                                       .run = inert_run};

static const kb_solver inert_cvode = {.info = {.name = "cvode", .engine = "cpu-scalar"},
                                      .run = inert_run};

static inline kb_solvers inert(void)
{
    static const kb_solver *const list[] = {&inert_solver, &inert_cvode};
    kb_solvers s = *solvers;
    s.nsolvers = 2;
    s.solvers = list;
    return s;
}

static inline void assert_hash(const kb_output *o, const char *expected)
{
    char hash[65];
    SHA256Data((const uint8_t *)o->states,
               (size_t)o->n * ((size_t)mech.nspecies + 2) * sizeof(double), hash);
    assert_string_equal(hash, expected);
}

typedef int generator_run(const void *recipe, const kb_solvers *s, const kb_march_how *how,
                          kb_output *o, kb_error *err);

/* without a reaction the bytes follow from the generator alone */
static inline void assert_same_bytes(generator_run *run, const void *recipe, const char *expected)
{
    kb_solvers s = inert();
    kb_output o = {0};
    assert_int_equal(run(recipe, &s, &(kb_march_how){0}, &o, NULL), KB_OK);
    assert_hash(&o, expected);
    kb_output_free(&o);
}

/* ---- interruption ---- */

static volatile int stop_flag;
static const kb_solver *real;
static long calls_left;

static inline void stop_at(void *data, long step, long steps)
{
    (void)steps;
    if (step == *(const long *)data)
        stop_flag = 1;
}

/* the reaction step that Ctrl-C hits: half of what it was to do is done */
static inline int hit_run(const kb_solver *self, const kb_job *job, kb_result *result,
                          kb_error *err)
{
    (void)self;
    if (calls_left-- > 0)
        return real->run(real, job, result, err);
    kb_job half = *job;
    half.n = job->n / 2;
    stop_flag = 1;
    int code = real->run(real, &half, result, err);
    return code ? code : kb_fail(err, KB_INTERRUPTED, "hit");
}

/* one run that ends within its reaction step number calls (from 0) */
static inline void interrupt_within(generator_run *run, const void *recipe, kb_march_how how,
                                    long calls)
{
    real = kb_solver_find(solvers, "rodas4", "cpu-simd");
    kb_solver hit = *real;
    hit.run = hit_run;
    const kb_solver *list[] = {&hit, kb_solver_find(solvers, "cvode", "cpu-scalar")};
    kb_solvers s = *solvers;
    s.solvers = list;
    s.nsolvers = 2;
    kb_output o = {0};
    stop_flag = 0;
    calls_left = calls;
    assert_int_equal(run(recipe, &s, &how, &o, NULL), KB_INTERRUPTED);
    assert_null(o.results);
    kb_output_free(&o);
}

/* Interrupted after steps at[0 .. n - 1], each counted from the recipe's beginning, and once within
 * a reaction step: the end is that of a run in one go, byte for byte. */
static inline void assert_goes_on(generator_run *run, const void *recipe, const long *at, size_t n)
{
    kb_output whole = {0}, parts = {0};
    kb_march_how how = {.stop = &stop_flag, .path = base, .checkpoint = 4, .progress = stop_at};
    assert_works(run(recipe, solvers, &(kb_march_how){0}, &whole, &err));
    for (size_t i = 0; i < n; i++) {
        how.data = (void *)&at[i];
        stop_flag = 0;
        assert_fails(run(recipe, solvers, &how, &parts, &err), KB_INTERRUPTED,
                     "continues from there");
        assert_null(parts.results);
        kb_output_free(&parts);
    }
    how.progress = NULL;
    interrupt_within(run, recipe, how, 1);
    stop_flag = 0;
    how.threads = 2; /* changes no byte */
    assert_works(run(recipe, solvers, &how, &parts, &err));
    assert_same(&whole, &parts);
    kb_output_free(&whole);
    kb_output_free(&parts);
    kb_checkpoint_drop(base);
}
