/* SPDX-License-Identifier: MIT
 *
 * The largest frequency at which species are lost (solvers/chemistry/loss_frequency.h), against the
 * rates of mech/: a power law C_i^a of rate q has the derivative a q/C_i. Compiled for one
 * mechanism, for one lane and for many.
 */
#include "tests/test.h"
#include "solvers/problem.h" /* before cmocka.h, which has a fail() too */
#include "mech/thermo/rates.h"
#include "mech/thermo/thermo.h"

static kb_mech m;

static double random_between(double a, double b) { return a + (b - a) * rand() / RAND_MAX; }

static double amount(const kb_term *t, int n, int species)
{
    for (int k = 0; k < n; k++)
        if (t[k].species == species)
            return t[k].value;
    return 0;
}

/* -d omega_i/d C_i at constant k and [M]; q: rates of progress, forward and reverse */
static double loss_of(int i, double C, double *const q[2])
{
    double sum = 0;
    for (int k = 0; k < m.nreactions; k++) {
        const kb_reaction *r = &m.reactions[k];
        double nu = amount(r->products, r->nproducts, i) - amount(r->reactants, r->nreactants, i);
        for (int reverse = 0; reverse < 2; reverse++) {
            int n;
            const kb_term *powers = kb_powers(r, reverse, &n);
            sum += (reverse ? nu : -nu) * amount(powers, n, i) * q[reverse][k] / C;
        }
    }
    return sum;
}

static double expected(double p, const double *y)
{
    double C[NSP], *q[2], most = 0, rho = kb_density(&m, y[0], p, y + 1);
    for (int side = 0; side < 2; side++)
        q[side] = kb_alloc((size_t)m.nreactions, sizeof **q);
    for (int i = 0; i < NSP; i++)
        C[i] = rho * y[i + 1] / m.species[i].weight;
    kb_mech_rates(&m, y[0], p, C, NULL, NULL, q[0], q[1]);
    for (int i = 0; i < NSP; i++)
        most = larger(most, fabs(loss_of(i, C[i], q)));
    free(q[0]);
    free(q[1]);
    return most;
}

/* one species after another is so rare that its loss is the largest */
TEST(as_rates_say)
{
    double y[KB_LANES][N], p[KB_LANES], worst = 0;
    kb_run run = {.reactor = KB_CONST_P};
    kb_ode o;
    kb_owned kb_kinetics *w = KB_NEW_WORK(kb_kinetics, 1);
    lane all[N];
    memset(&o, 0, sizeof o);
    for (int k = 0; k < 3 * NSP; k++) {
        for (int l = 0; l < KB_LANES; l++) {
            double sum = 0;
            for (int i = 0; i < NSP; i++)
                sum += y[l][i + 1] = i == (k + l) % NSP ? 1e-9 : random_between(0.1, 1);
            for (int i = 0; i < NSP; i++)
                y[l][i + 1] /= sum;
            y[l][0] = random_between(500, 2500);
            p[l] = random_between(1e4, 1e7);
            lane_put(&o.fixed, l, p[l]);
            for (int i = 0; i < N; i++)
                lane_put(&all[i], l, y[l][i]);
        }
        lane found = problem_loss_frequency(&run, &o, all, w);
        for (int l = 0; l < KB_LANES; l++) {
            double is = lane_get(found, l), should = expected(p[l], y[l]);
            worst = larger(worst, fabs(is / should - 1));
        }
    }
    print_message("%s, %d lanes: off by %.1e\n", KB_MECH_NAME, KB_LANES, worst);
    assert_true(worst < 1e-9);
}

FIXTURE(start)
{
    kb_error err;
    return kb_mech_load(&m, LOSS_MECH, NULL, &err);
}

FIXTURE(end)
{
    kb_mech_free(&m);
    return 0;
}

TESTS(start, end)
