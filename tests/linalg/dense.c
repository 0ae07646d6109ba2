/* SPDX-License-Identifier: MIT
 *
 * The dense problem: its finite differences against the exact Jacobian, its LU with pivoting on
 * matrices that need pivots, other ones on every lane, real and complex; by a team, too.
 */
#define KB_DENSE
#include "tests/test.h"
#include "solvers/problem.h" /* before cmocka.h, which has a fail() too */
#include "solvers/linalg/matvec.h"
#if KB_TEAM > 1
#include "tests/team/fibers.h"
#else
static void run_fibers(void (*work)(void)) { work(); }
#endif

typedef struct {
    lane y[N], dy[N], A[NNZ], exact[EXACT_NNZ], E[NNZ], R[NNZ], M[NNZ];
    lane b[2][N], x[2][N], v[N], Jv[N], Jx[2][N];
    kb_jacobian w;
    kb_exact_jacobian exact_w;
} workspace;

static workspace *s; /* of the test that runs */

static void make_workspace(void)
{
    size_t size = (sizeof(workspace) + 63) / 64 * 64;
    s = memset(aligned_alloc(64, size), 0, size);
}

static double random_between(double a, double b) { return a + (b - a) * rand() / RAND_MAX; }

static void fill(lane *v, int n)
{
    for (int i = 0; i < n; i++)
        for (int l = 0; l < KB_LANES; l++)
            lane_put(&v[i], l, random_between(-1, 1));
}

/* sum |A_ij v_j| on lane l: what cancels in row i of A v */
static double terms_of(const lane *A, const lane *v, int i, int l)
{
    double sum = 0;
    for (int j = 0; j < N; j++)
        sum += fabs(lane_get(DENSE(A, i, j), l) * lane_get(v[j], l));
    return sum;
}

/* the largest |v_i| on lane l */
static double size_of(const lane *v, int l)
{
    double size = 0;
    for (int i = 0; i < N; i++)
        size = fmax(size, fabs(lane_get(v[i], l)));
    return size;
}

static kb_ode o;

static void both_jacobians(void)
{
    kb_run run = {0};
    jac_rhs(run.reactor, o.fixed, s->y, s->dy, s->exact, &s->exact_w.k, &s->exact_w.s);
    problem_jacobian(&run, &o, s->y, s->dy, s->A, &s->w);
    jac_multiply(s->exact, s->v, s->Jv);
    problem_multiply(s->A, s->v, s->Jx[0]);
}

TEST(differences)
{
    make_workspace();
    for (int round = 0; round < 5; round++) {
        for (int l = 0; l < KB_LANES; l++) {
            double sum = 0;
            for (int i = 1; i < N; i++)
                lane_put(&s->y[i], l, random_between(0.1, 1));
            for (int i = 1; i < N; i++)
                sum += lane_get(s->y[i], l);
            for (int i = 1; i < N; i++)
                lane_put(&s->y[i], l, lane_get(s->y[i], l) / sum);
            lane_put(&s->y[0], l, random_between(1000, 2500));
            lane_put(&o.fixed, l, random_between(1e5, 1e6));
        }
        fill(s->v, N);
        s->v[0] *= 1000.0; /* of the size of T */
        run_fibers(both_jacobians);
        for (int l = 0; l < KB_LANES; l++)
            for (int from = 0; from < 2; from++) { /* T, and the species for themselves */
                double worst = 0, size = 0;
                for (int i = from; i < (from ? N : 1); i++) {
                    double d = lane_get(s->Jx[0][i], l) - lane_get(s->Jv[i], l);
                    worst = larger(worst, fabs(d));
                    size = fmax(size, terms_of(s->A, s->v, i, l));
                }
                assert_true(size > 0 && worst <= 1e-5 * size); /* 1e-6 was seen of 400 rounds */
            }
    }
    free(s);
}

/* A x = b: problem_multiply gives -A x of the matrix as it was; v = b is solved in place */
static void solve_real(void)
{
    problem_factor(s->E, splat(0));
    problem_solve(s->E, s->b[0], s->x[0]);
    problem_multiply(s->A, s->x[0], s->Jx[0]);
    problem_solve(s->E, s->v, s->v);
}

TEST(factors)
{
    make_workspace();
    for (int round = 0; round < 20; round++) {
        fill(s->A, N * N);
        fill(s->b[0], N);
        for (int i = 0; i < N / 2; i++)
            DENSE(s->A, i, i) = splat(0); /* no pivot there */
        memcpy(s->E, s->A, sizeof s->A);
        memcpy(s->v, s->b[0], sizeof s->v);
        run_fibers(solve_real);
        for (int l = 0; l < KB_LANES; l++)
            for (int i = 0; i < N; i++)
                assert_true(fabs(lane_get(s->Jx[0][i], l) + lane_get(s->b[0][i], l)) <=
                            1e-10 * (1 + size_of(s->x[0], l)));
        assert_memory_equal(s->v, s->x[0], sizeof s->x[0]);
    }
    free(s);
}

/* (A + i g) (xr + i xm) = br + i bm */
static const double g = 0.5;

static void solve_complex(void)
{
    problem_factor_complex(s->R, s->M, splat(0), splat(g));
    problem_solve_complex(s->R, s->M, s->b[0], s->b[1], s->x[0], s->x[1]);
    for (int part = 0; part < 2; part++)
        problem_multiply(s->A, s->x[part], s->Jx[part]);
}

TEST(complex_factors)
{
    make_workspace();
    for (int round = 0; round < 20; round++) {
        fill(s->A, N * N);
        fill(s->b[0], N);
        fill(s->b[1], N);
        for (int i = 0; i < N / 2; i++)
            DENSE(s->A, i, i) = splat(0);
        memcpy(s->R, s->A, sizeof s->A);
        run_fibers(solve_complex);
        for (int l = 0; l < KB_LANES; l++)
            for (int i = 0; i < N; i++) {
                double xr = lane_get(s->x[0][i], l), xm = lane_get(s->x[1][i], l);
                double re = -lane_get(s->Jx[0][i], l) - g * xm - lane_get(s->b[0][i], l);
                double im = -lane_get(s->Jx[1][i], l) + g * xr - lane_get(s->b[1][i], l);
                double size = 1 + size_of(s->x[0], l) + size_of(s->x[1], l);
                assert_true(fabs(re) <= 1e-10 * size && fabs(im) <= 1e-10 * size);
            }
    }
    free(s);
}

TESTS(NULL, NULL)
