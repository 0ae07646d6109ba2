/* SPDX-License-Identifier: MIT
 *
 * A job that several runs share (kb_job.next), as those of MPI ranks do: each ODE is of one run,
 * with the bits of a run that does all, with and without the first pass.
 */
#include <pthread.h>

#include "tests/test.h"
#include "tests/unit/solver_problem.h"

enum { FEW = 500, MANY = 10000, RUNS = 3 }; /* of MANY a run takes several vectors at once */

static problem *h2 = &problems[0];

FIXTURE(start)
{
    make_problem(h2, "h2", "H2:1", 1.2e-5, 61);
    return 0;
}

FIXTURE(finish)
{
    free_problem(h2);
    return 0;
}

static double *repeated(long n)
{
    int row = h2->nsp + 2;
    double *states = kb_alloc((size_t)n * row, sizeof *states);
    for (long i = 0; i < n; i++)
        memcpy(states + i * row, h2->states + i * 7 % h2->n * row, row * sizeof *states);
    return states;
}

static int written(const answer *a, long i) { return a->y[i * (h2->nsp + 1)] != -12345; }

typedef struct {
    const kb_solver *solver;
    kb_job job;
    answer a;
} one_run;

static void *run_it(void *data)
{
    one_run *r = data;
    r->a = solve(h2, r->solver, r->job);
    return NULL;
}

static void share(const kb_solver *s, kb_job job, const answer *whole)
{
    one_run runs[RUNS];
    pthread_t threads[RUNS];
    long next = 0, taken = 0;
    job.next = &next;
    for (int r = 0; r < RUNS; r++) {
        runs[r] = (one_run){.solver = s, .job = job};
        assert_int_equal(pthread_create(&threads[r], NULL, run_it, &runs[r]), 0);
    }
    for (int r = 0; r < RUNS; r++)
        pthread_join(threads[r], NULL);
    for (long i = 0; i < job.n; i++) {
        int times = 0;
        for (int r = 0; r < RUNS; r++)
            if (written(&runs[r].a, i)) {
                times++;
                assert_same(h2, &runs[r].a, (int)i, whole, (int)i);
            }
        assert_int_equal(times, 1);
    }
    for (int r = 0; r < RUNS; r++) {
        assert_int_equal(runs[r].a.code, KB_OK);
        taken += runs[r].a.r.taken;
        release(&runs[r].a);
    }
    assert_int_equal(taken, job.n);
}

/* what another run has taken is not touched */
static void take_the_rest(const kb_solver *s, kb_job job, const answer *whole)
{
    for (long rest = 0; rest < 12; rest += 5) {
        long next = job.n - rest;
        job.next = &next;
        answer a = solve(h2, s, job);
        assert_int_equal(a.code, KB_OK);
        assert_int_equal(a.r.taken, rest);
        for (long i = 0; i < job.n; i++) {
            assert_int_equal(written(&a, i), i >= job.n - rest);
            if (written(&a, i))
                assert_same(h2, &a, (int)i, whole, (int)i);
        }
        release(&a);
    }
}

static void check(const kb_solver *s, long n, int pass)
{
    double options[32], *states = repeated(n);
    for (int schedule = 0; schedule < 2; schedule++) {
        kb_job job = {.n = n, .states = states, .dt = DT,
                      .schedule = schedule ? KB_REFILL : KB_STATIC,
                      .options = pass ? options_with(s, "pass", 1, options) : NULL};
        answer whole = solve(h2, s, job);
        assert_int_equal(whole.code, KB_OK);
        share(s, job, &whole);
        take_the_rest(s, job, &whole);
        release(&whole);
    }
    free(states);
}

TEST(shared)
{
    int checked = 0;
    for (int i = 0; i < h2->s->nsolvers; i++) {
        const kb_solver *s = h2->s->solvers[i];
        assert_int_equal(s->info.shares, ours(s));
        for (int pass = 0; s->info.shares && pass < 2; pass++) {
            check(s, FEW, pass);
            if (!strcmp(s->info.name, "rodas4") && !strstr(s->info.engine, "unsorted"))
                check(s, MANY, pass);
            checked++;
        }
    }
    assert_true(checked >= 12);
}

TESTS(start, finish)
