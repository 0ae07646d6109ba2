/* SPDX-License-Identifier: MIT
 *
 * A roofline.so for test_roofline.sh. Each part does 1000 operations and 100 words; the device does
 * one operation, one byte and one instruction of a warp a nanosecond, tensor cores four operations
 * and floats two. Its engines take 1000 ns a part, straight-line code 600, with QUICK its LU 400.
 */
#include "solvers/parts/roofline.h"

static void count(const double *state, kb_part_work *work)
{
    (void)state;
    for (int k = 0; k < KB_PARTS; k++)
        work[k] = (kb_part_work){1000, 100};
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
    (void)err;
    *limits = (kb_limits){.name = "made up",
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
    (void)states, (void)n, (void)err;
    return take(1000, 1000, seconds);
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
                                    .nsp = 9,
                                    .nengines = 4,
                                    .engines = engines,
                                    .count = count,
                                    .count_straight = count_straight,
                                    .core = core,
                                    .device = device};
    return &all;
}
