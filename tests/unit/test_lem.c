/* SPDX-License-Identifier: MIT
 *
 * Linear-eddy counter-flow: triplet maps, statistics of the eddies, and short runs of H2 in air.
 */
#include "tests/test.h"
#include "pasr/generators/lem.h"
#include "tests/unit/h2_case.h"

/* ---- triplet maps ---- */

TEST(test_triplet_map_of_nine)
{
    double cells[26], work[18];
    const double expected[9] = {0, 3, 6, 7, 4, 1, 2, 5, 8};
    for (int i = 0; i < 13; i++) {
        cells[2 * i] = i - 2;
        cells[2 * i + 1] = 100 + i - 2;
    }
    kb_triplet_map(cells, 2, 2, 3, work);
    for (int i = 0; i < 13; i++) {
        double from = i >= 2 && i < 11 ? expected[i - 2] : i - 2;
        assert_true(cells[2 * i] == from && cells[2 * i + 1] == 100 + from);
    }
}

TEST(test_triplet_map_is_a_permutation)
{
    for (long k = 1; k <= 100; k++) {
        double cells[300], work[300];
        int seen[300] = {0};
        for (int i = 0; i < 300; i++)
            cells[i] = i;
        kb_triplet_map(cells, 1, 300 - 3 * k, k, work);
        for (int i = 0; i < 300; i++)
            seen[(int)cells[i]]++;
        for (int i = 0; i < 300; i++)
            assert_int_equal(seen[i], 1);
    }
}

/* a map of l = 3k cells moves them by 4/27 l^2 (1 - 1/k) in the mean square */
TEST(test_triplet_map_displacement)
{
    double cells[300], work[300], sum = 0;
    for (int i = 0; i < 300; i++)
        cells[i] = i;
    kb_triplet_map(cells, 1, 0, 100, work);
    for (int i = 0; i < 300; i++)
        sum += (cells[i] - i) * (cells[i] - i) / 300;
    assert_true(fabs(sum / (300. * 300) - 4. / 27 * 0.99) < 1e-12);
}

/* ---- eddies ---- */

enum { DRAWS = 20000 };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Kolmogorov-Smirnov distance from the l^(-8/3) law below the 1 % level */
TEST(test_eddy_sizes)
{
    kb_eddies e = {.eta = 2e-4, .L = 4e-3};
    kb_random random = {7};
    double l[DRAWS], worst = 0, a = pow(e.eta, -5. / 3), b = pow(e.L, -5. / 3);
    for (int i = 0; i < DRAWS; i++)
        l[i] = kb_eddy_size(&e, &random);
    qsort(l, DRAWS, sizeof *l, ascending);
    for (int i = 0; i < DRAWS; i++) {
        assert_true(l[i] >= e.eta && l[i] <= e.L * (1 + 1e-12));
        worst = larger(worst, fabs((a - pow(l[i], -5. / 3)) / (a - b) - (i + 0.5) / DRAWS));
    }
    assert_true(worst < 1.63 / sqrt(DRAWS));
}

/* all eddies together displace like the diffusivity that the rate was made for: half of
 * rate x <l x 4/27 l^2> */
TEST(test_eddy_rate)
{
    kb_eddies e = kb_eddies_of(2, 4e-3, 2e-5, 1e-5);
    kb_random random = {3};
    double sum = 0, sum2 = 0;
    assert_true(fabs(e.eta - 10.76 * 4e-3 * pow(400, -0.75)) < 1e-12 && e.L == 4e-3);
    assert_true(fabs(e.diffusivity - 2 * 4e-3 / 15) < 1e-12);
    for (int i = 0; i < DRAWS; i++) {
        double x = e.rate * 2 / 27 * pow(kb_eddy_size(&e, &random), 3);
        sum += x / DRAWS;
        sum2 += x * x / DRAWS;
    }
    double error = sqrt((sum2 - sum * sum) / DRAWS);
    assert_true(error < 0.05 * e.diffusivity && fabs(sum - e.diffusivity) < 4 * error);
    assert_true(kb_eddies_of(0, 4e-3, 2e-5, 1e-5).rate == 0); /* laminar */
    assert_true(kb_eddies_of(0.01, 4e-3, 2e-5, 1e-5).rate == 0);
    assert_true(fabs(kb_eddies_of(2, 4e-3, 2e-5, 1e-4).eta - 6e-4) < 1e-18); /* six cells */
}

/* ---- runs ---- */

static kb_lem h2_recipe(void)
{
    kb_lem r;
    kb_lem_defaults(&r);
    free(r.mech);
    free(r.fuel);
    r.mech = kb_strdup("h2");
    r.fuel = kb_strdup("H2:1");
    r.simulations = 3;
    r.cells = 90;
    r.steps = 21;
    r.every = 10;
    return r;
}

static kb_output run(const kb_lem *r, int threads)
{
    kb_output o;
    assert_works(kb_lem_run(r, &mech, solvers, &(kb_march_how){.threads = threads}, &o, &err));
    assert_int_equal(o.n, ((r->steps - 1) / r->every + 1) * r->cells * r->simulations);
    return o;
}

static json_t *simulation(const kb_output *o, size_t k)
{
    return json_array_get(json_object_get(o->results, "simulations"), k);
}

static double result(const kb_output *o, size_t k, const char *key)
{
    return json_number_value(json_object_get(simulation(o, k), key));
}

/* [kmol/kg] */
static double atoms(const double *Y, const char *element)
{
    int e = kb_find_element(&mech, element);
    double sum = 0;
    for (int k = 0; k < mech.nspecies; k++)
        sum += Y[k] / mech.species[k].weight * mech.species[k].atoms[e];
    return sum;
}

/* sum(Y), elements and enthalpy of every state against z between the ends of its simulation, which
 * stay pure streams in these runs */
static void check_states(const kb_lem *r, const kb_output *o)
{
    const char *const elements[] = {"H", "O", "N"};
    int columns = mech.nspecies + 2;
    for (long i = 0; i < o->n; i++) {
        long first = i / r->cells * r->cells;
        const double *row = o->states + i * columns, *f = o->states + first * columns;
        const double *x = o->states + (first + r->cells - 1) * columns;
        double z = o->aux[4 * i + 3], sum = 0, hf = kb_mix_h(&mech, f[0], f + 2);
        double hx = kb_mix_h(&mech, x[0], x + 2);
        for (int k = 2; k < columns; k++)
            sum += row[k];
        assert_true(fabs(sum - 1) < 1e-12);
        assert_true(fabs(kb_mix_h(&mech, row[0], row + 2) - z * hf - (1 - z) * hx) < 10); /* J/kg */
        for (int e = 0; e < 3; e++)
            assert_true(fabs(atoms(row + 2, elements[e]) - z * atoms(f + 2, elements[e]) -
                             (1 - z) * atoms(x + 2, elements[e])) < 1e-7);
    }
}

TEST(test_run)
{
    kb_lem r = h2_recipe();
    kb_output o = run(&r, 1), again = run(&r, 2);
    size_t bytes = (size_t)(o.n * (mech.nspecies + 2)) * sizeof *o.states;
    check_states(&r, &o);
    assert_memory_equal(o.states, again.states, bytes); /* threads must not matter */
    kb_output_free(&again);
    r.seed = 2;
    again = run(&r, 1);
    assert_true(memcmp(o.states, again.states, bytes));
    /* order: simulation, time, cell */
    long last = o.n - 1;
    assert_true(o.aux[4 * last] == 2 && fabs(o.aux[4 * last + 1] - 20 * r.dt) < 1e-18 &&
                o.aux[4 * last + 2] == 89);
    double hottest = 0;
    for (long i = last - 89; i <= last; i++)
        hottest = fmax(hottest, o.states[i * (mech.nspecies + 2)]);
    assert_true(hottest > 0 && result(&o, 2, "T_max_K_at_end") == hottest);
    assert_true(o.aux[4 * 90] == 0 && fabs(o.aux[4 * 90 + 1] - 10 * r.dt) < 1e-18);
    kb_output_free(&o);
    kb_output_free(&again);
    kb_recipe_free(&kb_lem_form, &r);
}

/* streams as cold as a recipe lets them be, where Newton's plain steps for T are not made */
TEST(test_cold_streams)
{
    kb_lem r = h2_recipe();
    r.T_oxidizer = r.T_fuel = (kb_axis){1, {200}};
    kb_output o = run(&r, 1);
    check_states(&r, &o);
    kb_output_free(&o);
    kb_recipe_free(&kb_lem_form, &r);
}

/* a fuel stream that burns by itself: in every cell, of every simulation, the first one too */
TEST(test_every_cell_reacts)
{
    kb_lem r = h2_recipe();
    free(r.fuel);
    r.fuel = kb_strdup("H2:2,O2:1");
    r.T_oxidizer = r.T_fuel = (kb_axis){1, {1500}};
    r.dilution = (kb_axis){1, {0}};
    r.dt = 1e-5;
    kb_output o = run(&r, 1);
    for (long i = 0; i < o.n; i++)
        if (o.aux[4 * i + 1] > 19 * r.dt && o.aux[4 * i + 3] > 0.99)
            assert_true(o.states[i * (mech.nspecies + 2)] > 2500);
    assert_true(o.aux[4 * (o.n - r.cells) + 3] > 0.99); /* the first cell is such a one */
    kb_output_free(&o);
    kb_recipe_free(&kb_lem_form, &r);
}

/* A laminar line: z falls, and keeps its place and its width, but for the burnt gas, in which
 * rho^2 D is about half that of the cold (T^-0.3): sqrt(0.5). Without strain it would be
 * sqrt(1 + 2 a t) times as wide at the end, 3.3 times. */
TEST(test_strain_holds_the_layer)
{
    kb_lem r = h2_recipe();
    double area[2] = {0}, fuel[8][2] = {{0}};
    r.u = (kb_axis){1, {0}};
    r.strain = (kb_axis){1, {500}};
    r.T_oxidizer = r.T_fuel = (kb_axis){1, {300}};
    r.dilution = (kb_axis){1, {0.5}};
    r.simulations = 8;
    r.dt = 2e-5;
    r.steps = 501;
    r.every = 500;
    kb_output o = run(&r, 0);
    for (long k = 0; k < r.simulations; k++)
        for (long i = 0; i < 2 * r.cells; i++) {
            double z = o.aux[4 * (k * 2 * r.cells + i) + 3];
            area[i / r.cells] += z * (1 - z); /* a measure of the width */
            fuel[k][i / r.cells] += z;        /* in cells: where it is */
            assert_true(i % r.cells == 0 || z <= o.aux[4 * (k * 2 * r.cells + i - 1) + 3] + 1e-13);
        }
    assert_true(area[1] > 0.6 * area[0] && area[1] < 0.9 * area[0]);
    for (size_t k = 0; k < 8; k++) {
        assert_true(fabs(fuel[k][1] - fuel[k][0]) < 3);
        assert_true(result(&o, k, "eddies") == 0);
    }
    kb_output_free(&o);
    kb_recipe_free(&kb_lem_form, &r);
}

/* Poisson numbers: cells lost (strain x cells x time), eddies (rate x length x time, less those
 * that reach over the end) */
TEST(test_numbers_of_events)
{
    kb_lem r = h2_recipe();
    r.u = (kb_axis){1, {4}};
    r.strain = (kb_axis){1, {200}};
    r.length = (kb_axis){1, {2}};
    r.T_oxidizer = (kb_axis){1, {600}};
    r.simulations = 4;
    r.cells = 200;
    r.dt = 1e-4;
    r.steps = r.every = 101;
    r.rtol = 1e-3;
    r.atol = 1e-8;
    r.every = 100;
    kb_output o = run(&r, 0);
    double lost = 0, eddies = 0, mean_lost = 4 * 200 * 200 * 100 * r.dt, inside = 0;
    for (size_t k = 0; k < 4; k++) {
        lost += result(&o, k, "cells_lost");
        eddies += result(&o, k, "eddies");
    }
    assert_true(fabs(lost - mean_lost) < 4 * sqrt(mean_lost));
    /* the density of air at 600 K, its viscosity by the formula of lem.c */
    double D = 2.58e-5 * pow(600. / 298, 0.7) / 0.5859, line = 20 * sqrt(2 * D / 200);
    kb_eddies e = kb_eddies_of(4, 2e-3, 0.75 * D, line / 200);
    kb_random random = {1};
    for (int i = 0; i < DRAWS; i++)
        inside += (1 - kb_eddy_size(&e, &random) / line) / DRAWS;
    double mean = 4 * e.rate * line * 100 * r.dt * inside;
    assert_true(mean > 100 && fabs(eddies - mean) < 4 * sqrt(mean) + 0.02 * mean);
    kb_output_free(&o);
    kb_recipe_free(&kb_lem_form, &r);
}

static int run_lem(const void *recipe, const kb_solvers *s, const kb_march_how *how, kb_output *o,
                   kb_error *err)
{
    return kb_lem_run(recipe, &mech, s, how, o, err);
}

TEST(test_same_bytes)
{
    kb_lem r = h2_recipe();
    assert_same_bytes(run_lem, &r,
                      "e52a50e2b118891016b86048eccbd68a7d424407f528b97505cc0acc731bf685");
    kb_recipe_free(&kb_lem_form, &r);
}

TEST(test_interruption)
{
    static const long at[] = {1, 3, 4, 10, 11, 17};
    kb_lem r = h2_recipe();
    r.u = (kb_axis){1, {4}};
    r.strain = (kb_axis){1, {200}};
    r.dt = 1e-4;
    r.every = 5;
    assert_goes_on(run_lem, &r, at, sizeof at / sizeof *at);
    /* this recipe with another seed must not go on from here */
    kb_march_how how = {.path = base, .stop = &stop_flag, .progress = stop_at, .data = (void *)at};
    kb_output o;
    kb_error err;
    stop_flag = 0;
    assert_int_equal(kb_lem_run(&r, &mech, solvers, &how, &o, &err), KB_INTERRUPTED);
    kb_output_free(&o);
    stop_flag = 0;
    r.seed++;
    assert_int_equal(kb_lem_run(&r, &mech, solvers, &how, &o, &err), KB_INVALID);
    assert_non_null(strstr(err.text, "belongs to another recipe"));
    kb_output_free(&o);
    kb_checkpoint_drop(base);
    kb_recipe_free(&kb_lem_form, &r);
}

TEST(test_stop_and_errors)
{
    kb_lem r = h2_recipe();
    kb_output o;
    volatile int stop = 1;
    kb_march_how how = {.stop = &stop, .path = base};
    assert_fails(kb_lem_run(&r, &mech, solvers, &how, &o, &err), KB_INTERRUPTED,
                 "nothing was written");
    kb_output_free(&o);
    stop = 0;
    free(r.diluent);
    r.diluent = kb_strdup("XX:1");
    assert_fails(kb_lem_run(&r, &mech, solvers, &how, &o, &err), KB_INVALID, "'XX'");
    kb_output_free(&o);
    kb_recipe_free(&kb_lem_form, &r);
}

TESTS(open_all, close_all)
