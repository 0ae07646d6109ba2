/* SPDX-License-Identifier: MIT */
#include "lem.h"

#include <math.h>
#include <string.h>

#include "../mech/thermo.h"
#include "diffusion.h"
#include "lem_parts.h"
#include "react.h"

/* ---- one step ---- */

/* Its place is drawn over the whole line; an eddy that reaches beyond the end does not happen.
 * A map of 3k cells displaces them by 4/27 (3k)^2 (1 - 1/k) in the mean square: k is the size for
 * which this is the eddy's 4/27 l^2. */
static void stir(kb_lem_work *l, kb_lem_line *s)
{
    double size = kb_eddy_size(&s->eddies, &s->random) / (3 * s->cell);
    long k = lround(0.5 + sqrt(0.25 + size * size));
    long first = (long)kb_random_below(&s->random, (uint64_t)l->r->cells);
    if (first + 3 * k > l->r->cells)
        return;
    kb_triplet_map(s->cells, l->width, first, k, l->scratch);
    s->eddy_count++;
}

/* Strain: fluid leaves the line sideways, any cell with the same probability; those between it and
 * its end move up towards the stagnation plane in the middle, and fresh fluid comes in there. In
 * the mean a cell at distance x moves by strain x dt. */
static void lose(kb_lem_work *l, kb_lem_line *s)
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

static void events(kb_lem_work *l, kb_lem_line *s, double until)
{
    while (fmin(s->next_eddy, s->next_loss) < until)
        if (s->next_eddy < s->next_loss) {
            stir(l, s);
            s->next_eddy += kb_lem_waiting(kb_lem_eddies(l, s), &s->random);
        } else {
            lose(l, s);
            s->next_loss += kb_lem_waiting(s->strain * (double)l->r->cells, &s->random);
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

/* cells to states, T from h; states [cells x columns] */
static int to_states(kb_lem_work *l, kb_lem_line *s, double *states, kb_error *err)
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
static void from_states(kb_lem_work *l, kb_lem_line *s, const double *states)
{
    for (long i = 0; i < l->r->cells; i++) {
        double *c = s->cells + i * l->width;
        c[T_] = states[i * l->columns];
        memcpy(c + Y_, states + i * l->columns + 2, (size_t)l->m->nspecies * sizeof *c);
    }
}

static int transport(kb_lem_work *l, long step, kb_error *err)
{
    int code = KB_OK;
    for (long k = 0; k < l->r->simulations && !code; k++) {
        events(l, &l->line[k], (double)step * l->r->dt);
        diffuse(l, &l->line[k]);
        code = to_states(l, &l->line[k], l->states + k * l->r->cells * l->columns, err);
    }
    return code;
}

/* ---- the run ---- */

static long kept(const kb_lem *r)
{
    return (r->steps - 1) / r->every + 1;
}

/* this step's states into their rows: simulation, then time, then cell */
static void keep(const kb_lem_work *l, long step, kb_output *out)
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
            aux[3] = l->line[k].cells[i * l->width + Z_];
        }
    }
}

static int advance(kb_lem_work *l, kb_react *react, void (*progress)(long done, long total),
                   kb_output *out, kb_error *err)
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
            from_states(l, &l->line[k], l->states + k * l->r->cells * l->columns);
        if (!code && progress)
            progress(step + 1, last + 1);
    }
    return code;
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
                     (json_int_t)s->eddy_count, "cells_lost", (json_int_t)s->loss_count,
                     "T_max_K_at_end", T_max);
}

static json_t *results(const kb_lem_work *l, const kb_react *react)
{
    json_t *list = json_array();
    for (long k = 0; k < l->r->simulations; k++)
        json_array_append_new(list, simulation_object(l, &l->line[k]));
    return json_pack("{s:I, s:I, s:I, s:o}", "odes", (json_int_t)react->odes, "substeps",
                     (json_int_t)react->attempts, "odes_by_cvode", (json_int_t)react->redone,
                     "simulations", list);
}

static kb_lem_work make(const kb_lem *r, const kb_mech *m, kb_output *out)
{
    static const char *const names[] = {"simulation", "time_s", "cell", "z"};
    size_t cells = (size_t)r->cells, all = cells * (size_t)r->simulations;
    size_t rows = all * (size_t)kept(r);
    kb_lem_work l = {.r = r, .m = m, .columns = m->nspecies + 2, .width = m->nspecies + 3};
    l.line = kb_alloc((size_t)r->simulations, sizeof *l.line);
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

static void release(kb_lem_work *l)
{
    for (long k = 0; k < l->r->simulations; k++) {
        free(l->line[k].fuel);
        free(l->line[k].oxidizer);
        free(l->line[k].inflow[0]);
        free(l->line[k].inflow[1]);
        free(l->line[k].cells);
    }
    free(l->line);
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
    kb_lem_work l = make(r, m, out);
    for (long k = 0; k < r->simulations && !code; k++)
        code = kb_lem_start(&l, k, &l.line[k], err);
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
