/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "drivers/bench/measure_inside.h"
#include "rows/columns.h"

#define PROBE 64            /* ODEs */
#define STARTING 0.05       /* [s] of a CPU; below it much of a run may be the start of threads */
#define FIRST_SUBSTEPS 32   /* of the first kernel */
#define KERNEL_SECONDS 5.0  /* no probe is made that is predicted to be a longer kernel */
#define CAPACITY 4          /* a device runs at least this number of times 64 ODEs at once */

/* The first n of the cell's states, spread evenly over all; caller frees */
static double *spread(const kb_measure *m, const kb_cell *cell, const kb_inputs *in, long n)
{
    size_t columns = (size_t)m->rows->columns;
    double *states = kb_alloc((size_t)n, columns * sizeof *states);
    for (long i = 0; i < n; i++)
        memcpy(states + (size_t)i * columns, in->states + (size_t)(i * cell->n / n) * columns,
               columns * sizeof *states);
    return states;
}

static int run_some(kb_measure *m, kb_cell *cell, const kb_inputs *in, long n, long max_substeps,
                    kb_result *result)
{
    kb_owned double *states = spread(m, cell, in, n);
    return kb_limited_run(m, cell, states, n, max_substeps, result);
}

/* Time of the whole cell from that of n ODEs; idle lanes and threads are taken into account */
static double scaled(const kb_cell *cell, const kb_result *result, long n)
{
    long width = (long)result->lanes * (result->threads > 0 ? result->threads : 1);
    return result->total * (double)cell->n / (double)(width > n ? width : n);
}

/* 64 states; more of them while a run is so short that the start of threads may be most of it */
static int probe_cpu(kb_measure *m, kb_cell *cell, const kb_inputs *in)
{
    kb_result result;
    for (long n = PROBE; 4 * n <= cell->n; n *= 4) {
        int code = run_some(m, cell, in, n, 0, &result);
        if (code)
            return code;
        /* one slow ODE keeps the other lanes of a probe waiting: believe only a clear excess */
        double all = scaled(cell, &result, n) / 3;
        if (kb_within_budget(m, all))
            return KB_OK;
        if (result.total < STARTING && 16 * n <= cell->n)
            continue;
        kb_owned char *basis = kb_format("a third of a probe of %ld states", n);
        kb_beyond_budget(m, cell, all, basis);
        return KB_DIFFERS;
    }
    return KB_OK;
}

/* ---- engines whose kernels may not stop on request ---- */

typedef struct {
    long n, cap;            /* states, substeps allowed */
    double seconds, kernel; /* with and without its copies */
    long most;              /* substeps of one ODE */
    bool cut;               /* some ODE had not ended with these substeps */
} stage;

static int run_stage(kb_measure *m, kb_cell *cell, const kb_inputs *in, stage *s)
{
    kb_result result;
    int code = run_some(m, cell, in, s->n, s->cap, &result);
    s->most = 1;
    s->cut = false;
    if (code)
        return code;
    s->seconds = fmax(result.total, 1e-6);
    s->kernel = fmax(result.kernel, 1e-6);
    for (long i = 0; i < s->n; i++) {
        s->most = m->count[i].attempted > s->most ? m->count[i].attempted : s->most;
        s->cut |= m->count[i].status == KB_ODE_TOO_MANY;
    }
    return KB_OK;
}

static long at_most(double value, long limit)
{
    return value < 1 ? 1 : value < (double)limit ? (long)value : limit;
}

/* Raises the substeps of a stage until all its ODEs end, as long as a kernel stays short */
static int run_to_end(kb_measure *m, kb_cell *cell, const kb_inputs *in, long allowed, stage *s)
{
    double share = m->set->budget / (1 + m->set->repeats), limit = fmin(KERNEL_SECONDS, share);
    int code = run_stage(m, cell, in, s); /* not timed: it loads the kernel */
    while (!code) {
        code = run_stage(m, cell, in, s);
        if (code || !s->cut || s->cap >= allowed)
            return code;
        double growth = fmin(16, limit / s->seconds);
        if (growth < 2) {
            kb_skip_beyond(cell, kb_format(KB_NOT_ENDED("%.3g") ": a kernel would hold the device "
                                           "for longer than %.3g s",
                                           s->n, s->cap, s->seconds, limit));
            return KB_DIFFERS;
        }
        s->cap = at_most(growth * (double)s->cap, allowed);
    }
    return code;
}

/* Time of all states from that of the probe: how many times longer their kernel is shows in the
 * first few substeps (a device that is not full takes no longer, a full one in proportion). */
static int predict(kb_measure *m, kb_cell *cell, const kb_inputs *in, const stage *probe,
                   double *seconds)
{
    double times = (double)cell->n / (double)probe->n;
    double each = probe->seconds / (double)probe->most * times / CAPACITY;
    stage few = {.n = probe->n, .cap = at_most(KERNEL_SECONDS / each, probe->most)};
    stage all = {.n = cell->n, .cap = few.cap};
    int code = run_stage(m, cell, in, &few);
    code = code ? code : run_stage(m, cell, in, &all);
    if (!code)
        *seconds = probe->kernel * fmax(1, all.kernel / few.kernel) + all.seconds - all.kernel;
    return code;
}

static int probe_gpu(kb_measure *m, kb_cell *cell, const kb_inputs *in, long *max_substeps)
{
    long allowed = *max_substeps ? *max_substeps : KB_MAX_SUBSTEPS;
    double share = m->set->budget / (1 + m->set->repeats);
    stage s = {.n = cell->n < PROBE ? cell->n : PROBE, .cap = at_most(FIRST_SUBSTEPS, allowed)};
    int code = run_to_end(m, cell, in, allowed, &s);
    if (!code && kb_beyond_budget(m, cell, s.seconds, "a probe of 64 states"))
        code = KB_DIFFERS;
    double all = s.seconds * (double)cell->n / (double)s.n;
    if (!code && all > share)
        code = predict(m, cell, in, &s, &all);
    /* later substeps have fewer ODEs: believe only a clear excess */
    if (!code && kb_beyond_budget(m, cell, all / 3, "a third of a probe of all states"))
        code = KB_DIFFERS;
    /* an ODE that was not in the probe may need more substeps, but not a number that alone holds
     * the device for longer than a kernel may last */
    *max_substeps = at_most((double)s.most * fmax(4, KERNEL_SECONDS / s.kernel), allowed);
    return code;
}

/* More states while a run is so short that the start of threads may be most of it */
static int time_cpu(kb_measure *m, kb_cell *cell, const kb_inputs *in, double *each, long *width)
{
    kb_result result;
    for (long n = cell->n < PROBE ? cell->n : PROBE;; n *= 4) {
        int code = run_some(m, cell, in, n, 0, &result);
        if (code)
            return code;
        *width = (long)result.lanes * result.threads;
        *each = result.total / (double)(*width > n ? *width : n);
        if (result.total >= STARTING || 4 * n > cell->n)
            return KB_OK;
    }
}

static int time_gpu(kb_measure *m, kb_cell *cell, const kb_inputs *in, double *each, long *width)
{
    long allowed = m->set->max_substeps ? m->set->max_substeps : KB_MAX_SUBSTEPS;
    stage s = {.n = cell->n < PROBE ? cell->n : PROBE, .cap = at_most(FIRST_SUBSTEPS, allowed)};
    int code = run_to_end(m, cell, in, allowed, &s);
    double all = s.seconds;
    if (!code && s.n < cell->n)
        code = predict(m, cell, in, &s, &all);
    *each = all / (double)cell->n;
    *width = 1;
    return code;
}

int kb_probe_time(kb_measure *m, kb_cell *cell, const kb_inputs *in, double *each, long *width)
{
    return (kb_on_cpu(cell) ? time_cpu : time_gpu)(m, cell, in, each, width);
}

int kb_probe(kb_measure *m, kb_cell *cell, const kb_inputs *in, long *max_substeps)
{
    *max_substeps = m->set->max_substeps;
    return kb_on_cpu(cell) ? probe_cpu(m, cell, in) : probe_gpu(m, cell, in, max_substeps);
}
