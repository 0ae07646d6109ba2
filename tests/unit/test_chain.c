/* SPDX-License-Identifier: MIT
 *
 * Global steps one after another: against separate runs handed on by hand, and at tight tolerances
 * against one run over the whole time, which knows nothing of steps.
 */
#include "drivers/bench/chain.h"
#include "solvers/hand_on.h"
#include "tests/test.h"

enum { N = 6, STEPS = 10, WIDTH = 11, OUT = 10 }; /* H2: 9 species */
static const kb_chain_how steps = {.steps = STEPS};
static const kb_solvers *h2;
static double states[N * WIDTH];

FIXTURE(open_h2)
{
    assert_works(!(h2 = kb_solvers_open("h2", &err)));
    for (int i = 0; i < N; i++) {
        double *s = states + i * WIDTH;
        s[0] = 1100 + 100 * i;
        s[1] = 101325;
        for (int k = 0; k < h2->nsp; k++)
            s[2 + k] = !strcmp(h2->species[k], "H2")   ? 0.0285
                       : !strcmp(h2->species[k], "O2") ? 0.2264
                       : !strcmp(h2->species[k], "N2") ? 0.7451
                                                       : 0;
    }
    return 0;
}

static kb_job job_of(kb_reactor reactor, double dt, double rtol, double atol)
{
    return (kb_job){.n = N, .states = states, .dt = dt, .reactor = reactor, .rtol = rtol,
                    .atol = atol, .schedule = KB_STATIC, .threads = 1};
}

/* the pressure of (T, Y) at density rho, and the other way round: p = rho R T sum Y/W */
static double gas(const double *T, const double *Y)
{
    double sum = 0;
    for (int k = 0; k < h2->nsp; k++)
        sum += Y[k] / h2->W[k];
    return 8314.46261815324 * *T * sum;
}

static void check_separate_runs(kb_reactor reactor)
{
    const kb_solver *rkc = kb_solver_find(h2, "rkc", "cpu-scalar");
    kb_job job = job_of(reactor, 2e-6, 1e-6, 1e-10);
    double y[N * OUT], own[N * OUT], s[N * WIDTH], rho[N];
    kb_count count[N], sum[N] = {{0}}, one[N];
    kb_result r = {.y = y, .count = count}, step = {.y = own, .count = one};
    assert_int_equal(kb_chain_run(h2, rkc, &job, &steps, &r, NULL), KB_OK);
    memcpy(s, states, sizeof s);
    for (int i = 0; i < N; i++)
        rho[i] = s[i * WIDTH + 1] / gas(s + i * WIDTH, s + i * WIDTH + 2);
    job.states = s;
    for (int k = 0; k < STEPS; k++) {
        assert_int_equal(rkc->run(rkc, &job, &step, NULL), KB_OK);
        for (int i = 0; i < N; i++) {
            double *at = s + i * WIDTH;
            at[0] = own[i * OUT];
            memcpy(at + 2, own + i * OUT + 1, 9 * sizeof *at);
            at[1] = reactor == KB_CONST_V ? rho[i] * gas(at, at + 2) : 101325;
            sum[i].attempted += one[i].attempted;
            sum[i].rhs += one[i].rhs;
        }
    }
    for (int i = 0; i < N; i++) {
        assert_int_equal(count[i].status, KB_ODE_OK);
        assert_true(abs(count[i].rhs - sum[i].rhs) <= sum[i].rhs / 50);
        assert_true(count[i].attempted >= STEPS);
        for (int k = 0; k < OUT; k++)
            assert_true(fabs(y[i * OUT + k] - own[i * OUT + k]) <=
                        1e-9 * (1e-3 + fabs(own[i * OUT + k])));
    }
    assert_true(r.total > 0 && r.lane_use == 1);
}

static void check_one_long_run(kb_reactor reactor)
{
    const kb_solver *cvode = kb_solver_find(h2, "cvode", "cpu-scalar");
    kb_job job = job_of(reactor, 2e-6, 1e-11, 1e-18), whole = job;
    double y[N * OUT], once[N * OUT], moved = 0;
    kb_count count[N], other[N];
    kb_result r = {.y = y, .count = count}, r1 = {.y = once, .count = other};
    whole.dt = STEPS * job.dt;
    assert_int_equal(kb_chain_run(h2, cvode, &job, &steps, &r, NULL), KB_OK);
    assert_int_equal(cvode->run(cvode, &whole, &r1, NULL), KB_OK);
    for (int i = 0; i < N * OUT; i++)
        assert_true(fabs(y[i] - once[i]) <= 1e-7 * (1e-6 + fabs(once[i])));
    for (int i = 0; i < N; i++)
        moved = larger(moved, fabs(y[i * OUT] - states[i * WIDTH]));
    assert_true(moved > 100); /* K: they burn meanwhile */
}

TEST(same_as_separate_runs_at_constant_p) { check_separate_runs(KB_CONST_P); }
TEST(same_as_separate_runs_at_constant_v) { check_separate_runs(KB_CONST_V); }
TEST(same_as_one_long_run_at_constant_p) { check_one_long_run(KB_CONST_P); }
TEST(same_as_one_long_run_at_constant_v) { check_one_long_run(KB_CONST_V); }

/* an ODE that fails says so even if later steps went well */
TEST(first_failure_stands)
{
    const kb_solver *rkck = kb_solver_find(h2, "rkck", "cpu-scalar");
    kb_job job = job_of(KB_CONST_P, 1e-6, 1e-10, 1e-30);
    double y[N * OUT];
    kb_count count[N];
    kb_result r = {.y = y, .count = count};
    job.max_substeps = 3;
    assert_int_equal(kb_chain_run(h2, rkck, &job, &(kb_chain_how){.steps = 2}, &r, NULL), KB_OK);
    for (int i = 0; i < N; i++)
        assert_int_equal(count[i].status, KB_ODE_TOO_MANY);
}

/* all counts of steps add up; a failure stands whatever later steps do */
TEST(counts_add_up)
{
    kb_count sum = {0};
    const kb_count steps[] = {{1, 2, 3, 4, 5, 6, 7, KB_ODE_OK},
                              {10, 20, 30, 40, 50, 60, 70, KB_ODE_NEWTON},
                              {100, 200, 300, 400, 500, 600, 700, KB_ODE_OK},
                              {1000, 2000, 3000, 4000, 5000, 6000, 7000, KB_ODE_TOO_MANY}};
    const kb_count all = {1111, 2222, 3333, 4444, 5555, 6666, 7777, KB_ODE_NEWTON};
    for (int k = 0; k < 4; k++)
        hand_on_count(&sum, &steps[k]);
    assert_memory_equal(&sum, &all, sizeof sum);
}

/* a solver of any states: four attempts an ODE, each in half of the lanes, then in a quarter; all
 * else that a run says is another number, ten times as large in the second */
static int run_lanes(const kb_solver *self, const kb_job *job, kb_result *result, kb_error *err)
{
    static int calls;
    (void)self;
    (void)err;
    int k = calls++ ? 10 : 1;
    *result = (kb_result){.y = result->y, .count = result->count, .total = k, .copy_in = 2 * k,
                          .kernel = 3 * k, .copy_out = 4 * k, .bytes = 5 * k, .lanes = 6 * k,
                          .threads = 7 * k, .slices = 8 * k, .resident = 9 * k, .ranks = 2 * k,
                          .hosts = 3 * k, .imbalance = 4 * k, .lane_use = k > 1 ? 0.25 : 0.5};
    for (long i = 0; i < job->n; i++) {
        result->count[i] = (kb_count){.attempted = 4, .status = KB_ODE_OK};
        result->y[i * OUT] = job->states[i * WIDTH];
        memcpy(result->y + i * OUT + 1, job->states + i * WIDTH + 2, 9 * sizeof(double));
    }
    return KB_OK;
}

/* times and bytes add up, the use of lanes is of all attempts' and not the mean of steps, and the
 * rest is the last step's */
TEST(what_two_steps_say)
{
    const kb_solver solver = {.run = run_lanes};
    const kb_chain_how two = {.steps = 2};
    kb_job job = job_of(KB_CONST_P, 1e-6, 1e-3, 1e-9);
    double y[N * OUT];
    kb_count count[N];
    kb_result r = {.y = y, .count = count};
    assert_int_equal(kb_chain_run(h2, &solver, &job, &two, &r, NULL), KB_OK);
    assert_int_equal(count[N - 1].attempted, 8);
    assert_true(fabs(r.lane_use - 8.0 / (4 / 0.5 + 4 / 0.25)) < 1e-15);
    assert_true(r.total == 11 && r.copy_in == 22 && r.kernel == 33 && r.copy_out == 44);
    assert_true(r.bytes == 55 && r.lanes == 60 && r.threads == 70 && r.slices == 80);
    assert_true(r.resident == 90 && r.ranks == 20 && r.hosts == 30 && r.imbalance == 40);
}

/* sums of counts end at the largest there is */
TEST(endless_counts)
{
    const kb_count most = {.attempted = 2000000000, .accepted = 1, .rejected = 1999999999,
                           .rhs = INT32_MAX, .jac = 2, .lu = 3, .solve = 4};
    kb_count sum = {0};
    hand_on_count(&sum, &most);
    assert_memory_equal(&sum, &most, sizeof sum);
    hand_on_count(&sum, &most);
    assert_int_equal(sum.attempted, INT32_MAX);
    assert_int_equal(sum.rejected, INT32_MAX);
    assert_int_equal(sum.rhs, INT32_MAX);
    assert_true(sum.accepted == 2 && sum.jac == 4 && sum.lu == 6 && sum.solve == 8);
}

TESTS(open_h2, NULL)
