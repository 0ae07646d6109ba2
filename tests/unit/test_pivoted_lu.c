/* SPDX-License-Identifier: MIT
 *
 * Dense LU with partial pivoting: residuals of every size, the order of pivots, determinants,
 * singular matrices.
 */
#include <float.h>

#include "tests/test.h"
#include "base/error.h"
#include "base/pivoted_lu.h"
#include "base/random.h"

enum { MOST = 130 };

typedef struct {
    double A[MOST * MOST], LU[MOST * MOST], b[MOST], x[MOST];
    int pivot[MOST];
} system_of;

static void make_random(system_of *s, int n, kb_random *random)
{
    for (int e = 0; e < n * n; e++)
        s->A[e] = 2 * kb_random_unit(random) - 1;
    for (int i = 0; i < n; i++)
        s->b[i] = 2 * kb_random_unit(random) - 1;
    memcpy(s->LU, s->A, sizeof s->A);
    memcpy(s->x, s->b, sizeof s->b);
}

/* max_i |b - A x|_i / (n epsilon max|A| max|x|) */
static double residual(const system_of *s, int n)
{
    double worst = 0, size = 0;
    for (int i = 0; i < n; i++) {
        double r = s->b[i];
        for (int j = 0; j < n; j++)
            r -= s->A[j * n + i] * s->x[j];
        worst = larger(worst, fabs(r));
        size = fmax(size, fabs(s->x[i]));
    }
    return worst / (n * DBL_EPSILON * size);
}

/* every size about the blocks; none of the multipliers is above 1 */
TEST(solves)
{
    system_of *s = *state;
    kb_random random = {1};
    for (int n = 1; n <= MOST; n += n < 70 ? 1 : 7) {
        make_random(s, n, &random);
        assert_int_equal(kb_pivoted_factor(n, s->LU, s->pivot), 0);
        for (int j = 0; j < n; j++)
            for (int i = j + 1; i < n; i++)
                assert_true(fabs(s->LU[j * n + i]) <= 1);
        kb_pivoted_solve(n, s->LU, s->pivot, s->x);
        assert_true(residual(s, n) < 4);
    }
}

/* a cyclic permutation of n rows: each pivot is 1, and its determinant (-1)^(n-1) */
TEST(permutes)
{
    system_of *s = *state;
    for (int n = 2; n <= 40; n++) {
        memset(s->LU, 0, sizeof s->LU);
        for (int j = 0; j < n; j++) {
            s->LU[j * n + (j + 1) % n] = 1;
            s->x[j] = j;
        }
        assert_int_equal(kb_pivoted_factor(n, s->LU, s->pivot), 0);
        assert_int_equal(kb_pivoted_sign(n, s->LU, s->pivot), n % 2 ? 1 : -1);
        kb_pivoted_solve(n, s->LU, s->pivot, s->x);
        for (int j = 0; j < n; j++)
            assert_true(s->x[j] == (j + 1) % n);
    }
}

/* the first column without a pivot is named: here one that is zero, or not a number */
TEST(refuses)
{
    system_of *s = *state;
    kb_random random = {2};
    static const int columns[] = {0, 5, 15, 16, 33, 39};
    for (size_t q = 0; q < sizeof columns / sizeof *columns; q++)
        for (int bad = 0; bad < 2; bad++) {
            make_random(s, 40, &random);
            for (int i = 0; i < 40; i++)
                s->LU[columns[q] * 40 + i] = bad ? NAN : 0;
            assert_int_equal(kb_pivoted_factor(40, s->LU, s->pivot), columns[q] + 1);
        }
}

static int allocate(void **state)
{
    *state = kb_alloc(1, sizeof(system_of));
    return 0;
}

static int release(void **state)
{
    free(*state);
    return 0;
}

TESTS(allocate, release)
