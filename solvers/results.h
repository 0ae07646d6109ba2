/* SPDX-License-Identifier: MIT
 *
 * Which results the library takes, on the host and on a device.
 */
#pragma once

#include "solvers/hand_on.h"

/* p [Pa] of the result y (T, Y) of a state s (T, p, Y) */
hand_on_fn double kb_result_pressure(kb_reactor reactor, int nsp, const double *W, const double *s,
                                     const double *y)
{
    return reactor == KB_CONST_V ? hand_on_pressure(nsp, W, s, y) : s[1];
}

/* Is it a state of the next call, which repairs it first if asked for? A method may call other
 * results ok. */
hand_on_fn bool kb_result_possible(double p, const double *y, int nsp,
                                   const kb_state_limits *limits, bool repair)
{
    const kb_state_limits mended = {KB_REPAIR_Y_MIN, KB_REPAIR_SUM};
    return kb_state_possible(y[0], p, y + 1, nsp, repair ? &mended : limits);
}
