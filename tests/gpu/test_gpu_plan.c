/* SPDX-License-Identifier: MIT
 *
 * How a batch is cut for the GPU: what fits, what covers the batch, and the choice of Sewerin and
 * Rigopoulos 2015.
 */
#include "tests/test.h"
#include "base/random.h"
#include "solvers/engines/gpu_plan.h"

#define GB 1073741824.0

/* GRI-Mech 3.0 on a device of 132 x 256 threads */
static kb_gpu_need gri(long n)
{
    return (kb_gpu_need){.n = n, .memory = 2 * GB, .ode = 8 * 109 + 36, .in = 8 * 55,
                         .out = 8 * 54 + 32, .unit = 64, .wave = 132 * 256, .overhead = 1e-3,
                         .bandwidth = 8e9};
}

static kb_gpu_plan plan_of(kb_gpu_need d)
{
    kb_error err = {0};
    kb_gpu_plan p;
    if (kb_gpu_plan_make(&d, &p, &err))
        fail_msg("n %ld: %s", d.n, err.text);
    return p;
}

/* covers the batch without an empty slice, cuts at blocks, fits */
static void check(const kb_gpu_need *d, const kb_gpu_plan *p)
{
    double rows = (double)(p->slice < d->n ? p->slice : d->n);
    assert_true(p->slice > 0 && p->slices > 0);
    assert_true(p->slice * p->slices >= d->n);
    assert_true(p->slice * (p->slices - 1) < d->n);
    assert_true(p->slices == 1 || p->slice % d->unit == 0);
    assert_true(p->flights >= 1 && p->flights <= KB_GPU_SLICES && p->flights <= p->slices);
    assert_true(p->flights <= 2 || p->flights * rows * d->ode <= KB_GPU_FLIGHTS);
    assert_true(p->flights * (d->once + rows * d->ode) <= d->memory);
}

/* 1 to 10^digits, even in the logarithm */
static double spread(kb_random *r, double digits)
{
    return floor(pow(10, digits * kb_random_unit(r)));
}

TEST(test_any_plan_fits)
{
    kb_random r = {4};
    int made = 0, refused = 0;
    for (int k = 0; k < 20000; k++) {
        kb_gpu_need d = {.n = (long)spread(&r, 8), .memory = spread(&r, 11),
                         .once = spread(&r, 8) - 1, .in = 8 * spread(&r, 3),
                         .out = 8 * spread(&r, 3) + 32,
                         .unit = (long)spread(&r, 2.5),
                         .split = k % 2 ? KB_SPLIT_CYCLES : KB_SPLIT_QUEUE,
                         .slice = k % 5 ? 0 : (long)spread(&r, 7), .overhead = 1e-7 * spread(&r, 5),
                         .bandwidth = 1e8 * spread(&r, 3)};
        d.wave = d.unit * (long)spread(&r, 3);
        d.ode = d.in + d.out + 4;
        kb_error err = {0};
        kb_gpu_plan p;
        if (kb_gpu_plan_make(&d, &p, &err)) {
            assert_true(d.memory < d.once + (double)d.unit * d.ode);
            assert_non_null(strstr(err.text, "KB_GPU_MEMORY"));
            refused++;
        } else {
            check(&d, &p);
            made++;
        }
    }
    assert_true(made > 8000 && refused > 1000);
}

TEST(test_small_batches_stay_whole)
{
    for (long n = 1; n <= 32768; n *= 2) {
        kb_gpu_plan p = plan_of(gri(n));
        assert_int_equal(p.slices, 1);
        assert_int_equal(p.slice, n);
    }
}

TEST(test_large_batches_on_a_small_card)
{
    kb_gpu_plan p = plan_of(gri(1000000));
    assert_in_range(p.slices, 2, 8);
    assert_int_equal(p.flights, 8);
    kb_gpu_need h2 = gri(8388608); /* 9 species */
    h2.in = 8 * 11;
    h2.out = 8 * 10 + 32;
    h2.ode = h2.in + h2.out + 4;
    for (h2.memory = 2 * GB; h2.memory > 1e5; h2.memory /= 3) {
        p = plan_of(h2);
        check(&h2, &p);
    }
    assert_true(p.slices > 10000);
}

/* all slices of a small batch, so that none waits for the longest ODE of another; the two of the
 * paper */
TEST(test_small_slices_are_all_in_flight)
{
    kb_gpu_need d = gri(16384);
    d.wave = 1056;
    assert_int_equal(plan_of(d).slices, 8);
    assert_int_equal(plan_of(d).flights, 8);
    d.memory = 3.5 * 2048 * d.ode;
    assert_int_equal(plan_of(d).flights, 3);
    d = gri(1000000);
    d.memory = 1e12;
    assert_int_equal(plan_of(d).flights, 8);
    d.packed = true; /* less pinned memory */
    assert_int_equal(plan_of(d).flights, 2);
    d = gri(4000000);
    d.memory = 1e12;
    assert_int_equal(plan_of(d).flights, 2);
    d.split = KB_SPLIT_CYCLES;
    d.n = 100000;
    d.overhead = 1e-4;
    assert_true(plan_of(d).slices > 4);
    assert_int_equal(plan_of(d).flights, 2);
}

/* two flights need the memory of two: with room for one alone, slices follow each other */
TEST(test_room_for_one_flight)
{
    kb_gpu_need d = gri(100000);
    d.once = 1e6;
    d.memory = d.once + 70 * d.ode;
    kb_gpu_plan p = plan_of(d);
    assert_int_equal(p.flights, 1);
    assert_int_equal(p.slice, 64);
    d.memory = 2 * d.memory;
    p = plan_of(d);
    assert_int_equal(p.flights, 2);
    assert_int_equal(p.slice, 64);
}

/* Eq. 35 with BW = 8 GiB/s: 3.2e4, 1.9e4 and 8.8e3 ODEs of nc + 2 numbers; one more ODE makes a
 * p-cycle */
TEST(test_threshold_of_the_paper)
{
    const struct {
        int nc;
        long nhd;
        double printed;
    } mech[] = {{32, 31580, 3.2e4}, {54, 19173, 1.9e4}, {119, 8873, 8.8e3}};
    for (int k = 0; k < 3; k++) {
        kb_gpu_need d = gri(mech[k].nhd);
        d.split = KB_SPLIT_CYCLES;
        d.in = d.out = 8 * (mech[k].nc + 2);
        d.ode = d.in + d.out;
        d.bandwidth = 8 * GB;
        d.unit = 1;
        assert_true(fabs((double)mech[k].nhd / mech[k].printed - 1) < 0.02);
        assert_int_equal(plan_of(d).slices, 1);
        d.n++;
        assert_int_equal(plan_of(d).slices, 2);
        d.n = 10 * mech[k].nhd;
        assert_int_equal(plan_of(d).slices, 10);
        d.memory = 2 * 1000 * d.ode; /* n2 = 1000 < nhd: Eq. 30 */
        assert_int_equal(plan_of(d).slices, 2 * ((d.n + 1999) / 2000));
    }
}

/* Eq. 28 without the part of the kernels, which grows with n alone; Eq. 34 */
static double copies(const kb_gpu_need *d, double n, long r)
{
    double thd = d->overhead + n / (double)r * d->in / d->bandwidth;
    return thd * (double)r / 2 + (1 + (double)(r % 2) / 2) * thd;
}

/* The choice of Fig. B.13 costs at most twice the copies of the best r of its own model, r = sqrt(2
 * n / nhd) */
TEST(test_choice_against_the_model)
{
    double worst = 0;
    for (double n = 1000; n < 1e7; n *= 1.37) {
        kb_gpu_need d = gri((long)n);
        d.split = KB_SPLIT_CYCLES;
        d.in = d.out = 8 * 56;
        d.memory = 1e12;
        d.unit = 1;
        double best = INFINITY, taken = copies(&d, n, plan_of(d).slices);
        for (long r = 1; r < 2000; r++)
            best = fmin(best, copies(&d, n, r));
        worst = larger(worst, taken / best);
    }
    assert_true(worst > 1.2 && worst < 2.01);
}

TESTS(NULL, NULL)
