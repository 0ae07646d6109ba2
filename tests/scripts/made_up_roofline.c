/* SPDX-License-Identifier: MIT
 *
 * A roofline.so for test_roofline.sh. Each part does 1000 operations and 100 words; the device does
 * one operation, one byte and one instruction of a warp a nanosecond, tensor cores four operations
 * and floats two. Its engines take 1000 ns a part, straight-line code 600, with QUICK its LU 400.
 * With ROWS it is of the toy's mechanism, a part does T operations, and takes 2 ns for each: of the
 * states, and of every third one twice. TOY_CARDLESS: no device.
 */
#include <stdlib.h>

#include "solvers/parts/roofline.h"

#ifndef ROWS
#define ROWS 0
#endif

static void count(const double *state, kb_part_work *work)
{
    for (int k = 0; k < KB_PARTS; k++)
        work[k] = (kb_part_work){ROWS ? state[0] : 1000, 100};
}

static void count_straight(const double *state, kb_part_work *work)
{
    (void)state;
    for (int k = 0; k < KB_PARTS; k++)
        work[k] = (kb_part_work){500, 0};
}

static double core(void) { return 1e9; }

static int device(kb_limits *limits, kb_error *err)
{
    if (getenv("TOY_CARDLESS"))
        return kb_fail(err, KB_NOTHING, "no card");
    *limits = (kb_limits){.name = "made up",
                          .major = 9,
                          .minor = 1,
                          .multiprocessors = 2,
                          .clock_MHz = 3,
                          .memory_clock_MHz = 4,
                          .bus_bits = 5,
                          .registers = 6,
                          .shared_bytes = 7,
                          .L2_bytes = 8,
                          .memory = 3e9,
                          .flops = 1e9,
                          .tensor = 4e9,
                          .floats = 2e9,
                          .shared = 1e9,
                          .issue = 1e9};
    return KB_OK;
}

static int take(double all, double lu, double *seconds)
{
    for (int k = 0; k < KB_PARTS; k++)
        seconds[k] = 1e-9 * (k == KB_PART_LU ? lu : all);
    return KB_OK;
}

static int time_1000(const double *states, long n, double *seconds, kb_error *err)
{
    double sum = 0;
    (void)err;
    for (long i = 0; ROWS && i < n; i++)
        sum += states[4 * i] * (i % 3 ? 1 : 2);
    return take(ROWS ? 2 * sum / (double)n : 1000, ROWS ? 2 * sum / (double)n : 1000, seconds);
}

static int time_straight(const double *states, long n, double *seconds, kb_error *err)
{
    (void)states, (void)n, (void)err;
    return take(600, QUICK ? 400 : 600, seconds);
}

static int time_none(const double *states, long n, double *seconds, kb_error *err)
{
    (void)states, (void)n, (void)seconds;
    return kb_fail(err, KB_NOTHING, "gpu-none: not here");
}

const kb_roofline *kb_roofline_get(void)
{
    static const kb_part_engine block = {"gpu-block", 128, 1, false, false, time_1000},
                                floats = {"gpu-pair-float", 128, 2, false, true, time_1000},
                                straight = {"gpu-straight", 1, 1, true, false, time_straight},
                                none = {"gpu-none", 1, 1, false, false, time_none};
    static const kb_part_engine *const engines[] = {&block, &straight, &none, &floats};
    static const kb_roofline all = {.version = KB_ROOFLINE_VERSION,
                                    .mech = "h2",
                                    .sha256 = "0000000000000000000000000000000000000000000000000000"
                                              "000000000000", /* toy_solvers.c */
                                    .nsp = ROWS ? 2 : 9,
                                    .nengines = ROWS ? 1 : 4,
                                    .engines = engines,
                                    .count = count,
                                    .count_straight = count_straight,
                                    .core = core,
                                    .device = device};
    return &all;
}
