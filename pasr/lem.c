/* SPDX-License-Identifier: MIT */
#include "lem.h"

#include <math.h>
#include <string.h>

#include "../mech/equilibrium.h"
#include "../mech/thermo.h"
#include "diffusion.h"
#include "react.h"
#include "streams.h"

#define PRANDTL 0.75

enum { T_, Z_, H_, Y_ }; /* a cell: T [K], mixture fraction, h [J/kg], Y */

typedef struct {
    double T_fuel, T_oxidizer, p, dilution, strain, u, length; /* as drawn; p [Pa], length [m] */
    kb_random random;
    kb_eddies eddies;
    double *fuel, *oxidizer; /* states [nsp + 2] */
    double *inflow[2];       /* fuel (left) and oxidiser (right) as cells */
    double mass;             /* of a cell [kg/m^2] */
    double next_eddy, next_loss; /* [s]; INFINITY: never */
    double *cells;           /* cells x width */
    long eddy_count, loss_count;
} simulation;

typedef struct {
    const kb_lem *r;
    const kb_mech *m;
    int columns, width; /* of a state: nsp + 2, of a cell: nsp + 3 */
    simulation *sim;
    double *states;     /* simulations x cells x columns */
    double *a, *b, *work, *scratch; /* [cells] and [cells x width] */
} lem;

/* lambda/cp = rho D [kg/(m s)], unity Lewis number: Smooke and Giovangigli, Lecture Notes in
 * Physics 384 (1991), 2.58e-4 g/(cm s) (T/298 K)^0.7 */
static double rho_D(double T)
{
    return 2.58e-5 * pow(T / 298, 0.7);
}

static double draw(const kb_axis *a, kb_random *random)
{
    return a->v[kb_random_below(random, (uint64_t)a->n)];
}

/* time from one event to the next, of so many in a second */
static double waiting(double rate, kb_random *random)
{
    return rate > 0 ? -log(1 - kb_random_unit(random)) / rate : INFINITY;
}

/* ---- one simulation before its first step ---- */

static void draw_conditions(const kb_lem *r, long k, simulation *s)
{
    s->random = kb_random_stream((uint64_t)r->seed, (uint64_t)k);
    s->T_fuel = draw(&r->T_fuel, &s->random);
    s->T_oxidizer = draw(&r->T_oxidizer, &s->random);
    s->p = draw(&r->p, &s->random) * KB_ATM;
    s->dilution = draw(&r->dilution, &s->random);
    s->strain = draw(&r->strain, &s->random);
    s->u = draw(&r->u, &s->random);
    s->length = draw(&r->length, &s->random) * 1e-3;
}

/* fuel and diluent mixed by moles: by masses that stand as (1 - d) Wf to d Wd */
static int make_streams(const lem *l, simulation *s, kb_error *err)
{
    double *diluent = kb_alloc((size_t)l->columns, sizeof *diluent), d = s->dilution;
    int code = kb_stream(l->m, "fuel", l->r->fuel, s->T_fuel, s->p, s->fuel, err);
    if (!code)
        code = kb_stream(l->m, "diluent", l->r->diluent, s->T_fuel, s->p, diluent, err);
    if (!code)
        code = kb_stream(l->m, "oxidizer", l->r->oxidizer, s->T_oxidizer, s->p, s->oxidizer, err);
    if (!code) {
        double f = (1 - d) * kb_mean_weight(l->m, s->fuel + 2);
        double w = d * kb_mean_weight(l->m, diluent + 2);
        for (int i = 2; i < l->columns; i++)
            s->fuel[i] = (f * s->fuel[i] + w * diluent[i]) / (f + w);
    }
    free(diluent);
    return code;
}

static void state_to_cell(const lem *l, const double *state, double z, double *cell)
{
    cell[T_] = state[0];
    cell[Z_] = z;
    cell[H_] = kb_mix_h(l->m, state[0], state + 2);
    memcpy(cell + Y_, state + 2, (size_t)l->m->nspecies * sizeof *cell);
}

/* The laminar mixing layer of this strain rate, burnt wherever it mixes: z solves
 * strain x dz/dx + D d2z/dx2 = 0, x the distance from the stagnation plane */
static int fill(const lem *l, simulation *s, kb_error *err)
{
    double rho = s->mass * (double)l->r->cells / (l->r->domain * 1e-3);
    double thickness = sqrt(2 * rho * rho_D(s->T_oxidizer) / s->strain); /* [kg/m^2] */
    double *state = kb_alloc((size_t)l->columns, sizeof *state);
    int code = KB_OK;
    for (long i = 0; i < l->r->cells && !code; i++) {
        double x = ((double)i + 0.5 - 0.5 * (double)l->r->cells) * s->mass;
        double z = 0.5 * erfc(x / thickness);
        code = kb_mix_streams(l->m, s->fuel, s->oxidizer, z, state, err);
        if (!code && z > 1e-3 && z < 1 - 1e-3)
            code = kb_equilibrate(l->m, KB_HOLD_HP, &state[0], &state[1], state + 2, err);
        state_to_cell(l, state, z, s->cells + i * l->width);
    }
    free(state);
    return code;
}

static int make_simulation(const lem *l, long k, simulation *s, kb_error *err)
{
    size_t columns = (size_t)l->columns, width = (size_t)l->width;
    double cell = l->r->domain * 1e-3 / (double)l->r->cells; /* [m] */
    *s = (simulation){.fuel = kb_alloc(columns, sizeof(double)),
                      .oxidizer = kb_alloc(columns, sizeof(double)),
                      .inflow = {kb_alloc(width, sizeof(double)), kb_alloc(width, sizeof(double))},
                      .cells = kb_alloc((size_t)l->r->cells * width, sizeof(double))};
    draw_conditions(l->r, k, s);
    int code = make_streams(l, s, err);
    if (code)
        return code;
    state_to_cell(l, s->fuel, 1, s->inflow[0]);
    state_to_cell(l, s->oxidizer, 0, s->inflow[1]);
    double rho = kb_density(l->m, s->T_oxidizer, s->p, s->oxidizer + 2);
    s->mass = rho * cell;
    s->eddies = kb_eddies_of(s->u, s->length, PRANDTL * rho_D(s->T_oxidizer) / rho, cell);
    s->next_eddy = waiting(s->eddies.rate * l->r->domain * 1e-3, &s->random);
    s->next_loss = waiting(s->strain * (double)l->r->cells, &s->random);
    return fill(l, s, err);
}

/* ---- one step ---- */

/* Its place is drawn over the whole line; an eddy that reaches beyond the end does not happen. A map
 * of 3k cells displaces them by 4/27 (3k)^2 (1 - 1/k) in the mean square: k is the size for which
 * this is the eddy's 4/27 l^2. */
static void stir(lem *l, simulation *s)
{
    double cell = l->r->domain * 1e-3 / (double)l->r->cells;
    double size = kb_eddy_size(&s->eddies, &s->random) / (3 * cell);
    long k = lround(0.5 + sqrt(0.25 + size * size));
    long first = (long)kb_random_below(&s->random, (uint64_t)l->r->cells);
    if (first + 3 * k > l->r->cells)
        return;
    kb_triplet_map(s->cells, l->width, first, k, l->scratch);
    s->eddy_count++;
}

/* Strain: fluid leaves the line sideways, any cell with the same probability; those between it and
 * its end move up towards the stagnation plane in the middle, and fresh fluid comes in there. In the
 * mean a cell at distance x moves by strain x dt. */
static void lose(lem *l, simulation *s)
{
    long n = l->r->cells, k = (long)kb_random_below(&s->random, (uint64_t)n);
    size_t row = (size_t)l->width * sizeof *s->cells;
    double *at = s->cells + k * l->width;
    if (k < n / 2) {
        memmove(s->cells + l->width, s->cells, (size_t)k * row);
        memcpy(s->cells, s->inflow[0], row);
    } else {
        memmove(at, at + l->width, (size_t)(n - 1 - k) * row);
        memcpy(s->cells + (n - 1) * l->width, s->inflow[1], row);
    }
    s->loss_count++;
}

static void events(lem *l, simulation *s, double until)
{
    while (fmin(s->next_eddy, s->next_loss) < until)
        if (s->next_eddy < s->next_loss) {
            stir(l, s);
            s->next_eddy += waiting(s->eddies.rate * l->r->domain * 1e-3, &s->random);
        } else {
            lose(l, s);
            s->next_loss += waiting(s->strain * (double)l->r->cells, &s->random);
        }
}

/* In the mass coordinate: d/dm (rho (rho D) d/dm) of T (a first guess), z, h and Y alike; no flux at
 * the ends, where the line is uniform. */
static void diffuse(lem *l, simulation *s)
{
    long n = l->r->cells;
    for (long i = 0; i < n; i++) {
        const double *c = s->cells + i * l->width;
        l->work[i] = kb_density(l->m, c[T_], s->p, c + Y_) * rho_D(c[T_]);
    }
    for (long i = 0; i + 1 < n; i++)
        l->b[i] = l->a[i + 1] = 0.5 * (l->work[i] + l->work[i + 1]) * l->r->dt /
                                (s->mass * s->mass);
    kb_diffuse(n, l->a, l->b, NULL, NULL, s->cells, l->width, l->work);
}

/* T of h: from the diffused T, which is close, two or three plain Newton steps are enough; where
 * they are not, the careful search of kb_T_from_h */
static double temperature(const lem *l, const double *c)
{
    double T = c[T_];
    for (int i = 0; i < 5 && T > 200 && T < 4000; i++) {
        double step = (kb_mix_h(l->m, T, c + Y_) - c[H_]) / kb_mix_cp(l->m, T, c + Y_);
        T -= step;
        if (fabs(step) <= 1e-8 * T) /* the next one would be below 1e-13 T */
            return T;
    }
    return kb_T_from_h(l->m, c[H_], c + Y_, c[T_]);
}

/* cells to states, T from h; states [cells x columns] */
static int to_states(lem *l, simulation *s, double *states, kb_error *err)
{
    for (long i = 0; i < l->r->cells; i++) {
        double *c = s->cells + i * l->width, *row = states + i * l->columns;
        c[T_] = temperature(l, c);
        if (!isfinite(c[T_]))
            return kb_fail(err, KB_INVALID, "no temperature for h = %g J/kg in cell %ld", c[H_], i);
        row[0] = c[T_];
        row[1] = s->p;
        memcpy(row + 2, c + Y_, (size_t)l->m->nspecies * sizeof *row);
    }
    return KB_OK;
}

/* T and Y back after the reaction; z and h stay */
static void from_states(lem *l, simulation *s, const double *states)
{
    for (long i = 0; i < l->r->cells; i++) {
        double *c = s->cells + i * l->width;
        c[T_] = states[i * l->columns];
        memcpy(c + Y_, states + i * l->columns + 2, (size_t)l->m->nspecies * sizeof *c);
    }
}

static int transport(lem *l, long step, kb_error *err)
{
    int code = KB_OK;
    for (long k = 0; k < l->r->simulations && !code; k++) {
        events(l, &l->sim[k], (double)step * l->r->dt);
        diffuse(l, &l->sim[k]);
        code = to_states(l, &l->sim[k], l->states + k * l->r->cells * l->columns, err);
    }
    return code;
}

/* ---- the run ---- */

static long kept(const kb_lem *r)
{
    return (r->steps - 1) / r->every + 1;
}

/* this step's states into their rows: simulation, then time, then cell */
static void keep(const lem *l, long step, kb_output *out)
{
    long n = l->r->cells;
    for (long k = 0; k < l->r->simulations; k++) {
        long row = (k * kept(l->r) + step / l->r->every) * n;
        memcpy(out->states + row * l->columns, l->states + k * n * l->columns,
               (size_t)(n * l->columns) * sizeof *out->states);
        for (long i = 0; i < n; i++) {
            double *aux = out->aux + 4 * (row + i);
            aux[0] = (double)k;
            aux[1] = (double)step * l->r->dt;
            aux[2] = (double)i;
            aux[3] = l->sim[k].cells[i * l->width + Z_];
        }
    }
}

static int advance(lem *l, kb_react *react, void (*progress)(long done, long total), kb_output *out,
                   kb_error *err)
{
    long last = (kept(l->r) - 1) * l->r->every;
    int code = KB_OK;
    for (long step = 0; step <= last && !code; step++) {
        code = transport(l, step, err);
        if (!code && step % l->r->every == 0)
            keep(l, step, out);
        if (!code && step < last)
            code = kb_react_step(react, l->states, l->r->dt, err);
        for (long k = 0; k < l->r->simulations && !code && step < last; k++)
            from_states(l, &l->sim[k], l->states + k * l->r->cells * l->columns);
        if (!code && progress)
            progress(step + 1, last + 1);
    }
    return code;
}

static json_t *simulation_object(const lem *l, const simulation *s)
{
    double T_max = 0;
    for (long i = 0; i < l->r->cells; i++)
        T_max = fmax(T_max, s->cells[i * l->width + T_]);
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:f}", "T_fuel_K",
                     s->T_fuel, "T_oxidizer_K", s->T_oxidizer, "p_atm", s->p / KB_ATM, "dilution",
                     s->dilution, "strain_1_s", s->strain, "u_rms_m_s", s->u, "integral_scale_mm",
                     s->length * 1e3, "smallest_eddy_mm", s->eddies.eta * 1e3, "eddies",
                     (json_int_t)s->eddy_count, "cells_lost", (json_int_t)s->loss_count,
                     "T_max_K_at_end", T_max);
}

static json_t *results(const lem *l, const kb_react *react)
{
    json_t *list = json_array();
    for (long k = 0; k < l->r->simulations; k++)
        json_array_append_new(list, simulation_object(l, &l->sim[k]));
    return json_pack("{s:I, s:I, s:I, s:o}", "odes", (json_int_t)react->odes, "substeps",
                     (json_int_t)react->attempts, "odes_by_cvode", (json_int_t)react->redone,
                     "simulations", list);
}

static lem make(const kb_lem *r, const kb_mech *m, kb_output *out)
{
    static const char *const names[] = {"simulation", "time_s", "cell", "z"};
    size_t cells = (size_t)r->cells, all = cells * (size_t)r->simulations;
    size_t rows = all * (size_t)kept(r);
    lem l = {.r = r, .m = m, .columns = m->nspecies + 2, .width = m->nspecies + 3};
    l.sim = kb_alloc((size_t)r->simulations, sizeof *l.sim);
    l.states = kb_alloc(all * (size_t)l.columns, sizeof(double));
    l.a = kb_alloc(cells, sizeof(double));
    l.b = kb_alloc(cells, sizeof(double));
    l.work = kb_alloc(cells, sizeof(double));
    l.scratch = kb_alloc(cells * (size_t)l.width, sizeof(double));
    *out = (kb_output){.n = (long)rows, .naux = 4, .aux_names = names,
                       .states = kb_alloc(rows * (size_t)l.columns, sizeof(double)),
                       .aux = kb_alloc(rows * 4, sizeof(double)),
                       .method = "splitting: triplet maps and strain, backward Euler diffusion, "
                                 "then " KB_REACT_METHOD};
    return l;
}

static void release(lem *l)
{
    for (long k = 0; k < l->r->simulations; k++) {
        free(l->sim[k].fuel);
        free(l->sim[k].oxidizer);
        free(l->sim[k].inflow[0]);
        free(l->sim[k].inflow[1]);
        free(l->sim[k].cells);
    }
    free(l->sim);
    free(l->states);
    free(l->a);
    free(l->b);
    free(l->work);
    free(l->scratch);
}

int kb_lem_run(const kb_lem *r, const kb_mech *m, const kb_solvers *s, int threads,
               const volatile int *stop, void (*progress)(long done, long total), kb_output *out,
               kb_error *err)
{
    kb_react react = {0};
    int code = KB_OK;
    lem l = make(r, m, out);
    for (long k = 0; k < r->simulations && !code; k++)
        code = make_simulation(&l, k, &l.sim[k], err);
    if (!code)
        code = kb_react_open(&react, s, r->simulations * r->cells, r->rtol, r->atol, threads, stop,
                             err);
    if (!code)
        code = advance(&l, &react, progress, out, err);
    if (!code)
        out->results = results(&l, &react);
    kb_react_close(&react);
    release(&l);
    return code;
}
