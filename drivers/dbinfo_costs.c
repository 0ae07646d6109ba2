/* SPDX-License-Identifier: MIT
 *
 * Orders are compared by warps drawn from each order's places, so that a sample stands for the whole
 * database; where the sample holds every state, all warps are taken. The warps of the shuffled order
 * are a random sample of the states: the cost of each solver is measured over them.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../pasr/random.h"
#include "csv.h"
#include "dbinfo.h"
#include "interrupt.h"
#include "stats.h"
#include "table.h"

#define MAX_ORDERS 8

typedef struct {
    const char *name;
    long n, *row; /* rows of the drawn warps, in sequence */
} sampled;

typedef struct {
    kb_dbinfo *d;
    kb_words solvers, names; /* names: of the orders; sampled points at them */
    double *dt;
    int ndt, norders;
    sampled order[MAX_ORDERS];
    const sampled *shuffled;
    long nrows, *row, *place; /* all rows that some order needs; place [db.n] of a row in them */
    kb_csv costs, quantiles, divergence;
    char *cost_about;         /* of the kept cost, or NULL */
} costs;

static const char *engine_of(const kb_solvers *s, const char *solver)
{
    return kb_solver_find(s, solver, "cpu-simd") ? "cpu-simd" : "cpu-scalar";
}

static kb_cost_run run_of(const costs *c, int solver, double dt)
{
    const kb_dbinfo *d = c->d;
    const char *name = c->solvers.word[solver];
    return (kb_cost_run){.solvers = d->solvers, .solver = name, .dt = dt,
                         .engine = engine_of(d->solvers, name), .threads = d->set.threads,
                         .stop = &kb_stop};
}

static int measure(const costs *c, const kb_cost_run *run, const long *rows, long n, kb_count *count,
                   kb_error *err)
{
    char *text = kb_cost_text(run), *what = kb_format("%ld states by %s", n, text);
    kb_progress_show(&c->d->progress, 0, 0, -1, what);
    int code = kb_cost_count(run, &c->d->db, rows, n, count, err);
    if (code == KB_INTERRUPTED)
        kb_fail(err, code, "interrupted while measuring");
    kb_progress_end(&c->d->progress);
    free(text);
    free(what);
    return code;
}

/* ---- which states ---- */

/* Draws warps without repetition: a partial Fisher-Yates over their numbers, then in sequence. */
static void draw_warps(sampled *s, const long *order, long n, long sample, uint64_t seed)
{
    long warps = (n + KB_WARP - 1) / KB_WARP, wanted = sample / KB_WARP;
    char *chosen = kb_alloc((size_t)warps, 1);
    kb_random r = {seed};
    wanted = n <= sample || wanted > warps ? warps : wanted;
    /* Floyd's sampling (Bentley and Floyd, CACM 30 (1987) 754) */
    for (long j = warps - wanted; j < warps; j++) {
        long w = (long)kb_random_below(&r, (uint64_t)j + 1);
        chosen[chosen[w] ? j : w] = 1;
    }
    s->row = kb_alloc((size_t)(wanted * KB_WARP), sizeof *s->row);
    s->n = 0;
    for (long w = 0; w < warps; w++)
        for (long i = w * KB_WARP; chosen[w] && i < n && i < (w + 1) * KB_WARP; i++)
            s->row[s->n++] = order[i];
    free(chosen);
}

/* sorted-cost only if its cost is kept, or if measuring it costs no more than the sample */
static bool wanted_order(const costs *c, const char *name)
{
    return strcmp(name, "sorted-cost") || c->cost_about || c->d->db.n <= c->d->set.sample;
}

static int draw_orders(costs *c, kb_error *err)
{
    const kb_database *db = &c->d->db;
    long *order = kb_alloc((size_t)db->n, sizeof *order);
    int code = KB_OK;
    for (int k = 0; k < c->names.count && !code; k++) {
        const char *name = c->names.word[k];
        kb_order_request r = {.name = name, .seed = c->d->set.seed, .solvers = c->d->solvers,
                              .dt = c->dt[0], .threads = c->d->set.threads, .stop = &kb_stop};
        if (!wanted_order(c, name))
            continue;
        code = kb_order_get(&r, db, order, err);
        if (code)
            break;
        sampled *s = &c->order[c->norders++];
        s->name = name;
        draw_warps(s, order, db->n, c->d->set.sample, c->d->set.seed);
        if (!strcmp(name, "shuffled"))
            c->shuffled = s;
    }
    free(order);
    return code;
}

static void unite(costs *c)
{
    long n = c->d->db.n, room = 0;
    for (int k = 0; k < c->norders; k++)
        room += c->order[k].n;
    c->row = kb_alloc((size_t)(room < n ? room : n), sizeof *c->row);
    c->place = kb_alloc((size_t)n, sizeof *c->place);
    for (long i = 0; i < n; i++)
        c->place[i] = -1;
    for (int k = 0; k < c->norders; k++)
        for (long i = 0; i < c->order[k].n; i++) {
            long row = c->order[k].row[i];
            if (c->place[row] < 0) {
                c->place[row] = c->nrows;
                c->row[c->nrows++] = row;
            }
        }
}

/* ---- tables ---- */

static char *number(double x, const char *format)
{
    char text[64];
    snprintf(text, sizeof text, format, x);
    return kb_strdup(text);
}

/* count [n] of the first n rows of the shuffled sample */
static void add_distribution(costs *c, kb_table *t, const kb_cost_run *run, const kb_count *count,
                             long n)
{
    static const struct { const char *name; double q; } quantiles[] = {
        {"min", 0}, {"25 %", .25}, {"median", .5}, {"75 %", .75}, {"95 %", .95}, {"99 %", .99},
        {"max", 1}};
    double *x = kb_alloc((size_t)n, sizeof *x), mean = 0, rhs = 0, active = 0;
    long failed = 0;
    char *f[14], dt[32];
    for (long i = 0; i < n; i++) {
        x[i] = count[i].attempted;
        mean += x[i] / (double)n;
        rhs += count[i].rhs / (double)n;
        failed += count[i].status != KB_ODE_OK;
    }
    double least = kb_percentile(x, n, 0);
    for (long i = 0; i < n; i++)
        active += x[i] > least;
    int at = 0;
    f[at++] = kb_strdup(run->solver);
    f[at++] = kb_strdup(run->engine);
    f[at++] = kb_format("%ld", n);
    f[at++] = kb_format("%ld", failed);
    for (size_t k = 0; k < sizeof quantiles / sizeof *quantiles; k++) {
        double value = kb_percentile(x, n, quantiles[k].q);
        f[at++] = number(value, "%.0f");
        long row = kb_csv_add(&c->quantiles);
        kb_csv_set(&c->quantiles, row, "dt_s", kb_number(run->dt, dt));
        kb_csv_set(&c->quantiles, row, "solver", run->solver);
        kb_csv_number(&c->quantiles, row, "quantile", quantiles[k].q, 0);
        kb_csv_number(&c->quantiles, row, "steps", value, 0);
    }
    f[at++] = number(mean, "%.2f");
    f[at++] = number(rhs, "%.1f");
    f[at++] = number(100 * active / (double)n, "%.1f");
    kb_table_add(t, f);
    free(x);
}

static void add_costs(costs *c, const kb_cost_run *run, const kb_count *count, long n)
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

/* count [nrows] of all rows that some order needs */
static void add_divergence(costs *c, kb_table *t, const kb_cost_run *run, const sampled *s,
                           const kb_count *count)
{
    static const char *const columns[] = {"D_steps", "D_rhs", "slow_down", "slow_down_refill"};
    int32_t *steps = kb_alloc((size_t)s->n, 2 * sizeof *steps), *rhs = steps + s->n;
    char dt[32], *f[6];
    for (long i = 0; i < s->n; i++) {
        steps[i] = count[c->place[s->row[i]]].attempted;
        rhs[i] = count[c->place[s->row[i]]].rhs;
    }
    const double values[] = {kb_divergence(steps, s->n), kb_divergence(rhs, s->n),
                             kb_warp_slow_down(rhs, s->n), kb_refill_slow_down(rhs, s->n)};
    long row = kb_csv_add(&c->divergence);
    kb_csv_set(&c->divergence, row, "dt_s", kb_number(run->dt, dt));
    kb_csv_set(&c->divergence, row, "solver", run->solver);
    kb_csv_set(&c->divergence, row, "order", s->name);
    kb_csv_number(&c->divergence, row, "states", (double)s->n, 0);
    f[0] = kb_strdup(s->name);
    f[1] = kb_format("%ld", s->n);
    for (int k = 0; k < 4; k++) {
        kb_csv_number(&c->divergence, row, columns[k], values[k], 6);
        f[2 + k] = number(values[k], "%.3f");
    }
    kb_table_add(t, f);
    free(steps);
}

static void print_orders(costs *c, const kb_cost_run *run, const kb_count *count)
{
    static const char *const heads[] = {"order", "states", "D_steps", "D_rhs", "slow-down",
                                        "with refill"};
    kb_table t = {.ncolumns = 6, .heads = heads, .left = 1};
    char *text = kb_cost_text(run);
    for (int k = 0; k < c->norders; k++)
        add_divergence(c, &t, run, &c->order[k], count);
    printf("\nwarps of %d by %s\n", KB_WARP, text);
    kb_table_print(&t);
    if (c->cost_about)
        printf("sorted-cost goes by %s\n", c->cost_about);
    else
        printf("sorted-cost: no cost is kept yet (--write-cost measures all %ld states)\n",
               c->d->db.n);
    kb_table_free(&t);
    free(text);
}

/* ---- measuring ---- */

/* Solver k over its part of the shuffled sample; the first solver has measured all rows. */
static int measure_solver(costs *c, int k, double dt, const kb_count *first, kb_table *t,
                          kb_error *err)
{
    const kb_dbinfo *d = c->d;
    kb_cost_run run = run_of(c, k, dt);
    const kb_solver *solver = kb_solver_find(d->solvers, run.solver, run.engine);
    long n = c->shuffled->n, quarter = n / 4 > KB_WARP ? n / 4 : n;
    if (k > 0 && solver && solver->info.lanes == 1)
        n = quarter;
    kb_count *count = kb_alloc((size_t)n, sizeof *count);
    int code = KB_OK;
    if (k > 0)
        code = measure(c, &run, c->shuffled->row, n, count, err);
    for (long i = 0; k == 0 && i < n; i++)
        count[i] = first[c->place[c->shuffled->row[i]]];
    if (!code) {
        add_distribution(c, t, &run, count, n);
        add_costs(c, &run, count, n);
    }
    free(count);
    return code;
}

static int measure_dt(costs *c, double dt, kb_error *err)
{
    static const char *const heads[] = {
        "solver", "engine", "states", "failed", "min", "25 %", "median", "75 %", "95 %", "99 %",
        "max", "mean", "rhs", "active %"};
    kb_table t = {.ncolumns = 14, .heads = heads, .left = 2};
    kb_count *count = kb_alloc((size_t)c->nrows, sizeof *count);
    kb_cost_run run = run_of(c, 0, dt);
    int code = measure(c, &run, c->row, c->nrows, count, err);
    for (int k = 0; k < c->solvers.count && !code; k++)
        code = measure_solver(c, k, dt, count, &t, err);
    if (!code) {
        printf("\nattempted substeps over dt = %g s\n", dt);
        kb_table_print(&t);
        print_orders(c, &run, count);
    }
    fflush(stdout);
    kb_table_free(&t);
    free(count);
    return code;
}

static int write_cost(costs *c, kb_error *err)
{
    const kb_database *db = &c->d->db;
    kb_count *count = kb_alloc((size_t)db->n, sizeof *count);
    kb_cost_run run = run_of(c, 0, c->dt[0]);
    char *about = kb_cost_text(&run);
    int code = measure(c, &run, NULL, db->n, count, err);
    code = code ? code : kb_cost_write(db, count, about, err);
    if (!code)
        printf("\ncost of all %ld states kept: %s\n", db->n, about);
    free(about);
    free(count);
    return code;
}

static int write_csv(const costs *c, kb_error *err)
{
    const struct { const char *name; const kb_csv *csv; } files[] = {
        {"costs", &c->costs}, {"cost_quantiles", &c->quantiles}, {"orders", &c->divergence}};
    int code = KB_OK;
    for (int i = 0; i < 3 && !code; i++) {
        char *path = kb_format("%s/%s.csv", c->d->set.csv, files[i].name);
        code = kb_csv_write(files[i].csv, path, err);
        free(path);
    }
    return code;
}

/* ---- begin and end ---- */

static int read_lists(costs *c, kb_error *err)
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
    kb_csv_start(&c->quantiles, "dt_s,solver,quantile,steps");
    kb_csv_start(&c->divergence, "dt_s,solver,order,states,D_steps,D_rhs,slow_down,"
                                 "slow_down_refill");
    return code;
}

static int kept_cost(costs *c, kb_error *err)
{
    int64_t *kept = kb_alloc((size_t)c->d->db.n, sizeof *kept);
    free(c->cost_about);
    c->cost_about = NULL;
    int code = kb_cost_read(&c->d->db, kept, &c->cost_about, err);
    free(kept);
    return code == KB_NOTHING ? KB_OK : code;
}

static void release(costs *c)
{
    for (int k = 0; k < c->norders; k++)
        free(c->order[k].row);
    kb_csv_free(&c->costs);
    kb_csv_free(&c->quantiles);
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
    costs c = {.d = d};
    int code = read_lists(&c, err);
    if (!code && d->set.write_cost)
        code = write_cost(&c, err);
    if (!code && d->set.costs) {
        code = kept_cost(&c, err);
        code = code ? code : draw_orders(&c, err);
        code = code ? code : kept_cost(&c, err); /* sorted-cost may have measured it just now */
        if (!code)
            unite(&c);
        for (int i = 0; i < c.ndt && !code; i++)
            code = measure_dt(&c, c.dt[i], err);
        if (!code && d->set.csv)
            code = write_csv(&c, err);
    }
    release(&c);
    return code;
}
