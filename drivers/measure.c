/* SPDX-License-Identifier: MIT */
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "csv.h"
#include "interrupt.h"
#include "stats.h"

#define PROBE 64            /* ODEs */
#define SHORTEST_SAMPLE 0.01 /* [s] */
#define LARGEST_BATCH 10000

struct kb_inputs {
    const char *order;
    long n;
    long *row;            /* row of the database of each ODE */
    const double *states; /* n x (nsp + 2) */
    double *own;          /* states, unless they are the database's */
};

void kb_measure_start(kb_measure *m, long max_n)
{
    m->y = kb_alloc((size_t)max_n, (size_t)(m->solvers->nsp + 1) * sizeof *m->y);
    m->count = kb_alloc((size_t)max_n, sizeof *m->count);
}

void kb_measure_free(kb_measure *m)
{
    for (int i = 0; i < m->ninputs; i++) {
        free(m->inputs[i].row);
        free(m->inputs[i].own);
    }
    for (int i = 0; i < m->norders; i++)
        free(m->orders[i].row);
    free(m->orders);
    free(m->inputs);
    free(m->y);
    free(m->count);
}

static double *gather(const kb_database *db, const long *row, long n)
{
    double *states = kb_alloc((size_t)n, (size_t)db->columns * sizeof *states);
    for (long i = 0; i < n; i++)
        memcpy(states + i * db->columns, db->states + row[i] * db->columns,
               (size_t)db->columns * sizeof *states);
    return states;
}

static const long *order_of(const kb_measure *m, const char *name)
{
    for (int i = 0; i < m->norders; i++)
        if (!strcmp(m->orders[i].name, name))
            return m->orders[i].row;
    return NULL;
}

int kb_measure_order_of(kb_measure *m, const kb_cell *cell, kb_error *err)
{
    if (order_of(m, cell->order))
        return KB_OK;
    kb_order_request r = {.name = cell->order, .seed = m->set->seed, .solvers = m->solvers,
                          .dt = cell->dt, .stop = &kb_stop};
    long *row = kb_alloc((size_t)m->db->n, sizeof *row);
    int code = kb_order_get(&r, m->db, row, err);
    if (code) {
        free(row);
        return code;
    }
    m->orders = kb_realloc(m->orders, (size_t)m->norders + 1, sizeof *m->orders);
    m->orders[m->norders++] = (kb_measure_order){cell->order, row};
    return KB_OK;
}

/* The first n states in the order of the cell: every order holds the same n ODEs. The pointer holds
 * until the next call. */
static const kb_inputs *inputs_of(kb_measure *m, const kb_cell *cell)
{
    for (int i = 0; i < m->ninputs; i++)
        if (m->inputs[i].n == cell->n && !strcmp(m->inputs[i].order, cell->order))
            return &m->inputs[i];
    kb_inputs in = {.order = cell->order, .n = cell->n,
                    .row = kb_alloc((size_t)cell->n, sizeof *in.row)};
    kb_order_first(order_of(m, cell->order), m->db->n, cell->n, in.row);
    if (strcmp(cell->order, "generated"))
        in.own = gather(m->db, in.row, in.n);
    in.states = in.own ? in.own : m->db->states;
    m->inputs = kb_realloc(m->inputs, (size_t)m->ninputs + 1, sizeof *m->inputs);
    m->inputs[m->ninputs] = in;
    return &m->inputs[m->ninputs++];
}

static int run(kb_measure *m, const kb_cell *cell, const double *states, long n, kb_result *result,
               kb_error *err)
{
    kb_job job = {.n = n, .states = states, .dt = cell->dt, .reactor = m->set->reactor,
                  .rtol = cell->rtol, .atol = cell->atol, .options = cell->options,
                  .schedule = cell->schedule, .threads = cell->threads,
                  .max_substeps = m->set->max_substeps, .stop = &kb_stop};
    *result = (kb_result){.y = m->y, .count = m->count};
    return cell->solver->run(cell->solver, &job, result, err);
}

/* ---- what a run says ---- */

static const kb_reference *reference_of(const kb_measure *m, double dt)
{
    for (int i = 0; i < m->nreferences; i++)
        if (m->references[i].dt == dt)
            return &m->references[i];
    return NULL;
}

static void summarise_error(const kb_measure *m, kb_cell *cell, const kb_inputs *in)
{
    int columns = m->solvers->nsp + 1;
    const kb_reference *r = reference_of(m, cell->dt);
    double *error = kb_alloc((size_t)in->n, sizeof *error);
    for (long i = 0; i < in->n; i++)
        error[i] = kb_ode_error(m->y + i * columns, r->y + in->row[i] * columns, columns);
    cell->summary.err_p50 = kb_percentile(error, in->n, 0.50);
    cell->summary.err_p95 = kb_percentile(error, in->n, 0.95);
    cell->summary.err_max = kb_percentile(error, in->n, 1.00);
    free(error);
}

static void summarise_counts(const kb_measure *m, kb_summary *s, long n)
{
    int32_t *rhs = kb_alloc((size_t)n, sizeof *rhs), *steps = kb_alloc((size_t)n, sizeof *steps);
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
    }
    s->D_rhs = kb_divergence(rhs, n);
    s->D_steps = kb_divergence(steps, n);
    free(rhs);
    free(steps);
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

static void summarise(const kb_measure *m, kb_cell *cell, const kb_inputs *in, const kb_result *r)
{
    cell->summary = (kb_summary){.lane_use = r->lane_use, .lanes = r->lanes, .threads = r->threads};
    summarise_counts(m, &cell->summary, cell->n);
    summarise_error(m, cell, in);
    free(cell->why);
    cell->why = failures(m->count, cell->n);
    if (!cell->why && kb_on_cpu(cell) && r->threads > 0 && r->threads != cell->threads)
        cell->why = kb_format("used %d of %d threads", r->threads, cell->threads);
}

/* ---- the warm-up ---- */

static void end_cell(kb_cell *cell, kb_cell_state state, char *why)
{
    free(cell->why);
    cell->why = why;
    cell->state = state;
}

/* A run under a time limit. Returns KB_OK, KB_INTERRUPTED by the user, or KB_DIFFERS when the
 * cell's state was set instead. */
static int limited_run(kb_measure *m, kb_cell *cell, const double *states, long n,
                       kb_result *result)
{
    kb_error err = {0};
    double limit = m->set->budget;
    kb_limit(limit);
    int code = run(m, cell, states, n, result, &err);
    bool late = kb_limit_end();
    if (kb_interrupted())
        return KB_INTERRUPTED;
    if (code == KB_OK)
        return KB_OK;
    if (code == KB_INTERRUPTED && late)
        end_cell(cell, KB_CELL_SKIPPED,
                 kb_format("one run of %ld ODEs took longer than the budget of %g s", n, limit));
    else
        end_cell(cell, code == KB_NOTHING ? KB_CELL_SKIPPED : KB_CELL_FAILED,
                 kb_format("%s", *err.text ? err.text : "the engine gave no reason"));
    return KB_DIFFERS;
}

/* Sets the state to skipped when `seconds` for each of the runs goes beyond the budget. */
static int beyond_budget(const kb_measure *m, kb_cell *cell, double seconds, const char *basis)
{
    double all = seconds * (1 + m->set->repeats);
    if (all <= m->set->budget)
        return 0;
    end_cell(cell, KB_CELL_SKIPPED,
             kb_format("predicted %.3g s for 1 + %d runs (from %s), budget %g s", all,
                       m->set->repeats, basis, m->set->budget));
    return 1;
}

/* PROBE states spread evenly over the n. Lanes and threads that they leave idle are taken into
 * account; of a GPU, which they cannot fill, the probe says only how long the shortest run is. */
static int probe(kb_measure *m, kb_cell *cell, const kb_inputs *in)
{
    int columns = m->db->columns;
    long row[PROBE];
    kb_result result;
    if (cell->n < 4 * PROBE)
        return KB_OK;
    for (int i = 0; i < PROBE; i++)
        row[i] = i * cell->n / PROBE;
    double *states = kb_alloc(PROBE, (size_t)columns * sizeof *states);
    for (int i = 0; i < PROBE; i++)
        memcpy(states + i * columns, in->states + row[i] * columns,
               (size_t)columns * sizeof *states);
    int code = limited_run(m, cell, states, PROBE, &result);
    free(states);
    if (code)
        return code;
    long width = (long)result.lanes * (result.threads > 0 ? result.threads : 1);
    double scale = kb_on_cpu(cell) ? (double)cell->n / (double)(width > PROBE ? width : PROBE) : 1;
    /* one slow ODE keeps the other lanes of a probe waiting: believe only a clear excess */
    return beyond_budget(m, cell, result.total * scale / 3, "a third of a probe of 64 states")
               ? KB_DIFFERS : KB_OK;
}

int kb_measure_warm_up(kb_measure *m, kb_cell *cell)
{
    const kb_inputs *in = inputs_of(m, cell);
    kb_result result;
    int code = probe(m, cell, in);
    code = code ? code : limited_run(m, cell, in->states, cell->n, &result);
    if (code)
        return code == KB_INTERRUPTED ? code : KB_OK;
    cell->warm_s = result.total;
    summarise(m, cell, in, &result);
    if (!beyond_budget(m, cell, result.total, "the warm-up run"))
        cell->state = KB_CELL_OK;
    return KB_OK;
}

int kb_measure_keep_cost(kb_measure *m, const kb_cell *cell, kb_error *err)
{
    const kb_inputs *in = inputs_of(m, cell);
    kb_count *count = kb_alloc((size_t)in->n, sizeof *count);
    char dt[32], rtol[32], atol[32];
    for (long i = 0; i < in->n; i++)
        count[in->row[i]] = m->count[i];
    char *about = kb_format("%s %s, dt %s s, rtol %s, atol %s", cell->solver_text,
                            cell->solver->info.engine, kb_number(cell->dt, dt),
                            kb_number(cell->rtol, rtol), kb_number(cell->atol, atol));
    int code = kb_cost_write(m->db, count, about, err);
    free(about);
    free(count);
    return code;
}

/* ---- samples ---- */

static void add(kb_sample *s, const kb_result *r)
{
    s->time += r->total;
    s->copy_in += r->copy_in;
    s->kernel += r->kernel;
    s->copy_out += r->copy_out;
    s->batch++;
}

int kb_measure_sample(kb_measure *m, kb_cell *cell, kb_sample *s)
{
    const kb_inputs *in = inputs_of(m, cell);
    kb_error err = {0};
    kb_result result;
    double start = kb_clock();
    *s = (kb_sample){0};
    do {
        int code = run(m, cell, in->states, cell->n, &result, &err);
        if (kb_interrupted())
            return KB_INTERRUPTED;
        if (code) {
            end_cell(cell, KB_CELL_FAILED, kb_strdup(err.text));
            s->batch = 0;
            return KB_OK;
        }
        add(s, &result);
    } while (s->time < SHORTEST_SAMPLE && s->batch < LARGEST_BATCH && kb_clock() - start < 1);
    s->time /= s->batch;
    s->copy_in /= s->batch;
    s->kernel /= s->batch;
    s->copy_out /= s->batch;
    return KB_OK;
}
