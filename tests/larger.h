/* SPDX-License-Identifier: MIT
 *
 * The larger of two errors: infinite if the new one, b, is no number, which fmax would pass over.
 */
#pragma once

#include <math.h>

__attribute__((unused)) static double larger(double a, double b)
{
    return b <= a ? a : isnan(b) ? INFINITY : b;
}
