/* SPDX-License-Identifier: MIT
 *
 * CVODE as built into a mechanism's solvers: convergence, independence of ODEs, statuses,
 * invariants.
 */
#include "tests/unit/solver_problem.h"

enum { STATES = 24 };
enum { EXACT = 3, FORMS = 4 }; /* forms with an exact Jacobian come first */
static const char *const names[FORMS] = {"cvode", "cvode-klu", "cvode-dense", "cvode-paper"};

static problem h2, gri;

FIXTURE(start)
{
    make_problem(&h2, "h2", "H2:1", 1.2e-5, STATES);
    make_problem(&gri, "gri30", "CH4:1", 7e-4, STATES);
    return 0;
}

FIXTURE(finish)
{
    free_problem(&h2);
    free_problem(&gri);
    return 0;
}

static answer solve_by(const problem *q, const char *name, kb_job job)
{
    const kb_solver *solver = kb_solver_find(q->s, name, "cpu-scalar");
    assert_non_null(solver);
    return solve(q, solver, job);
}

/* the error falls with the tolerance, down to 1e-9 between 1e-12 and 1e-13; all solvers */
static void check_convergence(const problem *q, double dt)
{
    static const double rtol[3] = {1e-5, 1e-8, 1e-11};
    answer best = solve_by(q, "cvode", (kb_job){.dt = dt, .rtol = 1e-13, .atol = 1e-23});
    answer reference = solve_by(q, "cvode", (kb_job){.dt = dt, .rtol = 1e-12, .atol = 1e-22});
    double d = distance(q, &reference, &best);
    print_message("%s, dt %g s: 1e-12 against 1e-13: %.1e\n", q->s->mech, dt, d);
    assert_true(d < 2e-9);
    for (int k = 0; k < FORMS; k++) {
        double before = INFINITY;
        for (int i = 0; i < 3; i++) {
            kb_job job = {.dt = dt, .rtol = rtol[i], .atol = rtol[i] * 1e-8};
            answer a = solve_by(q, names[k], job);
            d = distance(q, &a, &reference);
            print_message("  %-12s rtol %g: error %.1e\n", names[k], rtol[i], d);
            assert_int_equal(a.code, KB_OK);
            assert_true(d < 1e4 * rtol[i]);
            assert_true(d < 0.2 * before);
            before = d;
            release(&a);
        }
    }
    release(&best);
    release(&reference);
}

TEST(convergence)
{
    check_convergence(&h2, 1e-6);
    check_convergence(&gri, 1e-6);
    check_convergence(&gri, 1e-4);
}

/* an ODE's result is the same bits in any order and on any number of threads: nothing leaks */
TEST(independence)
{
    int nsp = gri.s->nsp;
    double *reversed = kb_alloc((size_t)STATES * (nsp + 2), sizeof *reversed);
    for (int i = 0; i < STATES; i++)
        memcpy(reversed + i * (nsp + 2), gri.states + (STATES - 1 - i) * (nsp + 2),
               (nsp + 2) * sizeof *reversed);
    for (int k = 0; k < FORMS; k++) {
        kb_job job = {.n = STATES, .dt = 1e-5, .rtol = 1e-6, .atol = 1e-12};
        answer a = solve_by(&gri, names[k], job);
        job.states = reversed;
        answer b = solve_by(&gri, names[k], job);
        job.threads = 3;
        answer c = solve_by(&gri, names[k], job);
        assert_int_equal(c.code, KB_OK);
        assert_int_equal(c.r.threads, 3);
        for (int i = 0; i < STATES; i++) {
            int j = STATES - 1 - i;
            assert_memory_equal(a.y + i * (nsp + 1), b.y + j * (nsp + 1), (nsp + 1) * sizeof *a.y);
            assert_memory_equal(&a.count[i], &b.count[j], sizeof *a.count);
        }
        assert_memory_equal(b.y, c.y, STATES * (nsp + 1) * sizeof *b.y);
        release(&a);
        release(&b);
        release(&c);
    }
    free(reversed);
}

TEST(counters)
{
    answer a = solve_by(&gri, "cvode", (kb_job){.dt = 1e-4, .rtol = 1e-6, .atol = 1e-12});
    for (int i = 0; i < STATES; i++) {
        const kb_count *c = &a.count[i];
        assert_int_equal(c->status, KB_ODE_OK);
        assert_int_equal(c->attempted, c->accepted + c->rejected);
        assert_true(c->accepted > 3 && c->solve >= c->attempted && c->rhs > c->accepted);
        assert_true(c->jac >= 1 && c->lu >= c->jac && c->lu <= c->solve);
    }
    assert_true(a.r.total > 0 && a.r.lane_use == 1);
    release(&a);
}

/* The explicit first pass that does not hold costs its right-hand sides and changes nothing else;
 * one that does is an attempt of its own. */
TEST(first_pass)
{
    double values[32];
    const kb_solver *s = kb_solver_find(h2.s, "cvode", "cpu-scalar");
    kb_job job = {.dt = 1e-9, .rtol = 1e-4, .atol = 1e-10, .options = values};
    int passed = 0, failed = 0;
    for (; job.dt < 1e-4; job.dt *= 100) {
        options_with(s, "pass", 0, values);
        answer a = solve_by(&h2, "cvode", job);
        set_option(s, "pass", 1, values);
        answer b = solve_by(&h2, "cvode", job);
        for (int i = 0; i < STATES; i++) {
            kb_count *without = &a.count[i], *with = &b.count[i];
            if (with->solve == 0) {
                assert_true(with->attempted == 1 && with->accepted == 1 && with->rhs == 2);
                assert_true(with->jac == 0 && with->lu == 0);
                passed++;
                continue;
            }
            assert_true(with->rhs == without->rhs + 1 || with->rhs == without->rhs + 2);
            with->rhs = without->rhs;
            assert_memory_equal(with, without, sizeof *with);
            failed++;
        }
        release(&a);
        release(&b);
    }
    print_message("%d passed, %d did not\n", passed, failed);
    assert_true(passed > 0 && failed > 0);
}

/* Finite differences: each Jacobian costs as many evaluations as there are unknowns, and it is as
 * good a one: Newton takes about as many iterations as with the exact one. */
TEST(finite_differences)
{
    kb_job job = {.dt = 1e-4, .rtol = 1e-8, .atol = 1e-15};
    double exact[32]; /* options of cvode-paper; first_step 0: CVODE's own */
    const kb_solver *s = kb_solver_find(gri.s, "cvode-dense", "cpu-scalar");
    const kb_option *paper = kb_solver_find(gri.s, "cvode-paper", "cpu-scalar")->info.options;
    const double *options = options_with(s, "first_step", 0, exact);
    assert_non_null(options);
    for (int i = 0; paper[i].name; i++)
        assert_true(set_option(s, paper[i].name, paper[i].value, exact));
    answer a = solve_by(&gri, "cvode-paper", job);
    job.options = options;
    answer b = solve_by(&gri, "cvode-dense", job);
    long steps[2] = {0}, iterations[2] = {0};
    for (int i = 0; i < STATES; i++) {
        const kb_count *c = &a.count[i];
        assert_int_equal(c->status, KB_ODE_OK);
        assert_true(c->jac >= 1 && c->lu >= c->jac && c->lu <= c->solve);
        assert_true(c->rhs >= c->jac * (gri.s->nsp + 1) + c->solve);
        assert_true(c->rhs <= c->jac * (gri.s->nsp + 1) + c->solve + c->attempted + 10);
        steps[0] += c->attempted;
        steps[1] += b.count[i].attempted;
        iterations[0] += c->solve;
        iterations[1] += b.count[i].solve;
    }
    print_message("cvode-paper: %ld substeps and %ld iterations, with the exact Jacobian %ld, "
                  "%ld\n",
                  steps[0], iterations[0], steps[1], iterations[1]);
    assert_true(labs(steps[0] - steps[1]) < steps[1] / 20);
    assert_true(labs(iterations[0] - iterations[1]) < iterations[1] / 10);
    assert_true(distance(&gri, &a, &b) < 1e-4);
    release(&a);
    release(&b);
}

/* One Newton iteration a substep, with a fresh matrix: the answers hang on every entry of it, and
 * those of the three forms agree but for rounding. */
TEST(same_matrix)
{
    double values[32];
    const kb_solver *s = kb_solver_find(gri.s, "cvode", "cpu-scalar");
    const double *options = options_with(s, "nonlin_coef", 1e9, values);
    assert_true(set_option(s, "setup_every", 1, values) && set_option(s, "jac_every", 1, values));
    for (int reactor = 0; reactor < 2; reactor++) {
        kb_job job = {.dt = 1e-5, .rtol = 1e-4, .atol = 1e-12, .options = options,
                      .reactor = reactor ? KB_CONST_V : KB_CONST_P};
        answer a = solve_by(&gri, names[0], job);
        for (int k = 1; k < EXACT; k++) {
            answer b = solve_by(&gri, names[k], job);
            double d = distance(&gri, &b, &a);
            print_message("%s against %s, one iteration: %.1e\n", names[k], names[0], d);
            assert_true(d < 1e-9);
            release(&b);
        }
        for (int i = 0; i < STATES; i++)
            assert_true(a.count[i].solve == a.count[i].attempted);
        release(&a);
    }
}

/* one bad ODE ends with its status and changes no other */
TEST(statuses)
{
    int nsp = h2.s->nsp;
    double *bad = kb_alloc(6 * (size_t)(nsp + 2), sizeof *bad);
    for (int i = 0; i < 6; i++)
        memcpy(bad + i * (nsp + 2), h2.states + 12 * (nsp + 2), (nsp + 2) * sizeof *bad);
    bad[1 * (nsp + 2)] = NAN;
    bad[2 * (nsp + 2)] = 100;
    bad[3 * (nsp + 2) + 1] = -1;
    bad[4 * (nsp + 2) + 4] = INFINITY;
    for (int k = 0; k < FORMS; k++) {
        kb_job job = {.n = 6, .states = bad, .dt = 1e-6, .rtol = 1e-6, .atol = 1e-12};
        answer a = solve_by(&h2, names[k], job);
        static const int expected[6] = {KB_ODE_OK, KB_ODE_NOT_FINITE, KB_ODE_BOUNDS, KB_ODE_BOUNDS,
                                        KB_ODE_NOT_FINITE, KB_ODE_OK};
        assert_int_equal(a.code, KB_OK);
        for (int i = 0; i < 6; i++)
            assert_int_equal(a.count[i].status, expected[i]);
        assert_memory_equal(a.y, a.y + 5 * (nsp + 1), (nsp + 1) * sizeof *a.y);
        release(&a);
        job.max_substeps = 3;
        a = solve_by(&h2, names[k], job);
        assert_int_equal(a.count[0].status, KB_ODE_TOO_MANY);
        assert_int_equal(a.count[0].accepted, 3);
        release(&a);
    }
    free(bad);
}

/* Radicals that recombine: T leaves the window in which states make sense. */
TEST(leaves_window)
{
    int nsp = h2.s->nsp, H = kb_find_species(&h2.m, "H"), O = kb_find_species(&h2.m, "O");
    double *hot = kb_alloc(nsp + 2, sizeof *hot);
    hot[0] = 5500;
    hot[1] = 50 * KB_ATM;
    hot[2 + H] = 2 * h2.m.species[H].weight / (2 * h2.m.species[H].weight + h2.m.species[O].weight);
    hot[2 + O] = 1 - hot[2 + H];
    answer a = solve_by(&h2, "cvode", (kb_job){.n = 1, .states = hot, .dt = 1e-2, .rtol = 1e-6,
                                               .atol = 1e-12});
    assert_int_equal(a.code, KB_OK);
    assert_int_equal(a.count[0].status, KB_ODE_BOUNDS);
    release(&a);
    free(hot);
}

TEST(invariants)
{
    for (int r = 0; r < 2; r++) {
        const problem *q = &gri;
        int nsp = q->s->nsp;
        answer a = solve_by(q, "cvode", (kb_job){.dt = 1e-4, .rtol = 1e-10, .atol = 1e-18,
                                                 .reactor = r ? KB_CONST_V : KB_CONST_P});
        for (int i = 0; i < STATES; i++) {
            const double *s0 = q->states + i * (nsp + 2), *y = a.y + i * (nsp + 1);
            double before = r ? kb_mix_u(&q->m, s0[0], s0 + 2) : kb_mix_h(&q->m, s0[0], s0 + 2);
            double after = r ? kb_mix_u(&q->m, y[0], y + 1) : kb_mix_h(&q->m, y[0], y + 1);
            double scale = kb_mix_cp(&q->m, y[0], y + 1) * y[0], sum = -1;
            for (int k = 0; k < nsp; k++)
                sum += y[k + 1];
            assert_true(fabs(sum) < 1e-10);
            assert_true(fabs(after - before) < 1e-8 * scale);
            for (int e = 0; e < q->m.nelements; e++) {
                double atoms = 0, was = 0;
                for (int k = 0; k < nsp; k++) {
                    atoms += y[k + 1] * q->m.species[k].atoms[e] / q->s->W[k];
                    was += s0[k + 2] * q->m.species[k].atoms[e] / q->s->W[k];
                }
                assert_true(fabs(atoms - was) < 1e-10 * (was + 1e-3));
            }
        }
        release(&a);
    }
}

/* the trajectory without restarts passes through the cold-started answer */
TEST(trajectory_agrees)
{
    int nsp = gri.s->nsp;
    answer a = solve_by(&gri, "cvode", (kb_job){.dt = 2e-5, .rtol = 1e-11, .atol = 1e-20});
    double t[3] = {0, 1e-5, 2e-5}, *y = kb_alloc(3 * (size_t)(nsp + 1), sizeof *y);
    for (int i = 0; i < STATES; i += 6) {
        const double *s0 = gri.states + i * (nsp + 2), *end = a.y + i * (nsp + 1);
        assert_int_equal(gri.s->trajectory(gri.s, s0, KB_CONST_P, 1e-11, 1e-20, 3, t, y, NULL),
                         KB_OK);
        assert_true(y[0] == s0[0]);
        for (int k = 0; k <= nsp; k++)
            assert_true(fabs(y[2 * (nsp + 1) + k] - end[k]) <= 1e-7 * (fabs(end[k]) + 1e-6));
    }
    double cold[64] = {20, KB_ATM, 1};
    assert_fails(gri.s->trajectory(gri.s, cold, KB_CONST_P, 1e-8, 1e-15, 3, t, y, &err), KB_INVALID,
                 "T = 20 K");
    free(y);
    release(&a);
}

TEST(options_count)
{
    double values[32];
    const kb_solver *s = kb_solver_find(h2.s, "cvode", "cpu-scalar");
    kb_job job = {.dt = 1e-5, .rtol = 1e-6, .atol = 1e-12};
    answer five = solve_by(&h2, "cvode", job);
    job.options = options_with(s, "max_order", 1, values);
    answer one = solve_by(&h2, "cvode", job);
    assert_true(one.count[0].accepted > 2 * five.count[0].accepted);
    job.options = options_with(s, "max_order", 9, values);
    answer nine = solve_by(&h2, "cvode", job);
    assert_int_equal(nine.code, KB_INVALID);
    job = (kb_job){.n = 1, .states = h2.states, .dt = 1e-5, .rtol = 1e-6, .threads = 1};
    assert_int_equal(s->run(s, &job, &five.r, NULL), KB_INVALID); /* atol 0 */
    release(&five);
    release(&one);
    release(&nine);
}

TEST(stops)
{
    int now = 1;
    kb_job job = {.dt = 1e-5, .rtol = 1e-6, .atol = 1e-12, .stop = &now};
    answer a = solve_by(&h2, "cvode", job);
    assert_int_equal(a.code, KB_INTERRUPTED);
    release(&a);
}

TESTS(start, finish)
