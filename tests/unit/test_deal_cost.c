/* SPDX-License-Identifier: MIT
 *
 * What ranks predict that ODEs cost, against numbers worked out by hand: f is 6 K/s for T and 2/s
 * for the one fraction.
 */
#include "tests/test.h"
#include "drivers/ranks/cost.h"

static const kb_option options[] = {{.name = "h0"}, {.name = "atolt"}, {0}};
static const kb_solver_info with = {.options = options}, without = {0};
static const double states[] = {1000, 1e5, 1, 2000, 2e5, 0.5}; /* T, p, Y */

static kb_reactor reactor; /* of the last evaluation */

static int evaluate(const kb_solvers *self, const char *engine, const kb_evaluation *e,
                    kb_error *err)
{
    (void)self, (void)engine, (void)err;
    reactor = e->reactor;
    for (long i = 0; i < e->n; i++) {
        const double *state = states + 3 * i;
        assert_true(e->y[2 * i] == state[0] && e->p[i] == state[1] &&
                    e->y[2 * i + 1] == state[2]);
        e->dy[2 * i] = 6;
        e->dy[2 * i + 1] = 2;
    }
    return KB_OK;
}

static void costs(const kb_solver_info *info, const double *values, double rtol, double cost[2])
{
    kb_solvers s = {.nsp = 1, .evaluate = evaluate};
    kb_job job = {.rtol = rtol, .atol = 2, .options = values};
    kb_deal_cost(&s, info, &job, states, 2, cost);
}

/* (6 / 2)^2 + (2 / 2)^2 = 10, and with 3 K for T (6 / 3)^2 + 1 = 5 */
TEST(by_absolute_tolerances)
{
    static const double none[] = {7, 0}, three[] = {7, 3};
    const struct { const kb_solver_info *info; const double *values; double cost; } list[] = {
        {&without, NULL, 10}, {&with, NULL, 10}, {&with, none, 10}, {&with, three, 5}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        double cost[2];
        costs(list[k].info, list[k].values, 0, cost);
        assert_true(cost[0] == list[k].cost && cost[1] == list[k].cost);
    }
}

/* with 1/1000 of T and Y: (6 / 4)^2 + (2 / 2.001)^2 and (6 / 5)^2 + (2 / 2.0005)^2 and 3 K */
TEST(with_the_relative_one)
{
    static const double three[] = {7, 3};
    double cost[2];
    costs(&with, three, 1e-3, cost);
    assert_float_equal(cost[0], 2.25 + 4 / (2.001 * 2.001), 1e-12);
    assert_float_equal(cost[1], 1.44 + 4 / (2.0005 * 2.0005), 1e-12);
}

/* f of the reactor that the job has */
TEST(at_its_reactor)
{
    static const kb_reactor all[] = {KB_CONST_P, KB_CONST_V, KB_CONST_P};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        kb_solvers s = {.nsp = 1, .evaluate = evaluate};
        kb_job job = {.rtol = 1, .atol = 1, .reactor = all[k]};
        double cost[2];
        kb_deal_cost(&s, &without, &job, states, 2, cost);
        assert_int_equal(reactor, all[k]);
    }
}

TESTS(NULL, NULL)
