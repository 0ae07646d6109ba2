/* SPDX-License-Identifier: MIT
 *
 * States along ignition: their pressure, or their density.
 */
#include "tests/test.h"
#include "tests/unit/h2_case.h"
#include "pasr/generators/ignition.h"

enum { STATES = 40, ROW = 11 };

/* p / (rho R) */
static double over_density(const double *s)
{
    double moles = 0;
    for (int k = 0; k < ROW - 2; k++)
        moles += s[2 + k] / mech.species[k].weight;
    return s[0] * moles;
}

/* at constant volume p follows from the density of the start */
TEST(pressure_of_both_reactors)
{
    for (int reactor = KB_CONST_P; reactor <= KB_CONST_V; reactor++) {
        kb_ignition r;
        kb_ignition_path path;
        double states[STATES * ROW];
        kb_ignition_defaults(&r);
        free(r.mech);
        free(r.fuel);
        r.mech = kb_strdup("h2");
        r.fuel = kb_strdup("H2:1");
        r.n = STATES;
        r.reactor = reactor;
        assert_works(kb_ignition_run(&r, &mech, solvers, states, &path, NULL, &err));
        for (int i = 0; i < STATES; i++) {
            const double *s = states + i * ROW;
            double p = reactor ? states[1] * over_density(s) / over_density(states) : states[1];
            assert_true(fabs(s[1] / p - 1) < 1e-12);
        }
        double risen = states[(STATES - 1) * ROW + 1] / states[1];
        assert_true(reactor ? risen > 1.2 : risen == 1);
        free(r.mech);
        free(r.fuel);
        free(r.oxidizer);
    }
}

TESTS(open_all, close_all)
