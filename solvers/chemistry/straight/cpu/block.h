/* SPDX-License-Identifier: MIT
 *
 * What the sections of lines.def have in common: each of their functions is a block of code.
 */
#pragma once

/* a function of a few records may need less than its parameters and variables */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"

#define BLOCK static __attribute__((noinline)) void
#define PART_END }
