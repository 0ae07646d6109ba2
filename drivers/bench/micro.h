/* SPDX-License-Identifier: MIT */
#ifndef KB_MICRO_H
#define KB_MICRO_H

#include "drivers/bench/record.h"

#define KB_MICRO_REPEATS 15 /* at least */

/* Times rates, Jacobian, LU and solve on cpu-scalar and cpu-simd over the first n states: `repeats`
 * samples of processor time (KB_MICRO_REPEATS at least), the engines in turns, after one that does
 * not count. Prints medians with intervals side by side and writes micro.csv into the folder of the
 * run. KB_NOTHING when neither engine answers. */
int kb_micro_run(const kb_record *r, long n, int repeats, kb_error *err);

#endif
