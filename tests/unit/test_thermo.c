/* SPDX-License-Identifier: MIT */
#include "tests/test.h"
#include "tests/unit/reference.h"

static double off(double value, double reference)
{
    return fabs(value - reference) / fmax(1, fabs(reference));
}

static void match_cantera(const char *path, const char *reference)
{
    kb_mech m = read_mech(path);
    table t = open_table(reference);
    int lines = 0;

    without_ends(&m);
    for (; next_line(&t); lines++) {
        int k = kb_find_species(&m, t.fields[0]);
        double T = number(&t, 1);

        assert_true(k >= 0);
        const kb_species *s = &m.species[k];
        double worst = larger(off(kb_cp_R(s, T), number(&t, 2)), off(kb_h_RT(s, T), number(&t, 3)));
        worst = larger(worst, off(kb_s_R(s, T), number(&t, 4)));
        if (worst > 1e-12)
            fail_msg("%s at %g K: off by %g", s->name, T, worst);
    }
    assert_int_equal(lines, 7 * m.nspecies);
    kb_mech_free(&m);
}

TEST(species_match_cantera)
{
    match_cantera(DATASETS "gri30.yaml", "thermo_gri30.csv");
}

TEST(other_models_match_cantera)
{
    match_cantera("tests/data/cantera_types.yaml", "thermo_cantera_types.csv");
}

/* cp = dh/dT = T ds/dT, by central differences within a range */
TEST(derivatives_agree)
{
    kb_mech m = read_mech(DATASETS "gri30.yaml");

    for (int k = 0; k < m.nspecies; k++) {
        for (double T = 350; T < 3000; T += 310) {
            const kb_species *s = &m.species[k];
            double d = 0.01, up = T + d, down = T - d;
            double dh = (kb_h_RT(s, up) * up - kb_h_RT(s, down) * down) / (2 * d);
            double ds = (kb_s_R(s, up) - kb_s_R(s, down)) / (2 * d);

            assert_true(fabs(dh - kb_cp_R(s, T)) < 1e-7 * kb_cp_R(s, T));
            assert_true(fabs(T * ds - kb_cp_R(s, T)) < 1e-7 * kb_cp_R(s, T));
        }
    }
    kb_mech_free(&m);
}

TEST(mixture_of_air)
{
    kb_mech m = read_mech(DATASETS "gri30.yaml");
    kb_owned double *X = kb_alloc((size_t)m.nspecies, sizeof(double));
    kb_owned double *Y = kb_alloc((size_t)m.nspecies, sizeof(double));
    double W_O2 = 31.998, W_N2 = 28.014;

    X[kb_find_species(&m, "O2")] = 1;
    X[kb_find_species(&m, "N2")] = 3.76;
    kb_X_to_Y(&m, X, Y);
    double W = (W_O2 + 3.76 * W_N2) / 4.76;
    assert_true(fabs(kb_mean_weight(&m, Y) / W - 1) < 1e-12);
    assert_true(fabs(Y[kb_find_species(&m, "O2")] - W_O2 / 4.76 / W) < 1e-12);
    assert_true(fabs(kb_density(&m, 300, KB_ATM, Y) / (KB_ATM * W / (KB_R * 300)) - 1) < 1e-12);
    assert_true(fabs(kb_mix_cp(&m, 300, Y) - 1010) < 10); /* air: 1.01 kJ/(kg K) */
    assert_true(fabs(kb_mix_h(&m, 300, Y) - kb_mix_u(&m, 300, Y) - KB_R * 300 / W) < 1e-6);
    kb_mech_free(&m);
}

TEST(temperature_is_found_again)
{
    kb_mech m = read_mech(DATASETS "h2co.yaml");
    kb_owned double *Y = kb_alloc((size_t)m.nspecies, sizeof(double));
    uint64_t random = 7;

    for (int i = 0; i < 300; i++) {
        double T, p, T0 = 100 + 5000 * uniform(&random);

        draw(&random, m.nspecies, &T, &p, Y);
        kb_X_to_Y(&m, Y, Y);
        if (fabs(T - 1000) < 5) /* h may fall there: two T have it */
            continue;
        assert_true(fabs(kb_T_from_h(&m, kb_mix_h(&m, T, Y), Y, T0) - T) < 1e-8 * T);
        assert_true(fabs(kb_T_from_u(&m, kb_mix_u(&m, T, Y), Y, T0) - T) < 1e-8 * T);
    }
    assert_true(isnan(kb_T_from_h(&m, 1e12, Y, 1000)));
    assert_true(isnan(kb_T_from_u(&m, -1e12, Y, 1000)));
    assert_true(isnan(kb_T_from_h(&m, NAN, Y, 1000)));
    kb_mech_free(&m);
}

/* Beyond the data: cp is a straight line, cp = dh/dT = T ds/dT, and all three join the data */
TEST(data_go_on)
{
    static const char *const files[] = {DATASETS "gri30.yaml", "tests/data/cantera_types.yaml"};

    for (int f = 0; f < 2; f++) {
        kb_mech m = read_mech(files[f]);
        for (int k = 0; k < 2 * m.nspecies; k++) {
            const kb_species *s = &m.species[k / 2];
            double end = k % 2 ? s->Thigh : s->Tlow, d = k % 2 ? 1 : -1, T = end + 30 * d;
            double near = nextafter(end, end + d);

            if (T < KB_T_LEAST || T > KB_T_MOST)
                continue;
            assert_true(fabs(kb_cp_R(s, near) - kb_cp_R(s, end)) < 1e-10 * kb_cp_R(s, end));
            assert_true(fabs(kb_h_RT(s, near) - kb_h_RT(s, end)) < 1e-9);
            assert_true(fabs(kb_s_R(s, near) - kb_s_R(s, end)) < 1e-9);
            double slope = (kb_cp_R(s, T + d) - kb_cp_R(s, T)) * d;
            assert_true(fabs(slope - (kb_cp_R(s, T) - kb_cp_R(s, end)) / (30 * d)) < 1e-12);
            double dh = (kb_h_RT(s, T + d) * (T + d) - kb_h_RT(s, T - d) * (T - d)) / (2 * d);
            double ds = (kb_s_R(s, T + d / 64) - kb_s_R(s, T - d / 64)) * 32 / d;
            assert_true(fabs(dh - kb_cp_R(s, T)) < 1e-6 * kb_cp_R(s, T));
            assert_true(fabs(T * ds - kb_cp_R(s, T)) < 1e-6 * kb_cp_R(s, T));
            for (T = KB_T_LEAST; T <= KB_T_MOST; T += 50)
                assert_true((T >= s->Tlow && T <= s->Thigh) || kb_cp_R(s, T) >= 2);
        }
        kb_mech_free(&m);
    }
}

/* cp/R = a + b T: the line goes on where cp is still 2 R at its end, else it is level */
TEST(lines_that_fall_below_2_R_are_level)
{
    static const struct {
        double a, b, cold, hot; /* cp/R at KB_T_LEAST and KB_T_MOST */
    } cases[] = {{3.5, 1e-3, 3.55, 13.5}, {1.94, 1e-3, 2.24, 11.94}, {1.96, 1e-3, 2.01, 11.96},
                 {3.1, -1e-4, 3.095, 2.1}, {2.9, -1e-4, 2.895, 2.6}};

    for (int k = 0; k < 5; k++) {
        double a = cases[k].a, b = cases[k].b;
        kb_species s = {.model = KB_NASA7, .Tlow = 300, .Tmid = 1000, .Thigh = 3000,
                        .lo = {a, b}, .hi = {a, b}};
        assert_true(fabs(kb_cp_R(&s, KB_T_LEAST) - cases[k].cold) < 1e-12);
        assert_true(fabs(kb_cp_R(&s, KB_T_MOST) - cases[k].hot) < 1e-12);
    }
}

/* At 6000 K the polynomials of GRI-Mech, which end at 3500 K, are off by 30 to 90 %. cp/R of NIST
 * (NASA TP-2002-211556) */
TEST(hot_gas_is_near_NIST)
{
    static const struct {
        const char *name;
        double cp;
    } at6000[] = {{"H2", 5.06}, {"O2", 5.28}, {"OH", 4.85}, {"H2O", 7.53}, {"HO2", 7.43},
                  {"CO", 4.61}, {"CO2", 8.00}, {"CH4", 15.5}, {"N2", 4.61}};
    kb_mech m = read_mech(DATASETS "gri30.yaml");

    for (size_t i = 0; i < sizeof at6000 / sizeof *at6000; i++) {
        int k = kb_find_species(&m, at6000[i].name);
        assert_true(fabs(kb_cp_R(&m.species[k], 6000) / at6000[i].cp - 1) < 0.06);
    }
    kb_mech_free(&m);
}

/* A mixture with a gap at 1000 K. lift: h/R of O2 above 1000 K is larger by it [K] */
static kb_mech with_gap(double lift, double *Y)
{
    kb_mech m = read_mech(DATASETS "h2co.yaml");
    int k = kb_find_species(&m, "O2");
    kb_species *s = &m.species[k];
    double T = s->Tmid;

    assert_true(T == 1000 && s->model == KB_NASA7);
    double below = kb_h_RT(s, T) * T, above = nextafter(T, 2 * T);
    s->hi[5] += below - kb_h_RT(s, above) * above + lift;
    for (int i = 0; i < m.nspecies; i++)
        Y[i] = i == k ? 0.3 : 0.7 / (m.nspecies - 1);
    return m;
}

/* Energies swept over the gap, from any T0: T is Tmid inside of it, and the same as before
 * elsewhere */
TEST(gap_gives_Tmid)
{
    static const double lifts[] = {1e-6, 1e-4, 1e-2, 0};
    double Y[64];

    for (int i = 0; i < 4; i++) {
        kb_mech m = with_gap(lifts[i], Y);
        double above = nextafter(1000, 2000);
        double h[2] = {kb_mix_h(&m, 1000, Y), kb_mix_h(&m, above, Y)};
        double u[2] = {kb_mix_u(&m, 1000, Y), kb_mix_u(&m, above, Y)};
        for (int k = 1; k < 10 && lifts[i] > 0; k++)
            for (double T0 = 300; T0 < 3000; T0 += 233.3) {
                double at = 0.1 * k;
                assert_true(kb_T_from_h(&m, h[0] + at * (h[1] - h[0]), Y, T0) == 1000);
                assert_true(kb_T_from_u(&m, u[0] + at * (u[1] - u[0]), Y, T0) == 1000);
            }
        for (double T = 1000 - 1e-3; T < 1000 + 1e-3; T += 1.7e-5) {
            assert_true(fabs(kb_T_from_h(&m, kb_mix_h(&m, T, Y), Y, T + 1e-3) - T) < 1e-9);
            assert_true(fabs(kb_T_from_u(&m, kb_mix_u(&m, T, Y), Y, 2000) - T) < 1e-9);
        }
        kb_mech_free(&m);
    }
}

TESTS(NULL, NULL)
