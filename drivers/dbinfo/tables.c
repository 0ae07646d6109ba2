/* SPDX-License-Identifier: MIT */
#include "drivers/dbinfo/costs.h"

#include <stdio.h>

#include "base/json.h"
#include "base/stats.h"

static const double quantiles[] = {0, 0.25, 0.5, 0.75, 0.95, 0.99, 1};

/* to an array of what is told; x rising */
static void note_distribution(json_t *about, const kb_cost_run *run, const double *x, long n,
                              long failed, const double mean[3])
{
    static const char *const keys[] = {"steps_min", "steps_p25", "steps_p50", "steps_p75",
                                       "steps_p95", "steps_p99", "steps_max"};
    json_t *row = json_pack("{s:f, s:s, s:s, s:I, s:I, s:o, s:o, s:o}", "dt_s", run->dt, "solver",
                            run->solver, "engine", run->engine, "states", (json_int_t)n, "failed",
                            (json_int_t)failed, "steps_mean", kb_json_number(mean[0]), "rhs_mean",
                            kb_json_number(mean[1]), "active_share", kb_json_number(mean[2]));
    for (size_t k = 0; k < sizeof quantiles / sizeof *quantiles; k++)
        json_object_set_new(row, keys[k], kb_json_number(kb_percentile(x, n, quantiles[k])));
    json_array_append_new(json_object_get(about, "costs"), row);
}

static void add_distribution(const kb_costs *c, kb_table *t, const kb_cost_run *run,
                             const kb_count *count, long n)
{
    double *x = kb_alloc((size_t)n, sizeof *x), mean = 0, rhs = 0, active = 0;
    long failed = 0;
    char *f[14];
    for (long i = 0; i < n; i++) {
        x[i] = count[i].attempted;
        mean += x[i] / (double)n;
        rhs += count[i].rhs / (double)n;
        failed += count[i].status != KB_ODE_OK;
    }
    kb_sort(x, n);
    for (long i = 0; i < n; i++)
        active += x[i] > x[0];
    if (c->d->about)
        note_distribution(c->d->about, run, x, n, failed,
                          (const double[]){mean, rhs, active / (double)n});
    int at = 0;
    f[at++] = kb_strdup(run->solver);
    f[at++] = kb_strdup(run->engine);
    f[at++] = kb_format("%ld", n);
    f[at++] = kb_format("%ld", failed);
    for (size_t k = 0; k < sizeof quantiles / sizeof *quantiles; k++)
        f[at++] = kb_format("%.0f", kb_percentile(x, n, quantiles[k]));
    f[at++] = kb_format("%.2f", mean);
    f[at++] = kb_format("%.1f", rhs);
    f[at++] = kb_format("%.1f", 100 * active / (double)n);
    kb_table_add(t, f);
    free(x);
}

static void add_costs(kb_costs *c, const kb_cost_run *run, const kb_count *count, long n)
{
    char dt[32];
    for (long i = 0; i < n; i++) {
        const double *state = c->d->db.states + c->shuffled->row[i] * c->d->db.columns;
        long row = kb_csv_add(&c->costs);
        kb_csv_set(&c->costs, row, "dt_s", kb_number(run->dt, dt));
        kb_csv_set(&c->costs, row, "solver", run->solver);
        kb_csv_number(&c->costs, row, "row", (double)c->shuffled->row[i], 0);
        kb_csv_number(&c->costs, row, "T_K", state[0], 8);
        kb_csv_number(&c->costs, row, "steps", count[i].attempted, 0);
        kb_csv_number(&c->costs, row, "rhs", count[i].rhs, 0);
    }
}

void kb_costs_distribution(kb_costs *c, kb_table *t, const kb_cost_run *run, const kb_count *count,
                           long n)
{
    add_distribution(c, t, run, count, n);
    add_costs(c, run, count, n);
}

/* count [nrows] of all rows that some order needs */
static void add_divergence(kb_costs *c, kb_table *t, const kb_cost_run *run, const kb_sampled *s,
                           const kb_count *count)
{
    static const char *const columns[] = {"D_steps", "D_rhs", "slow_down", "slow_down_refill"};
    int32_t *steps = kb_alloc((size_t)s->n, 2 * sizeof *steps), *rhs = steps + s->n;
    char dt[32], *f[6];
    for (long i = 0; i < s->n; i++) {
        steps[i] = count[c->place[s->row[i]]].attempted;
        rhs[i] = count[c->place[s->row[i]]].rhs;
    }
    kb_ode_work work = {.n = s->n, .d = rhs, .attempts = steps};
    const double values[] = {kb_divergence(steps, s->n), kb_divergence(rhs, s->n),
                             kb_static_slow_down(&work, KB_WARP),
                             kb_refill_slow_down(&work, KB_WARP)};
    long row = kb_csv_add(&c->divergence);
    kb_csv_set(&c->divergence, row, "dt_s", kb_number(run->dt, dt));
    kb_csv_set(&c->divergence, row, "solver", run->solver);
    kb_csv_set(&c->divergence, row, "order", s->name);
    kb_csv_number(&c->divergence, row, "states", (double)s->n, 0);
    json_t *told = json_pack("{s:f, s:s, s:s, s:I}", "dt_s", run->dt, "solver", run->solver,
                             "order", s->name, "states", (json_int_t)s->n);
    f[0] = kb_strdup(s->name);
    f[1] = kb_format("%ld", s->n);
    for (int k = 0; k < 4; k++) {
        kb_csv_number(&c->divergence, row, columns[k], values[k], 6);
        json_object_set_new(told, columns[k],
                            kb_json_number(values[k]));
        f[2 + k] = kb_format("%.3f", values[k]);
    }
    json_array_append_new(json_object_get(c->d->about, "orders"), told);
    kb_table_add(t, f);
    free(steps);
}

void kb_costs_orders(kb_costs *c, const kb_cost_run *run, const kb_count *count)
{
    static const char *const heads[] = {"order", "states", "D_steps", "D_rhs", "slow-down",
                                        "with refill"};
    kb_table t = {.ncolumns = 6, .heads = heads, .left = 1};
    kb_owned char *text = kb_cost_text(run);
    for (int k = 0; k < c->norders; k++)
        add_divergence(c, &t, run, &c->order[k], count);
    if (!c->d->about) {
        printf("\nwarps of %d by %s\n", KB_WARP, text);
        kb_table_print(&t);
    }
    if (c->d->about)
        json_object_set_new(c->d->about, "sorted_cost", json_pack("s?", c->cost_about));
    else if (c->cost_about)
        printf("sorted-cost goes by %s\n", c->cost_about);
    else
        printf("sorted-cost: no cost is kept yet (--write-cost measures all %ld states)\n",
               c->d->db.n);
    kb_table_free(&t);
}

