/* SPDX-License-Identifier: MIT */
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

    for (; next_line(&t); lines++) {
        int k = kb_find_species(&m, t.fields[0]);
        double T = number(&t, 1);

        assert_true(k >= 0);
        const kb_species *s = &m.species[k];
        double worst = fmax(off(kb_cp_R(s, T), number(&t, 2)), off(kb_h_RT(s, T), number(&t, 3)));
        worst = fmax(worst, off(kb_s_R(s, T), number(&t, 4)));
        if (worst > 1e-12)
            fail_msg("%s at %g K: off by %g", s->name, T, worst);
    }
    assert_int_equal(lines, 7 * m.nspecies);
    kb_mech_free(&m);
}

static void species_match_cantera(void **state)
{
    (void)state;
    match_cantera(DATASETS "gri30.yaml", "thermo_gri30.csv");
}

static void other_models_match_cantera(void **state)
{
    (void)state;
    match_cantera("tests/data/cantera_types.yaml", "thermo_cantera_types.csv");
}

/* cp = dh/dT = T ds/dT, by central differences within a range */
static void derivatives_agree(void **state)
{
    kb_mech m = read_mech(DATASETS "gri30.yaml");
    (void)state;

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

static void mixture_of_air(void **state)
{
    kb_mech m = read_mech(DATASETS "gri30.yaml");
    double *X = kb_alloc((size_t)m.nspecies, sizeof(double));
    double *Y = kb_alloc((size_t)m.nspecies, sizeof(double));
    double W_O2 = 31.998, W_N2 = 28.014;
    (void)state;

    X[kb_find_species(&m, "O2")] = 1;
    X[kb_find_species(&m, "N2")] = 3.76;
    kb_X_to_Y(&m, X, Y);
    double W = (W_O2 + 3.76 * W_N2) / 4.76;
    assert_true(fabs(kb_mean_weight(&m, Y) / W - 1) < 1e-12);
    assert_true(fabs(Y[kb_find_species(&m, "O2")] - W_O2 / 4.76 / W) < 1e-12);
    assert_true(fabs(kb_density(&m, 300, KB_ATM, Y) / (KB_ATM * W / (KB_R * 300)) - 1) < 1e-12);
    assert_true(fabs(kb_mix_cp(&m, 300, Y) - 1010) < 10); /* air: 1.01 kJ/(kg K) */
    assert_true(fabs(kb_mix_h(&m, 300, Y) - kb_mix_u(&m, 300, Y) - KB_R * 300 / W) < 1e-6);
    free(X);
    free(Y);
    kb_mech_free(&m);
}

static void temperature_is_found_again(void **state)
{
    kb_mech m = read_mech(DATASETS "h2co.yaml");
    double *Y = kb_alloc((size_t)m.nspecies, sizeof(double));
    uint64_t random = 7;
    (void)state;

    for (int i = 0; i < 300; i++) {
        double T, p, T0 = 100 + 5000 * uniform(&random);

        draw(&random, m.nspecies, &T, &p, Y);
        kb_X_to_Y(&m, Y, Y);
        if (fabs(T - 1000) < 5) /* h may jump at Tmid */
            continue;
        assert_true(fabs(kb_T_from_h(&m, kb_mix_h(&m, T, Y), Y, T0) - T) < 1e-8 * T);
        assert_true(fabs(kb_T_from_u(&m, kb_mix_u(&m, T, Y), Y, T0) - T) < 1e-8 * T);
    }
    assert_true(isnan(kb_T_from_h(&m, 1e12, Y, 1000)));
    assert_true(isnan(kb_T_from_u(&m, -1e12, Y, 1000)));
    assert_true(isnan(kb_T_from_h(&m, NAN, Y, 1000)));
    free(Y);
    kb_mech_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(species_match_cantera),
        cmocka_unit_test(other_models_match_cantera),
        cmocka_unit_test(derivatives_agree),
        cmocka_unit_test(mixture_of_air),
        cmocka_unit_test(temperature_is_found_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
