/* SPDX-License-Identifier: MIT
 *
 * The option `drop` (solvers/linalg/lu_drop.h): the same solutions for less exact factors, the same
 * bits whatever the neighbours are, and only where a method promises to allow it.
 */
#include "tests/test.h"
#include "solvers/options.h"
#include "tests/unit/solver_problem.h"

enum { ODES = 200 };
static problem h2co;

static answer run(const problem *q, const kb_solver *s, double drop, kb_job job)
{
    double values[32];
    job.options = options_with(s, "drop", drop, values);
    assert_non_null(job.options);
    return solve(q, s, job);
}

static long attempts(const answer *a)
{
    long sum = 0;
    for (int k = 0; k < a->n; k++) {
        assert_int_equal(a->count[k].status, KB_ODE_OK);
        sum += a->count[k].attempted;
    }
    return sum;
}

static int dropped_differs(const problem *q, const answer *a, const answer *b)
{
    return memcmp(a->y, b->y, (size_t)a->n * (q->nsp + 1) * sizeof *a->y) != 0;
}

/* entries below a tenth of rtol (cvode: 100 times rtol) cost no accuracy and hardly a substep */
TEST(test_error)
{
    const problem *q = &h2co;
    const kb_solver *exact = kb_solver_find(q->s, "cvode", "cpu-scalar");
    answer ref = solve(q, exact, (kb_job){.dt = 1e-6, .rtol = 1e-12, .atol = 1e-20});
    int tested = 0;
    for (int i = 0; i < q->s->nsolvers; i++) {
        const kb_solver *s = q->s->solvers[i];
        double values[32], rtol = s == exact ? 1e-6 : 1e-4, drop = s == exact ? 1e-4 : 0.1 * rtol;
        if (!options_with(s, "drop", 0, values))
            continue;
        kb_job job = {.dt = 1e-6, .rtol = rtol, .atol = 1e-6 * rtol};
        answer all = run(q, s, 0, job), large = run(q, s, drop, job);
        double before = distance(q, &all, &ref), after = distance(q, &large, &ref);
        print_message("%s on %s: error %.2e, %.2e; attempts %ld, %ld\n", s->info.name,
                      s->info.engine, before, after, attempts(&all), attempts(&large));
        assert_true(dropped_differs(q, &all, &large));
        at_most(s, "the error with entries dropped", after, before + 0.5 * rtol);
        at_most(s, "attempts with entries dropped", attempts(&large), 1.1 * attempts(&all));
        tested++;
        release(&all);
        release(&large);
    }
    assert_true(tested >= 3);
    release(&ref);
}

/* both schedules, one thread and two, fewer ODEs than lanes, and one alone: the same bits */
TEST(test_neighbours)
{
    const problem *q = &h2co;
    const kb_solver *s = kb_solver_find(q->s, "rodas4p2", "cpu-simd");
    kb_job job = {.dt = 1e-4, .rtol = 1e-4, .schedule = KB_REFILL};
    answer all = run(q, s, 1e-2, job);
    job.schedule = KB_STATIC;
    job.threads = 2;
    answer shared = run(q, s, 1e-2, job);
    for (int k = 0; k < ODES; k++)
        assert_same(q, &all, k, &shared, k);
    for (int n = 1; n < 2 * s->info.lanes + 2; n += 4) {
        job.n = n;
        job.states = q->states + 100 * (q->nsp + 2);
        answer few = run(q, s, 1e-2, job);
        for (int k = 0; k < n; k++)
            assert_same(q, &all, 100 + k, &few, k);
        release(&few);
    }
    release(&all);
    release(&shared);
}

static int allows(const char *name)
{
    return !strcmp(name, "rodas4p2") || !strcmp(name, "rodas5p") || !strcmp(name, "cvode");
}

TEST(test_refused_elsewhere)
{
    int refused = 0;
    for (int i = 0; i < h2co.s->nsolvers; i++) {
        const kb_solver_info *s = &h2co.s->solvers[i]->info;
        kb_choice c = {.rtol = 1e-4, .atol = 1e-10};
        kb_error err = {0};
        int code = kb_solver_options(s, "x:drop=1e-3", &c, &err);
        free(c.options);
        free(c.text);
        if (s->promise.jac && !(s->promise.inexact.order > 0)) {
            assert_false(allows(s->name));
            assert_non_null(strstr(err.text, "falls to order 1 with an inexact matrix"));
            refused++;
        } else if (code) {
            assert_non_null(strstr(err.text, "wrong option at 'drop=1e-3'"));
        }
        assert_int_equal(code, allows(s->name) && !kb_on_gpu(s->engine) ? KB_OK : KB_INVALID);
    }
    assert_true(refused >= 2);
}

TEST(test_not_with_floats)
{
    const problem *q = &h2co;
    const kb_solver *s = kb_solver_find(q->s, "rodas4p2", "cpu-simd");
    double values[32];
    options_with(s, "drop", 1e-3, values);
    if (!set_option(s, "float", 1, values))
        skip();
    answer a = solve(q, s, (kb_job){.dt = 1e-6, .options = values});
    assert_int_equal(a.code, KB_INVALID);
    release(&a);
}

FIXTURE(open_problem)
{
    make_problem(&h2co, "h2co", "CO:1,H2:1", 1.5e-5, ODES);
    return 0;
}

FIXTURE(close_problem)
{
    free_problem(&h2co);
    return 0;
}

TESTS(open_problem, close_problem)
