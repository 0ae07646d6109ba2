/* SPDX-License-Identifier: MIT */
#pragma once

#include "solvers/solver.h"

extern const kb_solver kb_cvode, kb_cvode_klu, kb_cvode_dense, kb_cvode_paper;

/* as kb_solvers.trajectory */
int kb_cvode_trajectory(const kb_solvers *self, const double *state, kb_reactor reactor,
                        double rtol, double atol, long m, const double *t, double *out,
                        kb_error *err);
