/* SPDX-License-Identifier: MIT
 *
 * The problem that the methods integrate: the reactor of a mechanism. Tests take another one
 * (tests/order/problem_*.h) by defining KB_PROBLEM.
 */
#pragma once

#include "solvers/methods/method.h"
#include "solvers/portable/work.h"

#ifdef KB_DENSE /* the variant of the engines that makes and factors J as the papers do */
#define KB_PROBLEM "solvers/papers/problem_dense.h"
#elif defined(KB_ELIMINATION) /* the variants that eliminate as Le and Cambier (2013) */
#define KB_PROBLEM "solvers/papers/problem_elimination.h"
#endif
#ifdef KB_PROBLEM
#include KB_PROBLEM
#elif defined(KB_STRAIGHT)
#include "solvers/chemistry/straight/gpu/problem.h"
#else

#include "solvers/chemistry/jacobian.h"
#include "solvers/linalg/lu_complex.h"
#include "solvers/linalg/matvec.h"
#include "solvers/problem_rates.h"

/* dy, and A [NNZ] = -J in the storage of the factorisation */
kb_fn void problem_jacobian(const kb_run *run, const kb_ode *o, const lane *y, lane *dy,
                            kb_stored *A, kb_jacobian *w)
{
#if KB_SCRATCH_GLOBAL
    jac_rhs(run->reactor, o->fixed, y, dy, A, &w->k, (kb_scratch *)o->scratch);
#else
    jac_rhs(run->reactor, o->fixed, y, dy, A, &w->k, &w->s);
#endif
}

/* Jv [N] = J v [N], from A before it is factored; Jv is not v */
kb_fn void problem_multiply(const kb_stored *A, const lane *v, lane *Jv) { jac_multiply(A, v, Jv); }

/* A -> factors of (gi I - J), in place; returns the reach of the pivots (method.h) */
kb_fn lane problem_factor(kb_stored *A, lane gi) { return lu_factor(A, gi); }

/* x = (gi I - J)^-1 b; x may be b */
kb_fn void problem_solve(const kb_stored *A, const lane *b, lane *x) { lu_solve(A, b, x); }

#if KB_TEAM > 1 || defined(__CUDACC__) || defined(KB_COUNTED)
#define KB_DROP_FACTORS 0
#else
#define KB_DROP_FACTORS 1
#include "solvers/linalg/lu_drop.h"

/* The same with the entries of A that run->drop leaves at the state y, where o->scratch is a
 * drop_work; A stays */
kb_fn lane problem_drop_factor(const kb_run *run, const kb_ode *o, const lane *y,
                               const kb_stored *A, lane gi)
{
    drop_work *w = (drop_work *)o->scratch;
    drop_scales(w, y, run->atol / run->rtol);
    return drop_factor(w, A, gi, run->drop);
}

kb_fn void problem_drop_solve(const kb_ode *o, const lane *b, lane *x)
{
    drop_solve((const drop_work *)o->scratch, b, x);
}
#endif

#if KB_FLOAT_FACTORS
/* The same in floats, for FLOAT_VECTORS vectors of lanes with one matrix A: dy and A of vector
 * number v; the factors; the solution in place of x (solvers/linalg/lu_float.h) */
kb_fn void problem_float_jacobian(const kb_run *run, const kb_ode *o, const lane *y, lane *dy,
                                  lane *A, int v, kb_jacobian *w)
{
    lines_float_jacobian(run->reactor, o->fixed, y, dy, A, v, w);
}

kb_fn void problem_float_factor(lane *A, const lane *gi, lane *reach)
{
    lines_float_factor(A, gi, reach);
}

kb_fn void problem_float_solve(const lane *A, lane *const *x) { lines_float_solve(A, x); }
#endif

/* the same for a complex number g = gr + i gm: R [NNZ] = A; R, M -> factors of (g I - J) */
kb_fn void problem_factor_complex(kb_stored *R, kb_stored *M, lane gr, lane gm)
{
    lu_factor_complex(R, M, gr, gm);
}

/* xr + i xm = (g I - J)^-1 (br + i bm); x may be b */
kb_fn void problem_solve_complex(const kb_stored *R, const kb_stored *M, const lane *br,
                                 const lane *bm, lane *xr, lane *xm)
{
    lu_solve_complex(R, M, br, bm, xr, xm);
}

#endif

#ifdef KB_FORCED
#include "solvers/forcing.h"
#endif

/* one of several vectors [N] of unknowns (work.h), several, and one as several */
#ifdef KB_RUN_TIME
typedef lane *lane_row;
typedef lane *const *lane_rows;
#define lane_one_row(v) ((lane *[]){(lane *)(v)})
#else
typedef lane lane_row[N];
typedef const lane_row *lane_rows;
#define lane_one_row(v) ((lane_rows)(v))
#endif

#ifndef KB_ELIMINATION
/* problem_solve of E and problem_solve_complex of R and M */
kb_fn void problem_solve_both(const kb_stored *E, const kb_stored *R, const kb_stored *M,
                              const lane *b, const lane *br, const lane *bm, lane *x, lane *xr,
                              lane *xm)
{
#if KB_TEAM > 1 && !defined(KB_PROBLEM)
    lu_solve_both(E, R, M, b, br, bm, x, xr, xm);
#else
    problem_solve(E, b, x);
    problem_solve_complex(R, M, br, bm, xr, xm);
#endif
}
#endif

/* -J [NNZ] that a method keeps for later substeps. KB_SCRATCH_GLOBAL: it lies in global memory, so
 * the method evaluates J in another array and copies it. */
#if KB_SCRATCH_GLOBAL
typedef struct {
    char none;
} kb_kept_jacobian;
kb_fn kb_stored *problem_kept_jacobian(const kb_ode *o, kb_kept_jacobian *)
{
    return ((kb_scratch *)o->scratch)->kept_jacobian;
}
#else
#define KEPT_FIELDS(ARRAY, ROWS, PART) ARRAY(kb_stored, A, NNZ)
KB_WORK(kb_kept_jacobian, KEPT_FIELDS)
kb_fn kb_stored *problem_kept_jacobian(const kb_ode *o, kb_kept_jacobian *k)
{
    (void)o;
    return k->A;
}
#endif
