/* SPDX-License-Identifier: MIT
 *
 * The same ODEs by the solvers of several widths of vectors: widths FILE..., each a solvers.so of
 * one mechanism with H2 or CH4, O2 and N2. Prints one line for each method and engine of the first:
 * microseconds of an ODE by each file on one thread (the least of five), how far their results are
 * apart at most, |y - y'| / (|y| + 1e-6) over T and Y, and in how many ODEs the number of attempts
 * or the status differs: where rounding leads to another substep, results are apart by the method's
 * error, which is some ten times the tolerance. Exit code 1: a hundred times; 2: an error.
 */
#include <kinbench.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ODES = 203, REPEATS = 5, MOST = 8 };
static const double rtol = 1e-6, dt = 1e-5;

typedef struct {
    double T[ODES], p[ODES], *Y;
    kb_work work[ODES];
    int status[ODES];
} states;

static int fail(const char *what)
{
    fprintf(stderr, "widths: %s: %s\n", what, kb_last_error());
    return 2;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* fuel and air at 900 to 2500 K and 1 atm */
static void set_states(const kb_mechanism *m, states *s)
{
    int species = kb_mechanism_species(m), fuel = kb_mechanism_find_species(m, "CH4");
    double part = fuel < 0 ? 0.0285 : 0.055;
    fuel = fuel < 0 ? kb_mechanism_find_species(m, "H2") : fuel;
    s->Y = calloc((size_t)(ODES * species), sizeof *s->Y);
    for (int i = 0; i < ODES; i++) {
        double *y = s->Y + i * species;
        s->T[i] = 900 + 1600.0 * i / ODES;
        s->p[i] = 101325;
        y[fuel] = part;
        y[kb_mechanism_find_species(m, "O2")] = 0.233 * (1 - part);
        y[kb_mechanism_find_species(m, "N2")] = 0.767 * (1 - part);
    }
}

/* integrates what `from` holds; its time, below 0: an error */
static double integrate(const kb_mechanism *m, const char *method, const char *engine,
                        const states *from, states *to)
{
    size_t bytes = sizeof(double) * ODES * (size_t)kb_mechanism_species(m);
    double least = 1e9;
    kb_integrator *it;
    if (kb_integrator_create(m, method, engine, rtol, 1e-4 * rtol, KB_CONSTANT_PRESSURE, &it))
        return -1;
    kb_integrator_set(it, "threads", 1);
    to->Y = to->Y ? to->Y : malloc(bytes);
    for (int r = 0; r < REPEATS; r++) {
        memcpy(to->T, from->T, sizeof to->T);
        memcpy(to->p, from->p, sizeof to->p);
        memcpy(to->Y, from->Y, bytes);
        double begin = now();
        int code = kb_integrate(it, ODES, to->T, to->p, to->Y, dt, to->status, to->work);
        if (code && code != KB_ERROR_ODES)
            least = -1;
        least = fmin(least, now() - begin);
    }
    kb_integrator_free(it);
    return least;
}

static double apart(double a, double b)
{
    double d = fabs(a - b) / (fabs(a) + 1e-6);
    return isnan(d) ? INFINITY : d;
}

static double difference(int species, const states *a, const states *b)
{
    double most = 0;
    for (int i = 0; i < ODES; i++)
        most = fmax(most, apart(a->T[i], b->T[i]));
    for (int i = 0; i < ODES * species; i++)
        most = fmax(most, apart(a->Y[i], b->Y[i]));
    return most;
}

/* one line; 1: they differ, 2: an error */
static int compare(kb_mechanism *const *m, int files, const char *method, const char *engine,
                   const states *from)
{
    static states first, other;
    double most = 0;
    int differ = 0;
    printf("%-8s %-16s %-14s", kb_mechanism_name(*m), method, engine);
    for (int f = 0; f < files; f++) {
        states *to = f ? &other : &first;
        double time = integrate(m[f], method, engine, from, to);
        if (time < 0)
            return fail(method);
        printf(" %8.3f", 1e6 * time / ODES);
        if (f)
            most = fmax(most, difference(kb_mechanism_species(*m), &first, to));
        for (int i = 0; i < ODES; i++)
            differ += to->work[i].attempted != first.work[i].attempted ||
                      to->status[i] != first.status[i];
    }
    printf(" us, apart %.1e, other attempts %d\n", most, differ);
    return most > 100 * rtol;
}

int main(int argc, char **argv)
{
    kb_mechanism *m[MOST];
    static states fresh, from; /* from: as they are after a step */
    const char *method, *engine;
    int code = 0;
    for (int f = 1; f < argc && f <= MOST; f++)
        if (kb_mechanism_open(argv[f], &m[f - 1]))
            return fail(argv[f]);
    if (argc < 3 || argc > MOST + 1)
        return 2;
    set_states(*m, &fresh);
    if (integrate(*m, "rodas4", NULL, &fresh, &from) < 0)
        return fail("rodas4");
    for (int i = 0; code < 2 && !kb_mechanism_solver(*m, i, &method, &engine); i++)
        if (!strncmp(engine, "cpu", 3))
            code |= compare(m, argc - 1, method, engine, &from);
    return code;
}
