/* SPDX-License-Identifier: MIT
 *
 * LU of the head, what it takes from the tail, and its part of the solve, as straight-line code.
 */
#include "solvers/linalg/lu.h"
#include "solvers/chemistry/straight/cpu/block.h"

/* nothing is known across it: values of one tile are not kept for the next */
#define FENCE __asm__ volatile("" ::: "memory")

#define CALL(n) head_##n(A);
#define PART(n) BLOCK head_##n(lane *A) {
#define UPDATE(storage) { lane t = A[storage];
#define LESS(l, u) t -= A[l] * A[u];
#define PIVOT(storage) A[storage] = vinverse(t); }
#define UPPER(storage) A[storage] = t; }
#define LOWER(storage, pivot) A[storage] = t * A[pivot]; }
#define EACH_OF_TILE                                                                              \
    KB_UNROLL4 for (int i = 0; i < 4; i++) KB_UNROLL4 for (int j = 0; j < 4; j++)
#define TILE(storage, stride)                                                                     \
    {                                                                                             \
        FENCE;                                                                                    \
        lane t[4][4], l[4], u[4];                                                                 \
        EACH_OF_TILE t[i][j] = A[storage + i * stride + j];
#define LEFT(row, storage) l[row] = A[storage]; KB_IN_REGISTER(l[row]);
#define ABOVE(column, storage) u[column] = A[storage]; KB_IN_REGISTER(u[column]);
#define TILE_LESS(i, j) t[i][j] -= l[i] * u[j];
#define TILE_END(storage, stride) EACH_OF_TILE A[storage + i * stride + j] = t[i][j]; }
#define LINES_HEAD
#include "lines.def"
#undef LINES_HEAD
kb_lines KB_LINES_NAME(lines_head)(lane *A) { HEAD_PARTS(CALL) }
#undef CALL
#undef PART

/* its part of the solve; chains of sums hide the latency */

#define PART(n) BLOCK forward_##n(const lane *A, lane *z) {
#define CALL(n) forward_##n(A, z);
#define ROW { lane s[4] = {splat(0), splat(0), splat(0), splat(0)};
#define DOT(chain, storage, j) s[chain] += A[storage] * z[j];
#define ROW_END(i) z[i] -= s[0] + s[1] + (s[2] + s[3]); }
#define PIVOT_END(i, pivot) z[i] = (z[i] - (s[0] + s[1] + (s[2] + s[3]))) * A[pivot]; }
#define LINES_FORWARD
#include "lines.def"
#undef LINES_FORWARD
kb_lines KB_LINES_NAME(lines_forward)(const lane *A, lane *z) { FORWARD_PARTS(CALL) }
#undef CALL
#undef PART

#define PART(n) BLOCK backward_##n(const lane *A, lane *z) {
#define CALL(n) backward_##n(A, z);
#define LINES_BACKWARD
#include "lines.def"
kb_lines KB_LINES_NAME(lines_backward)(const lane *A, lane *z) { BACKWARD_PARTS(CALL) }
#undef CALL
#undef PART
