/* SPDX-License-Identifier: MIT
 *
 * The Newton matrix by columns, as straight-line code.
 */
#include "solvers/chemistry/jacobian.h"
#include "solvers/chemistry/straight/cpu/block.h"

#define CALL(n) column_##n(w, A, scale, fTc);
#define PART(n)                                                                                   \
    BLOCK column_##n(const jac_work *w, jac_number *A, lane scale, lane fTc)                      \
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
#define STORE(storage) jac_set(A, storage, entry);
#define GROUP_END }
#define COLUMN_END(j) jac_energy_entry(w, A, j, heat, scale, fTc);
#define LINES_COLUMNS
#include "lines.def"
#undef LINES_COLUMNS
kb_lines KB_LINES_NAME(lines_omega)(const jac_work *w, jac_number *A, lane scale, lane fTc)
{
    COLUMNS_PARTS(CALL)
}
#undef CALL
#undef PART
#undef ADD
#undef FORWARD
#undef REVERSE
