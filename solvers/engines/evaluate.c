/* SPDX-License-Identifier: MIT
 *
 * Single evaluations on one engine's lanes, and their times. Compiled once for each CPU engine with
 * KB_LANES and KB_EVALUATE, KB_MICRO (the names it exports).
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "solvers/problem.h"
#include "solvers/linalg/matrix_of.h"

typedef struct {
    lane y[N], dy[N], x[N], A[NNZ], fixed, D[N * N];
    kb_jacobian w;
} workspace;

static workspace *new_workspace(void)
{
    return aligned_alloc(64, (sizeof(workspace) + 63) / 64 * 64);
}

/* y: T, Y */
static double density(const double *y, double p) { return kin_density(y[0], p, y + 1); }

static void load(workspace *s, kb_reactor reactor, const double *y, const double *p, long n,
                 long first)
{
    for (int l = 0; l < KB_LANES; l++) {
        long k = first + l < n ? first + l : n - 1;
        for (int i = 0; i < N; i++)
            lane_put(&s->y[i], l, y[k * N + i]);
        lane_put(&s->fixed, l, at_constant_volume(reactor) ? density(y + k * N, p[k]) : p[k]);
    }
}

static void store(const workspace *s, const kb_evaluation *e, const lane *x, long k, int l)
{
    for (int i = 0; i < N; i++) {
        if (e->dy)
            e->dy[k * N + i] = lane_get(s->dy[i], l);
        if (x)
            e->x[k * N + i] = lane_get(x[i], l);
    }
    for (int i = 0; e->wdot && i < NSP; i++)
        e->wdot[k * NSP + i] = lane_get(s->dy[i + 1], l) / kb_W[i] * density(e->y + k * N, e->p[k]);
    for (int i = 0; e->J && i < N * N; i++)
        e->J[k * N * N + i] = -lane_get(s->D[i], l);
}

int KB_EVALUATE(const kb_evaluation *e)
{
    workspace *s = new_workspace();
    if (!s)
        return KB_INVALID;
    for (long k = 0; k < e->n; k += KB_LANES) {
        load(s, e->reactor, e->y, e->p, e->n, k);
        if (e->J || e->x)
            jac_rhs(e->reactor, s->fixed, s->y, s->dy, s->A, &s->w.k, &s->w.s);
        else
            kin_rhs(e->reactor, s->fixed, s->y, s->dy, &s->w.k);
        if (e->J)
            matrix_of(s->A, s->D);
        for (int l = 0; l < KB_LANES && k + l < e->n; l++)
            store(s, e, NULL, k + l, l);
        if (!e->x)
            continue;
        lane gi = splat(1 / e->gamma);
        lu_factor(s->A, gi);
        for (int i = 0; i < N; i++)
            s->x[i] = s->dy[i] * gi;
        lu_solve(s->A, s->x, s->x);
        kb_evaluation x = {.x = e->x};
        for (int l = 0; l < KB_LANES && k + l < e->n; l++)
            store(s, &x, s->x, k + l, l);
    }
    free(s);
    return KB_OK;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* all full vectors of states once, or the one that has them all; part: 0 rates, 1 rates + J, 2 LU,
 * 3 solve. Only that part is between the clocks; A is computed again for LU and factored again for
 * the solve, both outside. */
static double pass(workspace *s, const double *y, const double *p, long n, int part)
{
    double total = 0;
    long vectors = n < KB_LANES ? 1 : n / KB_LANES;
    lane gi = splat(1e6);
    for (long k = 0; k < vectors; k++) {
        load(s, KB_CONST_P, y, p, n, k * KB_LANES);
        if (part >= 2)
            jac_rhs(KB_CONST_P, s->fixed, s->y, s->dy, s->A, &s->w.k, &s->w.s);
        if (part == 3)
            lu_factor(s->A, gi);
        double start = now();
        if (part == 0)
            kin_rhs(KB_CONST_P, s->fixed, s->y, s->dy, &s->w.k);
        else if (part == 1)
            jac_rhs(KB_CONST_P, s->fixed, s->y, s->dy, s->A, &s->w.k, &s->w.s);
        else if (part == 2)
            lu_factor(s->A, gi);
        else
            for (int r = 0; r < 8; r++)
                lu_solve(s->A, s->dy, s->x);
        total += now() - start;
    }
    return total / (vectors * KB_LANES) / (part == 3 ? 8 : 1);
}

int KB_MICRO(const double *states, long n, kb_micro *parts)
{
    static const char *const name[4] = {"rates", "rates+J", "LU", "solve"};
    enum { REPEATS = 15 };
    workspace *s = new_workspace();
    double *y = malloc(n * N * sizeof *y), *p = malloc(n * sizeof *p), time[REPEATS];
    int count = s && y && p && n > 0 ? 4 : 0;
    for (long k = 0; k < n && count; k++) {
        y[k * N] = states[k * (NSP + 2)];
        p[k] = states[k * (NSP + 2) + 1];
        memcpy(y + k * N + 1, states + k * (NSP + 2) + 2, NSP * sizeof *y);
    }
    for (int part = 0; part < count; part++) {
        pass(s, y, p, n, part); /* warm-up */
        for (int r = 0; r < REPEATS; r++)
            time[r] = pass(s, y, p, n, part);
        qsort(time, REPEATS, sizeof *time, ascending);
        parts[part] = (kb_micro){name[part], time[REPEATS / 2]};
    }
    free(y);
    free(p);
    free(s);
    return count;
}
