/* SPDX-License-Identifier: MIT
 *
 * What a team of a GPU combines (solvers/portable/team.h, pair.h), by threads of the host.
 */
#include "tests/team/warps.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>

#define kb_fn [[maybe_unused]] static inline
#define KB_UNROLL
#if KB_LANES == 2
#include "solvers/portable/pair.h"
#else
typedef double lane;
typedef bool mask;
kb_fn lane splat(double x) { return x; }
kb_fn double lane_get(lane v, int) { return v; }
kb_fn void lane_put(lane *v, int, double x) { *v = x; }
kb_fn void mask_put(mask *m, int, int on) { *m = on; }
kb_fn int mask_get(mask m, int) { return m; }
kb_fn lane vlog(lane x) { return std::log(x); }
#endif
#define __CUDACC__
#include "solvers/portable/team.h"
#include "tests/test.h"

enum { MOST = TEAM_VALUES };
static lane x[KB_TEAM][MOST];
static int wrong[KB_TEAM];

/* whole numbers for the threads of each(i, count) and each_next(i, count), 0 for others */
static void draw(int count)
{
    for (int t = 0; t < KB_TEAM; t++)
        for (int k = 0; k < MOST; k++)
            for (int l = 0; l < KB_LANES; l++)
                lane_put(&x[t][k], l, t <= count ? (double)(random() % 1000) : 0);
}

static void all_right()
{
    for (int t = 0; t < KB_TEAM; t++)
        assert_int_equal(wrong[t], 0);
}

static const int counts[] = {1, 9, 30, 31, 32, 54, 63, 64, 96, 127, 128, 300};

TEST(test_sums)
{
    for (int count : counts)
        for (int n : {1, 2, 4}) {
            draw(count);
            double exact[MOST * KB_LANES] = {};
            for (int k = 0; k < MOST * KB_LANES; k++)
                for (int t = 0; t < KB_TEAM; t++)
                    exact[k] += lane_get(x[t][k / KB_LANES], k % KB_LANES);
            team([=](unsigned t) {
                lane v[MOST], one = team_sum(x[t][0], count);
                for (int k = 0; k < n; k++)
                    v[k] = x[t][k];
                team_sums(v, n, count);
                wrong[t] = 0;
                for (int k = 0; k < n * KB_LANES; k++)
                    wrong[t] += lane_get(v[k / KB_LANES], k % KB_LANES) != exact[k];
                for (int l = 0; l < KB_LANES; l++)
                    wrong[t] += lane_get(one, l) != exact[l];
            });
            all_right();
        }
}

TEST(test_max)
{
    for (int count : counts)
        for (int with_nan = 0; with_nan < 2; with_nan++) {
            draw(count);
            if (with_nan)
                lane_put(&x[count % KB_TEAM][0], KB_LANES - 1, NAN);
            double largest[KB_LANES] = {};
            for (int l = 0; l < KB_LANES; l++)
                for (int t = 0; t < KB_TEAM; t++)
                    largest[l] = std::fmax(largest[l], lane_get(x[t][0], l));
            team([=](unsigned t) {
                lane most = team_max(x[t][0], count);
                wrong[t] = 0;
                for (int l = 0; l < KB_LANES; l++)
                    wrong[t] += with_nan && l == KB_LANES - 1 ? !std::isnan(lane_get(most, l))
                                                              : lane_get(most, l) != largest[l];
            });
            all_right();
        }
}

TEST(test_any)
{
    for (unsigned one = 0; one <= KB_TEAM; one += one < 4 ? 1 : 31)
        for (int l = 0; l < KB_LANES; l++) {
            team([=](unsigned t) {
                mask m = {};
                mask_put(&m, l, t == one);
                m = team_any_of(m);
                syncs = 0;
                wrong[t] = team_any(t == one) != (one < KB_TEAM);
                wrong[t] += syncs != 1;
                for (int k = 0; k < KB_LANES; k++)
                    wrong[t] += mask_get(m, k) != (k == l && one < KB_TEAM);
            });
            all_right();
        }
}

TEST(test_log)
{
    static lane a;
    for (int l = 0; l < KB_LANES; l++)
        lane_put(&a, l, 300 + 700 * l);
    team([](unsigned t) {
        lane log = vlog_same(a);
        wrong[t] = 0;
        for (int l = 0; l < KB_LANES; l++)
            wrong[t] += !(std::fabs(lane_get(log, l) - std::log(lane_get(a, l))) < 1e-14);
    });
    all_right();
}

TESTS(NULL, NULL)
