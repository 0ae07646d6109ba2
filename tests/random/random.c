/* SPDX-License-Identifier: MIT
 *
 * A made-up mechanism (mechanism.c): the rates and Jacobians of both CPU engines against mech/'s
 * own, the rates and Jacobians against mech/ in long double (reference.c), the same from other
 * units, and the energies of the flow solver against mech/'s.
 * RANDOM_YAML, RANDOM_SI: its files in cm, mol, cal and in m, kmol, J; compiled for its tables.
 */
#include "tests/test.h"
#include "tests/unit/evaluation.h"

#include "flow/gas/nasa.h" /* before the tables, which use its names */
#include "flow/engines/engine.h"
#include "mech/thermo/thermo.h"
#include "solvers/portable/lane.h"
#include "constants.h"

extern const kb_flow_engine kb_flow_random;
int kb_evaluate_scalar(const kb_evaluation *e), kb_evaluate_simd(const kb_evaluation *e);

static int evaluate_one(const kb_solvers *self, const char *engine, const kb_evaluation *e,
                        kb_error *err)
{
    (void)self, (void)err;
    return strcmp(engine, engines[0]) == 0 ? kb_evaluate_scalar(e) : kb_evaluate_simd(e);
}

TEST(engines_agree_with_mech)
{
    const kb_solvers s = {.evaluate = evaluate_one};
    /* without the LU: it has no pivoting, and no mechanism of nature is as stiff as these */
    check_solvers(RANDOM_YAML, &s, RANDOM_YAML, NULL, 61, 25, 1, 0);
}

/* T, p and C of the states of a, one a line */
static void write_states(const sample *a, const char *path)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; i < a->n; i++) {
        const double *y = a->y + i * a->ny;
        double rho = a->p[i] / (KB_R * y[0] * moles(a, y));
        fprintf(f, "%.17g %.17g", y[0], a->p[i]);
        for (int k = 0; k < a->m.nspecies; k++)
            fprintf(f, " %.17g", rho * y[k + 1] / a->m.species[k].weight);
        fprintf(f, "\n");
    }
    fclose(f);
}

/* worst error of wdot [n x nsp] against the numbers of f, relative to what makes and uses a
 * species */
static double against(sample *a, FILE *f, const double *wdot)
{
    double worst = 0, right, dy[64], size[64];
    for (int i = 0; i < a->n; i++) {
        const double *y = a->y + i * a->ny;
        slopes(a, KB_CONST_P, y, a->p[i], dy, size);
        for (int k = 0; k < a->m.nspecies; k++) {
            assert_int_equal(fscanf(f, "%lf", &right), 1);
            worst = larger(worst, fabs(wdot[i * a->m.nspecies + k] - right) / a->size[k]);
        }
    }
    return worst;
}

TEST(long_double_agrees)
{
    static const char states[] = RANDOM_YAML ".states";
    const kb_solvers s = {.evaluate = evaluate_one};
    sample a = make_sample(RANDOM_YAML, &s, RANDOM_YAML, NULL, 61, 1);
    write_states(&a, states);
    for (int g = 0; g < 2; g++) {
        kb_evaluation e = evaluate(&a, engines[g], KB_CONST_P, 0, 0);
        FILE *f = popen(RANDOM_REFERENCE " " RANDOM_YAML " " RANDOM_YAML ".states", "r");
        assert_non_null(f);
        double worst = against(&a, f, e.wdot);
        print_message("%s, %s against long double: %.1e\n", a.name, engines[g], worst);
        assert_int_equal(pclose(f), 0);
        assert_true(worst <= 1e-12);
        release(&e);
    }
    remove(states);
    free_sample(&a);
}

/* worst error of J, row major, against the columns of f, relative to the largest entry of its row,
 * all times natural sizes */
static double jacobian_against(const sample *a, int state, FILE *f, const double *J)
{
    int ny = a->ny;
    const double *y = a->y + state * ny;
    double sigma = moles(a, y), worst = 0, right[64 * 64], row[64] = {0};
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < ny; i++) {
            double *r = &right[j * ny + i];
            assert_int_equal(fscanf(f, "%lf", r), 1);
            *r *= j ? a->m.species[j - 1].weight * sigma : y[0];
            row[i] = fmax(row[i], fabs(*r));
        }
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < ny; i++) {
            double own = J[i * ny + j] * (j ? a->m.species[j - 1].weight * sigma : y[0]);
            worst = larger(worst, fabs(own - right[j * ny + i]) / (row[i] + 1e-200));
        }
    return worst;
}

TEST(jacobian_is_exact)
{
    static const char states[] = RANDOM_YAML ".states";
    const kb_solvers s = {.evaluate = evaluate_one};
    sample a = make_sample(RANDOM_YAML, &s, RANDOM_YAML, NULL, 61, 1);
    assert_true(a.ny <= 64);
    write_states(&a, states);
    for (int g = 0; g < 2; g++) {
        kb_evaluation e = evaluate(&a, engines[g], KB_CONST_P, 1, 0);
        FILE *f = popen(RANDOM_REFERENCE " " RANDOM_YAML " " RANDOM_YAML ".states jacobian", "r");
        double worst = 0;
        assert_non_null(f);
        for (int i = 0; i < a.n; i++)
            worst = larger(worst, jacobian_against(&a, i, f, e.J + (size_t)i * a.ny * a.ny));
        print_message("%s, %s Jacobian against long double: %.1e\n", a.name, engines[g], worst);
        assert_int_equal(pclose(f), 0);
        assert_true(worst <= 3e-12);
        release(&e);
    }
    remove(states);
    free_sample(&a);
}

/* kf, kr of both files, which differ by the rounding of their numbers */
TEST(units_scale)
{
    kb_mech m = read_mech(RANDOM_YAML), si = read_mech(RANDOM_SI);
    uint64_t random = 2;
    size_t nrx = (size_t)m.nreactions;
    double *C = kb_alloc((size_t)m.nspecies, sizeof *C), *k = kb_alloc(4 * nrx, sizeof *k), T, p;
    double worst = 0;
    assert_int_equal(m.nreactions, si.nreactions);
    for (int i = 0; i < 40; i++) {
        draw_C(&random, m.nspecies, &T, &p, C);
        kb_mech_rates(&m, T, p, C, k, k + nrx, NULL, NULL);
        kb_mech_rates(&si, T, p, C, k + 2 * nrx, k + 3 * nrx, NULL, NULL);
        for (size_t r = 0; r < 2 * nrx; r++)
            worst = larger(worst, fabs(k[r] - k[2 * nrx + r]) / (fabs(k[r]) + 1e-290));
    }
    print_message("%s, in other units: %.1e\n", RANDOM_YAML, worst);
    assert_true(worst <= 1e-12);
    free(C);
    free(k);
    kb_mech_free(&m);
    kb_mech_free(&si);
}

TEST(flow_has_the_energies)
{
    const kb_solvers s = {.evaluate = evaluate_one};
    sample a = make_sample(RANDOM_YAML, &s, RANDOM_YAML, NULL, 61, 0);
    double rho[64], worst = 0;
    kb_flow_gas none = {0};
    assert_int_equal(kb_flow_random.nsp, a.m.nspecies);
    for (int i = 0; i < a.n; i++) {
        const double *y = a.y + i * a.ny;
        double T = fmax(y[0], 300), density = kb_density(&a.m, T, a.p[i], y + 1);
        for (int k = 0; k < a.m.nspecies; k++)
            rho[k] = density * y[k + 1];
        double u = kb_mix_u(&a.m, T, y + 1), scale = kb_mix_cp(&a.m, T, y + 1) * T;
        double e = kb_flow_random.energy(&none, rho, a.p[i]) / density;
        worst = larger(worst, fabs(e - u) / scale);
    }
    print_message("%s, energy of the flow: %.1e\n", RANDOM_YAML, worst);
    assert_true(worst <= 1e-12);
    free_sample(&a);
}

/* errors of T, p, c^2 and energies of the gas of the flow, of mass fractions Y at T0; where the
 * polynomials overlap, the energy of T0 has a second T */
static void check_gas(const kb_mech *m, double T0, double density, const double *Y, double e[6])
{
    const kb_flow_gas none = {0};
    lane rho[NSP], T = fmin(1.3 * T0, 9000), p, c2, energy, c2_again;
    double u = kb_mix_u(m, T0, Y), R = KB_R / kb_mean_weight(m, Y), cp, size;
    for (int k = 0; k < NSP; k++)
        rho[k] = density * Y[k];
    gas_state(&none, rho, 1 / density, density * u, &p, &c2, &T);
    gas_energy(&none, rho, 1 / density, density * R * T, &energy, &c2_again);
    cp = kb_mix_cp(m, T, Y);
    size = cp * T;
    e[0] = (kb_mix_u(m, T, Y) - u) / size;
    e[1] = p / (density * R * T) - 1;
    e[2] = c2 / (cp / (cp - R) * R * T) - 1;
    e[3] = c2_again / c2 - 1;
    e[4] = (energy / density - u) / size;
    e[5] = (gas_least_energy(&none, rho) / density - kb_mix_u(m, GAS_COLDEST, Y)) / size;
}

/* each species nearly alone, and mixtures, at T below, between and above the limits of the data */
TEST(flow_has_the_gas)
{
    const kb_solvers s = {.evaluate = evaluate_one};
    sample a = make_sample(RANDOM_YAML, &s, RANDOM_YAML, NULL, 61, 0);
    double Y[NSP], e[6], worst = 0;
    for (int i = 0; i < 400; i++) {
        double sum = 0;
        for (int k = 0; k < NSP; k++)
            sum += Y[k] = i % 3 ? a.y[i % a.n * a.ny + 1 + k] + 1e-3 : k == i / 3 % NSP ? 1 : 1e-9;
        for (int k = 0; k < NSP; k++)
            Y[k] /= sum;
        check_gas(&a.m, 80 * pow(100, i / 400.0), 0.5 + i % 7, Y, e);
        for (int k = 0; k < 6; k++)
            worst = larger(worst, fabs(e[k]));
    }
    print_message("%s, gas of the flow: %.1e\n", RANDOM_YAML, worst);
    assert_true(worst <= 1e-9);
    free_sample(&a);
}

TESTS(NULL, NULL)
