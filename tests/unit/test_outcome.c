/* SPDX-License-Identifier: MIT
 *
 * What bench makes of the results and counts of a run of 40 made-up ODEs: every member of the
 * outcome by hand, and why a cell has its status.
 */
#include "tests/test.h"
#include "base/stats.h"
#include "drivers/bench/measure_inside.h"

enum { N = 40, NSP = 2, STATES = 4 };
static const kb_option with_pass[] = {{"pass", "", 1, 0, 1, KB_WHOLE}, {"h0", "", 0, 0, 1, KB_REAL},
                                      {0}};
static double states[N * STATES], y[N * 3], ends[STATES * 3], options[2] = {1, 0};
static long number[N], place[N]; /* ODE i of the run is row place[i], whose end is of number[row] */
static kb_count counts[N];

/* [1e-3]: 39.5, 6.5, 13.5, ..., each of 0.5 to 39.5 once */
static double off(int i) { return (7 * i + 39) % N + 0.5; }

/* four ends, where all start, and off by how much each ends */
FIXTURE(make_run)
{
    for (int k = 0; k < STATES; k++) {
        ends[3 * k] = 1000 + 100 * k;
        ends[3 * k + 1] = 0.1 * (k + 1);
        ends[3 * k + 2] = 1 - ends[3 * k + 1];
    }
    for (int i = 0; i < N; i++) {
        place[i] = N - 1 - i;
        number[place[i]] = place[i] % STATES;
        const double *end = ends + 3 * number[place[i]];
        memcpy(states + STATES * i + 2, end + 1, 2 * sizeof *end);
        states[STATES * i] = end[0];
        states[STATES * i + 1] = 1e5;
        memcpy(y + 3 * i, end, 3 * sizeof *end);
        y[3 * i + 1] += 1e-3 * off(i) * (end[1] + 1e-6);
        counts[i] = (kb_count){.attempted = 1 + i % 3, .rejected = i % 2, .rhs = 2 + i % 4,
                               .jac = i % 4, .lu = i % 5, .solve = i % 8};
    }
    return 0;
}

static const kb_solver core = {.info = {.name = "a", .engine = "cpu-simd", .options = with_pass}};
static const kb_solver card = {.info = {.name = "a", .engine = "gpu-warp"}};

static kb_cell filled(kb_cell cell, const kb_result *r)
{
    static const kb_solvers solvers = {.nsp = NSP};
    static const kb_database rows = {.columns = STATES};
    static double none[STATES * 3];
    const kb_reference references[] = {{.dt = 1e-5, .y = ends, .number = number},
                                       {.dt = 1e-6, .y = none, .number = number}};
    kb_measure m = {.solvers = &solvers, .rows = &rows, .references = references,
                    .nreferences = 2, .y = y, .count = counts};
    kb_inputs in = {.n = N, .place = place, .states = states};
    cell.dt = 1e-5;
    cell.n = N;
    cell.options = options;
    kb_outcome_fill(&m, &cell, &in, r);
    return cell;
}

static kb_outcome outcome(double rtol, double asked)
{
    kb_cell c = filled((kb_cell){.solver = &core, .rtol = rtol, .asked = asked}, &(kb_result){0});
    free(c.why);
    return c.outcome;
}

#define IS(value, wanted) assert_true(fabs((value) / (wanted) - 1) < 1e-9)

TEST_WITH(errors_of_all_and_of_those_that_react, make_run, NULL)
{
    double sorted[N], lo, hi;
    /* these move by 0.9e-6 or 1.1e-6 of T or of a fraction; the first one's error is the largest */
    static const struct {
        int ode, of;
        double by;
    } moved[] = {{0, 0, 1.1e-6}, {10, 0, 0.9e-6}, {20, 2, 1.1e-6}, {30, 3, -0.9e-6},
                 {35, 3, -1.1e-6}};
    for (int k = 0; k < 5; k++) {
        const double *end = ends + 3 * number[place[moved[k].ode]];
        double at = end[moved[k].of ? moved[k].of - 1 : 0];
        states[STATES * moved[k].ode + moved[k].of] = at + moved[k].by * (at + 1e-6);
    }
    kb_outcome s = outcome(1, 0);
    IS(s.active_share, 3.0 / N);
    IS(s.err_p95_active, 0.0395);
    IS(s.err_p50, 0.0195);
    IS(s.err_p95, 0.0375);
    IS(s.err_max, 0.0395);
    for (int i = 0; i < N; i++)
        sorted[i] = (i + 0.5) * 1e-3;
    kb_percentile_interval(sorted, N, 0.5, &lo, &hi);
    IS(s.err_p50_lo, lo);
    IS(s.err_p50_hi, hi);
    kb_percentile_interval(sorted, N, 0.95, &lo, &hi);
    IS(s.err_p95_lo, lo);
    IS(s.err_p95_hi, hi);
}

/* above 1000 times the error asked for, from 1e-3 to 0.1; a failed ODE is not wrong */
TEST_WITH(wrong_odes, make_run, NULL)
{
    assert_int_equal(outcome(1e-5, 0).wrong, 30);
    assert_int_equal(outcome(1e-5, 2e-5).wrong, 20); /* auto's error goes before */
    assert_int_equal(outcome(1e-9, 0).wrong, 39);
    assert_int_equal(outcome(1, 0).wrong, 0);
    y[3 * 39 + 2] = y[3 * 38 + 2] = 2;
    assert_int_equal(outcome(1, 0).wrong, 2);
    counts[39].status = KB_ODE_NEWTON;
    assert_int_equal(outcome(1, 0).wrong, 1);
    ends[2] = 0; /* of row 0, the last ODE, whose error is 0.1 then, and no more */
    for (int i = 3; i < N; i += 4)
        y[3 * i + 2] = 0.1 * 1e-6;
    assert_int_equal(outcome(1, 0).wrong, 1);
}

TEST_WITH(counts_of_all, make_run, NULL)
{
    int32_t rhs[N], steps[N];
    counts[0].attempted = 10; /* 72 in all */
    for (int i = 8; i < 16; i++)
        counts[i].attempted = 0;
    counts[39].rhs = 90;
    counts[4].status = KB_ODE_TOO_MANY; /* one of ten without a Jacobian */
    for (int i = 0; i < N; i++) {
        rhs[i] = counts[i].rhs;
        steps[i] = counts[i].attempted;
    }
    kb_outcome s = outcome(1, 0);
    IS(s.steps_mean, 1.8);
    IS(s.steps_max, 10);
    IS(s.rejected_mean, 0.5);
    IS(s.rhs_mean, 3.5 + 85.0 / N);
    IS(s.rhs_max, 90);
    IS(s.jac_mean, 1.5);
    IS(s.lu_mean, 2);
    IS(s.solve_mean, 3.5);
    assert_int_equal(s.failed, 1);
    assert_int_equal(s.passed, 9);
    IS(s.D_rhs, kb_divergence(rhs, N));
    IS(s.D_steps, kb_divergence(steps, N));
    IS(s.wait[0], (8 * 10 + 24 * 3) / 72.0);
    IS(s.wait[1], (32 * 10 + 8 * 3) / 72.0);
    IS(s.wait[2], 40 * 10 / 72.0);
    options[0] = 0; /* the first pass is off */
    assert_int_equal(outcome(1, 0).passed, 0);
    options[0] = 1;
    for (int i = 0; i < N; i++)
        counts[i].attempted = 0;
    s = outcome(1, 0);
    for (int k = 0; k < 3; k++)
        IS(s.wait[k], 1);
    counts[0].attempted = 1;
    s = outcome(1, 0);
    assert_true(s.wait[0] == 8 && s.wait[1] == 32 && s.wait[2] == N);
}

static void why_is(const kb_solver *solver, int threads, int used, const char *wanted)
{
    kb_cell cell = {.solver = solver, .threads = threads, .why = strdup("what was before")};
    cell = filled(cell, &(kb_result){.threads = used});
    if (wanted)
        assert_string_equal(cell.why, wanted);
    else
        assert_null(cell.why);
    free(cell.why);
}

TEST_WITH(why, make_run, NULL)
{
    why_is(&core, 2, 2, NULL);
    why_is(&core, 2, 0, NULL);
    why_is(&card, 0, 64, NULL);
    why_is(&core, 2, 1, "used 1 of 2 threads");
    static const int status[] = {KB_ODE_TOO_MANY, KB_ODE_BOUNDS, KB_ODE_TOO_MANY, -1,
                                 KB_ODE_NSTATUS};
    for (int i = 0; i < 5; i++)
        counts[7 * i].status = status[i];
    why_is(&core, 2, 1, "ODEs failed: 2 too many substeps, 1 out of bounds, 2 unknown status");
}

TEST_WITH(what_the_engine_says, make_run, NULL)
{
    kb_result r = {.lane_use = 0.5, .lanes = 3, .threads = 4, .resident = 5, .hosts = 6,
                   .imbalance = 7, .bytes = 8};
    kb_outcome s = filled((kb_cell){.solver = &card}, &r).outcome;
    assert_true(s.lane_use == 0.5 && s.lanes == 3 && s.threads == 4 && s.resident == 5);
    assert_true(s.bytes == 8 && s.ranks == 1 && s.hosts == 1 && s.imbalance == 1);
    assert_int_equal(s.passed, 0);
    r.ranks = 9;
    s = filled((kb_cell){.solver = &card}, &r).outcome;
    assert_true(s.ranks == 9 && s.hosts == 6 && s.imbalance == 7);
}

TESTS(NULL, NULL)
