/* SPDX-License-Identifier: MIT
 *
 * The vector operations that CVODE is given (solvers/cvode/nvector.h) against what SUNDIALS says of
 * them, to the bit, also where the result takes the place of an argument.
 */
#include "tests/test.h"
#include "solvers/cvode/nvector.h" /* before cmocka.h, which has a fail() too */

enum { MOST = 4 };
static SUNContext context;
static N_Vector v[MOST]; /* clones, as CVODE makes them */
static double x[MOST][N];
static double c[MOST] = {0.3, -1.7, 1, 1e-3};

static void fill(void)
{
    for (int k = 0; k < MOST; k++)
        for (int i = 0; i < N; i++)
            NV_DATA_S(v[k])[i] = x[k][i] = sin(1 + k + 7 * i) * pow(10, i % 5 - k);
}

/* v_k is what `of` makes of element i of all x */
#define IS(k, of)                       \
    for (int i = 0; i < N; i++)         \
    assert_true(NV_DATA_S(v[k])[i] == (of))

FIXTURE(make)
{
    assert_int_equal(SUNContext_Create(NULL, &context), 0);
    N_Vector first = N_VNew_Serial(N, context);
    vector_use(first);
    for (int k = 0; k < MOST; k++)
        v[k] = N_VClone(first);
    N_VDestroy(first);
    return 0;
}

FIXTURE(destroy)
{
    for (int k = 0; k < MOST; k++)
        N_VDestroy(v[k]);
    return SUNContext_Free(&context);
}

TEST(one_vector)
{
    fill();
    N_VScale(-2.5, v[0], v[1]);
    IS(0, x[0][i]);
    IS(1, -2.5 * x[0][i]);
    N_VConst(0.7, v[2]);
    IS(2, 0.7);
    N_VScale(3, v[3], v[3]);
    IS(3, 3 * x[3][i]);
}

TEST(two_vectors)
{
    double sum = 0;
    fill();
    N_VLinearSum(0.3, v[0], -4, v[1], v[2]);
    IS(2, 0.3 * x[0][i] + -4 * x[1][i]);
    N_VLinearSum(2, v[0], 5, v[3], v[3]);
    IS(3, 2 * x[0][i] + 5 * x[3][i]);
    for (int i = 0; i < N; i++)
        sum += x[0][i] * x[1][i] * (x[0][i] * x[1][i]);
    assert_true(fabs(N_VWrmsNorm(v[0], v[1]) / sqrt(sum / N) - 1) < 1e-14);
}

TEST(several_vectors)
{
    for (int n = 1; n <= MOST; n++)
        for (int to = 0; to < MOST; to++) {
            double sum[N];
            fill();
            for (int i = 0; i < N; i++) {
                sum[i] = c[0] * x[0][i];
                for (int k = 1; k < n; k++)
                    sum[i] += c[k] * x[k][i];
            }
            assert_int_equal(N_VLinearCombination(n, c, v, v[to]), 0);
            IS(to, sum[i]);
        }
    fill();
    assert_int_equal(N_VScaleAddMulti(MOST - 1, c, v[0], v + 1, v + 1), 0);
    for (int k = 1; k < MOST; k++)
        IS(k, c[k - 1] * x[0][i] + x[k][i]);
    fill();
    assert_int_equal(N_VScaleVectorArray(MOST - 1, c, v + 1, v + 1), 0);
    IS(0, x[0][i]);
    for (int k = 1; k < MOST; k++)
        IS(k, c[k - 1] * x[k][i]);
}

TESTS(make, destroy)
