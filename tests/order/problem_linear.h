/* SPDX-License-Identifier: MIT
 *
 * y_i' = -lambda (i + 1)/N y_i, from y_i = 1: after one step y_i is the stability function at
 * -h lambda (i + 1)/N. lambda is run->opt[7].
 */
enum { N = 64 };
#include "tests/order/problem_dense.h"

kb_fn void problem_rhs(const kb_run *run, const kb_ode *o, const lane *y, lane *dy, kb_kinetics *w)
{
    (void)o, (void)w;
    for (int i = 0; i < N; i++)
        dy[i] = -run->opt[7] * (i + 1) / N * y[i];
}

kb_fn void problem_J(const kb_run *run, const lane *y, lane *J)
{
    (void)y;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            J[i * N + j] = splat(i == j ? -run->opt[7] * (i + 1) / N : 0);
}

kb_fn void exact(double t, lane *y)
{
    (void)t;
    for (int i = 0; i < N; i++)
        y[i] = splat(1); /* of the start only */
}
