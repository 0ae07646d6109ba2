/* SPDX-License-Identifier: MIT
 *
 * Included before each source of Zero-RK, which calls SUNDIALS as of versions 2 to 5: with version
 * 6 each object belongs to a context, here one for each thread.
 */
#pragma once

/* what these sources take from elsewhere without naming it */
#include <cassert>
#include <cfloat>
#include <cmath>
#include <cstring>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_iterative.h>
#include <sundials/sundials_nvector.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

using std::isnan;

SUNContext kb_zero_rk_context(void);

#define CVodeCreate(method) CVodeCreate(method, kb_zero_rk_context())
#define N_VMake_Serial(n, data) N_VMake_Serial(n, data, kb_zero_rk_context())
#define SUNDenseMatrix(m, n) SUNDenseMatrix(m, n, kb_zero_rk_context())
#define SUNLinSol_Dense(y, A) SUNLinSol_Dense(y, A, kb_zero_rk_context())
#define SUNLinSol_SPGMR(y, side, l) SUNLinSol_SPGMR(y, SUN_PREC_LEFT, l, kb_zero_rk_context())
#define SUNNonlinSol_Newton(y) SUNNonlinSol_Newton(y, kb_zero_rk_context())
