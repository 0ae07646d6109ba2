/* SPDX-License-Identifier: MIT */
#include "drivers/bench/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/stats.h"

const char kb_cells_header[] =
    "schema,run,machine,git,dirty,mech,mech_sha256,nsp,nrxn,database,db_sha256,order,n,dt_s,solver,"
    "engine,schedule,threads,lanes,rtol,atol,repeats,time_s,time_lo_s,time_hi_s,copy_in_s,kernel_s,"
    "copy_out_s,ode_per_s,err_p50,err_p50_lo,err_p50_hi,err_p95,err_p95_lo,err_p95_hi,err_max,"
    "steps_mean,steps_max,rejected_mean,rhs_mean,rhs_max,jac_mean,lu_mean,solve_mean,D_rhs,D_steps,"
    "lane_use,failed,status,why";

const char kb_samples_header[] =
    "key,order,n,dt_s,solver,engine,schedule,threads,rtol,atol,repeat,time_s,copy_in_s,kernel_s,"
    "copy_out_s,batch,outlier";

/* ---- which cell ---- */

static bool is_number(const kb_csv *t, long row, const char *column, double value)
{
    char text[32];
    return !strcmp(kb_csv_get(t, row, column), kb_number(value, text));
}

static bool is_text(const kb_csv *t, long row, const char *column, const char *text)
{
    return !strcmp(kb_csv_get(t, row, column), text);
}

bool kb_row_is(const kb_csv *t, long row, const kb_cell *c)
{
    return is_text(t, row, "solver", c->solver_text) &&
           is_text(t, row, "engine", c->solver->info.engine) &&
           is_text(t, row, "schedule", kb_schedule_name(c->schedule)) &&
           is_text(t, row, "order", c->order) && is_number(t, row, "n", (double)c->n) &&
           is_number(t, row, "dt_s", c->dt) && is_number(t, row, "rtol", c->rtol) &&
           is_number(t, row, "atol", c->atol) &&
           (is_number(t, row, "threads", kb_cell_threads(c)) ||
            (c->threads == 0 && is_number(t, row, "threads", 0)));
}

void kb_row_fill_cell(kb_csv *t, long row, const kb_cell *c)
{
    kb_csv_set(t, row, "order", c->order);
    kb_csv_number(t, row, "n", (double)c->n, 0);
    kb_csv_number(t, row, "dt_s", c->dt, 0);
    kb_csv_set(t, row, "solver", c->solver_text);
    kb_csv_set(t, row, "engine", c->solver->info.engine);
    kb_csv_set(t, row, "schedule", kb_schedule_name(c->schedule));
    kb_csv_number(t, row, "threads", kb_cell_threads(c), 0);
    kb_csv_number(t, row, "rtol", c->rtol, 0);
    kb_csv_number(t, row, "atol", c->atol, 0);
}

/* ---- cells.csv ---- */

static void fill_run(kb_csv *t, long row, const kb_record *r)
{
    kb_csv_number(t, row, "schema", KB_RESULTS_SCHEMA, 0);
    kb_csv_set(t, row, "run", r->name);
    kb_csv_set(t, row, "machine", r->env->machine);
    kb_csv_set(t, row, "git", r->env->git);
    kb_csv_number(t, row, "dirty", r->env->dirty, 0);
    kb_csv_set(t, row, "mech", r->solvers->mech);
    kb_csv_set(t, row, "mech_sha256", r->solvers->sha256);
    kb_csv_number(t, row, "nsp", r->solvers->nsp, 0);
    kb_csv_number(t, row, "nrxn", r->solvers->nrxn, 0);
    kb_csv_set(t, row, "database", r->database);
    kb_csv_set(t, row, "db_sha256", r->db->sha256);
}

/* Medians of the samples; empty fields where there are none, or where the cell did not end well */
static void fill_times(kb_csv *t, long row, const kb_cell *c)
{
    int n = c->state == KB_CELL_OK ? c->nsamples : 0;
    double *x = kb_alloc((size_t)(4 * n), sizeof *x), lo, hi;
    if (n > 0) {
        for (int i = 0; i < n; i++) {
            x[i] = c->samples[i].time;
            x[n + i] = c->samples[i].copy_in;
            x[2 * n + i] = c->samples[i].kernel;
            x[3 * n + i] = c->samples[i].copy_out;
        }
        kb_bootstrap(x, n, &lo, &hi);
        kb_csv_number(t, row, "time_s", kb_median(x, n), 6);
        kb_csv_number(t, row, "time_lo_s", lo, 6);
        kb_csv_number(t, row, "time_hi_s", hi, 6);
        kb_csv_number(t, row, "copy_in_s", kb_median(x + n, n), 6);
        kb_csv_number(t, row, "kernel_s", kb_median(x + 2 * n, n), 6);
        kb_csv_number(t, row, "copy_out_s", kb_median(x + 3 * n, n), 6);
        kb_csv_number(t, row, "ode_per_s", (double)c->n / kb_median(x, n), 6);
    }
    kb_csv_number(t, row, "repeats", n, 0);
    free(x);
}

static void fill_summary(kb_csv *t, long row, const kb_summary *s)
{
    const struct {
        const char *column;
        double value;
    } all[] = {
        {"lanes", s->lanes},           {"err_p50", s->err_p50},
        {"err_p50_lo", s->err_p50_lo}, {"err_p50_hi", s->err_p50_hi},
        {"err_p95", s->err_p95},       {"err_p95_lo", s->err_p95_lo},
        {"err_p95_hi", s->err_p95_hi}, {"err_max", s->err_max},
        {"steps_mean", s->steps_mean}, {"steps_max", s->steps_max},
        {"rhs_mean", s->rhs_mean},     {"rhs_max", s->rhs_max},
        {"jac_mean", s->jac_mean},     {"rejected_mean", s->rejected_mean},
        {"lu_mean", s->lu_mean},       {"solve_mean", s->solve_mean},
        {"D_rhs", s->D_rhs},           {"D_steps", s->D_steps},
        {"lane_use", s->lane_use}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        kb_csv_number(t, row, all[i].column, all[i].value, 6);
    kb_csv_number(t, row, "failed", (double)s->failed, 0);
}

static const char *status_of(const kb_cell *c, int repeats)
{
    if (c->state == KB_CELL_SKIPPED)
        return "skipped";
    if (c->state == KB_CELL_FAILED)
        return "failed";
    return c->nsamples < repeats ? "interrupted" : "ok";
}

void kb_row_fill(kb_csv *t, long row, const kb_record *r, const kb_cell *c)
{
    for (int i = 0; i < t->ncolumns; i++)
        kb_csv_set(t, row, t->names[i], "");
    fill_run(t, row, r);
    kb_row_fill_cell(t, row, c);
    fill_times(t, row, c);
    if (c->warm_s > 0)
        fill_summary(t, row, &c->summary);
    const char *status = status_of(c, r->set->repeats);
    char *why = !strcmp(status, "interrupted")
                    ? kb_format("%d of %d repeats", c->nsamples, r->set->repeats)
                    : kb_strdup(c->why ? c->why : "");
    kb_csv_set(t, row, "status", status);
    kb_csv_set(t, row, "why", why);
    free(why);
}

/* ---- samples.csv ---- */

long kb_row_of_sample(kb_csv *t, const kb_cell *c, int i)
{
    const kb_sample *s = &c->samples[i];
    long row = kb_csv_add(t);
    kb_csv_set(t, row, "key", c->key);
    kb_row_fill_cell(t, row, c);
    kb_csv_number(t, row, "repeat", i + 1, 0);
    kb_csv_number(t, row, "time_s", s->time, 9);
    kb_csv_number(t, row, "copy_in_s", s->copy_in, 9);
    kb_csv_number(t, row, "kernel_s", s->kernel, 9);
    kb_csv_number(t, row, "copy_out_s", s->copy_out, 9);
    kb_csv_number(t, row, "batch", s->batch, 0);
    return row;
}

kb_sample kb_sample_of_row(const kb_csv *t, long row)
{
    return (kb_sample){.time = kb_csv_value(t, row, "time_s"),
                       .copy_in = kb_csv_value(t, row, "copy_in_s"),
                       .kernel = kb_csv_value(t, row, "kernel_s"),
                       .copy_out = kb_csv_value(t, row, "copy_out_s"),
                       .batch = (int)kb_csv_value(t, row, "batch")};
}

void kb_rows_label(kb_csv *t, const kb_cell *c)
{
    static const char *const names[] = {"low", "", "high"};
    int n = c->nsamples, next = 0;
    double *x = kb_alloc((size_t)n, sizeof *x);
    int *label = kb_alloc((size_t)n, sizeof *label);
    for (int i = 0; i < n; i++)
        x[i] = c->samples[i].time;
    kb_outliers(x, n, label);
    for (long row = 0; row < t->nrows && next < n; row++)
        if (!strcmp(kb_csv_get(t, row, "key"), c->key))
            kb_csv_set(t, row, "outlier", names[label[next++] + 1]);
    free(x);
    free(label);
}
