/* SPDX-License-Identifier: MIT
 *
 * The solvers of whole mechanisms by evaluation.h; times of their parts.
 */
#include <malloc.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#include "tests/test.h"
#include "tests/unit/evaluation.h"
#include "tests/unit/solver_options.h"

static void check_on(const kb_solvers *s, const kb_error *err, const char *name, const char *file,
                     const char *thermo, int n, int n_J)
{
    int singular = strcmp(name, "rate_types") == 0 || strcmp(name, "models") == 0;
    if (!s)
        fail_msg("%s", err->text);
    check_solvers(name, s, file, thermo, n, n_J, singular, 1);
}

static void check_mechanism(const char *name, const char *file, const char *thermo, int n, int n_J)
{
    kb_error err;
    check_on(kb_solvers_open(name, &err), &err, name, file, thermo, n, n_J);
}

TEST(h2)
{
    check_mechanism("h2", DATASETS "h2.yaml", NULL, 203, 100);
}

TEST(h2co)
{
    check_mechanism("h2co", DATASETS "h2co.yaml", NULL, 203, 50);
}

TEST(gri30)
{
    check_mechanism("gri30", DATASETS "gri30.yaml", NULL, 101, 12);
}

TEST(every_rate_type)
{
    check_mechanism("rate_types", "tests/data/rate_types.yaml", NULL, 203, 100);
}

/* NASA-9, Shomate, constant-cp, Tsang, Blowers-Masel, linear-Burke; species in steady state */
TEST(every_model)
{
    setenv("KB_QSS", "tests/data/models.qss", 1);
    check_mechanism("models", "tests/data/cantera_types.yaml", NULL, 203, 100);
    unsetenv("KB_QSS");
}

/* a large one, by engines of any mechanism: its straight-line code takes a compiler a minute */
TEST(usc2)
{
    kb_error err;
    const char *folder = getenv("KB_MECH_PATH");
    if (!folder) {
        print_message("KB_MECH_PATH is not set: no USC Mech II\n");
        skip();
    }
    kb_owned char *file = kb_format("%s/usc2/mech.inp", folder);
    kb_owned char *thermo = kb_format("%s/usc2/therm.dat", folder);
    kb_owned char *named = kb_format("usc2=%s,%s", file, thermo);
    const kb_solvers *s = kb_solvers_read(ANY_ENGINES, named, &err);
    check_on(s, &err, "usc2", file, thermo, 33, 3);
    s->close(s);
}

/* of fewer states than a vector has lanes, too */
TEST(times_of_parts)
{
    static const char *const engines[] = {"cpu-scalar", "cpu-simd"};
    const kb_solvers *s;
    assert_works(!(s = kb_solvers_open("h2", &err)));
    kb_owned double *states = kb_alloc(9 * (size_t)(s->nsp + 2), sizeof *states);
    for (int i = 0; i < 9; i++) {
        double *row = states + i * (s->nsp + 2);
        row[0] = 1200 + 10 * i;
        row[1] = 101325;
        row[2] = 1;
    }
    for (int e = 0; e < 2; e++)
        for (long n = 0; n <= 9; n++) {
            kb_micro part[8];
            int parts = s->micro(s, engines[e], states, n, part);
            assert_int_equal(parts, n ? 4 : 0);
            for (int k = 0; k < parts; k++)
                assert_true(isfinite(part[k].seconds) && part[k].seconds < 1);
        }
}

static const struct itimerval soon = {.it_value = {0, 200}}, never;

/* the next signal comes after 0.2 ms of what was disturbed: a timer of its own interval would have
 * it ready at once, and the program would do nothing else */
static void asleep(int signal)
{
    (void)signal;
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
}

/* A program that waits takes no processor time: with a sleep of 50 ms every now and then, which by
 * the clock is 0.1 ms and more for one ODE */
TEST(times_are_of_the_processor)
{
    const kb_solvers *s;
    assert_works(!(s = kb_solvers_open("h2", &err)));
    double *states = kb_alloc(9 * (size_t)(s->nsp + 2), sizeof *states), most = 0;
    for (int i = 0; i < 9; i++) {
        states[i * (s->nsp + 2)] = 1200;
        states[i * (s->nsp + 2) + 1] = 101325;
        states[i * (s->nsp + 2) + 2] = 1;
    }
    signal(SIGALRM, asleep);
    setitimer(ITIMER_REAL, &soon, NULL);
    for (int call = 0; call < 10; call++) {
        kb_micro part[8];
        int parts = s->micro(s, "cpu-scalar", states, 9, part);
        for (int k = 0; k < parts; k++)
            most = larger(most, part[k].seconds);
    }
    setitimer(ITIMER_REAL, &never, NULL);
    signal(SIGALRM, SIG_DFL);
    assert_true(most > 0 && most < 3e-4);
    free(states);
}

TEST(a_refused_state_keeps_no_memory)
{
    static const kb_state_limits limits = {-1e-6, 1e-6};
    double y[10] = {-5, 1}, p = 1e5, dy[10];
    kb_error err = {0};
    const kb_solvers *s = kb_solvers_open("h2", &err);
    kb_evaluation e = {.n = 1, .y = y, .p = &p, .dy = dy, .limits = &limits};
    assert_non_null(s);
    assert_int_equal(s->nsp, 9);
    for (int g = 0; g < 2; g++) {
        assert_int_not_equal(s->evaluate(s, engines[g], &e, &err), KB_OK);
        size_t before = mallinfo2().uordblks;
        for (int k = 0; k < 10; k++)
            s->evaluate(s, engines[g], &e, &err);
        assert_int_equal(mallinfo2().uordblks, before);
    }
}

TESTS(NULL, NULL)
