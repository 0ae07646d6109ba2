/* SPDX-License-Identifier: MIT
 *
 * What a state must fulfil: each limit of T, p, Y and the sum of Y on its own, for every number and
 * place of species; what a repair mends, and what is refused.
 */
#include "tests/test.h"
#include "solvers/states.h"

enum { MOST = 11 };
static const kb_state_limits limits = {KB_Y_MIN, KB_SUM_TOLERANCE};

/* T, p, and mass fractions that add up to 1 but for rounding */
static void make_state(double *s, int nsp)
{
    s[0] = 1000;
    s[1] = 1e5;
    for (int k = 0; k < nsp; k++)
        s[2 + k] = 2.0 * (k + 1) / (nsp * (nsp + 1.0));
}

static bool possible(const double *s, int nsp)
{
    return kb_state_possible(s[0], s[1], s + 2, nsp, &limits);
}

/* as it is if it is possible, else T = KB_T_REFUSED, and what is not finite stays */
static void check_ready(const double *s, int nsp)
{
    double ready[MOST + 2];
    memcpy(ready, s, sizeof ready);
    kb_state_ready(ready, nsp, &limits, false);
    bool same = possible(s, nsp) || !isfinite(s[0]);
    assert_true(same ? memcmp(ready, s, sizeof *s) == 0 : ready[0] == KB_T_REFUSED);
    assert_memory_equal(ready + 1, s + 1, (size_t)(nsp + 1) * sizeof *s);
}

static void limit(double *at, double value, bool expected, double *s, int nsp)
{
    double kept = *at;
    *at = value;
    assert_true(possible(s, nsp) == expected);
    check_ready(s, nsp);
    *at = kept;
}

TEST(each_limit)
{
    double s[MOST + 2] = {0};
    for (int nsp = 1; nsp <= MOST; nsp++) {
        make_state(s, nsp);
        limit(&s[0], 1000, true, s, nsp);
        limit(&s[0], KB_T_MIN, true, s, nsp);
        limit(&s[0], KB_T_MAX, true, s, nsp);
        limit(&s[0], nextafter(KB_T_MIN, 0), false, s, nsp);
        limit(&s[0], nextafter(KB_T_MAX, 1e9), false, s, nsp);
        limit(&s[1], KB_P_MIN, true, s, nsp);
        limit(&s[1], KB_P_MAX, true, s, nsp);
        limit(&s[1], nextafter(KB_P_MIN, 0), false, s, nsp);
        limit(&s[1], nextafter(KB_P_MAX, 1e19), false, s, nsp);
        for (int k = 0; k < nsp + 2; k++) {
            limit(&s[k], NAN, false, s, nsp);
            limit(&s[k], INFINITY, false, s, nsp);
            limit(&s[k], -INFINITY, false, s, nsp);
        }
        for (int k = 2; k < nsp + 2; k++) {
            double Y = s[k];
            limit(&s[k], Y + 0.99 * KB_SUM_TOLERANCE, true, s, nsp);
            limit(&s[k], Y - 0.99 * KB_SUM_TOLERANCE, true, s, nsp);
            limit(&s[k], Y + 1.01 * KB_SUM_TOLERANCE, false, s, nsp);
            limit(&s[k], Y - 1.01 * KB_SUM_TOLERANCE, false, s, nsp);
            if (nsp == 1)
                continue;
            double *other = &s[k > 2 ? k - 1 : k + 1];
            *other += Y; /* the sum stays */
            limit(&s[k], 0, true, s, nsp);
            limit(&s[k], KB_Y_MIN, true, s, nsp);
            limit(&s[k], 1.01 * KB_Y_MIN, false, s, nsp);
            *other -= Y;
        }
    }
}

TEST(repairs)
{
    double s[MOST + 2] = {0}, kept[MOST + 2];
    for (int nsp = 2; nsp <= MOST; nsp++)
        for (int k = 2; k < nsp + 2; k++) {
            make_state(s, nsp);
            double rest = 1 - s[k], sum = 0;
            s[k] = 0.9 * KB_REPAIR_Y_MIN;
            for (int i = 2; i < nsp + 2; i++)
                s[i] /= i == k ? 1 : rest;
            memcpy(kept, s, sizeof s);
            kb_state_ready(s, nsp, &limits, true);
            for (int i = 2; i < nsp + 2; i++) {
                sum += s[i];
                assert_true(i == k ? s[i] == 0 : fabs(s[i] / kept[i] - 1) < 1e-15);
            }
            assert_true(s[0] == 1000 && fabs(sum - 1) < 1e-15);
            kept[k] = 1.1 * KB_REPAIR_Y_MIN;
            memcpy(s, kept, sizeof s);
            kb_state_ready(s, nsp, &limits, true);
            assert_true(s[0] == KB_T_REFUSED && memcmp(s + 1, kept + 1, nsp * sizeof *s) == 0);
            for (int sign = -1; sign < 2; sign += 2) {
                make_state(s, nsp);
                for (int i = 2; i < nsp + 2; i++)
                    kept[i] = s[i] *= 1 + sign * 0.99 * KB_REPAIR_SUM;
                kb_state_ready(s, nsp, &limits, true);
                double factor = 1 + sign * 0.99 * KB_REPAIR_SUM;
                assert_true(s[0] == 1000 && fabs(s[k] * factor / kept[k] - 1) < 1e-15);
                make_state(s, nsp);
                for (int i = 2; i < nsp + 2; i++)
                    kept[i] = s[i] *= 1 + sign * 1.01 * KB_REPAIR_SUM;
                kb_state_ready(s, nsp, &limits, true);
                assert_true(s[0] == KB_T_REFUSED && s[k] == kept[k]);
            }
        }
}

TESTS(NULL, NULL)
