/* SPDX-License-Identifier: MIT
 *
 * What the parts of an attempt do: the code of every engine, from the tables, run once with numbers
 * that count (KB_COUNTED).
 */
#include "solvers/problem.h"
#include "solvers/roofline/roofline.h"

/* additions and multiplications of an expansion to full accuracy, as in branch_free.h */
static const double EXP = 30, LOG = 36, SQRT = 16, DIVIDE = 10;

struct work {
    lane y[N], f[N], x[N], A[NNZ];
    kb_jacobian problem;
};

static kb_part_work counted(void)
{
    kb_operations o = operations;
    operations = {};
    return {o.simple + EXP * o.exp + LOG * o.log + SQRT * o.sqrt + DIVIDE * o.divide, o.simple};
}

extern "C" void kb_roofline_count(const double *state, kb_part_work *parts)
{
    kb_run run = {1e-6, 1e-6, 1e-12, 1e6, 0, {0}, KB_CONST_P};
    work *w = new work();
    kb_ode o = {};
    o.fixed = state[1];
    for (int i = 0; i < N; i++)
        w->y[i] = state[i ? i + 1 : 0];
    counted();
    problem_rhs(&run, &o, w->y, w->f, &w->problem.k);
    parts[KB_PART_RATES] = counted();
    problem_jacobian(&run, &o, w->y, w->f, w->A, &w->problem);
    parts[KB_PART_JACOBIAN] = counted();
    problem_factor(w->A, 1e7);
    parts[KB_PART_LU] = counted();
    problem_solve(w->A, w->f, w->x);
    parts[KB_PART_SOLVE] = counted();
    delete w;
}
