/* SPDX-License-Identifier: MIT
 *
 * A method by a team of threads against the same method on one thread: the sums are taken in
 * another order, so the substeps are the same but for a rare flip, and the results agree far below
 * the tolerance. Under the thread sanitizer (as tests.mk builds it) a missing team_sync is a data
 * race and fails the test.
 */
#include "tests/test.h"
#include "solvers/portable/lane.h"
#include "constants.h"
#include "tests/team/team_run.h"

enum { ODES = NSP > 20 ? 3 : 6, STATE = NSP + 2 };

/* hot mixtures of every species */
static void make_states(double *states)
{
    unsigned long seed = 1;
    for (int k = 0; k < ODES; k++) {
        double *s = states + k * STATE, sum = 0;
        s[0] = 1100 + 250 * k;
        s[1] = 101325 * (1 + k);
        for (int i = 0; i < NSP; i++) {
            seed = seed * 6364136223846793005UL + 1442695040888963407UL;
            sum += s[2 + i] = (i < 6 ? 1 : 1e-3) * (double)(seed >> 40) / (1 << 24);
        }
        for (int i = 0; i < NSP; i++)
            s[2 + i] /= sum;
    }
}

/* returns how many the first pass did */
static int compare(kb_reactor reactor, double dt, double rtol, int pass)
{
    static double states[ODES * STATE], y[2][ODES * (NSP + 1)];
    static kb_count count[2][ODES];
    make_states(states);
    states[2 * STATE] = 0; /* impossible: ends with a status, its neighbours do not notice */
    team_job job = {ODES, states, dt, rtol, 1e-10, reactor, pass, reactor == KB_CONST_V};
    run_one(&job, y[0], count[0]);
    run_team(&job, y[1], count[1]);
    double worst = 0;
    int flips = 0, passed = 0;
    for (int k = 0; k < ODES; k++) {
        assert_int_equal(count[0][k].status, count[1][k].status);
        assert_true((count[0][k].status != 0) == (k == 2));
        flips += count[0][k].attempted != count[1][k].attempted;
        passed += count[0][k].attempted == 1 && count[0][k].rhs == 2;
        for (int i = 0; i <= NSP && k != 2; i++) {
            double a = y[0][k * (NSP + 1) + i], b = y[1][k * (NSP + 1) + i];
            worst = larger(worst, fabs(a - b) / (1e-10 + rtol * fabs(a)));
        }
    }
    printf("dt %g, reactor %d: %d of %d with other substeps; apart by %.2g tolerances; "
           "%d attempts\n", dt, reactor, flips, ODES, worst, (int)count[0][1].attempted);
    assert_true(flips <= 1);
    assert_true(worst < 0.01 || flips > 0);
    return passed;
}

TEST(constant_pressure)
{
    compare(KB_CONST_P, 1e-8, 1e-4, 0);
}

TEST(constant_volume)
{
    compare(KB_CONST_V, 1e-8, 1e-4, 0);
}

/* by itself where dt is short enough, and before the method where it is not */
TEST(first_pass)
{
    int passed = 0;
    for (int r = 0; r < 2; r++)
        passed += compare(r ? KB_CONST_V : KB_CONST_P, 1e-11, 1e-2, 1);
    compare(KB_CONST_V, 1e-8, 1e-2, 1);
    printf("%d of %d passed\n", passed, 2 * (ODES - 1));
    assert_true(passed > 0);
}

TESTS(NULL, NULL)
