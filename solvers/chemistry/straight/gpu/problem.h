/* SPDX-License-Identifier: MIT
 *
 * The functions of problem.h for a small mechanism, as straight-line code, one ODE a thread. Their
 * vectors are (T, Y) of all species. Of a method's A [NNZ] the first matrix.n numbers are used: the
 * packed matrix (structure.h).
 */
#pragma once

#include "solvers/chemistry/gas.h"
#include "solvers/portable/team_memory.h"
#include "solvers/chemistry/straight/gpu/lu.h"
#include "solvers/chemistry/straight/gpu/reactor.h"

static_assert(matrix.n <= NNZ, "a method's matrix has room for the packed one");

typedef struct {
    char none;
} kb_kinetics;
typedef struct {
    kb_kinetics k;
} kb_jacobian;
typedef struct {
    char none;
} kb_scratch;

kb_fn mask problem_valid(const lane *y) { return gas_valid(y[0]); }

kb_fn void problem_rhs(const kb_run *run, const kb_ode *o, const lane *y, lane *dy, kb_kinetics *)
{
    straight_rhs(run->reactor, o->fixed, y, dy);
}

enum { PROBLEM_LOSS_IS_RADIUS = 1 };

kb_fn lane problem_loss_frequency(const kb_run *run, const kb_ode *o, const lane *y, kb_kinetics *)
{
    return straight_loss_frequency(run->reactor, o->fixed, y);
}

kb_fn void problem_jacobian(const kb_run *run, const kb_ode *o, const lane *y, lane *dy, lane *A,
                            kb_jacobian *)
{
    straight_jacobian(run->reactor, o->fixed, y, dy, A);
}

/* b [N] as (T, Y) -> unknowns z [NUNKNOWN], s being 0 */
straight_fn void straight_gather(const lane *b, lane *z)
{
    upto<0, NREACTING>([&](auto k) {
        constexpr int i = order.species[INDEX(k)];
        constexpr double rW = tables::kb_rW[i];
        z[INDEX(k)] = b[i + 1] * rW;
    });
    z[AT_T] = b[0];
    z[AT_S] = 0;
}

/* and back; entries of inert species are 0 in every right-hand side of the methods, and so in every
 * solution */
straight_fn void straight_spread(const lane *z, lane *x)
{
    upto<0, NSP>([&](auto species) {
        constexpr int i = INDEX(species), p = order.position[i];
        constexpr double W = tables::kb_W[i];
        if constexpr (p >= 0)
            x[i + 1] = z[p] * W;
        else
            x[i + 1] = 0;
    });
    x[0] = z[AT_T];
}

kb_fn lane problem_factor(lane *A, lane gi)
{
    straight_factor(straight_real_matrix{A}, gi);
    return straight_reach(A);
}

kb_fn void problem_factor_complex(lane *R, lane *M, lane gr, lane gm)
{
    upto<0, matrix.n>([&](auto k) { M[INDEX(k)] = 0; });
    straight_factor(straight_complex_matrix{R, M}, straight_complex{gr, gm});
}

kb_fn void problem_solve(const lane *A, const lane *b, lane *x)
{
    lane z[NUNKNOWN];
    straight_gather(b, z);
    straight_substitute(straight_real_matrix{(lane *)A}, z);
    straight_spread(z, x);
}

kb_fn void problem_solve_complex(const lane *R, const lane *M, const lane *br, const lane *bm,
                                 lane *xr, lane *xm)
{
    lane zr[NUNKNOWN], zm[NUNKNOWN];
    straight_complex z[NUNKNOWN];
    straight_gather(br, zr);
    straight_gather(bm, zm);
    upto<0, NUNKNOWN>([&](auto k) { z[INDEX(k)] = {zr[INDEX(k)], zm[INDEX(k)]}; });
    straight_substitute(straight_complex_matrix{(lane *)R, (lane *)M}, z);
    upto<0, NUNKNOWN>([&](auto k) {
        zr[INDEX(k)] = z[INDEX(k)].r;
        zm[INDEX(k)] = z[INDEX(k)].i;
    });
    straight_spread(zr, xr);
    straight_spread(zm, xm);
}

kb_fn void problem_multiply(const lane *A, const lane *v, lane *Jv)
{
    lane z[NUNKNOWN], x[NUNKNOWN] = {};
    straight_gather(v, z);
    upto<0, NREACTING>([&](auto k) { z[AT_S] += z[INDEX(k)]; });
    upto<0, AT_S>([&](auto i) {
        upto<0, NUNKNOWN>([&](auto j) {
            if constexpr (matrix.raw[INDEX(i)][INDEX(j)])
                x[INDEX(i)] -= A[place<INDEX(i), INDEX(j)>] * z[INDEX(j)];
        });
    });
    straight_spread(x, Jv);
}
