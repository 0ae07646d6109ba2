/* SPDX-License-Identifier: MIT
 *
 * The reactor as the papers' codes see it: the Jacobian by finite differences of the right-hand
 * side, one evaluation for each unknown, dense in (T, Y), and factored by dense LU with partial
 * pivoting. The methods are the same; only the functions of problem.h are others.
 *
 * Increments as in RADAU5 (Hairer and Wanner 1996): sqrt(eps max(1e-5, |y_j|)), eps = 1e-16.
 */
#pragma once

/* the exact Jacobian comes along with the loss frequencies, under names of its own */
#define kb_jacobian kb_exact_jacobian
#define kb_scratch kb_exact_scratch
#include "solvers/problem_rates.h"
#undef kb_jacobian
#undef kb_scratch
#include "solvers/papers/lu_dense.h"

enum { EXACT_NNZ = NNZ };
#define NNZ DENSE_NNZ
/* evaluations of the right-hand side for one Jacobian, beside that at y */
#define KB_JACOBIAN_RHS N

typedef struct {
    lane kept_jacobian[KB_SCRATCH_GLOBAL ? DENSE_NNZ : 1];
} kb_scratch;

typedef struct {
    kb_kinetics k;
    lane y[N], dy[N]; /* beside the state */
} kb_jacobian;

kb_fn void problem_jacobian(const kb_run *run, const kb_ode *o, const lane *y, lane *dy, lane *A,
                            kb_jacobian *w)
{
    kin_rhs(run->reactor, o->fixed, y, dy, &w->k);
    for (int j = 0; j < N; j++) {
        each(i, N) w->y[i] = y[i];
        team_sync();
        lane moved = y[j] + vsqrt(1e-16 * vmax(splat(1e-5), vabs(y[j]))), r = 1.0 / (moved - y[j]);
        each(z, 1) w->y[j] = moved;
        team_sync();
        kin_rhs(run->reactor, o->fixed, w->y, w->dy, &w->k);
        each(i, N) DENSE(A, i, j) = (dy[i] - w->dy[i]) * r;
        team_sync();
    }
}

kb_fn void problem_multiply(const lane *A, const lane *v, lane *Jv)
{
    team_sync();
    for (int i = team_rank(); i < N; i += KB_TEAM) {
        lane sum = splat(0);
        for (int j = 0; j < N; j++)
            sum -= DENSE(A, i, j) * v[j];
        Jv[i] = sum;
    }
    team_sync();
}

kb_fn lane problem_factor(lane *A, lane gi)
{
    team_sync();
    return dense_factor(A, gi);
}

kb_fn void problem_solve(const lane *A, const lane *b, lane *x) { dense_solve(A, b, x); }

kb_fn void problem_factor_complex(lane *R, lane *M, lane gr, lane gm)
{
    team_sync();
    dense_factor_complex(R, M, gr, gm);
}

kb_fn void problem_solve_complex(const lane *R, const lane *M, const lane *br, const lane *bm,
                                 lane *xr, lane *xm)
{
    dense_solve_complex(R, M, br, bm, xr, xm);
}
