/* SPDX-License-Identifier: MIT
 *
 * ADER-WENO: the states at a face and their derivatives in space, from the parabolas of weno5.h,
 * are carried on in time on each side by itself (Cauchy-Kowalewski), and Riemann problems are
 * solved at the two points of Gauss' rule in time: third order in time in one stage, along one
 * direction. Harten et al., J. Comput. Phys. 71 (1987); Castro and Toro, 227 (2008), who name it
 * HEOC. It stands for eq. 18 of Le and Cambier (2013), which takes the state at t + h where the
 * mean flux is needed.
 */
#pragma once

#include "flow/scheme/weno5.h"

/* of the states alone */
kb_fn lane ader_weno(lane a, lane b, lane c, lane d, lane e) { return weno5(a, b, c, d, e); }

/* cells -2 .. 2: value at the face after cell 0, and first and second derivative times dx and
 * dx^2 */
kb_fn void ader_jet(lane a, lane b, lane c, lane d, lane e, lane jet[3])
{
    lane w[3];
    weno_weights_z(a, b, c, d, e, w);
    jet[0] = weno_value(w, a, b, c, d, e);
    jet[1] = w[0] * (a - 3.0 * b + 2.0 * c) + (w[1] + w[2]) * (d - c);
    jet[2] = w[0] * (a - 2.0 * b + c) + w[1] * (b - 2.0 * c + d) + w[2] * (c - 2.0 * d + e);
}

/* six values of the cells -2 .. 3: left and right of the face between 0 and 1 */
kb_fn void ader_sides(const lane v[6], lane left[3], lane right[3])
{
    ader_jet(v[0], v[1], v[2], v[3], v[4], left);
    ader_jet(v[5], v[4], v[3], v[2], v[1], right);
    right[1] = -right[1];
}
