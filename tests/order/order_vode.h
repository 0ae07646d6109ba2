/* SPDX-License-Identifier: MIT
 *
 * What the order tests of vode share: polynomials through the exact solution, and steps of given
 * sizes at a fixed order.
 */
#define METHOD vode
#include "solvers/methods/vode.h"
#define OPTIONS VODE_OPTIONS
#include "tests/order/order.h"

static int fixed_order; /* q */
static double uneven;   /* steps are in turn longer and shorter by this part */

/* z [VODE_Q + 1] about t[0], scaled to h, of the polynomial through the exact y_i at t [q + 1] */
static void interpolate(const double *t, int q, double h, int i, double *z)
{
    double d[VODE_Q + 1] = {0};
    lane y[N];
    for (int j = 0; j <= q; j++) {
        exact(t[j], y);
        d[j] = lane_get(y[i], 0);
    }
    for (int k = 1; k <= q; k++)
        for (int j = q; j >= k; j--)
            d[j] = (d[j] - d[j - 1]) * h / (t[j] - t[j - k]);
    memset(z, 0, (VODE_Q + 1) * sizeof *z);
    for (int k = q; k >= 0; k--) { /* z = d_k + (x - x_k) z */
        double x = (t[k] - t[0]) / h;
        for (int j = q; j > 0; j--)
            z[j] = z[j - 1] - x * z[j];
        z[0] = d[k] - x * z[0];
    }
}

/* every step accepted, at fixed_order, from exact values at equal distances in the past; Newton's
 * iteration stops far below the error of the step */
static void begin_at_order(drive *d, double h)
{
    d->run.opt[VODE_NONLIN_COEF] = 1e-30;
    d->run.opt[VODE_STOP_AT_END] = 1;
    d->persistent.wait = splat(1000);
    d->persistent.new_jac = all_lanes();
    int first = lane_get(d->o.attempted, 0) == 0;
    if (lane_get(d->o.h, 0) < 1)
        d->o.h = splat((int)lane_get(d->o.attempted, 0) % 2 ? h - uneven * h : h + uneven * h);
    if (!first)
        return;
    d->persistent.fresh = mask_none();
    d->persistent.q = splat(fixed_order);
    d->persistent.h_z = splat(h);
    for (int j = 0; j < VODE_Q; j++)
        d->persistent.tau[j] = splat(h);
    for (int l = 0; l < KB_LANES; l++)
        for (int i = 0; i < N; i++) {
            double z[VODE_Q + 1], t[VODE_Q + 1];
            for (int j = 0; j <= VODE_Q; j++)
                t[j] = start_time(l) - j * h;
            interpolate(t, fixed_order, h, i, z);
            for (int j = 1; j <= VODE_Q; j++)
                lane_put(&d->w->z[j][i], l, z[j]);
        }
}
