/* SPDX-License-Identifier: MIT
 *
 * States from which an ignition can be missed: fresh mixtures without any radical, and random ones;
 * and how many of them a solver gets wrong.
 */
#pragma once

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/stats.h"
#include "mech/thermo/thermo.h"
#include "pasr/generators/common/mixture.h"
#include "solvers/options.h"

typedef struct {
    const char *mech, *fuel;
    double dt[3]; /* a third of the states each */
    double T[2];  /* of the fresh mixtures */
} growth_case;

static const growth_case growth_cases[] = {{"h2", "H2:1", {1e-5, 1e-4, 1e-3}, {900, 1800}},
                                           {"h2co", "CO:1,H2:1", {1e-5, 1e-4, 1e-3}, {900, 1800}},
                                           {"gri30", "CH4:1", {1e-4, 1e-3, 1e-2}, {900, 1800}}};
enum { GROWTH_CASES = 3 };

typedef struct {
    const growth_case *of;
    kb_mech m;
    const kb_solvers *s;
    long n;          /* a multiple of 6: half of the states are fresh, half random */
    double *states;  /* n x (nsp + 2) */
    double *exact;   /* n x (nsp + 1); NaN: T leaves its window */
} growth;

/* what a solver did with the fresh (0) or the random (1) states */
typedef struct {
    long n, ignitions, failed;
    long missed; /* status ok, and T rises by less than a fifth of more than 100 K */
    long wrong;  /* status ok, and an error (base/stats.h) above 0.1 */
    double attempts, rhs, jac, lu, solve; /* means */
    double seconds;
} growth_result;

static inline double growth_between(kb_random *r, double least, double most)
{
    return least + (most - least) * kb_random_unit(r);
}

/* 0.1 to 50 atm, phi 0.1 to 10, O2 with 0 to 10 times as much N2; no radicals */
static inline int growth_fresh(const growth *g, kb_random *r, double *state, kb_error *err)
{
    char *air = kb_format("O2:1,N2:%g", growth_between(r, 0, 10));
    state[0] = growth_between(r, g->of->T[0], g->of->T[1]);
    state[1] = KB_ATM * pow(10, growth_between(r, -1, 1.7));
    int code = kb_premixed(&g->m, g->of->fuel, air, pow(10, growth_between(r, -1, 1)), state + 2,
                           err);
    free(air);
    return code;
}

/* a fresh mixture at 400 to 2500 K, and 1e-8 to 1 times as much of 1 to all species at random,
 * their ln Y uniform over 14 */
static inline int growth_random(const growth *g, kb_random *r, double *state, kb_error *err)
{
    int code = growth_fresh(g, r, state, err);
    uint64_t nsp = (uint64_t)g->s->nsp, some = 1 + kb_random_below(r, nsp);
    double much = pow(10, growth_between(r, -8, 0)), sum = 0;
    state[0] = growth_between(r, 400, 2500);
    for (uint64_t k = 0; k < some; k++)
        state[2 + kb_random_below(r, nsp)] += much * exp(-14 * kb_random_unit(r));
    for (uint64_t i = 0; i < nsp; i++)
        sum += state[2 + i];
    for (uint64_t i = 0; i < nsp; i++)
        state[2 + i] /= sum;
    return code;
}

/* the states of third k of the fresh (0) or random (1) ones begin here */
static inline long growth_first(const growth *g, int random, int k)
{
    return (random * 3 + k) * (g->n / 6);
}

/* Runs all states; y [n x (nsp + 1)], count [n] */
static inline int growth_solve(const growth *g, const kb_solver *solver, const kb_choice *c,
                               double *y, kb_count *count, double *seconds, kb_error *err)
{
    int code = KB_OK, nsp = g->s->nsp;
    *seconds = 0;
    for (int random = 0; random < 2; random++)
        for (int k = 0; k < 3 && !code; k++) {
            long first = growth_first(g, random, k);
            kb_result r = {.y = y + first * (nsp + 1), .count = count + first};
            kb_job job = {.n = g->n / 6, .states = g->states + first * (nsp + 2),
                          .dt = g->of->dt[k], .rtol = c->rtol, .atol = c->atol,
                          .options = c->options, .schedule = KB_REFILL, .max_substeps = 100000};
            code = solver->run(solver, &job, &r, err);
            *seconds += r.total;
        }
    return code;
}

static inline int growth_run(const growth *g, const char *text, const char *engine, double rtol,
                             double atol, double *y, kb_count *count, double *seconds,
                             kb_error *err)
{
    char *name = kb_format("%.*s", (int)strcspn(text, ":"), text);
    const kb_solver *solver = kb_solver_find(g->s, name, engine);
    kb_choice c = {.rtol = rtol, .atol = atol};
    int code = solver ? kb_solver_options(&solver->info, text, &c, err)
                      : kb_fail(err, KB_INVALID, "no solver %s on %s", name, engine);
    free(name);
    if (!code)
        code = growth_solve(g, solver, &c, y, count, seconds, err);
    free(c.options);
    free(c.text);
    return code;
}

/* the solutions of the ODEs of sixth k that are open, by CVODE */
static inline int growth_settle(growth *g, int k, const char *open, kb_error *err)
{
    long first = k * (g->n / 6), n = 0, *of = kb_alloc((size_t)g->n, sizeof *of);
    int ny = g->s->nsp + 1;
    for (long i = first; i < first + g->n / 6; i++)
        if (open[i])
            of[n++] = i;
    double *states = kb_alloc((size_t)(n * (ny + 1)) + 1, sizeof *states);
    double *y = kb_alloc((size_t)(n * ny) + 1, sizeof *y);
    kb_count *counted = kb_alloc((size_t)n + 1, sizeof *counted);
    for (long i = 0; i < n; i++)
        memcpy(states + i * (ny + 1), g->states + of[i] * (ny + 1),
               (size_t)(ny + 1) * sizeof *states);
    const kb_solver *cvode = kb_solver_find(g->s, "cvode", "cpu-scalar");
    kb_result r = {.y = y, .count = counted};
    kb_job job = {.n = n, .states = states, .dt = g->of->dt[k % 3], .rtol = 1e-12, .atol = 1e-24,
                  .schedule = KB_REFILL};
    int code = n ? cvode->run(cvode, &job, &r, err) : KB_OK;
    for (long i = 0; i < n && !code; i++) {
        memcpy(g->exact + of[i] * ny, y + i * ny, (size_t)ny * sizeof *y);
        if (counted[i].status)
            g->exact[of[i] * ny] = NAN;
    }
    free(of);
    free(states);
    free(y);
    free(counted);
    return code;
}

/* The exact solutions: where rodas5p and radau2a agree, rodas5p's, else CVODE's, each at tolerances
 * that are tight for it */
static inline int growth_reference(growth *g, kb_error *err)
{
    int ny = g->s->nsp + 1;
    double seconds, *other = kb_alloc((size_t)(g->n * ny), sizeof *other);
    kb_count *count = kb_alloc((size_t)g->n, sizeof *count), *second = kb_alloc((size_t)g->n,
                                                                                sizeof *second);
    int code = growth_run(g, "rodas5p", "cpu-simd", 1e-8, 1e-18, g->exact, count, &seconds, err);
    if (!code)
        code = growth_run(g, "radau2a", "cpu-simd", 1e-9, 1e-19, other, second, &seconds, err);
    char *open = kb_alloc((size_t)g->n, 1);
    for (long i = 0; i < g->n; i++)
        open[i] = count[i].status || second[i].status ||
                  !(kb_ode_error(other + i * ny, g->exact + i * ny, ny) < 1e-3);
    for (int k = 0; k < 6 && !code; k++)
        code = growth_settle(g, k, open, err);
    free(open);
    free(other);
    free(count);
    free(second);
    return code;
}

static inline void growth_free(growth *g)
{
    kb_mech_free(&g->m);
    free(g->states);
    free(g->exact);
}

/* n states of a case and their exact solutions */
static inline int growth_make(growth *g, const growth_case *of, long n, uint64_t seed,
                              kb_error *err)
{
    char *path = kb_format("datasets/mechanisms/%s.yaml", of->mech);
    *g = (growth){.of = of, .n = (n + 5) / 6 * 6};
    int code = kb_mech_load(&g->m, path, NULL, err);
    free(path);
    if (!code && !(g->s = kb_solvers_open(of->mech, err)))
        code = err->code;
    if (code)
        return code;
    int row = g->s->nsp + 2;
    g->states = kb_alloc((size_t)(g->n * row), sizeof *g->states);
    g->exact = kb_alloc((size_t)(g->n * (row - 1)), sizeof *g->exact);
    for (long i = 0; i < g->n && !code; i++) {
        kb_random r = kb_random_stream(seed, (uint64_t)i);
        code = (i < g->n / 2 ? growth_fresh : growth_random)(g, &r, g->states + i * row, err);
    }
    return code ? code : growth_reference(g, err);
}

/* what one ODE adds to the result */
static inline void growth_add(growth_result *r, double T0, const double *y, const double *exact,
                              const kb_count *c, int ny)
{
    double rise = exact[0] - T0;
    r->n++;
    r->ignitions += rise > 100;
    r->failed += c->status != KB_ODE_OK;
    if (!c->status) {
        r->missed += rise > 100 && y[0] - T0 < 0.2 * rise;
        r->wrong += !(kb_ode_error(y, exact, ny) <= 0.1);
    }
    r->attempts += c->attempted;
    r->rhs += c->rhs;
    r->jac += c->jac;
    r->lu += c->lu;
    r->solve += c->solve;
}

/* Of the ODEs that solver:pass=1 does by the first pass alone, how many; and how many are more than
 * 10 % wrong with status ok and were not without the pass */
static inline int growth_pass(const growth *g, const char *solver, const char *engine, double rtol,
                              double atol, long *passed, long *spoilt, kb_error *err)
{
    long ny = g->s->nsp + 1;
    double seconds, *y = kb_alloc((size_t)(2 * g->n * ny), sizeof *y), *with = y + g->n * ny;
    kb_count *count = kb_alloc(2 * (size_t)g->n, sizeof *count), *counted = count + g->n;
    char *text = kb_format("%s:pass=1", solver);
    int code = growth_run(g, solver, engine, rtol, atol, y, count, &seconds, err);
    if (!code)
        code = growth_run(g, text, engine, rtol, atol, with, counted, &seconds, err);
    *passed = *spoilt = 0;
    for (long i = 0; i < g->n && !code; i++) {
        const double *exact = g->exact + i * ny;
        *passed += !counted[i].status && !counted[i].jac;
        *spoilt += isfinite(*exact) && !counted[i].status &&
                   !(kb_ode_error(with + i * ny, exact, (int)ny) <= 0.1) &&
                   (count[i].status || kb_ode_error(y + i * ny, exact, (int)ny) <= 0.1);
    }
    free(text);
    free(y);
    free(count);
    return code;
}

/* what a solver, "name:option=value", does: result[0] of the fresh states, result[1] of the random
 * ones. States without an exact solution are left out. */
static inline int growth_measure(const growth *g, const char *text, const char *engine, double rtol,
                                 double atol, growth_result result[2], kb_error *err)
{
    int ny = g->s->nsp + 1;
    double seconds, *y = kb_alloc((size_t)(g->n * ny), sizeof *y);
    kb_count *count = kb_alloc((size_t)g->n, sizeof *count);
    int code = growth_run(g, text, engine, rtol, atol, y, count, &seconds, err);
    memset(result, 0, 2 * sizeof *result);
    for (long i = 0; i < g->n && !code; i++)
        if (isfinite(g->exact[i * ny]))
            growth_add(&result[i >= g->n / 2], g->states[i * (ny + 1)], y + i * ny,
                       g->exact + i * ny, &count[i], ny);
    for (int k = 0; k < 2; k++) {
        double w = 1 / fmax(1, (double)result[k].n);
        result[k].attempts *= w;
        result[k].rhs *= w;
        result[k].jac *= w;
        result[k].lu *= w;
        result[k].solve *= w;
        result[k].seconds = seconds;
    }
    free(y);
    free(count);
    return code;
}
