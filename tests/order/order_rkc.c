/* SPDX-License-Identifier: MIT */
#define KB_PROBLEM "tests/order/problem_smooth.h"
#define METHOD rkc
#include "tests/test.h"
#include "solvers/methods/rkc.h"
#include "tests/order/order.h"

static int stages;

/* a spectral radius that makes a step of size h take `stages` stages */
static void choose_stages(drive *d, double h)
{
    d->persistent.sigma = splat(((stages - 0.5) * (stages - 0.5) - 1) / (1.54 * h));
    d->persistent.age = splat(1);
    d->persistent.first = mask_none();
    d->persistent.err_old = splat(1);
    d->persistent.h_old = splat(h);
}

TEST(order)
{
    static const int some[] = {2, 3, 4, 7, 15, 40};
    for (int k = 0; k < 6; k++) {
        char what[32];
        stages = some[k];
        snprintf(what, sizeof what, "rkc, %d stages", stages);
        check_order(what, 2, 64, 0, choose_stages);
    }
}

/* the method's own count of right-hand sides says that the stages were as chosen */
TEST(stage_count)
{
    for (stages = 2; stages < 50; stages++) {
        drive d = start(1, 1e20, 1e20, 0);
        d.o.h = splat(0.1);
        choose_stages(&d, 0.1);
        if (stages == 2) /* the fewest where the radius is no number, too */
            d.persistent.sigma = splat(NAN);
        METHOD_step(&d.run, &d.o, &d.persistent, d.w);
        for (int l = 0; l < KB_LANES; l++) /* f of the start, of stages 2 .. s, and of the result */
            assert_true(lane_get(d.o.rhs, l) == stages + 1);
        free(d.w);
    }
}

static void eq_30(drive *d, double h, const rkc_work *before, lane *e)
{
    for (int i = 0; i < N; i++)
        e[i] = 0.8 * (before->y[i] - d->w->y[i]) + 0.4 * h * (before->f0[i] + d->w->f0[i]);
}

TEST(error_estimate)
{
    for (stages = 2; stages < 20; stages += 6)
        check_estimate("rkc", 3, 0.02, eq_30, choose_stages);
}

/* Gershgorin's bound is the smaller of the bounds by rows and by columns, also far below 1 */
TEST(rows_and_columns)
{
    int by_rows = 0, by_columns = 0;
    for (int k = 0; k < 40; k++) {
        drive d = start(1, 1e-6, 1e-10, 0);
        lane J[N * N];
        d.run.opt[0] = 2;
        for (int i = 0; i < N; i++) {
            d.w->y[i] = splat((k % 2 ? 0.03 : 0.2) * sin(3 * k + 2 * i));
            d.w->wj2[i] = splat(9);
        }
        METHOD_init(&d.run, &d.o, &d.persistent, d.w, all_lanes());
        rkc_spectral_radius(&d.run, &d.o, &d.persistent, d.w, all_lanes());
        problem_J(&d.run, d.w->y, J);
        double most[2] = {0};
        for (int i = 0; i < N; i++) {
            double sum[2] = {0};
            for (int j = 0; j < N; j++) {
                sum[0] += fabs(lane_get(J[i * N + j], 0));
                sum[1] += fabs(lane_get(J[j * N + i], 0));
            }
            most[0] = larger(most[0], sum[0]);
            most[1] = larger(most[1], sum[1]);
        }
        by_rows += most[0] < 0.95 * most[1];
        by_columns += most[1] < 0.95 * most[0];
        for (int l = 0; l < KB_LANES; l++)
            at_most("rkc", "a bound less the smaller sum",
                    fabs(lane_get(d.persistent.sigma, l) - fmin(most[0], most[1])), 1e-6);
        free(d.w);
    }
    assert_true(by_rows > 5 && by_columns > 5);
}

/* Where the power method finds no end, as about a rotation that is no circle, the loss frequencies
 * take its place. */
TEST(no_convergence)
{
    drive d = start(1, 1e-6, 1e-10, 0);
    const lane z[N] = {splat(0.01), splat(0.01), splat(0.9), splat(0.1)};
    lane loss;
    turn(z, d.w->y);
    METHOD_init(&d.run, &d.o, &d.persistent, d.w, all_lanes());
    rkc_spectral_radius(&d.run, &d.o, &d.persistent, d.w, all_lanes());
    loss = 1.2 * problem_loss_frequency(&d.run, &d.o, d.w->y, &d.w->problem);
    for (int l = 0; l < KB_LANES; l++) {
        assert_true(lane_get(d.o.rhs, l) == 50 && lane_get(d.o.jac, l) == 1);
        assert_true(lane_get(d.persistent.sigma, l) == lane_get(loss, l));
        assert_true(lane_get(d.persistent.age, l) == 0);
    }
    free(d.w);
}

TESTS(NULL, NULL)
