/* SPDX-License-Identifier: MIT
 *
 * Functions of a CPU engine one by one (solvers/engines/cpu.c, engine.h, trail.h), with a made-up
 * clock: how a thread takes ODEs from the queue, when lanes wait for one another, what idle lanes
 * compute with. No result of an ODE depends on these, so that other tests see nothing of them.
 */
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

/* ---- lanes ---- */

enum { WIDTH = N + 1 };
static double states[3 * KB_LANES * WIDTH], results[3 * KB_LANES * N], dts[3 * KB_LANES];
static double begins[3 * KB_LANES], next_h[3 * KB_LANES];
static kb_count counts[3 * KB_LANES];
static lane y[N];

/* ODE k: T = 1000 + k K, p = 1e5 + k Pa, Y the same fractions of all */
static kb_batch batch_of(long n)
{
    for (long k = 0; k < n; k++) {
        states[k * WIDTH] = 1000 + (double)k;
        states[k * WIDTH + 1] = 1e5 + (double)k;
        for (int i = 0; i < NSP; i++)
            states[k * WIDTH + 2 + i] = 1.0 / NSP;
        dts[k] = 1e-6 - 1e-8 * (double)k;
        begins[k] = k % 3 == 0 ? 0 : k % 3 == 1 ? 1e-9 : 1;
    }
    return (kb_batch){n, states, results, counts, 1, dts, begins, next_h};
}

static const kb_run run_p = {.dt = 1e-6, .rtol = 1e-4, .atol = 1e-10, .max_substeps = 1e6};

/* an ODE with a shorter dt begins later; a first substep is at most what is left, 0 is no choice */
TEST(first_substeps)
{
    kb_batch b = batch_of(KB_LANES);
    kb_ode o = {0};
    long id[KB_LANES];
    mask starting = mask_none();
    for (int l = 0; l < KB_LANES; l++) {
        id[l] = KB_LANES - 1 - l;
        load(&run_p, &b, id[l], l, &o, y);
        assert_true(lane_get(o.t, l) == 1e-6 - dts[id[l]] && lane_get(o.h, l) == 0);
        assert_true(lane_get(y[0], l) == 1000 + (double)id[l]);
        assert_true(lane_get(o.fixed, l) == 1e5 + (double)id[l] && mask_get(o.active, l));
        mask_put(&starting, l, id[l] != 4);
    }
    o.h = splat(3e-7);
    begin(&run_p, &b, id, starting, &o);
    for (int l = 0; l < KB_LANES; l++) {
        double left = 1e-6 - lane_get(o.t, l), h = lane_get(o.h, l);
        assert_true(h == (id[l] == 4 || id[l] % 3 == 0 ? 3e-7 : id[l] % 3 == 1 ? 1e-9 : left));
    }
}

/* the next substep is the larger of those before and after the last attempt, 0 of an ODE that
 * failed; without room for it nothing is written */
TEST(next_substeps)
{
    kb_batch b = batch_of(3);
    kb_ode o = {0};
    for (int k = 0; k < 3; k++) {
        load(&run_p, &b, k, k, &o, y);
        lane_put(&o.h, k, 2e-9);
        lane_put(&o.status, k, k == 2 ? KB_ODE_NEWTON : 0);
        retire(&b, k, k, &o, y, k ? 5e-9 : 1e-9);
        assert_false(mask_get(o.active, k));
    }
    assert_true(next_h[0] == 2e-9 && next_h[1] == 5e-9 && next_h[2] == 0);
    b.next_h = NULL;
    retire(&b, 0, 0, &o, y, 1);
    assert_true(next_h[0] == 2e-9);
}

/* all that a lane counts is written */
TEST(counts_of_lanes)
{
    kb_batch b = batch_of(2);
    kb_ode o = {0};
    for (int k = 0; k < 2; k++) {
        load(&run_p, &b, k, k, &o, y);
        lane_put(&o.attempted, k, 100 + k);
        lane_put(&o.accepted, k, 60 + k);
        lane_put(&o.rhs, k, 10 + k);
        lane_put(&o.jac, k, 20 + k);
        lane_put(&o.lu, k, 30 + k);
        lane_put(&o.solve, k, 40 + k);
    }
    lane_put(&y[N - 1], 1, NAN);
    for (int k = 0; k < 2; k++) {
        retire_lane(&b, k, k, &o, y);
        const kb_count expected = {100 + k, 60 + k, 40, 10 + k, 20 + k, 30 + k, 40 + k,
                                   k ? KB_ODE_NOT_FINITE : KB_ODE_OK};
        assert_memory_equal(&counts[k], &expected, sizeof expected);
        assert_true(results[k * N] == 1000 + k && results[k * N + 1] == 1.0 / NSP);
    }
    load(&run_p, &b, 0, 1, &o, y); /* a new ODE starts at 0 */
    retire_lane(&b, 0, 1, &o, y);
    const kb_count none = {0};
    assert_memory_equal(&counts[0], &none, sizeof none);
}

/* T within its window, whose ends do not belong to it, p above 0, all finite */
TEST(states_that_cannot_start)
{
    static const struct {
        double T, p;
        int lost, status;
    } as[] = {{1000, 1, 0, 0},
              {KB_T_LOW, 1, 0, KB_ODE_BOUNDS},
              {KB_T_LOW * (1 + 1e-12), 1, 0, 0},
              {KB_T_HIGH, 1, 0, KB_ODE_BOUNDS},
              {KB_T_HIGH * (1 - 1e-12), 1, 0, 0},
              {1000, 0, 0, KB_ODE_BOUNDS},
              {1000, 1e-300, 0, 0},
              {1000, 0, 1, KB_ODE_NOT_FINITE}};
    for (size_t i = 0; i < sizeof as / sizeof *as; i++)
        assert_int_equal(impossible((double[]){as[i].T, as[i].p}, as[i].lost), as[i].status);
    assert_true(not_finite(NAN) && not_finite(INFINITY) && not_finite(-INFINITY));
    assert_false(not_finite(0) || not_finite(1e308));
}

/* an idle lane has what the first that is active has, and the others keep theirs */
TEST(idle_lanes)
{
    kb_batch b = batch_of(KB_LANES);
    kb_ode o = {0};
    for (int l = 0; l < KB_LANES; l++) {
        load(&run_p, &b, l, l, &o, y);
        lane_put(&o.h, l, 1e-9 * (l + 1));
        mask_put(&o.active, l, l == 2 || l == 5);
    }
    park_idle(&o, y);
    for (int l = 0; l < KB_LANES; l++) {
        int of = l == 5 ? 5 : 2;
        assert_true(lane_get(o.fixed, l) == 1e5 + of && lane_get(o.h, l) == 1e-9 * (of + 1));
        assert_true(lane_get(o.t, l) == 1e-6 - dts[of] && lane_get(y[0], l) == 1000 + of);
        assert_int_equal(mask_get(o.active, l), l == 2 || l == 5);
    }
}

/* free lanes get ODEs at once, or when all are free; returns the ODEs of the lanes, "-" of those
 * that are free, and how many of the queue are taken */
static const char *loaded(int refill, int way, int busy, long n, int stopped)
{
    long next = 0, id[KB_LANES];
    kb_batch b = batch_of(n);
    queue q = {.next = &next, .n = n, .stop = stopped >= 0 ? &stopped : NULL};
    supply s = {0};
    refill_rule rule = {.way = way, .size = 16};
    kb_ode o = {0};
    b.refill = refill;
    *text = 0;
    for (int l = 0; l < busy; l++) {
        mask_put(&o.active, 2 * l, 1);
        id[2 * l] = 99;
    }
    mask starting = load_lanes(&run_p, &b, &q, &s, &rule, id, &o, y);
    for (int l = 0; l < KB_LANES; l++) {
        if (mask_get(o.active, l))
            say("%ld%s ", id[l], mask_get(starting, l) ? "" : "*");
        else
            say("- ");
    }
    say("%ld%s", s.taken, rule.begun ? " begun" : "");
    return text;
}

TEST(lanes_that_are_free)
{
    assert_string_equal(loaded(1, AT_ONCE, 3, 20, -1), "99* 0 99* 1 99* 2 3 4 5 begun");
    assert_string_equal(loaded(1, TOGETHER, 3, 20, 0), "99* - 99* - 99* - - - 0");
    assert_string_equal(loaded(0, AT_ONCE, 3, 20, 0), "99* - 99* - 99* - - - 0");
    assert_string_equal(loaded(1, TOGETHER, 0, 20, 0), "0 1 2 3 4 5 6 7 8 begun");
    assert_string_equal(loaded(0, TOGETHER, 0, 20, 0), "0 1 2 3 4 5 6 7 8");
    assert_string_equal(loaded(1, AT_ONCE, 3, 2, 0), "99* 0 99* 1 99* - - - 2 begun");
    assert_string_equal(loaded(1, AT_ONCE, 3, 20, 1), "99* - 99* - 99* - - - 0 begun");
}

/* an ODE ends at dt, with a status, or where its time is lost; a round when all of its ODEs have */
TEST(odes_that_end)
{
    kb_batch b = batch_of(KB_LANES);
    kb_ode o = {0};
    long id[KB_LANES];
    refill_rule rule = {.way = TOGETHER, .size = 3, .trials = FIRST_TRIALS};
    begin_round(&rule);
    for (int l = 0; l < KB_LANES; l++) {
        id[l] = KB_LANES - 1 - l;
        load(&run_p, &b, id[l], l, &o, y);
        lane_put(&o.rhs, l, 10);
        counts[l].rhs = -1;
    }
    retire_lanes(&run_p, &b, &rule, id, &o, y, splat(0));
    assert_int_equal(lanes_in_use(&o), KB_LANES);
    lane_put(&o.t, 1, 1e-6);
    lane_put(&o.t, 2, NAN);
    retire_lanes(&run_p, &b, &rule, id, &o, y, splat(0));
    assert_true(rule.left == 1 && rule.done == 20 && rule.begun);
    lane_put(&o.status, 4, KB_ODE_STEP_SMALL);
    retire_lanes(&run_p, &b, &rule, id, &o, y, splat(0));
    assert_true(rule.left == 0 && rule.done == 30 && !rule.begun);
    for (int l = 0; l < KB_LANES; l++) {
        int ended = l == 1 || l == 2 || l == 4;
        assert_int_equal(mask_get(o.active, l), !ended);
        assert_int_equal(counts[id[l]].rhs, ended ? 10 : -1);
    }
}

/* ---- a job ---- */

/* options by their names; the method does not get the options of the engine */
TEST(options_of_a_run)
{
    static const kb_option table[] = {{"h0", "", 7, 0, 9, KB_REAL},
                                      {"pass", "", 0, 0, 1, KB_WHOLE},
                                      {"float", "", 1, 0, 1, KB_WHOLE},
                                      {"drop", "", 0.25, 0, 1, KB_REAL},
                                      {"atolt", "", 3, 0, 9, KB_REAL},
                                      {"last", "", 8, 0, 9, KB_REAL}};
    static const double given[] = {1, 1, 0, 0.5, 4, 2};
    kb_job job = {.dt = 1e-3, .rtol = 1e-5, .atol = 1e-9, .reactor = KB_CONST_V};
    kb_run a = run_of(&job, table, 6);
    assert_true(a.dt == 1e-3 && a.rtol == 1e-5 && a.atol == 1e-9 && a.reactor == KB_CONST_V);
    assert_true(a.max_substeps == 1e6 && !a.pass && a.floats && a.drop == 0.25 && a.atolt == 3);
    assert_true(a.opt[0] == 7 && a.opt[5] == 8 && a.opt[1] == 0 && a.opt[4] == 0);
    job.options = given;
    job.max_substeps = 3;
    a = run_of(&job, table, 6);
    assert_true(a.max_substeps == 3 && a.pass && !a.floats && a.drop == 0.5 && a.atolt == 4);
    assert_true(a.opt[0] == 1 && a.opt[5] == 2);
    a = run_of(&job, table, 5);
    assert_true(a.opt[5] == 0);
}

/* ---- attempts ---- */

/* no more than are wanted, of one and of several at a time */
TEST(trails)
{
    const kb_attempt two[] = {{7, 1}, {8, 2}};
    kb_trail t = {.most = 3};
    trail_add(&t, two, 2);
    assert_true(t.n == 2 && !t.full);
    trail_add(&t, two, 2);
    assert_true(t.n == 2 && t.full);
    trail_add(&t, two, 1);
    assert_true(t.n == 3 && t.attempt[1].ode == 8 && t.attempt[2].ode == 7);
    free(t.attempt);
    t = (kb_trail){.most = 3000};
    for (int k = 0; k < 3000; k++) {
        trail_add(&t, &(kb_attempt){k, 2 * k}, 1);
        assert_true(t.room == (k < 1024 ? 1024 : k < 2048 ? 2048 : 4096));
    }
    assert_true(t.n == 3000 && !t.full);
    for (int k = 0; k < 3000; k++)
        assert_true(t.attempt[k].ode == k && t.attempt[k].rhs == 2 * k);
    free(t.attempt);
}

/* of each thread's, one after another; one that was full makes all full */
TEST(trails_of_threads)
{
    kb_trail all = {.most = 4}, *t = trails_of(&all, 3);
    assert_true(t[0].most == 4 && t[2].most == 4 && !trails_of(NULL, 3));
    trail_add(&t[0], &(kb_attempt){1, 1}, 1);
    trail_add(&t[2], (kb_attempt[]){{2, 2}, {3, 3}}, 2);
    trails_end(&all, t, 3);
    assert_true(all.n == 3 && !all.full && all.attempt[0].ode == 1 && all.attempt[2].ode == 3);
    t = trails_of(&all, 2);
    t[0].full = 1;
    trail_add(&t[1], &(kb_attempt){4, 4}, 1);
    trails_end(&all, t, 2);
    assert_true(all.n == 4 && all.full && all.attempt[3].ode == 4);
    free(all.attempt);
}

/* of the active lanes, with what they evaluated in this attempt */
TEST(attempts_of_lanes)
{
    kb_ode before = {0}, o = {0};
    long id[KB_LANES];
    kb_trail t = {.most = 100};
    for (int l = 0; l < KB_LANES; l++) {
        id[l] = 20 + l;
        lane_put(&before.rhs, l, 5);
        lane_put(&o.rhs, l, 7 + l);
        mask_put(&o.active, l, l == 1 || l == KB_LANES - 1);
    }
    trail_note(&t, id, &o, &before);
    assert_int_equal(t.n, 2);
    assert_true(t.attempt[0].ode == 21 && t.attempt[0].rhs == 3);
    assert_true(t.attempt[1].ode == 19 + KB_LANES && t.attempt[1].rhs == 1 + KB_LANES);
    free(t.attempt);
}

TESTS(NULL, NULL)
