/* SPDX-License-Identifier: MIT
 *
 * Kaps' problem, stiff with 1/eps: y1' = -(1/eps + 2) y1 + y2^2/eps, y2' = y1 - y2 - y2^2; solution
 * (exp(-2t), exp(-t)) for every eps. eps is run->opt[7].
 */
enum { N = 2, STIFF = 1 };
#include "tests/order/problem_dense.h"

kb_fn void problem_rhs(const kb_run *run, const kb_ode *o, const lane *y, lane *dy, kb_kinetics *w)
{
    double stiff = 1 / run->opt[7];
    (void)o, (void)w;
    dy[0] = stiff * (y[1] * y[1] - y[0]) - 2.0 * y[0];
    dy[1] = y[0] - y[1] - y[1] * y[1];
}

kb_fn void problem_J(const kb_run *run, const lane *y, lane *J)
{
    double stiff = 1 / run->opt[7];
    J[0] = splat(-stiff - 2);
    J[1] = 2.0 * stiff * y[1];
    J[2] = splat(1);
    J[3] = -1.0 - 2.0 * y[1];
}

kb_fn void exact(double t, lane *y)
{
    y[0] = splat(exp(-2 * t));
    y[1] = splat(exp(-t));
}
