/* SPDX-License-Identifier: MIT
 *
 * What the parts of an attempt do: the code of every engine, from the tables or (KB_STRAIGHT) as
 * straight-line code, run once with numbers that count (KB_COUNTED). KB_COUNT: its name.
 */
#include "solvers/portable/lane.h"
#include "constants.h"
#if !defined(KB_STRAIGHT) || STRAIGHT_FITS
#include "solvers/problem.h"
#include "solvers/parts/roofline.h"

/* additions and multiplications of an expansion to full accuracy, as in branch_free.h */
static const double EXP = 30, LOG = 36, SQRT = 16, DIVIDE = 8;

#ifdef KB_STRAIGHT
enum { STRAIGHT = 1, ENTRIES = matrix.n };
#else
enum { STRAIGHT = 0, ENTRIES = NNZ };
#endif

struct work {
    lane y[N], f[N], x[N], A[NNZ];
    kb_jacobian problem;
};

/* since the last call; of two operations at least one takes a number from an array */
static kb_part_work counted(void)
{
    kb_operations o = operations;
    operations = {};
#ifdef KB_STRAIGHT
    operations_done.clear();
#endif
    return {o.simple + EXP * o.exp + LOG * o.log + SQRT * o.sqrt + DIVIDE * o.divide,
            STRAIGHT ? 0 : o.simple / 2};
}

extern "C" void KB_COUNT(const double *state, kb_part_work *parts)
{
    kb_run run = {1e-6, 1e-6, 1e-12, 1e6, 0, {0}, KB_CONST_P, 0, 0};
    work *w = new work();
    kb_ode o = {};
    o.fixed = {state[1], true};
    /* some of every species: of those that are not there, results would be the same number, 0 */
    for (int i = 0; i < N; i++)
        w->y[i] = {i ? state[i + 1] + 1e-3 * i : state[0], true};
    counted();
    problem_rhs(&run, &o, w->y, w->f, &w->problem.k);
    parts[KB_PART_RATES] = counted();
    problem_jacobian(&run, &o, w->y, w->f, w->A, &w->problem);
    parts[KB_PART_JACOBIAN] = counted();
    problem_factor(w->A, {1e7, true});
    parts[KB_PART_LU] = counted();
    /* a team has most of the matrix in registers: each entry is read and written at least */
    parts[KB_PART_LU].words = STRAIGHT ? 0 : 2 * ENTRIES;
    problem_solve(w->A, w->f, w->x);
    parts[KB_PART_SOLVE] = counted();
    delete w;
}
#endif
