/* SPDX-License-Identifier: MIT
 *
 * The product of a mechanism's Jacobian with a vector, against the solve with the same matrix,
 * (g - J) x = b, and against differences of the right-hand side. Compiled for one mechanism and for
 * one lane and many.
 */
#include "tests/test.h"
#include "solvers/problem.h" /* before cmocka.h, which has a fail() too */

typedef struct {
    lane y[N], v[N], Jv[N], x[N], up[N], down[N], A[NNZ], E[NNZ];
    kb_jacobian w;
} workspace;

static double random_between(double a, double b) { return a + (b - a) * rand() / RAND_MAX; }

/* v: up to 100 K and as much as the mass fractions themselves */
static void random_state(workspace *s, kb_ode *o, int reactor)
{
    for (int l = 0; l < KB_LANES; l++) {
        double Y[NSP], sum = 0;
        for (int i = 0; i < NSP; i++)
            sum += Y[i] = random_between(0.1, 1);
        lane_put(&o->fixed, l, reactor ? random_between(0.1, 10) : random_between(1e5, 1e6));
        lane_put(&s->y[0], l, random_between(1100, 2500));
        lane_put(&s->v[0], l, random_between(-100, 100));
        for (int i = 0; i < NSP; i++) {
            lane_put(&s->y[i + 1], l, Y[i] / sum);
            lane_put(&s->v[i + 1], l, random_between(-1, 1) / NSP);
        }
    }
}

/* largest |a - b| over the largest |b| of the components [first, last), of all lanes */
static double apart(const lane *a, const lane *b, int first, int last)
{
    double worst = 0;
    for (int l = 0; l < KB_LANES; l++) {
        double d = 0, size = 0;
        for (int i = first; i < last; i++) {
            d = larger(d, fabs(lane_get(a[i], l) - lane_get(b[i], l)));
            size = fmax(size, fabs(lane_get(b[i], l)));
        }
        assert_true(size > 0 && isfinite(d));
        worst = larger(worst, d / size);
    }
    return worst;
}

/* x of (g - J) x = v, so that J x = g x - v */
static void check_solve(workspace *s, double g)
{
    memcpy(s->E, s->A, sizeof s->A);
    problem_factor(s->E, splat(g));
    problem_solve(s->E, s->v, s->x);
    problem_multiply(s->A, s->x, s->Jv);
    for (int i = 0; i < N; i++)
        s->up[i] = g * s->x[i] - s->v[i];
    print_message("%s, %d lanes, g %.0e: apart by %.1e and %.1e\n", KB_MECH_NAME, KB_LANES, g,
                  apart(s->Jv, s->up, 0, 1), apart(s->Jv, s->up, 1, N));
    assert_true(apart(s->Jv, s->up, 0, 1) <= 1e-5);
    assert_true(apart(s->Jv, s->up, 1, N) <= 1e-5);
}

static void check_differences(const kb_run *run, const kb_ode *o, workspace *s)
{
    double e = 1e-4;
    problem_multiply(s->A, s->v, s->Jv);
    for (int i = 0; i < N; i++)
        s->x[i] = s->y[i] + e * s->v[i];
    problem_rhs(run, o, s->x, s->up, &s->w.k);
    for (int i = 0; i < N; i++)
        s->x[i] = s->y[i] - e * s->v[i];
    problem_rhs(run, o, s->x, s->down, &s->w.k);
    for (int i = 0; i < N; i++)
        s->x[i] = (s->up[i] - s->down[i]) * (0.5 / e);
    print_message("%s, %d lanes, differences: apart by %.1e and %.1e\n", KB_MECH_NAME, KB_LANES,
                  apart(s->Jv, s->x, 0, 1), apart(s->Jv, s->x, 1, N));
    assert_true(apart(s->Jv, s->x, 0, 1) <= 1e-5);
    assert_true(apart(s->Jv, s->x, 1, N) <= 1e-5);
}

static void check(int reactor)
{
    size_t size = (sizeof(workspace) + 63) / 64 * 64;
    kb_owned workspace *s = memset(aligned_alloc(64, size), 0, size);
    kb_run run = {.reactor = reactor};
    kb_ode o = {0};
    for (double g = 1e4; g < 1e10; g *= 100) {
        random_state(s, &o, reactor);
        problem_jacobian(&run, &o, s->y, s->up, s->A, &s->w);
        check_solve(s, g);
        check_differences(&run, &o, s);
    }
}

TEST(constant_pressure)
{
    check(0);
}

TEST(constant_volume)
{
    check(1);
}

TESTS(NULL, NULL)
