/* SPDX-License-Identifier: MIT
 *
 * Chapman-Jouguet and von Neumann states and induction lengths against those of Cantera 3.2 (least
 * speed on the equilibrium Hugoniot curve; integration in time behind the frozen shock).
 */
#include "tests/test.h"
#include "tests/unit/flow_run.h"

#include "flow/gas/detonation.h"
#include "mech/thermo/thermo.h"
#include "pasr/generators/common/mixture.h"

typedef struct {
    const char *mech, *mixture;
    double p, D, T_cj, p_cj, rho_cj, T_vn, p_vn, rho_vn, induction, delay, release;
} row;

/* p [Pa], D [m/s], T [K], ratios to the unburnt gas (density behind the shock: kg/m^3), [mm],
 * [us] */
static const row rows[] = {
    {"h2co", "H2:2,O2:1,AR:7", 6670, 1616.65, 2800.3, 15.715, 1.7918, 1901.6, 26.184, 0.34871,
     1.518, 3.84, 29.2},
    {"gri30", "H2:2,O2:1,AR:7", 6670, 1616.93, 2802.2, 15.720, 1.7918, 1902.2, 26.193, 0.34871,
     1.515, 3.83, 25.8},
    {"h2co", "H2:2,O2:1,AR:7", 10000, 1628.17, 2841.1, 15.892, 1.7887, 1924.2, 26.566, 0.52419,
     0.982, 2.47, 16.6},
    {"h2co", "H2:2,O2:1,AR:7", 101325, 1692.66, 3075.4, 16.859, 1.7682, 2053.5, 28.756, 5.3871,
     0.0778, 0.189, 0.42},
    {"h2", "H2:2,O2:1,N2:3.76", 101325, 1978.49, 2968.7, 15.706, 1.8022, 1541.1, 27.918, 4.6167,
     0.159, 0.423, 0.25},
    {"h2co", "H2:2,O2:1,N2:3.76", 101325, 1977.29, 2964.6, 15.689, 1.8023, 1539.7, 27.883, 4.6152,
     0.197, 0.525, 0.29},
    {"gri30", "H2:2,O2:1,N2:3.76", 101325, 1969.27, 2944.5, 15.591, 1.8044, 1530.3, 27.652, 4.6050,
     0.246, 0.653, 0.30},
    {"h2", "H2:2,O2:1", 101325, 2841.27, 3682.6, 18.848, 1.8386, 1768.4, 33.119, 2.7411, 0.0375,
     0.071, 0.06},
    {"gri30", "CH4:1,O2:2", 20000, 2319.17, 3437.2, 27.763, 1.8591, 1804.5, 52.197, 1.8564, 1.268,
     4.38, 0.24}};

static void check(const row *r)
{
    kb_error err = {0};
    kb_mech m;
    kb_detonation d;
    kb_znd z;
    double X[KB_FLOW_SPECIES], Y[KB_FLOW_SPECIES], Yb[KB_FLOW_SPECIES];
    kb_owned char *path = kb_format("datasets/mechanisms/%s.yaml", r->mech);
    const kb_solvers *s = kb_solvers_open(r->mech, &err);
    assert_works(!s || kb_mech_load(&m, path, NULL, &err) || kb_mole_fractions(&m, "mixture",
                 r->mixture, X, &err));
    kb_X_to_Y(&m, X, Y);
    assert_works(kb_cj(&m, 298, r->p, Y, &d, Yb, &err));
    assert_works(kb_znd_run(&m, s, &d.fresh, Y, 1.0005 * d.D, 5e-3 * r->induction, &z, &err));
    assert_near("D", d.D, r->D, 1e-5);
    assert_near("T of the CJ state", d.cj.T, r->T_cj, 1e-3);
    assert_near("p of the CJ state", d.cj.p / d.fresh.p, r->p_cj, 1e-3);
    assert_near("density of the CJ state", d.cj.rho / d.fresh.rho, r->rho_cj, 1e-3);
    assert_near("T behind the shock", d.vn.T, r->T_vn, 1e-4);
    assert_near("p behind the shock", d.vn.p / d.fresh.p, r->p_vn, 1e-4);
    assert_near("density behind the shock", d.vn.rho, r->rho_vn, 1e-4);
    assert_near("induction length", 1e3 * z.induction, r->induction, 0.01);
    assert_near("induction time", 1e6 * z.delay, r->delay, 0.01);
    double u = d.D * d.fresh.rho / d.cj.rho;
    assert_near("length of the release", 1e3 * u / z.sigma, r->release, 0.05);
    /* mass, momentum and energy through the zone */
    const kb_znd_point *end = &z.at[z.n - 1];
    double speed = 1.0005 * d.D, flux = d.fresh.rho * speed;
    assert_near("mass", end->rho * end->w, flux, 1e-6);
    assert_near("momentum", end->p + flux * end->w, d.fresh.p + flux * speed, 1e-6);
    double h = kb_mix_h(&m, end->T, z.Y + (z.n - 1) * m.nspecies);
    assert_near("energy", h + 0.5 * end->w * end->w,
                kb_mix_h(&m, 298, Y) + 0.5 * speed * speed, 1e-6);
    kb_znd_free(&z);
    kb_mech_free(&m);
}

/* Hugoniot and Rayleigh at densities eight decades apart: the iteration ends by energies */
TEST(thin_and_dense_gas)
{
    kb_mech m;
    double X[KB_FLOW_SPECIES], Y[KB_FLOW_SPECIES], Yb[KB_FLOW_SPECIES];
    assert_works(kb_mech_load(&m, "datasets/mechanisms/h2.yaml", NULL, &err));
    assert_works(kb_mole_fractions(&m, "mixture", "H2:2,O2:1,N2:3.76", X, &err));
    kb_X_to_Y(&m, X, Y);
    for (double p = 1e2; p < 2e8; p *= 100) {
        kb_detonation d;
        assert_works(kb_cj(&m, 298, p, Y, &d, Yb, &err));
        double v1 = 1 / d.fresh.rho, v2 = 1 / d.cj.rho, e1 = kb_mix_h(&m, 298, Y) - p * v1;
        double e2 = kb_mix_h(&m, d.cj.T, Yb) - d.cj.p * v2, work = 0.5 * (p + d.cj.p) * (v1 - v2);
        assert_below("energy", fabs(e2 - e1 - work) / (d.cj.p * v2), 1e-8);
        assert_near("speed", d.D * d.D, v1 * v1 * (d.cj.p - p) / (v1 - v2), 1e-8);
    }
    kb_mech_free(&m);
}

/* the parabola in time through the points k - 1, k and k + 1, in Newton's form, is level at the
 * peak; gas goes there at its speed at k */
static void check_peak(const kb_znd *z, long k)
{
    const kb_znd_point *a = &z->at[k - 1], *b = &z->at[k], *c = &z->at[k + 1];
    double first = (b->sigma - a->sigma) / (b->t - a->t);
    double second = ((c->sigma - a->sigma) / (c->t - a->t) - first) / (c->t - b->t);
    double since = z->delay - a->t, ahead = z->delay - b->t;
    assert_true(fabs(first + second * (since + ahead)) < 1e-6 * fabs(first));
    assert_near("sigma", z->sigma, a->sigma + since * (first + second * ahead), 1e-9);
    assert_near("x", z->induction, b->x + ahead * b->w, 1e-12);
}

/* Along the zone: the laws of conservation, the speed, and sigma of the change of density, d(ln
 * rho)/dt = -sigma/(1 - M^2), between neighbours; the peak lies beside the largest sigma. */
TEST(zone_obeys_its_equations)
{
    kb_error err = {0};
    kb_mech m;
    kb_detonation d;
    kb_znd z;
    double X[KB_FLOW_SPECIES], Y[KB_FLOW_SPECIES], Yb[KB_FLOW_SPECIES], worst = 0, largest = 0;
    const kb_solvers *s = kb_solvers_open("h2", &err);
    assert_works(kb_mech_load(&m, "datasets/mechanisms/h2.yaml", NULL, &err));
    assert_works(kb_mole_fractions(&m, "mixture", "H2:2,O2:1,N2:3.76", X, &err));
    kb_X_to_Y(&m, X, Y);
    assert_works(kb_cj(&m, 298, KB_ATM, Y, &d, Yb, &err));
    assert_works(kb_znd_zone(&m, s, &d.fresh, Y, 1.0005 * d.D, 20, &z, &err));
    double speed = 1.0005 * d.D, flux = d.fresh.rho * speed, h1 = kb_mix_h(&m, 298, Y);
    for (long k = 0; k < z.n; k++) {
        const kb_znd_point *a = &z.at[k], *b = a + (k + 1 < z.n);
        const double *Yk = z.Y + k * m.nspecies;
        double R = KB_R / kb_mean_weight(&m, Yk), cp = kb_mix_cp(&m, a->T, Yk), dt = b->t - a->t;
        double h = kb_mix_h(&m, a->T, Yk) + 0.5 * a->w * a->w - h1 - 0.5 * speed * speed;
        worst = larger(worst, fabs(a->rho * a->w / flux - 1));
        worst = larger(worst, fabs((a->p + flux * a->w) / (d.fresh.p + flux * speed) - 1));
        worst = larger(worst, fabs(h) / (speed * speed));
        worst = larger(worst, fabs(a->p / (a->rho * R * a->T) - 1));
        worst = larger(worst, fabs(a->mach * sqrt(cp / (cp - R) * R * a->T) / a->w - 1));
        largest = fmax(largest, a->sigma);
        if (!(dt > 0))
            continue;
        double rate = 0.5 * (a->sigma / (1 - a->mach * a->mach) +
                             b->sigma / (1 - b->mach * b->mach));
        assert_true(fabs(b->x - a->x - 0.5 * (a->w + b->w) * dt) <= 1e-3 * (b->x - a->x));
        assert_true(fabs(log(b->rho / a->rho) + rate * dt) <= 0.02 * fabs(rate) * dt + 1e-7);
    }
    assert_below("conservation", worst, 1e-6);
    assert_near("the largest sigma", z.sigma, largest, 1e-2);
    assert_true(z.sigma >= largest);
    for (long k = 0; k < z.n; k++)
        if (z.at[k].sigma == largest) {
            assert_true(k > 0 && k + 1 < z.n);
            assert_true(z.induction > z.at[k - 1].x && z.induction < z.at[k + 1].x);
            assert_true(z.delay > z.at[k - 1].t && z.delay < z.at[k + 1].t);
            check_peak(&z, k);
        }
    double length = z.at[z.n - 1].x / z.induction;
    assert_true(length >= 20 && length < 100);
    kb_znd_free(&z);
    assert_true(!z.at && !z.Y && z.n == 0);
    kb_mech_free(&m);
}

/* of a zone that ends before its peak the last point is the largest, of one of radicals, which
 * recombine at once, the first */
TEST(peak_at_an_end)
{
    kb_error err = {0};
    kb_mech m;
    kb_znd z;
    double X[KB_FLOW_SPECIES], Y[KB_FLOW_SPECIES];
    const kb_solvers *s = kb_solvers_open("h2", &err);
    assert_works(kb_mech_load(&m, "datasets/mechanisms/h2.yaml", NULL, &err));
    for (int first = 0; first < 2; first++) {
        const char *mixture = first ? "O:1,N2:9" : "H2:2,O2:1,N2:3.76";
        assert_works(kb_mole_fractions(&m, "mixture", mixture, X, &err));
        kb_X_to_Y(&m, X, Y);
        const kb_gas_state fresh = kb_gas_state_of(&m, 298, KB_ATM, Y);
        assert_works(kb_znd_run(&m, s, &fresh, Y, 1990, first ? 1e-5 : 1e-4, &z, &err));
        const kb_znd_point *end = &z.at[first ? 0 : z.n - 1];
        for (long k = 0; k < z.n; k++)
            assert_true(z.at[k].sigma <= end->sigma);
        assert_true(z.n > 3 && z.sigma == end->sigma && z.sigma > 0);
        assert_true(z.induction == end->x && z.delay == end->t);
        kb_znd_free(&z);
    }
    kb_mech_free(&m);
}

TEST(nine_mixtures)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        check(&rows[k]);
}

/* GRI's slow reactions of nitrogen make the flow sonic within the zone: it ends there */
TEST(zone_ends_at_a_sonic_point)
{
    kb_mech m;
    kb_detonation d;
    kb_znd z;
    double X[KB_FLOW_SPECIES], Y[KB_FLOW_SPECIES], Yb[KB_FLOW_SPECIES];
    const kb_solvers *s;
    assert_works(!(s = kb_solvers_open("gri30", &err)));
    assert_works(kb_mech_load(&m, "datasets/mechanisms/gri30.yaml", NULL, &err));
    assert_works(kb_mole_fractions(&m, "mixture", "H2:2,O2:1,N2:3.76", X, &err));
    kb_X_to_Y(&m, X, Y);
    assert_works(kb_cj(&m, 298, KB_ATM, Y, &d, Yb, &err));
    assert_works(kb_znd_zone(&m, s, &d.fresh, Y, 1.0005 * d.D, 20, &z, &err));
    assert_true(z.sonic);
    assert_near("Mach number at its end", z.at[z.n - 1].mach, 1, 1e-3);
    assert_near("induction length", 1e3 * z.induction, 0.244, 0.01);
    kb_znd_free(&z);
    assert_works(kb_znd_zone(&m, s, &d.fresh, Y, 1.03 * d.D, 20, &z, &err));
    assert_true(!z.sonic && z.at[z.n - 1].x >= 20 * z.induction);
    kb_znd_free(&z);
    kb_mech_free(&m);
}

TEST(what_does_not_detonate)
{
    kb_error err = {0};
    kb_mech m;
    kb_detonation d;
    double X[KB_FLOW_SPECIES], Y[KB_FLOW_SPECIES], Yb[KB_FLOW_SPECIES];
    assert_works(kb_mech_load(&m, "datasets/mechanisms/h2.yaml", NULL, &err));
    assert_works(kb_mole_fractions(&m, "mixture", "N2:1", X, &err));
    kb_X_to_Y(&m, X, Y);
    assert_int_equal(kb_cj(&m, 298, 1e5, Y, &d, Yb, &err), KB_INVALID);
    assert_string_equal(err.text, "this mixture does not detonate: no least speed for ratios of "
                        "densities from 1.3 to 2.5");
    assert_int_equal(kb_cj(&m, 298, 0, Y, &d, Yb, &err), KB_INVALID);
    assert_string_equal(err.text, "T = 298 K, p = 0 Pa: T must be from 200 to 2000 K and p above "
                        "0");
    assert_int_equal(kb_cj(&m, 298, INFINITY, Y, &d, Yb, &err), KB_INVALID);
    assert_int_equal(kb_cj(&m, 298, -1, Y, &d, Yb, &err), KB_INVALID);
    assert_int_equal(kb_cj(&m, NAN, 1e5, Y, &d, Yb, &err), KB_INVALID);
    static const double ends[] = {200, 2000};
    for (int k = 0; k < 2; k++) {
        assert_fails(kb_cj(&m, ends[k], 1e5, Y, &d, Yb, &err), KB_INVALID, "does not detonate");
        assert_fails(kb_cj(&m, nextafter(ends[k], k ? 3000 : 0), 1e5, Y, &d, Yb, &err), KB_INVALID,
                     "T must be from 200 to 2000 K");
    }
    const kb_gas_state fresh = kb_gas_state_of(&m, 298, 1e5, Y);
    kb_gas_state behind;
    assert_fails(kb_frozen_shock(&m, &fresh, Y, fresh.c, &behind, &err), KB_INVALID,
                 "is slower than sound (");
    const kb_solvers *s = kb_solvers_open("h2", &err);
    kb_znd z;
    assert_non_null(s);
    assert_int_equal(kb_znd_zone(&m, s, &fresh, Y, 1500, 20, &z, &err), KB_INVALID);
    assert_string_equal(err.text, "no release of heat within 67.1089 m of the shock");
    /* radicals: the release is largest at the shock itself, which is no induction */
    assert_works(kb_mole_fractions(&m, "mixture", "O:1,N2:9", X, &err));
    kb_X_to_Y(&m, X, Y);
    const kb_gas_state radicals = kb_gas_state_of(&m, 298, KB_ATM, Y);
    assert_fails(kb_znd_zone(&m, s, &radicals, Y, 1990, 3, &z, &err), KB_INVALID,
                 "no release of heat within");
    kb_mech_free(&m);
}

TESTS(flow_one_thread, NULL)
