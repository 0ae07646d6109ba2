/* SPDX-License-Identifier: MIT
 *
 * How ODEs end on the CPU engines: bad states, limits, explosions and interruption, and that none
 * of these disturbs the ODEs beside it.
 */
#include <signal.h>
#include <sys/time.h>

#include "tests/test.h"
#include "tests/unit/solver_problem.h"

/* Bad states between good ones end at once with the right status and their own values; the results
 * of the good ones are the same. */
static void bad_between_good(const problem *q, const kb_solver *s, kb_job job)
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
        job.schedule = schedule ? KB_REFILL : KB_STATIC;
        answer clean = solve(q, s, job);
        kb_job all = job;
        all.states = states;
        all.n = ALL;
        answer a = solve(q, s, all);
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

static void check_bad_states(const problem *q, const kb_solver *s)
{
    bad_between_good(q, s, (kb_job){.dt = DT});
    double values[32];
    const double *options = options_with(s, "pass", 1, values); /* the explicit first pass */
    for (int reactor = 0; reactor < 2 && options; reactor++) /* some pass, some do not */
        bad_between_good(q, s, (kb_job){.dt = 1e-9, .rtol = 1e-2, .atol = 1e-8, .threads = 2,
                                        .options = options, .reactor = (kb_reactor)reactor});
}

TEST(bad_states)
{
    with_every_solver(check_bad_states);
}

static void all_end_with(const answer *a, int status)
{
    for (int i = 0; i < a->n; i++)
        assert_int_equal(a->count[i].status, status);
}

/* a method of fixed substeps is given many, so that it has something to be stopped in */
static const double *long_way(const kb_solver *s)
{
    static const double substeps[] = {1e6};
    return s->info.promise.fixed ? substeps : NULL;
}

/* a limit that no ODE can keep: each ends with its status, with finite values */
static void check_limits(const problem *q, const kb_solver *s)
{
    answer a = solve(q, s, (kb_job){.n = 11, .dt = 1, .max_substeps = 3, .options = long_way(s)});
    all_end_with(&a, KB_ODE_TOO_MANY);
    for (int i = 0; i < a.n; i++)
        assert_int_equal(a.count[i].attempted, 3);
    release(&a);
    a = solve(q, s, (kb_job){.n = 11, .dt = DT, .rtol = 1e-25, .atol = 1e-60,
                             .max_substeps = 3000, .options = long_way(s)});
    for (int i = 0; i < a.n; i++) {
        int status = a.count[i].status;
        assert_true(status == KB_ODE_TOO_MANY || status == KB_ODE_STEP_SMALL ||
                    status == KB_ODE_NEWTON);
        assert_true(a.count[i].attempted <= 3000);
        for (int k = 0; k <= q->nsp; k++)
            assert_true(isfinite(a.y[i * (q->nsp + 1) + k]));
    }
    release(&a);
}

TEST(limits)
{
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
    assert_int_equal(a.count[4].status, KB_ODE_BOUNDS);
    assert_true(a.y[4 * (row - 1)] > 5900 && a.y[4 * (row - 1)] < 6010);
    for (int i = 0; i < 9; i++)
        if (i != 4)
            assert_same(q, &a, i, &clean, i);
    free(states);
    release(&clean);
    release(&a);
}

TEST(explosion)
{
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
                                    .threads = 2, .options = long_way(s)});
    assert_int_equal(a.code, KB_INTERRUPTED);
    assert_true(seconds() - begin < 2);
    assert_true(a.y[(MANY - 1) * (row - 1)] == -12345);
    free(states);
    release(&a);
}

TEST(stops)
{
    with_every_solver(check_stop);
}

/* the engines' memory, as often as `left` says */
enum { ALWAYS = 1000000000 };
static int left = ALWAYS;
void *aligned_alloc(size_t alignment, size_t size)
{
    void *memory = NULL;
    return left-- > 0 && !posix_memalign(&memory, alignment, size) ? memory : NULL;
}

/* memory gives out at the first piece, at the second ..., until all is there */
static void each_piece(const problem *q, const kb_solver *s, const char *option, double value)
{
    enum { ODES = 3, MOST = 9 };
    double values[32], *y = kb_alloc(ODES * (size_t)(q->nsp + 1), sizeof *y);
    kb_count count[ODES] = {{.status = -1}, {.status = -1}, {.status = -1}};
    kb_job job = {.n = ODES, .states = q->states, .dt = 1e-8, .rtol = 1e-4, .atol = 1e-10,
                  .threads = 1, .options = option ? options_with(s, option, value, values) : NULL};
    kb_result r = {.y = y, .count = count};
    kb_error err = {0};
    char expected[100];
    bool cvode = !strncmp(s->info.name, "cvode", 5);
    snprintf(expected, sizeof expected, cvode ? "cvode: SUNDIALS cannot be set up (out of memory?)"
                                              : "no memory for 1 of 1 threads of %s", s->info.name);
    int pieces = 0;
    for (left = 0; s->run(s, &job, &r, &err); left = ++pieces) {
        assert_string_equal(err.text, expected);
        assert_true(err.code == KB_INVALID && pieces < MOST && count[0].status == -1);
    }
    left = ALWAYS;
    if (pieces < 1 + (option && !cvode))
        fail_msg("%s on %s takes %d pieces", s->info.name, s->info.engine, pieces);
    for (int i = 0; i < ODES; i++)
        assert_int_equal(count[i].status, KB_ODE_OK);
    free(y);
}

TEST(without_memory)
{
    const problem *q = &problems[0];
    for (int i = 0; i < q->s->nsolvers; i++) {
        const kb_solver *s = q->s->solvers[i];
        double unused[32];
        if (strncmp(s->info.engine, "cpu", 3) != 0)
            continue;
        each_piece(q, s, NULL, 0);
        if (options_with(s, "pass", 1, unused))
            each_piece(q, s, "pass", 1);
        if (options_with(s, "drop", 1, unused))
            each_piece(q, s, "drop", 1e-3);
    }
}

TESTS(make_problems, free_problems)
