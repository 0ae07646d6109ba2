/* SPDX-License-Identifier: MIT
 *
 * The reaction step of generators by made-up solvers: what the first leaves undone, the second gets
 * from where it was; what neither can do is named.
 */
#include "tests/test.h"
#include "pasr/generators/common/react.h"

enum { SPECIES = 2, STATE = SPECIES + 2, STATES = 4 };

static int hopeless; /* the state that no solver can do, -1: none */

/* T grows by 1, the first species by dt: but of states of odd numbers (their first fraction) */
static int halves(const kb_solver *self, const kb_job *job, kb_result *result, kb_error *err)
{
    (void)self, (void)err;
    for (long i = 0; i < job->n; i++) {
        const double *s = job->states + i * STATE;
        double *y = result->y + i * (SPECIES + 1);
        int odd = (int)s[2] % 2;
        result->count[i] = (kb_count){.status = odd ? KB_ODE_NEWTON : KB_ODE_OK, .attempted = 3};
        y[0] = odd ? -1 : s[0] + 1;
        y[1] = odd ? -1 : s[2] + job->dt;
        y[2] = odd ? -1 : s[3];
    }
    return KB_OK;
}

/* all but the hopeless one; T grows by 2 */
static int all(const kb_solver *self, const kb_job *job, kb_result *result, kb_error *err)
{
    (void)self, (void)err;
    for (long i = 0; i < job->n; i++) {
        const double *s = job->states + i * STATE;
        double *y = result->y + i * (SPECIES + 1);
        int lost = (int)s[2] == hopeless;
        result->count[i] = (kb_count){.status = lost ? KB_ODE_BOUNDS : KB_ODE_OK, .attempted = 5};
        y[0] = s[0] + 2;
        y[1] = s[2] + job->dt;
        y[2] = s[3];
    }
    return KB_OK;
}

static const kb_solver first = {.info = {.name = "rodas4", .engine = "cpu-simd"}, .run = halves},
                       second = {.info = {.name = "cvode", .engine = "cpu-scalar"}, .run = all};
static const kb_solver *const both[] = {&first, &second};
static const kb_solvers made_up = {
    .mech = "made-up", .nsp = SPECIES, .solvers = both, .nsolvers = 2};

/* number i: T = 100 i, p = 10 i, Y = (i, 0.5) */
static void put_states(double *states)
{
    for (int i = 0; i < STATES; i++) {
        double *s = states + i * STATE;
        s[0] = 100 * i;
        s[1] = 10 * i;
        s[2] = i;
        s[3] = 0.5;
    }
}

TEST(each_by_the_solver_that_can)
{
    kb_react x;
    kb_reacted sum = {0};
    double states[STATES * STATE];
    hopeless = -1;
    put_states(states);
    assert_works(kb_react_open(&x, &made_up, STATES, 1e-6, 1e-10, 1, NULL, &err));
    assert_works(kb_react_step(&x, states, 0.25, &sum, &err));
    for (int i = 0; i < STATES; i++) {
        const double *s = states + i * STATE;
        assert_true(s[0] == 100 * i + 1 + i % 2 && s[1] == 10 * i);
        assert_true(s[2] == i + 0.25 && s[3] == 0.5);
    }
    assert_true(sum.odes == STATES && sum.redone == 2 && sum.attempts == 2 * 3 + 2 * 5);
    kb_react_close(&x);
}

TEST(what_none_can_do_is_named)
{
    kb_react x;
    kb_reacted sum = {0};
    double states[STATES * STATE], before[STATES * STATE];
    hopeless = 3;
    put_states(states);
    memcpy(before, states, sizeof before);
    assert_works(kb_react_open(&x, &made_up, STATES, 1e-6, 1e-10, 1, NULL, &err));
    assert_fails(kb_react_step(&x, states, 0.25, &sum, &err), KB_INVALID,
                 "state 3 (T = 300 K, p = 30 Pa, dt = 0.25 s)");
    assert_memory_equal(states, before, sizeof states);
    kb_react_close(&x);
}

TEST(both_solvers_are_wanted)
{
    for (int missing = 0; missing < 2; missing++) {
        kb_solvers one = made_up;
        kb_react x;
        one.solvers = both + !missing;
        one.nsolvers = 1;
        assert_fails(kb_react_open(&x, &one, STATES, 1e-6, 1e-10, 1, NULL, &err), KB_INVALID,
                     "made-up lack rodas4");
    }
}

TESTS(NULL, NULL)
