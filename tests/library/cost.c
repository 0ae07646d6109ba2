/* SPDX-License-Identifier: MIT
 *
 * What a call of kb_integrate costs beside the solver: the time of a call with a solver that does
 * nothing, on one thread, the least of many; and beside it, for scale, that of rodas4 over 1e-6 s.
 *
 *     build/tests/library/cost [solvers.so]
 *
 * Prints one line for each number of ODEs and layout. Aim, on a quiet machine: 1 us a call and 20
 * ns for each ODE of it.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "library/inside.h"

#define SAMPLE 1e-3 /* [s] */
enum { REPEATS = 10, CALLS = 4 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int nothing(const kb_solver *self, const kb_job *job, kb_result *result, kb_error *err)
{
    (void)self, (void)job, (void)err;
    result->total = 0;
    return KB_OK;
}

typedef struct {
    double *T, *p, *Y;
    int *status;
} arrays;

static void set_states(const kb_mechanism *m, long n, int layout, arrays *a)
{
    int nsp = kb_mechanism_species(m), k = kb_mechanism_find_species(m, "N2");
    int o2 = kb_mechanism_find_species(m, "O2");
    a->T = calloc((size_t)n, sizeof *a->T);
    a->p = calloc((size_t)n, sizeof *a->p);
    a->Y = calloc((size_t)(n * nsp), sizeof *a->Y);
    a->status = calloc((size_t)n, sizeof *a->status);
    for (long i = 0; i < n; i++) {
        a->T[i] = 1000;
        a->p[i] = 101325;
        a->Y[layout == KB_ODE_MAJOR ? i * nsp + k : k * n + i] = 0.77;
        a->Y[layout == KB_ODE_MAJOR ? i * nsp + o2 : o2 * n + i] = 0.23;
    }
}

/* seconds of one call, the least of the samples, each as many calls as take SAMPLE seconds */
static double time_calls(kb_integrator *it, long n, arrays *a, int *code)
{
    double least = 1e9;
    for (int r = 0; r < REPEATS && !*code; r++) {
        double begin = now(), passed = 0;
        long calls = 0;
        for (; passed < SAMPLE && !*code; calls += CALLS, passed = now() - begin)
            for (int k = 0; k < CALLS && !*code; k++)
                *code = kb_integrate(it, n, a->T, a->p, a->Y, 1e-6, a->status, NULL);
        least = passed / (double)calls < least ? passed / (double)calls : least;
    }
    return least;
}

/* 1: too much */
static int measure(const kb_mechanism *m, long n, int layout)
{
    static const kb_solver idle = {.info = {.name = "nothing", .engine = "cpu"}, .run = nothing};
    kb_integrator *it;
    arrays a;
    if (kb_integrator_create(m, "rodas4", NULL, 0, 0, KB_CONSTANT_PRESSURE, &it))
        return 2;
    kb_integrator_set(it, "threads", 1);
    kb_integrator_set(it, "layout", layout);
    set_states(m, n, layout, &a);
    int code = 0;
    double whole = time_calls(it, n, &a, &code);
    it->solver = &idle; /* finds the last results in the memory of the call */
    double own = time_calls(it, n, &a, &code);
    printf("%s, %s, n %6ld: a call %.3f us, %.1f ns an ODE; with rodas4 %.0f ns an ODE\n",
           kb_mechanism_name(m), layout == KB_ODE_MAJOR ? "Y[ode][k]" : "Y[k][ode]", n, 1e6 * own,
           1e9 * own / (double)n, 1e9 * whole / (double)n);
    kb_integrator_free(it);
    free(a.T);
    free(a.p);
    free(a.Y);
    free(a.status);
    if (code)
        fprintf(stderr, "cost: %s\n", kb_last_error());
    return code ? 2 : 0;
}

int main(int argc, char **argv)
{
    static const long n[] = {1, 16, 256, 1024};
    kb_mechanism *m;
    int code = 0;
    if (kb_mechanism_open(argc > 1 ? argv[1] : "build/mech/h2/solvers.so", &m)) {
        fprintf(stderr, "cost: %s\n", kb_last_error());
        return 2;
    }
    for (int layout = KB_ODE_MAJOR; layout <= KB_SPECIES_MAJOR; layout++)
        for (int i = 0; i < 4 && !code; i++)
            code = measure(m, n[i], layout);
    kb_mechanism_close(m);
    return code;
}
