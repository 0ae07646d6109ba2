/* SPDX-License-Identifier: MIT
 *
 * Interface between an integration method and an engine. A method is one file that defines, for
 * METHOD = its name,
 *
 *   METHOD_work        its vectors, which the team shares; the first is the state `lane y[N]`
 *   METHOD_persistent  its scalars that are kept between attempts, kb_scalar and kb_flag, the same
 *                      on each thread; kb_no_persistent: none
 *   METHOD_init(run, o, persistent, w, starting)
 *                      prepares the ODEs under the mask starting: they start from w->y at o->t,
 *                      which is 0, or later if their dt is shorter than run->dt; the engine may
 *                      give the first substep in o->h afterwards
 *   METHOD_step(run, o, persistent, w)
 *                      attempts one substep of every ODE under o->active, accepts or rejects it,
 *                      counts, and sets o->h for the next; a failure sets o->status
 *   METHOD_INFO        its entries of kb_solver_info, with what it promises (solvers/promise.h)
 *   METHOD_OPTIONS     its options; ends with {}
 *   KB_INEXACT_SERVES  only if it keeps order 2 with an inexact matrix, as its promise says
 *   KB_FLOATS_SERVE    only if it keeps its accuracy with the matrix and factors in floats: then it
 *                      is on the engine gpu-pair-float, and a Rosenbrock method has `float`
 *
 * and uses of the problem (problem.h) only: N, NNZ, PROBLEM_LOSS_IS_RADIUS, problem_valid,
 * problem_rhs and problem_loss_frequency (with kb_kinetics), problem_jacobian (with kb_jacobian),
 * problem_multiply, problem_factor, problem_solve, and the last two for complex numbers. Where
 * KB_FLOAT_FACTORS is 1 it may have
 *
 *   KB_FLOAT_STEP(run, o, persistent, w)
 *                      METHOD_step of FLOAT_VECTORS vectors of lanes together, from arrays of their
 *                      pointers, with factors in floats (problem_float_jacobian, ...): the option
 *                      `float`. A vector may be without active ODEs
 */
#pragma once

#include "solvers/portable/lane.h"
#include "solvers/solver.h"

enum { KB_MAX_OPTIONS = 12 };

/* the same for all ODEs of a batch */
typedef struct {
    double dt, rtol, atol, max_substeps;
    int pass; /* 1: the explicit first pass (first_pass.h), which is the engine's */
    double opt[KB_MAX_OPTIONS];
    kb_reactor reactor;
    double atolt; /* absolute tolerance of T [K]; 0: atol */
    int floats;   /* 1: KB_FLOAT_STEP */
    double drop;  /* part of the diagonal below which entries of the matrix are dropped; 0: none */
} kb_run;

/* the absolute tolerance of unknown i of (T, Y) */
kb_fn double atol_of(const kb_run *run, int i)
{
    return i == 0 && run->atolt > 0 ? run->atolt : run->atol;
}

/* one ODE on each lane */
typedef struct {
    kb_scalar fixed;  /* p [Pa] at constant pressure, rho [kg/m^3] at constant volume */
    kb_scalar t, h;   /* time reached; next substep [s] */
    kb_scalar status; /* kb_ode_status, 0: no failure */
    kb_scalar attempted, accepted, rhs, jac, lu, solve;
    kb_flag active;
    void *scratch; /* of the Jacobian, where it is not part of its work; or a drop_work */
#ifdef KB_FORCED
    lane *forcing; /* [N], of kb_job.states (solvers/forced_job.h) */
#endif
} kb_ode;

typedef struct {
    char none;
} kb_no_persistent;

/* 1 for the lanes that are on, 0 for the others: what a counter adds */
kb_fn lane lane_count(mask on) { return vselect(on, splat(1), splat(0)); }

/* h, shortened to end at dt; lengthened by at most 1e-10 h where a shorter last step would
 * remain */
kb_fn lane clip_step(const kb_run *run, const kb_ode *o)
{
    lane left = run->dt - o->t;
    return vselect(o->h * (1 + 1e-10) >= left, left, o->h);
}

/* sets the status of the active lanes under m that have none yet */
kb_fn void ode_fail(kb_ode *o, mask m, int status)
{
    o->status = vselect(m & (o->status == 0.0) & o->active, splat(status), o->status);
}

/* Whether factors of (gi I - J) whose pivots have this reach [s] may be used: the reach is the
 * longest 1/pivot of T and the species, INFINITY where a pivot is not positive. Every pivot has to
 * be (1 - growth) gi or more, growth the largest lambda/gi that the method follows.
 * Why: docs/methods.md, "Growth beyond the pole". */
kb_fn mask factors_reach(lane reach, lane gi, double growth)
{
    return reach * gi <= 1 / (1 - growth);
}

#define KB_GROWTH 0.5 /* where the method's file does not say */

#define KB_REFUSED 0.25 /* part of a step whose factors may not be used: the next one */

/* Pivots may be long where there is growth: that of a radical which reacts faster than those
 * before it in the order. So where factors were refused in an ODE, each longer substep is asked
 * about first: the pivots of (growth gi I - J) are positive where and only where the method
 * follows. */
typedef struct {
    kb_flag refused;    /* factors were, in this ODE */
    kb_scalar followed; /* the longest substep since whose growth the method follows */
} kb_growth;

kb_fn void growth_start(kb_growth *g, mask starting)
{
    g->refused = g->refused & not_(starting);
    g->followed = vselect(starting, splat(0), g->followed);
}

/* the ODEs to ask about before a substep h */
kb_fn mask growth_asks(const kb_growth *g, lane h) { return g->refused & (h > g->followed); }

/* Where h may be used: of the ODEs that were asked about by reach, that of the pivots of
 * (growth gi I - J); of the others where their own factors serve. */
kb_fn mask growth_serves(kb_growth *g, mask active, mask asked, lane reach, lane h, mask serve)
{
    mask follows = asked & (reach < INFINITY);
    serve = follows | (serve & not_(asked));
    mask refused = active & not_(serve);
    g->refused = g->refused | refused;
    g->followed = vselect(refused, splat(0), vselect(follows, h, g->followed));
    return serve;
}

/* The last options of a method; engines read them. Every method whose steps are chosen by an error
 * has the tolerance, an implicit one the pass before it. */
#define KB_ATOLT_OPTION                                                                            \
    {                                                                                              \
        "atolt", "absolute tolerance of T [K]; 0: atol, as for the mass fractions", 0, 0, 1e6,     \
            KB_REAL                                                                                \
    }
#define KB_PASS_OPTION                                                                             \
    {                                                                                              \
        "pass", "1: first one explicit step over dt, kept where its error and growth are small",   \
            0, 0, 1, KB_WHOLE                                                                      \
    }
/* of a method with KB_FLOAT_STEP */
#define KB_FLOAT_OPTION                                                                            \
    {                                                                                              \
        "float", "1: Jacobian, LU and solves in single precision, for rtol 1e-6 and above", 0, 0,  \
            1, KB_WHOLE                                                                            \
    }

/* of a method that allows an inexact matrix, where KB_DROP_FACTORS is 1 */
#define KB_DROP_OPTION                                                                             \
    {                                                                                              \
        "drop", "LU without entries below this part of the diagonal, 1e-3 to 1e-2 for more than "  \
                "500 species; 0: all", 0, 0, 0.1, KB_REAL                                          \
    }

kb_fn mask problem_valid(const lane *y); /* true where the ODE may have this state; problem.h */

/* Accepts or rejects the attempt of size h: t, the counters and the failures common to all methods.
 * accept must be false where the error estimate is not finite. y is the candidate state, y0 the old
 * one; on return y is the state of the next attempt. A candidate outside the problem's bounds is
 * never accepted; if the step gets too small for that reason, the status is KB_ODE_BOUNDS. */
kb_fn void finish_step(const kb_run *run, kb_ode *o, lane h, mask accept, lane *y, const lane *y0,
                       int n)
{
    mask last = h >= run->dt - o->t, valid = problem_valid(y), finite = is_finite(y[0]);
    accept = accept & o->active & valid;
    team_sync();
    o->t = vselect(accept, vselect(last, splat(run->dt), o->t + h), o->t);
    o->attempted += lane_count(o->active);
    o->accepted += lane_count(accept);
    each(i, n) y[i] = vselect(accept, y[i], y0[i]);
    team_sync();
    mask unfinished = o->active & (o->t < run->dt), small = not_(o->h > 1e-16 * run->dt);
    ode_fail(o, unfinished & (o->attempted >= run->max_substeps), KB_ODE_TOO_MANY);
    ode_fail(o, unfinished & small & not_(valid) & finite, KB_ODE_BOUNDS);
    ode_fail(o, unfinished & small, KB_ODE_STEP_SMALL);
}
