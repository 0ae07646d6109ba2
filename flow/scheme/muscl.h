/* SPDX-License-Identifier: MIT
 *
 * MUSCL with van Leer's harmonic limiter (J. Comput. Phys. 32, 1979): second order, for comparison.
 */
#pragma once

#include "flow/load.h"

/* cells -2 .. 2, of which the middle three count: the value at the face after cell 0 */
kb_fn lane muscl(lane a, lane b, lane c, lane d, lane e)
{
    lane back = c - b, forth = d - c, product = back * forth;
    (void)a;
    (void)e;
    return c + vselect(product > splat(0), product / (back + forth), splat(0));
}
