/* SPDX-License-Identifier: MIT
 *
 * How a thread chooses between the two ways of loading lanes (solvers/engines/cpu.c), with a clock
 * that the test sets.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#define clock_gettime test_clock
#include "solvers/engines/cpu.c"

static double now; /* [s] */

int test_clock(clockid_t id, struct timespec *t)
{
    (void)id;
    t->tv_sec = (time_t)now;
    t->tv_nsec = (long)(1e9 * (now - (double)t->tv_sec));
    return 0;
}

/* what a unit of work takes in some ODEs, either way, and the lanes in use where they begin
 * together */
typedef struct {
    double cost[WAYS], use;
} region;

/* a round; returns its way */
static int round_in(refill_rule *r, region g)
{
    kb_ode o = {0};
    int way = r->way;
    begin_round(r, &o);
    now += 1000 * g.cost[way];
    r->done += 1000;
    r->vectors += 1000;
    r->lanes += (long)(1000 * KB_LANES * (way == TOGETHER ? g.use : 1));
    end_round(r, &o);
    return way;
}

/* how many of so many rounds are at once */
static int at_once(refill_rule *r, region g, int rounds)
{
    int n = 0;
    for (int k = 0; k < rounds; k++)
        n += round_in(r, g) == AT_ONCE;
    return n;
}

static refill_rule new_rule(void)
{
    return (refill_rule){.size = FIRST_ROUND, .trials = FIRST_TRIALS, .pause = FIRST_PAUSE};
}

static void takes_what_costs_less(void **state)
{
    refill_rule a = new_rule(), b = new_rule();
    (void)state;
    assert_true(at_once(&a, (region){{0.002, 0.001}, 0.5}, 100) > 85);
    assert_true(at_once(&b, (region){{0.001, 0.002}, 0.5}, 100) < 15);
    assert_true(at_once(&b, (region){{0.002, 0.001}, 0.5}, 200) > 150); /* finds out later */
}

static void tries_nothing_where_lanes_are_used(void **state)
{
    refill_rule r = new_rule();
    (void)state;
    assert_int_equal(at_once(&r, (region){{0.002, 0.001}, 0.95}, 100), 0);
}

/* ODEs that cost less follow just when the other way is tried: it is not taken for that */
static void compares_neighbours(void **state)
{
    refill_rule r = new_rule();
    (void)state;
    region dear = {{0.010, 0.012}, 0.5}, cheap = {{0.004, 0.006}, 0.5};
    at_once(&r, dear, FIRST_TRIALS);
    assert_int_equal(r.way, TOGETHER);
    for (int k = 0; k < 100 && r.way == TOGETHER; k++)
        round_in(&r, dear);
    assert_int_equal(r.way, AT_ONCE);
    assert_int_equal(at_once(&r, cheap, FIRST_PAUSE), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_what_costs_less),
        cmocka_unit_test(tries_nothing_where_lanes_are_used),
        cmocka_unit_test(compares_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
