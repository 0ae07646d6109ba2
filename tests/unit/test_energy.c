/* SPDX-License-Identifier: MIT
 *
 * The window of the energy of a run, with a made-up clock and counter: runs of 10 ms that draw a
 * power that changes, and a counter that moves every 100 ms.
 */
#include "tests/test.h"
#include "drivers/bench/energy.h"

#define RUN 0.01  /* [s] */
#define TICK 0.1  /* [s] */
#define START 1.5 /* [s] what the card draws at first lasts until then */

static struct {
    double now, joules, shown, tick;
    double first, later; /* [W] */
    long runs, last;     /* runs; the run that fails */
} world;

static int run(void *of)
{
    (void)of;
    world.now += RUN;
    world.joules += RUN * (world.now < START ? world.first : world.later);
    if (world.now >= world.tick) {
        world.shown = world.joules;
        world.tick += TICK;
    }
    return ++world.runs == world.last ? 7 : 0;
}

static kb_meter meter(void *of)
{
    (void)of;
    return (kb_meter){.joules = {world.shown}, .parts = 1};
}

static double now(void *of)
{
    (void)of;
    return world.now;
}

static int measure(double first, double later, long last, kb_energy *e)
{
    memset(&world, 0, sizeof world);
    world.first = first;
    world.later = later;
    world.last = last;
    return kb_energy_measure(&(kb_energy_source){run, meter, now, NULL}, 2, e);
}

TEST(a_steady_power_needs_one_window)
{
    kb_energy e;
    assert_int_equal(measure(300, 300, 0, &e), 0);
    assert_true(fabs(e.run - 3) < 1e-9);
    assert_true(e.seconds >= 2 && e.seconds < 2 + 2 * TICK + 1e-9);
    assert_true(e.spread < 1e-9);
}

/* 150 W at first: the window with the change is left, and the energy is of what comes later */
TEST(a_window_whose_halves_differ_is_left)
{
    kb_energy e;
    assert_int_equal(measure(150, 300, 0, &e), 0);
    assert_true(e.seconds > 3.9 && e.seconds < 4.3);
    assert_true(fabs(e.run - 3) < 0.03);
    assert_true(e.spread <= KB_ENERGY_SPREAD);
}

static int rising(void *of)
{
    world.later = world.first *= 1.0005;
    return run(of);
}

/* The power rises with time: no two halves agree. kb_energy_measure takes the longest window and
 * tells its spread. */
TEST(the_longest_window_ends_it)
{
    kb_energy e;
    memset(&world, 0, sizeof world);
    world.first = world.later = 100;
    assert_int_equal(kb_energy_measure(&(kb_energy_source){rising, meter, now, NULL}, 2, &e), 0);
    assert_true(e.seconds > 15.9 && e.seconds < 16.3);
    double ratio = pow(1.0005, 0.5 * e.seconds / RUN); /* of the halves, over their mean */
    assert_float_equal(e.spread, 2 * (ratio - 1) / (ratio + 1), 0.01);
}

TEST(a_run_that_fails_ends_it)
{
    kb_energy e;
    assert_int_equal(measure(300, 300, 5, &e), 7);
    assert_int_equal(measure(300, 300, 60, &e), 7);
    assert_int_equal(world.runs, 60);
}

TESTS(NULL, NULL)
