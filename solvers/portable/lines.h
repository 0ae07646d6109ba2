/* SPDX-License-Identifier: MIT
 *
 * Straight-line code of a mechanism on a CPU (solvers/chemistry/straight/cpu), compiled once for
 * each number of lanes and linked to all methods. KB_LINED: it is there, if make defines KB_LINES
 * and the mechanism has LINES_FIT; otherwise loops walk the tables.
 */
#pragma once

#include "solvers/portable/lane.h"
#include "constants.h"

#if defined(KB_LINES) && LINES_FIT
#define KB_LINED 1
#else
#define KB_LINED 0
#endif

/* such a function, and its name for this number of lanes */
#define kb_lines __attribute__((visibility("hidden"))) void
#define KB_LINES_PASTE(name, lanes) name##_##lanes
#define KB_LINES_NAME_(name, lanes) KB_LINES_PASTE(name, lanes)
#ifdef KB_FLOAT_LANES
#define KB_LINES_NAME(name) KB_LINES_PASTE(name, float)
#else
#define KB_LINES_NAME(name) KB_LINES_NAME_(name, KB_LANES)
#endif

/* Element i of a vector of species with padding, whose values are given: with KB_LINED a number of
 * a record, so that the compiler leaves out what padding does not change. */
#if KB_LINED
#define kb_slot_of(v, i, one, zero)                                                                \
    (__builtin_constant_p(i) && (i) >= NALL ? splat((i) == NALL ? (one) : (zero)) : (v)[i])
#define kb_line static inline __attribute__((always_inline, unused))
#else
#define kb_slot_of(v, i, one, zero) (v)[i]
#define kb_line kb_fn
#endif
