/* SPDX-License-Identifier: MIT
 *
 * f, J and (I/gamma - J) x = f/gamma by a team of threads in turns (fibers.h): the same bits
 * whichever thread comes first, as a missing team_sync has not, and the numbers of one thread.
 * Without x in a team of several warps, of which some wait for themselves in the LU.
 */
#include "tests/test.h"
#include "solvers/portable/lane.h"
#include "constants.h"
#include "solvers/solver.h"

int kernel_one(const kb_evaluation *e), kernel_team(const kb_evaluation *e);
extern int fibers_backwards;

enum { STATES = 3, ENDS = NSP + 1 };
typedef struct {
    double dy[STATES * ENDS], J[STATES * ENDS * ENDS], x[STATES * ENDS];
} answer;
static answer one, forwards, backwards;
static double y[STATES * ENDS], p[STATES];

/* hot mixtures of every species */
static void make_states(void)
{
    unsigned long seed = 1;
    for (int k = 0; k < STATES; k++) {
        double sum = 0, *Y = y + k * ENDS + 1;
        Y[-1] = 900 + 700 * k;
        p[k] = 101325 * (1 + 9 * k);
        for (int i = 0; i < NSP; i++) {
            seed = seed * 6364136223846793005UL + 1442695040888963407UL;
            sum += Y[i] = (double)(seed >> 40) / (1 << 24);
        }
        for (int i = 0; i < NSP; i++)
            Y[i] /= sum;
    }
}

static void evaluate(int kernel(const kb_evaluation *), kb_reactor reactor, int jacobian, answer *a)
{
    memset(a, 0, sizeof *a);
    kb_evaluation e = {.n = STATES, .y = y, .p = p, .reactor = reactor, .gamma = 1e-7,
                       .dy = a->dy, .J = jacobian ? a->J : NULL, .x = jacobian ? a->x : NULL};
    assert_int_equal(kernel(&e), KB_OK);
}

/* relative to the largest number in a row of `row`, which may be one of zeros but for rounding */
static double distance(const double *a, const double *b, int n, int row)
{
    double worst = 0, all = 1e-200;
    for (int k = 0; k < n; k++)
        all = fmax(all, fabs(a[k]));
    for (int k = 0; k < n; k += row) {
        double size = 1e-11 * all;
        for (int i = 0; i < row; i++)
            size = fmax(size, fabs(a[k + i]));
        for (int i = 0; i < row; i++)
            worst = larger(worst, fabs(a[k + i] - b[k + i]) / size);
        for (int i = 0; i < row; i++)
            assert_true(isfinite(a[k + i]) && isfinite(b[k + i]));
    }
    return worst;
}

TEST(any_order)
{
    make_states();
    for (int k = 0; k < 4; k++) {
        kb_reactor reactor = k % 2 ? KB_CONST_V : KB_CONST_P;
        evaluate(kernel_one, reactor, k / 2, &one);
        fibers_backwards = 0;
        evaluate(kernel_team, reactor, k / 2, &forwards);
        fibers_backwards = 1;
        evaluate(kernel_team, reactor, k / 2, &backwards);
        assert_memory_equal(&forwards, &backwards, sizeof forwards);
        double f = 0, J = 0, x = 0;
        for (int s = 0; s < STATES; s++) { /* f and x without T: its numbers are far larger */
            int T = s * ENDS, Y = T + 1;
            f = larger(f, distance(one.dy + Y, forwards.dy + Y, NSP, NSP));
            J = larger(J, distance(one.J + T * ENDS, forwards.J + T * ENDS, ENDS * ENDS, ENDS));
            x = larger(x, distance(one.x + Y, forwards.x + Y, NSP, NSP));
        }
        print_message("reactor %d: f %.1e, J %.1e, x %.1e\n", reactor, f, J, x);
        assert_true(f < 1e-12 && J < 1e-9 && x < 1e-9);
    }
}

TESTS(NULL, NULL)
