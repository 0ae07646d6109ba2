/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "mech/thermo/equilibrium.h"
#include "mech/thermo/thermo.h"
#include "pasr/generators/common/mixture.h"
#include "pasr/generators/common/streams.h"
#include "pasr/generators/pasr_inside.h"

#define MOST_NUMBERS 1e11
#define MOST_TICKS 1e15 /* a time is a whole number of dt */

static void normalise(int nsp, double *Y)
{
    double sum = 0;
    for (int i = 0; i < nsp; i++)
        sum += Y[i];
    for (int i = 0; i < nsp; i++)
        Y[i] /= sum;
}

static double *new_row(const kb_pasr_work *w)
{
    return kb_alloc((size_t)w->columns, sizeof(double));
}

/* mass share Z of the fuel in mixture = Z fuel + (1 - Z) oxidizer, by projection */
static double fuel_share(int nsp, const double *fuel, const double *oxidizer, const double *mixture)
{
    double up = 0, down = 0;
    for (int i = 0; i < nsp; i++) {
        double d = fuel[i] - oxidizer[i];
        up += (mixture[i] - oxidizer[i]) * d;
        down += d * d;
    }
    return up / down;
}

static void add_stream(const kb_pasr_work *w, kb_pasr_condition *c, double share, double *row)
{
    c->stream[c->nstreams++] =
        (kb_pasr_stream){.share = share, .h = kb_mix_h(w->m, row[0], row + 2), .row = row};
}

static int add_fuel_and_oxidizer(const kb_pasr_work *w, kb_pasr_condition *c, const double *mixture,
                                 kb_error *err)
{
    double *fuel = new_row(w), *air = new_row(w), share = 1 - w->r->pilot;
    int code = kb_stream(w->m, "fuel", w->r->fuel, c->T0, c->p, fuel, err);
    if (!code)
        code = kb_stream(w->m, "oxidizer", w->r->oxidizer, c->T0, c->p, air, err);
    double Z = code ? 0 : fuel_share(w->m->nspecies, fuel + 2, air + 2, mixture);
    add_stream(w, c, share * Z, fuel);
    add_stream(w, c, share * (1 - Z), air);
    return code;
}

static int set_condition(const kb_pasr_work *w, int k, kb_error *err)
{
    kb_pasr_condition *c = &w->condition[k];
    c->T0 = w->r->T0.v[k % w->r->T0.n];
    c->p = w->r->p.v[k / w->r->T0.n] * KB_ATM;
    c->burnt = new_row(w);
    double *mixed = new_row(w), *burnt = c->burnt;
    mixed[0] = c->T0;
    mixed[1] = c->p;
    int code = kb_premixed(w->m, w->r->fuel, w->r->oxidizer, w->r->phi, mixed + 2, err);
    normalise(w->m->nspecies, mixed + 2);
    c->h = kb_mix_h(w->m, c->T0, mixed + 2);
    if (!code && w->r->inflow == KB_NON_PREMIXED)
        code = add_fuel_and_oxidizer(w, c, mixed + 2, err);
    memcpy(burnt, mixed, (size_t)w->columns * sizeof *burnt);
    if (w->r->inflow == KB_PREMIXED)
        add_stream(w, c, 1 - w->r->pilot, mixed);
    else
        free(mixed);
    if (!code)
        code = kb_equilibrate(w->m, KB_FIXED_HP, &burnt[0], &burnt[1], burnt + 2, err);
    if (code)
        return code;
    normalise(w->m->nspecies, burnt + 2);
    burnt[0] = kb_T_from_h(w->m, c->h, burnt + 2, burnt[0]);
    double *pilot = new_row(w);
    memcpy(pilot, burnt, (size_t)w->columns * sizeof *pilot);
    add_stream(w, c, w->r->pilot, pilot);
    c->stream[c->nstreams - 1].h = c->h;
    return KB_OK;
}

/* every particle burnt, pairs (0, 1), (2, 3) ... */
static void start_particles(kb_pasr_work *w)
{
    for (int k = 0; k < w->conditions; k++) {
        w->dice[k].random = kb_random_stream((uint64_t)w->r->seed, (uint64_t)k);
        for (long i = 0; i < w->n; i++) {
            long at = k * w->n + i;
            w->place[at] = i;
            w->h[at] = w->condition[k].h;
            memcpy(w->rows + at * w->columns, w->condition[k].burnt,
                   (size_t)w->columns * sizeof *w->rows);
        }
    }
}

/* all parts are multiples of 8 bytes */
static void lay_out(kb_pasr_work *w)
{
    size_t place = (size_t)w->conditions * sizeof *w->dice;
    size_t h = place + (size_t)w->total * sizeof *w->place;
    size_t rows = h + (size_t)w->total * sizeof *w->h;
    size_t all = rows + (size_t)w->total * (size_t)w->columns * sizeof *w->rows;
    char *state = kb_march_state(&w->march, all);
    w->dice = (kb_pasr_dice *)state;
    w->place = (int64_t *)(state + place);
    w->h = (double *)(state + h);
    w->rows = (double *)(state + rows);
}

static void set_march(kb_pasr_work *w)
{
    w->march = (kb_march){.how = w->how, .steps = w->plan.steps, .every = w->plan.every,
                          .first = w->plan.first, .groups = w->conditions,
                          .times = w->plan.kept, .rows = w->rows_of_time,
                          .kept = {{w->kept_rows, w->columns}, {w->kept_pairs, 1}}};
    lay_out(w);
}

static int check(const kb_pasr_work *w, kb_error *err)
{
    const kb_pasr *r = w->r;
    double dt = fmax(kb_pasr_dt(r), r->coarse), events = dt / r->tau_res + dt / r->tau_pair;
    if (kb_recipe_check(&kb_pasr_form, r, err) || kb_same_mechanism(w->m, w->s, err))
        return KB_INVALID;
    if (r->particles % 2)
        return kb_fail(err, KB_INVALID, "particles = %ld, expected an even number: they mix in "
                       "pairs", r->particles);
    if (!(events <= 1))
        return kb_fail(err, KB_INVALID, "dt = %g s is too long: in one step %g of all pairs would "
                       "leave or change partners (dt/tau_res + dt/tau_pair), expected <= 1", dt,
                       events);
    double steps = r->times * r->tau_res / dt, ticks = r->times * r->tau_res / kb_pasr_dt(r);
    if (!(ticks < MOST_TICKS))
        return kb_fail(err, KB_INVALID, "%g residence times of %g s are %g times dt = %g s, "
                       "expected less than %g", r->times, r->tau_res, ticks, kb_pasr_dt(r),
                       MOST_TICKS);
    if (!(steps < 1e9) || lround(ticks) < 1)
        return kb_fail(err, KB_INVALID, "%g residence times of %g s with dt = %g s: %g steps, "
                       "expected 1 to 1e9", r->times, r->tau_res, dt, steps);
    const kb_pasr_plan plan = kb_pasr_plan_of(r);
    if (plan.steps < 1)
        return kb_fail(err, KB_INVALID, "n = %ld: one time has %ld states, and the first one is "
                       "the start, at which nothing has mixed (expected more, or "
                       "start_residence_times above 0)", r->least, kb_pasr_at_once(r));
    double states = (double)kb_pasr_at_once(r) * (double)plan.kept;
    if (!(states * (w->m->nspecies + 2) < MOST_NUMBERS))
        return kb_fail(err, KB_INVALID, "%g states: too many to hold (keep_every and "
                       "start_residence_times keep fewer)", states);
    if (r->start > r->times)
        return kb_fail(err, KB_INVALID, "start_residence_times = %g, expected <= residence_times "
                       "= %g", r->start, r->times);
    return KB_OK;
}

static int open_solver(kb_pasr_work *w, kb_error *err)
{
    const kb_pasr *r = w->r;
    int code = kb_react_open(&w->react, w->s, w->total, r->rtol, r->atol, w->how->threads,
                             w->how->stop, err);
    const kb_solver *found = kb_solver_find(w->s, r->solver, "cpu-simd");
    if (!found)
        found = kb_solver_find(w->s, r->solver, "cpu-scalar");
    w->react.solver = found;
    if (!code && !found)
        code = kb_fail(err, KB_INVALID, "solver: there is no '%s' on a CPU engine (examples: "
                       "rodas4, cvode)", r->solver);
    return code;
}

int kb_pasr_begin(kb_pasr_work *w, kb_error *err)
{
    if (check(w, err))
        return KB_INVALID;
    w->conditions = kb_pasr_conditions(w->r);
    w->columns = w->m->nspecies + 2;
    w->n = w->r->particles;
    w->total = w->n * w->conditions;
    w->plan = kb_pasr_plan_of(w->r);
    w->dt = w->plan.dt;
    w->condition = kb_alloc((size_t)w->conditions, sizeof *w->condition);
    w->pairs = kb_alloc((size_t)w->n, sizeof *w->pairs);
    w->rows_of_time = kb_pasr_at_once(w->r) / w->conditions;
    size_t rows = (size_t)(w->plan.kept * w->conditions * w->rows_of_time);
    w->kept_rows = kb_alloc(rows * (size_t)w->columns, sizeof *w->kept_rows);
    w->kept_pairs = kb_alloc(rows, sizeof *w->kept_pairs);
    if (w->r->states != KB_ROWS_AFTER)
        w->mixed = kb_alloc((size_t)(w->total * w->columns), sizeof *w->mixed);
    set_march(w);
    int code = open_solver(w, err);
    for (int k = 0; k < w->conditions && !code; k++)
        code = set_condition(w, k, err);
    if (!code)
        start_particles(w);
    if (!code && w->mixed) /* rows at the start, where it is kept */
        memcpy(w->mixed, w->rows, (size_t)(w->total * w->columns) * sizeof *w->mixed);
    return code;
}

void kb_pasr_end(kb_pasr_work *w)
{
    for (int k = 0; w->condition && k < w->conditions; k++) {
        free(w->condition[k].burnt);
        for (int i = 0; i < w->condition[k].nstreams; i++)
            free(w->condition[k].stream[i].row);
    }
    free(w->condition);
    kb_march_free(&w->march);
    kb_react_close(&w->react);
    free(w->pairs);
    free(w->mixed);
    free(w->kept_rows);
    free(w->kept_pairs);
}
