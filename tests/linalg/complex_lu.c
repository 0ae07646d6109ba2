/* SPDX-License-Identifier: MIT
 *
 * The complex factorisation of a mechanism's Newton matrix, compared with the real one: from
 * (gr + i gm) x - J x = b follow (gr - J) xr = br + gm xm and (gr - J) xm = bm - gm xr.
 * Compiled for one mechanism and for one lane and many. Newton's iteration alone would not tell:
 * with wrong factors it only converges more slowly.
 */
#include "tests/test.h"
#include "solvers/problem.h" /* before cmocka.h, which has a fail() too */

typedef struct {
    lane y[N], dy[N], A[NNZ], E[NNZ], R[NNZ], M[NNZ], b[2][N], x[2][N], v[N];
    kb_jacobian w;
} workspace;

static double random_between(double a, double b) { return a + (b - a) * rand() / RAND_MAX; }

static void random_state(workspace *s, kb_ode *o)
{
    for (int l = 0; l < KB_LANES; l++) {
        double Y[NSP], sum = 0;
        for (int i = 0; i < NSP; i++)
            sum += Y[i] = random_between(0.1, 1);
        lane_put(&s->y[0], l, random_between(1000, 2500));
        lane_put(&o->fixed, l, random_between(1e5, 1e6));
        for (int i = 0; i < NSP; i++)
            lane_put(&s->y[i + 1], l, Y[i] / sum);
        for (int i = 0; i < N; i++) {
            lane_put(&s->b[0][i], l, random_between(-1, 1));
            lane_put(&s->b[1][i], l, random_between(-1, 1));
        }
    }
}

/* largest |v - x| over the largest |x| of each lane */
static double apart(const lane *v, const lane *x)
{
    double worst = 0;
    for (int l = 0; l < KB_LANES; l++) {
        double d = 0, size = 0;
        for (int i = 1; i < N; i++) {
            d = larger(d, fabs(lane_get(v[i], l) - lane_get(x[i], l)));
            size = fmax(size, fabs(lane_get(x[i], l)));
        }
        assert_true(size > 0 && isfinite(d));
        worst = larger(worst, d / size);
    }
    return worst;
}

TEST(agrees_with_real)
{
    size_t size = (sizeof(workspace) + 63) / 64 * 64;
    kb_owned workspace *s = memset(aligned_alloc(64, size), 0, size);
    kb_run run = {0};
    kb_ode o = {0};
    for (double g = 1e4; g < 1e11; g *= 100) {
        lane gr = splat(0.9 * g), gm = splat(1.1 * g);
        random_state(s, &o);
        problem_jacobian(&run, &o, s->y, s->dy, s->A, &s->w);
        memcpy(s->E, s->A, sizeof s->A);
        memcpy(s->R, s->A, sizeof s->A);
        problem_factor(s->E, gr);
        problem_factor_complex(s->R, s->M, gr, gm);
        problem_solve_complex(s->R, s->M, s->b[0], s->b[1], s->x[0], s->x[1]);
        for (int part = 0; part < 2; part++) {
            for (int i = 0; i < N; i++)
                s->v[i] = s->b[part][i] + (part ? -gm : gm) * s->x[1 - part][i];
            problem_solve(s->E, s->v, s->v);
            print_message("%s, %d lanes, g %.0e: %s parts apart by %.1e\n", KB_MECH_NAME, KB_LANES,
                          g, part ? "imaginary" : "real", apart(s->v, s->x[part]));
            assert_true(apart(s->v, s->x[part]) <= 1e-7);
        }
    }
}

TESTS(NULL, NULL)
