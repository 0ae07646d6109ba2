/* SPDX-License-Identifier: MIT
 *
 * A linear decay at a speed that is a part of the state: y_0' = -y_1 y_0, all others constant. Lane
 * l has the speed l: lane 0 is at rest, f = 0, and its neighbours are not.
 */
enum { N = 4 };
#include "tests/order/problem_dense.h"

kb_fn void problem_rhs(const kb_run *run, const kb_ode *o, const lane *y, lane *dy, kb_kinetics *w)
{
    (void)run, (void)o, (void)w;
    dy[0] = -y[1] * y[0];
    dy[1] = dy[2] = dy[3] = splat(0);
}

kb_fn void problem_J(const kb_run *run, const lane *y, lane *J)
{
    (void)run;
    for (int i = 0; i < N * N; i++)
        J[i] = splat(0);
    J[0] = -y[1];
    J[1] = -y[0];
}

/* at the time l/10, by which order.h tells lanes apart */
kb_fn void exact(double t, lane *y)
{
    y[0] = splat(1);
    y[1] = splat(10 * t);
    y[2] = y[3] = splat(0);
}
