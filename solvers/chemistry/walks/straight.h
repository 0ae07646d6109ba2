/* SPDX-License-Identifier: MIT
 *
 * One thread of a CPU runs straight-line code (straight/cpu/lines.c), which is compiled apart for
 * each number of lanes. What its records do not express is computed by loops, before it or between
 * its parts.
 */
#pragma once

#include "solvers/chemistry/jacobian_records.h"
#include "solvers/chemistry/walks/one_thread.h"

kb_lines KB_LINES_NAME(lines_progress)(kb_kinetics *w);
kb_fn void kin_progress(kb_kinetics *w)
{
    kin_multiply_products(w);
    KB_LINES_NAME(lines_progress)(w);
}

kb_lines KB_LINES_NAME(lines_gather)(const lane *v, lane scale, lane *f);
kb_fn void kin_gather(kb_kinetics *w, lane scale, kin_f f)
{
    KB_LINES_NAME(lines_gather)(w->q, scale, f);
}

kb_lines KB_LINES_NAME(lines_jac_progress)(const kb_gas *g, jac_work *w, lane pT);
kb_fn void jac_progress(const kb_gas *g, jac_work *w, lane pT)
{
    KB_LINES_NAME(lines_jac_progress)(g, w, pT);
}

/* minus: 1 if the border has -q of every reaction beside qB, else 0 */
kb_lines KB_LINES_NAME(lines_jac_gather)(const jac_work *w, const jac_columns *s, lane scale,
                                         lane border_scale, double minus);
kb_fn void jac_sums(const kb_gas *g, jac_work *w, const jac_columns *s, lane border_scale)
{
    KB_LINES_NAME(lines_jac_gather)(w, s, vinverse(g->rho), border_scale,
                                    !at_constant_volume(w->reactor));
}

#ifdef KB_FLOAT_MATRIX
#define lines_omega lines_omega_float
#endif
kb_lines KB_LINES_NAME(lines_omega)(const jac_work *w, jac_number *A, lane scale, lane fTc);
kb_fn void jac_omega(jac_work *w, jac_number *A, lane scale, lane fTc)
{
    each(i, NFILL) jac_set(A, kb_lu_fill[i], splat(0));
    KB_LINES_NAME(lines_omega)(w, A, scale, fTc);
}
