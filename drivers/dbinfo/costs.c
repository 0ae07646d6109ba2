/* SPDX-License-Identifier: MIT */
#include "drivers/dbinfo/costs.h"

#include <stdio.h>

#include "base/interrupt.h"
#include "base/stats.h"

static const char *engine_of(const kb_solvers *s, const char *solver)
{
    return kb_solver_find(s, solver, "cpu-simd") ? "cpu-simd" : "cpu-scalar";
}

static kb_cost_run run_of(const kb_costs *c, int solver, double dt)
{
    const kb_dbinfo *d = c->d;
    const char *name = c->solvers.word[solver];
    return (kb_cost_run){.solvers = d->solvers, .solver = name, .dt = dt,
                         .engine = engine_of(d->solvers, name), .threads = d->set.threads,
                         .stop = &kb_stop};
}

static int measure(const kb_costs *c, const kb_cost_run *run, const long *rows, long n,
                   kb_count *count, kb_error *err)
{
    kb_owned char *text = kb_cost_text(run), *what = kb_format("%ld states by %s", n, text);
    kb_progress_show(&c->d->progress, 0, 0, -1, what);
    int code = kb_cost_count(run, &c->d->db, rows, n, count, err);
    if (code == KB_INTERRUPTED)
        kb_fail(err, code, "interrupted while measuring");
    kb_progress_end(&c->d->progress);
    return code;
}

/* ---- measuring ---- */

/* Solver k over its part of the shuffled sample; the first solver has measured all rows. */
static int measure_solver(kb_costs *c, int k, double dt, const kb_count *first, kb_table *t,
                          kb_error *err)
{
    const kb_dbinfo *d = c->d;
    kb_cost_run run = run_of(c, k, dt);
    const kb_solver *solver = kb_solver_find(d->solvers, run.solver, run.engine);
    long n = c->shuffled->n, quarter = n / 4 > KB_WARP ? n / 4 : n;
    if (k > 0 && solver->info.lanes == 1)
        n = quarter;
    kb_owned kb_count *count = kb_alloc((size_t)n, sizeof *count);
    int code = KB_OK;
    if (k > 0)
        code = measure(c, &run, c->shuffled->row, n, count, err);
    for (long i = 0; k == 0 && i < n; i++)
        count[i] = first[c->place[c->shuffled->row[i]]];
    if (!code)
        kb_costs_distribution(c, t, &run, count, n);
    return code;
}

static int measure_dt(kb_costs *c, double dt, kb_error *err)
{
    static const char *const heads[] = {
        "solver", "engine", "states", "failed", "min", "25 %", "median", "75 %", "95 %", "99 %",
        "max", "mean", "rhs", "active %"};
    kb_table t = {.ncolumns = 14, .heads = heads, .left = 2};
    kb_owned kb_count *count = kb_alloc((size_t)c->nrows, sizeof *count);
    kb_cost_run run = run_of(c, 0, dt);
    int code = measure(c, &run, c->row, c->nrows, count, err);
    for (int k = 0; k < c->solvers.count && !code; k++)
        code = measure_solver(c, k, dt, count, &t, err);
    if (!code) {
        if (!c->d->about) {
            printf("\nattempted substeps over dt = %g s\n", dt);
            kb_table_print(&t);
        }
        kb_costs_orders(c, &run, count);
    }
    fflush(stdout);
    kb_table_free(&t);
    return code;
}

static int write_cost(kb_costs *c, kb_error *err)
{
    const kb_database *db = &c->d->db;
    kb_owned kb_count *count = kb_alloc((size_t)db->n, sizeof *count);
    kb_cost_run run = run_of(c, 0, c->dt[0]);
    kb_owned char *about = kb_cost_text(&run);
    int code = measure(c, &run, NULL, db->n, count, err);
    code = code ? code : kb_cost_write(db, count, about, err);
    if (!code && !c->d->about)
        printf("\ncost of all %ld states kept: %s\n", db->n, about);
    return code;
}

static int write_csv(const kb_costs *c, kb_error *err)
{
    const struct { const char *name; const kb_csv *csv; } files[] = {
        {"costs", &c->costs}, {"orders", &c->divergence}};
    int code = KB_OK;
    for (int i = 0; i < 2 && !code; i++) {
        kb_owned char *path = kb_format("%s/%s.csv", c->d->set.csv, files[i].name);
        code = kb_csv_write(files[i].csv, path, err);
    }
    return code;
}

/* ---- begin and end ---- */

static int read_lists(kb_costs *c, kb_error *err)
{
    kb_words_split(&c->names, KB_ORDERS);
    kb_words_split(&c->solvers, c->d->set.solvers);
    int code = kb_list_numbers("dt", c->d->set.dt, 0, &c->dt, &c->ndt, err);
    if (!code && (!c->ndt || !c->solvers.count))
        code = kb_fail(err, KB_INVALID, "--%s: the list is empty", c->ndt ? "solvers" : "dt");
    for (int k = 0; k < c->solvers.count && !code; k++)
        if (!kb_solver_find(c->d->solvers, c->solvers.word[k],
                            engine_of(c->d->solvers, c->solvers.word[k])))
            code = kb_fail(err, KB_INVALID, "--solvers: mechanism %s has no solver '%s' on a CPU "
                           "engine (bench --list shows them)", c->d->solvers->mech,
                           c->solvers.word[k]);
    kb_csv_start(&c->costs, "dt_s,solver,row,T_K,steps,rhs");
    kb_csv_start(&c->divergence, "dt_s,solver,order,states,D_steps,D_rhs,slow_down,"
                                 "slow_down_refill");
    return code;
}

static int kept_cost(kb_costs *c, kb_error *err)
{
    kb_owned int64_t *kept = kb_alloc((size_t)c->d->db.n, sizeof *kept);
    free(c->cost_about);
    c->cost_about = NULL;
    int code = kb_cost_read(&c->d->db, kept, &c->cost_about, err);
    return code == KB_NOTHING ? KB_OK : code;
}

static void release(kb_costs *c)
{
    for (int k = 0; k < c->norders; k++)
        free(c->order[k].row);
    kb_csv_free(&c->costs);
    kb_csv_free(&c->divergence);
    kb_words_free(&c->solvers);
    kb_words_free(&c->names);
    free(c->dt);
    free(c->row);
    free(c->place);
    free(c->cost_about);
}

int kb_dbinfo_costs(kb_dbinfo *d, kb_error *err)
{
    kb_costs c = {.d = d};
    int code = read_lists(&c, err);
    if (d->about && !d->set.no_costs)
        json_object_update_new(d->about, json_pack("{s:[], s:[]}", "costs", "orders"));
    if (!code && d->set.write_cost)
        code = write_cost(&c, err);
    if (!code && !d->set.no_costs) {
        code = kept_cost(&c, err);
        code = code ? code : kb_costs_draw(&c, err);
        code = code ? code : kept_cost(&c, err); /* sorted-cost may have measured it just now */
        for (int i = 0; i < c.ndt && !code; i++)
            code = measure_dt(&c, c.dt[i], err);
        if (!code && d->set.csv)
            code = write_csv(&c, err);
    }
    release(&c);
    return code;
}
