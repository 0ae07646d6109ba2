/* SPDX-License-Identifier: MIT
 *
 * Which rank gets which ODEs, and the mark by which the costs of states are found again.
 */
#include "tests/test.h"
#include "drivers/ranks/distribution.h"

static void expect(kb_deal deal, long n, int ranks, const double *cost, const long *order,
                   const long *first)
{
    long dealt[16], begins[8];
    memset(dealt, -1, sizeof dealt);
    kb_deal_out(deal, n, ranks, cost, dealt, begins);
    assert_memory_equal(dealt, order, (size_t)n * sizeof *order);
    assert_memory_equal(begins, first, (size_t)(ranks + 1) * sizeof *first);
}

TEST(one_after_another)
{
    expect(KB_DEAL_STATIC, 7, 3, NULL, (long[]){0, 1, 2, 3, 4, 5, 6}, (long[]){0, 3, 5, 7});
    expect(KB_DEAL_CYCLIC, 7, 3, NULL, (long[]){0, 3, 6, 1, 4, 2, 5}, (long[]){0, 3, 5, 7});
}

/* The dearest goes to rank 0, the next ones to 1 and 2, then back to 2, 1 and 0: the sums of costs
 * are 9 + 4, 8 + 5 and 7 + 6. Every round from rank 0 on would give 15, 13 and 11. */
TEST(by_cost_to_and_fro)
{
    const double cost[] = {4, 5, 6, 7, 8, 9}, even[] = {1, 1, 1, 1, 1};
    expect(KB_DEAL_COST, 6, 3, cost, (long[]){5, 0, 4, 1, 3, 2}, (long[]){0, 2, 4, 6});
    /* of an odd number of rounds the last is short; equal costs keep their order */
    expect(KB_DEAL_COST, 5, 2, even, (long[]){0, 3, 4, 1, 2}, (long[]){0, 3, 5});
    /* what differs by less than a part in 2^20 is equal; NAN or less than 0 costs nothing */
    const double near[] = {NAN, 1, -3, 1 + 0x1p-21, 0x1p-900, 1 + 0x1p-20, 1 + 0x1p-4, 0,
                           INFINITY};
    const long order[] = {8, 6, 5, 1, 3, 4, 0, 2, 7};
    expect(KB_DEAL_COST, 9, 1, near, order, (long[]){0, 9});
}

/* 100 ODEs of 4 ranks in 10 parts: 2.5, in units of 8; no more than 25 for each rank */
TEST(chunks_of_the_queue)
{
    assert_int_equal(kb_deal_chunk(100, 4, 10, 1), 2);
    assert_int_equal(kb_deal_chunk(100, 4, 10, 8), 8);
    assert_int_equal(kb_deal_chunk(100, 4, 1, 8), 25);
    assert_int_equal(kb_deal_chunk(100, 4, 1, 1), 25);
    assert_int_equal(kb_deal_chunk(3, 4, 10, 8), 1);
    assert_int_equal(kb_deal_chunk(0, 4, 10, 8), 8);
}

TEST(marks_of_states_and_step)
{
    double states[] = {1000, 1e5, 0.5, 0.5}, other[] = {1000, 1e5, 0.5, 0.5};
    uint64_t mark = kb_deal_mark(states, 4, 1e-6);
    assert_true(kb_deal_mark(other, 4, 1e-6) == mark);
    assert_true(kb_deal_mark(states, 4, 2e-6) != mark);
    assert_true(kb_deal_mark(states, 3, 1e-6) != mark);
    for (int i = 0; i < 4; i++) {
        other[i] *= 1 + 1e-15;
        assert_true(kb_deal_mark(other, 4, 1e-6) != mark);
        other[i] = states[i];
    }
    other[2] = 0.25, other[3] = 0.75;
    states[2] = 0.75, states[3] = 0.25; /* the same numbers in another order */
    assert_true(kb_deal_mark(states, 4, 1e-6) != kb_deal_mark(other, 4, 1e-6));
}

TESTS(NULL, NULL)
