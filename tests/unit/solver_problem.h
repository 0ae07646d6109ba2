/* SPDX-License-Identifier: MIT
 *
 * What the tests of the solvers share: a mechanism with its solvers and states along ignition.
 */
#pragma once

#include "mech/thermo/thermo.h"
#include "pasr/generators/common/mixture.h"
#include "solvers/engine_names.h"
#include "tests/test.h"
#include "tests/unit/solver_options.h"

typedef struct {
    kb_mech m;
    const kb_solvers *s;
    int n, nsp;
    double *states; /* n x (nsp + 2), evenly in time from the unburnt to the burnt mixture */
} problem;

/* fuel and air at phi 1, 1600 K, 1 atm, constant p, over t_end [s]; engines: NULL, those compiled
 * for it, or a file of engines of any mechanism */
static inline void make_problem_on(problem *q, const char *name, const char *engines,
                                   const char *fuel, double t_end, int n)
{
    char *named = kb_format("%s=datasets/mechanisms/%s.yaml", name, name);
    assert_works(kb_mech_load(&q->m, strchr(named, '=') + 1, NULL, &err));
    assert_works(!(q->s = engines ? kb_solvers_read(engines, named, &err)
                                  : kb_solvers_open(name, &err)));
    free(named);
    q->n = n;
    q->nsp = q->s->nsp;
    int row = q->nsp + 2;
    double *y = kb_alloc((size_t)n * (row - 1), sizeof *y), *t = kb_alloc((size_t)n, sizeof *t);
    q->states = kb_alloc((size_t)n * row, sizeof *q->states);
    q->states[0] = 1600;
    q->states[1] = KB_ATM;
    assert_works(kb_premixed(&q->m, fuel, "O2:1,N2:3.76", 1, q->states + 2, &err));
    for (int i = 0; i < n; i++)
        t[i] = t_end * i / n;
    assert_works(q->s->trajectory(q->s, q->states, KB_CONST_P, 1e-10, 1e-20, n, t, y, &err));
    for (int i = 0; i < n; i++) {
        double *state = q->states + i * row, *from = y + i * (row - 1);
        state[0] = from[0];
        state[1] = KB_ATM;
        memcpy(state + 2, from + 1, q->nsp * sizeof *y);
    }
    free(t);
    free(y);
}

static inline void make_problem(problem *q, const char *name, const char *fuel, double t_end, int n)
{
    make_problem_on(q, name, NULL, fuel, t_end, n);
}

static inline void free_problem(problem *q)
{
    kb_mech_free(&q->m);
    free(q->states);
}

typedef struct {
    double *y; /* n x (nsp + 1) */
    kb_count *count;
    kb_result r;
    int n, code;
} answer;

/* what job leaves 0 is that of the problem; one thread */
static inline answer solve(const problem *q, const kb_solver *solver, kb_job job)
{
    kb_error err = {0};
    if (!job.states) {
        job.states = q->states;
        job.n = job.n ? job.n : q->n;
    }
    if (!job.threads && !kb_on_gpu(solver->info.engine)) /* where it is the size of a block */
        job.threads = 1;
    job.rtol = job.rtol ? job.rtol : solver->info.rtol;
    job.atol = job.atol ? job.atol : solver->info.atol;
    answer a = {.y = kb_alloc((size_t)job.n * (q->nsp + 1), sizeof *a.y),
                .count = kb_alloc((size_t)job.n, sizeof *a.count), .n = (int)job.n};
    a.r.y = a.y;
    a.r.count = a.count;
    for (long i = 0; i < job.n * (q->nsp + 1); i++)
        a.y[i] = -12345; /* what is not written shows */
    a.code = solver->run(solver, &job, &a.r, &err);
    if (a.code != KB_OK)
        print_message("%s on %s: %s\n", solver->info.name, solver->info.engine, err.text);
    return a;
}

static inline void release(answer *a)
{
    free(a->y);
    free(a->count);
}

/* max over ODEs, T and Y of |y - ref| / (|ref| + 1e-6); a NaN is infinitely far */
static inline double distance(const problem *q, const answer *a, const answer *ref)
{
    double worst = 0;
    assert_int_equal(a->code, KB_OK);
    assert_int_equal(a->n, ref->n);
    for (int i = 0; i < a->n * (q->nsp + 1); i++) {
        double d = fabs(a->y[i] - ref->y[i]) / (fabs(ref->y[i]) + 1e-6);
        worst = d <= worst ? worst : isnan(d) ? INFINITY : d;
    }
    return worst;
}

/* row i of a and row j of b are the same bits */
static inline void assert_same(const problem *q, const answer *a, int i, const answer *b, int j)
{
    size_t size = (q->nsp + 1) * sizeof *a->y;
    assert_true(a->code == KB_OK && b->code == KB_OK);
    assert_memory_equal(a->y + i * (q->nsp + 1), b->y + j * (q->nsp + 1), size);
    assert_memory_equal(&a->count[i], &b->count[j], sizeof *a->count);
}

/* fails with the method, what was measured and its bound where it is not at most that */
static inline void at_most(const kb_solver *s, const char *what, double x, double bound)
{
    if (!(x <= bound))
        fail_msg("%s on %s: %s is %.3g, at most %.3g is promised", s->info.name, s->info.engine,
                 what, x, bound);
}

/* --- the problems of these tests, and every method of this project on them */

enum { NPROBLEMS = 3 };
static problem problems[NPROBLEMS]; /* h2, h2co by engines of any mechanism, gri30 */
#define DT 1e-6

static inline int make_problems(void **state)
{
    (void)state;
    make_problem(&problems[0], "h2", "H2:1", 1.2e-5, 61);
    make_problem_on(&problems[1], "h2co", ANY_ENGINES, "CO:1,H2:1", 1.5e-5, 61);
    make_problem(&problems[2], "gri30", "CH4:1", 7e-4, 21);
    return 0;
}

static inline int free_problems(void **state)
{
    (void)state;
    for (int i = 0; i < NPROBLEMS; i++)
        free_problem(&problems[i]);
    return 0;
}

static inline int ours(const kb_solver *s)
{
    return strncmp(s->info.name, "cvode", 5) && !kb_on_gpu(s->info.engine);
}

static inline void with_every_solver(void (*check)(const problem *q, const kb_solver *s))
{
    int checked = 0;
    for (int p = 0; p < NPROBLEMS; p++)
        for (int i = 0; i < problems[p].s->nsolvers; i++)
            if (ours(problems[p].s->solvers[i])) {
                check(&problems[p], problems[p].s->solvers[i]);
                checked++;
            }
    assert_true(checked >= 6 * NPROBLEMS);
}
