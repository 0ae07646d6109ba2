/* SPDX-License-Identifier: MIT
 *
 * WENO of fifth order: three parabolas, weighted by their smoothness.
 * Jiang and Shu, J. Comput. Phys. 126 (1996), with the weights Z of Borges et al., 227 (2008).
 * Both tolerances are relative to the stencil.
 */
#pragma once

#include "flow/load.h"

/* smoothness indicators and the largest square of the stencil's three inner values */
typedef struct {
    lane smooth[3], scale;
} weno_smoothness;

kb_fn weno_smoothness weno_smooth(lane a, lane b, lane c, lane d, lane e)
{
    lane left = a - 2.0 * b + c, mid = b - 2.0 * c + d, right = c - 2.0 * d + e;
    lane l = a - 4.0 * b + 3.0 * c, m = b - d, r = 3.0 * c - 4.0 * d + e;
    return (weno_smoothness){
        {13.0 / 12.0 * left * left + 0.25 * l * l, 13.0 / 12.0 * mid * mid + 0.25 * m * m,
         13.0 / 12.0 * right * right + 0.25 * r * r},
        lane_max(lane_max(lane_max(a * a, b * b), lane_max(d * d, e * e)), c * c)};
}

kb_fn void weno_normalise(lane weight[3])
{
    lane scale = 1.0 / (weight[0] + weight[1] + weight[2]);
    for (int k = 0; k < 3; k++)
        weight[k] *= scale;
}

/* x/root[k] for the three, by one division: the vectors wait for those */
kb_fn void weno_divide(lane x, const lane root[3], lane quotient[3])
{
    lane each = x / (root[0] * root[1] * root[2]);
    quotient[0] = each * (root[1] * root[2]);
    quotient[1] = each * (root[0] * root[2]);
    quotient[2] = each * (root[0] * root[1]);
}

kb_fn void weno_weights_z(lane a, lane b, lane c, lane d, lane e, lane weight[3])
{
    const double ideal[3] = {0.1, 0.6, 0.3};
    weno_smoothness s = weno_smooth(a, b, c, d, e);
    lane least = 1e-13 * s.scale + 1e-40, root[3], ratio[3];
    for (int k = 0; k < 3; k++)
        root[k] = s.smooth[k] + least;
    weno_divide(vabs(s.smooth[0] - s.smooth[2]), root, ratio);
    for (int k = 0; k < 3; k++)
        weight[k] = ideal[k] * (1.0 + ratio[k] * ratio[k]);
    weno_normalise(weight);
}

kb_fn void weno_weights_js(lane a, lane b, lane c, lane d, lane e, lane weight[3])
{
    const double ideal[3] = {0.1, 0.6, 0.3};
    weno_smoothness s = weno_smooth(a, b, c, d, e);
    lane least = 1e-12 * s.scale + 1e-40, root[3], inverse[3];
    for (int k = 0; k < 3; k++)
        root[k] = s.smooth[k] + least;
    weno_divide(least, root, inverse); /* at most 1 each: their squares do not overflow */
    for (int k = 0; k < 3; k++)
        weight[k] = ideal[k] * inverse[k] * inverse[k];
    weno_normalise(weight);
}

kb_fn lane weno_value(const lane weight[3], lane a, lane b, lane c, lane d, lane e)
{
    return (weight[0] * (2.0 * a - 7.0 * b + 11.0 * c) + weight[1] * (-b + 5.0 * c + 2.0 * d) +
            weight[2] * (2.0 * c + 5.0 * d - e)) * (1.0 / 6.0);
}

/* cells -2 .. 2: the value at the face after cell 0 */
kb_fn lane weno5(lane a, lane b, lane c, lane d, lane e)
{
    lane weight[3];
    weno_weights_z(a, b, c, d, e, weight);
    return weno_value(weight, a, b, c, d, e);
}

kb_fn lane weno5_js(lane a, lane b, lane c, lane d, lane e)
{
    lane weight[3];
    weno_weights_js(a, b, c, d, e, weight);
    return weno_value(weight, a, b, c, d, e);
}
