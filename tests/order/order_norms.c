/* SPDX-License-Identifier: MIT
 *
 * The norms of the step control and the first substep, against sums in plain doubles.
 */
#define KB_PROBLEM "tests/order/problem_smooth.h"
#define METHOD rodas4
#include "tests/test.h"
#include "solvers/methods/rodas4.h"
#include "tests/order/order.h"

static const kb_run run = {.dt = 1, .rtol = 0.01, .atol = 0.001, .atolt = 0.1};

/* of lane l: an entry of y0, of y (one of them more than KB_GROWN times as much, one a little less,
 * one exactly as much, one shrinks) and of the vector */
static double before(int i, int l) { return (i % 2 ? -0.3 : 0.2) * (1 + 0.1 * l); }
static double after(int i, int l)
{
    static const double times[N] = {4.2, -3.9, 4, 0.5};
    return times[(i + l) % N] * before(i, l);
}
static double entry(int i, int l) { return (i - 1.5) * (0.02 + 0.001 * l); }

typedef struct {
    lane y0[N], y[N], v[N];
} vectors;

static vectors make(void)
{
    vectors x;
    for (int i = 0; i < N; i++)
        for (int l = 0; l < KB_LANES; l++) {
            lane_put(&x.y0[i], l, before(i, l));
            lane_put(&x.y[i], l, after(i, l));
            lane_put(&x.v[i], l, entry(i, l));
        }
    return x;
}

/* of lane l; an absolute tolerance is `part` of itself where y has grown */
static double expected(int l, double part)
{
    double sum = 0;
    for (int i = 0; i < N; i++) {
        double a = fabs(before(i, l)), b = fabs(after(i, l)), atol = i ? 0.001 : 0.1;
        double scale = (b > 4 * a ? part : 1) * atol + 0.01 * fmax(a, b);
        sum += entry(i, l) * entry(i, l) / (scale * scale);
    }
    return sqrt(sum / N);
}

static void equal(const char *what, lane norm, int l, double value)
{
    at_most(what, "the distance from its sum", fabs(lane_get(norm, l) / value - 1), 1e-12);
}

TEST(norms)
{
    vectors x = make();
    static const double parts[] = {1, 0.5, 1e-3};
    for (int l = 0; l < KB_LANES; l++) {
        equal("error_norm", error_norm(&run, x.v, x.y0, x.y), l, expected(l, 1));
        for (int k = 0; k < 3; k++)
            equal("growth_norm", growth_norm(&run, x.v, x.y0, x.y, parts[k]), l,
                  expected(l, parts[k]));
    }
}

TEST(norm_of_several)
{
    vectors x = make();
    lane v[2][N];
    memcpy(v[0], x.v, sizeof x.v);
    memcpy(v[1], x.y, sizeof x.y);
    for (int l = 0; l < KB_LANES; l++) {
        double sum = 0;
        for (int i = 0; i < N; i++)
            sum += pow(before(i, l), 2) * (pow(entry(i, l), 2) + pow(after(i, l), 2));
        equal("scaled_norm", scaled_norm(x.y0, (const lane(*)[N])v, 2), l, sqrt(sum / (2 * N)));
    }
}

/* a change in tolerances over the norm of f, the part of dt that is given, at most dt; h that is
 * there stays */
TEST(first_steps)
{
    vectors x = make();
    kb_run r = run;
    for (int k = 0; k < 4; k++) {
        kb_ode o = {.active = all_lanes(), .h = splat(k < 3 ? -1 : 0.25)};
        r.dt = k == 2 ? 1e-6 : 1e3;
        first_substep(&r, &o, k == 1 ? 0.5 : 0, 30, x.v, x.y0);
        for (int l = 0; l < KB_LANES; l++) {
            double sum = 0;
            for (int i = 0; i < N; i++)
                sum += pow(entry(i, l) / ((i ? 0.001 : 0.1) + 0.01 * fabs(before(i, l))), 2);
            const double h[] = {30 / sqrt(sum / N), 500, 1e-6, 0.25};
            equal("first_substep", o.h, l, h[k]);
        }
    }
}

TESTS(NULL, NULL)
