/* SPDX-License-Identifier: MIT */
#include "pasr/generators/lem.h"

#include <math.h>
#include <string.h>

#include "mech/thermo/thermo.h"
#include "pasr/generators/common/diffusion.h"
#include "pasr/generators/lem_inside.h"

/* ---- one step ---- */

/* Its place is drawn over the whole line; an eddy that reaches beyond the end does not happen.
 * A map of 3k cells displaces them by 4/27 (3k)^2 (1 - 1/k) in the mean square: k is the size for
 * which this is the eddy's 4/27 l^2. */
static void stir(kb_lem_work *l, kb_lem_line *s)
{
    double size = kb_eddy_size(&s->eddies, &s->dice->random) / (3 * s->cell);
    long k = lround(0.5 + sqrt(0.25 + size * size));
    long first = (long)kb_random_below(&s->dice->random, (uint64_t)l->r->cells);
    if (first + 3 * k > l->r->cells)
        return;
    kb_triplet_map(s->cells, l->width, first, k, l->scratch);
    s->dice->eddies++;
}

/* Strain: fluid leaves the line sideways, any cell with the same probability; those between it and
 * its end move up towards the stagnation plane in the middle, and fresh fluid comes in there. In
 * the mean a cell at distance x moves by strain x dt. */
static void lose(kb_lem_work *l, kb_lem_line *s)
{
    long n = l->r->cells, k = (long)kb_random_below(&s->dice->random, (uint64_t)n);
    size_t row = (size_t)l->width * sizeof *s->cells;
    double *at = s->cells + k * l->width;
    if (k < n / 2) {
        memmove(s->cells + l->width, s->cells, (size_t)k * row);
        memcpy(s->cells, s->inflow[0], row);
    } else {
        memmove(at, at + l->width, (size_t)(n - 1 - k) * row);
        memcpy(s->cells + (n - 1) * l->width, s->inflow[1], row);
    }
    s->dice->losses++;
}

static void events(kb_lem_work *l, kb_lem_line *s, double until)
{
    kb_lem_dice *d = s->dice;
    while (fmin(d->next_eddy, d->next_loss) < until)
        if (d->next_eddy < d->next_loss) {
            stir(l, s);
            d->next_eddy += kb_lem_waiting(kb_lem_eddies(l, s), &d->random);
        } else {
            lose(l, s);
            d->next_loss += kb_lem_waiting(s->strain * (double)l->r->cells, &d->random);
        }
}

/* In the mass coordinate: d/dm (rho (rho D) d/dm) of T (a first guess), z, h and Y alike; no flux
 * at the ends, where the line is uniform. */
static void diffuse(kb_lem_work *l, kb_lem_line *s)
{
    long n = l->r->cells;
    for (long i = 0; i < n; i++) {
        const double *c = s->cells + i * l->width;
        l->work[i] = kb_density(l->m, c[T_], s->p, c + Y_) * kb_lem_rho_D(c[T_]);
    }
    for (long i = 0; i + 1 < n; i++)
        l->b[i] = l->a[i + 1] = 0.5 * (l->work[i] + l->work[i + 1]) * l->r->dt /
                                (s->mass * s->mass);
    kb_diffuse(n, l->a, l->b, NULL, NULL, s->cells, l->width, l->work);
}

/* T of h: from the diffused T, which is close, two or three plain Newton steps are enough; where
 * they are not, the careful search of kb_T_from_h */
static double temperature(const kb_lem_work *l, const double *c)
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

/* T of all cells from h */
static int settle(const kb_lem_work *l, kb_lem_line *s, kb_error *err)
{
    for (long i = 0; i < l->r->cells; i++) {
        double *c = s->cells + i * l->width;
        c[T_] = temperature(l, c);
        if (!isfinite(c[T_]))
            return kb_fail(err, KB_INVALID, "no temperature for h = %g J/kg in cell %ld", c[H_], i);
    }
    return KB_OK;
}

static void to_state(const kb_lem_work *l, const kb_lem_line *s, const double *cell, double *row)
{
    row[0] = cell[T_];
    row[1] = s->p;
    memcpy(row + 2, cell + Y_, (size_t)l->m->nspecies * sizeof *row);
}

/* T and Y of all cells of all lines; z and h stay */
static int react(kb_lem_work *l, kb_error *err)
{
    long n = l->r->cells, all = l->r->simulations * n;
    double *cells = l->line[0].cells;
    for (long i = 0; i < all; i++)
        to_state(l, &l->line[i / n], cells + i * l->width, l->states + i * l->columns);
    int code = kb_react_step(&l->react, l->states, l->r->dt, &l->march.clock->reacted, err);
    for (long i = 0; i < all && !code; i++) {
        cells[i * l->width + T_] = l->states[i * l->columns];
        memcpy(cells + i * l->width + Y_, l->states + i * l->columns + 2,
               (size_t)l->m->nspecies * sizeof *cells);
    }
    return code;
}

/* Steps of the march are counted from 1. The reaction of the step before comes first, so that the
 * state between two of them is that of the database. */
static int step(void *work, kb_error *err)
{
    kb_lem_work *l = work;
    long before = (long)l->march.clock->step - 1;
    int code = before ? react(l, err) : KB_OK;
    for (long k = 0; k < l->r->simulations && !code; k++) {
        events(l, &l->line[k], (double)before * l->r->dt);
        diffuse(l, &l->line[k]);
        code = settle(l, &l->line[k], err);
    }
    return code;
}

/* ---- the run ---- */

/* rows: simulation, then time, then cell */
static void keep(void *work, long time)
{
    const kb_lem_work *l = work;
    long n = l->r->cells;
    for (long i = 0; i < l->r->simulations * n; i++) {
        const kb_lem_line *s = &l->line[i / n];
        long row = (i / n * l->march.times + time) * n + i % n;
        double *aux = l->out->aux + 4 * row;
        to_state(l, s, s->cells + i % n * l->width, l->out->states + row * l->columns);
        aux[0] = (double)(i / n);
        aux[1] = (double)(time * l->r->every) * l->r->dt;
        aux[2] = (double)(i % n);
        aux[3] = s->cells[i % n * l->width + Z_];
    }
}

static json_t *simulation_object(const kb_lem_work *l, const kb_lem_line *s)
{
    double T_max = 0;
    for (long i = 0; i < l->r->cells; i++)
        T_max = fmax(T_max, s->cells[i * l->width + T_]);
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:f}", "T_fuel_K",
                     s->T_fuel, "T_oxidizer_K", s->T_oxidizer, "p_atm", s->p / KB_ATM, "dilution",
                     s->dilution, "strain_1_s", s->strain, "line_mm",
                     s->cell * (double)l->r->cells * 1e3, "u_rms_m_s", s->u, "integral_scale_mm",
                     s->length * 1e3, "smallest_eddy_mm", s->eddies.eta * 1e3, "eddies",
                     (json_int_t)s->dice->eddies, "cells_lost", (json_int_t)s->dice->losses,
                     "T_max_K_at_end", T_max);
}

static json_t *results(const kb_lem_work *l)
{
    const kb_reacted *sum = &l->march.clock->reacted;
    json_t *list = json_array();
    for (long k = 0; k < l->r->simulations; k++)
        json_array_append_new(list, simulation_object(l, &l->line[k]));
    return json_pack("{s:I, s:I, s:I, s:o}", "odes", (json_int_t)sum->odes, "substeps",
                     (json_int_t)sum->attempts, "odes_by_cvode", (json_int_t)sum->redone,
                     "simulations", list);
}

static void set_output(const kb_lem_work *l, long times)
{
    static const char *const names[] = {"simulation", "time_s", "cell", "z"};
    size_t rows = (size_t)(l->r->simulations * l->r->cells) * (size_t)times;
    *l->out = (kb_output){.n = (long)rows, .naux = 4, .aux_names = names,
                          .states = kb_alloc(rows * (size_t)l->columns, sizeof(double)),
                          .aux = kb_alloc(rows * 4, sizeof(double)),
                          .kind = {"before", l->r->dt},
                          .method = "splitting: triplet maps and strain, backward Euler diffusion, "
                                    "then " KB_REACT_METHOD};
}

static void set_march(kb_lem_work *l, const kb_march_how *how)
{
    long times = (l->r->steps - 1) / l->r->every + 1, simulations = l->r->simulations;
    set_output(l, times);
    l->march = (kb_march){.how = how, .work = l, .step = step, .keep = keep, .first = 1,
                          .every = l->r->every, .steps = (times - 1) * l->r->every + 1,
                          .groups = simulations, .times = times, .rows = l->r->cells,
                          .kept = {{l->out->states, l->columns}, {l->out->aux, 4}}};
    size_t dice = (size_t)simulations * sizeof(kb_lem_dice);
    size_t line = (size_t)(l->r->cells * l->width) * sizeof(double);
    char *state = kb_march_state(&l->march, dice + (size_t)simulations * line);
    for (long k = 0; k < simulations; k++) {
        l->line[k].dice = (kb_lem_dice *)state + k;
        l->line[k].cells = (double *)(state + dice + (size_t)k * line);
    }
}

static void allocate(kb_lem_work *l)
{
    size_t cells = (size_t)l->r->cells, all = cells * (size_t)l->r->simulations;
    l->line = kb_alloc((size_t)l->r->simulations, sizeof *l->line);
    l->states = kb_alloc(all * (size_t)l->columns, sizeof(double));
    l->a = kb_alloc(cells, sizeof(double));
    l->b = kb_alloc(cells, sizeof(double));
    l->work = kb_alloc(cells, sizeof(double));
    l->scratch = kb_alloc(cells * (size_t)l->width, sizeof(double));
}

static void release(kb_lem_work *l)
{
    for (long k = 0; k < l->r->simulations; k++) {
        free(l->line[k].fuel);
        free(l->line[k].oxidizer);
        free(l->line[k].inflow[0]);
        free(l->line[k].inflow[1]);
    }
    kb_react_close(&l->react);
    kb_march_free(&l->march);
    free(l->line);
    free(l->states);
    free(l->a);
    free(l->b);
    free(l->work);
    free(l->scratch);
}

/* from a checkpoint, or from the start of each line */
static int begin(kb_lem_work *l, const kb_solvers *s, kb_error *err)
{
    const kb_march_how *how = l->march.how;
    int code = kb_react_open(&l->react, s, l->r->simulations * l->r->cells, l->r->rtol, l->r->atol,
                             how->threads, how->stop, err);
    for (long k = 0; k < l->r->simulations && !code; k++)
        code = kb_lem_start(l, k, err);
    if (!code)
        code = kb_march_resume(&l->march, &kb_lem_form, l->r, s, err);
    for (long k = 0; k < l->r->simulations && !code && !l->march.resumed; k++)
        code = how->stop && *how->stop
                   ? kb_fail(err, KB_INTERRUPTED, "interrupted at the start: nothing was written")
                   : kb_lem_fill(l, k, err);
    return code;
}

int kb_lem_run(const kb_lem *r, const kb_mech *m, const kb_solvers *s, const kb_march_how *how,
               kb_output *out, kb_error *err)
{
    kb_lem_work l = {.r = r, .m = m, .out = out, .columns = m->nspecies + 2,
                     .width = m->nspecies + 3};
    allocate(&l);
    set_march(&l, how);
    int code = begin(&l, s, err);
    if (!code)
        code = kb_march_run(&l.march, err);
    if (!code)
        out->results = results(&l);
    release(&l);
    return code;
}
