/* SPDX-License-Identifier: MIT
 *
 * Whether lanes of a CPU wait for one another (refill of solvers/engines/cpu.c), by a made-up clock
 * of threads: solvers.so takes clock_gettime from here. What comes of an ODE does not depend on it,
 * the use of lanes does.
 */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/test.h"
#include "tests/unit/solver_problem.h"

/* numbers of solvers/engines/cpu.c: rounds of ODEs by turns, of lanes that begin together and of
 * those that begin at once; then the cheaper way for some rounds, until each has one more */
enum { FIRST = 2, TRIAL = 3, ROUND = 16 }; /* vectors */
enum { TRIALS = 4, PAUSE = 4 };
enum { AGAIN = FIRST + 5 * TRIAL + 3 * PAUSE * ROUND }; /* past the trial after them */

static problem q;
static int lanes;

/* what a vector of ODEs costs by the clock: in the first trials by turns; in the trial after them
 * the other way, and from then on the way of the rounds before; in these 1 */
static struct {
    double together, at_once, later, beside;
    int on, calls;
    double now;
} made_up;

static double round_cost(int round)
{
    if (round < TRIALS)
        return (round == 0 ? FIRST : TRIAL) * (round % 2 ? made_up.at_once : made_up.together);
    if (round == TRIALS + PAUSE)
        return TRIAL * made_up.later;
    if (round < TRIALS + PAUSE)
        return ROUND;
    return (round == TRIALS + PAUSE + 1 ? TRIAL : ROUND) * made_up.beside;
}

/* each round asks at its beginning and at its end */
int clock_gettime(clockid_t clock, struct timespec *t)
{
    if (clock != CLOCK_THREAD_CPUTIME_ID || !made_up.on)
        return (int)syscall(SYS_clock_gettime, clock, t);
    if (made_up.calls++ % 2)
        made_up.now += round_cost(made_up.calls / 2 - 1);
    t->tv_sec = (time_t)made_up.now;
    t->tv_nsec = (long)(1e9 * (made_up.now - (double)t->tv_sec));
    return 0;
}

/* which of the two ODEs is the k-th: few attempts, or more than twice as many */
static int one_of_five(int k) { return k % 5 == 0; }
static int alike(int k) { return k % 64 > 0 && k / 64 % 2; } /* but for one of 64 */

static double *two_kinds(const kb_solver *s, int n, int (*kind)(int k))
{
    int row = q.nsp + 2, few = 0, many = 0;
    double *states = kb_alloc((size_t)n * row, sizeof *states);
    answer a = solve(&q, s, (kb_job){.dt = DT, .rtol = 1e-7});
    for (int i = 0; i < q.n; i++) {
        few = a.count[i].attempted < a.count[few].attempted ? i : few;
        many = a.count[i].attempted > a.count[many].attempted ? i : many;
    }
    assert_true(a.count[many].attempted > 2 * a.count[few].attempted);
    for (int k = 0; k < n; k++)
        memcpy(states + k * row, q.states + (kind(k) ? many : few) * row, row * sizeof *states);
    release(&a);
    return states;
}

/* of lanes */
static double use_of(int n, int (*kind)(int k), kb_schedule schedule)
{
    const kb_solver *s = kb_solver_find(q.s, "vode", "cpu-simd");
    double *states = two_kinds(s, n, kind);
    made_up.on = 1;
    made_up.calls = 0;
    made_up.now = 0;
    answer a = solve(&q, s, (kb_job){.dt = DT, .n = n, .states = states, .rtol = 1e-7,
                                     .schedule = schedule});
    made_up.on = 0;
    for (int i = 0; i < n; i++)
        assert_int_equal(a.count[i].status, KB_ODE_OK);
    double use = a.r.lane_use;
    print_message("%d ODEs, %s: %g s together, %g s at once, %g s later: lane use %.3f\n", n,
                  schedule == KB_REFILL ? "refill" : "static", made_up.together, made_up.at_once,
                  made_up.later, use);
    free(states);
    release(&a);
    return use;
}

FIXTURE(start)
{
    make_problem(&q, "h2", "H2:1", 1.2e-5, 61);
    lanes = kb_solver_find(q.s, "vode", "cpu-simd")->info.lanes;
    return 0;
}

FIXTURE(end)
{
    free_problem(&q);
    return 0;
}

/* the way that costs less is kept, until it is asked again */
TEST(the_cheaper_way)
{
    int n = (FIRST + 3 * TRIAL + PAUSE * ROUND) * lanes;
    double waiting = use_of(n, one_of_five, KB_STATIC);
    made_up.later = made_up.beside = 1;
    made_up.together = 1;
    made_up.at_once = 2;
    double together = use_of(n, one_of_five, KB_REFILL);
    made_up.together = 2;
    made_up.at_once = 1;
    double at_once = use_of(n, one_of_five, KB_REFILL);
    assert_true(waiting < 0.8 && together < waiting + 0.05 && at_once > waiting + 0.15);
}

/* the other way is tried again, and taken where it costs less by now */
TEST(it_changes_its_mind)
{
    made_up.together = 1;
    made_up.at_once = 1.5;
    made_up.later = 1.5;
    made_up.beside = 1;
    double stays = use_of(AGAIN * lanes, one_of_five, KB_REFILL);
    made_up.later = 0.1;
    double changes = use_of(AGAIN * lanes, one_of_five, KB_REFILL);
    assert_true(changes > stays + 0.1);
}

/* ODEs that cost less either way come just with that trial: the other way is not taken for it */
TEST(it_compares_neighbours)
{
    made_up.together = 1;
    made_up.at_once = made_up.later = 1.5;
    made_up.beside = 1;
    double stays = use_of(AGAIN * lanes, one_of_five, KB_REFILL);
    made_up.later = 0.4;
    made_up.beside = 0.2;
    assert_true(use_of(AGAIN * lanes, one_of_five, KB_REFILL) == stays);
}

/* where lanes that wait are nearly all in use, the other way is not tried, however cheap */
TEST(no_trial_without_need)
{
    int n = 64 * lanes;
    made_up.together = 2;
    made_up.at_once = made_up.later = 1;
    double waiting = use_of(n, alike, KB_STATIC);
    assert_true(waiting > 0.9 && waiting < 1);
    assert_true(use_of(n, alike, KB_REFILL) == waiting);
}

TESTS(start, end)
