/* SPDX-License-Identifier: MIT
 *
 * The option `float` of Rosenbrock methods on cpu-simd: as accurate as doubles at the
 * tolerances that it is for, with the same counts; an ODE has the same bits whatever its
 * neighbours; no other solver has it.
 */
#include "solvers/options.h"
#include "tests/unit/solver_problem.h"

enum { ODES = 200, METHODS = 5 };
static const char *const methods[METHODS] = {"ros3", "rodas3", "rosenbrock34", "rodas4",
                                             "rodas4p2"};

static problem h2co, gri30;

static const kb_solver *with_floats(const problem *q, const char *name)
{
    double values[32];
    const kb_solver *s = kb_solver_find(q->s, name, "cpu-simd");
    assert_non_null(s);
    if (options_with(s, "float", 1, values))
        return s;
    assert_int_equal(s->info.lanes, 1); /* a machine without lanes */
    skip();
    return NULL;
}

static answer run(const problem *q, const kb_solver *s, int floats, kb_job job)
{
    double values[32];
    job.options = options_with(s, "float", floats, values);
    job.atol = 1e-6 * job.rtol;
    return solve(q, s, job);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* the 95th percentile of the errors of ODEs */
static double p95(const problem *q, const answer *a, const answer *ref)
{
    double error[ODES];
    int n = q->nsp + 1;
    for (int k = 0; k < ODES; k++) {
        answer one = {.y = a->y + k * n, .n = 1}, exact = {.y = ref->y + k * n, .n = 1};
        assert_int_equal(a->count[k].status, KB_ODE_OK);
        error[k] = distance(q, &one, &exact);
    }
    qsort(error, ODES, sizeof *error, ascending);
    return error[ODES * 95 / 100];
}

static kb_count sum_of(const answer *a)
{
    kb_count c = {0};
    for (int k = 0; k < a->n; k++) {
        c.attempted += a->count[k].attempted;
        c.jac += a->count[k].jac;
        c.lu += a->count[k].lu;
        c.solve += a->count[k].solve;
        c.rhs += a->count[k].rhs;
    }
    return c;
}

/* what rounding of floats adds to an error */
static const double ROUNDING = 5e-8;

static void check_error(const problem *q, const kb_solver *s, const answer *ref, kb_job job)
{
    answer doubles = run(q, s, 0, job), floats = run(q, s, 1, job);
    double d = p95(q, &doubles, ref), f = p95(q, &floats, ref);
    kb_count a = sum_of(&doubles), b = sum_of(&floats);
    print_message("%s, %d species, dt %g, rtol %g: p95 %.3g, in floats %.3g; %d and %d attempts\n",
                  s->info.name, q->nsp, job.dt, job.rtol, d, f, a.attempted, b.attempted);
    at_most(s, "p95 of the errors with floats", f, 1.05 * d + ROUNDING);
    assert_true(abs(b.attempted - a.attempted) <= 2 + a.attempted / 50);
    assert_int_equal(b.jac, b.attempted);
    assert_int_equal(b.lu, b.attempted);
    assert_true(b.solve > 0 && b.rhs > b.solve / 2);
    assert_memory_not_equal(doubles.y, floats.y, (size_t)ODES * (q->nsp + 1) * sizeof *floats.y);
    release(&doubles);
    release(&floats);
}

/* of methods from `first` on, as many as `n` */
static void check_errors(const problem *q, int first, int n)
{
    const kb_solver *cvode = kb_solver_find(q->s, "cvode", "cpu-scalar");
    const double steps[] = {1e-6, 1e-4}, rtol[] = {1e-3, 1e-4, 1e-5, 1e-6};
    for (int t = 0; t < 2; t++) {
        answer ref = solve(q, cvode, (kb_job){.dt = steps[t], .rtol = 1e-12, .atol = 1e-20});
        for (int m = first; m < first + n; m++)
            for (int r = 0; r < 4; r++)
                check_error(q, with_floats(q, methods[m]), &ref,
                            (kb_job){.dt = steps[t], .rtol = rtol[r]});
        release(&ref);
    }
}

TEST(test_error_h2co)
{
    check_errors(&h2co, 0, METHODS);
}

TEST(test_error_gri30) /* of rodas4 */
{
    check_errors(&gri30, 3, 1);
}

/* both schedules, one thread and two, fewer ODEs than lanes, and one alone: the same bits */
TEST(test_neighbours)
{
    const problem *q = &h2co;
    const kb_solver *s = with_floats(q, "rodas4");
    kb_job job = {.dt = 1e-4, .rtol = 1e-4, .schedule = KB_REFILL};
    answer all = run(q, s, 1, job);
    job.schedule = KB_STATIC;
    answer together = run(q, s, 1, job);
    job.threads = 2;
    answer shared = run(q, s, 1, job);
    for (int k = 0; k < ODES; k++) {
        assert_same(q, &all, k, &together, k);
        assert_same(q, &all, k, &shared, k);
    }
    for (int n = 1; n < 2 * s->info.lanes + 2; n += 4) {
        job.n = n;
        job.states = q->states + 100 * (q->nsp + 2);
        answer few = run(q, s, 1, job);
        for (int k = 0; k < n; k++)
            assert_same(q, &all, 100 + k, &few, k);
        release(&few);
    }
    release(&all);
    release(&together);
    release(&shared);
}

/* impossible states and ODEs that fail beside sound ones */
TEST(test_failures)
{
    const problem *q = &h2co;
    const kb_solver *s = with_floats(q, "rodas4");
    int row = q->nsp + 2;
    double *states = kb_alloc((size_t)ODES * row, sizeof *states);
    memcpy(states, q->states, (size_t)ODES * row * sizeof *states);
    for (int k = 0; k < ODES; k += 3)
        states[k * row] = k % 2 ? -1 : NAN;
    kb_job job = {.n = ODES, .dt = 1e-4, .rtol = 1e-5, .schedule = KB_REFILL, .max_substeps = 15};
    answer sound = run(q, s, 1, job);
    job.states = states;
    answer doubles = run(q, s, 0, job), floats = run(q, s, 1, job);
    int failed = 0;
    for (int k = 0; k < ODES; k++) {
        assert_int_equal(floats.count[k].status, doubles.count[k].status);
        failed += floats.count[k].status == KB_ODE_TOO_MANY;
        if (k % 3)
            assert_same(q, &sound, k, &floats, k);
    }
    assert_true(failed > 0 && failed < ODES);
    release(&sound);
    release(&doubles);
    release(&floats);
    free(states);
}

/* with the first pass: the ODEs that it leaves are those of doubles */
TEST(test_first_pass)
{
    const problem *q = &gri30;
    const kb_solver *s = with_floats(q, "rodas4");
    double values[32];
    options_with(s, "float", 1, values);
    for (int i = 0; s->info.options[i].name; i++)
        if (!strcmp(s->info.options[i].name, "pass"))
            values[i] = 1;
    kb_job job = {.dt = 1e-7, .rtol = 1e-4, .atol = 1e-10, .schedule = KB_REFILL};
    answer plain = run(q, s, 1, job);
    job.options = values;
    answer passed = solve(q, s, job);
    int left = 0;
    for (int k = 0; k < ODES; k++) {
        left += passed.count[k].lu > 0;
        if (passed.count[k].lu > 0)
            assert_memory_equal(passed.y + k * (q->nsp + 1), plain.y + k * (q->nsp + 1),
                                (q->nsp + 1) * sizeof *plain.y);
    }
    assert_true(left > 0 && left < ODES);
    release(&plain);
    release(&passed);
}

TEST(test_refused_elsewhere)
{
    int has = 0;
    with_floats(&h2co, "rodas4");
    for (int i = 0; i < h2co.s->nsolvers; i++) {
        const kb_solver_info *s = &h2co.s->solvers[i]->info;
        kb_choice c = {.rtol = 1e-4, .atol = 1e-10};
        kb_error err = {0};
        int code = kb_solver_options(s, "x:float=1", &c, &err);
        free(c.options);
        free(c.text);
        has += code == KB_OK;
        if (code == KB_OK)
            assert_string_equal(s->engine, "cpu-simd");
        else
            assert_non_null(strstr(err.text, "wrong option at 'float=1'"));
    }
    assert_int_equal(has, METHODS);
}

FIXTURE(open_problems)
{
    make_problem(&h2co, "h2co", "CO:1,H2:1", 1.5e-5, ODES);
    make_problem(&gri30, "gri30", "CH4:1", 7e-4, ODES);
    return 0;
}

FIXTURE(close_problems)
{
    free_problem(&h2co);
    free_problem(&gri30);
    return 0;
}

TESTS(open_problems, close_problems)
