/* SPDX-License-Identifier: MIT
 *
 * Flamelet databases: scalar dissipation, diffusion step, start, and short runs of H2 in air.
 */
#include "tests/test.h"
#include "mech/thermo/equilibrium.h"
#include "pasr/generators/common/diffusion.h"
#include "pasr/generators/common/streams.h"
#include "pasr/generators/flamelet.h"
#include "tests/unit/h2_case.h"

#define PI 3.14159265358979323846

/* ---- scalar dissipation ---- */

TEST(test_erfc_inverse)
{
    for (double y = 1e-14; y < 2; y += y < 0.01 ? y : 0.01) {
        double x = kb_erfc_inverse(y);
        /* the rounding of x or (y near 2) of y itself */
        assert_true(fabs(erfc(x) - y) <= 1e-15 + 4e-16 * y * (1 + 2 * x * x));
    }
    assert_true(kb_erfc_inverse(1) == 0);
    /* by scipy.special.erfcinv */
    assert_true(fabs(kb_erfc_inverse(0.1) - 1.1630871536766743) < 1e-15);
    assert_true(kb_erfc_inverse(1.9) == -kb_erfc_inverse(2 - 1.9));
}

TEST(test_scalar_dissipation)
{
    /* Peters' profile: s/pi at z = 1/2, symmetric; 400/pi exp(-2 1.16308715^2) at z = 0.05 */
    assert_true(fabs(kb_scalar_dissipation(400, 0.5) - 400 / PI) < 1e-12);
    assert_true(fabs(kb_scalar_dissipation(400, 0.05) - 8.5095682525) < 1e-9);
    for (double z = 0.01; z < 0.5; z += 0.01) {
        double a = kb_scalar_dissipation(400, z), b = kb_scalar_dissipation(400, 1 - z);
        assert_true(fabs(a - b) < 1e-12 * a);
        assert_true(a < kb_scalar_dissipation(400, z + 0.01));
    }
    assert_true(kb_scalar_dissipation(400, 1e-7) > 0);
}

/* ---- diffusion ---- */

/* largest error at n points of the step whose exact result is sin(3 z): y - D y'' = (1 + 9 D) y */
static double diffusion_error(int n, double D)
{
    kb_owned double *y = kb_alloc(n, sizeof *y), *rate = kb_alloc(n, sizeof *y);
    double *work = kb_alloc(n, sizeof *y), worst = 0, dz = 1.0 / (n + 1), left = 0;
    double right = sin(3);
    for (int i = 0; i < n; i++) {
        rate[i] = D / (dz * dz);
        y[i] = (1 + 9 * D) * sin(3 * (i + 1) * dz);
    }
    kb_diffuse(n, rate, rate, &left, &right, y, 1, work);
    for (int i = 0; i < n; i++)
        worst = larger(worst, fabs(y[i] - sin(3 * (i + 1) * dz)));
    free(work);
    return worst;
}

TEST(test_diffusion_is_second_order)
{
    for (double D = 1e-3; D < 20; D *= 10) {
        double order = log2(diffusion_error(31, D) / diffusion_error(63, D));
        assert_true(order > 1.9 && order < 2.1);
    }
}

TEST(test_diffusion_keeps_a_uniform_line)
{
    double y[300], a[100], work[100], left[3] = {1, 0.3, 7}, right[3] = {1, 0.3, 7};
    for (int i = 0; i < 100; i++) {
        a[i] = pow(10, i % 13 - 4);
        memcpy(y + 3 * i, left, sizeof left);
    }
    kb_diffuse(100, a, a, left, right, y, 3, work);
    for (int i = 0; i < 300; i++)
        assert_true(fabs(y[i] - left[i % 3]) < 1e-13 * left[i % 3]);
}

TEST(test_diffusion_without_flux_conserves)
{
    double y[200], a[100], b[100], work[100], sum[2] = {0}, after[2] = {0}, rough = 0;
    for (int i = 0; i < 100; i++) {
        y[2 * i] = i % 7;
        y[2 * i + 1] = i > 50;
        sum[0] += y[2 * i];
        sum[1] += y[2 * i + 1];
        b[i] = 3 + i % 5;
    }
    for (int i = 0; i < 100; i++)
        a[i] = i ? b[i - 1] : 99; /* one coefficient for each face; a[0] must not count */
    kb_diffuse(100, a, b, NULL, NULL, y, 2, work);
    for (int i = 0; i < 100; i++) {
        after[0] += y[2 * i];
        after[1] += y[2 * i + 1];
        rough = larger(rough, y[2 * i]);
    }
    assert_true(fabs(after[0] - sum[0]) < 1e-12 * sum[0]);
    assert_true(fabs(after[1] - sum[1]) < 1e-12 * sum[1]);
    assert_true(rough < 5); /* from 6 */
}

/* ---- the flamelet ---- */

static kb_flamelet h2_recipe(void)
{
    kb_flamelet r;
    kb_flamelet_defaults(&r);
    free(r.mech);
    free(r.fuel);
    r.mech = kb_strdup("h2");
    r.fuel = kb_strdup("H2:1");
    r.points = 40;
    return r;
}

static double hydrogen(const double *Y) /* mass fraction of the element */
{
    int H = kb_find_element(&mech, "H");
    double sum = 0;
    for (int k = 0; k < mech.nspecies; k++)
        sum += Y[k] / mech.species[k].weight * mech.species[k].atoms[H] * mech.elements[H].weight;
    return sum;
}

static void check_states(const kb_output *o)
{
    int columns = mech.nspecies + 2;
    for (long i = 0; i < o->n; i++) {
        const double *row = o->states + i * columns;
        double sum = 0;
        for (int k = 2; k < columns; k++)
            sum += row[k];
        assert_true(fabs(sum - 1) < 1e-12);
        assert_true(row[1] == KB_ATM);
        assert_true(fabs(hydrogen(row + 2) - o->aux[3 * i + 2]) < 1e-12); /* pure H2 at z = 1 */
    }
}

static double T_max(const kb_output *o, int kept)
{
    return json_real_value(json_array_get(json_object_get(o->results, "T_max_K_of_kept_steps"),
                                          (size_t)kept));
}

static void run(kb_flamelet *r, int threads, const volatile int *stop, int expected, kb_output *o)
{
    kb_error err = {0};
    int code = kb_flamelet_run(r, &mech, solvers,
                               &(kb_march_how){.threads = threads, .stop = stop}, o, &err);
    if (code != expected)
        fail_msg("%d: %s", code, err.text);
}

/* a step without strain leaves the states as they are at the start */
static void start(kb_flamelet r, kb_output *o)
{
    r.strain = 0;
    r.steps = 1;
    run(&r, 1, NULL, KB_OK, o);
}

TEST(test_start_is_equilibrium)
{
    kb_flamelet r = h2_recipe();
    kb_output o;
    start(r, &o);
    for (long i = 0; i < r.points; i++) {
        double z = (i + 1.0) / (r.points + 1), *row = o.states + i * (mech.nspecies + 2);
        double before = row[0];
        double h_fuel = 0, h_air = 0, Y[64] = {0};
        Y[kb_find_species(&mech, "H2")] = 1;
        h_fuel = kb_mix_h(&mech, 300, Y);
        double O2 = 31.998, N2 = 3.76 * 28.014;
        memset(Y, 0, sizeof Y);
        Y[kb_find_species(&mech, "O2")] = O2 / (O2 + N2);
        Y[kb_find_species(&mech, "N2")] = N2 / (O2 + N2);
        h_air = kb_mix_h(&mech, 300, Y);
        assert_true(fabs(kb_mix_h(&mech, row[0], row + 2) - z * h_fuel - (1 - z) * h_air) < 1e-3);
        assert_works(kb_equilibrate(&mech, KB_FIXED_HP, &row[0], &row[1], row + 2, &err));
        assert_true(fabs(row[0] - before) < 1e-6);
    }
    kb_output_free(&o);
    kb_recipe_free(&kb_flamelet_form, &r);
}

/* the enthalpy of CH4 in gri30 falls beyond 6000 K: there is a temperature nevertheless */
TEST(test_streams_of_gri30)
{
    kb_mech g;
    kb_error err;
    assert_works(kb_mech_load(&g, "datasets/mechanisms/gri30.yaml", NULL, &err));
    double fuel[64], air[64], mixed[64];
    assert_works(kb_stream(&g, "fuel", "CH4:1", 300, KB_ATM, fuel, &err));
    assert_works(kb_stream(&g, "air", "O2:1,N2:3.76", 400, KB_ATM, air, &err));
    for (double z = 0; z <= 1; z += 0.125) {
        assert_works(kb_mix_streams(&g, fuel, air, z, mixed, &err));
        double h = z * kb_mix_h(&g, 300, fuel + 2) + (1 - z) * kb_mix_h(&g, 400, air + 2);
        assert_true(fabs(kb_mix_h(&g, mixed[0], mixed + 2) - h) < 1e-6 * fabs(h));
        assert_true(mixed[0] > 299.99 && mixed[0] < 400.01);
    }
    fuel[0] = 1e9;
    assert_int_equal(kb_mix_streams(&g, fuel, air, 1, mixed, &err), KB_INVALID);
    kb_mech_free(&g);
}

TEST(test_run)
{
    kb_flamelet r = h2_recipe();
    kb_output o, again;
    r.steps = 30;
    r.every = 10;
    run(&r, 1, NULL, KB_OK, &o);
    assert_int_equal(o.n, 3 * r.points);
    check_states(&o);
    assert_true(T_max(&o, 0) > T_max(&o, 1) && T_max(&o, 1) > T_max(&o, 2));
    assert_true(o.aux[3 * r.points] == 10 && fabs(o.aux[3 * r.points + 1] - 10e-6) < 1e-18);
    run(&r, 2, NULL, KB_OK, &again); /* the number of threads must not matter */
    assert_memory_equal(o.states, again.states,
                        (size_t)(o.n * (mech.nspecies + 2)) * sizeof *o.states);
    kb_output_free(&o);
    kb_output_free(&again);
    kb_recipe_free(&kb_flamelet_form, &r);
}

/* the first rows y against the start y0: y - dt chi/2 d2y/dz2 = y0 */
TEST(test_first_rows_are_diffused_once)
{
    kb_flamelet r = h2_recipe();
    kb_output o, before;
    int columns = mech.nspecies + 2;
    r.steps = 1;
    r.dt = 1e-4; /* dt chi/(2 dz^2) up to 11 */
    start(r, &before);
    run(&r, 1, NULL, KB_OK, &o);
    for (long i = 1; i + 1 < r.points; i++) {
        double dz = 1.0 / (r.points + 1), z = (i + 1) * dz;
        double k = 1e-4 * kb_scalar_dissipation(400, z) / 2 / (dz * dz);
        for (int c = 0; c < columns; c++) {
            const double *y = o.states + i * columns + c;
            double y0 = before.states[i * columns + c];
            if (c != 1)
                assert_true(fabs(y[0] - k * (y[columns] - 2 * y[0] + y[-columns]) - y0) <
                            1e-11 * (1 + fabs(y0)));
        }
    }
    kb_output_free(&before);
    kb_output_free(&o);
    kb_recipe_free(&kb_flamelet_form, &r);
}

TEST(test_no_strain_no_change)
{
    kb_flamelet r = h2_recipe();
    kb_output o;
    r.strain = 0;
    r.steps = 21;
    r.every = 20;
    run(&r, 1, NULL, KB_OK, &o);
    for (long i = 0; i < r.points; i++) { /* equilibrium stays */
        const double *row = o.states + (r.points + i) * (mech.nspecies + 2);
        assert_true(fabs(row[0] - o.states[i * (mech.nspecies + 2)]) < 0.01);
    }
    kb_output_free(&o);
    kb_recipe_free(&kb_flamelet_form, &r);
}

TEST(test_becomes_steady)
{
    kb_flamelet r = h2_recipe();
    kb_output o;
    r.dt = 1e-5;
    r.steps = 1001;
    r.every = 250;
    run(&r, 0, NULL, KB_OK, &o);
    check_states(&o);
    assert_true(T_max(&o, 0) > 2100 && T_max(&o, 4) < T_max(&o, 0) - 100 && T_max(&o, 4) > 1700);
    assert_true(fabs(T_max(&o, 4) - T_max(&o, 3)) < 5); /* over 2.5 ms, as much as 1/strain */
    kb_output_free(&o);
    kb_recipe_free(&kb_flamelet_form, &r);
}

static int run_flamelet(const void *recipe, const kb_solvers *s, const kb_march_how *how,
                        kb_output *o, kb_error *err)
{
    return kb_flamelet_run(recipe, &mech, s, how, o, err);
}

TEST(test_same_bytes)
{
    kb_flamelet r = h2_recipe();
    assert_same_bytes(run_flamelet, &r,
                      "043ab8135c008c2ada49a1349649b9b0a65a3f52caa89c9067e51a72caabb6eb");
    kb_recipe_free(&kb_flamelet_form, &r);
}

TEST(test_interruption)
{
    static const long at[] = {1, 3, 4, 10, 11, 17};
    kb_flamelet r = h2_recipe();
    r.steps = 21;
    r.every = 5;
    assert_goes_on(run_flamelet, &r, at, sizeof at / sizeof *at);
    kb_recipe_free(&kb_flamelet_form, &r);
}

TEST(test_stop_and_errors)
{
    kb_flamelet r = h2_recipe();
    kb_output o;
    volatile int stop = 1;
    run(&r, 1, &stop, KB_INTERRUPTED, &o);
    kb_output_free(&o);
    free(r.fuel);
    r.fuel = kb_strdup("XX:1");
    assert_fails(kb_flamelet_run(&r, &mech, solvers, &(kb_march_how){0}, &o, &err), KB_INVALID,
                 "'XX'");
    kb_output_free(&o);
    kb_recipe_free(&kb_flamelet_form, &r);
}

TESTS(open_all, close_all)
