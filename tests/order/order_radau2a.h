/* SPDX-License-Identifier: MIT
 *
 * What the order tests of radau2a share: steps of a fixed size.
 */
#define METHOD radau2a
#include "solvers/methods/radau2a.h"
#define OPTIONS RADAU2A_OPTIONS
#include "tests/order/order.h"

/* every step accepted, its stages solved far below its error */
static void iterate_to_the_end(drive *d, double h)
{
    (void)h;
    d->run.rtol = d->run.atol = 1;
    d->run.opt[RADAU2A_TRANSFORM] = 0;
    d->run.opt[RADAU2A_ITERATIONS] = 30;
    d->run.opt[RADAU2A_NEWTON] = 1e-14;
}
