/* SPDX-License-Identifier: MIT
 *
 * Algorithm 1 of Curtis et al. (2017) on reactions that were worked by hand.
 */
#include "tests/test.h"
#include "solvers/papers/cache_plan.h"

/* species 0 to 5; two places:
 *   reaction 0 uses 0 1     P = 2 0: both find room, 0 first
 *   reaction 1 uses 2 0     P = 3 1: no room; 1 has L = 1, so that it stays
 *   reaction 2 uses 0 2 3   P = 0 2 0: 2 takes the place of 1, whose L is 2; 3 has no place
 *   reaction 3 uses 2       0 has L = 1
 *   reaction 4 uses 2 4     P = 0 1: 0 has L = 2, but 4 is not used twice more
 *   reaction 5 uses 4 5     P = 0 2: 5 takes the place of 0, whose L is larger than that of 2
 *   reactions 6, 7 use 5 */
static constexpr cache_uses<8, 3> hand = {
    {2, 2, 3, 1, 2, 2, 1, 1},
    {{0, 1}, {2, 0}, {0, 2, 3}, {2}, {2, 4}, {4, 5}, {5}, {5}}};
static constexpr cache_plan<8, 3, 2> plan = make_cache_plan<2>(hand);

/* reaction, item, place, what was there before */
static const int entered[4][4] = {{0, 0, 0, -1}, {0, 1, 1, -1}, {2, 2, 1, 1}, {5, 5, 0, 0}};

TEST(test_what_enters)
{
    int n = 0;
    for (int r = 0; r < 8; r++)
        for (int k = 0; k < plan.step[r].n; k++, n++) {
            assert_true(n < 4);
            assert_int_equal(r, entered[n][0]);
            assert_int_equal(plan.step[r].item[k], entered[n][1]);
            assert_int_equal(plan.step[r].place[k], entered[n][2]);
            assert_int_equal(plan.step[r].old[k], entered[n][3]);
        }
    assert_int_equal(n, 4);
    assert_int_equal(plan.last[0], 5);
    assert_int_equal(plan.last[1], 2);
}

TEST(test_where_it_is_read)
{
    const int at[8][3] = {{0, 1}, {-1, 0}, {0, 1, -1}, {1}, {1, -1}, {-1, 0}, {0}, {0}};
    for (int r = 0; r < 8; r++)
        for (int j = 0; j < hand.n[r]; j++)
            assert_int_equal(plan.at[r][j], at[r][j]);
}

/* more ahead goes first where one place is left, and of two alike the first of the reaction */
TEST(test_order)
{
    static constexpr cache_uses<4, 2> two = {{2, 1, 2, 2}, {{0, 1}, {1}, {1, 2}, {1, 2}}};
    static constexpr cache_plan<4, 2, 1> ahead = make_cache_plan<1>(two);
    assert_int_equal(ahead.step[0].item[0], 1);
    static constexpr cache_uses<2, 2> alike = {{2, 2}, {{3, 4}, {4, 3}}};
    static constexpr cache_plan<2, 2, 1> first = make_cache_plan<1>(alike);
    assert_int_equal(first.step[0].item[0], 3);
}

TEST(test_no_places)
{
    static constexpr cache_plan<8, 3, 0> empty = make_cache_plan<0>(hand);
    for (int r = 0; r < 8; r++) {
        assert_int_equal(empty.step[r].n, 0);
        for (int j = 0; j < hand.n[r]; j++)
            assert_int_equal(empty.at[r][j], -1);
    }
    assert_int_equal(empty.last[0], -1);
}

TESTS(NULL, NULL)
