/* SPDX-License-Identifier: MIT
 *
 * What every test problem of the methods shares: a dense Jacobian and its LU without pivoting. The
 * problem's file defines N, problem_rhs, problem_J (row major), and start_state.
 */
#pragma once

enum { NNZ = N * N };

typedef struct {
    int none;
} kb_kinetics;

typedef struct {
    kb_kinetics k;
} kb_jacobian;

/* part by which each entry of the matrix is wrong */
static double matrix_error;

#ifndef PROBLEM_INSIDE
#define PROBLEM_INSIDE(y) (y[0] == y[0])
#endif
kb_fn mask problem_valid(const lane *y) { return PROBLEM_INSIDE(y); }

kb_fn void problem_rhs(const kb_run *run, const kb_ode *o, const lane *y, lane *dy, kb_kinetics *w);
kb_fn void problem_J(const kb_run *run, const lane *y, lane *J);

kb_fn void problem_jacobian(const kb_run *run, const kb_ode *o, const lane *y, lane *dy, lane *A,
                            kb_jacobian *w)
{
    problem_rhs(run, o, y, dy, &w->k);
    problem_J(run, y, A);
    for (int i = 0; i < NNZ; i++)
        A[i] *= i % 3 == 1 ? matrix_error - 1 : -matrix_error - 1;
}

enum { PROBLEM_LOSS_IS_RADIUS = 1 };

kb_fn lane problem_loss_frequency(const kb_run *run, const kb_ode *o, const lane *y, kb_kinetics *w)
{
    lane J[NNZ], most = splat(0);
    (void)o, (void)w;
    problem_J(run, y, J);
    for (int i = 0; i < N; i++)
        most = vmax(most, vabs(J[i * N + i]));
    return most;
}

kb_fn void problem_multiply(const lane *A, const lane *v, lane *Jv)
{
    for (int i = 0; i < N; i++) {
        Jv[i] = splat(0);
        for (int j = 0; j < N; j++)
            Jv[i] -= A[i * N + j] * v[j];
    }
}

kb_fn lane problem_factor(lane *A, lane gi)
{
    lane reach = splat(0);
    for (int i = 0; i < N; i++)
        A[i * N + i] += gi;
    for (int k = 0; k < N; k++)
        for (int i = k + 1; i < N; i++) {
            A[i * N + k] /= A[k * N + k];
            for (int j = k + 1; j < N; j++)
                A[i * N + j] -= A[i * N + k] * A[k * N + j];
        }
    for (int i = 0; i < N; i++) {
        lane pivot = A[i * N + i];
        reach = vselect(pivot > 0.0, vmax(reach, 1.0 / pivot), splat(INFINITY));
    }
    return reach;
}

kb_fn void problem_solve(const lane *A, const lane *b, lane *x)
{
    for (int i = 0; i < N; i++) {
        x[i] = b[i];
        for (int j = 0; j < i; j++)
            x[i] -= A[i * N + j] * x[j];
    }
    for (int i = N - 1; i >= 0; i--) {
        for (int j = i + 1; j < N; j++)
            x[i] -= A[i * N + j] * x[j];
        x[i] /= A[i * N + i];
    }
}

/* a = a - b c of complex numbers */
kb_fn void subtract_product(lane *ar, lane *am, lane br, lane bm, lane cr, lane cm)
{
    *ar -= br * cr - bm * cm;
    *am -= br * cm + bm * cr;
}

/* a = a / b */
kb_fn void divide(lane *ar, lane *am, lane br, lane bm)
{
    lane d = br * br + bm * bm, r = (*ar * br + *am * bm) / d;
    *am = (*am * br - *ar * bm) / d;
    *ar = r;
}

kb_fn void problem_factor_complex(lane *R, lane *M, lane gr, lane gm)
{
    for (int i = 0; i < NNZ; i++) {
        R[i] += (i % (N + 1) ? 0.0 : 1.0) * gr;
        M[i] = (i % (N + 1) ? 0.0 : 1.0) * gm;
    }
    for (int k = 0; k < N; k++)
        for (int i = k + 1; i < N; i++) {
            int l = i * N + k;
            divide(&R[l], &M[l], R[k * N + k], M[k * N + k]);
            for (int j = k + 1; j < N; j++)
                subtract_product(&R[i * N + j], &M[i * N + j], R[l], M[l], R[k * N + j],
                                 M[k * N + j]);
        }
}

kb_fn void problem_solve_complex(const lane *R, const lane *M, const lane *br, const lane *bm,
                                 lane *xr, lane *xm)
{
    for (int i = 0; i < N; i++) {
        xr[i] = br[i];
        xm[i] = bm[i];
        for (int j = 0; j < i; j++)
            subtract_product(&xr[i], &xm[i], R[i * N + j], M[i * N + j], xr[j], xm[j]);
    }
    for (int i = N - 1; i >= 0; i--) {
        for (int j = i + 1; j < N; j++)
            subtract_product(&xr[i], &xm[i], R[i * N + j], M[i * N + j], xr[j], xm[j]);
        divide(&xr[i], &xm[i], R[i * N + i], M[i * N + i]);
    }
}
