/* SPDX-License-Identifier: MIT
 *
 * Every method on the CPU engines: accuracy against CVODE, counters, schedules, order and threads that
 * change nothing, invariants, and how bad states end.
 */
#include <sys/time.h>
#include <signal.h>

#include "solver_problem.h"

enum { NPROBLEMS = 3 };
static problem problems[NPROBLEMS]; /* h2, h2co, gri30 */
#define DT 1e-6

static int make_problems(void **state)
{
    (void)state;
    make_problem(&problems[0], "h2", "H2:1", 1.2e-5, 61);
    make_problem(&problems[1], "h2co", "CO:1,H2:1", 1.5e-5, 61);
    make_problem(&problems[2], "gri30", "CH4:1", 7e-4, 21);
    return 0;
}

static int free_problems(void **state)
{
    (void)state;
    for (int i = 0; i < NPROBLEMS; i++)
        free_problem(&problems[i]);
    return 0;
}

static int ours(const kb_solver *s)
{
    return strncmp(s->info.name, "cvode", 5) && strncmp(s->info.engine, "gpu", 3);
}

static void with_every_solver(void (*check)(const problem *q, const kb_solver *s))
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

static answer reference(const problem *q, kb_job job)
{
    job.rtol = 1e-12;
    job.atol = 1e-22;
    return solve(q, kb_solver_find(q->s, "cvode", "cpu-scalar"), job);
}

/* the error that a method promises at its default tolerance over one global step of 1e-6 s */
static double promised(const kb_solver *s)
{
    return !strcmp(s->info.name, "rkck") ? 1e-8 : !strcmp(s->info.name, "rkc") ? 5e-3 : 2e-4;
}

static void check_accuracy(const problem *q, const kb_solver *s)
{
    answer exact = reference(q, (kb_job){.dt = DT}), a = solve(q, s, (kb_job){.dt = DT});
    double d = distance(q, &a, &exact), tight;
    release(&a);
    a = solve(q, s, (kb_job){.dt = DT, .rtol = s->info.rtol / 100, .atol = s->info.atol / 100});
    tight = distance(q, &a, &exact);
    print_message("%-6s %-10s %-6s rtol %g: error %.1e, rtol %g: %.1e\n", q->s->mech, s->info.engine,
                  s->info.name, s->info.rtol, d, s->info.rtol / 100, tight);
    assert_int_equal(a.code, KB_OK);
    assert_true(d <= promised(s));
    assert_true(tight <= fmax(0.3 * d, 1e-8));
    release(&a);
    release(&exact);
}

static void accuracy(void **state)
{
    (void)state;
    with_every_solver(check_accuracy);
}

static void check_count(const kb_solver *s, const kb_count *c)
{
    int n = c->attempted;
    assert_int_equal(c->status, KB_ODE_OK);
    assert_true(c->accepted >= 1 && c->rejected >= 0);
    assert_int_equal(n, c->accepted + c->rejected);
    if (!strcmp(s->info.name, "rodas4")) {
        assert_int_equal(c->rhs, 6 * n);
        assert_int_equal(c->solve, 6 * n);
        assert_true(c->jac == n && c->lu == n);
    } else {
        assert_true(c->jac == 0 && c->lu == 0 && c->solve == 0);
        if (!strcmp(s->info.name, "rkck"))
            assert_int_equal(c->rhs, 6 * n);
        else
            assert_true(c->rhs >= 1 + 3 + 2 * n); /* f0, first step and power method, 2 stages */
    }
}

static void check_schedules(const problem *q, const kb_solver *s)
{
    answer a = solve(q, s, (kb_job){.dt = DT});
    answer b = solve(q, s, (kb_job){.dt = DT, .schedule = KB_REFILL});
    for (int i = 0; i < q->n; i++) {
        assert_same(q, &a, i, &b, i);
        check_count(s, &a.count[i]);
    }
    assert_true(a.r.total > 0 && a.r.lanes == s->info.lanes && a.r.threads == 1);
    if (s->info.lanes == 1)
        assert_true(a.r.lane_use == 1 && b.r.lane_use == 1);
    else
        assert_true(a.r.lane_use < b.r.lane_use && b.r.lane_use <= 1);
    print_message("%-6s %-10s %-6s lane use: static %.2f, refill %.2f\n", q->s->mech, s->info.engine,
                  s->info.name, a.r.lane_use, b.r.lane_use);
    release(&a);
    release(&b);
}

static void schedules_agree(void **state)
{
    (void)state;
    with_every_solver(check_schedules);
}

/* neither the order of the states nor the threads reach an ODE's bits */
static void check_independence(const problem *q, const kb_solver *s)
{
    int row = q->nsp + 2, n = q->n;
    double *turned = kb_alloc((size_t)n * row, sizeof *turned);
    for (int i = 0; i < n; i++)
        memcpy(turned + i * row, q->states + (7 * i + 3) % n * row, row * sizeof *turned);
    for (int schedule = 0; schedule < 2; schedule++) {
        kb_job job = {.dt = DT, .schedule = schedule ? KB_REFILL : KB_STATIC};
        answer a = solve(q, s, job);
        job.threads = 2;
        answer b = solve(q, s, job);
        job.states = turned;
        job.n = n;
        answer c = solve(q, s, job);
        job.n = 3; /* fewer than lanes */
        answer d = solve(q, s, job);
        assert_int_equal(b.r.threads, 2);
        for (int i = 0; i < n; i++) {
            assert_same(q, &a, i, &b, i);
            assert_same(q, &a, (7 * i + 3) % n, &c, i);
            if (i < 3)
                assert_same(q, &c, i, &d, i);
        }
        release(&a);
        release(&b);
        release(&c);
        release(&d);
    }
    free(turned);
}

static void odes_are_independent(void **state)
{
    (void)state;
    with_every_solver(check_independence);
}

/* the same algorithm on both: substeps differ only where rounding tips a decision */
static void check_engines(const problem *q, const kb_solver *s)
{
    if (strcmp(s->info.engine, "cpu-scalar"))
        return;
    const kb_solver *simd = kb_solver_find(q->s, s->info.name, "cpu-simd");
    assert_non_null(simd);
    answer a = solve(q, s, (kb_job){.dt = DT}), b = solve(q, simd, (kb_job){.dt = DT});
    int differ = 0;
    for (int i = 0; i < q->n; i++)
        differ += a.count[i].attempted != b.count[i].attempted;
    double d = distance(q, &a, &b);
    print_message("%-6s %-6s: %d of %d ODEs differ in substeps; results apart by %.1e\n", q->s->mech,
                  s->info.name, differ, q->n, d);
    assert_true(differ <= q->n / 10);
    assert_true(d <= 0.1 * promised(s));
    release(&a);
    release(&b);
}

static void engines_agree(void **state)
{
    (void)state;
    with_every_solver(check_engines);
}

/* what a global step changes in what it must keep, relative: mass, elements, enthalpy (by cp T) */
static void drift(const problem *q, const double *before, const double *after, double *mass,
                  double *elements, double *enthalpy)
{
    double sum = 0;
    for (int k = 0; k < q->nsp; k++)
        sum += after[k + 1] - before[k + 2];
    *mass = fmax(*mass, fabs(sum));
    for (int e = 0; e < q->m.nelements; e++) {
        double was = 0, change = 0;
        for (int k = 0; k < q->nsp; k++) {
            double atoms = q->m.species[k].atoms[e] / q->s->W[k];
            was += before[k + 2] * atoms;
            change += (after[k + 1] - before[k + 2]) * atoms;
        }
        if (was > 0)
            *elements = fmax(*elements, fabs(change) / was);
    }
    double h = kb_mix_h(&q->m, after[0], after + 1) - kb_mix_h(&q->m, before[0], before + 2);
    *enthalpy = fmax(*enthalpy, fabs(h) / (kb_mix_cp(&q->m, after[0], after + 1) * after[0]));
}

/* All three methods keep linear invariants. Enthalpy is not linear in (T, Y): its drift is an error of the
 * method like any other, and must fall with the tolerance. */
static void check_invariants(const problem *q, const kb_solver *s)
{
    double enthalpy[2] = {0};
    for (int tight = 0; tight < 2; tight++) {
        double mass = 0, elements = 0, scale = tight ? 1e-2 : 1;
        answer a = solve(q, s, (kb_job){.dt = DT, .rtol = scale * s->info.rtol,
                                        .atol = scale * s->info.atol});
        for (int i = 0; i < q->n; i++)
            drift(q, q->states + i * (q->nsp + 2), a.y + i * (q->nsp + 1), &mass, &elements,
                  &enthalpy[tight]);
        print_message("%-6s %-10s %-6s rtol %g: drift of mass %.1e, elements %.1e, enthalpy %.1e\n",
                      q->s->mech, s->info.engine, s->info.name, scale * s->info.rtol, mass, elements,
                      enthalpy[tight]);
        assert_true(mass <= 1e-12 && elements <= 1e-12);
        release(&a);
    }
    assert_true(enthalpy[0] <= s->info.rtol);
    assert_true(enthalpy[1] <= fmax(0.3 * enthalpy[0], 1e-10));
}

static void invariants(void **state)
{
    (void)state;
    with_every_solver(check_invariants);
}

/* Bad states between good ones end at once with the right status and their own values; the good ones
 * do not notice. */
static void check_bad_states(const problem *q, const kb_solver *s)
{
    enum { BAD = 7, GOOD = 13, ALL = BAD + GOOD };
    static const int at[BAD] = {0, 3, 4, 9, 10, 11, 18};
    static const int expected[BAD] = {KB_ODE_NOT_FINITE, KB_ODE_BOUNDS, KB_ODE_BOUNDS,
                                      KB_ODE_NOT_FINITE, KB_ODE_BOUNDS, KB_ODE_NOT_FINITE,
                                      KB_ODE_NOT_FINITE};
    int row = q->nsp + 2, from[ALL], bad[ALL] = {0};
    double *states = kb_alloc(ALL * (size_t)row, sizeof *states);
    for (int i = 0, good = 0, b = 0; i < ALL; i++) {
        from[i] = good;
        memcpy(states + i * row, q->states + good * row, row * sizeof *states);
        if (b < BAD && at[b] == i)
            bad[i] = ++b;
        else
            good++;
    }
    states[at[0] * row] = NAN;
    states[at[1] * row] = 0;
    states[at[2] * row + 1] = -101325;
    states[at[3] * row + 4] = NAN;
    states[at[4] * row] = -300;
    states[at[5] * row + 3] = INFINITY;
    states[at[6] * row + 1] = NAN;
    for (int schedule = 0; schedule < 2; schedule++) {
        kb_job job = {.dt = DT, .schedule = schedule ? KB_REFILL : KB_STATIC};
        answer clean = solve(q, s, job);
        job.states = states;
        job.n = ALL;
        answer a = solve(q, s, job);
        assert_int_equal(a.code, KB_OK);
        for (int i = 0; i < ALL; i++) {
            if (!bad[i]) {
                assert_same(q, &a, i, &clean, from[i]);
                continue;
            }
            assert_int_equal(a.count[i].status, expected[bad[i] - 1]);
            assert_int_equal(a.count[i].attempted, 0);
            assert_memory_equal(a.y + i * (row - 1), states + i * row, sizeof *states);
            assert_memory_equal(a.y + i * (row - 1) + 1, states + i * row + 2,
                                q->nsp * sizeof *states);
        }
        release(&clean);
        release(&a);
    }
    free(states);
}

static void bad_states(void **state)
{
    (void)state;
    with_every_solver(check_bad_states);
}

static void all_end_with(const answer *a, int status)
{
    for (int i = 0; i < a->n; i++)
        assert_int_equal(a->count[i].status, status);
}

/* a limit that no ODE can keep: each ends with its status, with finite values */
static void check_limits(const problem *q, const kb_solver *s)
{
    answer a = solve(q, s, (kb_job){.n = 11, .dt = 1, .max_substeps = 3});
    all_end_with(&a, KB_ODE_TOO_MANY);
    for (int i = 0; i < a.n; i++)
        assert_int_equal(a.count[i].attempted, 3);
    release(&a);
    a = solve(q, s, (kb_job){.n = 11, .dt = DT, .rtol = 1e-25, .atol = 1e-60, .max_substeps = 3000});
    for (int i = 0; i < a.n; i++) {
        assert_true(a.count[i].status == KB_ODE_TOO_MANY || a.count[i].status == KB_ODE_STEP_SMALL ||
                    a.count[i].status == KB_ODE_NEWTON);
        assert_true(a.count[i].attempted <= 3000);
        for (int k = 0; k <= q->nsp; k++)
            assert_true(isfinite(a.y[i * (q->nsp + 1) + k]));
    }
    release(&a);
}

static void limits(void **state)
{
    (void)state;
    with_every_solver(check_limits);
}

/* Radicals that recombine at 5990 K: T leaves the window, and the good neighbours do not notice. */
static void check_explosion(const problem *q, const kb_solver *s)
{
    int row = q->nsp + 2, H = kb_find_species(&q->m, "H"), O = kb_find_species(&q->m, "O");
    double *states = kb_alloc(9 * (size_t)row, sizeof *states), *hot = states + 4 * row;
    double WH = 2 * q->m.species[H].weight, WO = q->m.species[O].weight;
    memcpy(states, q->states, 9 * row * sizeof *states);
    memset(hot, 0, row * sizeof *hot);
    hot[0] = 5990;
    hot[1] = 50 * KB_ATM;
    hot[2 + H] = WH / (WH + WO);
    hot[2 + O] = WO / (WH + WO);
    answer clean = solve(q, s, (kb_job){.n = 9, .dt = DT});
    answer a = solve(q, s, (kb_job){.states = states, .n = 9, .dt = DT, .max_substeps = 100000});
    print_message("%-6s %-10s %-6s explosion from 5990 K: '%s' at %.1f K after %d substeps\n",
                  q->s->mech, s->info.engine, s->info.name, kb_ode_status_name(a.count[4].status),
                  a.y[4 * (row - 1)], a.count[4].attempted);
    assert_true(a.count[4].status == KB_ODE_BOUNDS || a.count[4].status == KB_ODE_STEP_SMALL);
    assert_true(a.y[4 * (row - 1)] > 5900 && a.y[4 * (row - 1)] < 6010);
    for (int i = 0; i < 9; i++)
        if (i != 4)
            assert_same(q, &a, i, &clean, i);
    free(states);
    release(&clean);
    release(&a);
}

static void explosion(void **state)
{
    (void)state;
    with_every_solver(check_explosion);
}

static volatile int stop_now;

static void alarm_rings(int signal)
{
    (void)signal;
    stop_now = 1;
}

static double seconds(void)
{
    struct timeval t;
    gettimeofday(&t, NULL);
    return t.tv_sec + 1e-6 * t.tv_usec;
}

/* a flag raised after 20 ms ends a run that would take ten times that at least, and at once */
static void check_stop(const problem *q, const kb_solver *s)
{
    enum { MANY = 20000 };
    int row = q->nsp + 2;
    struct itimerval in = {.it_value = {.tv_usec = 20000}};
    double begin = seconds(), *states = kb_alloc(MANY * (size_t)row, sizeof *states);
    for (int i = 0; i < MANY; i++)
        memcpy(states + i * row, q->states + i % q->n * row, row * sizeof *states);
    stop_now = 0;
    signal(SIGALRM, alarm_rings);
    setitimer(ITIMER_REAL, &in, NULL);
    answer a = solve(q, s, (kb_job){.states = states, .n = MANY, .dt = 1e-3, .stop = &stop_now,
                                    .threads = 2});
    assert_int_equal(a.code, KB_INTERRUPTED);
    assert_true(seconds() - begin < 2);
    assert_true(a.y[(MANY - 1) * (row - 1)] == -12345);
    free(states);
    release(&a);
}

static void stops(void **state)
{
    (void)state;
    with_every_solver(check_stop);
}

static void check_constant_volume(const problem *q, const kb_solver *s)
{
    kb_job job = {.dt = DT, .reactor = KB_CONST_V};
    answer exact = reference(q, job), a = solve(q, s, job);
    double d = distance(q, &a, &exact);
    job.reactor = KB_CONST_P;
    answer other = solve(q, s, job);
    print_message("%-6s %-10s %-6s constant volume: error %.1e (constant pressure: off by %.1e)\n",
                  q->s->mech, s->info.engine, s->info.name, d, distance(q, &other, &exact));
    assert_true(d <= promised(s));
    assert_true(distance(q, &other, &exact) > 3 * d);
    release(&exact);
    release(&other);
    release(&a);
}

static void constant_volume(void **state)
{
    (void)state;
    with_every_solver(check_constant_volume);
}

/* rodas4's first step, as a fraction of dt */
static void options_count(void **state)
{
    (void)state;
    double h0 = 1e-4;
    const problem *q = &problems[0];
    const kb_solver *s = kb_solver_find(q->s, "rodas4", "cpu-simd");
    assert_string_equal(s->info.options[0].name, "h0");
    answer a = solve(q, s, (kb_job){.dt = DT}), b = solve(q, s, (kb_job){.dt = DT, .options = &h0});
    assert_true(b.count[0].accepted > a.count[0].accepted);
    release(&a);
    release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accuracy), cmocka_unit_test(schedules_agree),
        cmocka_unit_test(odes_are_independent), cmocka_unit_test(engines_agree),
        cmocka_unit_test(invariants), cmocka_unit_test(bad_states), cmocka_unit_test(limits),
        cmocka_unit_test(explosion), cmocka_unit_test(stops), cmocka_unit_test(constant_volume),
        cmocka_unit_test(options_count),
    };
    return cmocka_run_group_tests(tests, make_problems, free_problems);
}
