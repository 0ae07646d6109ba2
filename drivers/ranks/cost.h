/* SPDX-License-Identifier: MIT
 *
 * What ODEs will cost, before a run of theirs has been measured.
 */
#pragma once

#include "solvers/solver.h"

/* cost [n] = ||f|| of the initial states [n] in the norm of the step control, with the tolerances
 * of the job; info: of the solver whose options the job has. 0 where f is not known. */
void kb_deal_cost(const kb_solvers *s, const kb_solver_info *info, const kb_job *job,
                  const double *states, long n, double *cost);
