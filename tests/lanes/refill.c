/* SPDX-License-Identifier: MIT
 *
 * How a thread of a CPU engine takes ODEs from the queue, and when lanes wait for one another
 * (solvers/engines/cpu.c), with a made-up clock. No result of an ODE depends on either, so that
 * other tests see nothing of it.
 */
#include <stdio.h>
#include <time.h>

#include "tests/test.h"

static double seconds; /* of the made-up clock */
static int made_up_clock(clockid_t id, struct timespec *t)
{
    assert_int_equal(id, CLOCK_THREAD_CPUTIME_ID);
    t->tv_sec = (time_t)seconds;
    t->tv_nsec = (long)(1e9 * (seconds - (double)t->tv_sec));
    return 0;
}
#define clock_gettime made_up_clock
#include "solvers/engines/cpu.c"

static char text[4096];
static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
    size_t at = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + at, sizeof text - at, format, list);
    va_end(list);
}

/* ---- the queue ---- */

/* the sizes in which one thread takes n ODEs, "TIMESxSIZE" */
static const char *taken(long n, int needed)
{
    long next = 0, size, last = 0, times = 0;
    queue q = {.next = &next, .n = n};
    supply s = {0};
    *text = 0;
    do {
        take(&q, needed, &s);
        size = s.end - s.first;
        if (times && size != last) {
            say("%ldx%ld ", times, last);
            times = 0;
        }
        last = size;
        times++;
    } while (size > 0);
    assert_int_equal(s.taken, n);
    return text;
}

/* up to 32 vectors of 8 at once, of at most a 512th of what is left; at the end what is needed */
TEST(sizes_in_which_odes_are_taken)
{
    assert_string_equal(taken(0, 8), "");
    assert_string_equal(taken(5, 8), "1x5 ");
    assert_string_equal(taken(8192, 3), "1x16 511x8 1362x3 1x2 ");
    assert_string_equal(
        taken(150000, 8),
        "74x256 17x248 17x240 18x232 18x224 19x216 20x208 20x200 21x192 23x184 23x176 24x168 "
        "26x160 27x152 28x144 30x136 32x128 34x120 37x112 39x104 43x96 46x88 51x80 57x72 64x64 "
        "73x56 85x48 103x40 128x32 170x24 256x16 1022x8 ");
}

/* what others took meanwhile is seen when this thread takes */
TEST(two_threads_take)
{
    long next = 0;
    queue q = {.next = &next, .n = 100};
    supply one = {0}, other = {0};
    take(&q, 8, &one);
    take(&q, 3, &other);
    take(&q, 8, &one);
    assert_true(one.first == 11 && one.end == 19 && one.taken == 16);
    assert_true(other.first == 8 && other.end == 11 && other.taken == 3 && next == 19);
}

/* ---- rounds ---- */

/* rounds of a thread: how often (t: together, o: at once), of so many ODEs */
static const char *rounds(int n, double together, double at_once, double use)
{
    char last[16] = "";
    int times = 0;
    refill_rule r = {.way = TOGETHER, .size = FIRST_ROUND, .trials = FIRST_TRIALS,
                     .pause = FIRST_PAUSE};
    seconds = 0;
    *text = 0;
    for (int k = 0; k < n; k++) {
        char now[16];
        snprintf(now, sizeof now, "%c%d", r.way == TOGETHER ? 't' : 'o', r.size);
        if (strcmp(now, last) && times)
            say("%dx%s ", times, last);
        times = strcmp(now, last) ? 1 : times + 1;
        strcpy(last, now);
        begin_round(&r);
        assert_true(r.begun && r.left == r.size && !r.vectors && !r.lanes);
        /* the first of each way is an odd one */
        seconds += 1000 * (r.way == TOGETHER ? together : k == 1 ? 2 * at_once : at_once);
        r.done += 1000;
        r.vectors = 1000;
        r.lanes = (long)(1000 * KB_LANES * use);
        end_round(&r);
        assert_true(!r.begun);
    }
    say("%dx%s", times, last);
    return text;
}

/* at first twice each, which the mean decides; then again once each after 4, 8 ... 64 rounds of the
 * better one; and never where more than 0.9 of the lanes are in use together */
TEST(ways_in_turns)
{
    assert_string_equal(rounds(400, 2, 1, 0.5),
                        "1xt16 1xo24 1xt24 1xo24 4xo128 1xt24 1xo24 8xo128 1xt24 1xo24 16xo128 "
                        "1xt24 1xo24 32xo128 1xt24 1xo24 64xo128 1xt24 1xo24 64xo128 1xt24 1xo24 "
                        "64xo128 1xt24 1xo24 64xo128 1xt24 1xo24 64xo128");
    assert_string_equal(rounds(26, 1, 2, 0.5), "1xt16 1xo24 1xt24 1xo24 4xt128 1xo24 1xt24 8xt128 "
                                               "1xo24 1xt24 6xt128");
    assert_string_equal(rounds(8, 1, 1, 0.5), "1xt16 1xo24 1xt24 1xo24 4xt128");
    assert_string_equal(rounds(8, 1.4, 1, 0.5), "1xt16 1xo24 1xt24 1xo24 4xt128");
    assert_string_equal(rounds(8, 1.6, 1, 0.5), "1xt16 1xo24 1xt24 1xo24 4xo128");
    assert_string_equal(rounds(8, 2, 1, 0.9), "1xt16 1xo24 1xt24 1xo24 4xo128");
    assert_string_equal(rounds(8, 2, 1, 0.901), "1xt16 7xt128");
}

/* of an ODE that runs counts what it has taken until now */
TEST(work_of_lanes)
{
    kb_ode o = {0};
    refill_rule r = {.ode = {&o}, .done = 7};
    for (int l = 0; l < KB_LANES; l++) {
        lane_put(&o.rhs, l, 1000 * (l + 1));
        lane_put(&o.jac, l, 50);
        lane_put(&o.lu, l, 3);
        lane_put(&o.solve, l, 10);
        mask_put(&o.active, l, l == 1 || l == KB_LANES - 1);
    }
    assert_true(work_until_now(&r) == 7 + 2000 + 8000 + 2 * (2 * 50 + 3 + 0.3 * 10));
    assert_int_equal(lanes_in_use(&o), 2);
}

TESTS(NULL, NULL)
