/* SPDX-License-Identifier: MIT
 *
 * MP5: the value at a face from five cell means, of fifth order, kept monotone.
 * Suresh and Huynh, J. Comput. Phys. 136 (1997), eqs. 2.1, 2.12, 2.24-2.30; alpha 4. A limit that
 * does not depend on the scale of v: the tolerance is relative to the stencil.
 *
 * mp5_paper: Le and Cambier (2013), eqs. 15-16, as printed: the first bound alone, alpha 2.
 */
#pragma once

#include "flow/load.h"

kb_fn lane mp5_optimal(lane a, lane b, lane c, lane d, lane e)
{
    return (2.0 * a - 13.0 * b + 47.0 * c + 27.0 * d - 3.0 * e) * (1.0 / 60.0);
}

/* the smallest in size of 4a - b, 4b - a, a and b where all have one sign, else 0 */
kb_fn lane mp5_curvature(lane a, lane b)
{
    return minmod4(4.0 * a - b, 4.0 * b - a, a, b);
}

kb_fn lane mp5_limited(lane o, lane a, lane b, lane c, lane d, lane e)
{
    lane before = a - 2.0 * b + c, here = b - 2.0 * c + d, after = c - 2.0 * d + e;
    lane upper = c + 4.0 * (c - b);
    lane median = 0.5 * (c + d) - 0.5 * mp5_curvature(here, after);
    lane large = c + 0.5 * (c - b) + 4.0 / 3.0 * mp5_curvature(here, before);
    lane low = lane_max(lane_min(lane_min(c, d), median), lane_min(lane_min(c, upper), large));
    lane high = lane_min(lane_max(lane_max(c, d), median), lane_max(lane_max(c, upper), large));
    return lane_min(lane_max(o, low), high);
}

/* cells -2 .. 2: the value at the face after cell 0 */
kb_fn lane mp5(lane a, lane b, lane c, lane d, lane e)
{
    lane o = mp5_optimal(a, b, c, d, e);
    lane bound = c + minmod(d - c, 4.0 * (c - b));
    mask outside = (o - c) * (o - bound) > 1e-20 * (b * b + c * c + d * d);
    if (lane_any(outside))
        o = vselect(outside, mp5_limited(o, a, b, c, d, e), o);
    return o;
}

kb_fn lane mp5_paper(lane a, lane b, lane c, lane d, lane e)
{
    lane o = mp5_optimal(a, b, c, d, e);
    return o + minmod(c - o, c + minmod(d - c, 2.0 * (c - b)) - o);
}
