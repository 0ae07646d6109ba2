/* SPDX-License-Identifier: MIT
 *
 * An ignition with a window, which no good step leaves: y_0' = a (y_0^2 - y_0^3), which grows up to
 * y_0 = 2/3 and then stiffly comes to 1; y_1 follows y_0^2 at 30 a; y_2' = -y_1 y_2. States with
 * y_0 above 1 and a bit, or y_2 below 0, are outside. a is run->opt[7], `limit` the bit.
 */
enum { N = 3 };
static double limit = 0.01;
#define PROBLEM_INSIDE(y) ((y[0] <= 1 + limit) & (y[2] >= -limit))
#include "tests/order/problem_dense.h"

kb_fn void problem_rhs(const kb_run *run, const kb_ode *o, const lane *y, lane *dy, kb_kinetics *w)
{
    double a = run->opt[7];
    (void)o, (void)w;
    dy[0] = a * y[0] * y[0] * (1.0 - y[0]);
    dy[1] = 30 * a * (y[0] * y[0] - y[1]);
    dy[2] = -y[1] * y[2];
}

kb_fn void problem_J(const kb_run *run, const lane *y, lane *J)
{
    double a = run->opt[7];
    for (int i = 0; i < NNZ; i++)
        J[i] = splat(0);
    J[0] = a * y[0] * (2.0 - 3.0 * y[0]);
    J[3] = 60 * a * y[0];
    J[4] = splat(-30 * a);
    J[7] = -y[2];
    J[8] = -y[1];
}

/* the starts: an ignition early, late, and one that is over, far from y_1's place */
kb_fn void exact(double t, lane *y)
{
    int k = (int)(10 * t + 0.5) % 3;
    y[0] = splat(k == 0 ? 0.1 : k == 1 ? 0.02 : 0.98);
    y[1] = splat(k == 2 ? 0.1 : 0);
    y[2] = splat(1);
}
