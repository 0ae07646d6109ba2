/* SPDX-License-Identifier: MIT */
#define KB_PROBLEM "tests/order/problem_smooth.h"
#include "tests/test.h"
#include "tests/order/order_vode.h"

TEST(order)
{
    for (uneven = 0; uneven < 0.15; uneven += 0.1)
        for (fixed_order = 1; fixed_order <= VODE_Q; fixed_order++) {
            char what[64];
            snprintf(what, sizeof what, "vode, order %d, steps h +- %g h", fixed_order, uneven);
            check_order(what, fixed_order, 32, 0, begin_at_order);
            check_order(what, fixed_order, 64, 0, begin_at_order);
        }
    uneven = 0;
}

static void corrections(drive *d, double h, const vode_work *before, lane *e)
{
    (void)h, (void)before;
    memcpy(e, d->w->e, sizeof d->w->e);
}

/* what a lane begins with, whatever it held; the others keep what they have */
TEST(start_of_a_lane)
{
    vode_persistent p = {.q = splat(9), .wait = splat(9), .growth_limit = splat(9),
                         .newton_failures = splat(9), .error_failures = splat(9),
                         .old = splat(9)};
    kb_run run = {.dt = 1};
    kb_ode o = {.h = splat(9)};
    mask starting = mask_none();
    for (int j = 0; j < VODE_Q; j++)
        p.tau[j] = splat(9);
    mask_put(&starting, 0, 1);
    vode_init(&run, &o, &p, NULL, starting);
    for (int l = 0; l < KB_LANES; l++) {
        const double now[] = {lane_get(o.h, l), lane_get(p.q, l), lane_get(p.wait, l),
                              lane_get(p.growth_limit, l), lane_get(p.newton_failures, l),
                              lane_get(p.error_failures, l), lane_get(p.old, l)};
        static const double begin[] = {-1, 1, 2, 1e4, 0, 0, 1};
        for (size_t k = 0; k < sizeof begin / sizeof *begin; k++)
            assert_true(now[k] == (l ? 9 : begin[k]));
        for (int j = 0; j < VODE_Q; j++)
            assert_true(lane_get(p.tau[j], l) == (l ? 9 : 0));
        assert_true(mask_get(p.fresh, l) == (l == 0));
    }
}

TEST(error_estimate)
{
    for (fixed_order = 1; fixed_order <= VODE_Q; fixed_order++)
        check_estimate("vode", fixed_order + 1, 0.01, corrections, begin_at_order);
}

/* pi_n of order q, and what a change of order makes of it: the same y_n and y'_n, and y at the last
 * q (raised) or q - 2 (lowered) times */
static void check_change(int q, int change)
{
    static const double back[] = {0, 0.1, 0.19, 0.32, 0.4, 0.51, 0.63};
    double t[VODE_Q + 2], h = back[1];
    vode_persistent persistent = {.q = splat(q)};
    vode_attempt s = {.h = splat(h)};
    kb_owned vode_work *w = aligned_alloc(64, (sizeof *w + 63) / 64 * 64);
    lane y[VODE_Q + 2][N];
    for (int j = 0; j <= VODE_Q + 1; j++)
        exact(t[j] = 1 - back[j], y[j]);
    for (int j = 0; j < VODE_Q; j++)
        persistent.tau[j] = splat(t[j + 1] - t[j + 2 > VODE_Q + 1 ? VODE_Q + 1 : j + 2]);
    for (int i = 0; i < N; i++) {
        double z[VODE_Q + 1];
        interpolate(t + 1, q, h, i, z);
        w->e[i] = y[0][i];
        for (int j = 0; j <= VODE_Q; j++) {
            w->z[j][i] = splat(z[j]);
            w->e[i] -= z[j];
        }
    }
    vode_coefficients(&persistent, &s);
    vode_advance(w, &s, all_lanes());
    vode_change_order(&persistent, w, &s, splat(change));
    double worst = 0;
    for (int j = 1; j <= (change > 0 ? q : q - 2); j++)
        for (int i = 0; i < N; i++) {
            lane x = splat((t[j] - t[0]) / h), there = splat(0);
            for (int k = VODE_Q; k > 0; k--)
                there = x * (there + w->z[k][i]);
            worst = larger(worst, fabs(lane_get(y[0][i] + there - y[j][i], 0)));
        }
    double above = fabs(lane_get(w->z[change > 0 ? q + 1 : q][0], 0));
    print_message("vode, order %d to %d: past values off by %.1e\n", q, q + change, worst);
    assert_true(worst < 1e-13);
    /* raised from 1: pi_n had y_(n-1) already */
    assert_true(change > 0 && q > 1 ? above > 1e-12 : above == 0);
}

TEST(changes_of_order)
{
    for (int q = 1; q < VODE_Q; q++) {
        check_change(q, 1);
        check_change(q + 1, -1);
    }
}

/* The step after one that was rejected grows in no case and its order stays; two steps later both
 * may change. From orders and errors that would let them. */
TEST(held_after_a_rejection)
{
    kb_owned vode_work *w = aligned_alloc(64, (sizeof *w + 63) / 64 * 64);
    const kb_run run = {.rtol = 1e-3, .atol = 1e-3, .opt[VODE_MAX_ORDER] = VODE_Q};
    for (int rejected = 0; rejected < 2; rejected++)
        for (int wait = 1; wait < 4; wait++) {
            memset(w, 0, sizeof *w);
            vode_persistent persistent = {.q = splat(2), .wait = splat(wait), .old = splat(1),
                                          .growth_limit = splat(rejected ? 1 : 10),
                                          .newton_failures = splat(1), .error_failures = splat(2)};
            vode_attempt s = {.h = splat(0.1), .err = splat(1e-3), .old = splat(1),
                              .up = splat(1e-9), .down = splat(1)};
            kb_ode o = {.h = splat(0.1), .active = all_lanes()};
            for (int i = 0; i < N; i++) {
                w->scale[i] = splat(1);
                w->z[2][i] = splat(1);
            }
            for (int j = 0; j < VODE_Q; j++)
                persistent.tau[j] = splat(0.1);
            vode_accept(&run, &o, &persistent, w, &s, all_lanes());
            double h = lane_get(o.h, 0), q = lane_get(persistent.q, 0);
            double left = lane_get(persistent.wait, 0);
            if (rejected) {
                assert_true(h == 0.1 && q == 2 && left == fmax(wait - 1, 2));
            } else {
                assert_true(h > 0.15 && h <= 1 && q == (wait == 1 ? 3 : 2));
                assert_true(left == (wait == 1 ? 4 : wait - 1));
            }
            assert_true(lane_get(persistent.growth_limit, 0) == 10);
            assert_true(lane_get(persistent.newton_failures, 0) == 0);
            assert_true(lane_get(persistent.error_failures, 0) == 0);
            assert_true(lane_get(persistent.tau[0], 0) == 0.1);
        }
}

/* Attempts that miss the tolerance, whose iteration fails, and whose iterates leave the window of
 * states, one after another: the next step, the order, and how often until the ODE is given up */
TEST(failures)
{
    static const int limit[] = {VODE_ERROR_FAILURES, VODE_NEWTON_FAILURES, VODE_NEWTON_FAILURES};
    static const int end[] = {KB_ODE_STEP_SMALL, KB_ODE_NEWTON, KB_ODE_BOUNDS};
    const kb_run run = {.dt = 1};
    for (int why = 0; why < 3; why++) {
        vode_persistent persistent = {.q = splat(2), .wait = splat(5), .growth_limit = splat(10)};
        kb_ode o = {.h = splat(0.1), .active = all_lanes()};
        vode_attempt s = {.h = splat(0.1), .err = splat(4), .ratio = splat(1)};
        s.converged = why == 0 ? all_lanes() : mask_none();
        s.outside = why == 2 ? all_lanes() : mask_none();
        for (int k = 1; k <= limit[why]; k++) {
            vode_reject(&run, &o, &persistent, &s, all_lanes());
            double h = lane_get(o.h, KB_LANES - 1);
            int again = why == 0 && k >= VODE_RESTART;
            double most = k == 1 ? 0.1 / (cbrt(24) + 1e-6) : again ? 0.01 : 0.02;
            assert_true(fabs(h - (why ? 0.025 : most)) < 1e-12);
            assert_true(lane_get(persistent.q, 0) == (again ? 1 : 2));
            assert_true(lane_get(persistent.wait, 0) == (again ? 10 : 5));
            assert_true(lane_get(persistent.growth_limit, 0) == 1);
            assert_true(lane_get(o.status, 0) == (k < limit[why] ? 0 : end[why]));
        }
    }
}

TESTS(NULL, NULL)
