/* SPDX-License-Identifier: MIT
 *
 * phi functions of Hessenberg matrices whose eigenvectors are known: tridiagonal Toeplitz matrices,
 * of which odd lanes hold a shorter one.
 */
#define KB_PROBLEM "tests/order/problem_linear.h"
enum { PHI_PARTS = 3, PHI_LAST = 4 };
#include "tests/test.h"
#include "solvers/methods/families/phi_pade.h"
#include <complex.h>

typedef long double complex number;

/* diagonal, above it, below it */
typedef struct {
    double a, b, c;
} toeplitz;

enum { M = 20, M_ODD = 9 };

static phi_work work;

static int rows(int l) { return l % 2 ? M_ODD : M; }

static double step(int l) { return 1 - 0.1 * l; }

static lane sizes(void)
{
    lane s;
    for (int l = 0; l < KB_LANES; l++)
        lane_put(&s, l, rows(l));
    return s;
}

static lane steps(void)
{
    lane h;
    for (int l = 0; l < KB_LANES; l++)
        lane_put(&h, l, step(l));
    return h;
}

static void set_matrix(toeplitz t)
{
    memset(&work, 0, sizeof work);
    work.r[0] = splat(1);
    for (int l = 0; l < KB_LANES; l++)
        for (int i = 0; i < rows(l); i++) {
            lane_put(&work.H[i][i], l, t.a);
            if (i + 1 == rows(l))
                continue;
            lane_put(&work.H[i][i + 1], l, t.b);
            lane_put(&work.H[i + 1][i], l, t.c);
            lane_put(&work.r[i + 1], l, 1 / t.c);
        }
}

static number phi(int l, number z)
{
    if (cabsl(z) < 1) {
        number sum = 0, term = 1;
        for (int k = 1; k <= l; k++)
            term /= k;
        for (int k = l + 1; k < l + 30; k++) {
            sum += term;
            term *= z / k;
        }
        return sum;
    }
    number p = cexpl(z);
    long double factor = 1;
    for (int k = 1; k <= l; k++) {
        p = (p - factor) / z;
        factor /= k;
    }
    return p;
}

/* row i of phi_l(h H) e_1: H = D S D^-1, S symmetric with eigenvectors
 * sqrt(2/(m+1)) sin(i k pi/(m+1)) */
static double entry(toeplitz t, int m, int l, long double h, int i)
{
    number root = csqrtl(t.b * t.c), ratio = root / t.b, sum = 0;
    for (int k = 1; k <= m; k++) {
        long double angle = k * acosl(-1) / (m + 1);
        number z = h * (t.a + 2 * root * cosl(angle));
        sum += phi(l, z) * sinl((i + 1) * angle) * sinl(angle);
    }
    return (double)creall(sum * cpowl(ratio, i) * 2 / (m + 1));
}

/* the largest error of the rows of c of lane l; relative where they grow */
static double error(toeplitz t, int l)
{
    double worst = 0;
    for (int row = 0; row < PHI_ROWS; row++) {
        int order = row < PHI_ONE ? 1 : row - PHI_ONE + 1;
        long double h = step(l) * (row < PHI_ONE ? (row + 1.0L) / PHI_PARTS : 1);
        double e = 0, size = 0;
        for (int i = 0; i < M; i++) {
            double x = i < rows(l) ? entry(t, rows(l), order, h, i) : 0;
            e = larger(e, fabs(lane_get(work.c[row][i], l) - x));
            size = fmax(size, fabs(x));
        }
        worst = larger(worst, e / fmax(size, 1));
    }
    return worst;
}

static lane by_approximant(toeplitz t)
{
    set_matrix(t);
    phi_last_entry(&work, M, sizes(), steps(), 1, 2);
    return phi_rational(&work, M, sizes(), steps(), 1, splat(0) == 0.0);
}

static mask by_squaring(toeplitz t)
{
    set_matrix(t);
    return phi_pade(&work, M, steps(), splat(0) == 0.0);
}

/* decay, at rates up to those of stiff chemistry */
TEST(negative_axis)
{
    for (double rate = 1e-3; rate < 1e9; rate *= 10) {
        toeplitz t = {-2 * rate, rate, rate};
        lane wrong = by_approximant(t);
        for (int l = 0; l < KB_LANES; l++) {
            double e = error(t, l);
            print_message("rate %g, lane %d: approximant %.1e, indicator %.1e\n", rate, l, e,
                          lane_get(wrong, l));
            assert_true(e < 3e-8);
            assert_true(lane_get(wrong, l) < 1e-8);
        }
        assert_true(!lane_any(not_(by_squaring(t))));
        for (int l = 0; l < KB_LANES; l++)
            assert_true(error(t, l) < 1e-13 * fmax(10, rate));
    }
}

/* growth and oscillation: the indicator sees that the approximant is wrong, squaring is right */
TEST(elsewhere)
{
    double seen = 0;
    for (double growth = -1; growth <= 9; growth++)
        for (double turn = 0; turn <= 8; turn += 2) {
            toeplitz t = {growth, turn > 0 ? -turn : 0.25, turn > 0 ? turn : 0.25};
            lane wrong = by_approximant(t);
            for (int l = 0; l < KB_LANES; l++) {
                double e = error(t, l), size = fabs(entry(t, rows(l), 1, step(l), 0));
                assert_true(e < 3e-8 || lane_get(wrong, l) > 0.1 * e * fmin(size, 1));
                seen = larger(seen, e);
            }
            assert_true(!lane_any(not_(by_squaring(t))));
            for (int l = 0; l < KB_LANES; l++)
                assert_true(error(t, l) < 1e-12);
        }
    assert_true(seen > 0.1);
}

/* far from normal: eigenvalues, all negative, do not tell how wrong the approximant is */
TEST(non_normal)
{
    toeplitz t = {-4, 1, 4};
    lane wrong = by_approximant(t);
    for (int l = 0; l < KB_LANES; l += 2) {
        double e = error(t, l);
        print_message("not normal, lane %d: approximant %.1e, indicator %.1e\n", l, e,
                      lane_get(wrong, l));
        assert_true(lane_get(wrong, l) > e && (l > 0 || e > 1e-7));
    }
    assert_true(!lane_any(not_(by_squaring(t))));
    for (int l = 0; l < KB_LANES; l++) {
        print_message("not normal, lane %d: squaring %.1e\n", l, error(t, l));
        assert_true(error(t, l) < 1e-10);
    }
}

/* what cannot be scaled is told, and a lane that is off keeps its rows */
TEST(limits)
{
    set_matrix((toeplitz){-1e300, 1e300, 1e300});
    assert_false(lane_any(phi_pade(&work, M, steps(), splat(0) == 0.0)));
    set_matrix((toeplitz){-1, 1, 1});
    assert_false(lane_any(phi_pade(&work, M, steps(), mask_none())));
    for (int i = 0; i < M; i++)
        for (int l = 0; l < KB_LANES; l++)
            assert_true(lane_get(work.c[PHI_ONE][i], l) == 0);
}

/* as few as take the norm of h B/PHI_PARTS, B with a 1 beside H, to 0.5; what lies below H and
 * beyond its m columns is not its own */
TEST(squarings)
{
    for (double rate = 1e-2; rate < 1e6; rate *= 3.7) {
        set_matrix((toeplitz){-2 * rate, 0.5 * rate, rate});
        lane s = (work.H[M][M - 1] = splat(1e3 * rate), phi_squarings(&work, M, steps()));
        for (int l = 0; l < KB_LANES; l++) {
            double norm = fmax(3.5 * rate * step(l), 1) / PHI_PARTS;
            assert_true(lane_get(s, l) == fmax(0, ceil(log2(2 * norm))));
        }
    }
}

TESTS(NULL, NULL)
