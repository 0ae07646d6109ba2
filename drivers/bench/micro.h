/* SPDX-License-Identifier: MIT */
#ifndef KB_MICRO_H
#define KB_MICRO_H

#include "drivers/bench/record.h"

/* Times rates, Jacobian, LU and solve on cpu-scalar and cpu-simd over the first n states, prints
 * them side by side and writes micro.csv into the folder of the run. KB_NOTHING when neither engine
 * answers. */
int kb_micro_run(const kb_record *r, long n, kb_error *err);

#endif
