/* SPDX-License-Identifier: MIT
 *
 * In place of the solver_options.cuh that accelerInt's scons writes: tolerances are chosen when a
 * plug-in starts, not when it is compiled; the other numbers are its defaults.
 */
#pragma once

#include <float.h>

extern __constant__ double kb_accelerint_atol, kb_accelerint_rtol;
#define ATOL kb_accelerint_atol
#define RTOL kb_accelerint_rtol
#define EPS DBL_EPSILON
#define SMALL DBL_MIN
#define N_RA (10)
/* most ODEs of a batch: the integrators count the steps of so many */
#define DIVERGENCE_TEST (1 << 21)
