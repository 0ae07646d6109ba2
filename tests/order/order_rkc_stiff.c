/* SPDX-License-Identifier: MIT */
#define KB_PROBLEM "tests/order/problem_linear.h"
#define METHOD rkc
#include <float.h>

#include "tests/test.h"
#include "solvers/methods/rkc.h"
#include "tests/order/order.h"

/* The stability function at 64 places up to the bound (s^2 - 1)/1.54 that the stage count keeps:
 * damped, but for what is resolved in time; and not stable far beyond it. */
TEST(damping)
{
    for (int s = 2; s <= 100; s++)
        for (int beyond = 0; beyond < 2; beyond++) {
            double bound = (s * s - 1) / 1.54, worst = 0;
            drive d = start(1, 1e20, 1e20, beyond ? 1.5 * bound : bound);
            d.persistent.sigma = splat(((s - 0.5) * (s - 0.5) - 1) / 1.54);
            d.persistent.age = splat(1);
            d.persistent.first = mask_none();
            d.o.h = splat(1);
            METHOD_step(&d.run, &d.o, &d.persistent, d.w);
            for (int i = 0; i < N; i++)
                if (d.run.opt[7] * (i + 1) / N > 0.5)
                    worst = larger(worst, fabs(lane_get(d.w->y[i], KB_LANES - 1)));
            if (beyond)
                assert_true(worst > 1.05);
            else
                assert_true(worst < 0.98);
            if (s % 33 == 1 && !beyond)
                print_message("rkc, %d stages, %d lanes: |R| <= %.3f up to -%.0f\n", s, KB_LANES,
                              worst, bound);
            free(d.w);
        }
}

/* the power method finds lambda, and 1.2 times that is what the stages cover */
TEST(spectral_radius)
{
    for (double lambda = 1; lambda < 1e7; lambda *= 10) {
        drive d = start(1, 1e-6, 1e-10, lambda);
        rkc_spectral_radius(&d.run, &d.o, &d.persistent, d.w, all_lanes());
        for (int l = 0; l < KB_LANES; l++) {
            double sigma = lane_get(d.persistent.sigma, l);
            assert_true(sigma > lambda && sigma < 1.3 * lambda);
            assert_true(lane_get(d.persistent.age, l) == 0);
        }
        free(d.w);
    }
}

/* option spectral=1: 1.2 times the largest diagonal entry, without a right-hand side */
TEST(loss_bound)
{
    for (double lambda = 1; lambda < 1e7; lambda *= 10) {
        drive d = start(1, 1e-6, 1e-10, lambda);
        d.run.opt[0] = 1;
        rkc_spectral_radius(&d.run, &d.o, &d.persistent, d.w, all_lanes());
        for (int l = 0; l < KB_LANES; l++) {
            assert_true(fabs(lane_get(d.persistent.sigma, l) - 1.2 * lambda) < 1e-12 * lambda);
            assert_true(lane_get(d.o.rhs, l) == 0 && lane_get(d.o.jac, l) == 1);
            assert_true(lane_get(d.persistent.age, l) == 0);
        }
        free(d.w);
    }
}

/* option spectral=2: of a diagonal matrix Gershgorin's bound is the radius; one right-hand side for
 * each unknown */
TEST(gershgorin_bound)
{
    for (double lambda = 1; lambda < 1e7; lambda *= 10) {
        drive d = start(1, 1e-6, 1e-10, lambda);
        d.run.opt[0] = 2;
        rkc_spectral_radius(&d.run, &d.o, &d.persistent, d.w, all_lanes());
        for (int l = 0; l < KB_LANES; l++) {
            assert_true(fabs(lane_get(d.persistent.sigma, l) - lambda) < 1e-5 * lambda);
            assert_true(lane_get(d.o.rhs, l) == N && lane_get(d.o.jac, l) == 0);
            assert_true(lane_get(d.persistent.age, l) == 0);
        }
        free(d.w);
    }
}

/* a tight tolerance allows few stages, and a shorter step */
TEST(most_stages)
{
    for (double rtol = 1e-8; rtol > 1e-15; rtol /= 10) {
        double most = fmax(2, floor(sqrt(rtol / (10 * DBL_EPSILON)) + 0.5)), lambda = 1e12;
        drive d = start(1, rtol, 1e20, 0);
        d.persistent.sigma = splat(lambda);
        d.persistent.age = splat(1);
        d.persistent.first = mask_none();
        d.persistent.err_old = splat(1);
        d.o.h = splat(0.5);
        METHOD_step(&d.run, &d.o, &d.persistent, d.w);
        for (int l = 0; l < KB_LANES; l++) {
            assert_true(lane_get(d.o.rhs, l) == most + 1);
            assert_true(fabs(lane_get(d.o.t, l) * 1.54 * lambda / (most * most - 1) - 1) < 1e-12);
        }
        free(d.w);
    }
}

TESTS(NULL, NULL)
