/* SPDX-License-Identifier: MIT
 *
 * Complex numbers of floats, as gpu-pair-float has them: the inverse over the whole range of
 * pivots; real and complex factors and their solves by a team, against products with J in doubles:
 * Newton's iteration alone would not tell, with wrong factors it only converges more slowly.
 */
#include "solvers/problem.h" /* before cmocka.h, which has a fail() too */
#include <complex>
#include <cstddef>
#include <pthread.h>

#include "tests/test.h"

lane team_values[KB_TEAM];
thread_local unsigned team_number;
static pthread_barrier_t barrier;
void team_sync(void) { pthread_barrier_wait(&barrier); }

typedef std::complex<double> number;

static double random_between(double a, double b) { return a + (b - a) * drand48(); }

/* z times its inverse is 1, of numbers whose squares are beyond floats, too */
TEST(inverse)
{
    for (int k = 0; k < 20000; k++) {
        float size = (float)exp10(random_between(-36, 37));
        float r = size * (float)random_between(-1, 1), m = size * (float)random_between(-1, 1);
        lane2 a = pair2(make_stored(r, m), make_stored(m, k % 3 ? r : 0)), i = inverse2(a);
        number x = number(a.r.x, a.m.x) * number(i.r.x, i.m.x);
        number y = number(a.r.y, a.m.y) * number(i.r.y, i.m.y);
        assert_true(std::abs(x - 1.0) < 1e-6 && std::abs(y - 1.0) < 1e-6);
    }
}

/* x of the real system and of both parts of the complex one, b - (g I - J) x, and what a solve with
 * that adds to x; the shift */
static struct {
    lane y[N], dy[N], b[3][N], x[3][N], Jx[3][N], left[3][N], more[3][N], fixed;
    kb_stored A[NNZ], E[NNZ], R[NNZ], M[NNZ];
    kb_jacobian w;
    double gr, gm;
} s;

static void random_state(void)
{
    for (int l = 0; l < KB_LANES; l++) {
        double Y[NSP], sum = 0;
        for (int i = 0; i < NSP; i++)
            sum += Y[i] = random_between(0.1, 1);
        lane_put(&s.y[0], l, random_between(1000, 2500));
        lane_put(&s.fixed, l, random_between(1e5, 1e6));
        for (int i = 0; i < NSP; i++)
            lane_put(&s.y[i + 1], l, Y[i] / sum);
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < N; i++)
                lane_put(&s.b[k][i], l, random_between(-1, 1));
    }
}

static void residuals(void)
{
    for (int k = 0; k < 3; k++)
        problem_multiply(s.A, s.x[k], s.Jx[k]);
    each(i, N)
    {
        s.left[0][i] = s.b[0][i] - (s.gr * s.x[0][i] - s.Jx[0][i]);
        s.left[1][i] = s.b[1][i] - (s.gr * s.x[1][i] - s.gm * s.x[2][i] - s.Jx[1][i]);
        s.left[2][i] = s.b[2][i] - (s.gr * s.x[2][i] + s.gm * s.x[1][i] - s.Jx[2][i]);
    }
    team_sync();
}

static void *solve(void *thread)
{
    kb_run run = {};
    kb_ode o = {};
    team_number = (unsigned)(long)thread;
    o.fixed = s.fixed;
    problem_jacobian(&run, &o, s.y, s.dy, s.A, &s.w);
    each(i, NNZ) s.E[i] = s.R[i] = s.A[i];
    problem_factor(s.E, splat(s.gr));
    problem_factor_complex(s.R, s.M, splat(s.gr), splat(s.gm));
    problem_solve_both(s.E, s.R, s.M, s.b[0], s.b[1], s.b[2], s.x[0], s.x[1], s.x[2]);
    residuals();
    problem_solve_both(s.E, s.R, s.M, s.left[0], s.left[1], s.left[2], s.more[0], s.more[1],
                       s.more[2]);
    return NULL;
}

static void solve_by_team(void)
{
    pthread_t threads[KB_TEAM];
    pthread_barrier_init(&barrier, NULL, KB_TEAM);
    for (long t = 0; t < KB_TEAM; t++)
        pthread_create(&threads[t], NULL, solve, (void *)t);
    for (pthread_t t : threads)
        pthread_join(t, NULL);
    pthread_barrier_destroy(&barrier);
}

/* the largest |v_i| of the species of ODE l */
static double size_of(const lane *v, int l)
{
    double size = 0;
    for (int i = 1; i < N; i++)
        size = fmax(size, fabs(lane_get(v[i], l)));
    return size;
}

/* A second solve adds what floats round, more where the shift is far below the largest eigenvalue;
 * the squares of the largest are beyond floats. */
TEST(factors)
{
    for (double g = 1e7; g < 1e23; g *= 1e3) {
        random_state();
        s.gr = 0.9 * g;
        s.gm = 1.1 * g;
        solve_by_team();
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < KB_LANES; l++) {
                double part = size_of(s.more[k], l) / size_of(s.x[k], l);
                print_message("g %.0e, vector %d, ODE %d: %.1e\n", g, k, l, part);
                assert_true(size_of(s.x[k], l) > 0 && part < 1e4 / g + 1e-6);
            }
    }
}

TESTS(NULL, NULL)
