/* SPDX-License-Identifier: MIT
 *
 * What a solvers.so has in place of CVODE and of evaluations of f if it has one solver alone, for
 * the first ODEs of a large mechanism: the compiler needs longer for these than for the solver.
 */
#include "solvers/cvode/cvode.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

/* without a name: left out of the list */
const kb_solver kb_cvode, kb_cvode_klu, kb_cvode_dense, kb_cvode_paper;

int kb_cvode_trajectory(const kb_solvers *self, const double *state, kb_reactor reactor,
                        double rtol, double atol, long m, const double *t, double *out,
                        kb_error *err)
{
    return kb_fail(err, KB_INVALID, "no trajectories: CVODE is not among these engines");
}

int kb_evaluate_scalar(const kb_evaluation *e) { return KB_INVALID; }
int kb_evaluate_simd(const kb_evaluation *e) { return KB_INVALID; }
int kb_gas_scalar(const kb_gas_states *states) { return KB_INVALID; }
int kb_gas_simd(const kb_gas_states *states) { return KB_INVALID; }
int kb_micro_scalar(const double *states, long n, kb_micro *parts) { return 0; }
int kb_micro_simd(const double *states, long n, kb_micro *parts) { return 0; }
