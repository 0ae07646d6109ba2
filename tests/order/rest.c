/* SPDX-License-Identifier: MIT
 *
 * A state at rest, whose norms are 0, divides nothing by them: each method with floating-point
 * traps on, alone and beside lanes that move. Compiled for each method of methods.def.
 */
#define _GNU_SOURCE
#include <fenv.h>

#include KB_METHOD_HEADER
#define METHOD KB_METHOD
#define OPTIONS KB_METHOD_OPTIONS
#include "tests/test.h"
#include "tests/order/order.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

/* y_0 of the lanes that are done; they go on as copies of one that is not, as engines do it */
static void end_lanes(drive *d, double *end)
{
    mask done = d->o.active & ((d->o.status != 0.0) | not_(d->o.t < d->run.dt));
    d->o.active = d->o.active & not_(done);
    for (int l = 0; l < KB_LANES; l++) {
        if (mask_get(done, l)) {
            assert_true(lane_get(d->o.status, l) == 0);
            end[l] = lane_get(d->w->y[0], l);
        }
    }
    park(d);
}

/* first: of the options called h0, which choose the first substep where they are 0 */
static void integrate(double first)
{
    double end[KB_LANES];
    drive d = start(1, 1e-6, 1e-10, 0);
    for (int k = 0; options[k].name; k++)
        if (!strcmp(options[k].name, "h0") && first >= options[k].low)
            d.run.opt[k] = first;
    memset(&d.persistent, 0, sizeof d.persistent);
    feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
    METHOD_init(&d.run, &d.o, &d.persistent, d.w, all_lanes());
    while (lane_any(d.o.active)) {
        METHOD_step(&d.run, &d.o, &d.persistent, d.w);
        end_lanes(&d, end);
    }
    fedisableexcept(FE_ALL_EXCEPT);
    for (int l = 0; l < KB_LANES; l++) {
        if (l == 0)
            assert_true(end[l] == 1);
        else if (!(fabs(end[l] - exp(-l)) <= 1e-3) && strcmp(TEXT(KB_METHOD), "point_implicit"))
            fail_msg("lane %d: %g, expected %g", l, end[l], exp(-l)); /* that one has no control */
    }
    free(d.w);
}

TEST(at_rest)
{
    integrate(0);
    integrate(1);
}

TESTS(NULL, NULL)
