/* SPDX-License-Identifier: MIT
 *
 * The two lanes of gpu-pair (solvers/portable/pair.h) on the host: each operation does to either
 * what it does to one number, and nothing to the other. The same of the floats of gpu-pair-float.
 */
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

/* a warp of which one thread is here; the others hold the same numbers, times 1 + the bits in which
 * their number differs */
#define __device__
#define __host__
#define __forceinline__ inline
static struct {
    unsigned x;
} threadIdx;
static int syncs;
static void __syncwarp() { syncs++; }
template <class T> static T __shfl_xor_sync(unsigned, T x, int d) { return x * (T)(1 + d); }
static float __fdividef(float a, float b) { return a / b; }

#define KB_PAIR_FLOAT
#include "tests/test.h"
#include "solvers/portable/lane.h"

static bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

static bool is(lane v, double x, double y) { return same(v.x, x) && same(v.y, y); }
static bool is(mask m, bool x, bool y) { return m.x == x && m.y == y; }

static double draw() { return (drand48() - 0.5) * exp(20 * (drand48() - 0.5)); }

TEST(two_lanes)
{
    assert_true(KB_LANES == 2 && KB_VECTOR == 0);
    assert_int_equal(sizeof(lane), KB_LANES * sizeof(double));
    assert_int_equal(sizeof(kb_stored), KB_LANES * sizeof(float));
}

/* each operator on two lanes, and on a lane and a number on either side */
#define CHECK_OPERATOR(op)                                                                        \
    do {                                                                                          \
        lane v = a;                                                                               \
        assert_true(is(a op b, a.x op b.x, a.y op b.y));                                          \
        assert_true(is(a op c, a.x op c, a.y op c));                                              \
        assert_true(is(c op a, c op a.x, c op a.y));                                              \
        assert_true(is(v op## = b, a.x op b.x, a.y op b.y) && is(v, a.x op b.x, a.y op b.y));     \
        v = a;                                                                                    \
        assert_true(is(v op## = c, a.x op c, a.y op c) && is(v, a.x op c, a.y op c));             \
    } while (0)
#define CHECK_COMPARISON(op)                                                                      \
    do {                                                                                          \
        assert_true(is(a op b, a.x op b.x, a.y op b.y));                                          \
        assert_true(is(a op c, a.x op c, a.y op c));                                              \
        assert_true(is(c op a, c op a.x, c op a.y));                                              \
    } while (0)

static void near_one(double quotient, double exact)
{
    assert_true(std::fabs(quotient / exact - 1) < 1e-15);
}

TEST(test_arithmetic)
{
    for (int k = 0; k < 2000; k++) {
        lane a = make_lane(draw(), draw()), b = make_lane(draw(), draw());
        double c = draw();
        CHECK_OPERATOR(+);
        CHECK_OPERATOR(-);
        CHECK_OPERATOR(*);
        lane q[] = {a / b, a / c, c / a, a};
        q[3] /= b;
        const double exact[][2] = {{a.x / b.x, a.y / b.y}, {a.x / c, a.y / c},
                                   {c / a.x, c / a.y}, {a.x / b.x, a.y / b.y}};
        for (int i = 0; i < 4; i++) {
            near_one(q[i].x, exact[i][0]);
            near_one(q[i].y, exact[i][1]);
        }
        assert_true(is(-a, -a.x, -a.y));
    }
}

static bool is(kb_stored v, double x, double y) { return v.x == (float)x && v.y == (float)y; }

TEST(test_stored)
{
    for (int k = 0; k < 2000; k++) {
        lane a = make_lane(draw(), draw()), b = make_lane(draw(), draw());
        kb_stored s, t;
        s = a;
        t = b;
        assert_true(is(s, a.x, a.y));
        lane whole = s; /* each float is that number of doubles */
        assert_true(is(whole, (float)a.x, (float)a.y));
        assert_true(is(s * b, (float)a.x * b.x, (float)a.y * b.y)); /* with a lane: in doubles */
        assert_true(is(s + t, s.x + t.x, s.y + t.y));
        assert_true(is(s - t, s.x - t.x, s.y - t.y));
        assert_true(is(s * t, s.x * t.x, s.y * t.y));
        assert_true(is(-s, -s.x, -s.y));
        assert_true(is(vlarger(s, t), fmaxf(fabsf(s.x), fabsf(t.x)), fmaxf(fabsf(s.y), fabsf(t.y))));
        assert_true(is(vinverse(s), 1 / s.x, 1 / s.y));
        assert_true(is(stored_of(2.5F), 2.5, 2.5));
        assert_true(is(team_exchange(s, 2), s.x * 3, s.y * 3));
        kb_stored sum, difference, product;
        sum = difference = product = s;
        sum += t;
        difference -= t;
        assert_true(is(sum, s.x + t.x, s.y + t.y) && is(difference, s.x - t.x, s.y - t.y));
        sum = difference = s;
        sum += b;
        difference -= b;
        product *= b;
        assert_true(is(sum, (float)a.x + b.x, (float)a.y + b.y));
        assert_true(is(difference, (float)a.x - b.x, (float)a.y - b.y));
        assert_true(is(product, (float)a.x * b.x, (float)a.y * b.y));
    }
}

TEST(test_comparisons)
{
    const double values[] = {-1, 0, 1, NAN, INFINITY};
    for (int k = 0; k < 625; k++) {
        lane a = make_lane(values[k % 5], values[k / 5 % 5]);
        lane b = make_lane(values[k / 25 % 5], values[k / 125]);
        double c = b.x;
        CHECK_COMPARISON(<);
        CHECK_COMPARISON(<=);
        CHECK_COMPARISON(>);
        CHECK_COMPARISON(>=);
        CHECK_COMPARISON(==);
        CHECK_COMPARISON(!=);
    }
}

TEST(test_masks)
{
    for (int k = 0; k < 16; k++) {
        mask m = make_mask(k & 1, k & 2), n = make_mask(k & 4, k & 8);
        assert_true(is(m & n, m.x && n.x, m.y && n.y));
        assert_true(is(m | n, m.x || n.x, m.y || n.y));
        assert_true(is(not_(m), !m.x, !m.y));
        assert_int_equal(lane_any(m) != 0, m.x || m.y);
        assert_true(mask_get(m, 0) == m.x && mask_get(m, 1) == m.y);
        for (int l = 0; l < 2; l++) {
            mask put = m;
            mask_put(&put, l, k & 4);
            assert_true(is(put, l == 0 ? k & 4 : m.x, l == 1 ? k & 4 : m.y));
        }
        const double a[] = {1, 2}, b[] = {3, 4};
        assert_true(is(vselect(m, make_lane(1, 2), make_lane(3, 4)), m.x ? 1 : 3, m.y ? 2 : 4));
        for (int i = 0; i < 2; i++)
            assert_true(is(vchosen(m, a, b, i), (m.x ? a : b)[i], (m.y ? a : b)[i]));
    }
    assert_true(is(mask_none(), false, false));
}

TEST(test_functions)
{
    for (int k = 0; k < 1000; k++) {
        lane a = make_lane(1 + 100 * drand48(), 1 + 100 * drand48());
        assert_true(is(vexp(a), exponential(a.x), exponential(a.y)));
        assert_true(is(vexp_finite(a), exponential_finite(a.x), exponential_finite(a.y)));
        assert_true(is(vlog(a), logarithm(a.x), logarithm(a.y)));
        assert_true(is(vinverse(a), inverse(a.x), inverse(a.y)));
        assert_true(is(vsqrt(a), sqrt(a.x), sqrt(a.y)));
        assert_true(is(vfloor(a), floor(a.x), floor(a.y)));
        assert_true(is(vabs(-a), a.x, a.y) && is(vabs(a), a.x, a.y));
        assert_true(is(splat(a.x), a.x, a.x));
        assert_true(lane_get(a, 0) == a.x && lane_get(a, 1) == a.y);
        for (int l = 0; l < 2; l++) {
            lane put = a;
            lane_put(&put, l, -3);
            assert_true(is(put, l == 0 ? -3 : a.x, l == 1 ? -3 : a.y));
        }
        assert_true(is(team_exchange(a, 4), 5 * a.x, 5 * a.y));
    }
}

/* one for each warp: its first thread writes, between two syncs; the others only read */
TEST(test_of_a_warp)
{
    kb_scalar s = {make_lane(1, 2)};
    kb_flag f = {make_mask(false, true)};
    for (unsigned thread = 0; thread < 128; thread += 16) {
        bool writes = thread % 32 == 0;
        threadIdx.x = thread;
        s.value = make_lane(1, 2);
        f.value = make_mask(false, true);
        syncs = 0;
        s = make_lane(3, 4);
        assert_int_equal(syncs, 2);
        assert_true(is(s, writes ? 3 : 1, writes ? 4 : 2));
        s += make_lane(10, 20);
        assert_true(is(s, writes ? 13 : 1, writes ? 24 : 2));
        lane_put(&s, 1, 7);
        assert_true(is(s, writes ? 13 : 1, writes ? 7 : 2));
        mask_put(&f, 0, 1);
        assert_true(is(f, writes, true));
    }
}

TESTS(NULL, NULL)
