/* SPDX-License-Identifier: MIT
 *
 * A program that traps floating-point exceptions, as OpenFOAM does, and rounds upward: every method
 * on every engine of a CPU, rates and Jacobians have the bits of a program that does neither, and
 * flags, traps and rounding of the program and of its OpenMP threads are the same after each call.
 *
 *     build/tests/library/traps solvers.so
 */
#define _GNU_SOURCE
#include <fenv.h>
#include <math.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "library/kinbench.h"

enum { STATES = 1000, THREADS = 3, TRAPS = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW };

typedef struct {
    double T[STATES], p[STATES], *Y, *rates, *J;
    int species;
} states;

static char label[128]; /* of the call under way */

static void trapped(int number)
{
    (void)number;
    static const char text[] = "not ok - SIGFPE in ";
    if (write(1, text, sizeof text - 1) < 0 || write(1, label, strlen(label)) < 0 ||
        write(1, "\n", 1) < 0)
        _exit(2);
    _exit(1);
}

/* air at 2000 K, where nothing reacts, and an igniting mixture by turns */
static void set_states(const kb_mechanism *m, states *s)
{
    static const char *const name[] = {"O2", "N2", "H2"};
    static const double air[] = {0.233, 0.767, 0}, fuel[] = {0.226, 0.745, 0.029};
    memset(s->Y, 0, sizeof *s->Y * STATES * (size_t)s->species);
    for (int i = 0; i < STATES; i++) {
        s->T[i] = i % 2 ? 900 + 0.5 * i : 2000;
        s->p[i] = 101325;
        for (int k = 0; k < 3; k++)
            s->Y[i * s->species + kb_mechanism_find_species(m, name[k])] = i % 2 ? fuel[k] : air[k];
    }
}

static states new_states(int species)
{
    size_t n = STATES * sizeof(double), N = (size_t)species + 1;
    states s = {.Y = malloc(n * N), .rates = calloc(N, n), .J = calloc(N * N, n),
                .species = species};
    return s;
}

static int failed;

static void must(int code)
{
    if (!code)
        return;
    printf("not ok - %s: %s\n", label, kb_last_error());
    exit(1);
}

static void expect(int holds, const char *what)
{
    if (!holds)
        printf("not ok - %s: %s\n", label, what);
    failed += !holds;
}

/* the environment of the calling thread, and of the OpenMP threads it has */
static void set_environment(void)
{
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(FE_UNDERFLOW); /* a flag of its own */
    fesetround(FE_UPWARD);
    feenableexcept(TRAPS);
}

static int same_environment(void)
{
    return fetestexcept(FE_ALL_EXCEPT) == FE_UNDERFLOW && fegetround() == FE_UPWARD &&
           fegetexcept() == TRAPS;
}

static void set_all(void)
{
#pragma omp parallel num_threads(THREADS)
    set_environment();
}

static int same_all(void)
{
    int same = 1;
#pragma omp parallel num_threads(THREADS) reduction(& : same)
    same &= same_environment();
    return same;
}

static void evaluate(kb_integrator *it, long n, states *s)
{
    must(kb_rates(it, n, s->T, s->p, s->Y, NULL, s->rates, NULL));
    must(kb_jacobian(it, n, s->T, s->p, s->Y, s->J));
}

static void integrate(kb_integrator *it, long n, states *s)
{
    must(kb_integrate(it, n, s->T, s->p, s->Y, 1e-6, NULL, NULL));
}

/* n states of one call in both environments */
static void compare(const kb_mechanism *m, kb_integrator *it, long n,
                    void (*call)(kb_integrator *it, long n, states *s), states *plain, states *held)
{
    size_t size = sizeof(double) * STATES, nsp = (size_t)plain->species;
    fesetenv(FE_DFL_ENV);
    set_states(m, plain);
    call(it, n, plain);
    set_states(m, held);
    set_all();
    call(it, n, held);
    int here = same_environment(), there = same_all();
    fesetenv(FE_DFL_ENV);
    expect(here, "flags, traps or rounding of the caller have changed");
    expect(there, "flags, traps or rounding of a thread have changed");
    expect(!memcmp(plain->T, held->T, size) && !memcmp(plain->Y, held->Y, size * nsp) &&
               !memcmp(plain->rates, held->rates, size * nsp) &&
               !memcmp(plain->J, held->J, size * (nsp + 1) * (nsp + 1)),
           "other results than without traps");
}

/* stops at the first fault */
static void try_solver(const kb_mechanism *m, const char *method, const char *engine, int reactor,
                       states *plain, states *held)
{
    static const int sizes[] = {1, STATES}, threads[] = {1, THREADS};
    kb_integrator *it;
    snprintf(label, sizeof label, "%s on %s, %s", method, engine,
             reactor == KB_CONSTANT_VOLUME ? "constant volume" : "constant pressure");
    must(kb_integrator_create(m, method, engine, 0, 0, reactor, &it));
    int before = failed;
    for (int k = 0; k < 4 && failed == before; k++) {
        must(kb_integrator_set(it, "threads", threads[k % 2]));
        compare(m, it, sizes[k / 2], integrate, plain, held);
        compare(m, it, sizes[k / 2], evaluate, plain, held);
    }
    kb_integrator_free(it);
}

int main(int argc, char **argv)
{
    kb_mechanism *m;
    const char *method, *engine;
    signal(SIGFPE, trapped);
    if (kb_mechanism_open(argc > 1 ? argv[1] : "", &m)) {
        fprintf(stderr, "traps: %s\n", kb_last_error());
        return 2;
    }
    states plain = new_states(kb_mechanism_species(m)), held = new_states(plain.species);
    int tried = 0;
    for (int i = 0; !kb_mechanism_solver(m, i, &method, &engine); i++) {
        char pass[64];
        kb_integrator *it;
        if (strncmp(engine, "cpu", 3))
            continue;
        snprintf(pass, sizeof pass, "%s:pass=1", method);
        try_solver(m, method, engine, i % 2, &plain, &held);
        tried++;
        if (kb_integrator_create(m, pass, engine, 0, 0, KB_CONSTANT_PRESSURE, &it))
            continue; /* has no first pass */
        kb_integrator_free(it);
        try_solver(m, pass, engine, KB_CONSTANT_PRESSURE, &plain, &held);
        tried++;
    }
    printf("%s - traps on: %d solvers of a CPU\n", failed ? "not ok" : "ok", tried);
    return failed || tried < 2;
}
