/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/stats.h"
#include "drivers/bench/measure_inside.h"

static const kb_reference *reference_of(const kb_measure *m, double dt)
{
    for (int i = 0; i < m->nreferences; i++)
        if (m->references[i].dt == dt)
            return &m->references[i];
    return NULL;
}

#define ACTIVE_CHANGE 1e-6

/* How far the reference [nsp + 1] is from the state [nsp + 2: T, p, Y], in the norm of the error */
static double change(const double *state, const double *ref, int nsp)
{
    double T = kb_ode_error(state, ref, 1), Y = kb_ode_error(state + 2, ref + 1, nsp);
    return fmax(T, Y);
}

static void fill_active(const kb_measure *m, kb_outcome *s, const kb_inputs *in,
                        const kb_reference *r, const double *error)
{
    int nsp = m->solvers->nsp;
    kb_owned double *active = kb_alloc((size_t)in->n, sizeof *active);
    long n = 0;
    for (long i = 0; i < in->n; i++) {
        const double *end = r->y + r->number[in->place[i]] * (nsp + 1);
        if (change(in->states + i * m->rows->columns, end, nsp) > ACTIVE_CHANGE)
            active[n++] = error[i];
    }
    kb_sort(active, n);
    s->active_share = (double)n / (double)in->n;
    s->err_p95_active = kb_percentile(active, n, 0.95);
}

static void fill_errors(const kb_measure *m, kb_cell *cell, const kb_inputs *in)
{
    int columns = m->solvers->nsp + 1;
    const kb_reference *r = reference_of(m, cell->dt);
    kb_owned double *error = kb_alloc((size_t)in->n, sizeof *error);
    double asked = cell->asked > 0 ? cell->asked : cell->rtol;
    double most = fmin(fmax(KB_WRONG * asked, KB_WRONG_LEAST), KB_WRONG_MOST);
    kb_outcome *s = &cell->outcome;
    for (long i = 0; i < in->n; i++) {
        error[i] = kb_ode_error(m->y + i * columns, r->y + r->number[in->place[i]] * columns,
                                columns);
        s->wrong += m->count[i].status == KB_ODE_OK && error[i] > most;
    }
    fill_active(m, s, in, r, error);
    kb_sort(error, in->n);
    s->err_p50 = kb_percentile(error, in->n, 0.50);
    s->err_p95 = kb_percentile(error, in->n, 0.95);
    s->err_max = kb_percentile(error, in->n, 1.00);
    kb_percentile_interval(error, in->n, 0.50, &s->err_p50_lo, &s->err_p50_hi);
    kb_percentile_interval(error, in->n, 0.95, &s->err_p95_lo, &s->err_p95_hi);
}

/* whether the cell's solver has the explicit first pass on */
static bool has_pass(const kb_cell *c)
{
    const kb_option *o = c->solver->info.options;
    for (int i = 0; o && o[i].name; i++)
        if (!strcmp(o[i].name, "pass"))
            return c->options[i] > 0;
    return false;
}

/* Attempts of groups of m ODEs that wait for their longest, over the attempts in them */
static double lockstep(const int32_t *steps, long n, long m)
{
    double waited = 0, all = 0;
    for (long first = 0; first < n; first += m) {
        long here = n - first < m ? n - first : m, most = 0;
        for (long i = first; i < first + here; i++) {
            most = steps[i] > most ? steps[i] : most;
            all += steps[i];
        }
        waited += (double)(here * most);
    }
    return all > 0 ? waited / all : 1;
}

static void fill_counts(const kb_measure *m, kb_outcome *s, long n, bool pass)
{
    kb_owned int32_t *rhs = kb_alloc((size_t)n, sizeof *rhs),
                     *steps = kb_alloc((size_t)n, sizeof *steps);
    double w = 1 / (double)n;
    for (long i = 0; i < n; i++) {
        const kb_count *c = &m->count[i];
        rhs[i] = c->rhs;
        steps[i] = c->attempted;
        s->steps_mean += w * c->attempted;
        s->steps_max = fmax(s->steps_max, c->attempted);
        s->rejected_mean += w * c->rejected;
        s->rhs_mean += w * c->rhs;
        s->rhs_max = fmax(s->rhs_max, c->rhs);
        s->jac_mean += w * c->jac;
        s->lu_mean += w * c->lu;
        s->solve_mean += w * c->solve;
        s->failed += c->status != KB_ODE_OK;
        s->passed += pass && c->status == KB_ODE_OK && c->jac == 0;
    }
    s->D_rhs = kb_divergence(rhs, n);
    s->D_steps = kb_divergence(steps, n);
    const long groups[] = {8, KB_WARP, n};
    for (int k = 0; k < 3; k++)
        s->wait[k] = lockstep(steps, n, groups[k]);
}

/* "3 too many substeps, 1 not finite", or NULL when all is well */
static char *failures(const kb_count *count, long n)
{
    long of[KB_ODE_NSTATUS + 1] = {0};
    char text[256] = "";
    for (long i = 0; i < n; i++) {
        int s = count[i].status;
        of[s >= 0 && s < KB_ODE_NSTATUS ? s : KB_ODE_NSTATUS]++;
    }
    for (int s = 1; s <= KB_ODE_NSTATUS; s++)
        if (of[s])
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%ld %s",
                     *text ? ", " : "", of[s], kb_ode_status_name(s));
    return *text ? kb_format("ODEs failed: %s", text) : NULL;
}

void kb_outcome_fill(const kb_measure *m, kb_cell *cell, const kb_inputs *in, const kb_result *r)
{
    cell->outcome = (kb_outcome){.lane_use = r->lane_use, .lanes = r->lanes, .threads = r->threads,
                                 .resident = r->resident, .ranks = r->ranks ? r->ranks : 1,
                                 .hosts = r->ranks ? r->hosts : 1, .bytes = r->bytes,
                                 .imbalance = r->ranks ? r->imbalance : 1};
    fill_counts(m, &cell->outcome, cell->n, has_pass(cell));
    fill_errors(m, cell, in);
    free(cell->why);
    cell->why = failures(m->count, cell->n);
    if (!cell->why && kb_on_cpu(cell) && r->threads > 0 && r->threads != cell->threads)
        cell->why = kb_format("used %d of %d threads", r->threads, cell->threads);
}
