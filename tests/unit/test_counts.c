/* SPDX-License-Identifier: MIT
 *
 * The counters that bench keeps of the runs of a session: of which cells, in which sequence, whose
 * attempts, and which attempts go where there are too many.
 */
#include "tests/test.h"
#include "drivers/bench/counts.h"

enum { N = 3 };
static const kb_solver solver = {.info = {.engine = "cpu-simd"}};
static const kb_cell one = {.solver_text = "a", .solver = &solver, .n = N, .dt = 1, .rtol = 2,
                            .atol = 3};
static const long place[N] = {2, 0, 1};
static kb_counts all;

FIXTURE(end)
{
    kb_counts_free(&all);
    return 0;
}

TEST_WITH(each_kind_of_run_once, NULL, end)
{
    static const kb_count first[N] = {{.attempted = 1, .rhs = 4}, {.attempted = 2, .rhs = 5},
                                      {.attempted = 3, .rhs = 6}}, later[N] = {{0}};
    kb_cell others[5] = {one, one, one, one, one};
    others[0].solver_text = "b";
    others[1].n = 2;
    others[2].dt = others[3].rtol = others[4].atol = 4;
    assert_null(kb_counts_find(&all, &one));
    kb_counts_keep(&all, &one, place, first);
    kb_counts_keep(&all, &one, place, later);
    assert_int_equal(all.nsets, 1);
    for (int k = 0; k < 5; k++)
        assert_null(kb_counts_find(&all, &others[k]));
    for (int k = 0; k < 5; k++)
        kb_counts_keep(&all, &others[k], (long[]){0, 1, 2}, first);
    assert_int_equal(all.nsets, 6);
    for (int k = 0; k < 5; k++)
        assert_ptr_equal(kb_counts_find(&all, &others[k]), &all.set[k + 1]);
    const kb_count_set *s = kb_counts_find(&all, &one);
    assert_string_equal(s->engine, "cpu-simd");
    assert_memory_equal(s->steps, ((int32_t[]){2, 3, 1}), sizeof(int32_t[N]));
    assert_memory_equal(s->rhs, ((int32_t[]){5, 6, 4}), sizeof(int32_t[N]));
}

/* the attempts of `one`, whose ODEs made so many; NULL: none are kept */
static const kb_attempts *kept(const int32_t *attempted, const kb_trail *trail)
{
    kb_count count[N];
    for (int i = 0; i < N; i++)
        count[i] = (kb_count){.attempted = attempted[i], .rhs = 10 * (i + 1)};
    kb_counts_keep(&all, &one, place, count);
    kb_counts_keep_attempts(&all, &one, place, count, trail);
    const kb_attempts *a = &kb_counts_find(&all, &one)->attempts;
    return a->first ? a : NULL;
}

/* ODE 1 was done by the first pass, which notes nothing */
TEST_WITH(attempts_by_rows, NULL, end)
{
    kb_attempt noted[] = {{2, 5}, {0, 7}, {2, 8}, {2, 9}};
    kb_trail trail = {.attempt = noted, .n = 4};
    assert_null(kept((int32_t[]){1, 2, 3}, &trail)); /* one is missing */
    assert_null(kept((int32_t[]){2, 1, 3}, &trail));
    assert_null(kept((int32_t[]){1, 1, 3}, &(kb_trail){.attempt = noted, .n = 4, .full = 1}));
    assert_null(kept((int32_t[]){1, 1, 1}, &(kb_trail){.attempt = noted}));
    const kb_attempts *a = kept((int32_t[]){1, 1, 3}, &trail);
    assert_non_null(a);
    assert_memory_equal(a->first, ((long[]){0, 0, 3, 4}), sizeof(long[N + 1]));
    assert_memory_equal(a->each, ((int32_t[]){5, 8, 9, 7}), sizeof(int32_t[4]));
    assert_memory_equal(a->rhs, ((int32_t[]){20, 30, 10}), sizeof(int32_t[N]));
}

/* which of three runs have their attempts, the last of which has them first: as many as may be
 * kept, and the first sets lose theirs */
TEST_WITH(the_first_make_room, NULL, end)
{
    enum { HALF = KB_MOST_ATTEMPTS / 2 };
    static const char *const names[] = {"a", "b", "c", "d"};
    kb_attempt *noted = calloc(HALF, sizeof *noted); /* all of ODE 0 */
    kb_cell cell[4] = {one, one, one, one};
    assert_non_null(noted);
    for (int k = 0; k < 4; k++) {
        cell[k].n = 1;
        cell[k].solver_text = (char *)names[k];
        kb_counts_keep(&all, &cell[k], (long[]){0}, &(kb_count){0});
    }
    for (int k = 2; k >= 0; k--) {
        kb_trail trail = {.attempt = noted, .n = k > 0 ? HALF : 1};
        kb_count count = {.attempted = (int32_t)trail.n};
        kb_counts_keep_attempts(&all, &cell[k], (long[]){0}, &count, &trail);
        for (int i = 0; i < 3; i++)
            assert_true(!all.set[i].attempts.first == (i < k || (k == 0 && i == 1)));
    }
    kb_trail last = {.attempt = noted, .n = HALF};
    kb_counts_keep_attempts(&all, &cell[3], (long[]){0}, &(kb_count){.attempted = HALF}, &last);
    for (int i = 0; i < 4; i++)
        assert_true(!all.set[i].attempts.first == (i < 2)); /* the first of all, too */
    free(noted);
}

TESTS(NULL, NULL)
