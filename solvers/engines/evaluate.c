/* SPDX-License-Identifier: MIT
 *
 * Single evaluations on one engine's lanes, and their times. Compiled once for each CPU engine with
 * KB_LANES and KB_EVALUATE, KB_GAS, KB_MICRO (the names it exports).
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "solvers/problem.h"
#include "solvers/linalg/matrix_of.h"

#define EVALUATE_FIELDS(ARRAY, ROWS, PART)                                                         \
    ARRAY(lane, y, N) ARRAY(lane, dy, N) ARRAY(lane, x, N)                                         \
    ARRAY(lane, A, NNZ) ARRAY(lane, kept, NNZ) ARRAY(lane, D, N * N)                               \
    PART(kb_jacobian, w)
typedef struct {
    KB_MEMBERS(EVALUATE_FIELDS)
    lane fixed, p; /* p at constant volume */
} workspace;
KB_PLACED(workspace, EVALUATE_FIELDS)

/* y: T, Y */
static double density(const double *y, double p) { return kin_density(y[0], p, y + 1); }

static void load(workspace *s, kb_reactor reactor, const double *y, const double *p, long n,
                 long first)
{
    for (int l = 0; l < KB_LANES; l++) {
        long k = first + l < n ? first + l : n - 1;
        for (int i = 0; i < N; i++)
            lane_put(&s->y[i], l, y[k * N + i]);
        lane_put(&s->fixed, l, p[k]);
        if (!at_constant_volume(reactor))
            continue;
        lane_put(&s->p, l, p[k]);
        lane_put(&s->fixed, l, density(y + k * N, p[k]));
    }
}

/* kb_state_possible of all lanes */
static int possible(const workspace *s, kb_reactor reactor, const kb_state_limits *limits)
{
    lane sum = splat(0), T = s->y[0], p = at_constant_volume(reactor) ? s->p : s->fixed;
    mask fine = (T >= KB_T_MIN) & (T <= KB_T_MAX) & (p >= KB_P_MIN) & (p <= KB_P_MAX);
    for (int i = 1; i < N; i++) {
        sum += s->y[i];
        fine = fine & (s->y[i] >= limits->least);
    }
    return !lane_any(not_(fine & (vabs(sum - 1) <= limits->sum)));
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
    workspace *s = KB_NEW_WORK(workspace, 1);
    if (!s)
        return KB_INVALID;
    for (long k = 0; k < e->n; k += KB_LANES) {
        load(s, e->reactor, e->y, e->p, e->n, k);
        if (e->limits && !possible(s, e->reactor, e->limits)) {
            free(s);
            return KB_INVALID;
        }
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

/* ---- the gas alone ---- */

#define GAS_FIELDS(ARRAY, ROWS, PART) ARRAY(lane, y, N) PART(kb_kinetics, k)
KB_WORK(gas_work, GAS_FIELDS)

/* of mass 1 kg */
typedef struct {
    lane h, cp, R; /* [J/kg], [J/(kg K)] */
} gas_values;

static gas_values gas_at(gas_work *w)
{
    kb_gas g;
    lane h = splat(0), cp = splat(0);
    kin_state(KB_CONST_P, splat(1), w->y, &g, &w->k);
    kin_thermo(&g, &w->k);
    for (int i = 0; i < NSP; i++) {
        h += (w->k.u[i] + 1.0) * (w->y[i + 1] * kb_rW[i]);
        cp += w->k.cp[i] * (w->y[i + 1] * kb_rW[i]);
    }
    return (gas_values){GAS_CONSTANT * w->y[0] * h, GAS_CONSTANT * cp, GAS_CONSTANT * g.sigma};
}

enum { MOST_ITERATIONS = 100 };

/* w->y[0], from where it is, to the T of this energy; NAN: none. Newton's iteration within what
 * encloses T, or else its middle: where the polynomials of a species do not meet, the energy jumps.
 * h or e rises with T (mech/thermo/thermo.h). */
static void find_T(gas_work *w, kb_reactor reactor, lane energy)
{
    double e = at_constant_volume(reactor);
    lane low = splat(KB_T_MIN), high = splat(KB_T_MAX), T = w->y[0];
    mask done = mask_none();
    T = vselect((T >= low) & (T <= high), T, splat(1000));
    for (int k = 0; k < MOST_ITERATIONS && lane_any(not_(done)); k++) {
        w->y[0] = T;
        gas_values v = gas_at(w);
        lane off = v.h - e * v.R * T - energy, next = T - off / (v.cp - e * v.R);
        high = vselect(off > 0.0, T, high);
        low = vselect(off < 0.0, T, low);
        next = vselect((next >= low) & (next <= high), next, 0.5 * (low + high));
        done = done | (vabs(next - T) <= 1e-12 * T);
        T = vselect(done, T, next);
    }
    mask inside = done & (T > KB_T_MIN * (1 + 1e-9)) & (T < KB_T_MAX * (1 - 1e-9));
    w->y[0] = vselect(inside, T, splat(NAN));
}

int KB_GAS(const kb_gas_states *s)
{
    gas_work *w = KB_NEW_WORK(gas_work, 1);
    if (!w)
        return KB_INVALID;
    for (long k = 0; k < s->n; k += KB_LANES) {
        lane energy = splat(0);
        for (int l = 0; l < KB_LANES; l++) {
            long from = k + l < s->n ? k + l : s->n - 1;
            for (int i = 0; i < N; i++)
                lane_put(&w->y[i], l, s->y[from * N + i]);
            lane_put(&energy, l, s->energy ? s->energy[from] : 0);
        }
        if (s->energy)
            find_T(w, s->reactor, energy);
        gas_values v = {energy, energy, energy};
        if (s->h || s->cp || s->R)
            v = gas_at(w);
        for (int l = 0; l < KB_LANES && k + l < s->n; l++) {
            if (s->energy)
                s->y[(k + l) * N] = lane_get(w->y[0], l);
            if (s->h)
                s->h[k + l] = lane_get(v.h, l);
            if (s->cp)
                s->cp[k + l] = lane_get(v.cp, l);
            if (s->R)
                s->R[k + l] = lane_get(v.R, l);
        }
    }
    free(w);
    return KB_OK;
}

/* ---- times ---- */

enum { RATES, RATES_AND_J, LU, SOLVE, NO_PART, PARTS = NO_PART };

/* Processor time of this thread: other programs take none of it */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* so that no compiler takes what comes before it for unused */
static void used(const void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }

enum { AGAIN = 8 }; /* times a part is done between two looks at the clock */

/* Time of AGAIN times the part on the vector that s holds; `of`: the part that is meant where part
 * is NO_PART, which leaves what is not that part's own: the clock, and copies of the matrix */
static double timed(workspace *s, int part, int of)
{
    lane gi = splat(1e6);
    double start = now();
    for (int r = 0; r < AGAIN; r++) {
        if (of == LU)
            memcpy(s->A, s->kept, NNZ * sizeof *s->A);
        used(s);
        if (part == RATES)
            kin_rhs(KB_CONST_P, s->fixed, s->y, s->dy, &s->w.k);
        else if (part == RATES_AND_J)
            jac_rhs(KB_CONST_P, s->fixed, s->y, s->dy, s->A, &s->w.k, &s->w.s);
        else if (part == LU)
            lu_factor(s->A, gi);
        else if (part == SOLVE)
            lu_solve(s->A, s->dy, s->x);
        used(s);
    }
    return now() - start;
}

/* Time of the part for one ODE: all full vectors of states once, or the one that has them all */
static double pass(workspace *s, const double *y, const double *p, long n, int part)
{
    double total = 0;
    long vectors = n < KB_LANES ? 1 : n / KB_LANES;
    for (long k = 0; k < vectors; k++) {
        load(s, KB_CONST_P, y, p, n, k * KB_LANES);
        jac_rhs(KB_CONST_P, s->fixed, s->y, s->dy, s->A, &s->w.k, &s->w.s);
        memcpy(s->kept, s->A, NNZ * sizeof *s->A);
        if (part == SOLVE)
            lu_factor(s->A, splat(1e6));
        double other = timed(s, NO_PART, part);
        total += timed(s, part, part) - other;
    }
    return total / (vectors * KB_LANES) / AGAIN;
}

int KB_MICRO(const double *states, long n, kb_micro *parts)
{
    static const char *const name[PARTS] = {"rates", "rates+J", "LU", "solve"};
    workspace *s = KB_NEW_WORK(workspace, 1);
    double *y = malloc(n * N * sizeof *y), *p = malloc(n * sizeof *p);
    int count = s && y && p && n > 0 ? PARTS : 0;
    for (long k = 0; k < n && count; k++) {
        y[k * N] = states[k * (NSP + 2)];
        p[k] = states[k * (NSP + 2) + 1];
        memcpy(y + k * N + 1, states + k * (NSP + 2) + 2, NSP * sizeof *y);
    }
    for (int part = 0; part < count; part++)
        parts[part] = (kb_micro){name[part], pass(s, y, p, n, part)};
    free(y);
    free(p);
    free(s);
    return count;
}
