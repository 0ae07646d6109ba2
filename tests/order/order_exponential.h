/* SPDX-License-Identifier: MIT
 *
 * What the order tests of exp4 and exprb43 share: steps of a fixed size, with bases that are large
 * enough and phi functions to rounding.
 */
#define OPTIONS EXPONENTIAL_OPTIONS
#include "tests/order/order.h"

static void to_rounding(drive *d, double h)
{
    (void)h;
    d->run.rtol = d->run.atol = 1;
    d->run.opt[KRYLOV_TOLERANCE] = 1e-15;
    d->run.opt[KRYLOV_PHI] = 2;
}

/* the approximant, good to 3e-10, in place of scaling and squaring */
static inline void rational(drive *d, double h)
{
    to_rounding(d, h);
    d->run.opt[KRYLOV_PHI] = 1;
}

static inline void embedded(drive *d, double h, const exponential_work *before, lane *e)
{
    (void)h, (void)before;
    memcpy(e, d->w->d, sizeof d->w->d);
}
