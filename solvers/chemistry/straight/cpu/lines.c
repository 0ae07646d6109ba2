/* SPDX-License-Identifier: MIT
 *
 * Straight-line code of one mechanism for KB_LANES lanes, from the records of mechc
 * (mech/tables/lines.h): what every method on that engine and CVODE call in place of the loops over
 * tables. Formulas are those of solvers/chemistry; here the records only choose their arguments, as
 * constants.
 */
#include "solvers/chemistry/jacobian.h"

#if KB_LINED

#include "solvers/chemistry/straight/cpu/block.h"

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

#include "solvers/chemistry/straight/cpu/columns.h"
#include "solvers/chemistry/straight/cpu/factors.h"

#endif
