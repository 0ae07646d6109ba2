/* SPDX-License-Identifier: MIT
 *
 * The Newton matrices of CVODE, (1/gamma) I - J with J exact, in three forms:
 *   NEWTON_SPARSE  bordered sparse form, LU without pivoting by the schedule of mechc (lu.h)
 *   NEWTON_KLU     the same matrix by KLU (Davis and Palamadai Natarajan, ACM TOMS 37 (2010) 36)
 *   NEWTON_DENSE   dense in (T, Y), LU with partial pivoting (base/pivoted_lu.h)
 * and NEWTON_DEFAULT: CVODE's own I - gamma J, dense, J by finite differences, all of it SUNDIALS'.
 * J is kept beside the factors, since CVODE factors it again with another gamma.
 */
#pragma once

#include <klu.h>
#include <string.h>

#include "solvers/chemistry/jacobian.h"
#include "solvers/linalg/lu.h"
#include "solvers/linalg/lu_drop.h"
#include "solvers/methods/method.h"
#include "base/error.h"
#include "base/pivoted_lu.h"

typedef enum { NEWTON_SPARSE, NEWTON_KLU, NEWTON_DENSE, NEWTON_DEFAULT } newton_form;

/* entries of the matrix for KLU: species block, rows and columns of T and s */
#define NEWTON_ENTRIES (NJAC + 4 * NSP + 4)

#define NEWTON_FIELDS(ARRAY, ROWS, PART)                                                           \
    ARRAY(double KB_ALIGNED(64), J, NNZ)  /* -J in LU storage */                                   \
    ARRAY(double KB_ALIGNED(64), LU, NNZ) /* sparse: factors */                                    \
    /* KLU: rows and columns are positions; place: of each entry in J */                           \
    ARRAY(int, ap, NNEWTON + 1) ARRAY(int, ai, NEWTON_ENTRIES) ARRAY(int, place, NEWTON_ENTRIES)   \
    ARRAY(double, ax, NEWTON_ENTRIES)                                                              \
    ARRAY(int, pivot, N) /* dense */
typedef struct {
    KB_MEMBERS(NEWTON_FIELDS)
    newton_form form;
    drop_work *drop; /* sparse: factors of the large entries; NULL: of all */
    double dropped;  /* part of the diagonal below which entries are dropped */
    int reach; /* 1: factors that may not be used (method.h) count as singular */
    double gi; /* 1/gamma of the factors [1/s] */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double *dense; /* N x N, by columns */
} newton;
KB_PLACED(newton, NEWTON_FIELDS)

static void newton_entry(newton *a, int *n, int row, int place)
{
    a->ai[*n] = row;
    a->place[(*n)++] = place;
}

static void newton_columns(newton *a)
{
    int n = 0;
    for (int p = 0; p < NNEWTON; p++) {
        int j = kb_lu_perm[p] - 1; /* species, -1: T, NSP: s */
        a->ap[p] = n;
        for (int q = 0; q < NNEWTON && (p == POS_T || p == POS_S); q++)
            newton_entry(a, &n, q, p == POS_T ? kb_lu_T_col[q] : kb_lu_s_col[q]);
        if (p == POS_T || p == POS_S)
            continue;
        for (int k = kb_jac_column_start[j]; k < kb_jac_column_start[j + 1]; k++)
            newton_entry(a, &n, kb_lu_position[kb_jac_row[k]], kb_jac_storage[k]);
        newton_entry(a, &n, POS_T, kb_lu_T_row[p]);
        newton_entry(a, &n, POS_S, kb_lu_s_row[p]);
    }
    a->ap[NNEWTON] = n;
}

/* Positions are in Markowitz order already, which fills less than KLU's own orderings (GRI 3.0:
 * 1636 against 1807 by AMD, 2799 by COLAMD). Pivots stay on the diagonal: the row of T is larger
 * than the others by ten orders, and pivoting by size costs digits of the small unknowns (GRI 3.0,
 * gamma 1e-8 s: up to 3e-3 of the smallest components, against 1e-15). */
static int newton_klu_start(newton *a)
{
    newton_columns(a);
    klu_defaults(&a->common);
    a->common.btf = 0;
    a->common.scale = 0;
    a->common.tol = 1e-20;
    a->symbolic = klu_analyze_given(NNEWTON, a->ap, a->ai, NULL, NULL, &a->common);
    return a->symbolic ? 0 : -1;
}

/* *a is zero before; returns 0, or -1 when KLU finds no order or memory is out */
static int newton_start(newton *a, newton_form form)
{
    a->form = form;
    if (form == NEWTON_DENSE)
        a->dense = calloc((size_t)N * N, sizeof *a->dense);
    if (form == NEWTON_DENSE && !a->dense)
        return -1;
    return form == NEWTON_KLU ? newton_klu_start(a) : 0;
}

static void newton_end(newton *a)
{
    if (a->form == NEWTON_KLU) {
        klu_free_numeric(&a->numeric, &a->common);
        klu_free_symbolic(&a->symbolic, &a->common);
    }
    free(a->dense);
    free(a->drop);
}

/* The pivots of the first matrix serve all later ones, unless one becomes zero. */
static int newton_klu_factor(newton *a)
{
    for (int p = 0; p < NNEWTON; p++)
        for (int k = a->ap[p]; k < a->ap[p + 1]; k++)
            a->ax[k] = a->J[a->place[k]] + (a->ai[k] == p && p != POS_S ? a->gi : 0);
    if (a->numeric && klu_refactor(a->ap, a->ai, a->ax, a->symbolic, a->numeric, &a->common))
        return 0;
    klu_free_numeric(&a->numeric, &a->common);
    a->numeric = klu_factor(a->ap, a->ai, a->ax, a->symbolic, &a->common);
    return a->numeric ? 0 : 1;
}

/* out = J x, both in (T, Y) */
static inline void newton_multiply(const newton *a, const double *x, double *out)
{
    const double *A = a->J;
    double z[NSP], sum = 0, heat;
    for (int j = 0; j < NSP; j++)
        sum += z[j] = x[j + 1] * kb_rW[j];
    heat = A[kb_lu_T_row[POS_T]] * x[0] + A[kb_lu_T_row[POS_S]] * sum;
    for (int i = 0; i < NSP; i++) {
        int p = kb_lu_position[i];
        out[i + 1] = A[kb_lu_T_col[p]] * x[0] + A[kb_lu_s_col[p]] * sum;
        heat += A[kb_lu_T_row[p]] * z[i];
    }
    for (int j = 0; j < NSP; j++)
        for (int k = kb_jac_column_start[j]; k < kb_jac_column_start[j + 1]; k++)
            out[kb_jac_row[k] + 1] += A[kb_jac_storage[k]] * z[j];
    for (int i = 0; i < NSP; i++)
        out[i + 1] *= -kb_W[i];
    out[0] = -heat;
}

/* (1/gamma) I - J in (T, Y): W_i (A_ij + A_is)/W_j between species; A as in jacobian.h */
static void newton_fill_dense(newton *a)
{
    double *M = a->dense, corner = a->J[kb_lu_T_row[POS_S]], border[NSP];
    for (int i = 0; i < NSP; i++) {
        border[i] = kb_W[i] * a->J[kb_lu_s_col[kb_lu_position[i]]];
        M[i + 1] = kb_W[i] * a->J[kb_lu_T_col[kb_lu_position[i]]];
    }
    M[0] = a->J[kb_lu_T_row[POS_T]] + a->gi;
    for (int j = 0; j < NSP; j++) {
        double *column = M + (size_t)(j + 1) * N, rW = kb_rW[j];
        column[0] = (a->J[kb_lu_T_row[kb_lu_position[j]]] + corner) * rW;
        for (int i = 0; i < NSP; i++)
            column[i + 1] = border[i] * rW;
        for (int k = kb_jac_column_start[j]; k < kb_jac_column_start[j + 1]; k++)
            column[kb_jac_row[k] + 1] += kb_W[kb_jac_row[k]] * a->J[kb_jac_storage[k]] * rW;
        column[j + 1] += a->gi;
    }
}

/* the reach of KLU's pivots, which stay on the diagonal (lu.h, lu_reach) */
static double newton_klu_reach(const newton *a)
{
    const double *pivot = a->numeric->Udiag;
    double reach = 0;
    for (int p = 0; p < NNEWTON; p++)
        lu_reach(&reach, p, 1 / pivot[p]);
    return reach;
}

/* INFINITY where the determinant of the dense factors is negative, else 0 */
static double newton_dense_reach(const newton *a)
{
    return kb_pivoted_sign(N, a->dense, a->pivot) < 0 ? INFINITY : 0;
}

/* whether factors of this reach may be used */
static int newton_serves(const newton *a, double reach)
{
    return !a->reach || factors_reach(reach, a->gi, KB_GROWTH);
}

/* Factors (1/gamma) I - J; 1: singular or not to be used, which CVODE answers with a smaller
 * step */
static int newton_factor(newton *a, double gamma)
{
    a->gi = 1 / gamma;
    switch (a->form) {
    case NEWTON_KLU: return newton_klu_factor(a) || !newton_serves(a, newton_klu_reach(a));
    case NEWTON_DENSE:
        newton_fill_dense(a);
        return kb_pivoted_factor(N, a->dense, a->pivot) ||
               !newton_serves(a, newton_dense_reach(a));
    default:
        if (a->drop)
            return !newton_serves(a, drop_factor(a->drop, a->J, a->gi, a->dropped));
        memcpy(a->LU, a->J, NNZ * sizeof *a->LU);
        return !newton_serves(a, lu_factor(a->LU, a->gi));
    }
}

/* b in (T, Y) -> position form, solved by KLU */
static int newton_klu_solve(newton *a, const double *b, double *x)
{
    double z[NNEWTON];
    for (int i = 0; i < NSP; i++)
        z[kb_lu_position[i]] = b[i + 1] * kb_rW[i];
    z[POS_T] = b[0];
    z[POS_S] = 0;
    int ok = klu_solve(a->symbolic, a->numeric, NNEWTON, 1, z, &a->common);
    for (int i = 0; i < NSP; i++)
        x[i + 1] = z[kb_lu_position[i]] * kb_W[i];
    x[0] = z[POS_T];
    return ok ? 0 : 1;
}

/* x [N] = (I - gamma J)^-1 b [N] */
static int newton_solve(newton *a, const double *b, double *x)
{
    double scaled[N];
    for (int i = 0; i < N; i++)
        scaled[i] = b[i] * a->gi;
    switch (a->form) {
    case NEWTON_KLU: return newton_klu_solve(a, scaled, x);
    case NEWTON_DENSE:
        memcpy(x, scaled, N * sizeof *x);
        kb_pivoted_solve(N, a->dense, a->pivot, x);
        return 0;
    default:
        if (a->drop)
            drop_solve(a->drop, scaled, x);
        else
            lu_solve(a->LU, scaled, x);
        return 0;
    }
}
