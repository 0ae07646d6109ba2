/* SPDX-License-Identifier: MIT
 *
 * A non-stiff, non-linear, autonomous problem with a known solution:
 *   z1' = -z1^2, z2' = z1 z2, z3' = r z4, z4' = -r z3 with r = z3^2 + z4^2,
 *   z = (1/(1+t), (1+t)/2, sin t, cos t),
 * turned by an orthogonal matrix, y = Q z, so that every component sees every other. KB_FORCED: the
 * right-hand side lacks what the forcing then adds.
 */
enum { N = 4, STIFF = 0 };
#include "tests/order/problem_dense.h"

#ifdef KB_FORCED
static const double part[N] = {0.3, -0.8, 0.5, 1.1}; /* as large as the rest */
#endif

/* Q is its own inverse */
kb_fn void turn(const lane *x, lane *y)
{
    y[0] = 0.5 * (x[0] + x[1] + x[2] + x[3]);
    y[1] = 0.5 * (x[0] - x[1] + x[2] - x[3]);
    y[2] = 0.5 * (x[0] + x[1] - x[2] - x[3]);
    y[3] = 0.5 * (x[0] - x[1] - x[2] + x[3]);
}

kb_fn void problem_rhs(const kb_run *run, const kb_ode *o, const lane *y, lane *dy, kb_kinetics *w)
{
    lane z[N], g[N];
    (void)run, (void)o, (void)w;
    turn(y, z);
    lane r = z[2] * z[2] + z[3] * z[3];
    g[0] = -z[0] * z[0];
    g[1] = z[0] * z[1];
    g[2] = r * z[3];
    g[3] = -r * z[2];
    turn(g, dy);
#ifdef KB_FORCED
    for (int i = 0; i < N; i++)
        dy[i] -= part[i];
#endif
}

kb_fn void problem_J(const kb_run *run, const lane *y, lane *J)
{
    lane z[N], half[N * N];
    (void)run;
    turn(y, z);
    lane r = z[2] * z[2] + z[3] * z[3], none = splat(0);
    lane G[N * N] = {-2.0 * z[0], none, none, none, z[1], z[0], none, none,
                     none, none, 2.0 * z[2] * z[3], r + 2.0 * z[3] * z[3],
                     none, none, -r - 2.0 * z[2] * z[2], -2.0 * z[2] * z[3]};
    for (int i = 0; i < N; i++) /* rows of G Q, as Q is symmetric */
        turn(G + i * N, half + i * N);
    for (int j = 0; j < N; j++) {
        lane column[N], turned[N];
        for (int i = 0; i < N; i++)
            column[i] = half[i * N + j];
        turn(column, turned);
        for (int i = 0; i < N; i++)
            J[i * N + j] = turned[i];
    }
}

kb_fn void exact(double t, lane *y)
{
    lane z[N] = {splat(1 / (1 + t)), splat(0.5 * (1 + t)), splat(sin(t)), splat(cos(t))};
    turn(z, y);
}
