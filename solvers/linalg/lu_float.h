/* SPDX-License-Identifier: MIT
 *
 * LU and solve in floats for two vectors of lanes side by side: a vector register holds a float for
 * each lane of both. Compiled apart, for lanes of floats (float_factors.c of
 * solvers/chemistry/straight/cpu), as straight-line code where the mechanism has it; the Jacobian
 * that goes before: float_jacobian.c beside it.
 * A [NNZ]: floats, those of vector 0 first in each entry; as large as the matrix of doubles of one
 * vector.
 */
#pragma once

#include "solvers/portable/lines.h"

/* KB_FLOAT_FACTORS: they are there */
#if defined(KB_LINES) && KB_VECTOR
#define KB_FLOAT_FACTORS 1
enum { FLOAT_VECTORS = 2 };

#ifdef KB_FLOAT_LANES
typedef double float_lane __attribute__((vector_size(8 * KB_LANES / 2)));
#else
typedef lane float_lane;
#endif

/* A = -J -> factors of (gi I - J), in place, with the reach of their pivots as lu_factor */
kb_lines lines_float_factor(void *A, const float_lane gi[FLOAT_VECTORS],
                            float_lane reach[FLOAT_VECTORS]);
/* x [N] = (gi I - J)^-1 x of each vector, as (T, Y) */
kb_lines lines_float_solve(const void *A, float_lane *const x[FLOAT_VECTORS]);

#else
#define KB_FLOAT_FACTORS 0
#endif
