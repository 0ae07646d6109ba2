/* SPDX-License-Identifier: MIT
 *
 * LU and solve of KB_LANES floats, half of them of one vector of a method, half of another.
 */
#define KB_FLOAT_LANES
#include "solvers/linalg/lu_float.h"

#if KB_LINED
#include "solvers/chemistry/straight/cpu/factors.h"
#else
#include "solvers/linalg/lu.h"
#endif

typedef float half __attribute__((vector_size(sizeof(lane) / 2)));

#if KB_LANES == 16 && defined(__AVX512DQ__) /* in registers: two short stores delay a long load */
#include <immintrin.h>
static lane joined(float_lane a, float_lane b)
{
    __m256 first = _mm512_cvtpd_ps((__m512d)a), second = _mm512_cvtpd_ps((__m512d)b);
    return (lane)_mm512_insertf32x8(_mm512_castps256_ps512(first), second, 1);
}

static float_lane part(lane both, int v)
{
    __m512 x = (__m512)both;
    return (float_lane)_mm512_cvtps_pd(v ? _mm512_extractf32x8_ps(x, 1)
                                         : _mm512_castps512_ps256(x));
}
#else
typedef union {
    lane both;
    half of[FLOAT_VECTORS];
} halves;

static lane joined(float_lane a, float_lane b)
{
    return (halves){.of = {__builtin_convertvector(a, half), __builtin_convertvector(b, half)}}
        .both;
}

static float_lane part(lane both, int v)
{
    return __builtin_convertvector((halves){both}.of[v], float_lane);
}
#endif

void lines_float_factor(void *A, const float_lane gi[FLOAT_VECTORS],
                        float_lane reach[FLOAT_VECTORS])
{
    lane r = lu_factor(A, joined(gi[0], gi[1]));
    for (int v = 0; v < FLOAT_VECTORS; v++)
        reach[v] = part(r, v);
}

void lines_float_solve(const void *A, float_lane *const x[FLOAT_VECTORS])
{
    lane z[NNEWTON];
    for (int i = 0; i < NSP; i++)
        z[kb_lu_position[i]] = joined(x[0][i + 1] * kb_rW[i], x[1][i + 1] * kb_rW[i]);
    z[POS_T] = joined(x[0][0], x[1][0]);
    z[POS_S] = splat(0);
    lu_solve_positions(A, z);
    for (int v = 0; v < FLOAT_VECTORS; v++) {
        for (int i = 0; i < NSP; i++)
            x[v][i + 1] = part(z[kb_lu_position[i]], v) * kb_W[i];
        x[v][0] = part(z[POS_T], v);
    }
}
