/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/stats.h"
#include "drivers/bench/chain.h"
#include "drivers/bench/divergence.h"
#include "drivers/bench/energy.h"
#include "drivers/bench/measure_inside.h"
#include "drivers/env/clock.h"
#include "drivers/env/meter.h"
#include "rows/columns.h"
#include "solvers/plugins.h"

#define SHORTEST_SAMPLE 0.01 /* [s] */
#define LARGEST_BATCH 10000

void kb_measure_start(kb_measure *m)
{
    size_t columns = (size_t)m->solvers->nsp + 1;
    m->y = kb_solvers_alloc(m->solvers, (size_t)m->nrows, columns * sizeof *m->y);
    m->count = kb_solvers_alloc(m->solvers, (size_t)m->nrows, sizeof *m->count);
}

void kb_measure_free(kb_measure *m)
{
    if (!m->solvers) /* never started */
        return;
    for (int i = 0; i < m->ninputs; i++) {
        free(m->inputs[i].place);
        m->solvers->memory_free(m->inputs[i].states);
    }
    for (int i = 0; i < m->norders; i++)
        free(m->orders[i].place);
    free(m->orders);
    free(m->inputs);
    kb_counts_free(&m->counts);
    m->solvers->memory_free(m->y);
    m->solvers->memory_free(m->count);
}

static const long *order_of(const kb_measure *m, const char *name)
{
    for (int i = 0; i < m->norders; i++)
        if (!strcmp(m->orders[i].name, name))
            return m->orders[i].place;
    return NULL;
}

static bool is_own(const char *order)
{
    return !strcmp(order, KB_ORDER_OWN);
}

int kb_measure_order_of(kb_measure *m, const kb_cell *cell, kb_error *err)
{
    const char *name = is_own(cell->order) ? "generated" : cell->order;
    if (order_of(m, name))
        return KB_OK;
    kb_order_request r = {.name = name, .seed = m->set->seed, .solvers = m->solvers,
                          .dt = cell->dt, .stop = &kb_stop};
    kb_owned long *order = kb_alloc((size_t)m->db->n, sizeof *order);
    int code = kb_order_get(&r, m->db, order, err);
    if (!code) {
        long *place = kb_alloc((size_t)m->nrows, sizeof *place);
        kb_selection_order(m->row, m->nrows, order, m->db->n, place);
        m->orders = kb_realloc(m->orders, (size_t)m->norders + 1, sizeof *m->orders);
        m->orders[m->norders++] = (kb_measure_order){name, place};
    }
    return code;
}

/* ---- states in the order of a cell ---- */

static bool serves(const kb_inputs *in, const kb_cell *cell)
{
    if (in->n != cell->n || strcmp(in->order, cell->order))
        return false;
    return !in->solver || (in->dt == cell->dt && in->rtol == cell->rtol &&
                           in->atol == cell->atol && !strcmp(in->solver, cell->solver_text));
}

typedef struct {
    int32_t rhs;
    long place;
} own_cost;

static int costly_first(const void *a, const void *b)
{
    const own_cost *x = a, *y = b;
    if (x->rhs != y->rhs)
        return x->rhs > y->rhs ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* place [n]: the first n rows that are run, those with most evaluations first */
static void sort_by_own(const kb_count_set *set, long *place)
{
    kb_owned own_cost *cost = kb_alloc((size_t)set->n, sizeof *cost);
    for (long i = 0; i < set->n; i++)
        cost[i] = (own_cost){set->rhs[i], i};
    qsort(cost, (size_t)set->n, sizeof *cost, costly_first);
    for (long i = 0; i < set->n; i++)
        place[i] = cost[i].place;
}

/* Gathers the states unless they are there. Those of orders by an own cost are as many as solvers
 * and tolerances: only one of them is held at a time. */
static const kb_inputs *with_states(kb_measure *m, kb_inputs *in)
{
    if (in->states)
        return in;
    for (int i = 0; i < m->ninputs && in->solver; i++)
        if (m->inputs[i].solver) {
            m->solvers->memory_free(m->inputs[i].states);
            m->inputs[i].states = NULL;
        }
    in->states = kb_rows_gather(m->solvers, m->rows, m->row, in->place, in->n);
    return in;
}

/* The cell's n states in its order: every order holds the same n ODEs. NULL for an order by a cost
 * that is not measured yet. The pointer holds until the next call. */
static const kb_inputs *inputs_of(kb_measure *m, const kb_cell *cell)
{
    for (int i = 0; i < m->ninputs; i++)
        if (serves(&m->inputs[i], cell))
            return with_states(m, &m->inputs[i]);
    const kb_count_set *set = kb_counts_find(&m->counts, cell);
    bool own = is_own(cell->order);
    if (own && !set)
        return NULL;
    kb_inputs in = {.order = cell->order, .n = cell->n, .solver = own ? cell->solver_text : NULL,
                    .dt = cell->dt, .rtol = cell->rtol, .atol = cell->atol,
                    .place = kb_alloc((size_t)cell->n, sizeof *in.place)};
    if (own)
        sort_by_own(set, in.place);
    else
        kb_order_first(order_of(m, cell->order), m->nrows, cell->n, in.place);
    m->inputs = kb_realloc(m->inputs, (size_t)m->ninputs + 1, sizeof *m->inputs);
    m->inputs[m->ninputs++] = in;
    return with_states(m, &m->inputs[m->ninputs - 1]);
}

static int run(kb_measure *m, const kb_cell *cell, const double *states, long n, long max_substeps,
               kb_result *result, kb_error *err)
{
    kb_job job = {.n = n, .states = states, .dt = cell->dt, .reactor = m->set->reactor,
                  .rtol = cell->rtol, .atol = cell->atol, .options = cell->options,
                  .schedule = cell->schedule, .threads = cell->threads,
                  .max_substeps = max_substeps ? max_substeps : m->set->max_substeps,
                  .stop = &kb_stop};
    *result = (kb_result){.y = m->y, .count = m->count, .timeline = m->slices,
                          .most_slices = KB_TIMELINE_MOST, .trail = m->trail};
    kb_chain_how how = {cell->steps, cell->chain, m->mix, m->set->forcing != NULL};
    return kb_chain_run(m->solvers, cell->solver, &job, &how, result, err);
}

/* ---- the warm-up ---- */

void kb_end_cell(kb_cell *cell, kb_cell_state state, char *why)
{
    free(cell->why);
    cell->why = why;
    cell->state = state;
}

void kb_skip_beyond(kb_cell *cell, char *why)
{
    kb_end_cell(cell, KB_CELL_SKIPPED, why);
    cell->beyond = true;
}

int kb_limited_run(kb_measure *m, kb_cell *cell, const double *states, long n, long max_substeps,
                   kb_result *result)
{
    kb_error err = {0};
    double limit = m->set->budget;
    kb_limit(limit);
    int code = run(m, cell, states, n, max_substeps, result, &err);
    bool late = kb_limit_end();
    if (kb_interrupted())
        return KB_INTERRUPTED;
    if (code == KB_OK)
        return KB_OK;
    if (code == KB_INTERRUPTED && late)
        kb_skip_beyond(cell, kb_format(KB_TOOK_LONGER, n, limit));
    else
        kb_end_cell(cell, code == KB_NOTHING ? KB_CELL_SKIPPED : KB_CELL_FAILED,
                    kb_format("%s", *err.text ? err.text : "the engine gave no reason"));
    return KB_DIFFERS;
}

bool kb_within_budget(const kb_measure *m, double seconds)
{
    return seconds * (1 + m->set->repeats) <= m->set->budget;
}

bool kb_beyond_budget(const kb_measure *m, kb_cell *cell, double seconds, const char *basis)
{
    if (kb_within_budget(m, seconds))
        return false;
    kb_skip_beyond(cell, kb_format(KB_PREDICTED("%.3g") " (from %s), budget %g s",
                                   seconds * (1 + m->set->repeats), m->set->repeats, basis,
                                   m->set->budget));
    return true;
}

/* A run that was given fewer substeps than the user allows, and where that decided */
static bool cut_short(const kb_measure *m, kb_cell *cell, long max_substeps)
{
    long wanted = m->set->max_substeps ? m->set->max_substeps : KB_MAX_SUBSTEPS;
    for (long i = 0; i < cell->n && max_substeps && max_substeps < wanted; i++)
        if (m->count[i].status == KB_ODE_TOO_MANY) {
            kb_skip_beyond(cell, kb_format("an ODE needs more than %ld substeps, with which a run "
                                           "would be beyond the budget of %g s", max_substeps,
                                           m->set->budget));
            return true;
        }
    return false;
}

/* For an order by the solver's own cost: a run in the order of the database, unless one was made */
static int measure_own_cost(kb_measure *m, kb_cell *cell)
{
    kb_cell plain = *cell;
    plain.order = "generated";
    if (!is_own(cell->order) || kb_counts_find(&m->counts, cell))
        return KB_OK;
    int code = kb_measure_warm_up(m, &plain);
    kb_divergence_drop(m->divergence, cell->key);
    plain.order = cell->order;
    *cell = plain;
    if (!code && cell->state != KB_CELL_OK)
        return KB_DIFFERS;
    cell->state = KB_CELL_PENDING;
    return code;
}

/* The run of all the cell's ODEs; with its attempts, unless they are known */
static int run_all(kb_measure *m, kb_cell *cell, const kb_inputs *in, long max_substeps,
                   kb_result *result, kb_trail *trail)
{
    const kb_count_set *set = kb_counts_find(&m->counts, cell);
    bool known = set && set->attempts.first;
    m->trail = kb_on_cpu(cell) && cell->steps == 1 && !known ? trail : NULL;
    int code = kb_limited_run(m, cell, in->states, cell->n, max_substeps, result);
    m->trail = NULL;
    return code;
}

/* what the run just made counted */
static void keep_counts(kb_measure *m, const kb_cell *cell, const kb_inputs *in,
                        const kb_trail *trail)
{
    bool first = !kb_counts_find(&m->counts, cell);
    kb_counts_keep(&m->counts, cell, in->place, m->count);
    kb_counts_keep_attempts(&m->counts, cell, in->place, m->count, trail);
    const kb_count_set *set = kb_counts_find(&m->counts, cell);
    bool known = set->attempts.first && cell->steps == 1;
    kb_divergence_fill(m->divergence, cell, m->count, in->place, first ? NULL : set,
                       known ? &set->attempts : NULL);
}

/* ---- one thread, as a yardstick of several ---- */

/* Time of n ODEs on one thread over their evaluations [s]; NAN: they did not end */
static double alone(const kb_measure *m, const kb_cell *cell, const double *states, long n)
{
    kb_measure own = *m; /* y and count of m stay those of the warm-up */
    kb_cell one = *cell;
    kb_result result;
    double time = 0, evaluations = 0;
    one.threads = 1;
    one.why = NULL;
    own.trail = NULL;
    own.y = kb_solvers_alloc(m->solvers, (size_t)n, (m->solvers->nsp + 1) * sizeof *own.y);
    own.count = kb_solvers_alloc(m->solvers, (size_t)n, sizeof *own.count);
    while (time < SHORTEST_SAMPLE) {
        if (kb_limited_run(&own, &one, states, n, 0, &result)) {
            time = NAN;
            break;
        }
        time += fmax(result.total, SHORTEST_SAMPLE / LARGEST_BATCH);
        for (long i = 0; i < n; i++)
            evaluations += own.count[i].rhs;
    }
    free(one.why);
    m->solvers->memory_free(own.y);
    m->solvers->memory_free(own.count);
    return time / evaluations;
}

int kb_alone_samples(const kb_cell *cell, const kb_settings *set)
{
    return kb_on_cpu(cell) && cell->threads > 1 && set->ranks <= 1 ? KB_ALONE : 0;
}

/* Another sample of one thread, beside a repeat of a cell on several: what the host does to one it
 * does to the other. Fills outcome.one_thread. */
static void measure_one_thread(const kb_measure *m, kb_cell *cell, const kb_inputs *in)
{
    size_t columns = (size_t)m->rows->columns;
    int stride = cell->threads;
    if (cell->nalone >= kb_alone_samples(cell, m->set))
        return;
    long n = (cell->n + stride - 1) / stride;
    double *states = kb_solvers_alloc(m->solvers, (size_t)n, columns * sizeof *states);
    for (long i = 0; i < n; i++)
        memcpy(states + (size_t)i * columns, in->states + (size_t)(i * stride) * columns,
               columns * sizeof *states);
    double one = alone(m, cell, states, n);
    m->solvers->memory_free(states);
    cell->alone[cell->nalone] = one;
    cell->nalone = isnan(one) ? KB_ALONE : cell->nalone + 1; /* beyond the budget: not again */
    cell->outcome.one_thread = (isnan(one) ? NAN : kb_median(cell->alone, cell->nalone)) *
                               cell->outcome.rhs_mean * (double)cell->n / cell->steps;
}

/* ---- energy ---- */

#define IDLE_SECONDS 1

static kb_meter meter_now(bool gpu)
{
    kb_meter meter;
    kb_meter_read(&meter, gpu, KB_METER_SYS);
    return meter;
}

/* Power [W] of what does nothing but wait; NAN: not known */
static double idle_power(bool gpu)
{
    double start = kb_clock();
    kb_meter from = meter_now(gpu);
    usleep(IDLE_SECONDS * 1000000);
    kb_meter to = meter_now(gpu);
    return kb_meter_between(&from, &to) / (kb_clock() - start);
}

/* What is measured again and again */
typedef struct {
    kb_measure *m;
    kb_cell *cell;
    const kb_inputs *in;
} repeated;

static int run_again(void *of)
{
    repeated *r = of;
    kb_result result;
    return kb_limited_run(r->m, r->cell, r->in->states, r->cell->n, 0, &result);
}

static kb_meter meter_of(void *of)
{
    repeated *r = of;
    return meter_now(!kb_on_cpu(r->cell));
}

static double clock_of(void *of)
{
    (void)of;
    return kb_clock();
}

/* Fills the energy of the outcome, which stays 0 where there is no counter */
static void measure_energy(kb_measure *m, kb_cell *cell, const kb_inputs *in)
{
    bool gpu = !kb_on_cpu(cell);
    kb_outcome *s = &cell->outcome;
    kb_energy e;
    if (meter_now(gpu).parts == 0)
        return;
    if (m->idle_power[gpu] == 0)
        m->idle_power[gpu] = idle_power(gpu);
    s->idle_power = m->idle_power[gpu];
    s->power_cap = kb_power_cap(gpu, KB_METER_SYS);
    repeated r = {m, cell, in};
    if (kb_energy_measure(&(kb_energy_source){run_again, meter_of, clock_of, &r}, m->set->energy,
                          &e))
        return;
    s->energy_seconds = e.seconds;
    s->energy_spread = e.spread;
    s->energy = e.run / cell->steps;
}

int kb_measure_warm_up(kb_measure *m, kb_cell *cell)
{
    kb_result result;
    kb_trail trail = {.most = KB_MOST_ATTEMPTS};
    long max_substeps;
    int code = measure_own_cost(m, cell);
    const kb_inputs *in = code ? NULL : inputs_of(m, cell);
    code = code ? code : kb_probe(m, cell, in, &max_substeps);
    kb_peak_restart();
    code = code ? code : run_all(m, cell, in, max_substeps, &result, &trail);
    if (code || cut_short(m, cell, max_substeps)) {
        free(trail.attempt);
        return code == KB_INTERRUPTED ? code : KB_OK;
    }
    cell->warm_s = result.total;
    double peak = kb_peak_memory();
    kb_outcome_fill(m, cell, in, &result);
    cell->outcome.peak_host = peak;
    cell->outcome.peak_device = kb_on_cpu(cell) ? NAN : kb_gpu_memory();
    keep_counts(m, cell, in, &trail);
    free(trail.attempt);
    if (result.slices > 0)
        kb_timeline_fill(m->timeline, cell, m->slices, result.slices);
    cell->outcome.one_thread = NAN;
    if (kb_beyond_budget(m, cell, result.total, "the warm-up run"))
        return KB_OK;
    cell->state = KB_CELL_OK;
    if (m->set->energy > 0)
        measure_energy(m, cell, in);
    return kb_interrupted() ? KB_INTERRUPTED : KB_OK;
}

int kb_measure_keep_cost(kb_measure *m, const kb_cell *cell, kb_error *err)
{
    const kb_inputs *in = inputs_of(m, cell);
    kb_owned kb_count *count = kb_alloc((size_t)in->n, sizeof *count);
    char dt[32], rtol[32], atol[32];
    for (long i = 0; i < in->n; i++)
        count[m->row[in->place[i]]] = m->count[i];
    kb_owned char *about = kb_format("%s %s, dt %s s, rtol %s, atol %s", cell->solver_text,
                                     cell->solver->info.engine, kb_number(cell->dt, dt),
                                     kb_number(cell->rtol, rtol), kb_number(cell->atol, atol));
    return kb_cost_write(m->db, count, about, err);
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

/* [s] of all processors so far; NAN: other processes do the work, and it is not known */
static double processor_time(const kb_measure *m, const kb_cell *c)
{
    if (kb_ends_in(c->solver->info.engine, "-plugin"))
        return kb_plugins_cpu();
    return m->set->ranks > 1 ? NAN : kb_cpu_time();
}

int kb_measure_sample(kb_measure *m, kb_cell *cell, kb_sample *s)
{
    const kb_inputs *in = inputs_of(m, cell);
    kb_error err = {0};
    kb_result result;
    double start = kb_clock();
    *s = (kb_sample){.begin = kb_now(), .cpu = -processor_time(m, cell)};
    do {
        int code = run(m, cell, in->states, cell->n, 0, &result, &err);
        if (kb_interrupted())
            return KB_INTERRUPTED;
        if (code) {
            kb_end_cell(cell, KB_CELL_FAILED, kb_strdup(err.text));
            s->batch = 0;
            return KB_OK;
        }
        add(s, &result);
    } while (s->time < SHORTEST_SAMPLE && s->batch < LARGEST_BATCH && kb_clock() - start < 1);
    double each = 1.0 / ((double)s->batch * cell->steps);
    s->cpu = (s->cpu + processor_time(m, cell)) * each;
    s->time *= each;
    s->copy_in *= each;
    s->kernel *= each;
    s->copy_out *= each;
    s->clock_MHz = kb_on_cpu(cell) ? kb_cpu_clock("") : kb_gpu_clock();
    measure_one_thread(m, cell, in);
    return kb_interrupted() ? KB_INTERRUPTED : KB_OK;
}
