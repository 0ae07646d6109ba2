/* SPDX-License-Identifier: MIT */
#include "tests/test.h"
#include "mech/thermo/equilibrium.h"
#include "mech/thermo/gibbs.h"
#include "tests/unit/reference.h"

static int setup(void **state)
{
    kb_mech *m = kb_alloc(1, sizeof *m);

    *m = read_mech(DATASETS "gri30.yaml");
    *state = m;
    return 0;
}

static int teardown(void **state)
{
    kb_mech_free(*state);
    free(*state);
    return 0;
}

/* adds amount x ("O2:1;N2:3.76") to X */
static void add(const kb_mech *m, double *X, const char *mixture, double amount)
{
    char *copy = kb_strdup(mixture), *save;

    for (char *s = strtok_r(copy, ";", &save); s; s = strtok_r(NULL, ";", &save)) {
        char *colon = strchr(s, ':');

        if (colon)
            *colon = '\0';
        int k = kb_find_species(m, s);
        assert_true(k >= 0);
        X[k] += amount * (colon ? strtod(colon + 1, NULL) : 1);
    }
    free(copy);
}

/* Y of fuel and oxidiser (one O2 in it) at phi; O2 needed: C + H/4 - O/2 */
static void mix(const kb_mech *m, const char *fuel, const char *oxidiser, double phi, double *Y)
{
    const kb_species *f = &m->species[kb_find_species(m, fuel)];
    double need = f->atoms[kb_find_element(m, "C")] + f->atoms[kb_find_element(m, "H")] / 4 -
                  f->atoms[kb_find_element(m, "O")] / 2;

    memset(Y, 0, (size_t)m->nspecies * sizeof *Y);
    add(m, Y, fuel, phi);
    add(m, Y, oxidiser, need);
    kb_X_to_Y(m, Y, Y);
}

/* kmol of the elements per kg [nelements] */
static void count_elements(const kb_mech *m, const double *Y, double *b)
{
    for (int e = 0; e < m->nelements; e++) {
        b[e] = 0;
        for (int k = 0; k < m->nspecies; k++)
            b[e] += m->species[k].atoms[e] * Y[k] / m->species[k].weight;
    }
}

static kb_fixed fixed_of(const char *name)
{
    return !strcmp(name, "TP") ? KB_FIXED_TP : !strcmp(name, "HP") ? KB_FIXED_HP : KB_FIXED_UV;
}

static void check_case(const kb_mech *m, const table *t, double *Y)
{
    static const char *major[] = {"H2O", "CO2", "CO", "H2", "OH", "NO"};
    double phi = number(t, 3), T = number(t, 4), p = KB_ATM * number(t, 5);
    double before[KB_MAX_ELEMENTS], after[KB_MAX_ELEMENTS];
    kb_error err = {0};

    mix(m, t->fields[1], t->fields[2], phi, Y);
    count_elements(m, Y, before);
    if (kb_equilibrate(m, fixed_of(t->fields[0]), &T, &p, Y, &err))
        fail_msg("%s %s phi %g: %s", t->fields[0], t->fields[1], phi, err.text);
    count_elements(m, Y, after);
    if (!(fabs(T - number(t, 6)) <= 1e-3) || !(fabs(p / number(t, 7) - 1) <= 1e-6))
        fail_msg("%s %s phi %g from %s K: T = %.9g K, p = %.9g Pa; Cantera has %s, %s",
                 t->fields[0], t->fields[1], phi, t->fields[4], T, p, t->fields[6], t->fields[7]);
    for (int i = 0; i < 6; i++)
        assert_true(fabs(Y[kb_find_species(m, major[i])] - number(t, 8 + i)) <= 1e-7);
    for (int e = 0; e < m->nelements; e++)
        assert_true(fabs(after[e] - before[e]) <= 1e-12 * before[e]);
}

TEST(cases_match_cantera)
{
    kb_mech m = read_mech(DATASETS "gri30.yaml");
    kb_owned double *Y = kb_alloc((size_t)m.nspecies, sizeof(double));
    table t = open_table("equilibrium_gri30.csv");
    int lines = 0;

    without_ends(&m);
    for (; next_line(&t); lines++)
        check_case(&m, &t, Y);
    assert_true(lines > 150);
    kb_mech_free(&m);
}

static void converges(const kb_mech *m, kb_fixed fixed, double T, double p, double *Y)
{
    double b0[KB_MAX_ELEMENTS], b1[KB_MAX_ELEMENTS], T0 = T, p0 = p;
    double h = kb_mix_h(m, T, Y), u = kb_mix_u(m, T, Y), rho = kb_density(m, T, p, Y);

    count_elements(m, Y, b0);
    assert_works(kb_equilibrate(m, fixed, &T, &p, Y, &err));
    count_elements(m, Y, b1);
    for (int e = 0; e < m->nelements; e++)
        assert_true(fabs(b1[e] - b0[e]) <= 1e-12 * b0[e]);
    double small = 1e-8 * kb_mix_cp(m, T, Y) * T;
    if (fixed == KB_FIXED_TP)
        assert_true(T == T0 && p == p0);
    if (fixed == KB_FIXED_HP)
        assert_true(p == p0 && fabs(kb_mix_h(m, T, Y) - h) <= small);
    if (fixed == KB_FIXED_UV) {
        assert_true(fabs(kb_mix_u(m, T, Y) - u) <= small);
        assert_true(fabs(kb_density(m, T, p, Y) / rho - 1) <= 1e-10);
    }
}

/* Mixtures of one to four species, equal parts or spread over decades: any species at a given T;
 * stable ones for h and u, so that the end lies within the thermo data. */
TEST(random_mixtures_converge)
{
    static const char *stable[] = {"H2", "O2", "H2O", "CH4", "CO", "CO2", "N2", "AR", "C3H8", "NO"};
    const kb_mech *m = *state;
    kb_owned double *Y = kb_alloc((size_t)m->nspecies, sizeof(double));
    uint64_t random = 9;

    for (int i = 0; i < 1500; i++) {
        kb_fixed fixed = (kb_fixed)(3 * uniform(&random));
        double T = 300 + (fixed == KB_FIXED_TP ? 3700 : 2700) * uniform(&random);
        double p = KB_ATM * 0.01 * pow(1e5, uniform(&random));

        memset(Y, 0, (size_t)m->nspecies * sizeof *Y);
        for (int j = 0; j < 1 + i % 4; j++) {
            int k = (int)(m->nspecies * uniform(&random));

            if (fixed != KB_FIXED_TP)
                k = kb_find_species(m, stable[k % 10]);
            Y[k] += i % 2 ? 1 : pow(uniform(&random), 9);
        }
        kb_X_to_Y(m, Y, Y);
        converges(m, fixed, T, p, Y);
    }
}

/* Only argon: nothing to do. Pure water at 300 K: traces far below rounding are no noise. */
TEST(special_mixtures)
{
    const kb_mech *m = *state;
    double *Y = kb_alloc((size_t)m->nspecies, sizeof(double)), T = 900, p = 1e6;
    int AR = kb_find_species(m, "AR"), H2O = kb_find_species(m, "H2O");
    int H2 = kb_find_species(m, "H2"), O2 = kb_find_species(m, "O2"), N2 = kb_find_species(m, "N2");

    Y[AR] = 1;
    assert_int_equal(kb_equilibrate(m, KB_FIXED_UV, &T, &p, Y, NULL), KB_OK);
    assert_true(fabs(T - 900) < 1e-6 && fabs(p / 1e6 - 1) < 1e-9 && fabs(Y[AR] - 1) < 1e-14);
    T = 300;
    p = KB_ATM;
    memset(Y, 0, (size_t)m->nspecies * sizeof *Y);
    Y[H2O] = 1;
    assert_int_equal(kb_equilibrate(m, KB_FIXED_TP, &T, &p, Y, NULL), KB_OK);
    double x_H2 = Y[H2] / m->species[H2].weight, x_O2 = Y[O2] / m->species[O2].weight;
    assert_true(fabs(x_H2 / (2 * x_O2) - 1) < 1e-6); /* 2 H2O = 2 H2 + O2 is all there is */
    assert_true(x_H2 > 0 && x_H2 < 1e-25);
    assert_true(Y[N2] == 0 && Y[AR] == 0); /* elements that are not there */
    memset(Y, 0, (size_t)m->nspecies * sizeof *Y);
    Y[H2] = 2;
    Y[O2] = 1 + 1e-9; /* a true excess, though small, is none of the rounding that is cut off */
    kb_X_to_Y(m, Y, Y);
    assert_int_equal(kb_equilibrate(m, KB_FIXED_TP, &T, &p, Y, NULL), KB_OK);
    double excess = Y[O2] / m->species[O2].weight / (Y[H2O] / m->species[H2O].weight);
    assert_true(fabs(excess / 0.5e-9 - 1) < 1e-5);
    free(Y);
}

/* the slope along equilibrium, at constant p and at constant V, against a difference of energies */
TEST(slope_of_the_energy)
{
    const kb_mech *m = *state;
    double *Y = kb_alloc((size_t)m->nspecies, sizeof(double)), h = 0.25;

    mix(m, "CH4", "O2:1;N2:3.76", 1.2, Y);
    for (int i = 0; i < 6; i++) {
        double T = 1600 + 700 * (i / 2), energy[3], slope, unused;
        kb_gibbs x;

        kb_gibbs_make(&x, m, Y);
        x.constant_v = i % 2;
        x.p = 3 * KB_ATM;
        x.V = 1 / kb_density(m, T, x.p, Y);
        for (int side = -1; side <= 1; side++) {
            x.T = T + side * h;
            assert_true(kb_gibbs_solve(&x));
            energy[side + 1] = kb_gibbs_energy(&x, side ? &unused : &slope);
        }
        double difference = (energy[2] - energy[0]) / (2 * h);
        if (!(fabs(slope / difference - 1) <= 1e-6))
            fail_msg("%g K: %.9g, difference %.9g", T, slope, difference);
        kb_gibbs_free(&x);
    }
    free(Y);
}

/* of as many elements as a mechanism can have, each of which has an atom and a molecule of two */
TEST(sixteen_elements)
{
    kb_species species[2 * KB_MAX_ELEMENTS] = {0};
    kb_mech m = {.species = species, .nspecies = 2 * KB_MAX_ELEMENTS,
                 .nelements = KB_MAX_ELEMENTS};
    double Y[2 * KB_MAX_ELEMENTS], T = 2000, p = KB_ATM;

    for (int k = 0; k < m.nspecies; k++) {
        kb_species *s = &species[k];
        int e = k / 2, atoms = 1 + k % 2;

        s->atoms[e] = atoms;
        s->weight = atoms * (1 + e);
        s->Tlow = 200, s->Tmid = 1000, s->Thigh = 6000;
        s->p_ref = KB_ATM;
        s->lo[0] = s->hi[0] = atoms == 1 ? 2.5 : 3.5;
        s->lo[5] = s->hi[5] = atoms == 1 ? 20000 : 0;
        Y[k] = 1.0 / m.nspecies;
    }
    assert_works(kb_equilibrate(&m, KB_FIXED_TP, &T, &p, Y, &err));
    double N = 0;
    for (int k = 0; k < m.nspecies; k++)
        N += Y[k] / species[k].weight;
    for (int e = 0; e < KB_MAX_ELEMENTS; e++) { /* 2 A = A2 at 1 atm */
        double x = Y[2 * e] / species[2 * e].weight / N;
        double x2 = Y[2 * e + 1] / species[2 * e + 1].weight / N;
        double K = exp(2 * kb_g_RT(&species[2 * e], T) - kb_g_RT(&species[2 * e + 1], T));
        assert_true(fabs(x2 / (x * x) / K - 1) < 1e-9);
        assert_true(fabs((Y[2 * e] + Y[2 * e + 1]) * m.nspecies / 2 - 1) < 1e-12);
    }
}

/* any state, however far out: solved with the elements that it had, or refused */
TEST(far_states_end)
{
    const kb_mech *m = *state;
    kb_owned double *Y = kb_alloc((size_t)m->nspecies, sizeof(double));
    double before[KB_MAX_ELEMENTS], after[KB_MAX_ELEMENTS];
    uint64_t random = 3;
    int solved = 0;

    for (int i = 0; i < 300; i++) {
        double T = 60 * pow(300, uniform(&random)), p = pow(10, 600 * uniform(&random) - 300);
        kb_error err = {0};

        for (int k = 0; k < m->nspecies; k++)
            Y[k] = pow(10, -300 * uniform(&random));
        count_elements(m, Y, before);
        double most = 0;
        for (int e = 0; e < m->nelements; e++)
            most = larger(most, before[e]);
        if (kb_equilibrate(m, (kb_fixed)(i % 3), &T, &p, Y, &err)) {
            assert_non_null(strstr(err.text, "equilibrium"));
            continue;
        }
        solved++;
        assert_true(isfinite(T) && isfinite(p));
        count_elements(m, Y, after);
        for (int e = 0; e < m->nelements; e++)
            assert_true(fabs(after[e] - before[e]) <= 1e-9 * before[e] + 1e-16 * most);
    }
    assert_true(solved > 10);
}

TEST(failure_leaves_the_state)
{
    const kb_mech *m = *state;
    kb_owned double *Y = kb_alloc((size_t)m->nspecies, sizeof(double));
    double bad[][2] = {{NAN, 1e5}, {-5, 1e5}, {1000, 0}, {1000, INFINITY}};
    kb_error err;

    Y[0] = 1;
    for (int i = 0; i < 4; i++) {
        double T = bad[i][0], p = bad[i][1];

        assert_int_equal(kb_equilibrate(m, KB_FIXED_HP, &T, &p, Y, &err), KB_INVALID);
        assert_true(Y[0] == 1 && Y[1] == 0 && (T == bad[i][0] || isnan(T)) && p == bad[i][1]);
        assert_non_null(strstr(err.text, "equilibrium"));
    }
    double T = 1000, p = 1e5;
    Y[3] = NAN;
    assert_int_equal(kb_equilibrate(m, KB_FIXED_TP, &T, &p, Y, &err), KB_INVALID);
    Y[0] = Y[3] = 0;
    assert_int_equal(kb_equilibrate(m, KB_FIXED_TP, &T, &p, Y, &err), KB_INVALID);
}

/* at a limit and beyond it a state is refused and stays; the next number inside is not */
TEST(impossible_states)
{
    static const struct { double T, p, Y; int code; } list[] = {
        {50, 1e5, 1, KB_INVALID},      {10000, 1e5, 1, KB_INVALID},  {NAN, 1e5, 1, KB_INVALID},
        {1000, 0, 1, KB_INVALID},      {1000, -1, 1, KB_INVALID},
        {1000, INFINITY, 1, KB_INVALID}, {1000, 1e5, INFINITY, KB_INVALID},
        {1000, 1e5, 0, KB_INVALID},    {1000, 1e5, NAN, KB_INVALID},
        {1000, 1e5, -1, KB_INVALID},   {1000, 1e-3, 1, KB_OK},       {1000, 1e5, 1e-3, KB_OK},
        {50.000000000000007, 1e5, 1, KB_OK}, {9999.9999999999982, 1e5, 1, KB_OK}};
    const kb_mech *m = *state;
    double *Y = kb_alloc((size_t)m->nspecies, sizeof *Y);
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        kb_error err = {0};
        double T = list[k].T, p = list[k].p;
        memset(Y, 0, (size_t)m->nspecies * sizeof *Y);
        Y[kb_find_species(m, "AR")] = list[k].Y;
        assert_int_equal(kb_equilibrate(m, KB_FIXED_TP, &T, &p, Y, &err), list[k].code);
        kb_owned char *text = kb_format(
            "equilibrium: impossible state T = %g K, p = %g Pa, sum of Y = %g", list[k].T,
            list[k].p, list[k].Y);
        assert_string_equal(err.text, list[k].code ? text : "");
    }
    free(Y);
}

TESTS(setup, teardown)
