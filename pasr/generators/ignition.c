/* SPDX-License-Identifier: MIT */
#include "pasr/generators/ignition.h"

#include <math.h>
#include <string.h>

#include "base/owned.h"
#include "pasr/generators/common/mixture.h"

#define PROBES 400          /* points of one search for the delay */
#define FIRST_HORIZON 1e-6  /* [s] */
#define LAST_HORIZON 1000.0 /* [s] */

void kb_ignition_defaults(kb_ignition *r)
{
    *r = (kb_ignition){.mech = kb_strdup("gri30"), .fuel = kb_strdup("CH4:1"),
                       .oxidizer = kb_strdup("O2:1,N2:3.76"), .T0 = {1, {1600}}, .p = {1, {1}},
                       .phi = {1, {1}}, .n = 1024, .span = 1.5, .rtol = 1e-10, .atol = 1e-20};
}

int kb_ignition_reactors(const kb_ignition *r) { return r->T0.n * r->p.n * r->phi.n; }

/* one reactor under way */
typedef struct {
    const kb_ignition *r;
    const kb_solvers *s;
    double *state; /* nsp + 2: T, p [Pa], Y at t = 0 */
    double t[PROBES], *y; /* y: PROBES x (nsp + 1) */
    kb_ignition_path *path;
} reactor;

/* at y = (T, Y); at constant volume p ~ T sum Y_i/W_i */
static double pressure(const reactor *a, const double *y)
{
    double now = 0, start = 0;
    if (a->r->reactor == KB_CONST_P)
        return a->state[1];
    for (int i = 0; i < a->s->nsp; i++) {
        now += y[1 + i] / a->s->W[i];
        start += a->state[2 + i] / a->s->W[i];
    }
    return a->state[1] * (now * y[0]) / (start * a->state[0]);
}

/* PROBES points evenly in (from, to] of the trajectory */
static int probe(reactor *a, double from, double to, kb_error *err)
{
    for (int i = 0; i < PROBES; i++)
        a->t[i] = from + (to - from) * (i + 1) / PROBES;
    return a->s->trajectory(a->s, a->state, a->r->reactor, a->r->rtol, a->r->atol, PROBES, a->t,
                            a->y, err);
}

/* index of the largest dT/dt among the probes, by the rate equations */
static int steepest(reactor *a, int *where, kb_error *err)
{
    int columns = a->s->nsp + 1;
    double best = -INFINITY, p[PROBES];
    double *dy = kb_alloc((size_t)PROBES * columns, sizeof *dy);
    for (int i = 0; i < PROBES; i++)
        p[i] = pressure(a, a->y + i * columns);
    kb_evaluation e = {.n = PROBES, .y = a->y, .p = p, .reactor = a->r->reactor, .dy = dy};
    int code = a->s->evaluate(a->s, "cpu-scalar", &e, err);
    for (int i = 0; i < PROBES && !code; i++)
        if (dy[i * columns] > best) {
            best = dy[i * columns];
            *where = i;
        }
    free(dy);
    return code;
}

/* index of the probe after the largest rise of T between neighbours, which also sees a rise that is
 * steeper than the probes are dense */
static int largest_rise(const reactor *a)
{
    int columns = a->s->nsp + 1, best = 0;
    double before = a->state[0], most = -INFINITY;
    for (int i = 0; i < PROBES; i++) {
        double rise = a->y[i * columns] - before;
        before = a->y[i * columns];
        if (rise > most) {
            most = rise;
            best = i;
        }
    }
    return best;
}

static int ignited(const reactor *a)
{
    return a->y[(PROBES - 1) * (a->s->nsp + 1)] - a->state[0] >= KB_IGNITION_RISE;
}

/* Narrows [0, horizon], the trajectory in a->y, to the time of the largest dT/dt: three levels take
 * the spacing to about 1e-7 of the horizon. */
static int refine_delay(reactor *a, double horizon, kb_error *err)
{
    double spacing = horizon / PROBES;
    int code = KB_OK, best = largest_rise(a);
    double from = fmax(0, a->t[best] - 2 * spacing), to = a->t[best] + spacing;
    for (int level = 0; level < 2 && !code; level++) {
        spacing = (to - from) / PROBES;
        code = probe(a, from, to, err);
        if (!code)
            code = steepest(a, &best, err);
        from = fmax(0, a->t[best] - spacing);
        to = a->t[best] + spacing;
    }
    a->path->delay = a->t[best];
    return code;
}

static int find_delay(reactor *a, kb_error *err)
{
    kb_ignition_path *path = a->path;
    double given = a->r->t_end > 0 ? a->r->t_end : a->r->spacing * path->n;
    path->delay = NAN;
    if (given > 0) {
        int code = probe(a, 0, given, err);
        return code || !ignited(a) ? code : refine_delay(a, given, err);
    }
    for (double horizon = FIRST_HORIZON; horizon <= LAST_HORIZON; horizon *= 3) {
        int code = probe(a, 0, horizon, err);
        /* a steepest point at the end may not be the peak */
        if (code || (ignited(a) && largest_rise(a) < PROBES * 9 / 10))
            return code ? code : refine_delay(a, horizon, err);
    }
    return kb_fail(err, KB_INVALID, "T0 = %g K, p = %g atm, phi = %g: no ignition (T rises by less "
                   "than %g K in %g s); give the end of sampling (t_end) or leave the point out",
                   path->T0, path->p, path->phi, KB_IGNITION_RISE, LAST_HORIZON);
}

/* rows [path->n x (nsp + 2)] */
static int sample(reactor *a, double *rows, kb_error *err)
{
    kb_ignition_path *path = a->path;
    int nsp = a->s->nsp;
    kb_owned double *t = kb_alloc((size_t)path->n, sizeof *t);
    kb_owned double *y = kb_alloc((size_t)path->n * (nsp + 1), sizeof *y);
    for (long i = 0; i < path->n; i++)
        t[i] = i * path->spacing;
    int code = a->s->trajectory(a->s, a->state, a->r->reactor, a->r->rtol, a->r->atol, path->n, t,
                                y, err);
    path->T_max = 0;
    for (long i = 0; i < path->n && !code; i++) {
        double *row = rows + i * (nsp + 2), *yi = y + i * (nsp + 1);
        row[0] = yi[0];
        row[1] = pressure(a, yi);
        memcpy(row + 2, yi + 1, (size_t)nsp * sizeof *row);
        path->T_max = fmax(path->T_max, row[0]);
    }
    return code;
}

static int run_reactor(reactor *a, const kb_mech *m, double *rows, kb_error *err)
{
    kb_ignition_path *path = a->path;
    a->state[0] = path->T0;
    a->state[1] = path->p * KB_ATM;
    int code = kb_premixed(m, a->r->fuel, a->r->oxidizer, path->phi, a->state + 2, err);
    if (!code)
        code = find_delay(a, err);
    if (code)
        return code;
    path->t_end = a->r->t_end > 0 ? a->r->t_end : a->r->span * path->delay;
    path->spacing = a->r->spacing > 0 ? a->r->spacing : path->t_end / path->n;
    path->t_end = path->spacing * path->n;
    return sample(a, rows, err);
}

static int check(const kb_ignition *r, const kb_mech *m, const kb_solvers *s, kb_error *err)
{
    if (kb_same_mechanism(m, s, err) || kb_recipe_check(&kb_ignition_form, r, err))
        return KB_INVALID;
    if (r->n < kb_ignition_reactors(r))
        return kb_fail(err, KB_INVALID, "n = %ld states for %d reactors, expected at least one "
                       "each", r->n, kb_ignition_reactors(r));
    if (r->t_end > 0 && r->spacing > 0)
        return kb_fail(err, KB_INVALID, "t_end and spacing are both given: n fixes the other one "
                       "(0 takes one back)");
    return KB_OK;
}

/* T0, p, phi and rows of reactor k */
static void place(const kb_ignition *r, int k, kb_ignition_path *path)
{
    long reactors = kb_ignition_reactors(r), share = r->n / reactors, extra = r->n % reactors;
    *path = (kb_ignition_path){.T0 = r->T0.v[k / (r->p.n * r->phi.n)],
                               .p = r->p.v[k / r->phi.n % r->p.n], .phi = r->phi.v[k % r->phi.n],
                               .first = k * share + (k < extra ? k : extra),
                               .n = share + (k < extra)};
}

int kb_ignition_run(const kb_ignition *r, const kb_mech *m, const kb_solvers *s, double *states,
                    kb_ignition_path *paths, void (*progress)(const kb_ignition_path *path, int k),
                    kb_error *err)
{
    int code = check(r, m, s, err);
    size_t row = (size_t)m->nspecies + 2;
    reactor a = {.r = r, .s = s, .state = kb_alloc(row, sizeof *a.state),
                 .y = kb_alloc(PROBES * row, sizeof *a.y)};
    for (int k = 0; k < kb_ignition_reactors(r) && !code; k++) {
        place(r, k, &paths[k]);
        a.path = &paths[k];
        code = run_reactor(&a, m, states + (size_t)paths[k].first * row, err);
        if (!code && progress)
            progress(&paths[k], k);
    }
    free(a.state);
    free(a.y);
    return code;
}
