/* SPDX-License-Identifier: MIT
 *
 * Straight-line code of one mechanism for KB_LANES lanes, from the records of mechc
 * (mech/tables/lines.h): what every method on that engine and CVODE call in place of the loops over
 * tables. Formulas are those of solvers/chemistry; here the records only choose their arguments, as
 * constants.
 */
#include "solvers/chemistry/jacobian.h"

#if KB_LINED

/* a function of a few records may need less than its parameters and variables */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"

/* nothing is known across it: values of one tile are not kept for the next */
#define FENCE __asm__ volatile("" ::: "memory")

#define BLOCK static __attribute__((noinline)) void
#define PART_END }

/* rates of progress */

#define CALL(n) progress_##n(w);
#define PART(n) BLOCK progress_##n(kb_kinetics *w) {
#define REACTION(r, slots, three_body, arrhenius, border)                                         \
    {                                                                                             \
        lane k = arrhenius ? kin_kf(w, r) : w->kf[r];                                             \
        if (three_body)                                                                           \
            k *= w->M[kb_mreaction_mset[kin_mreaction(r)]];                                       \
        w->q[r] = kin_rate(w, r, slots, k);                                                       \
    }
#define LINES_REACTIONS
#include "lines.def"
#undef LINES_REACTIONS
kb_lines KB_LINES_NAME(lines_progress)(kb_kinetics *w) { REACTIONS_PARTS(CALL) }
#undef CALL
#undef PART
#undef REACTION

#define CALL(n) jac_progress_##n(g, w, pT);
#define PART(n) BLOCK jac_progress_##n(const kb_gas *g, jac_work *w, lane pT) {
#define REACTION(r, slots, three_body, arrhenius, border)                                         \
    jac_reaction(g, w, r, slots, three_body, border, arrhenius ? kin_kf(w->k, r) : w->k->kf[r], pT);
#define LINES_REACTIONS
#include "lines.def"
#undef LINES_REACTIONS
kb_lines KB_LINES_NAME(lines_jac_progress)(const kb_gas *g, jac_work *w, lane pT)
{
    REACTIONS_PARTS(CALL)
}
#undef CALL
#undef PART
#undef REACTION

/* sums over reactions */

#define CALL(n) gather_##n(v, scale, f);
#define PART(n) BLOCK gather_##n(const lane *v, lane scale, lane *f) {
#define SPECIES(i) { lane s[2] = {splat(0), splat(0)};
#define ADD(chain, r, nu) s[chain] += nu * v[r];
#define ADD_BORDER(chain, r, nu) ADD(chain, r, nu)
#define SPECIES_END(i) f[i] = scale * (s[0] + s[1]); }
#define LINES_GATHER
#include "lines.def"
#undef LINES_GATHER
kb_lines KB_LINES_NAME(lines_gather)(const lane *v, lane scale, lane *f) { GATHER_PARTS(CALL) }
#undef CALL
#undef PART
#undef SPECIES
#undef ADD
#undef ADD_BORDER
#undef SPECIES_END

#define CALL(n) jac_gather_##n(w, s, scale, border_scale, minus);
#define PART(n)                                                                                   \
    BLOCK jac_gather_##n(const jac_work *w, const jac_columns *s, lane scale, lane border_scale,  \
                         double minus)                                                            \
    {                                                                                             \
        const lane *q = w->k->q, *qT = w->qT, *qB = w->qB;
#define SPECIES(i)                                                                                \
    { lane f[2] = {splat(0), splat(0)}, T[2] = {splat(0), splat(0)}, B = splat(0);
#define ADD(chain, r, nu)                                                                         \
    f[chain] += nu * q[r];                                                                        \
    T[chain] += nu * qT[r];
#define ADD_BORDER(chain, r, nu)                                                                  \
    ADD(chain, r, nu)                                                                             \
    B += nu * qB[r];
#define SPECIES_END(i)                                                                            \
    s->f[i] = scale * (f[0] + f[1]);                                                              \
    s->fT[i] = scale * (T[0] + T[1]);                                                             \
    s->border[i] = border_scale * (B - minus * (f[0] + f[1])); }
#define LINES_GATHER
#include "lines.def"
#undef LINES_GATHER
kb_lines KB_LINES_NAME(lines_jac_gather)(const jac_work *w, const jac_columns *s, lane scale,
                                     lane border_scale, double minus)
{
    GATHER_PARTS(CALL)
}
#undef CALL
#undef PART
#undef SPECIES
#undef ADD
#undef ADD_BORDER
#undef SPECIES_END

/* the matrix, by columns */

#define CALL(n) column_##n(w, A, scale, fTc);
#define PART(n)                                                                                   \
    BLOCK column_##n(const jac_work *w, lane *A, lane scale, lane fTc)                            \
    {                                                                                             \
        const lane *forward = w->s->forward, *reverse = w->s->reverse, *C = w->k->C;              \
        const lane *e = w->e, *V = w->V;                                                    \
        lane heat = splat(0);
#define GROUP { lane sum[COLUMN_SUMS] = {splat(0)}, d, entry;
#define FORWARD(r, a, b)                                                                          \
    d = forward[r] * kb_slot_of(C, a, 1, 0) * kb_slot_of(C, b, 1, 0);
#define REVERSE(r, a, b)                                                                          \
    d = reverse[r] * kb_slot_of(C, a, 1, 0) * kb_slot_of(C, b, 1, 0);
#define DERIVATIVE(slot) d = w->D[slot];
#define ADD(k, nu) sum[k] += nu * d;
#define ENTRY entry = splat(0);
#define SUM(k) entry += sum[k];
#define HEAT(i) heat -= e[i] * entry;
#define THIRD_BODY(v, efficiency) entry -= efficiency * V[v];
#define STORE(storage) A[storage] = entry;
#define GROUP_END }
#define COLUMN_END(j) jac_energy_entry(w, A, j, heat, scale, fTc);
#define LINES_COLUMNS
#include "lines.def"
#undef LINES_COLUMNS
kb_lines KB_LINES_NAME(lines_omega)(const jac_work *w, lane *A, lane scale, lane fTc)
{
    COLUMNS_PARTS(CALL)
}
#undef CALL
#undef PART
#undef ADD
#undef FORWARD
#undef REVERSE

/* LU of the head, and what it takes from the tail */

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

#endif
